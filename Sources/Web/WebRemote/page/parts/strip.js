// A row of covers below a heading, as the library begins with them and an artist's page ends with them.

import { make } from './parts.js';
import { addressOf } from '../shell/route.js';
import { tile } from './tile.js';

export const mostTiles = 20;
const coverWidth = 148;

/**
 * `place` (`uri`, `sort`) is what the row shows the beginning of; its heading leads there, or to `address`.
 * `clicked(row, what, place)`: a tile was pressed.
 */
export class Strip {
  #hub; #told = '';
  constructor(hub, title, { place = null, clicked,
    address = place && addressOf('library', { at: place.uri, sort: place.sort }) }) {
    this.#hub = hub;
    this.place = place;
    this.list = make('ul', { class: 'strip', 'aria-label': title });
    const heading = place ? make('a', { href: address }, title) : title;
    this.element = make('section', { class: 'stripbox' }, make('h2', {}, heading), this.list);
    this.element.strip = this;
    this.list.onclick = event => {
      const button = event.target.closest('button'), row = button?.closest('li').row;
      if (row) clicked(row, button.dataset.do, { kind: 'browse', uri: place?.uri, node: { kind: 'shelf' }, title,
        rows: [...this.list.children].map(item => item.row) });
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
    this.element.classList.toggle('bare', !rows.length);
    if (told === this.#told) return;
    this.#told = told;
    this.list.replaceChildren(...rows.map(row => tile(this.#hub, row, { width: coverWidth, hasMenu: false })));
  }
}
