// Browsing: a path of places and the rows of the current one. Rows are requested page by page, and only visible rows
// have elements. Subclasses say what a place shows: the library and the lists.

import { Asking } from './asking.js';
import { Latest } from '../../../../../examples/browser/client/baton-latest.js';
import { Followed } from './followed.js';
import { onMenu } from '../gestures/hold.js';
import { current, isContainer, itemRow, marked, titleOf } from '../items/items.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, mark, put } from '../parts/parts.js';
import { placeButtons } from './placebuttons.js';
import { placeHead, prepareHead } from './placehead.js';
import { coverWidth, gridForm, headings, isGrid } from '../items/rowforms.js';
import { rowKey } from './rowkeys.js';
import { whyAway } from '../servers/sourcerows.js';
import { nameOf } from '../servers/sources.js';
import { tile } from '../items/tile.js';
import { place } from '../parts/trail.js';
import { t } from '../shell/translate.js';
import { VirtualList } from '../parts/virtual.js';

export class Shelves extends Asking {
  hub; say; acts; asks;
  /** A place with a tab begins with a head of its own. */
  isRoot = false;
  #drawnPlace = null; #way = ''; #doings; #followed; #current = null; #high = 0; #width = 0; #screen = '';
  #wasGrid = false; #isLive = false;
  constructor(hub, say, acts, name, home) {
    super();
    Object.assign(this, { hub, say, acts, asks: new Latest(hub),
      places: [place({ kind: 'home', title: name, ...home })] });
    this.#followed = new Followed(hub);
    this.back = make('button', { class: 'tool', 'aria-label': t('place.back'),
      onclick: () => { buzz(); this.goBack() } }, icon('into'));
    this.name = make('h1', { class: 'name', dir: 'auto' });
    this.order = make('span', { class: 'order' });
    this.head = make('div', { class: 'seek' }, this.back, this.name);
    this.does = make('div', { class: 'does' });
    this.#doings = new Keyed(this.does, { key: ({ dataset }) => dataset.does ?? dataset.do, make: element => element });
    this.top = make('div', { class: 'top' });
    this.old = make('p', { class: 'says', role: 'status', hidden: true }, t('place.old'));
    this.above = make('div', { class: 'above' }, this.top, this.does, this.old);
    this.list = make('ol', { class: 'rows items', 'aria-label': name });
    this.note = make('div', { class: 'says', role: 'status' });
    this.scroller = make('div', { class: 'scroller' }, this.above, this.list, this.note);
    this.element = make('div', { class: 'queue shelves' }, this.head, this.scroller);
    this.virtual = new VirtualList(this.scroller, this.list, {
      row: index => this.rowAt(index), lay: () => this.lay(), key: (row, index) => row.entry ?? row.uri ?? index,
        make: row => this.make(row, this.here), place: (element, row) => this.#decorate(element, row),
    });
    this.scroller.onscroll = () => this.lay();
    this.list.onclick = event => this.#clicked(event);
    this.element.onkeydown = event => rowKey(this, event);
    onMenu(this.list, event => this.#menu(event));
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
    this.acts.changed = row => this.rewrite(row);
    this.acts.edited = () => this.renew();
  }
  /** Tiles have pictures of the size at which they are shown. */
  #resized() {
    const width = this.list.clientWidth, screen = `${innerWidth} ${innerHeight}`;
    if (width !== this.#width && this.list.classList.contains('grid')) this.virtual.clear();
    this.#width = width;
    if (screen !== this.#screen) [this.#screen, this.#high] = [screen, 0];
    this.lay();
  }
  /** Something beside the rows came or went. */
  widened() { this.#width = 0 }
  /** Kept, since the browser lays everything out when it is asked while a place is drawn. */
  get width() { return this.#width ||= this.list.clientWidth }
  /** Read again when the size of the screen has changed. */
  get rowHeight() {
    return (this.#high ||= parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 0) || 56;
  }

  opened() {
    this.isOpen = true;
    this.show();
  }
  /** Draws the current place, and requests missing rows. */
  show() {
    const { here } = this;
    if (this.#drawnPlace !== here) {
      this.#drawnPlace = here;
      here.isLate = false;
      // Read before anything changes.
      if (this.scroller.scrollTop !== here.top) this.scroller.scrollTop = here.top;
      this.virtual.clear();
    }
    this.back.hidden = this.places.length < 2;
    this.head.hidden = this.back.hidden && this.isRoot && this.places[0].kind !== 'find';
    this.#showTop(here);
    // The cover of a place has its name below it.
    this.name.hidden = this.back.hidden && this.isRoot || here.kind === 'search' || !!this.top.firstChild;
    put(this.name, here.title || '…');
    const way = JSON.stringify([here.title, here.uri, here.sort, here.isKnown, !!here.length, here.node?.fav]);
    if (way !== this.#way) this.#doings.draw(this.doings(here));
    this.#way = way;
    this.old.hidden = !here.isOld;
    this.lay();
    if (!here.isKnown) this.ask();
  }
  #showTop(here) {
    const head = placeHead(this.hub, here);
    if ((head?.told ?? '') !== this.top.dataset.told) {
      this.top.dataset.told = head?.told ?? '';
      this.top.replaceChildren(...head ? [head.make()] : []);
    }
  }
  prepare(here) { return prepareHead(this, here) }
  /** More is known of this place, and stands below its rows. */
  learned() { }
  /** Buttons that act on the whole place. They come with the cover above them, which would push them down. */
  doings(here) { return here.node?.uri && here.isKnown && here.length ? placeButtons(here, this.acts) : [] }
  draw({ uri = null } = this.hub.view()) {
    // Rows that came into sight while the hub was away are asked for when it is there again.
    const { live } = this.hub;
    if (uri !== this.#current || live !== this.#isLive) { [this.#current, this.#isLive] = [uri, live]; this.lay() }
    if (this.isOpen && !this.here.isKnown && !this.isAsking && this.hub.live) this.ask();
    if (this.hub.live) this.#follow();
    this.sayWhatIs();
  }

  // ---- Rows.
  rowAt(index) { return this.here.rows[index] }
  make(row, here) {
    if (isGrid(here)) return tile(this.hub, row, { width: coverWidth(this.width) });
    const isInAlbum = here.node?.kind === 'album';
    return itemRow(this.hub, row, { number: isInAlbum ? row.track : null, isInAlbum,
      artist: isInAlbum ? here.node.albumArtist : null, isMixed: here.kind === 'search',
      isFromElsewhere: this.isMixed(here, row) });
  }
  #decorate(element, row) {
    const isCurrent = !!row.uri && row.uri === this.#current;
    if (isCurrent || element.firstChild.ariaCurrent)
      mark(element.firstChild, 'aria-current', isCurrent ? 'true' : null);
    this.decorate?.(element, row);
  }
  /** A place of one source names it only for rows of others. */
  isMixed(here, row) { return here.kind === 'search' || nameOf(here.node?.uri ?? here.uri) !== nameOf(row.uri) }
  /** Rows that say something else now are written again, or requested again. */
  #follow() {
    const rows = [...this.virtual.shown.values()].map(({ row }) => row),
      { areOther, isMore } = this.#followed.look(rows);
    if (!this.isOpen || !areOther && !isMore) return;
    if (areOther) for (const row of rows) this.rewrite(row);
    if (this.here.isKnown && this.scroller.scrollTop < this.rowHeight) this.renew();
  }
  /** How the rows stand; subclasses add columns and headings. */
  form(here) {
    const asGrid = isGrid(here), plain = { count: here.length, total: here.total, breaks: this.breaks(here) };
    this.list.classList.toggle('grid', asGrid);
    return { ...plain, ...asGrid ? gridForm(this.width) : { high: this.rowHeight } };
  }
  breaks(here) { return headings(here) }
  lay() {
    const { here, virtual } = this;
    // Rows are shown together with what stands above them.
    if (!this.element.isConnected || here.isAwaited) return;
    const form = this.form(here), asGrid = this.list.classList.contains('grid');
    // Rows and tiles of the same items are other elements.
    if (asGrid !== this.#wasGrid) { this.#wasGrid = asGrid; virtual.clear() }
    virtual.arrange(form);
    const { isMissing, from, until } = virtual.lay();
    if (isMissing) this.missing(from, until); else if (here.cursor && until > here.length - 20) this.ask(false);
    this.sayWhatIs();
  }
  /** Favourite or stars of a row have changed, or those of the place itself, whose heart is one of its buttons. */
  rewrite(row) {
    const { rows, node } = this.here;
    this.virtual.rewrite(marked(rows, row));
    if (node?.uri === row.uri && node.fav !== row.fav) { node.fav = row.fav; this.show() }
  }

  // ---- Input.
  #clicked(event) {
    const button = event.target.closest('button'), row = button?.closest('li')?.row;
    if (row) this.did(button.dataset.do, row);
    // A row that a key has pressed is gone with its place, and the keyboard goes on from the way back.
    if (row && !event.detail && !button.isConnected) this.back.focus({ preventScroll: true });
  }
  #menu(event) {
    const row = event.target.closest('li')?.row;
    if (!row || row.kind === 'shelf') return false;
    this.did('more', row);
    return true;
  }
  did(what, row, here = this.here) {
    row = current(here.rows, row);
    if (what === 'fav') return this.acts.favour(row);
    if (what === 'more') return this.acts.more(row);
    if (what !== 'main') return;
    buzz();
    // Leaving the field hides the keyboard of a phone.
    if (document.activeElement?.type === 'search') document.activeElement.blur();
    if (isContainer(row)) this.open(row);
    else if (row.away) this.say(t('away.stays', { title: titleOf(row), reason: whyAway(this.hub, row) }));
    else this.acts.from(row, here);
  }
}
