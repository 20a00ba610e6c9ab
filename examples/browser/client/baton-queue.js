// The queue of the followed room, as far as its rows were requested.

import { subscribe } from './baton-verbs.js';

/**
 * Does one operation of the hub's to rows by place, of which some may not be known: where they were is a gap, and who is
 * known by name only is a row without `kind`. Gives back by how much the queue grew, or null when it knows no such one.
 */
export function operate(rows, [what, first, second]) {
  const place = id => rows.findIndex(row => row?.entry === id);
  // An entry that is missing among rows without a gap comes after them. With gaps its place is unknown.
  const doubt = () => { if (rows.includes(undefined)) rows.length = 0 };
  const out = ids => ids.map(entry => {
    const at = place(entry);
    if (at >= 0) return rows.splice(at, 1)[0];
    doubt();
    return { entry };
  });
  const into = (anchor, some) => {
    const at = anchor === null ? 0 : place(anchor) + 1;
    if (at || anchor === null) rows.splice(at, 0, ...some); else doubt();
  };
  switch (what) {
    case 'ins': into(first, second.map(entry => ({ entry }))); return second.length;
    case 'del': out(first); return -first.length;
    case 'mov': into(second, out(first)); return 0;
    case 'cur': return 0;
    default: return null;
  }
}

/** A copy of the hub's queue, as far as its rows were requested. Operations keep it current without further requests. */
export class QueueCopy {
  rows = []; length = 0;
  /** Revision of the queue; null: nothing is known, and the visible rows have to be requested. */
  rev = null;
  /** Takes a page, as `sub` and `queue.get` answer. A page of another revision replaces all rows. */
  take({ rev, len, from, rows }) {
    if (rev !== this.rev) Object.assign(this, { rev, rows: [] });
    this.length = len;
    if (from === undefined) this.#describe(rows); else rows.forEach((row, index) => this.rows[from + index] = row);
  }
  /** Takes a `q` message. */
  hear({ from, rev, len, ops = [], rows = [], reset }) {
    const grew = reset || from !== this.rev ? [null] : ops.map(op => operate(this.rows, op));
    if (grew.includes(null)) return Object.assign(this, { rev: null, rows: [], length: len ?? this.length });
    this.rev = rev;
    this.length += grew.reduce((sum, n) => sum + n, 0);
    this.#describe(rows);
  }
  #describe(rows) {
    for (const row of rows) {
      const at = this.rows.findIndex(old => old?.entry === row.entry);
      if (at >= 0) this.rows[at] = row;
    }
  }
}

/** The queue of the room that `hub` follows, while it is open. */
export class OpenQueue {
  copy = new QueueCopy();
  #hub; #hears = []; #window = null; #opening = null; #newest = null;
  constructor(hub) {
    this.#hub = hub;
    hub.on('q', m => this.#hear(m)).on('room', () => this.#forget()).on('live', () => {
      // A new connection begins without an open queue.
      this.#forget();
      if (this.#window) this.open(...this.#window);
    }).on('change', () => this.#readAnew());
  }
  /** `hear` is called when the rows of `copy` have changed, also after reconnecting, from `open` until `close`. */
  on(hear) { this.#hears.push(hear) }
  open(from = 0, n = 50) {
    const [start, count] = this.#window ?? [], isAsked = this.#opening && start === from && count === n;
    this.#window = [from, n];
    if (!this.#hub.live) return Promise.resolve(false);
    if (isAsked) return this.#opening;
    const rows = this.#isTold ? subscribe(this.#hub, { queue: { from, n } }) : this.#ask({ from, n });
    const opening = this.#opening = this.#page(rows)
      .finally(() => { if (this.#opening === opening) this.#opening = null });
    return opening;
  }
  close() {
    if (!this.#window) return;
    this.#window = null;
    this.#forget();
    if (this.#hub.live && this.#isTold) subscribe(this.#hub, { queue: null });
  }
  /** Requests more rows, from a place or by their ids. */
  read(p) { return this.#page(this.#ask(p)) }
  #ask(p) { return this.#hub.press('queue.get', p, { silent: true }) }
  /** Whether the hub tells what changes in the queue. */
  get #isTold() { return this.#hub.has('history') }
  /** Of another hub the rows are read again when the queue has another revision. */
  #readAnew() {
    const { live, said } = this.#hub, rev = said.queue?.rev;
    if (!live || !this.#window || this.#isTold || !rev || [null, rev].includes(this.copy.rev) || this.#newest === rev) return;
    this.#newest = rev;
    this.open(...this.#window);
  }
  async #page(asked) {
    // Another copy is begun in another room, with another connection, and when the queue was closed.
    const { copy } = this, { ok, d } = await asked;
    if (!ok || !d || copy !== this.copy) return false;
    copy.take(d);
    this.#tell();
    return true;
  }
  #hear(m) {
    if (m.room !== this.#hub.room) return;
    this.copy.hear(m);
    this.#tell();
  }
  #tell() { for (const hear of this.#hears) hear() }
  #forget() { [this.copy, this.#opening] = [new QueueCopy(), null] }
}
