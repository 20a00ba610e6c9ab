// An item as a row, and the actions on it: play, add to the queue, add to a playlist, favourite, rate.

import { token } from './baton.js';
import { artAddress } from './cover.js';
import './icons.js';
import { keepLine, keptWords, markKept } from './keep.js';
import { buzz, icon, make, mark, put, spell } from './parts.js';
import { albumAddress, artistAddress } from './links.js';
import { placeLines } from './places.js';
import { playFrom } from './playfrom.js';
import { keepPreset } from './presets.js';
import { actLine, closeSheet, linkLine, openSheet } from './sheet.js';
import { fromWhere, sourceOf, titleOf as titleOfSource, whyAway } from './sources.js';

const signs = { album: 'album', artist: 'people', genre: 'genre', folder: 'folder', playlist: 'queue', shelf: 'shelf' };
const shelves = { albums: 'album', artists: 'people', genres: 'genre', folders: 'folder', tracks: 'note', favourites: 'heart', playlists: 'queue', random: 'shuffle', most: 'star' };
export const signOf = row => row.kind === 'shelf' && shelves[row.uri?.split('/').at(-1)] || signs[row.kind] || 'note';
export const isContainer = row => row.kind in signs;
const kinds = { album: 'Album', artist: 'Artist', genre: 'Genre', folder: 'Folder', playlist: 'Playlist' };
/** The uri under which a row is played: the best of its places. */
export const playedAs = row => row.places?.[0] ?? row.uri;
export const titleOf = row => row.title || row.uri || 'Untitled';
export const nameOf = row => `“${titleOf(row).slice(0, 80)}”`;
export const many = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

/** The second line of a row: stars, kind, artist (but the one that all rows have), album or year; where there are servers, whose item it is. */
export function below(hub, row, { isMixed = true, isInAlbum = false, artist = null, isFromElsewhere = true } = {}) {
  const all = (row.artists?.length ? row.artists : [row.albumArtist]).filter(Boolean).join(', '), artists = all === artist ? '' : all;
  // A shelf counts its items, which need not be tracks.
  const inside = row.n === undefined ? null : row.kind === 'shelf' ? `${row.n}` : many(row.n, 'track');
  const from = isFromElsewhere || row.places?.length > 1 ? fromWhere(hub, row) : null;
  const what = isContainer(row) ? [isMixed ? kinds[row.kind] : null, artists, from, row.year, inside, row.smart ? 'fills itself' : null] : [artists, from, isInAlbum ? null : row.album];
  const stars = row.stars ? '★'.repeat(row.stars) : null;
  const source = row.pend ? sourceOf(hub, row.uri) : null, pend = row.pend ? `Not yet sent to ${source ? titleOfSource(source) : 'its server'}` : null;
  return [pend, row.away ? whyAway(hub, row) : null, keptWords(row), stars, ...what].filter(Boolean).join(' · ');
}

/** A box for a picture, with the icon of its kind until the picture has loaded. */
function picture(row, number) {
  const box = make('span', { class: 'art', 'aria-hidden': 'true' });
  if (number) box.append(make('span', { class: 'place' }, `${number}`));
  else box.append(icon(signOf(row)));
  if (row.art && !number) {
    const image = make('img', { alt: '', loading: 'lazy', decoding: 'async', draggable: 'false', width: 44, height: 44, src: artAddress(row.art, 44) });
    image.onerror = () => image.remove();
    box.append(image);
  }
  return box;
}

/**
 * The row of an item. `tools` are its buttons; `number` takes the place of its picture; `isMixed` shows the kind of each item,
 * `isFromElsewhere` that it may be another source's than its neighbours.
 */
export function itemRow(hub, row, { number = null, tools = ['fav', 'more'], ...shows } = {}) {
  const title = titleOf(row), opens = isContainer(row), small = below(hub, row, { isMixed: false, ...shows });
  const element = make('li', { class: row.away ? 'away' : null, 'data-entry': row.entry },
    make('button', { class: 'row', 'data-do': 'main', 'aria-label': `${opens ? 'Open' : 'Play'} ${title}${small ? `, ${small}` : ''}` },
      picture(row, number),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, title), make('small', { dir: 'auto' }, small)),
      make('span', { class: 'length' }, row.durMs ? spell(row.durMs) : '')),
    ...tools.map(name => tool(name, row, title)));
  element.row = row;
  markKept(element, row);
  return element;
}
const toolTexts = {
  fav: ['heart', title => `Favourite: ${title}`], more: ['dots', title => `More for ${title}`],
  remove: ['x', title => `Remove ${title}`], move: ['grip', title => `Move ${title}: arrow up or down`],
};
function tool(name, row, title) {
  const [sign, label] = toolTexts[name];
  // A shelf cannot be a favourite.
  const button = make('button', { class: name === 'move' ? 'tool grip' : 'tool', 'data-do': name, 'aria-label': label(title) }, icon(sign));
  if (name === 'fav') { mark(button, 'aria-pressed', !!row.fav); button.classList.toggle('pending', !!row.pend) }
  if (row.kind === 'shelf') button.style.visibility = 'hidden';
  return button;
}

/** Item URIs in parts that each fit into one message. */
export function* parts(uris) {
  let part = [], bytes = 0;
  for (const uri of uris) {
    if (part.length && (part.length >= 500 || bytes + uri.length * 2 > 10000)) { yield part; [part, bytes] = [[], 0] }
    part.push(uri);
    bytes += uri.length * 2 + 8;
  }
  if (part.length) yield part;
}

/** The actions on an item. Each change is one command with a key, and is confirmed by one sentence. */
export class Acts {
  #hub; #say;
  /** Called when favourite or stars of a row have changed. */
  changed = () => { };
  constructor(hub, say) { [this.#hub, this.#say] = [hub, say] }
  press(m, p) { buzz(); return this.#hub.press(m, p, { key: token(6) }) }

  /** Plays the item now and keeps the queue behind it. */
  async now(row) {
    const res = await this.press('queue.add', { uris: [playedAs(row)], at: 'next' }), entry = res.queue?.ids?.[0];
    if (!res.ok || !entry) return;
    const jumped = await this.#hub.press('jump', { entry }, { kind: 'skip' });
    if (jumped.ok) this.#say(`${nameOf(row)} plays now. The queue goes on behind it.`, 3000);
  }
  /** Plays what holds the row, from this row on. */
  from(row, here) { return playFrom(this.#hub, this, this.#say, row, here) }
  async add(row, at) {
    const res = await this.press('queue.add', { uris: [playedAs(row)], at });
    const n = res.queue?.ids?.length ?? 1, what = n === 1 ? nameOf(row) : `${many(n, 'track')} of ${nameOf(row)}`;
    if (res.ok) this.#say(at === 'next' ? `${what} next.` : `${what} at the end of the queue.`, 3000);
  }
  /** Of a server that knows what is like a track. */
  async similar(row) {
    const found = await this.#hub.ask('lib.item', { uri: row.uri });
    if (!found?.similar) return this.#say(`Nothing like ${nameOf(row)} was found.`, 3000);
    const res = await this.press('queue.add', { uris: [found.similar], at: 'end' });
    if (res.ok) this.#say(`${many(res.queue?.ids?.length ?? 1, 'track')} like ${nameOf(row)} at the end of the queue.`, 3000);
  }
  async all(row) {
    const res = await this.press('play', { uri: row.uri });
    if (res.ok) this.#say(`${nameOf(row)} plays. Undo in the queue brings back what was there.`, 4000);
  }
  /** Starts with a random track, and plays the others in a new order each time. */
  async shuffle(row) {
    const index = Math.floor(Math.random() * Math.min(row.n ?? 1, 1000));
    const res = await this.press('play', { uri: row.uri, ...index ? { index } : {} });
    if (!res.ok) return;
    const { entry } = this.#hub.view();
    if (index && entry) await this.press('queue.move', { ids: [entry], after: null });
    await this.#hub.press('mode.set', { mode: 'shuffle' }, { kind: 'mode', guess: { mode: 'shuffle' } });
    this.#say(`${nameOf(row)} plays, shuffled.`, 3000);
  }
  #mark(row, change, m, p) {
    // A server that is away hears of it later; of others the hub says so where it takes longer.
    if ((sourceOf(this.#hub, row.uri)?.state ?? 'ok') !== 'ok') change.pend = 1;
    const old = Object.fromEntries(Object.keys(change).map(name => [name, row[name]]));
    Object.assign(row, change);
    this.changed(row);
    buzz();
    return this.#hub.press(m, { uri: row.uri, ...p }).then(res => {
      if (!res.ok) { Object.assign(row, old); this.changed(row) }
    });
  }
  /** The track at one place is not that of the others: it gets a row of its own, for good. */
  async split(row, place) {
    const others = row.places.filter(uri => uri !== place);
    for (const uri of others) if (!(await this.press('lib.split', { uri, from: place })).ok) return;
    row.places = others;
    this.changed(row);
    this.#say(`${nameOf(row)} and that track are two rows from now on.`, 4000);
  }
  favour(row, on = !row.fav) { return this.#mark(row, { fav: on ? 1 : undefined }, 'fav.set', { on }) }
  rate(row, stars) { return this.#mark(row, { stars: stars || undefined }, 'rate.set', { stars }) }

  // ---- The sheet, for actions that do not fit on a row.
  sheet(title, ...rows) { openSheet(title, ...rows) }
  close() { closeSheet() }
  line(text, sign, act, needs) { return actLine(text, sign, act, needs) }
  /** `more` are further buttons: `[text, icon, act]`. */
  more(row, ...more) {
    buzz();
    const opens = isContainer(row), lines = opens
      ? [['Play all', 'play', () => this.all(row), 'remote'], ['Shuffle all', 'shuffle', () => this.shuffle(row), 'remote'], ['Play next', 'playnext', () => this.add(row, 'next'), 'guest'],
        ['Add all to the end', 'enqueue', () => this.add(row, 'end'), 'guest']]
      : [['Play only this', 'play', () => this.now(row), 'remote'], ['Play next', 'playnext', () => this.add(row, 'next'), 'guest'], ['Add to the end', 'enqueue', () => this.add(row, 'end'), 'guest']];
    this.sheet(titleOf(row), make('p', { class: 'note', dir: 'auto' }, below(this.#hub, row)),
      ...row.away ? [] : lines.map(line => this.line(...line)),
      ...row.kind === 'track' && sourceOf(this.#hub, row.uri)?.can?.includes('similar') ? [this.line('Add similar tracks', 'enqueue', () => this.similar(row))] : [],
      ...placeLines(this.#hub, this, row),
      row.kind === 'track' ? linkLine('Go to the album', 'album', albumAddress(this.#hub, row)) : null,
      ['track', 'album'].includes(row.kind) ? linkLine('Go to the artist', 'people', artistAddress(this.#hub, row)) : null,
      ...keepLine(this.#hub, this, row, nameOf(row), this.#say),
      make('button', { class: 'small act', 'data-needs': 'remote', onclick: () => this.choose(row) }, icon('queue'), make('span', {}, 'Add to a list…')),
      // A line that closes the sheet would leave no time to open another.
      row.uri && row.kind !== 'shelf' ? make('button', { class: 'small act', onclick: () => keepPreset(row, this.#say) }, icon('presets'), make('span', {}, 'Keep as a preset…')) : null,
      ...more.map(line => this.line(...line)), this.#favourite(row), ...row.kind === 'track' ? [this.#stars(row)] : []);
  }
  #favourite(row) {
    const text = make('span'), button = make('button', { class: 'small act', 'data-do': 'fav', 'data-needs': 'remote' }, icon('heart'), text);
    const draw = () => { mark(button, 'aria-pressed', !!row.fav); put(text, row.fav ? 'A favourite' : 'Make it a favourite') };
    button.onclick = () => { this.favour(row).then(draw); draw() };
    draw();
    return button;
  }
  #stars(row) {
    const draw = () => buttons.forEach((button, index) => {
      mark(button, 'aria-checked', index + 1 === (row.stars ?? 0));
      button.classList.toggle('lit', index < (row.stars ?? 0));
    });
    // Choosing the same star again removes the rating.
    const buttons = [1, 2, 3, 4, 5].map(n => make('button', {
      role: 'radio', 'data-needs': 'remote', 'aria-label': many(n, 'star'), onclick: () => { this.rate(row, row.stars === n ? 0 : n).then(draw); draw() },
    }, icon('star')));
    draw();
    return make('div', { class: 'stars', role: 'radiogroup', 'aria-label': 'Rating' }, ...buttons);
  }
  /** Asks which playlist to add the item to, an existing or a new one. */
  async choose(row) {
    const found = await this.#hub.ask('pl.list', {}), name = make('input', { maxlength: 64, autocomplete: 'off', placeholder: 'Sunday morning' });
    const { choices } = await import('./serverlists.js'), there = await choices(this.#hub);
    const add = async (list, title) => {
      this.close();
      const res = await this.press('pl.edit', { ...list, ops: [{ add: [playedAs(row)] }] });
      if (res.ok) this.#say(`${nameOf(row)} is in “${title}”.`, 3000);
    };
    const create = async event => {
      event.preventDefault();
      const title = name.value.trim();
      if (!title) return this.#say('A list needs a name.');
      this.close();
      const res = await this.press('pl.create', { name: title, uris: [playedAs(row)] });
      if (res.ok) this.#say(`“${title}” is a list now, with ${nameOf(row)}.`, 3000);
    };
    this.sheet(`Add ${nameOf(row)} to`, ...(found?.rows ?? []).filter(list => !list.smart).map(list =>
      make('button', { class: 'small act', onclick: () => add({ id: list.id }, list.name) }, icon('queue'), make('span', { dir: 'auto' }, list.name))),
    ...there.map(list => make('button', { class: 'small act', 'data-list': list.uri, onclick: () => add({ list: list.uri }, titleOf(list)) },
      icon('queue'), make('span', { dir: 'auto' }, titleOf(list)), make('small', {}, `at ${titleOfSource(sourceOf(this.#hub, list.uri))}`))),
      make('form', { class: 'pair', onsubmit: create }, make('label', { class: 'line' }, 'New list', name), make('button', { class: 'small' }, 'Create')));
  }
}
