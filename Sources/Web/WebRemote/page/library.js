// The library: search as you type, shelves to browse, and the progress of a scan.

import { items } from './baton.js';
import { Acts, isContainer } from './items.js';
import { Home } from './home.js';
import { availableButton } from './keep.js';
import { Letters } from './letters.js';
import { lookUp } from './links.js';
import { addressOf } from './route.js';
import { buzz, icon, make, mark, put, recall, remember } from './parts.js';
import { styled } from './sheet.js';
import { noLibrary, pageOfRows, place, Shelves } from './shelves.js';
import { sourceOf, whereIs } from './sources.js';
import { chip } from './tile.js';

const sorts = { name: 'by name', artist: 'by artist', year: 'by year', added: 'newest first', plays: 'most played', stars: 'best rated' };
/** Results stand by their kind; the best of all is the first. */
const groups = { artist: 'Artists', album: 'Albums', track: 'Tracks', chapter: 'Tracks', generation: 'Tracks', playlist: 'Playlists', station: 'Stations', genre: 'Genres', folder: 'Folders', shelf: 'Shelves' };
const order = Object.keys(groups);
const heads = ['favourites', 'recent', 'most', 'added'].map(items.shelf);
const sorted = ['albums', 'tracks', 'artists'].map(items.shelf);

export class Library extends Shelves {
  #field; #isToPlay = false; #scan; #bar; #scanWords; #rev = null; #renewAt = 0; #invited = null; #sort; #more; #home; #letters; #look; #available;
  static async open(hub, say) {
    await styled;
    return new Library(hub, say);
  }
  constructor(hub, say) {
    super(hub, say, new Acts(hub, say), 'Library');
    this.#field = make('input', {
      type: 'search', id: 'find', placeholder: 'Search', 'aria-label': 'Search the library', maxlength: 200, autocomplete: 'off', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint: 'search', oninput: () => this.#typed(), onkeydown: event => this.#keyed(event),
    });
    this.#available = availableButton(() => this.#again());
    this.head.append(this.#field, this.#available.button);
    this.#bar = make('i');
    this.#scanWords = make('p');
    this.#scan = make('div', { class: 'scan', hidden: true, role: 'progressbar', 'aria-label': 'Reading the library', 'aria-valuemin': 0 }, this.#bar, this.#scanWords);
    this.above.prepend(this.#scan);
    this.#more = make('p', { class: 'says', role: 'status' });
    this.scroller.append(this.#more);
    this.#home = new Home(hub, say, { clicked: (row, what, here) => this.did(what, row, here) });
    this.list.after(this.#home.element);
    this.#letters = new Letters({
      count: () => this.here.length, row: index => this.#rowOf(index), text: row => this.here.sort === 'artist' ? row.albumArtist ?? row.artists?.[0] : row.title,
      show: index => { this.scroller.scrollTop = this.virtual.placeOf(index)[1] + this.list.offsetTop; this.lay() },
    });
    this.element.append(this.#letters.element, this.#letters.label);
    this.#look = make('button', { class: 'tool', 'data-do': 'look', onclick: () => this.#changeLook() });
    this.#sort = make('select', { 'aria-label': 'Order', onchange: () => this.#order() },
      ...Object.entries(sorts).map(([value, text]) => make('option', { value }, text)));
  }

  // ---- Search: each keystroke sends a query. The rows of the last answer stay until the next one.
  #typed() {
    const q = this.#field.value.trim(), isSearch = this.here.kind === 'search';
    this.#isToPlay = false;
    if (!q) return isSearch ? this.goBack() : null;
    if (isSearch && this.here.q === q) return;
    if (isSearch) {
      Object.assign(this.here, this.#question(q));
      this.moved(true);
    } else this.go(place({ kind: 'search', isKnown: true, isFresh: true, ...this.#question(q) }));
    this.scroller.scrollTop = 0;
    this.ask(true);
  }
  #question(q) { return { q, title: `“${q}”`, node: { uri: items.found(q), kind: 'shelf' }, total: undefined, cursor: null, asked: [], missed: [], isAsked: true } }
  placeOf(wanted) {
    if (wanted.q) return place({ kind: 'search', isFresh: true, ...this.#question(wanted.q.slice(0, 200)) });
    return super.placeOf(wanted);
  }
  /** An album or artist may be known by name only; where there is none, what a search finds is shown. */
  async visit(wanted) {
    if (!wanted.album && !wanted.artist) return super.visit(wanted);
    const { here } = this, row = await lookUp(this.hub, wanted);
    if (here !== this.here) return;
    super.visit(row ? { at: row.uri } : { q: [wanted.album, wanted.artist].filter(Boolean).join(' ') });
    this.moved(true);
  }
  #keyed(event) {
    if (event.key === 'Escape' && this.#field.value) { event.stopPropagation(); this.#field.value = ''; return this.#typed() }
    if (!['ArrowDown', 'Enter'].includes(event.key) || this.here.kind !== 'search') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'ArrowDown') return this.list.querySelector('[data-do=main]')?.focus();
    // What was typed may not be answered yet.
    if (this.here.isAsked) this.#isToPlay = true; else this.#playFirst();
  }
  #playFirst() {
    this.#isToPlay = false;
    const { here } = this, best = here.rows.find(row => !row.away);
    if (here.kind !== 'search' || !best) return;
    this.#field.blur();
    if (isContainer(best)) this.acts.all(best); else this.acts.from(best, here);
  }
  request(here) {
    const [m, p] = here.kind === 'search' ? ['lib.search', { q: here.q, limit: pageOfRows }] : super.request(here);
    return [m, this.#available.asked(p)];
  }
  /** All places show other rows from now on. */
  #again() {
    for (const here of this.places) Object.assign(here, { isKnown: false, cursor: null, top: 0 });
    this.scroller.scrollTop = 0;
    this.ask(true);
  }
  take(here, d, from) {
    here.isFresh = here.isAsked = false;
    // What begins a page of covers has a row of its own there, and servers' shelves have one each.
    if (here.kind === 'home') {
      here.shelves = [...here.shelves ?? [], ...d.rows];
      d = { ...d, rows: d.rows.filter(row => !sourceOf(this.hub, row.uri) && !heads.includes(row.uri)) };
      if (!d.cursor && this.hub.said.pl && !here.rows.concat(d.rows).some(row => row.uri === items.shelf('playlists'))) d.rows.push({ uri: items.shelf('playlists'), kind: 'shelf', title: 'Lists' });
    }
    super.take(here, here.kind === 'search' ? { ...d, rows: this.#grouped(d.rows, !here.rows.length) } : d, from);
    if (here.kind !== 'search') return;
    if (this.#isToPlay && here === this.here && here.rows.length) this.#playFirst();
    here.asked = d.asked ?? [];
    here.missed = [...new Set([...here.rows.length > d.rows.length ? here.missed ?? [] : [], ...d.missed ?? []])];
    // A late row that is the same track as an earlier one is another place of it.
    for (const { uri, places } of d.joined ?? []) {
      const row = here.rows.find(row => row.uri === uri);
      if (row) { row.places = places; this.rewrite(row) }
    }
    if (here.asked.length) this.#awaitOthers(here);
  }
  /** The rows of one answer by kind. Those of a later answer come behind all others, so that nothing moves under a finger. */
  #grouped(rows, isFirst) {
    const [best, ...others] = isFirst ? rows : [null, ...rows];
    others.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
    return best ? [best, ...others] : others;
  }
  form(here) {
    this.list.classList.toggle('chips', here.kind === 'home');
    return here.kind === 'home' ? { count: here.length, columns: this.scroller.clientWidth < 560 ? 3 : 5, high: 52 } : super.form(here);
  }
  breaks(here) {
    if (here.kind !== 'search') return super.breaks(here);
    if (here.length < 3) return [];
    const breaks = [{ from: 0, text: 'Best result' }];
    for (let index = 1; index < here.length; index++) {
      const text = groups[here.rows[index].kind];
      if (text !== breaks.at(-1).text) breaks.push({ from: index, text });
    }
    return breaks;
  }
  /**
   * The rows of servers that had not answered yet come behind those that are shown. This question waits at the hub, so it is
   * asked beside those of the next keystrokes.
   */
  async #awaitOthers(here) {
    const { q, cursor } = here;
    here.late = cursor;
    const res = await this.hub.press('lib.search', this.#available.asked({ q, limit: pageOfRows, cursor }), { silent: true });
    // Another search, or the same one again, took the place of this one.
    if (here.q !== q || here.late !== cursor) return;
    here.late = null;
    if (res.ok) this.take(here, res.d ?? { rows: [] });
    else [here.missed, here.asked, here.cursor] = [[...here.missed, ...here.asked], [], null];
    if (here === this.here) this.show();
  }
  ask(anew = !this.here.isKnown) {
    if (anew) this.here.late = null; else if (this.here.late) return;
    return super.ask(anew);
  }
  show() {
    super.show();
    const { here } = this, hasRows = here.isKnown && here.length > 0, isGridKind = here.kind === 'browse' && ['album', 'artist'].includes(here.rows[0]?.kind);
    this.#home.element.hidden = here.kind !== 'home' || this.isEmpty(here);
    if (here.kind === 'home' && hasRows && this.isOpen) this.#home.show(here.shelves);
    this.#look.hidden = !isGridKind;
    this.#look.replaceChildren(icon(recall('look') === 'list' ? 'presets' : 'queue'));
    mark(this.#look, 'aria-label', recall('look') === 'list' ? 'Show covers' : 'Show a list');
    this.#letters.element.hidden = !(sorted.includes(here.uri) && here.length > 60 && ['name', 'artist', undefined].includes(here.sort));
    this.element.classList.toggle('lettered', !this.#letters.element.hidden);
    if (this.here.kind !== 'search') this.#field.value = '';
    else if (this.#field.value.trim() !== this.here.q) this.#field.value = this.here.q;
  }

  way(here) {
    this.#sort.value = here.sort ?? 'name';
    return [...super.way(here), make('span', { class: 'order' }, ...sorted.includes(here.uri) ? [make('label', {}, this.#sort)] : [], this.#look)];
  }
  /** Tiles or rows, for all places of this device. */
  #changeLook() {
    buzz();
    remember('look', recall('look') === 'list' ? 'grid' : 'list');
    this.virtual.clear();
    this.show();
  }
  /** A row by number, from the hub if it was not read yet. */
  async #rowOf(index) {
    const { here } = this;
    if (here.rows[index]) return here.rows[index];
    const [m, p] = this.request(here), found = await this.hub.ask(m, { ...p, from: index, limit: 1 });
    return found?.rows[0];
  }
  make(row, here) { return here.kind === 'home' ? chip(row) : super.make(row, here) }
  open(row) {
    const list = items.listOf(row.uri ?? '');
    if (row.uri === items.shelf('playlists')) location.hash = addressOf('lists');
    else if (row.uri && items.list(list) === row.uri) location.hash = addressOf('lists', { list });
    else if (row.kind === 'album' && !row.uri) this.visit({ album: row.title, artist: row.albumArtist });
    else super.open(row);
  }
  #order() {
    Object.assign(this.here, { sort: this.#sort.value, cursor: null });
    this.scroller.scrollTop = 0;
    this.ask(true);
  }

  // ---- The section `lib`.
  draw(view) {
    const { lib } = this.hub.said;
    this.#drawScan(lib?.scan);
    // During a scan the visible rows are requested again from time to time, but not at every file.
    if (lib && lib.rev !== this.#rev && this.isOpen && this.hub.live) {
      const isFirst = this.#rev === null, now = performance.now();
      if (isFirst || now - this.#renewAt > (lib.scan ? 4000 : 500)) {
        [this.#rev, this.#renewAt] = [lib.rev, now];
        if (!isFirst && this.scroller.scrollTop < this.rowHeight) this.renew();
      }
    }
    this.#available.draw(this.hub);
    super.draw(view);
  }
  #drawScan(scan) {
    this.#scan.hidden = !scan;
    if (!scan) return;
    const { done = 0, total, failed } = scan, part = total ? Math.min(1, done / total) : 0;
    this.#bar.style.transform = `scaleX(${part.toFixed(3)})`;
    const of = total ? ` of ${total.toLocaleString('en')}` : '', bad = failed ? `, ${failed} could not be read` : '';
    put(this.#scanWords, `Reading your music: ${done.toLocaleString('en')}${of} files${bad}`);
    mark(this.#scan, 'aria-valuenow', done);
    mark(this.#scan, 'aria-valuemax', total);
  }
  /** Which servers are still asked, and which did not answer, below the rows. */
  #others(here) {
    const titles = names => names.map(name => whereIs(this.hub, `${name}:`)).join(', ');
    return here.kind !== 'search' ? '' : here.asked?.length ? `Asking ${titles(here.asked)}…`
      : here.missed?.length ? `Without ${titles(here.missed)}, which did not answer in time.` : '';
  }
  sayWhatIs() {
    put(this.#more, this.#others(this.here));
    if (this.hub.said.lib === undefined && this.here.kind === 'home' && this.here.isKnown && !this.here.length) this.here.problem ??= noLibrary;
    super.sayWhatIs();
  }
  /** The home page has shelves even when the library is empty. */
  isEmpty(here) { return super.isEmpty(here) || here.kind === 'home' && this.hub.said.lib?.tracks === 0 }
  emptyWords(here) {
    if (here.kind === 'search') return here.isFresh || here.asked?.length ? null : `No results for ${here.title}. Fewer or shorter words find more.`;
    const { lib } = this.hub.said;
    if (lib?.scan) return 'The first tracks appear in a moment.';
    return lib?.tracks === 0 ? this.#invitation() : super.emptyWords(here);
  }
  /** An empty library says how to add music; an admin can do so here. */
  #invitation() {
    const isAdmin = this.hub.role === 'admin';
    if (this.#invited?.isAdmin === isAdmin) return this.#invited;
    const words = isAdmin ? 'Your library is empty. Add a folder of the hub’s machine with music in it:'
      : 'Your library is empty. An admin can add music on the hub’s machine: baton library add FOLDER, or this page as opened by “baton web”.';
    const invited = make('div', { 'data-said': words }, make('p', {}, words));
    if (isAdmin) import('./folders.js').then(({ Folders }) => {
      const folders = new Folders(this.hub, this.say);
      invited.append(folders.element);
      folders.read();
    }, () => { });
    return this.#invited = Object.assign(invited, { isAdmin });
  }
}
