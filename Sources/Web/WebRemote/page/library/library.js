// The library and Home: where each begins, shelves to browse in an order, and the progress of a scan.

import { Acts } from '../items/acts.js';
import { noLibrary } from './asking.js';
import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { Home } from './home.js';
import { allShelf, chipsOf, kindsOf, pageOf, podcastShelf } from './kinds.js';
import { marked } from '../items/items.js';
import { Keyed } from '../parts/keyed.js';
import { OrderBar, sorted } from './orderbar.js';
import { buzz, icon, make } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { RootHead } from '../parts/roothead.js';
import { Scan } from './scan.js';
import { Shelves } from './shelves.js';
import { sourceOf, sourcesOf } from '../servers/sources.js';
import { loadStyle } from '../parts/styles.js';
import { place } from '../parts/trail.js';
import { chip } from '../items/tile.js';
import { t } from '../shell/translate.js';

/** What each of the three tabs begins with. */
const roots = { home: 'home', search: 'find', library: 'kinds' };

export class Library extends Shelves {
  #scan; #chips; #places; #rev = null; #renewAt = 0; #order; #home; #more = null; #letters = null;
  #hasLetters = false; isRoot = true;
  static async open({ hub, say }, root) {
    await loadStyle('library.css');
    return new Library(hub, say, root);
  }
  /** `root` is the place that it begins with: `home`, `search` or `library`. */
  constructor(hub, say, root) {
    super(hub, say, new Acts(hub, say), t(`tab.${root}`), { kind: roots[root], isKnown: root === 'search' });
    this.#scan = new Scan();
    this.rootHead = new RootHead(hub, t(`tab.${root}`));
    this.#chips = make('ul', { class: 'chips', 'aria-label': t('tab.library') });
    this.#places = new Keyed(this.#chips, { key: row => row.uri, make: chip });
    this.#chips.onclick = event => {
      const row = event.target.closest('li')?.row;
      if (row) this.open(row);
    };
    this.above.prepend(this.rootHead.element, this.#scan.element, this.#chips);
    this.#home = root === 'home' ? new Home(hub, say, { clicked: (row, what, here) => this.did(what, row, here) })
      : null;
    if (this.#home) this.list.after(this.#home.element);
    this.#order = new OrderBar(this.order, { again: () => this.#again(),
      look: () => { this.virtual.clear(); this.show() },
      order: sort => { Object.assign(this.here, { sort, cursor: null }); this.#fromTop() } });
    this.head.append(this.order);
  }

  take(here, d, from) {
    if (here.kind === 'home' || here.kind === 'kinds') {
      here.shelves = [...here.rows.length ? here.shelves : [], ...d.rows];
      d = { ...d, rows: kindsOf(this.hub, here, d) };
    }
    super.take(here, d, from);
  }
  /** Home shows rows of covers instead of rows. */
  form(here) { return here.kind === 'home' ? { count: 0 } : super.form(here) }
  show() {
    this.#showLetters(this.here);
    super.show();
    const { here } = this, hasRows = (here.isKnown || here.isOld) && here.length > 0, isRoot = this.places.length < 2;
    this.rootHead.element.hidden = !isRoot;
    this.#chips.hidden = here.kind !== 'home';
    if (here.kind === 'home') this.#places.draw(chipsOf(here.rows));
    // Stations are heard without a library, too.
    if (this.#home) this.#home.element.hidden = here.kind !== 'home' || this.isEmpty(here) && !this.hub.said.radio;
    if (here.kind === 'home' && hasRows && this.isOpen) this.#home.show(here.shelves);
    this.#more?.show(here);
    this.#order.show(here);
  }
  /** Before the rows are made, which are as wide as the letters leave them. */
  async #showLetters(here) {
    const hasLetters = sorted.includes(here.uri) && here.length > 60
      && ['name', 'artist', undefined].includes(here.sort);
    if (hasLetters === this.#hasLetters) return;
    this.#hasLetters = hasLetters;
    this.element.classList.toggle('lettered', hasLetters);
    this.widened();
    if (hasLetters && !this.#letters) await this.#makeLetters();
    if (this.#letters) this.#letters.element.hidden = !this.#hasLetters;
  }
  async #makeLetters() {
    const { Letters } = await import('../parts/letters.js');
    this.#letters = new Letters({
      count: () => this.here.length, row: index => this.#rowOf(index),
        text: row => this.here.sort === 'artist' ? row.albumArtist ?? row.artists?.[0] : row.title,
      show: index => { this.scroller.scrollTop = this.virtual.placeOf(index)[1] + this.list.offsetTop; this.lay() },
    });
    this.element.append(this.#letters.element, this.#letters.label);
  }

  async prepare(here) { await Promise.all([super.prepare(here), this.#makeMore(here)]) }
  learned(here) { this.#more?.show(here) }
  /** What the source tells of an artist or an album beside its rows. */
  async #makeMore({ node }) {
    if (this.#more || !['artist', 'album'].includes(node?.kind)) return;
    const { AroundPlace } = await import('./aroundplace.js');
    this.#more ??= new AroundPlace(this.hub, this, (row, what, place) => this.did(what, row, place));
  }

  doings(here) {
    const lines = super.doings(here);
    return here.uri === podcastShelf ? [...lines, this.#podcastsButton()] : lines;
  }
  #podcastsButton() {
    return make('button', { class: 'small act', 'data-do': 'podcasts', 'data-needs': 'remote', onclick: async () => {
      buzz();
      (await import('../podcasts/podcasts.js')).openPodcasts(this.hub, this.say, () => this.renew());
    } }, icon('dots'), make('span', {}, t('podcasts.menu')));
  }
  /** Whatever people look for more rarely is a place of the page's own. */
  placeOf(wanted) {
    const all = { kind: 'kinds', uri: allShelf, title: t('library.all') };
    return wanted.at === allShelf ? place(all) : super.placeOf(wanted);
  }
  request(here) {
    const [m, p] = super.request(here.uri === allShelf ? { ...here, uri: null } : here);
    return [m, this.available.asked(p)];
  }
  /** All places show other rows from now on. */
  #again() {
    for (const here of this.places) Object.assign(here, { isKnown: false, cursor: null, top: 0 });
    this.#fromTop();
  }
  /**
   * An album or artist may be known by name only; where there is none, what a search finds is shown. `isSame`: an
   * address named it, and has its place in the history already.
   */
  async visit(wanted, isSame = true) {
    if (!wanted.album && !wanted.artist) return super.visit(wanted);
    const { here } = this, { lookUp } = await import('./lookup.js'), row = await lookUp(this.hub, wanted);
    if (here !== this.here) return;
    const q = [wanted.album, wanted.artist].filter(Boolean).join(' ');
    if (!row) return location[isSame ? 'replace' : 'assign'](addressOf('search', { q }));
    super.visit({ at: row.uri });
    this.moved(isSame);
  }
  /** A row by number, from the hub if it was not read yet. */
  async #rowOf(index) {
    const { here } = this;
    if (here.rows[index]) return here.rows[index];
    const [m, p] = this.request(here), found = await this.hub.ask(m, { ...p, from: index, limit: 1 });
    return found?.rows[0];
  }
  open(row) {
    const address = pageOf(row);
    if (address) location.hash = address;
    else if (row.uri === allShelf) this.go(this.placeOf({ at: allShelf }));
    else if (row.kind === 'album' && !row.uri) this.visit({ album: row.title, artist: row.albumArtist }, false);
    else super.open(row);
  }
  rewrite(row) {
    super.rewrite(row);
    marked(this.here.more?.tracks ?? [], row);
    this.#more?.rewrite(row);
  }
  get available() { return this.#order.available }
  #fromTop() {
    this.scroller.scrollTop = 0;
    this.ask(true);
  }

  // ---- The section `lib`.
  draw(view) {
    const { lib } = this.hub.said;
    this.rootHead.draw();
    this.available.draw(this.hub);
    this.#scan.draw(lib?.scan);
    // During a scan the visible rows are requested again from time to time, but not at every file.
    if (lib && lib.rev !== this.#rev && this.isOpen && this.hub.live) {
      const isFirst = this.#rev === null, now = performance.now();
      if (isFirst || now - this.#renewAt > (lib.scan ? 4000 : 500)) {
        [this.#rev, this.#renewAt] = [lib.rev, now];
        if (!isFirst && this.scroller.scrollTop < this.rowHeight) this.renew();
      }
    }
    super.draw(view);
  }
  sayWhatIs() {
    const { here } = this;
    if (this.hub.said.lib === undefined && ['home', 'kinds'].includes(here.kind) && here.isKnown && !here.length)
      here.problem ??= noLibrary;
    super.sayWhatIs();
  }
  /** The hub's own tracks are counted; books and servers have shelves only where there is something on them. */
  isEmpty(here) {
    const hasMore = () => here.shelves?.some(row => row.uri === items.shelf('books') || sourceOf(this.hub, row.uri));
    return super.isEmpty(here) || here.kind === 'home' && this.hub.said.lib?.tracks === 0 && !hasMore();
  }
  emptyWords(here) {
    const { lib } = this.hub.said;
    if (lib?.scan) return t('library.soon');
    const isBare = lib?.tracks === 0 && !sourcesOf(this.hub).length;
    return isBare ? this.#scan.invitation(this.hub) : super.emptyWords(here);
  }
}
