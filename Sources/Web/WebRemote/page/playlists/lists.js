// Playlists, and the lists that the hub makes from history and favourites. An open playlist is edited like the queue:
// by anchored operations that are shown at once; when another remote changed it first, the rows are requested again.

import { Acts } from '../items/acts.js';
import { operate } from '../../../../../examples/browser/client/baton-queue.js';
import { RowDrag } from '../gestures/drag.js';
import { field, needed, sent, twice } from '../parts/forms.js';
import { itemRow } from '../items/items.js';
import { ListContent } from './listcontent.js';
import { ListCovers } from './listcovers.js';
import { ownUser } from '../settings/me.js';
import { makeList } from './newlist.js';
import { buzz, clamp, icon, make, mark, put, spell } from '../parts/parts.js';
import { coverWidth, gridForm, prefersList } from '../items/rowforms.js';
import * as atServers from '../servers/serverlists.js';
import { openLine, styled } from '../parts/sheet.js';
import { tile } from '../items/tile.js';
import { t } from '../shell/translate.js';
import { offerUndo } from '../parts/undo.js';

const undone = ['clear', 'remove', 'move', 'add'];

export class Lists extends ListContent {
  #drag; #fresh; #count; #undo; #menu; #covers = new ListCovers(this.hub, row => this.rewrite(row));
  static async open({ hub, say }) {
    await styled();
    return new Lists(hub, say);
  }
  constructor(hub, say) {
    super(hub, say, new Acts(hub, say), t('lists.name'));
    this.#fresh = make('button', { class: 'small', id: 'newlist', 'data-needs': 'remote',
      onclick: () => makeList(this.hub, this.say, this.acts, { made: () => this.renew() }) }, t('list.new'));
    this.#count = make('p', { class: 'count', hidden: true });
    this.#undo = make('button', { class: 'small', hidden: true, 'data-do': 'undo', 'data-needs': 'remote',
      onclick: () => this.#edit({ undo: 1 }) }, t('undo'));
    this.#menu = make('button', { class: 'tool', hidden: true, 'data-do': 'list', 'data-needs': 'remote',
      onclick: () => this.#more() }, icon('dots'));
    this.head.append(this.#fresh, this.#count, this.#undo, this.#menu);
    this.#drag = new RowDrag(this, {
      at: id => this.#at(id), length: () => this.here.length, lay: () => this.lay(),
        move: (from, to) => this.#move(from, to),
    });
    this.list.addEventListener('keydown', event => this.#carry(event));
  }
  get #isAtServer() { return atServers.isEditable(this.here) }
  get #isMine() { return this.#isAtServer || this.here.kind === 'list' && !this.here.node.smart
    && !this.here.isOfAnother }
  #at(entry) { return this.here.rows.findIndex(row => row?.entry === entry) }

  emptyWords(here) { return here.kind === 'list' ? t('list.empty') : super.emptyWords(here) }

  show() {
    super.show();
    const { here } = this, isList = here.kind === 'list', { node } = here;
    this.#fresh.hidden = isList;
    this.#count.hidden = !isList;
    // Whose list it is decides what the menu offers, so it waits for the answer.
    this.#menu.hidden = !isList && !this.#isAtServer || here.isOfAnother || !here.isKnown;
    this.#undo.hidden = !isList || !node.undo || here.isOfAnother;
    mark(this.#menu, 'aria-label', t('item.more', { title: here.title }));
    if (!isList) return;
    put(this.#count, [t('count.tracks', { n: here.length }), node.durMs ? spell(node.durMs) : null,
      node.smart ? t('list.fillsItself') : null,
      here.isOfAnother ? t('list.of', { name: node.by }) : null].filter(Boolean).join(' · '));
    put(this.#undo, t(undone.includes(node.undo) ? `undo.${node.undo}` : 'undo'));
  }
  /** What a link opens is reached by this page alone, so its rows play one by one. */
  doings(here) { return here.kind === 'list' && (!here.length || here.link) ? [] : super.doings(here) }
  async #more() {
    buzz();
    const { here } = this, me = here.kind === 'list' ? await ownUser(this.hub) : null;
    // The menu of a list that a person has left is not shown over another one.
    if (here !== this.here || !this.element.isConnected) return;
    const isOwn = !!me?.user && (here.node.by ? here.node.by === me.user : me.role === 'admin');
    this.acts.sheet(here.title, isOwn
      ? openLine(t('share.name'), 'people', () => this.#share(here), { 'data-do': 'share' }) : null,
      this.acts.line(t('list.rename'), 'pen', () => this.#rename(here)),
      twice(t('list.delete'), t('list.deleteSure'), () => { this.acts.close(); this.#delete(here) }));
  }

  async #share(here) {
    const { openSharing } = await import('./sharing.js');
    openSharing(this, { ...here.node, id: here.id, name: here.title },
      share => { here.node.share = share; this.look() });
  }

  // ---- Rows of a playlist have grips; the row that is moved follows the finger.
  rowAt(index) { return this.here.rows[this.#drag?.source(index) ?? index] }
  /** All lists stand in a grid, each with four of its covers. */
  #isGrid(here) { return here.kind === 'home' && !prefersList() }
  form(here) {
    const form = super.form(here), asGrid = this.#isGrid(here);
    this.list.classList.toggle('grid', asGrid || this.list.classList.contains('grid'));
    return asGrid ? { ...form, ...gridForm(this.width) } : form;
  }
  make(row, here) {
    if (this.#isGrid(here)) return tile(this.hub, row,
      { width: coverWidth(this.width), arts: this.#covers.of(row) });
    if (this.#isAtServer) return atServers.rowOf(this.hub, row);
    return this.#isMine ? itemRow(this.hub, row, { tools: ['remove', 'more', 'move'] }) : super.make(row, here);
  }
  decorate(element, row) { element.classList.toggle('lifted', this.#drag.isLifted(row.entry)) }
  did(what, row) {
    if (what === 'remove') return this.#remove(row);
    if (what === 'more' && this.#isMine) return this.acts.more(row,
      [t('list.removeRow'), 'x', () => this.#remove(row)]);
    super.did(what, row);
  }
  #carry(event) {
    const d = { ArrowUp: -1, ArrowDown: 1 }[event.key], button = event.target.closest('[data-do=move]'),
      item = event.target.closest('li');
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
    this.#edit(this.#isAtServer ? { moveAt: from, to } : { move: [row.entry], after: anchor, else: 'end' },
      ['mov', [row.entry], anchor]);
  }
  /** Shown at once; the answer brings the new revision of the list, or its actual rows. */
  async #edit(op, shown = null, here = this.here) {
    if (shown) {
      here.length += operate(here.rows, shown) ?? 0;
      this.lay();
    }
    const res = await this.acts.press(...atServers.isEditable(here) ? atServers.edit(here, op)
      : ['pl.edit', { id: here.id, ops: [op] }]);
    if (here !== this.here) {
      here.isKnown = false;
    } else if (here.kind === 'browse') {
      if (res.ok && op.name) here.title = op.name;
      // An edit of another state was refused: what is there now is shown.
      this.renew();
    } else {
      if (!res.ok) here.node.rev = null;
      this.look();
    }
    return res;
  }
  #rename(here) {
    const name = make('input', { maxlength: 64, value: here.title, autocomplete: 'off',
      ...needed(t('list.needsName')) });
    const rename = event => {
      event.preventDefault();
      return sent(form, name, () => this.#edit({ name: name.value.trim() }, null, here));
    };
    const form = make('form', { class: 'pair', onsubmit: rename }, field(t('name'), name),
      make('button', { class: 'small' }, t('rename')));
    this.acts.sheet(t('list.renameTitle'), form);
    name.select();
  }
  async #delete(here) {
    const isAtServer = atServers.isEditable(here);
    const res = await this.acts.press(...isAtServer ? atServers.remove(here) : ['pl.delete', { id: here.id }]);
    if (!res.ok) return;
    // The hub keeps its own lists for an undo; those of servers are gone.
    if (isAtServer) this.say(t('undo.listDeleted', { name: here.title }), 3000);
    else offerUndo(t('undo.listDeleted', { name: here.title }), () => this.#restore(here));
    if (here !== this.here) return;
    for (const step of this.places) step.isKnown = false;
    this.goBack();
  }
  async #restore({ id, title }) {
    if (!(await this.acts.press('pl.restore', { id })).ok) return;
    this.say(t('undo.listRestored', { name: title }), 3000);
    if (this.here.kind === 'home') this.renew();
  }
}
