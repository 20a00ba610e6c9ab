// The path of places that a person took through the library or the lists, and the addresses of these places.

import { titleOf } from '../items/items.js';

/** A place: `title`, what to request, and the rows received so far. */
export const place = what => ({ rows: [], length: 0, total: undefined, cursor: null, problem: null, isKnown: false,
  top: 0, ...what });

/** Subclasses draw the last place: `show()`, `lay()`, and `scroller`. */
export class Trail {
  places = [];
  /**
   * Called when the current place is another; `true` if it takes the place of the one before in the browser's history.
   */
  moved = () => { };
  get here() { return this.places.at(-1) }

  address(here = this.here) {
    return here.kind === 'search' ? { q: here.q } : here.kind === 'list' ? { list: here.id, link: here.link }
      : here.uri
      ? { at: here.uri, sort: here.sort } : {};
  }
  /** Shows the place of an address, as far as this part has such places. */
  visit(wanted) {
    const same = step => {
      const is = this.address(step);
      return is.at === wanted.at && is.q === wanted.q && is.list === wanted.list;
    };
    const index = this.places.findLastIndex(same);
    if (index >= 0) {
      const step = this.places[index];
      if (wanted.link && wanted.link !== step.link) Object.assign(step, { link: wanted.link, isKnown: false });
      if (step.uri && wanted.sort !== step.sort) Object.assign(step, { sort: wanted.sort, isKnown: false, top: 0 });
      else if (index === this.places.length - 1) return;
      return this.#cut(index);
    }
    const next = this.placeOf(wanted);
    if (next) this.#enter(next);
  }
  placeOf({ at, sort }) { return at ? place({ kind: 'browse', title: '', uri: at, sort, node: { uri: at } }) : null }
  go(next) {
    this.#enter(next);
    this.moved();
  }
  #enter(next) {
    this.here.top = this.scroller.scrollTop;
    this.places.push(next);
    this.show();
  }
  goBack(to = this.places.length - 2) {
    if (to < 0 || to === this.places.length - 1) return;
    this.#cut(to);
    this.moved();
  }
  #cut(to) {
    this.places.length = to + 1;
    this.show();
    this.scroller.scrollTop = this.here.top;
    this.lay();
  }
  /** A second tap on the tab of this part: its first place, from the top. */
  home() {
    if (this.places.length > 1) this.goBack(0);
    this.scroller.scrollTop = 0;
  }
  open(row) { this.go(place({ kind: 'browse', title: titleOf(row), uri: row.uri, node: row })) }
}
