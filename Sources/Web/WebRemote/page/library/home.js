// Where the library begins: rows of covers. What each shows is asked for when the library is opened, and again when it
// has changed; shelves of servers are asked for only when they are scrolled to.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { continueFrom, continueWords, savedQueues } from '../playing/continue.js';
import { titleOf } from '../items/items.js';
import { Keyed } from '../parts/keyed.js';
import { keepRows, lastRows } from './lastrows.js';
import { make, icon } from '../parts/parts.js';
import { ListStrip } from '../playlists/liststrip.js';
import { Mixes } from './mixes.js';
import { addressOf } from '../shell/route.js';
import { sourceOf, titleOf as titleOfSource } from '../servers/sources.js';
import { Strip } from '../items/strip.js';
import { t } from '../shell/translate.js';

/** One tile for each album of which tracks were heard: rows of tracks say no more of their album than its name. */
function albumsOf(rows) {
  const seen = new Map();
  for (const row of rows) {
    const name = row.kind === 'track' && row.album ? `${row.album}\n${row.albumArtist ?? row.artists?.[0]}` : row.uri;
    if (!seen.has(name)) seen.set(name, row.kind === 'track' && row.album
      ? { kind: 'album', title: row.album, albumArtist: row.albumArtist ?? row.artists?.[0], art: row.art, track: row }
      : row);
  }
  return [...seen.values()];
}

/** They come with the section `src`, and are kept as if they were asked for. */
const queuesTold = ['src', { continue: 1 }];

export class Home {
  #hub; #say; #told; #strips = []; #shelves = ''; #observer; #continue; #offers; #mixes; #sections;
  #hasShown = false;
  /** `told` has `clicked(row, what, place)`: a tile was pressed. */
  constructor(hub, say, told) {
    [this.#hub, this.#say, this.#told] = [hub, say, told];
    this.element = make('div', { class: 'home' });
    this.#mixes = new Mixes(hub, say);
    this.#continue = this.#strip({ name: 'saved', title: t('home.continue') });
    this.#offers = new Keyed(this.#continue.list, { key: source => source.name, make: source => this.#offer(source),
      after: () => { this.#continue.element.hidden = !this.#continue.list.firstChild } });
    this.#sections = new Keyed(this.element, { key: ({ name }) => name, draw: () => { }, after: () => this.#drawn(),
      make: one => one.element ?? this.#strip(one).element });
    this.#observer = new IntersectionObserver(entries =>
      { for (const { isIntersecting, target } of entries) if (isIntersecting) this.#read(target.strip) },
      { rootMargin: '200px' });
  }
  /** `shelves` are the rows of all sources' shelves. */
  show(shelves) {
    const has = name => shelves.some(row => row.uri === items.shelf(name));
    // A page that was opened without the hub was told of none.
    const hasLists = !this.#hub.live || !!this.#hub.said.pl;
    const others = shelves.filter(row => sourceOf(this.#hub, row.uri)),
      told = JSON.stringify([shelves.map(row => row.uri), hasLists, !!this.#hub.said.radio?.list.length]);
    if (told === this.#shelves) return this.renew();
    this.#shelves = told;
    const one = (title, uri, { sort, ...more } = {}) =>
      ({ name: `${uri} ${sort ?? ''}`, title, place: { uri, sort }, ...more });
    const own = (name, title, sort, choose) => has(name) ? one(t(title), items.shelf(name), { sort, choose }) : null;
    const heard = name => shelves.some(row => row.uri === `place:shelf/${name}`)
      ? one(t(`shelf.${name}`), `place:shelf/${name}`) : null;
    this.#sections.draw([
      { name: 'saved', element: this.#continue.element },
      heard('continue'),
      heard('next'),
      own('recent', 'shelf.recent', undefined, albumsOf),
      own('albums', 'shelf.added', 'added'),
      own('books', 'home.books', 'added'),
      hasLists ? one(t('lists.name'), items.shelf('playlists'), { isOfLists: true }) : null,
      own('favourites', 'shelf.favourites'),
      this.#radio(shelves, one),
      own('albums', 'shelf.most', 'plays', rows => rows.filter(row => row.plays)),
      has('albums') ? one(t('home.similar'), items.shelf('similar')) : null,
      { name: 'mixes', element: this.#mixes.element },
      heard('again'),
      ...others.map(row => one(`${titleOfSource(sourceOf(this.#hub, row.uri))}: ${titleOf(row)}`, row.uri,
        { isElsewhere: true })),
    ].filter(Boolean));
  }
  /** The rows of covers are there; those that were there before have their tiles. */
  #drawn() {
    this.#strips = this.#sections.elements.map(({ strip }) => strip).filter(strip => strip?.place);
    // A row that comes later takes its room when it has tiles.
    if (this.#hasShown)
      for (const strip of this.#strips) if (!strip.isFilled) strip.element.classList.add('bare');
    this.renew();
  }
  /** The presets of the radio; while there is none, the stations. */
  #radio(shelves, one) {
    const { n = 0, list = [] } = this.#hub.said.radio ?? {},
      uri = `radio:shelf/${list.length ? 'presets' : 'stations'}`;
    return n && shelves.some(row => row.uri === uri)
      ? one(t('radio.name'), uri, { address: addressOf('radio') }) : null;
  }
  /** One's own rows appear together, so that none moves another; those of servers when they are scrolled to. */
  async #readAll() {
    this.drawContinue();
    if (!this.#hub.live || this.#hub.said.lib?.tracks) this.#mixes.read();
    const own = this.#strips.filter(strip => !strip.isElsewhere);
    if (!this.#hasShown) this.element.classList.add('waiting');
    await Promise.all(own.map(strip => this.#read(strip)));
    // With rows that were added meanwhile, all of them wait for the answers to these.
    if (!this.#hasShown && this.#strips.some(strip => !strip.isElsewhere && !own.includes(strip))) return;
    this.#hasShown = true;
    this.element.classList.remove('waiting');
    for (const strip of this.#strips) if (strip.isElsewhere) this.#observer.observe(strip.element);
  }
  /** What is in sight is asked for again, and the old tiles stay until the answer. */
  renew() {
    for (const strip of this.#strips) {
      strip.isRead = false;
      this.#observer.unobserve(strip.element);
    }
    this.#readAll();
  }
  /** A row of covers; `choose` makes its rows of those that the hub has. */
  #strip({ title, place = null, choose = rows => rows, address, isElsewhere = false, isOfLists = false }) {
    if (isOfLists) return Object.assign(new ListStrip(this.#hub, this.#told.clicked), { choose, isRead: false });
    const strip = new Strip(this.#hub, title, { place, clicked: this.#told.clicked, address });
    return Object.assign(strip, { choose, isElsewhere, isRead: false });
  }
  async #read(strip) {
    if (!strip?.place || strip.isRead) return;
    const { live } = this.#hub;
    strip.isRead = live;
    const found = live ? await strip.read() : strip.isFilled ? null : await lastRows(strip.question);
    if (!found) {
      strip.isRead = false;
      // One of our own that the hub refuses keeps no room free.
      if (live && !strip.isElsewhere && !strip.isFilled) strip.element.classList.add('bare');
    } else if (live || !this.#hub.live) strip.fill(strip.choose(found.rows));
    if (found && live) keepRows(strip.question, { rows: found.rows });
  }
  /** Queues that servers keep, to go on with; while the hub is away, those that it told last. */
  async drawContinue() {
    const { live } = this.#hub, told = savedQueues(this.#hub, this.#hub.view());
    const rows = live || told.length ? told : (await lastRows(queuesTold))?.rows ?? [];
    if (live !== this.#hub.live) return;
    this.#offers.draw(rows);
    if (live) keepRows(queuesTold, { rows: told.map(({ name, title, continue: queue }) =>
      ({ name, title, continue: queue })) });
  }
  #offer(source) {
    return make('li', { class: 'tile' }, make('button', { class: 'row', 'data-needs': 'remote',
      onclick: () => continueFrom(this.#hub, this.#say, source) },
    make('span', { class: 'art', 'aria-hidden': 'true' }, icon('play')),
    make('span', { class: 'texts' }, make('b', { dir: 'auto' }, continueWords(source)),
      make('small', {}, t('play.from', { name: titleOfSource(source) })))));
  }
}
