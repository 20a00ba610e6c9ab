// A row of covers below a heading, as the library begins with them and an artist's page ends with them.

import { Keyed } from '../parts/keyed.js';
import { make } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { tile } from './tile.js';

export const mostTiles = 20;
const coverWidth = 148;
/** An album that was heard is known by its name alone. */
export const keyOf = row => row.uri ?? `${row.kind} ${row.title} ${row.albumArtist}`;

/**
 * `place` (`uri`, `sort`) is what the row shows the beginning of; its heading leads there, or to `address`.
 * `clicked(row, what, place)`: a tile was pressed.
 */
export class Strip {
  #hub; #told = ''; #tiles;
  constructor(hub, title, { place = null, clicked,
    address = place && addressOf('library', { at: place.uri, sort: place.sort }) }) {
    [this.#hub, this.place] = [hub, place];
    this.list = make('ul', { class: 'strip', 'aria-label': title });
    this.#tiles = new Keyed(this.list, { key: keyOf, make: row => tile(hub, row,
      { width: coverWidth, hasMenu: false, arts: row.arts }),
      after: () => this.element.classList.toggle('bare', !this.list.firstChild) });
    const heading = place ? make('a', { href: address, dir: 'auto' }, title) : title;
    this.element = make('section', { class: 'stripbox' }, make('h2', {}, heading), this.list);
    this.element.strip = this;
    this.list.onclick = event => {
      const button = event.target.closest('button'), row = button?.closest('li').row;
      if (row) clicked(row, button.dataset.do, { kind: 'browse', uri: place?.uri, node: { kind: 'shelf' }, title,
        rows: this.#tiles.elements.map(item => item.row) });
    };
  }
  get isFilled() { return this.#told !== '' }
  /** The method and the parameters with which the hub is asked. */
  get question() {
    const { uri, sort } = this.place;
    return ['lib.browse', { node: uri, ...sort && { sort }, limit: mostTiles }];
  }
  /** The answer of the hub for this place; null without one. */
  read() { return this.#hub.ask(...this.question) }
  /** A row without tiles is not shown. */
  fill(rows) {
    const told = JSON.stringify(rows);
    if (told === this.#told) return;
    this.#told = told;
    this.#tiles.draw(rows);
  }
}
