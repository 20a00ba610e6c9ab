// The queue: a tap jumps, the grip moves, the cross removes. Only visible rows have elements, so ten thousand rows are
// cheap. The rows are the hub's, which keeps them current by operations; edits of this remote that were not answered
// yet are applied on top. A refused edit disappears by itself.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { OpenQueue } from '../../../../../examples/browser/client/baton-queue.js';
import { RowDrag } from '../gestures/drag.js';
import { OpenEdits } from './openedits.js';
import '../looks/icons.js';
import { isHeld, whenUp } from '../gestures/finger.js';
import { onMenu } from '../gestures/hold.js';
import { buzz, clamp, make, mark, put } from '../parts/parts.js';
import { QueueHead, queueHeadings } from './queuehead.js';
import { rowKeys } from './queuekeys.js';
import { queueRow, writeQueueRow } from './queuerow.js';
import { sourcesOf } from '../servers/sources.js';
import { swipeToRemove } from '../gestures/swiperow.js';
import { t } from '../shell/translate.js';
import { offerUndo } from '../parts/undo.js';
import { VirtualList } from '../parts/virtual.js';

const page = 80, most = 100;

export class Queue {
  #hub; #say; #rows = []; #length = 0; #room = null; #edits = new OpenEdits(); #asking = false; #open = false;
  #current = null; #drag; #centred = false;
  static open({ hub, say }) { return new Queue(hub, say) }
  constructor(hub, say) {
    [this.#hub, this.#say, this.#kept] = [hub, say, new OpenQueue(hub)];
    this.list = make('ol', { class: 'rows', 'aria-label': t('queue.name') });
    this.scroller = make('div', { class: 'scroller' }, this.list);
    this.#head = new QueueHead({ undo: () => this.undo(), more: () => this.#more() });
    this.element = make('div', { class: 'queue' }, this.#head.element, this.scroller);
    this.virtual = new VirtualList(this.scroller, this.list, {
      row: index => { const row = this.#rows[this.#drag.source(index)]; return row?.kind ? row : undefined },
        key: row => row.entry,
      make: row => queueRow(hub, row), change: (element, row) => writeQueueRow(hub, element, row),
        place: (element, row, index) => this.#mark(element, row, index), lay: () => this.#lay(),
    });
    this.scroller.onscroll = () => this.#lay();
    this.list.onclick = event => this.#clicked(event);
    onMenu(this.list, event => this.#openMenu(event.target.closest('li')?.row));
    swipeToRemove(this.list, row => this.#swiped(row));
    new ResizeObserver(() => this.#lay()).observe(this.scroller);
    this.#kept.on(() => this.#told());
    const places = { at: id => this.#place(id), length: () => this.#length, lay: () => this.#lay(),
      move: (from, to) => this.move(from, to) };
    this.#drag = new RowDrag(this, places);
    this.list.onkeydown = rowKeys(this, places);
  }
  #head; #kept; #sources = '';
  get rowHeight() { return parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 56 }
  #place(id) { return this.#rows.findIndex(row => row?.entry === id) }
  // ---- The hub's rows, and on top of them the unanswered edits of this remote.
  draw(view) {
    const queue = view.queue;
    if (!queue) return;
    if (this.#room !== this.#hub.room) {
      [this.#room, this.#centred, this.#rows, this.#length] = [this.#hub.room, false, [], 0];
      this.#edits.clear();
      this.virtual.clear();
    }
    this.#current = view.entry;
    this.#drawStates();
    this.#told();
  }
  /** Rows say how servers are and how far a piece in the making is, and are written again when that has changed. */
  #drawStates() {
    const list = sourcesOf(this.#hub), servers = list.map(({ name, title, state, msg }) => [name, title, state, msg]),
      said = JSON.stringify([servers, this.#hub.said.jobs]);
    if (said === this.#sources) return;
    this.#sources = said;
    for (const element of this.virtual.shown.values()) writeQueueRow(this.#hub, element, element.row);
  }
  /** What servers keep to go on with stands above the rows. */
  offer(element) { this.scroller.before(element) }
  /** The menus are loaded when they are opened. */
  async #more(open = menu => menu.openQueueMenu(this.#hub, this.#say)) {
    buzz();
    try { open(await import('./queuemenu.js')) } catch { this.#say(t('part.missing')) }
  }
  #openMenu(row) {
    if (!row) return false;
    this.#more(menu => menu.openRowMenu(this.#hub, this.#say, row,
      { jump: () => this.jump(row.entry), remove: () => this.remove(row.entry) }));
    return true;
  }
  opened() { this.#centred = false; this.#told() }
  /** A screen that shows another panel receives no rows. */
  closed() {
    this.#open = false;
    this.#kept.close();
  }
  #told() {
    const { copy } = this.#kept, known = copy.rev !== null;
    // Until the hub has answered, the rows stay as they were.
    if (known) {
      this.#rows = copy.rows.slice();
      this.#length = copy.length + this.#edits.layOver(this.#rows);
    } else if (this.#hub.view().queue?.len === 0) [this.#rows, this.#length] = [[], 0];
    if (known && !this.#drag.follow()) this.#say(t('queue.entryGone'));
    const { queue } = this.#hub.view(), head = this.#head;
    if (queue) whenUp(head.element, () => head.draw(queue, this.#rows), head);
    this.#lay();
  }
  async #ask() {
    const hub = this.#hub, { copy } = this.#kept;
    // A watch shows no queue, whatever a larger screen had open, and a screen that shows another panel none, either.
    if (this.#asking || !hub.live || hub.viewName === 'watch' || !this.scroller.clientHeight) return;
    this.#asking = true;
    if (!this.#centred) this.#centre();
    // A short queue is read as a whole, so that its length is known. The hub gives fewer rows where texts are long.
    const isShort = (hub.view().queue?.len ?? 0) <= most, [from, end] = this.virtual.sight(),
      until = this.#length ? end : page;
    let first = isShort ? 0 : Math.max(0, from - 10);
    while (copy.rows[first]) first++;
    const n = isShort ? most : clamp(until - first + page / 2, 1, most);
    const blank = this.#rows.slice(from, until).filter(row => row && !row.kind).map(row => row.entry);
    const got = !this.#open || this.#kept.copy.rev === null ? await this.#kept.open(first, n)
      : blank.length ? await this.#kept.read({ ids: blank }) : await this.#kept.read({ from: first, n });
    this.#open ||= got;
    this.#asking = false;
    // Another room was chosen meanwhile, or the queue was closed and opened.
    if (got || copy !== this.#kept.copy) this.#lay();
  }
  #centre() {
    const index = this.#hub.view().queue?.idx;
    if (index === undefined || !this.scroller.clientHeight) return;
    this.#centred = true;
    // Whoever presses a row has found it.
    if (isHeld(this.list)) return;
    this.virtual.arrange({ count: this.#hub.view().queue.len, high: this.rowHeight, breaks: this.#breaks });
    this.scroller.scrollTop = index > 0 ? Math.max(0, this.virtual.placeOf(index)[1] - 3 * this.rowHeight) : 0;
  }
  // ---- Rows.
  #lay() {
    if (!this.element.isConnected) return;
    this.virtual.arrange({ count: this.#length, high: this.rowHeight, breaks: this.#breaks });
    const { isMissing } = this.virtual.lay();
    if (isMissing || this.#kept.copy.rev === null) this.#ask();
  }
  get #breaks() { return queueHeadings(this.#rows, this.#place(this.#current), this.#length) }
  #mark(element, row, index) {
    element.classList.toggle('lifted', this.#drag.isLifted(row.entry));
    mark(element.firstChild, 'aria-current', row.entry === this.#current ? 'true' : null);
    put(element.querySelector('.place'), row.entry === this.#current ? '▸' : `${index + 1}`);
  }
  // ---- Edits: applied at once, and dropped with the answer, when the hub's rows include them.
  async #edit(m, p, edit) {
    buzz();
    const answer = this.#hub.press(m, p, { key: token(4), kind: 'queue' }), held = this.#edits.hold(edit, answer);
    this.#told();
    await held;
    this.#told();
    return answer;
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
      { kind: 'skip', guess: { entry: id, title: row?.title, artist: row?.artists?.join(', '),
        durationMs: row?.durMs ?? null, line } });
  }
  remove(id) {
    return this.#place(id) < 0 ? null : this.#edit('queue.remove', { ids: [id] }, ['del', [id]]);
  }
  /** The hub undoes the last edit of a queue, so another one that has followed is not taken for this one. */
  async #swiped(row) {
    const hub = this.#hub, { room } = hub, answer = await this.remove(row.entry);
    if (answer?.ok) offerUndo(t('queue.removed', { title: row.title ?? t('item.untitled') }), () => {
      if (room !== hub.room || hub.view().queue?.undo === 'remove') this.undo(room);
      else this.#say(t('queue.changedSince'));
    });
  }
  move(from, to) {
    const row = this.#rows[from], others = this.#rows.slice();
    if (!row || from === to) return this.#lay();
    others.splice(from, 1);
    const anchor = to === 0 ? null : others[to - 1]?.entry;
    if (anchor === undefined) return this.#lay();
    this.#edit('queue.move', { ids: [row.entry], after: anchor, else: 'end' }, ['mov', [row.entry], anchor]);
  }
  undo(room = this.#hub.room) {
    buzz();
    this.#hub.press('queue.undo', {}, { key: token(4), kind: 'queue', room });
  }
}
