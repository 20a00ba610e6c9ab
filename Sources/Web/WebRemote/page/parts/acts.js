// The actions on an item: play, add to the queue, add to a playlist, favourite, rate.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { field, needed } from './forms.js';
import { below, isContainer, nameOf, playedAs, quoted, titleOf } from './items.js';
import { keepLine } from '../library/keep.js';
import { albumAddress, artistAddress } from './links.js';
import { buzz, icon, make, mark, put } from './parts.js';
import { placeLines } from './places.js';
import { playFrom } from './playfrom.js';
import { keepPreset } from '../presets/presets.js';
import { actLine, closeSheet, linkLine, nameText, openLine, openSheet } from './sheet.js';
import { sourceOf, titleOf as titleOfSource } from '../library/sources.js';
import { stationLines } from '../radio/stations.js';
import { t } from '../shell/translate.js';

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
  /** Called when the list that shows a row is another. */
  edited = () => { };
  constructor(hub, say) { [this.#hub, this.#say] = [hub, say] }
  press(m, p) { buzz(); return this.#hub.press(m, p, { key: token(6) }) }

  /** Plays the item now and keeps the queue behind it. */
  async now(row) {
    const res = await this.press('queue.add', { uris: [playedAs(row)], at: 'next' }), entry = res.queue?.ids?.[0];
    if (!res.ok || !entry) return;
    const jumped = await this.#hub.press('jump', { entry }, { kind: 'skip' });
    if (jumped.ok) this.#say(t('item.playsNow', { name: nameOf(row) }), 3000);
  }
  /** Plays what holds the row, from this row on. */
  from(row, here) { return playFrom(this.#hub, this, this.#say, row, here) }
  async add(row, at) {
    const res = await this.press('queue.add', { uris: [playedAs(row)], at });
    const n = res.queue?.ids?.length ?? 1, what = n === 1 ? nameOf(row) : t('item.tracksOf', { n, name: nameOf(row) });
    if (res.ok) this.#say(t(at === 'next' ? 'item.isNext' : 'item.isAtEnd', { what }), 3000);
  }
  /** Of a server that knows what is like a track. */
  async similar(row) {
    const found = await this.#hub.ask('lib.item', { uri: row.uri });
    if (!found?.similar) return this.#say(t('item.nothingSimilar', { name: nameOf(row) }), 3000);
    const res = await this.press('queue.add', { uris: [found.similar], at: 'end' });
    if (res.ok) this.#say(t('item.similarAtEnd', { n: res.queue?.ids?.length ?? 1, name: nameOf(row) }), 3000);
  }
  async all(row) {
    const res = await this.press('play', { uri: row.uri });
    if (res.ok) this.#say(t('item.playsAll', { name: nameOf(row) }), 4000);
  }
  /** On this device alone. */
  async only(row) {
    (await import('../listening/onlyhere.js')).playOnlyHere(this.#hub, this.#say, { uri: playedAs(row) }, nameOf(row));
  }
  /** Starts with a random track, and plays the others in a new order each time. */
  async shuffle(row) {
    const index = Math.floor(Math.random() * Math.min(row.n ?? 1, 1000));
    const res = await this.press('play', { uri: row.uri, ...index ? { index } : {} });
    if (!res.ok) return;
    const { entry } = this.#hub.view();
    if (index && entry) await this.press('queue.move', { ids: [entry], after: null });
    await this.#hub.press('mode.set', { mode: 'shuffle' }, { kind: 'mode', guess: { mode: 'shuffle' } });
    this.#say(t('item.playsShuffled', { name: nameOf(row) }), 3000);
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
    this.#say(t('item.areTwo', { name: nameOf(row) }), 4000);
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
      ? [[t('item.playAll'), 'play', () => this.all(row), 'remote'],
        [t('item.shuffleAll'), 'shuffle', () => this.shuffle(row), 'remote'],
        [t('item.playNext'), 'playnext', () => this.add(row, 'next'), 'guest'],
        [t('item.addAll'), 'enqueue', () => this.add(row, 'end'), 'guest']]
      : [[t('item.playOnly'), 'play', () => this.now(row), 'remote'],
        [t('item.playNext'), 'playnext', () => this.add(row, 'next'), 'guest'],
        [t('item.addToEnd'), 'enqueue', () => this.add(row, 'end'), 'guest']];
    this.sheet(titleOf(row), make('p', { class: 'note', dir: 'auto' }, below(this.#hub, row)),
      ...row.away ? [] : lines.map(line => this.line(...line)),
      ...row.kind === 'track' && sourceOf(this.#hub, row.uri)?.can?.includes('similar')
        ? [this.line(t('item.addSimilar'), 'enqueue', () => this.similar(row))] : [],
      row.away || ['shelf', 'station'].includes(row.kind) ? null
        : this.line(t('only.name'), 'note', () => this.only(row), 'remote'),
      ...placeLines(this.#hub, this, row),
      row.kind === 'track' ? linkLine(t('item.toAlbum'), 'album', albumAddress(this.#hub, row)) : null,
      ['track', 'album'].includes(row.kind) ? linkLine(t('item.toArtist'), 'people', artistAddress(this.#hub, row))
        : null,
      ['book', 'episode'].includes(row.kind) ? openLine(t('progress.name'), 'clock', async () =>
        (await import('../playing/progress.js')).openProgress(this.#hub, this.#say, row),
      { 'data-do': 'progress', 'data-needs': 'remote' }) : null,
      ...keepLine(this.#hub, this, row, nameOf(row), this.#say),
      openLine(t('item.addToList'), 'queue', () => this.choose(row), { 'data-needs': 'remote' }),
      row.uri && row.kind !== 'shelf' ? openLine(t('item.asPreset'), 'presets', () => keepPreset(row, this.#say))
        : null,
      ...stationLines(this.#hub, this.#say, row, () => this.edited()),
      row.kind === 'podcast' ? make('button', { class: 'small act', 'data-do': 'podcast', onclick: async () =>
        (await import('../library/podcasts.js')).openPodcast(this.#hub, this.#say, row, () => this.edited()) },
        icon('radio'), make('span', {}, t('podcasts.one'))) : null,
      // A hub marks no shelf; a mark from before can be taken away.
      ...more.map(line => this.line(...line)), row.kind !== 'shelf' || row.fav ? this.#favourite(row) : null,
      ...row.kind === 'track' ? [this.#stars(row)] : []);
  }
  #favourite(row) {
    const isStation = row.kind === 'station',
      [on, off] = isStation ? ['radio.isPreset', 'radio.makePreset'] : ['item.isFavourite', 'item.makeFavourite'];
    const text = make('span'), press = () => { this.favour(row).then(draw); draw() };
    const button = openLine(text, isStation ? 'star' : 'heart', press, { 'data-do': 'fav', 'data-needs': 'remote' });
    const draw = () => { mark(button, 'aria-pressed', !!row.fav); put(text, t(row.fav ? on : off)) };
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
      role: 'radio', 'data-needs': 'remote', 'aria-label': t('count.stars', { n }), onclick: () => {
        this.rate(row, row.stars === n ? 0 : n).then(draw);
        draw();
      },
    }, icon('star')));
    draw();
    return make('div', { class: 'stars', role: 'radiogroup', 'aria-label': t('item.rating') }, ...buttons);
  }
  /** Asks which playlist to add the item to, an existing or a new one. */
  async choose(row) {
    const found = await this.#hub.ask('pl.list', {}),
      name = make('input', { maxlength: 64, autocomplete: 'off', placeholder: t('list.example'),
        ...needed(t('list.needsName')) });
    const { choices } = await import('../playlists/serverlists.js'), there = await choices(this.#hub);
    const add = async (list, title) => {
      this.close();
      const res = await this.press('pl.edit', { ...list, ops: [{ add: [playedAs(row)] }] });
      if (res.ok) this.#say(t('list.hasIt', { name: nameOf(row), list: quoted(title) }), 3000);
    };
    const create = async event => {
      event.preventDefault();
      const title = name.value.trim();
      this.close();
      const res = await this.press('pl.create', { name: title, uris: [playedAs(row)] });
      if (res.ok) this.#say(t('list.isNew', { name: nameOf(row), list: quoted(title) }), 3000);
    };
    this.sheet(t('list.addTo', { name: nameOf(row) }), ...(found?.rows ?? []).filter(list => !list.smart).map(list =>
      openLine(nameText(list.name), 'queue', () => add({ id: list.id }, list.name))),
    ...there.map(list => {
      const at = make('small', {}, t('source.at', { source: titleOfSource(sourceOf(this.#hub, list.uri)) }));
      const button = openLine(nameText(titleOf(list)), 'queue', () => add({ list: list.uri }, titleOf(list)),
        { 'data-list': list.uri });
      button.append(at);
      return button;
    }), make('form', { class: 'pair', onsubmit: create }, field(t('list.new'), name),
      make('button', { class: 'small' }, t('create'))));
  }
}
