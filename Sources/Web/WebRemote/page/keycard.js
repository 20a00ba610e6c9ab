// A card that names all keys of the page.

import { make } from './parts.js';
import { openSheet, styled } from './sheet.js';

const card = [
  ['Space', 'Play or pause'], ['← →', 'Previous, next'], ['↑ ↓', 'Volume'], ['M', 'Mute'], ['S', 'Shuffle'], ['R', 'Repeat'], ['L', 'Favourite'],
  ['/', 'Search'], ['1 – 5', 'The tabs'], ['↑ ↓ ← → in a list', 'From row to row'], ['Alt ↑ ↓ on a row', 'Moves it'], ['Delete on a row', 'Removes it'],
  ['Menu key on a row', 'What else can be done with it'], ['Esc', 'Back'], ['?', 'This card'],
];

export async function showCard() {
  await styled;
  openSheet('Keys', make('dl', { class: 'facts keys' }, ...card.flatMap(([key, does]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, does)])));
}
