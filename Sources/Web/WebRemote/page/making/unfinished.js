// What the room does about a piece that is not made when its turn comes.

import { buzz, make } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { t } from '../shell/translate.js';

/** `filler` needs an item, which a terminal names; here it is shown where it is so, and can be ended. */
const ways = ['skip', 'wait', 'filler'];

export class Unfinished {
  #hub; #select;
  constructor(hub) {
    this.#hub = hub;
    this.#select = make('select', { 'data-at': 'unfinished', 'data-needs': needOf('mode.set'),
      onchange: () => this.#choose() }, ...ways.map(value => make('option', { value }, t(`unfinished.${value}`))));
    this.element = make('label', { class: 'line' }, t('unfinished.name'), this.#select);
  }
  draw() {
    const way = this.#hub.said.modes?.unfinished ?? 'skip';
    this.#select.lastChild.hidden = way !== 'filler';
    if (this.#select !== document.activeElement) this.#select.value = way;
  }
  async #choose() {
    buzz();
    const res = await this.#hub.press('mode.set', { unfinished: this.#select.value });
    if (!res.ok) this.#select.blur();
    this.draw();
  }
}
