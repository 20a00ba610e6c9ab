// A card that names all keys of the page.

import { make } from '../parts/parts.js';
import { openSheet, styled } from '../parts/sheet.js';
import { t } from './translate.js';

const card = [
  [t('keys.space'), 'keys.playPause'], ['← →', 'keys.previousNext'], ['↑ ↓', 'volume.name'], ['M', 'keys.mute'],
    ['S', 'play.shuffle'], ['R', 'keys.repeat'], ['L', 'play.favourite'],
  ['/', 'search.name'], ['1 – 4', 'keys.tabs'], [t('keys.inList', { key: '↑ ↓ ← →' }), 'keys.rowToRow'],
    [t('keys.onRow', { key: 'Alt ↑ ↓' }), 'keys.moves'],
  [t('keys.onRow', { key: t('keys.delete') }), 'keys.removes'],
    [t('keys.onRow', { key: t('keys.menu') }), 'keys.rowMenu'], ['Esc', 'place.back'], ['?', 'keys.thisCard'],
];

export async function showCard() {
  await styled();
  openSheet(t('keys.name'), make('dl', { class: 'facts keys' },
    ...card.flatMap(([key, does]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, t(does))])));
}
