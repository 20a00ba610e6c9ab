// What there is of playlists: all of them, with the lists that the hub makes from history and favourites and those of
// servers, and the rows of one, which are requested as far as they are in sight.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { whenUp } from '../gestures/finger.js';
import { titleOf } from '../items/items.js';
import { keptItems } from '../library/keep.js';
import { asItem } from './liststrip.js';
import { ownUser } from '../settings/me.js';
import { clamp } from '../parts/parts.js';
import * as atServers from '../servers/serverlists.js';
import { Shelves } from '../library/shelves.js';
import { place } from '../parts/trail.js';
import { t } from '../shell/translate.js';

const fixed = ['favourites', 'recent', 'most', 'added']
  .map(name => ({ uri: items.shelf(name), kind: 'shelf', title: t(`shelf.${name}`) }));
const rowsAtOnce = 80;

/** What asks for rows of a list, also for one that a user shares by a link. */
const rowsOf = ({ id, link }, from, n) => ['pl.get', { id, from, n, ...link ? { link } : {} }];

/** `Lists` adds how they are edited. */
export class ListContent extends Shelves {
  #rev = null; #keep; #reading = false;
  request(here) {
    if (here.kind === 'home') return ['pl.list', here.cursor ? { from: Number(here.cursor) } : {}];
    return here.kind === 'list' ? rowsOf(here, 0, rowsAtOnce) : super.request(here);
  }
  take(here, d, from) {
    if (here.kind === 'list') return this.#takeList(here, d);
    if (here.kind !== 'home') { super.take(here, d, from); return atServers.taken(here, d) }
    if (!here.rows.length) here.first = [...fixed, ...atServers.listShelves(this.hub)];
    here.rows = [...here.rows.length ? here.rows : here.first, ...d.rows.map(asItem)];
    here.length = here.rows.length;
    if (this.hub.said.keep) this.#markKept();
    here.cursor = d.rows.length === 100 ? `${here.length - here.first.length}` : null;
  }
  #takeList(here, { list, from, rows }) {
    // Unchanged rows keep their objects, because a drag or the focus may be on them.
    const old = new Map(here.rows.filter(row => row?.entry).map(row => [row.entry, row]));
    if (list.rev !== here.node.rev || list.n !== here.length) here.rows = [];
    Object.assign(here, { node: asItem(list), title: list.name, length: list.n });
    if (list.by && here.by !== list.by) this.#askWhose(here, list.by);
    rows.forEach((row, index) => {
      // Entries of a smart playlist have no ids.
      const fresh = { ...row, entry: list.smart ? undefined : row.e }, known = old.get(fresh.entry);
      here.rows[from + index] = known && JSON.stringify(known) === JSON.stringify(fresh) ? known : fresh;
    });
  }
  /** The list of another user is read only. */
  async #askWhose(here, by) {
    here.by = by;
    const me = await ownUser(this.hub);
    here.isOfAnother = me?.user !== by;
    if (here.isOfAnother) whenUp(this.element, () => {
      if (here === this.here) { this.virtual.clear(); this.show() }
    }, here);
  }
  placeOf({ list, link, ...wanted }) {
    return list ? place({ kind: 'list', title: '', id: list, link, node: asItem({ id: list, name: '' }) })
      : super.placeOf(wanted);
  }
  open(row) {
    // A server's playlist is a place of that server.
    if (row.kind !== 'playlist' || items.list(items.listOf(row.uri)) !== row.uri) return super.open(row);
    this.go(place({ kind: 'list', title: titleOf(row), id: items.listOf(row.uri), node: row }));
  }
  /** Requests only the visible part of a long playlist. */
  async missing(from, until) {
    const { here } = this;
    if (here.kind !== 'list') return super.missing(from);
    if (this.#reading || !this.hub.live) return;
    this.#reading = true;
    const d = await this.hub.ask(...rowsOf(here, Math.max(0, from - 10), clamp(until - from + 40, 1, 100)));
    this.#reading = false;
    if (!d || here !== this.here) return;
    const isSame = d.list.rev === here.node.rev;
    this.#takeList(here, d);
    if (isSame) this.lay(); else this.answered();
  }
  /** Answers about lists do not say what is kept of them. */
  async #markKept() {
    const { here } = this, kept = await keptItems(this.hub);
    for (const row of here.kind === 'home' ? here.rows : []) {
      if (row?.kind !== 'playlist' || row.kept === kept.get(row.uri)) continue;
      row.kept = kept.get(row.uri);
      this.rewrite(row);
    }
  }
  draw(view) {
    const { pl, keep } = this.hub.said;
    if (keep?.rev !== this.#keep && this.isOpen && this.hub.live) {
      this.#keep = keep?.rev;
      this.#markKept();
    }
    if (pl && pl.rev !== this.#rev && this.isOpen && this.hub.live) {
      const isFirst = this.#rev === null;
      this.#rev = pl.rev;
      if (!isFirst && ['home', 'list'].includes(this.here.kind)) this.look();
    }
    super.draw(view);
  }
  /** Some playlist has changed: the visible rows are requested, and redrawn if it was this one. */
  async look() {
    const { here } = this;
    if (here.kind === 'home') return this.renew();
    const d = await this.hub.ask(...rowsOf(here, this.virtual.sight()[0], rowsAtOnce));
    if (here !== this.here) return;
    if (!d) { here.isKnown = false; return this.ask(true) }
    if (d.list.rev === here.node.rev && d.list.name === here.title) return;
    this.#takeList(here, d);
    this.answered();
  }
}
