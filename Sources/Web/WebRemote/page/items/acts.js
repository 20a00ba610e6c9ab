// The actions on an item: play, add to the queue, add to a playlist, favourite, rate.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { nameOf, playedAs } from './items.js';
import { buzz } from '../parts/parts.js';
import { actLine, closeSheet, openSheet, styled } from '../parts/sheet.js';
import { sourceOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';

/** Everything plays, in a new order each time. */
const shuffled = { shuffle: true, repeat: true, single: 'off' };

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
  hub; say;
  /** Called when favourite or stars of a row have changed. */
  changed = () => { };
  /** Called when the list that shows a row is another. */
  edited = () => { };
  constructor(hub, say) { [this.hub, this.say] = [hub, say] }
  press(m, p, more = {}) { buzz(); return this.hub.press(m, p, { key: token(6), ...more }) }

  /** Plays the item now and keeps the queue behind it. */
  async now(row) {
    const res = await this.press('queue.add', { uris: [playedAs(row)], at: 'next' }), entry = res.queue?.ids?.[0];
    if (!res.ok || !entry) return;
    const jumped = await this.hub.press('jump', { entry }, { kind: 'skip' });
    if (jumped.ok) this.say(t('item.playsNow', { name: nameOf(row) }), 3000);
  }
  /** Plays what holds the row, from this row on. Loaded with the first of them, since Home needs none of it. */
  async from(row, here) {
    const { playFrom } = await import('./playfrom.js');
    return playFrom(this.hub, this, this.say, row, here);
  }
  async add(row, at) {
    const res = await this.press('queue.add', { uris: [playedAs(row)], at });
    const n = res.queue?.ids?.length ?? 1, what = n === 1 ? nameOf(row) : t('item.tracksOf', { n, name: nameOf(row) });
    if (res.ok) this.say(t(at === 'next' ? 'item.isNext' : 'item.isAtEnd', { what }), 3000);
  }
  /** Of a server that knows what is like a track. */
  async similar(row) {
    const found = await this.hub.ask('lib.item', { uri: row.uri });
    if (!found?.similar) return this.say(t('item.nothingSimilar', { name: nameOf(row) }), 3000);
    const res = await this.press('queue.add', { uris: [found.similar], at: 'end' });
    if (res.ok) this.say(t('item.similarAtEnd', { n: res.queue?.ids?.length ?? 1, name: nameOf(row) }), 3000);
  }
  async all(row) {
    const res = await this.press('play', { uri: row.uri });
    if (res.ok) this.say(t('item.playsAll', { name: nameOf(row) }), 4000);
  }
  /** On this device alone. */
  async only(row) {
    (await import('../listening/onlyhere.js')).playOnlyHere(this.hub, this.say, { uri: playedAs(row) }, nameOf(row));
  }
  /** Starts with a random track, and plays the others in a new order each time. */
  async shuffle(row) {
    const index = Math.floor(Math.random() * Math.min(row.n ?? 1, 1000));
    const res = await this.press('play', { uri: row.uri, ...index ? { index } : {} });
    if (!res.ok) return;
    const { entry } = this.hub.view();
    if (index && entry) await this.press('queue.move', { ids: [entry], after: null });
    await this.hub.press('mode.set', shuffled, { kind: 'mode', guess: shuffled });
    this.say(t('item.playsShuffled', { name: nameOf(row) }), 3000);
  }
  #mark(row, change, m, p) {
    // A server that is away hears of it later; of others the hub says so where it takes longer.
    if ((sourceOf(this.hub, row.uri)?.state ?? 'ok') !== 'ok') change.pend = 1;
    const old = Object.fromEntries(Object.keys(change).map(name => [name, row[name]]));
    const show = marks => {
      Object.assign(row, marks);
      this.changed(row);
      // The item may be the one that plays.
      dispatchEvent(new CustomEvent('marked', { detail: row }));
    };
    show(change);
    buzz();
    return this.hub.press(m, { uri: row.uri, ...p }).then(res => { if (!res.ok) show(old) });
  }
  /** The track at one place is not that of the others: it gets a row of its own, for good. */
  async split(row, place) {
    const others = row.places.filter(uri => uri !== place);
    for (const uri of others) if (!(await this.press('lib.split', { uri, from: place })).ok) return;
    row.places = others;
    this.changed(row);
    this.say(t('item.areTwo', { name: nameOf(row) }), 4000);
  }
  favour(row, on = !row.fav) { return this.#mark(row, { fav: on ? 1 : undefined }, 'fav.set', { on }) }
  rate(row, stars) { return this.#mark(row, { stars: stars || undefined }, 'rate.set', { stars }) }

  // ---- The sheet, for actions that do not fit on a row.
  sheet(title, ...rows) { openSheet(title, ...rows) }
  close() { closeSheet() }
  line(text, sign, act, needs) { return actLine(text, sign, act, needs) }
  /** The menu of an item, which is loaded with the first of them. `more` are further buttons: `[text, icon, act]`. */
  more(row, ...more) {
    buzz();
    return this.#inMenu(menu => menu.openItemMenu(this, row, more));
  }
  /** Asks which playlist to add the item to, an existing or a new one. */
  choose(row) { return this.#inMenu(menu => menu.choosePlaylist(this, row)) }
  async #inMenu(open) {
    const [menu] = await Promise.all([import('./itemmenu.js').catch(() => null), styled()]);
    if (menu) await open(menu); else this.say(t('part.missing'));
  }
}
