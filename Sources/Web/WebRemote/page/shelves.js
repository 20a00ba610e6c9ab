// Browsing: a path of places and the rows of the current one. Rows are requested page by page, and only visible rows have
// elements. Subclasses say what a place shows: the library and the lists.

import { Latest } from './baton.js';
import { onMenu } from './hold.js';
import { isContainer, itemRow, titleOf } from './items.js';
import { buzz, icon, make, mark, recall } from './parts.js';
import { learn, placeHead } from './placehead.js';
import { nameOf, sourcesOf, whyAway } from './sources.js';
import { tile } from './tile.js';
import { VirtualList } from './virtual.js';

export const pageOfRows = 80;
/** Tiles are at least so wide, and have so much text below their covers. */
const tileWidth = 150, tileText = 52, tileEdge = 10;
export const noLibrary = 'This hub has no library yet.';

const parts = ['Albums', 'Appears on', 'Tracks'];
const partOf = (here, row) => row.kind !== 'album' ? 2 : !row.albumArtist || row.albumArtist === here.title ? 0 : 1;
/** Where a row differs from the one before in what stands above it; none where all are alike. */
function headings(here, what, words) {
  const breaks = [];
  let last;
  here.rows.forEach((row, index) => {
    if (!breaks.length || what(row) !== last) breaks.push({ from: index, text: words(last = what(row)) });
  });
  return breaks.length > 1 ? breaks : [];
}
/** A place: `title`, what to request, and the rows received so far. */
export const place = what => ({ rows: [], length: 0, total: undefined, cursor: null, problem: null, isKnown: false, top: 0, ...what });

export class Shelves {
  hub; say; acts; asks; places = []; isOpen = false;
  /** Called when the current place is another; `true` if it takes the place of the one before in the browser's history. */
  moved = () => { };
  #isAsking = false; #isReading = false; #drawnPlace = null; #way = ''; #sources = null; #kept = undefined; #keptAt = 0;
  constructor(hub, say, acts, name, home) {
    Object.assign(this, { hub, say, acts, asks: new Latest(hub), places: [place({ kind: 'home', title: name, ...home })] });
    this.back = make('button', { class: 'tool', 'aria-label': 'Back', onclick: () => { buzz(); this.goBack() } }, icon('into'));
    this.head = make('div', { class: 'seek' }, this.back);
    this.crumbs = make('nav', { class: 'crumbs', 'aria-label': 'Where this is' });
    this.does = make('div', { class: 'does' });
    this.top = make('div', { class: 'top' });
    this.above = make('div', { class: 'above' }, this.crumbs, this.top, this.does);
    this.list = make('ol', { class: 'rows items', 'aria-label': name });
    this.note = make('div', { class: 'says', role: 'status' });
    this.scroller = make('div', { class: 'scroller' }, this.above, this.list, this.note);
    this.element = make('div', { class: 'queue shelves' }, this.head, this.scroller);
    this.virtual = new VirtualList(this.scroller, this.list, {
      row: index => this.rowAt(index), key: (row, index) => row.entry ?? index, make: row => this.make(row, this.here),
      place: (element, row) => this.#decorate(element, row),
    });
    this.scroller.onscroll = () => this.lay();
    this.list.onclick = event => this.#clicked(event);
    this.scroller.onkeydown = event => this.#key(event);
    onMenu(this.list, event => this.#menu(event));
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
    this.acts.changed = row => this.rewrite(row);
  }
  /** Tiles have pictures of the size at which they are shown. */
  #resized() {
    const width = this.scroller.clientWidth;
    if (width !== this.#width && this.list.classList.contains('grid')) this.virtual.clear();
    this.#width = width;
    this.lay();
  }
  #width = 0;
  get here() { return this.places.at(-1) }
  get rowHeight() { return parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 56 }

  opened() {
    this.isOpen = true;
    this.acts.changed = row => this.rewrite(row);
    this.show();
  }
  closed() { this.isOpen = false }

  // ---- The current place, and its address.
  address(here = this.here) {
    return here.kind === 'search' ? { q: here.q } : here.kind === 'list' ? { list: here.id } : here.uri ? { at: here.uri, sort: here.sort } : {};
  }
  /** Shows the place of an address, as far as this part has such places. */
  visit(wanted) {
    const same = step => { const is = this.address(step); return is.at === wanted.at && is.q === wanted.q && is.list === wanted.list };
    const index = this.places.findLastIndex(same);
    if (index >= 0) { if (index < this.places.length - 1) this.#cut(index); return }
    const next = this.placeOf(wanted);
    if (next) this.#enter(next);
  }
  placeOf({ at, sort }) { return at ? place({ kind: 'browse', title: '', uri: at, sort, node: { uri: at } }) : null }
  go(next) {
    this.#enter(next);
    this.moved();
  }
  #enter(next) {
    this.here.top = this.scroller.scrollTop;
    this.places.push(next);
    this.show();
  }
  goBack(to = this.places.length - 2) {
    if (to < 0 || to === this.places.length - 1) return;
    this.#cut(to);
    this.moved();
  }
  #cut(to) {
    this.places.length = to + 1;
    this.show();
    this.scroller.scrollTop = this.here.top;
    this.lay();
  }
  /** A second tap on the tab of this part: its first place, from the top. */
  home() {
    if (this.places.length > 1) this.goBack(0);
    this.scroller.scrollTop = 0;
  }
  open(row) { this.go(place({ kind: 'browse', title: titleOf(row), uri: row.uri, node: row })) }
  /** Draws the current place, and requests missing rows. */
  show() {
    const { here } = this;
    if (this.#drawnPlace !== here) {
      this.#drawnPlace = here;
      this.virtual.clear();
      this.scroller.scrollTop = here.top;
    }
    this.back.hidden = this.places.length < 2;
    this.crumbs.hidden = this.places.length < 2 || here.kind === 'search';
    // Only when the path has changed, because the focus may be on it.
    const way = JSON.stringify([this.places.map(step => step.title), here.uri, here.sort, here.isKnown, !!here.length]);
    if (way !== this.#way) {
      this.#way = way;
      this.crumbs.replaceChildren(...this.way(here));
      this.does.replaceChildren(...this.doings(here));
    }
    this.#showTop(here);
    this.lay();
    if (!here.isKnown) this.ask();
  }
  #showTop(here) {
    const head = placeHead(this.hub, here);
    if ((head?.told ?? '') === this.top.dataset.told) return;
    this.top.dataset.told = head?.told ?? '';
    this.top.replaceChildren(...head ? [head.make()] : []);
    if (head) learn(this.hub, here).then(isNew => { if (isNew && here === this.here) this.#showTop(here) });
  }
  way(here) {
    return [...this.places.slice(0, -1).map((step, index) => make('button', { onclick: () => this.goBack(index) }, make('bdi', {}, step.title || '…'))),
      make('b', { 'aria-current': 'location' }, make('bdi', {}, here.title || '…'))];
  }
  /** Buttons that act on the whole place. */
  doings(here) {
    const { node } = here, { acts } = this;
    if (!node || !node.uri || here.isKnown && !here.length) return [];
    const row = { ...node, title: here.title, n: node.n ?? here.total };
    const more = ['album', 'artist'].includes(node.kind) ? [['More', 'dots', () => acts.more(row)]] : [];
    return [['Play', 'play', () => acts.all(row)], ['Shuffle', 'shuffle', () => acts.shuffle(row)], ['Add', 'enqueue', () => acts.add(row, 'end')], ...more]
      .map(([text, sign, act]) => make('button', { class: 'small act', 'aria-label': text === 'More' ? `More for the ${node.kind} ${here.title}` : `${text} all of ${here.title}`, onclick: act }, icon(sign), text === 'More' ? null : make('span', {}, text)));
  }

  // ---- Requests: the first rows of a place, and more when they become visible.
  request(here) { return ['lib.browse', { ...here.uri ? { node: here.uri } : {}, ...here.sort ? { sort: here.sort } : {}, limit: pageOfRows }] }
  /** Takes an answer as rows of this place. */
  take(here, d, from = here.rows.length) {
    d.rows.forEach((row, index) => { here.rows[from + index] = row });
    here.total = d.total ?? here.total;
    // Where it is known how many there are, any part can be requested, and the list has its whole length at once.
    const isWhole = here.kind === 'browse' && here.total > here.rows.length;
    here.length = isWhole ? here.total : here.rows.length;
    here.cursor = isWhole ? null : d.cursor ?? null;
    if (d.node) { here.node = d.node; here.title ||= titleOf(d.node) }
    if (here.node?.kind === 'artist' && !here.cursor && here.rows.length === here.length) here.rows.sort((one, other) => partOf(here, one) - partOf(here, other));
  }
  async ask(anew = !this.here.isKnown) {
    const { here } = this;
    if (!this.hub.live || this.hub.profile === 'watch' || !anew && (this.#isAsking || !here.cursor)) return;
    this.#isAsking = true;
    if (anew) here.cursor = null;
    const [m, p] = this.request(here), res = await this.asks.ask(m, anew ? p : { ...p, cursor: here.cursor });
    if (!res) return;
    this.#isAsking = false;
    if (res.ok) {
      here.problem = null;
      if (anew) { here.rows = []; if (here === this.here) this.virtual.clear() }
      this.take(here, res.d ?? { rows: [] });
    } else {
      here.problem = res.err?.code === 'unsupported' ? noLibrary : res.err?.msg ?? 'The hub refused.';
      here.cursor = null;
    }
    // Without an answer the request is repeated when the hub is connected again.
    here.isKnown = res.ok || res.err?.code !== 'timeout';
    if (here === this.here && here.isKnown) this.show();
  }
  /** Requests the rows again, and shows the old ones until the answer. */
  renew() { if (this.isOpen && this.element.isConnected) this.ask(true) }
  draw() {
    if (this.isOpen && !this.here.isKnown && !this.#isAsking && this.hub.live) this.ask();
    if (this.hub.live) { this.#followSources(); this.#followKept() }
    this.sayWhatIs();
  }

  // ---- Messages where rows are missing.
  sayWhatIs() {
    const { here } = this, words = here.problem ?? (here.isKnown && this.isEmpty(here) ? this.emptyWords(here) : null);
    const said = `${words instanceof Node ? words.dataset.said : words}`;
    if (this.note.dataset.said === said) return;
    this.note.dataset.said = said;
    const again = here.problem && here.problem !== noLibrary
      ? make('button', { class: 'small', onclick: () => { here.isKnown = false; this.ask() } }, 'Try again') : null;
    this.note.replaceChildren(...[words && !(words instanceof Node) ? make('p', {}, words) : words, again].filter(Boolean));
  }
  isEmpty(here) { return !here.length }
  emptyWords(here) { return here.node ? 'Nothing is in here.' : 'Nothing is here yet.' }

  // ---- Rows.
  rowAt(index) { return this.here.rows[index] }
  make(row, here) {
    if (this.isGrid(here)) return tile(this.hub, row, { width: this.#tileWidth(here) - tileEdge });
    const isInAlbum = here.node?.kind === 'album';
    return itemRow(this.hub, row, { number: isInAlbum ? row.track : null, isInAlbum, artist: isInAlbum ? here.node.albumArtist : null, isMixed: here.kind === 'search', isFromElsewhere: this.isMixed(here, row) });
  }
  #decorate(element, row) {
    mark(element.firstChild, 'aria-current', row.uri && row.uri === this.hub.view().uri ? 'true' : null);
    this.decorate?.(element, row);
  }
  /** A place of one source names it only for rows of others. */
  isMixed(here, row) { return here.kind === 'search' || nameOf(here.node?.uri ?? here.uri) !== nameOf(row.uri) }
  /** A server came, went or got what was kept for it: rows say so, and those on the screen are requested again. */
  #followSources() {
    const list = sourcesOf(this.hub), states = JSON.stringify(list.map(({ name, title, state, msg }) => [name, title, state, msg]));
    const pending = list.reduce((sum, source) => sum + (source.pending ?? 0), 0), [before, waited] = this.#sources ?? [states, pending];
    this.#sources = [states, pending];
    const shown = [...this.virtual.shown.values()].map(({ row }) => row), isOther = states !== before;
    if (!this.isOpen || !isOther && !(pending < waited && shown.some(row => row.pend))) return;
    for (const row of shown) this.rewrite(row);
    if (this.here.isKnown && this.scroller.scrollTop < this.rowHeight) this.renew();
  }
  /** Albums and artists stand in a grid, unless a person prefers lists. */
  isGrid(here) { return here.kind === 'browse' && ['album', 'artist'].includes(here.rows[0]?.kind) && recall('look') !== 'list' }
  #columns() { return Math.max(2, Math.floor(this.scroller.clientWidth / tileWidth)) }
  #tileWidth() { return this.scroller.clientWidth / this.#columns() }
  /** How the rows stand; subclasses add headings. */
  form(here) {
    const isGrid = this.isGrid(here), plain = { count: here.length, total: here.total, breaks: this.breaks(here) };
    this.list.classList.toggle('grid', isGrid);
    return isGrid ? { ...plain, columns: this.#columns(), high: Math.round(this.#tileWidth()) + tileText } : { ...plain, high: this.rowHeight };
  }
  /** Headings: the discs of an album, and what an artist made with others. */
  breaks(here) {
    if (here.node?.kind === 'album') return headings(here, row => row.disc, disc => `Disc ${disc ?? 1}`);
    if (here.node?.kind === 'artist') return headings(here, row => partOf(here, row), part => parts[part]);
    return [];
  }
  /** Tracks are being fetched to be kept: rows on the screen that say how far that is are requested again from time to time. */
  #followKept() {
    const rev = this.hub.said.keep?.rev, now = performance.now();
    if (rev === this.#kept || now - this.#keptAt < 900) return;
    [this.#kept, this.#keptAt] = [rev, now];
    const isShown = [...this.virtual.shown.values()].some(({ row }) => row.kept < 100);
    if (this.isOpen && isShown && this.here.isKnown && this.scroller.scrollTop < this.rowHeight) this.renew();
  }
  lay() {
    if (!this.element.isConnected) return;
    const { here, virtual } = this;
    virtual.arrange(this.form(here));
    const isMissing = virtual.lay(), [from, until] = virtual.sight();
    if (isMissing) this.missing(from, until); else if (here.cursor && until > here.length - 20) this.ask(false);
    this.sayWhatIs();
  }
  /** Requests rows in sight that were passed over so far. */
  async missing(from) {
    const { here } = this;
    if (this.#isReading || here.kind !== 'browse' || !this.hub.live) return;
    this.#isReading = true;
    let first = from;
    while (here.rows[first]) first++;
    const [m, p] = this.request(here), d = await this.hub.ask(m, { ...p, from: first });
    this.#isReading = false;
    if (!d || here !== this.here) return;
    this.take(here, d, first);
    if (!d.rows.length) here.length = here.total = first;
    this.lay();
  }
  /** Favourite or stars of a row have changed; the focus stays. */
  rewrite(row) {
    const [key, old] = [...this.virtual.shown].find(([, element]) => element.row === row) ?? [];
    if (old) this.#replace(key, old, row);
  }
  #replace(key, old, row) {
    const held = old.contains(document.activeElement) ? document.activeElement.dataset.do : null;
    const fresh = this.make(row, this.here);
    fresh.style.transform = old.style.transform;
    for (const name of ['aria-posinset', 'aria-setsize']) mark(fresh, name, old.getAttribute(name));
    old.replaceWith(fresh);
    this.virtual.shown.set(key, fresh);
    if (held) fresh.querySelector(`[data-do=${held}]`)?.focus();
  }

  // ---- Input.
  #clicked(event) {
    const button = event.target.closest('button'), row = button?.closest('li')?.row;
    if (row) this.did(button.dataset.do, row);
  }
  #menu(event) {
    const row = event.target.closest('li')?.row;
    if (!row || row.kind === 'shelf') return false;
    this.did('more', row);
    return true;
  }
  did(what, row, here = this.here) {
    if (what === 'fav') return this.acts.favour(row);
    if (what === 'more') return this.acts.more(row);
    if (what !== 'main') return;
    buzz();
    // Leaving the field hides the keyboard of a phone.
    if (document.activeElement?.type === 'search') document.activeElement.blur();
    if (isContainer(row)) this.open(row);
    else if (row.away) this.say(`“${titleOf(row)}” is away${whyAway(this.hub, row).slice(4)}. It stays in its places until it is back.`);
    else this.acts.from(row, here);
  }
  #key(event) {
    const d = { ArrowUp: -1, ArrowDown: 1 }[event.key], item = event.target.closest('li');
    if (event.key === 'Escape' && this.places.length > 1) { event.stopPropagation(); return this.goBack() }
    if (!d || !item || event.target.closest('[data-do=move]')) return;
    event.preventDefault();
    event.stopPropagation();
    this.virtual.neighbour(item, d)?.querySelector(`[data-do=${event.target.dataset.do}]`)?.focus();
  }
}
