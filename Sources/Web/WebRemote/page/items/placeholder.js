// What stands where an item has no picture: its letters on a colour of the theme, always the same for the same words.

import { icon, make } from '../parts/parts.js';

/** A number for these words that is the same on each device. */
function numberOf(words) {
  let number = 7;
  for (const letter of words) number = (number * 31 + letter.codePointAt(0)) >>> 0;
  return number;
}
/** The first letters of the first two words; of a script without spaces, one letter. */
function lettersOf(title) {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 2).map(word => [...word][0].toLocaleUpperCase()).join('');
}
/** Fills a box. What is a place rather than an item has its icon alone. */
export function placeholder(box, row, sign) {
  const title = row.title ?? '', letters = row.kind === 'shelf' ? '' : lettersOf(title);
  box.classList.add(row.kind === 'shelf' ? 'sign' : 'made');
  if (row.kind !== 'shelf') {
    const number = numberOf(`${title}\n${row.albumArtist ?? row.artists?.[0] ?? ''}`);
    box.style.setProperty('--turn', `${number % 120 - 60}`);
  }
  box.append(letters ? make('span', { class: 'initials' }, letters) : icon(sign));
}
