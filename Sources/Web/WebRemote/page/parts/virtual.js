// A list of any length of which only the rows in sight have elements: in one column, or in several as a grid. Headings
// stand between sections. Rows are placed by transforms, so scrolling lays nothing out anew.

import { become } from './become.js';
import { isHeld, whenUp } from '../gestures/finger.js';
import { make, mark, put, refill, rem } from './parts.js';

/** What a list looks like before it is known: one column without headings. Rows so many
    pixels beyond those in sight have elements; a heading is so many sizes of text high. */
const plain = { count: 0, total: 0, columns: 1, high: 56, breaks: [] };
const spare = 260, headText = 3;
/** A row that is drawn is looked for among so many before and behind its old place. */
const mostMoved = 1000;

export class VirtualList {
  shown = new Map(); height = 0;
  /** A row is carried to another place, so the others make room for it. */
  isCarrying = false;
  #form = plain; #sections = []; #heads = new Map(); #turn = 0; #across = 100; #top = 0; #seen = { from: 0, until: 0 };
  /**
   * `told` has `row(index)`, undefined while it is not known, `key(row, index)` and `make(row)`. The element of a row
   * that says something else becomes what `make` makes of it now, or is written by `change(element, row)`;
   * `place(element, row, index)` follows each time. `lay()` lays the list when a finger is up that was down on it.
   */
  constructor(scroller, list, told) { Object.assign(this, { scroller, list, told }) }

  /** `breaks` are `{ from, text }`: a heading before the row at `from`, which begins a line. */
  arrange(form) {
    if (this.#waits()) return;
    // Read only where there are rows, since the browser lays everything out for it.
    const scrollTop = this.shown.size ? this.scroller.scrollTop : 0, first = this.#firstInSight(scrollTop);
    this.#measure(form);
    if (first) this.#keepInSight(first, scrollTop);
  }
  #measure(form) {
    const same = this.#form;
    if (same !== plain && Object.keys(form).every(name => form[name] === same[name] || name === 'breaks'
      && !form.breaks.length && !same.breaks.length)) return;
    this.#turn++;
    // The first column stands where a line of text begins.
    this.#across = document.dir === 'rtl' ? -100 : 100;
    const { count, columns, high, breaks } = this.#form = { ...plain, ...form };
    const headHigh = breaks.length ? headText * rem() : 0;
    const starts = breaks[0]?.from === 0 ? breaks : [{ from: 0, text: '' }, ...breaks];
    let top = 0;
    this.#sections = starts.filter(({ from }) => from < count || from === 0).map(({ from, text }, index, all) => {
      const until = Math.min(count, all[index + 1]?.from ?? count), begin = top + (text ? headHigh : 0);
      const section = { from, until, text, top, begin };
      top = begin + Math.ceil(Math.max(0, until - from) / columns) * high;
      return section;
    });
    this.height = top;
    this.list.style.height = `${top}px`;
    this.list.style.setProperty('--columns', columns);
  }
  /** The first row that is seen; none where the list begins in sight. */
  #firstInSight(scrollTop) {
    if (this.isCarrying || !this.shown.size) return null;
    const top = scrollTop - this.list.offsetTop, bottom = top + this.scroller.clientHeight, { high } = this.#form;
    let first = null;
    if (top > 0) for (const row of this.shown.values())
      if (row.top + high > top && row.top < bottom && !(first?.at < row.at)) first = row;
    return first;
  }
  /**
   * Rows that come or go above those in sight, or get a heading, leave these where they are. No browser sees to that
   * for rows that transforms have placed. One that has moved away from both of its neighbours is not followed.
   */
  #keepInSight(first, scrollTop) {
    if (this.#whereNow(first) === first.at && this.placeOf(first.at)[1] === first.top) return;
    const rows = [...this.shown.values()];
    const now = new Map([[-1, -1], ...rows.map(row => [row.at, this.#whereNow(row)])]);
    const isFirm = ({ at }) => [-1, 1].some(by => now.get(at + by) === now.get(at) + by);
    // Without the first it is the one above it, so that the next takes its place.
    const rank = ({ at }) => at > first.at ? at : first.at - at;
    const [anchor] = rows.filter(isFirm).sort((one, other) => rank(one) - rank(other));
    if (anchor) this.scroller.scrollTop = scrollTop + this.placeOf(now.get(anchor.at))[1] - anchor.top;
  }
  /** The place where a row that is drawn belongs now; of several with its key, the nearest. */
  #whereNow({ row, at }) {
    const key = this.told.key(row, at), { count } = this.#form;
    for (let by = 0; by <= mostMoved && (by <= at || at + by < count); by++) for (const index of [at + by, at - by]) {
      const other = index >= 0 && index < count ? this.told.row(index) : null;
      if (other && this.told.key(other, index) === key) return index;
    }
    return undefined;
  }
  /** Where a row stands: its column, and its distance from the top of the list. */
  placeOf(index) {
    const { columns, high } = this.#form, section = this.#sections.findLast(({ from }) => from <= index)
      ?? { from: 0, begin: 0 };
    const within = index - section.from;
    return [within % columns, section.begin + Math.floor(within / columns) * high];
  }
  /** The first row of the line at this distance from the top. */
  indexAt(y) {
    const { columns, high } = this.#form, section = this.#sections.findLast(({ top }) => top <= y) ?? this.#sections[0];
    if (!section) return 0;
    const line = Math.max(0, Math.floor((y - section.begin) / high));
    return Math.min(section.from + line * columns, Math.max(section.from, section.until - 1));
  }
  /** The rows that have elements: those in sight and some beyond. */
  sight() {
    const { count, columns } = this.#form, top = this.scroller.scrollTop - this.list.offsetTop;
    const bottom = top + (this.scroller.clientHeight || 400);
    return [this.indexAt(top - spare), Math.min(count, this.indexAt(bottom + spare) + columns)];
  }
  /** No row comes, goes or moves below a finger, unless it carries one or the list was scrolled. */
  #waits() {
    return this.shown.size > 0 && isHeld(this.list) && !this.isCarrying && this.scroller.scrollTop === this.#top;
  }
  /** Draws the rows in sight, and tells which those are, and whether some of them are not known. */
  lay() {
    if (this.#waits()) {
      whenUp(this.list, () => this.told.lay(), this);
      return { ...this.#seen, isMissing: false };
    }
    this.#top = this.scroller.scrollTop;
    const [from, until] = this.sight(), seen = new Set();
    let isMissing = false;
    for (let index = from; index < until; index++) {
      const row = this.told.row(index);
      if (!row) { isMissing = true; continue }
      let key = this.told.key(row, index);
      // The same item may stand at several places.
      while (seen.has(key)) key = `${key} again`;
      seen.add(key);
      this.#put(key, row, index);
    }
    for (const [key, element] of this.shown) if (!seen.has(key)) { element.remove(); this.shown.delete(key) }
    this.#layHeads(from, until);
    // Rows stand in the document in the order that is seen, for screen readers and the keyboard, also after a drag.
    refill(this.list, [...this.shown.values(), ...this.#heads.values()].sort((one, other) => one.at - other.at));
    this.#seen = { from, until };
    return { isMissing, from, until };
  }
  #put(key, row, index) {
    let element = this.shown.get(key);
    if (!element) {
      this.shown.set(key, element = this.told.make(row));
      element.said = JSON.stringify(row);
    } else if (element.row !== row && element.said !== JSON.stringify(row)) this.#write(element, row);
    element.row = row;
    // Most rows of a list that scrolls stay where they are.
    if (element.at !== index || element.turn !== this.#turn) {
      const [column, top] = this.placeOf(index);
      mark(element, 'aria-posinset', index + 1);
      mark(element, 'aria-setsize', this.#form.total || this.#form.count);
      element.style.transform = `translate(${column * this.#across}%, ${top}px)`;
      [element.at, element.turn, element.top] = [index, this.#turn, top];
    }
    this.told.place?.(element, row, index);
  }
  #write(element, row) {
    element.said = JSON.stringify(row);
    if (this.told.change) return this.told.change(element, row);
    const fresh = this.told.make(row);
    fresh.style.transform = element.style.transform;
    become(element, fresh);
  }
  #layHeads(from, until) {
    const near = this.#sections.filter(section => section.text && section.from < until && section.until >= from);
    for (const [at, head] of this.#heads) if (!near.some(section => section.from === at)) {
      head.remove();
      this.#heads.delete(at);
    }
    for (const { from: at, text, top } of near) {
      let head = this.#heads.get(at);
      if (!head) this.#heads.set(at, head = make('li', { class: 'heading' }, make('h2', { dir: 'auto' })));
      put(head.firstChild, text);
      head.style.transform = `translateY(${top}px)`;
      head.at = at - 0.5;
    }
  }
  /** Writes the element of a row that says something else now. */
  rewrite(row) {
    const element = [...this.shown.values()].find(element => element.row === row);
    if (element) whenUp(this.list, () => {
      this.#write(element, row);
      this.told.place?.(element, row, element.at);
    }, element);
  }
  clear() {
    this.list.replaceChildren();
    this.shown.clear();
    this.#heads.clear();
  }
  /** The element of the row that stands `by` rows from this element. */
  neighbour(element, by) {
    return [...this.shown.values()].find(other => other.at === element.at + by);
  }
}
