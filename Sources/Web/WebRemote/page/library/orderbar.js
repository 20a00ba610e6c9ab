// At the end of the head of a place: only what can be played now, the order of its rows, and covers or rows.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { availableButton } from './keep.js';
import { buzz, icon, make, mark, showIcon } from '../parts/parts.js';
import { changeLook, mayBeGrid, prefersList } from '../items/rowforms.js';
import { t } from '../shell/translate.js';

const sorts = ['name', 'artist', 'year', 'added', 'plays', 'stars'];
/** The shelves that have orders. */
export const sorted = ['albums', 'tracks', 'artists'].map(items.shelf);

export class OrderBar {
  #sort; #look;
  /** `told` has `again()`, `order(sort)` and `look()`. The parts stand in `element`. */
  constructor(element, told) {
    this.available = availableButton(told.again);
    this.#look = make('button', { class: 'tool', 'data-do': 'look',
      onclick: () => { buzz(); changeLook(); told.look() } }, icon('queue'));
    this.#sort = make('select', { 'aria-label': t('sort.label'), onchange: () => told.order(this.#sort.value) },
      ...sorts.map(value => make('option', { value }, t(`sort.${value}`))));
    element.append(this.available.button, make('label', {}, this.#sort), this.#look);
  }
  show(here) {
    this.#sort.parentNode.hidden = !sorted.includes(here.uri);
    this.#sort.value = here.sort ?? 'name';
    this.#look.hidden = !mayBeGrid(here);
    showIcon(this.#look.firstChild, prefersList() ? 'presets' : 'queue');
    mark(this.#look, 'aria-label', t(prefersList() ? 'library.asGrid' : 'library.asList'));
  }
}
