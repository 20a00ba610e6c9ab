// The library: search as you type, shelves to browse, and the progress of a scan.

import { noLibrary, pageOfRows } from './asking.js';
import { items } from './baton.js';
import { Home } from './home.js';
import { Acts, isContainer } from './items.js';
import { availableButton } from './keep.js';
import { Letters } from './letters.js';
import { lookUp } from './links.js';
import { buzz, icon, make, mark, put } from './parts.js';
import { byKind, resultHeadings } from './results.js';
import { addressOf } from './route.js';
import { changeLook, mayBeGrid, prefersList } from './rowforms.js';
import { Scan } from './scan.js';
import { styled } from './sheet.js';
import { Shelves } from './shelves.js';
import { sourceOf, whereIs } from './sources.js';
import { chip } from './tile.js';
import { place } from './trail.js';

const sorts = { name: 'by name', artist: 'by artist', year: 'by year', added: 'newest first', plays: 'most played', stars: 'best rated' };
const heads = ['favourites', 'recent', 'most', 'added'].map(items.shelf);
const sorted = ['albums', 'tracks', 'artists'].map(items.shelf);

export class Library extends Shelves {
  #field; #isToPlay = false; #scan; #rev = null; #renewAt = 0; #sort; #more; #home; #letters; #look; #available;
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
    this.#scan = new Scan();
    this.above.prepend(this.#scan.element);
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

  focus() { this.#field.focus(); this.#field.select() }
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
      here.shelves = [...here.rows.length ? here.shelves : [], ...d.rows];
      d = { ...d, rows: d.rows.filter(row => !sourceOf(this.hub, row.uri) && !heads.includes(row.uri)) };
      if (!d.cursor && this.hub.said.pl && !here.rows.concat(d.rows).some(row => row.uri === items.shelf('playlists'))) d.rows.push({ uri: items.shelf('playlists'), kind: 'shelf', title: 'Lists' });
    }
    super.take(here, here.kind === 'search' ? { ...d, rows: byKind(d.rows, !here.rows.length) } : d, from);
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
  form(here) {
    this.list.classList.toggle('chips', here.kind === 'home');
    return here.kind === 'home' ? { count: here.length, columns: this.scroller.clientWidth < 560 ? 3 : 5, high: 52 } : super.form(here);
  }
  breaks(here) { return here.kind === 'search' ? resultHeadings(here) : super.breaks(here) }
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
    const { here } = this, hasRows = here.isKnown && here.length > 0;
    this.#home.element.hidden = here.kind !== 'home' || this.isEmpty(here);
    if (here.kind === 'home' && hasRows && this.isOpen) this.#home.show(here.shelves);
    this.#look.hidden = !mayBeGrid(here);
    this.#look.replaceChildren(icon(prefersList() ? 'presets' : 'queue'));
    mark(this.#look, 'aria-label', prefersList() ? 'Show covers' : 'Show a list');
    this.#letters.element.hidden = !(sorted.includes(here.uri) && here.length > 60 && ['name', 'artist', undefined].includes(here.sort));
    this.element.classList.toggle('lettered', !this.#letters.element.hidden);
    if (this.here.kind !== 'search') this.#field.value = '';
    else if (this.#field.value.trim() !== this.here.q) this.#field.value = this.here.q;
  }

  way(here) {
    this.#sort.value = here.sort ?? 'name';
    return [...super.way(here), make('span', { class: 'order' }, ...sorted.includes(here.uri) ? [make('label', {}, this.#sort)] : [], this.#look)];
  }
  #changeLook() {
    buzz();
    changeLook();
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
    this.#scan.draw(lib?.scan);
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
    return lib?.tracks === 0 ? this.#scan.invitation(this.hub, this.say) : super.emptyWords(here);
  }
}
