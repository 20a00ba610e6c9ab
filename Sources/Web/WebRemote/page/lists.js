// Playlists, and the lists that the hub makes from history and favourites. An open playlist is edited like the queue: by
// anchored operations that are shown at once; when another remote changed it first, the rows are requested again.

import { items, operate } from './baton.js';
import { dragging } from './drag.js';
import { field, twice } from './forms.js';
import { Acts, itemRow, many, titleOf } from './items.js';
import { ListCovers } from './listcovers.js';
import { makeList } from './newlist.js';
import { buzz, clamp, icon, make, mark, put, spell } from './parts.js';
import { coverWidth, gridForm, prefersList } from './rowforms.js';
import * as atServers from './serverlists.js';
import { styled } from './sheet.js';
import { Shelves } from './shelves.js';
import { tile } from './tile.js';
import { place } from './trail.js';

const fixed = [
  { uri: items.shelf('favourites'), kind: 'shelf', title: 'Favourites' }, { uri: items.shelf('recent'), kind: 'shelf', title: 'Recently played' },
  { uri: items.shelf('most'), kind: 'shelf', title: 'Most played' }, { uri: items.shelf('added'), kind: 'shelf', title: 'Recently added' },
];
const rowsAtOnce = 80;
const undoNames = { clear: 'Undo clearing', remove: 'Undo removing', move: 'Undo moving', add: 'Undo adding' };

/** A playlist as an item, so that both use the same row. */
const asItem = list => ({ ...list, uri: items.list(list.id), kind: 'playlist', title: list.name });

export class Lists extends Shelves {
  #rev = null; #drag = null; #reading = false; #fresh; #count; #undo; #menu; #covers = new ListCovers(this.hub, row => this.rewrite(row));
  static async open(hub, say) {
    await styled;
    return new Lists(hub, say);
  }
  constructor(hub, say) {
    super(hub, say, new Acts(hub, say), 'Lists');
    this.#fresh = make('button', { class: 'small', id: 'newlist', onclick: () => makeList(this.hub, this.say, this.acts, () => this.renew()) }, 'New list');
    this.#count = make('p', { class: 'count', hidden: true });
    this.#undo = make('button', { class: 'small', hidden: true, 'data-do': 'undo', onclick: () => this.#edit({ undo: 1 }) }, 'Undo');
    this.#menu = make('button', { class: 'tool', hidden: true, 'data-do': 'list', onclick: () => this.#more() }, icon('dots'));
    this.head.append(this.#fresh, this.#count, this.#undo, this.#menu);
    dragging(this, {
      lift: id => { const from = this.#at(id); this.#drag = { id, from, to: from }; this.lay() },
      over: to => { if (this.#drag && to !== this.#drag.to) { this.#drag.to = clamp(to, 0, this.here.length - 1); buzz(5); this.lay() } },
      drop: () => { const drag = this.#drag; this.#drag = null; if (drag) this.#move(drag.from, drag.to) },
      cancel: () => { this.#drag = null; this.lay() },
    });
    this.list.addEventListener('keydown', event => this.#carry(event));
  }
  get #isAtServer() { return atServers.isEditable(this.here) }
  get #isMine() { return this.#isAtServer || this.here.kind === 'list' && !this.here.node.smart }
  #at(entry) { return this.here.rows.findIndex(row => row?.entry === entry) }

  // ---- Content.
  request(here) {
    if (here.kind === 'home') return ['pl.list', here.cursor ? { from: Number(here.cursor) } : {}];
    return here.kind === 'list' ? ['pl.get', { id: here.id, from: 0, n: rowsAtOnce }] : super.request(here);
  }
  take(here, d) {
    if (here.kind === 'list') return this.#takeList(here, d);
    if (here.kind !== 'home') { super.take(here, d); return atServers.taken(here, d) }
    if (!here.rows.length) here.first = [...fixed, ...atServers.listShelves(this.hub)];
    here.rows = [...here.rows.length ? here.rows : here.first, ...d.rows.map(asItem)];
    here.length = here.rows.length;
    here.cursor = d.rows.length === 100 ? `${here.length - here.first.length}` : null;
  }
  #takeList(here, { list, from, rows }) {
    // Unchanged rows keep their objects, because a drag or the focus may be on them.
    const old = new Map(here.rows.filter(row => row?.entry).map(row => [row.entry, row]));
    if (list.rev !== here.node.rev || list.n !== here.length) here.rows = [];
    Object.assign(here, { node: asItem(list), title: list.name, length: list.n });
    rows.forEach((row, index) => {
      // Entries of a smart playlist have no ids.
      const fresh = { ...row, entry: list.smart ? undefined : row.e }, known = old.get(fresh.entry);
      here.rows[from + index] = known && JSON.stringify(known) === JSON.stringify(fresh) ? known : fresh;
    });
  }
  placeOf({ list, ...wanted }) { return list ? place({ kind: 'list', title: '', id: list, node: asItem({ id: list, name: '' }) }) : super.placeOf(wanted) }
  open(row) {
    // A server's playlist is a place of that server.
    if (row.kind !== 'playlist' || items.list(items.listOf(row.uri)) !== row.uri) return super.open(row);
    this.go(place({ kind: 'list', title: titleOf(row), id: items.listOf(row.uri), node: row }));
  }
  /** Requests only the visible part of a long playlist. */
  async missing(from, until) {
    const { here } = this;
    if (this.#reading || here.kind !== 'list' || !this.hub.live) return;
    this.#reading = true;
    const d = await this.hub.ask('pl.get', { id: here.id, from: Math.max(0, from - 10), n: clamp(until - from + 40, 1, 100) });
    this.#reading = false;
    if (!d || here !== this.here) return;
    const isSame = d.list.rev === here.node.rev;
    this.#takeList(here, d);
    if (isSame) this.lay(); else this.show();
  }
  draw(view) {
    const { pl } = this.hub.said;
    if (pl && pl.rev !== this.#rev && this.isOpen && this.hub.live) {
      const isFirst = this.#rev === null;
      this.#rev = pl.rev;
      if (!isFirst && ['home', 'list'].includes(this.here.kind)) this.#look();
    }
    super.draw(view);
  }
  /** Some playlist has changed: the visible rows are requested, and redrawn if it was this one. */
  async #look() {
    const { here } = this;
    if (here.kind === 'home') return this.renew();
    const d = await this.hub.ask('pl.get', { id: here.id, from: this.virtual.sight()[0], n: rowsAtOnce });
    if (here !== this.here) return;
    if (!d) { here.isKnown = false; return this.ask(true) }
    if (d.list.rev === here.node.rev && d.list.name === here.title) return;
    this.#takeList(here, d);
    this.show();
  }
  emptyWords(here) { return here.kind === 'list' ? 'This list is empty. Add tracks from the library.' : super.emptyWords(here) }

  show() {
    super.show();
    const { here } = this, isList = here.kind === 'list', { node } = here;
    this.#fresh.hidden = isList;
    this.#count.hidden = !isList;
    this.#menu.hidden = !isList && !this.#isAtServer;
    this.#undo.hidden = !isList || !node.undo;
    mark(this.#menu, 'aria-label', `More for ${here.title}`);
    if (!isList) return;
    put(this.#count, [many(here.length, 'track'), node.durMs ? spell(node.durMs) : null, node.smart ? 'fills itself' : null].filter(Boolean).join(' · '));
    put(this.#undo, undoNames[node.undo] ?? 'Undo');
  }
  doings(here) { return here.kind === 'list' && !here.length ? [] : super.doings(here) }
  #more() {
    buzz();
    this.acts.sheet(this.here.title, this.acts.line('Rename…', 'lists', () => this.#rename()),
      twice('Delete', 'Tap again to delete the list', () => { this.acts.close(); this.#delete() }));
  }

  // ---- Rows of a playlist have grips; the row that is moved follows the finger.
  rowAt(index) {
    if (!this.#drag) return this.here.rows[index];
    const { from, to } = this.#drag;
    const at = index === to ? from : from < to ? (index >= from && index < to ? index + 1 : index) : index > to && index <= from ? index - 1 : index;
    return this.here.rows[at];
  }
  /** All lists stand in a grid, each with four of its covers. */
  #isGrid(here) { return here.kind === 'home' && !prefersList() }
  form(here) {
    const form = super.form(here), asGrid = this.#isGrid(here);
    this.list.classList.toggle('grid', asGrid || this.list.classList.contains('grid'));
    return asGrid ? { ...form, ...gridForm(this.scroller.clientWidth) } : form;
  }
  make(row, here) {
    if (this.#isGrid(here)) return tile(this.hub, row, { width: coverWidth(this.scroller.clientWidth), arts: this.#covers.of(row) });
    if (this.#isAtServer) return atServers.rowOf(this.hub, row);
    return this.#isMine ? itemRow(this.hub, row, { tools: ['remove', 'more', 'move'] }) : super.make(row, here);
  }
  decorate(element, row) { element.classList.toggle('lifted', !!this.#drag && this.#drag.id === row.entry) }
  did(what, row) {
    if (what === 'remove') return this.#remove(row);
    if (what === 'more' && this.#isMine) return this.acts.more(row, ['Remove from this list', 'x', () => this.#remove(row)]);
    super.did(what, row);
  }
  #carry(event) {
    const d = { ArrowUp: -1, ArrowDown: 1 }[event.key], button = event.target.closest('[data-do=move]'), item = event.target.closest('li');
    if (event.key === 'Delete' && item?.row.entry && this.#isMine) return this.#remove(item.row);
    if (!d || !button && !(event.altKey && this.#isMine && item)) return;
    event.preventDefault();
    event.stopPropagation();
    const from = this.#at(item.row.entry);
    this.#move(from, clamp(from + d, 0, this.here.length - 1));
    this.virtual.shown.get(item.row.entry)?.querySelector(`[data-do=${event.target.dataset.do}]`)?.focus();
  }

  // ---- Edits.
  #remove(row) {
    const at = this.#at(row.entry);
    if (at >= 0) this.#edit(this.#isAtServer ? { removeAt: [at] } : { remove: [row.entry] }, ['del', [row.entry]]);
  }
  #move(from, to) {
    const { rows } = this.here, row = rows[from], others = rows.filter((_, index) => index !== from);
    const anchor = to === 0 ? null : others[to - 1]?.entry;
    if (!row || from === to || anchor === undefined) return this.lay();
    this.#edit(this.#isAtServer ? { moveAt: from, to } : { move: [row.entry], after: anchor, else: 'end' }, ['mov', [row.entry], anchor]);
  }
  /** Shown at once; the answer brings the new revision of the list, or its actual rows. */
  async #edit(op, shown) {
    const { here } = this;
    if (shown) {
      here.length += operate(here.rows, shown) ?? 0;
      this.lay();
    }
    const res = await this.acts.press(...atServers.isEditable(here) ? atServers.edit(here, op) : ['pl.edit', { id: here.id, ops: [op] }]);
    if (here !== this.here) { here.isKnown = false; return }
    if (here.kind === 'browse') {
      if (res.ok && op.name) here.title = op.name;
      // An edit of another state was refused: what is there now is shown.
      return this.renew();
    }
    if (!res.ok) here.node.rev = null;
    this.#look();
  }
  #rename() {
    const { here } = this, name = make('input', { maxlength: 64, value: here.title, autocomplete: 'off' });
    const rename = async event => {
      event.preventDefault();
      if (!name.value.trim()) return this.say('A list needs a name.');
      this.acts.close();
      await this.#edit({ name: name.value.trim() });
    };
    this.acts.sheet('Rename the list', make('form', { class: 'pair', onsubmit: rename }, field('Name', name), make('button', { class: 'small' }, 'Rename')));
    name.select();
  }
  async #delete() {
    const { here } = this, res = await this.acts.press(...this.#isAtServer ? atServers.remove(here) : ['pl.delete', { id: here.id }]);
    if (!res.ok) return;
    this.say(`“${here.title}” was deleted.`, 3000);
    if (here !== this.here) return;
    for (const step of this.places) step.isKnown = false;
    this.goBack();
  }
}
