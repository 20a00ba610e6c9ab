// The queue: a tap jumps, the grip moves, the cross removes. Only visible rows have elements, so ten thousand rows are
// cheap. The rows are the hub's, which keeps them current by operations; edits of this remote that were not answered yet
// are applied on top. A refused edit disappears by itself.

import { operate, token } from './baton.js';
import { dragging } from './drag.js';
import './icons.js';
import { onMenu } from './hold.js';
import { buzz, clamp, icon, make, mark, put } from './parts.js';
import { queueRow, writeQueueRow } from './queuerow.js';
import { sourcesOf } from './sources.js';
import { VirtualList } from './virtual.js';

const page = 80;
const undoNames = { clear: 'Undo clearing', replace: 'Undo replacing', remove: 'Undo removing', move: 'Undo moving', shuffle: 'Undo shuffling' };

export class Queue {
  #hub; #say; #rows = []; #length = 0; #room = null; #edits = []; #asking = false; #open = false;
  #current = null; #drag = null; #centred = false;

  constructor(hub, say) {
    this.#hub = hub;
    this.#say = say;
    this.list = make('ol', { class: 'rows', 'aria-label': 'Queue' });
    this.scroller = make('div', { class: 'scroller' }, this.list);
    this.#count = make('p', { class: 'count' });
    this.#undo = make('button', { class: 'small', hidden: true, onclick: () => this.undo() }, 'Undo');
    this.#menu = make('button', { class: 'tool', hidden: true, id: 'queuemenu', 'aria-label': 'More for the queue', onclick: () => this.#more() }, icon('dots'));
    this.element = make('div', { class: 'queue' }, make('div', { class: 'head' }, this.#count, this.#undo, this.#menu), this.scroller);
    this.#virtual = new VirtualList(this.scroller, this.list, {
      row: index => { const row = this.#rows[this.#source(index)]; return row?.kind ? row : undefined }, key: row => row.entry,
      make: row => queueRow(hub, row), change: (element, row) => writeQueueRow(hub, element, row), place: (element, row, index) => this.#mark(element, row, index),
    });
    this.scroller.onscroll = () => this.#lay();
    this.list.onclick = event => this.#clicked(event);
    this.list.onkeydown = event => this.#key(event);
    onMenu(this.list, event => this.#openMenu(event.target.closest('li')?.row));
    new ResizeObserver(() => this.#lay()).observe(this.scroller);
    hub.on('queue', () => this.#told());
    dragging(this, {
      lift: id => { this.#drag = { id, from: this.#place(id), to: this.#place(id) }; this.#lay() },
      over: to => { if (this.#drag && to !== this.#drag.to) { this.#drag.to = clamp(to, 0, this.#length - 1); buzz(5); this.#lay() } },
      drop: () => this.#dropped(),
      cancel: () => { this.#drag = null; this.#lay() },
    });
  }
  #count; #undo; #menu; #virtual; #sources = '';
  get rowHeight() { return parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 56 }
  #place(id) { return this.#rows.findIndex(row => row?.entry === id) }

  // ---- The hub's rows, and on top of them the unanswered edits of this remote.
  draw(view) {
    const queue = view.queue;
    if (!queue) return;
    if (this.#room !== this.#hub.room) {
      [this.#room, this.#centred, this.#edits, this.#rows, this.#length] = [this.#hub.room, false, [], [], 0];
      this.#virtual.clear();
    }
    this.#current = view.entry;
    put(this.#count, queue.len === 0 ? 'The queue is empty.' : `${queue.len.toLocaleString('en')} ${queue.len === 1 ? 'entry' : 'entries'}`);
    this.#undo.hidden = !queue.undo;
    if (queue.undo) put(this.#undo, undoNames[queue.undo] ?? 'Undo');
    this.#drawSources();
    this.#told();
  }
  /** Rows name their servers and whether these can be reached, so they are written again when that has changed. */
  #drawSources() {
    const list = sourcesOf(this.#hub), said = JSON.stringify(list.map(({ name, title, state, msg }) => [name, title, state, msg]));
    this.#menu.hidden = !list.some(source => source.can?.includes('queue'));
    if (said === this.#sources) return;
    this.#sources = said;
    for (const element of this.#virtual.shown.values()) writeQueueRow(this.#hub, element, element.row);
  }
  /** What servers keep to go on with stands above the rows. */
  offer(element) { this.scroller.before(element) }
  /** The menus are loaded when they are opened. */
  async #more(open = menu => menu.openQueueMenu(this.#hub, this.#say)) {
    buzz();
    try { open(await import('./queuemenu.js')) } catch { this.#say('This part could not be loaded. Try again when the hub is running.') }
  }
  #openMenu(row) {
    if (!row) return false;
    this.#more(menu => menu.openRowMenu(this.#hub, this.#say, row, { jump: () => this.jump(row.entry), remove: () => this.remove(row.entry) }));
    return true;
  }
  opened() {
    this.#centred = false;
    this.#told();
  }
  /** A screen that shows another panel receives no rows. */
  closed() {
    this.#open = false;
    this.#hub.closeQueue();
  }
  #told() {
    const copy = this.#hub.queue, known = copy.rev !== null;
    // Until the hub has answered, the rows stay as they were.
    if (known) {
      this.#rows = copy.rows.slice();
      this.#length = this.#edits.reduce((length, edit) => length + this.#layOver(edit), copy.length);
    } else if (this.#hub.view().queue?.len === 0) [this.#rows, this.#length] = [[], 0];
    if (this.#drag && known) this.#follow();
    this.#lay();
  }
  /** The hub's rows may include the edit just before its answer arrives: then it is not applied again. */
  #layOver([what, ids, anchor]) {
    const there = id => this.#place(id) >= 0;
    return ids.every(there) && (!anchor || there(anchor)) ? operate(this.#rows, [what, ids, anchor]) : 0;
  }
  async #ask() {
    const hub = this.#hub;
    // A watch shows no queue, whatever a larger screen had open.
    if (this.#asking || !hub.live || hub.profile === 'watch') return;
    this.#asking = true;
    if (!this.#centred) this.#centre();
    const [from, end] = this.#virtual.sight(), until = this.#length ? end : page, first = Math.max(0, from - 10), n = clamp(until - first + page / 2, 1, 100);
    const blank = this.#rows.slice(from, until).filter(row => row && !row.kind).map(row => row.entry);
    const got = !this.#open || hub.queue.rev === null ? await hub.openQueue(first, n)
      : blank.length ? await hub.readQueue({ ids: blank }) : await hub.readQueue({ from: first, n });
    this.#open ||= got;
    this.#asking = false;
    if (got) this.#lay();
  }
  /** The queue changed during a drag: the drag continues with the same entry, or ends if the entry is gone. */
  #follow() {
    this.#drag.from = this.#place(this.#drag.id);
    if (this.#drag.from < 0) { this.#drag = null; this.#say('That entry is no longer in the queue.') }
  }
  #centre() {
    const index = this.#hub.view().queue?.idx;
    if (index === undefined || !this.scroller.clientHeight) return;
    this.#centred = true;
    this.#virtual.arrange({ count: this.#hub.view().queue.len, high: this.rowHeight });
    this.scroller.scrollTop = Math.max(0, (index - 1) * this.rowHeight);
  }

  // ---- Rows.
  #lay() {
    if (!this.element.isConnected) return;
    this.#virtual.arrange({ count: this.#length, high: this.rowHeight });
    const isMissing = this.#virtual.lay();
    if (isMissing || this.#hub.queue.rev === null) this.#ask();
  }
  /** The row shown at this place during a drag. */
  #source(index) {
    if (!this.#drag) return index;
    const { from, to } = this.#drag;
    if (index === to) return from;
    return from < to ? (index >= from && index < to ? index + 1 : index) : index > to && index <= from ? index - 1 : index;
  }
  #mark(element, row, index) {
    element.classList.toggle('lifted', this.#drag?.id === row.entry);
    mark(element.firstChild, 'aria-current', row.entry === this.#current ? 'true' : null);
    put(element.querySelector('.place'), row.entry === this.#current ? '▸' : `${index + 1}`);
  }
  // ---- Edits: applied at once, and dropped with the answer, when the hub's rows include them.
  async #edit(m, p, edit) {
    buzz();
    this.#edits.push(edit);
    this.#told();
    await this.#hub.press(m, p, { key: token(4), kind: 'queue' });
    this.#edits = this.#edits.filter(other => other !== edit);
    this.#told();
  }
  #clicked(event) {
    const button = event.target.closest('button'), id = button?.closest('li')?.dataset.entry;
    if (!id) return;
    if (button.dataset.do === 'remove') this.remove(id);
    else if (!button.dataset.do) this.jump(id);
  }
  jump(id) {
    buzz();
    const row = this.#rows[this.#place(id)];
    const line = { posMs: 0, atMs: this.#hub.clock.hubMs ?? 0, rate: 0 };
    this.#hub.press('jump', { entry: id },
      { kind: 'skip', guess: { entry: id, title: row?.title, artist: row?.artists?.join(', '), durationMs: row?.durMs ?? null, line } });
  }
  remove(id) {
    if (this.#place(id) >= 0) this.#edit('queue.remove', { ids: [id] }, ['del', [id]]);
  }
  move(from, to) {
    const row = this.#rows[from], others = this.#rows.slice();
    if (!row || from === to) return this.#lay();
    others.splice(from, 1);
    const anchor = to === 0 ? null : others[to - 1]?.entry;
    if (anchor === undefined) return this.#lay();
    this.#edit('queue.move', { ids: [row.entry], after: anchor, else: 'end' }, ['mov', [row.entry], anchor]);
  }
  #dropped() {
    const drag = this.#drag;
    this.#drag = null;
    if (drag) this.move(drag.from, drag.to);
  }
  undo() {
    buzz();
    this.#hub.press('queue.undo', {}, { key: token(4), kind: 'queue' });
  }
  /** Arrows lead from row to row, on the grip or with Alt they move it; Delete removes it. */
  #key(event) {
    const d = { ArrowUp: -1, ArrowDown: 1 }[event.key], item = event.target.closest('li'), isGrip = event.target.closest('[data-do=move]');
    if (!item || !d && event.key !== 'Delete') return;
    event.preventDefault();
    event.stopPropagation();
    const { entry } = item.row, sign = event.target.closest('button').dataset.do, from = this.#place(entry);
    const hold = element => element?.querySelector(sign ? `[data-do=${sign}]` : '.row')?.focus();
    if (!d) {
      const next = this.#virtual.neighbour(item, 1) ?? this.#virtual.neighbour(item, -1);
      this.remove(entry);
      hold(next);
    } else if (event.altKey || isGrip) {
      this.move(from, clamp(from + d, 0, this.#length - 1));
      hold(this.#virtual.shown.get(entry));
    } else hold(this.#virtual.neighbour(item, d));
  }
}
