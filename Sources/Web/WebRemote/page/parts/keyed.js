// A list that is updated by key: the element of an item stays the same with its focus, its press and its place,
// whatever the hub says meanwhile. While a finger is down where the list is, it waits for the release.

import { become } from './become.js';
import { whenUp } from '../gestures/finger.js';
import { refill } from './parts.js';

/** Whether the browser itself leaves what is seen where it is, when rows come above. Safari does not. */
const isAnchored = CSS.supports('overflow-anchor', 'auto');

/** Takes a hold of the first row that is seen. What it gives puts that row where it was. */
function holdInSight(list, rows) {
  let scroller = list;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
  if (!scroller?.scrollTop) return null;
  const edge = scroller.getBoundingClientRect().top;
  const first = rows.find(row => row.getBoundingClientRect().bottom > edge), top = first?.getBoundingClientRect().top;
  return () => { if (first?.isConnected) scroller.scrollTop += first.getBoundingClientRect().top - top };
}

export class Keyed {
  #list; #told; #shown = new Map();
  /**
   * `told` has `key(item)` and `make(item)`. An element whose item says something else becomes what `make` makes of it
   * now, or is written by `draw(element, item)`, which is called each time. `after()` follows all of that.
   */
  constructor(list, told) { [this.#list, this.#told] = [list, told] }
  /** The elements in their order; each has its item as `row`. */
  get elements() { return [...this.#shown.values()] }
  element(key) { return this.#shown.get(key) }
  draw(items) { whenUp(this.#list, () => this.#write(items), this) }
  #write(items) {
    const { key, make, draw, after } = this.#told, shown = new Map();
    for (const item of items) {
      let name = key(item);
      while (shown.has(name)) name = `${name} again`;
      const said = draw || item instanceof Node ? null : JSON.stringify(item);
      const known = this.#shown.get(name), element = known ?? make(item);
      if (known && !draw && (said === null || said !== known.said)) become(known, make(item));
      Object.assign(element, { row: item, said });
      draw?.(element, item);
      shown.set(name, element);
    }
    const release = isAnchored ? null : holdInSight(this.#list, this.elements);
    this.#shown = shown;
    refill(this.#list, this.elements);
    after?.();
    release?.();
  }
}
