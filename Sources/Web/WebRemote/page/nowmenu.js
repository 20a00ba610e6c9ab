// The menu of what plays: what is rarely wanted, and what must not be pressed by accident.

import { Acts } from './items.js';
import { albumAddress, artistAddress } from './links.js';
import { $, buzz, icon, make, put } from './parts.js';
import { keepPreset } from './presets.js';
import { addressOf } from './route.js';
import { actLine, linkLine, openSheet, styled } from './sheet.js';

export async function openNowMenu({ hub, say, deck, looks }) {
  await styled;
  const view = hub.view(), item = hub.said.now, has = !!view.uri, hasLibrary = !!hub.said.lib;
  const acts = new Acts(hub, say);
  // The theme changes below the open sheet, so that one can look at them all.
  const theme = make('button', { class: 'small', id: 'theme', onclick: () => { buzz(); put(theme, `Theme: ${looks.cycle()}`) } }, `Theme: ${looks.title}`);
  openSheet(view.title ?? 'No music',
    has ? withId('playnext', actLine('Play this again next', 'playnext', () => deck.add('next'), 'guest')) : null,
    has ? withId('enqueue', actLine('Add this to the end', 'enqueue', () => deck.add('end'), 'guest')) : null,
    has ? linkLine('Lyrics', 'lyrics', addressOf('lyrics')) : null,
    has && hub.said.pl ? actLine('Add to a list…', 'queue', () => acts.choose({ ...item, title: view.title }), 'remote') : null,
    has && hasLibrary ? linkLine('Go to the album', 'album', albumAddress(hub, item)) : null,
    has && hasLibrary ? linkLine('Go to the artist', 'people', artistAddress(hub, item)) : null,
    has ? make('button', { class: 'small act', onclick: () => keepPreset({ ...item, art: item.art?.id }, say) }, icon('presets'), make('span', {}, 'Keep as a preset…')) : null,
    theme, withId('stop', actLine('Stop and leave', 'stop', () => stop(hub))));
}
const withId = (id, element) => { element.id = id; return element };

async function stop(hub) {
  if (hub.view().entry && hub.live) await hub.press('stop', {}, { kind: 'play', guess: { st: 'stopped' } });
  hub.leave('Stopped. This page has left the hub.');
  const back = make('button', { class: 'small', onclick: () => { $('sheet').close() } }, 'Connect again');
  $('sheet').replaceChildren(make('p', {}, 'Stopped. This page has left the hub.'), back);
  $('sheet').onclose = () => hub.start();
  $('sheet').showModal();
}
