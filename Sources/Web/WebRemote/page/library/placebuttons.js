// The buttons that act on a whole place: play, shuffle, add; of an album and an artist also the favourite and the menu.

import { icon, make, mark } from '../parts/parts.js';
import { t } from '../shell/translate.js';

/** The least role for each; everybody may open the menu. */
const needs = { play: 'remote', shuffle: 'remote', add: 'guest', fav: 'remote' };
const marked = ['album', 'artist'];

export function placeButtons(here, acts) {
  const { node } = here, row = { ...node, title: here.title, n: node.n ?? here.total };
  const button = (does, sign, act, text) => make('button', { class: 'small act', 'data-does': does,
    'data-needs': needs[does], onclick: act, 'aria-label': t(`place.${does}All`, { title: here.title }) },
  icon(sign), text ? make('span', {}, t(text)) : null);
  const favourite = button('fav', 'heart', () => acts.favour(row));
  mark(favourite, 'aria-pressed', !!row.fav);
  return [button('play', 'play', () => acts.all(row), 'place.play'),
    button('shuffle', 'shuffle', () => acts.shuffle(row), 'place.shuffle'),
    button('add', 'enqueue', () => acts.add(row, 'end'), 'place.add'),
    ...marked.includes(node.kind) ? [favourite, button('more', 'dots', () => acts.more(row))] : []];
}
