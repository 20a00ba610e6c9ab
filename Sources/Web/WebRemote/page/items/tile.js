// An item as a tile: its cover, and two lines below it. A cover that is wide or tall is shown whole, over its own
// blurred colours.

import { own } from '../parts/become.js';
import { artAddress, orLetters } from '../parts/cover.js';
import { actionOf, below, needOfRow, signOf, titleOf } from './items.js';
import { markKept } from '../library/keep.js';
import { icon, make } from '../parts/parts.js';
import { placeholder } from './placeholder.js';
import { t } from '../shell/translate.js';

const isSquare = image => Math.abs(image.naturalWidth / image.naturalHeight - 1) < 0.03;

/** A picture in its own shape, `width` wide, in a box that has its size already. */
export function whole(box, art, width) {
  const image = orLetters(make('img', { alt: '', decoding: 'async', draggable: 'false',
    src: artAddress(art, width, null) }));
  image.onload = () => {
    if (!isSquare(image) && image.parentNode === box)
      box.insertBefore(make('img', { class: 'haze', alt: '', src: image.src, draggable: 'false' }), image);
  };
  box.append(image);
}
/** A box with the cover of an item, or the icon of its kind. Several pictures stand side by side. */
export function coverBox(row, width, arts = [row.art]) {
  const box = make('span', { class: arts.length >= 4 ? 'art four' : 'art', 'aria-hidden': 'true' });
  if (arts.length >= 4) for (const art of arts.slice(0, 4))
    box.append(orLetters(make('img', { alt: '', draggable: 'false', loading: 'lazy',
      src: artAddress(art, width / 2) })));
  else {
    placeholder(box, row, signOf(row));
    if (arts[0]) whole(box, arts[0], width);
  }
  return own(box, JSON.stringify([arts.slice(0, 4), width, titleOf(row), row.kind]));
}

/** `width` is that of the cover. `arts` are the covers of what is in a list. */
export function tile(hub, row, { width, small = below(hub, row, { isMixed: false, isFromElsewhere: false }), arts,
  hasMenu = row.kind !== 'shelf' } = {}) {
  const title = titleOf(row);
  const element = make('li', { class: row.away ? 'tile away' : 'tile' },
    make('button', { class: 'row', 'data-do': 'main', 'data-needs': needOfRow(row),
      'aria-label': actionOf(row, small) },
      coverBox(row, width, arts),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, title), make('small', { dir: 'auto' }, small))),
    hasMenu ? make('button', { class: 'tool', 'data-do': 'more', 'aria-label': t('item.more', { title }) },
      icon('dots')) : null);
  element.row = row;
  markKept(element, row);
  return element;
}
/** A place to begin at: an icon and a word. */
export function chip(row) {
  const title = titleOf(row), element = make('li', {},
    make('button', { class: 'chip', 'data-do': 'main', 'aria-label': t('item.open', { title }) },
      icon(signOf(row)), make('b', { dir: 'auto' }, title)));
  element.row = row;
  return element;
}
