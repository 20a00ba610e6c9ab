// A list that is updated by key: the element of an item stays the same with its focus, its press and its place, whatever
// the hub says meanwhile. While a finger is down on the list its elements are written in place, and what comes, goes or
// moves waits for the release.

import { refill } from './parts.js';

export class Keyed {
  #list; #told; #shown = new Map(); #items = []; #isDown = false;
  /** `told` has `key(item)`, `make(item)` and `draw(element, item)`, which writes what has changed. */
  constructor(list, told) {
    [this.#list, this.#told] = [list, told];
    list.addEventListener('pointerdown', () => { this.#isDown = true });
    // The click of a press comes after its release.
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => {
      if (this.#isDown) setTimeout(() => { this.#isDown = false; this.draw(this.#items) });
    });
  }
  element(key) { return this.#shown.get(key) }
  draw(items) {
    this.#items = items;
    const { key, make, draw } = this.#told, kept = new Map();
    for (const item of items) {
      const name = key(item), element = this.#shown.get(name);
      if (element) draw(element, item);
      if (element || !this.#isDown) kept.set(name, element ?? make(item));
    }
    if (this.#isDown) return;
    this.#shown = kept;
    refill(this.#list, [...kept.values()], 'id');
  }
}
