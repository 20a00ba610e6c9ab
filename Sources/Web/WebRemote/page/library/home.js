// Where the library begins: rows of covers. What each shows is asked for when the library is opened, and again when it
// has changed; shelves of servers are asked for only when they are scrolled to.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { continueFrom, continueWords, savedQueues } from '../playing/continue.js';
import { titleOf } from '../parts/items.js';
import { keepRows, lastRows } from './lastrows.js';
import { make, icon } from '../parts/parts.js';
import { ListStrip } from '../playlists/liststrip.js';
import { Mixes } from './mixes.js';
import { addressOf } from '../shell/route.js';
import { sourceOf, titleOf as titleOfSource } from './sources.js';
import { Strip } from '../parts/strip.js';
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

export class Home {
  #hub; #say; #told; #strips = []; #shelves = ''; #observer; #continue; #mixes;
  /** `told` has `clicked(row, what, place)`: a tile was pressed. */
  constructor(hub, say, told) {
    [this.#hub, this.#say, this.#told] = [hub, say, told];
    this.element = make('div', { class: 'home' });
    this.#mixes = new Mixes(hub, say);
    this.#observer = new IntersectionObserver(entries =>
      { for (const { isIntersecting, target } of entries) if (isIntersecting) this.#read(target.strip) },
      { rootMargin: '200px' });
  }
  /** `shelves` are the rows of all sources' shelves. */
  show(shelves) {
    const has = name => shelves.some(row => row.uri === items.shelf(name)),
      shelf = (name, sort) => ({ uri: items.shelf(name), sort });
    const others = shelves.filter(row => sourceOf(this.#hub, row.uri)),
      told = JSON.stringify([shelves.map(row => row.uri), !!this.#hub.said.pl, !!this.#hub.said.radio?.list.length]);
    if (told === this.#shelves) return this.renew();
    this.#shelves = told;
    this.#observer.disconnect();
    this.#continue = this.#strip(t('home.continue'), null, null);
    const heard = name => shelves.some(row => row.uri === `place:shelf/${name}`)
      ? this.#strip(t(`shelf.${name}`), { uri: `place:shelf/${name}` }) : null;
    this.#strips = [
      heard('continue'),
      heard('next'),
      has('recent') ? this.#strip(t('shelf.recent'), shelf('recent'), albumsOf) : null,
      has('albums') ? this.#strip(t('shelf.added'), shelf('albums', 'added')) : null,
      has('books') ? this.#strip(t('home.books'), shelf('books', 'added')) : null,
      this.#hub.said.pl ? this.#lists() : null,
      has('favourites') ? this.#strip(t('shelf.favourites'), shelf('favourites')) : null,
      this.#radio(shelves),
      has('albums') ? this.#strip(t('shelf.most'), shelf('albums', 'plays'), rows => rows.filter(row => row.plays))
        : null,
      heard('again'),
      ...others.map(row => Object.assign(this.#strip(`${titleOfSource(sourceOf(this.#hub, row.uri))}: ${titleOf(row)}`,
        { uri: row.uri }), { isElsewhere: true })),
    ].filter(Boolean);
    this.element.replaceChildren(this.#continue.element,
      ...this.#strips.filter(strip => !strip.isElsewhere).map(strip => strip.element),
      this.#mixes.element, ...this.#strips.filter(strip => strip.isElsewhere).map(strip => strip.element));
    this.#mixes.element.hidden = !this.#hub.said.lib?.tracks;
    this.#readAll();
  }
  /** The presets of the radio; while there is none, the stations. */
  #radio(shelves) {
    const { n = 0, list = [] } = this.#hub.said.radio ?? {},
      uri = `radio:shelf/${list.length ? 'presets' : 'stations'}`;
    return n && shelves.some(row => row.uri === uri)
      ? this.#strip(t('radio.name'), { uri }, rows => rows, addressOf('radio')) : null;
  }
  /** One's own rows appear together, so that none moves another; those of servers when they are scrolled to. */
  async #readAll() {
    this.drawContinue();
    const own = this.#strips.filter(strip => !strip.isElsewhere);
    this.element.classList.toggle('waiting', own.some(strip => !strip.isFilled));
    await Promise.all(own.map(strip => this.#read(strip)));
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
  #lists() {
    return Object.assign(new ListStrip(this.#hub, this.#told.clicked), { choose: rows => rows, isRead: false });
  }
  #strip(title, place, choose = rows => rows, address = undefined) {
    const strip = new Strip(this.#hub, title, { place, clicked: this.#told.clicked, address });
    return Object.assign(strip, { choose, isRead: false });
  }
  async #read(strip) {
    if (!strip?.place || strip.isRead) return;
    const { live } = this.#hub;
    strip.isRead = live;
    const found = live ? await strip.read() : strip.isFilled ? null : await lastRows(strip.question);
    if (!found) strip.isRead = false;
    else if (live || !this.#hub.live) strip.fill(strip.choose(found.rows));
    if (found && live) keepRows(strip.question, { rows: found.rows });
  }
  /** Queues that servers keep, to go on with. */
  drawContinue() {
    const kept = savedQueues(this.#hub, this.#hub.view()),
      told = JSON.stringify(kept.map(source => [source.name, continueWords(source)]));
    this.#continue.element.hidden = !kept.length;
    if (told === this.#continue.told) return;
    this.#continue.told = told;
    this.#continue.list.replaceChildren(...kept.map(source => make('li', { class: 'tile' },
      make('button', { class: 'row', 'data-needs': 'remote',
        onclick: () => continueFrom(this.#hub, this.#say, source) },
      make('span', { class: 'art', 'aria-hidden': 'true' }, icon('play')),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, continueWords(source)),
        make('small', {}, t('play.from', { name: titleOfSource(source) })))))));
  }
}
