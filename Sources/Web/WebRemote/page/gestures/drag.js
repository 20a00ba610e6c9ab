// Moves a row by its grip: to another place of its list, which scrolls when the finger is near an edge, or onto another
// element.

import { buzz, clamp } from '../parts/parts.js';

/** `told` has lift(item), which tells whether it may be carried, over(event), drop() and cancel(). */
function carrying(list, told) {
  let isCarried = false;
  const end = how => {
    if (!isCarried) return;
    isCarried = false;
    told[how]();
  };
  list.addEventListener('pointerdown', event => {
    const grip = event.target.closest('[data-do=move]');
    if (!grip || event.button || !told.lift(grip.closest('li'), event)) return;
    isCarried = true;
    // The row under the finger may be redrawn during the drag; the list is not.
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener('pointermove', event => { if (isCarried) told.over(event) });
  list.addEventListener('pointerup', () => end('drop'));
  list.addEventListener('pointercancel', () => end('cancel'));
  list.addEventListener('lostpointercapture', () => end('cancel'));
  addEventListener('keydown', event => { if (event.key === 'Escape') end('cancel') });
}

/**
 * Moves the rows of a list to other places of it. `list` has `list`, `scroller` and `virtual`; `told` has at(id), the
 * place of a row, length(), lay(), which draws the rows, and move(from, to), which is called when a row was dropped.
 */
export class RowDrag {
  #list; #told; #carried = null; #y = 0; #timer = 0;
  constructor(list, told) {
    [this.#list, this.#told] = [list, told];
    carrying(list.list, {
      lift: (item, event) => this.#lift(item.dataset.entry, event.clientY),
      over: event => { this.#y = event.clientY; this.#over() },
      drop: () => this.#end(({ from, to }) => told.move(from, to)), cancel: () => this.#end(() => told.lay()),
    });
  }
  /** Rows without a name, such as those of shelves, cannot be carried. */
  isLifted(id) { return !!this.#carried && this.#carried.id === id }
  /** The row that is shown at this place while one is carried. */
  source(index) {
    if (!this.#carried) return index;
    const { from, to } = this.#carried;
    if (index === to) return from;
    return from < to ? (index >= from && index < to ? index + 1 : index) : index > to && index <= from ? index - 1
      : index;
  }
  /** The list has changed: the drag goes on with the same row. False if that row is gone. */
  follow() {
    if (!this.#carried) return true;
    this.#carried.from = this.#told.at(this.#carried.id);
    if (this.#carried.from >= 0) return true;
    this.#carried = null;
    this.#list.virtual.isCarrying = false;
    return false;
  }
  #lift(id, y) {
    const from = this.#told.at(id);
    if (from < 0) return false;
    [this.#carried, this.#y, this.#timer] = [{ id, from, to: from }, y, setInterval(() => this.#creep(), 33)];
    this.#list.virtual.isCarrying = true;
    this.#told.lay();
    return true;
  }
  #over() {
    const { list, virtual } = this.#list, place = virtual.indexAt(this.#y - list.getBoundingClientRect().top);
    const to = clamp(place, 0, this.#told.length() - 1);
    if (!this.#carried || to === this.#carried.to) return;
    this.#carried.to = to;
    buzz(5);
    this.#told.lay();
  }
  /** Scrolls the list while the finger is near an edge of it. */
  #creep() {
    const { scroller } = this.#list, box = scroller.getBoundingClientRect(), edge = 36, y = this.#y;
    const push = y < box.top + edge ? y - box.top - edge : y > box.bottom - edge ? y - box.bottom + edge : 0;
    if (!push) return;
    scroller.scrollTop += push / 3;
    this.#over();
  }
  #end(act) {
    const carried = this.#carried;
    clearInterval(this.#timer);
    this.#carried = null;
    this.#list.virtual.isCarrying = false;
    if (carried) act(carried);
  }
}

/**
 * A row is dropped onto another one. `name` is the data attribute that names both; `told` has drop(from, onto), and
 * tap(from) for a grip that was only pressed.
 */
export function droppingOnto(list, name, told) {
  let from = null, onto = null, hasMoved = false, begin = null;
  const show = id => {
    onto = id;
    for (const item of list.children) item.classList.toggle('target', id !== null && item.dataset[name] === id);
    list.classList.toggle('carrying', from !== null && hasMoved);
  };
  const end = act => {
    const [one, other] = [from, onto];
    from = null;
    show(null);
    act(one, other);
  };
  carrying(list, {
    lift: (item, event) => {
      [from, onto, hasMoved, begin] = [item.dataset[name], null, false, [event.clientX, event.clientY]];
      return true;
    },
    over: event => {
      hasMoved ||= Math.hypot(event.clientX - begin[0], event.clientY - begin[1]) > 8;
      const id = document.elementFromPoint(event.clientX, event.clientY)?.closest('li')?.dataset[name] ?? null;
      show(hasMoved && id !== from ? id : null);
    },
    drop: () => end((one, other) => { if (other !== null) told.drop(one, other); else if (!hasMoved) told.tap(one) }),
    cancel: () => end(() => { }),
  });
}
