// What this device carries, played by itself: a sheet with the items and the controls of the one that plays, on a watch
// too. It needs no hub, and reports to it how far it has come.

import { isSpoken, token } from '../../../../../examples/browser/client/baton-basics.js';
import { carried, drop, keepPlace, soundOf } from './carried.js';
import { twice } from '../parts/forms.js';
import { titleOf } from '../items/items.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, mark, put, showIcon, spell } from '../parts/parts.js';
import { report } from './placereports.js';
import { openSheet, styled } from '../parts/sheet.js';
import { turn } from '../shell/state.js';
import { t } from '../shell/translate.js';

const everyMs = 20000, leastMs = 1000;
const handle = (name, act) => navigator.mediaSession?.setActionHandler(name, act);

/** Plays on while its sheet is closed. */
class Alone {
  #hub; #say; #audio = new Audio(); #row = null; #session = null; #parent = null; #reportedMs = 0;
  #list; #rows; #title; #at; #play;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', id: 'carried' });
    this.#rows = new Keyed(this.#list, { key: ({ uri }) => uri, make: row => this.#card(row) });
    this.#title = make('b', { dir: 'auto' });
    this.#at = make('small', {});
    const button = (id, sign, act, label) => make('button', { class: 'tool', id, 'aria-label': label,
      onclick: () => { buzz(); act() } }, icon(sign));
    this.#play = button('aloneplay', 'play', () => this.#toggle(), t('play.play'));
    this.#controls = make('div', { class: 'card', hidden: true }, make('span', { class: 'main texts' }, this.#title,
      this.#at), button('aloneback', 'prev', () => this.#step(-1), t('play.previous')), this.#play,
    button('alonenext', 'next', () => this.#step(1), t('play.next')));
    this.#note = make('p', { class: 'note', role: 'status' });
    this.element = make('div', { class: 'acts' }, this.#controls, this.#note, this.#list);
    for (const name of ['play', 'pause', 'timeupdate']) this.#audio.addEventListener(name, () => this.#heard(name));
    this.#audio.addEventListener('ended', () => this.#ended());
    this.draw();
  }
  #controls; #note;
  draw() {
    const rows = carried();
    this.#rows.draw(rows);
    put(this.#note, rows.length ? '' : t('carried.none'));
    this.#tell();
  }
  #card(row) {
    const small = [row.artists?.join(', '), row.durMs ? spell(row.durMs) : null].filter(Boolean).join(' · ');
    return make('li', { class: 'card' }, make('button', { class: 'main', 'data-uri': row.uri,
      onclick: () => { buzz(); this.#begin(row) } }, make('b', { dir: 'auto' }, titleOf(row)),
    make('small', { dir: 'auto' }, small)), twice(t('carried.drop'), t('tapAgain'), async () => {
      if (this.#row?.uri === row.uri) this.#stop();
      await drop(row.uri);
      this.draw();
    }));
  }
  async #begin(row) {
    this.#report();
    // Sound must be allowed during the tap, and the bytes come a moment later.
    if (!this.#audio.src) this.#audio.play().catch(() => { });
    const sound = await soundOf(row.uri);
    if (!sound) {
      this.#say(t('carried.gone', { title: titleOf(row) }));
      await drop(row.uri);
      return this.draw();
    }
    URL.revokeObjectURL(this.#audio.src);
    // The row of a card may have been drawn before the place was kept.
    const { posMs = 0, session } = carried().find(({ uri }) => uri === row.uri)?.at ?? {};
    [this.#row, this.#session, this.#parent, this.#reportedMs] = [row, token(9), session, posMs];
    this.#audio.src = URL.createObjectURL(sound);
    this.#audio.currentTime = posMs / 1000;
    this.#start();
    this.#controlDevice();
    this.#tell();
  }
  #start() {
    // It ends so, too, where a pause or another item follows at once.
    this.#audio.play().catch(({ name }) => { if (name !== 'AbortError') this.#say(t('listen.refused')) });
  }
  #toggle() { if (this.#audio.paused) this.#start(); else this.#audio.pause() }
  #step(by) {
    const rows = carried(), next = rows[rows.findIndex(({ uri }) => uri === this.#row?.uri) + by];
    if (next) this.#begin(next); else this.#stop();
  }
  #stop() {
    this.#report();
    this.#audio.pause();
    this.#row = null;
    turn('alone', false);
    if (navigator.mediaSession) navigator.mediaSession.metadata = null;
    for (const name of Object.keys(this.#acts)) handle(name, null);
    this.#tell();
  }
  #heard(name) {
    const at = this.#ms;
    if (name === 'pause' || Math.abs(at - this.#reportedMs) >= everyMs) this.#report();
    this.#tell();
  }
  #ended() {
    this.#report(true);
    this.#session = null;
    this.#step(1);
  }
  get #ms() { return Math.round(this.#audio.currentTime * 1000) }
  /**
   * The item goes on here where it was heard last. A hub hears only the end of music, which counts as a play, and
   * leaves out what is shorter.
   */
  #report(end = false) {
    const { uri, kind } = this.#row ?? {}, posMs = this.#ms, session = this.#session, isOfBook = isSpoken({}, kind);
    if (!uri || !session || posMs < leastMs || !end && !isOfBook) return;
    this.#reportedMs = posMs;
    if (isOfBook) keepPlace(uri, { posMs: end ? 0 : posMs, session });
    report(this.#hub, { uri, posMs, session, ...this.#parent && { parent: this.#parent }, ...end && { end } });
  }
  #tell() {
    const row = this.#row, isOn = !this.#audio.paused;
    this.#controls.hidden = !row;
    put(this.#title, row ? titleOf(row) : '');
    put(this.#at, row ? `${spell(this.#ms)}${row.durMs ? ` / ${spell(row.durMs)}` : ''}` : '');
    showIcon(this.#play.firstChild, isOn ? 'pause' : 'play');
    mark(this.#play, 'aria-label', t(isOn ? 'play.pause' : 'play.play'));
    for (const element of this.#rows.elements)
      mark(element.firstChild, 'aria-current', element.row.uri === row?.uri ? 'true' : null);
  }
  /** The controls of the device, such as those of headphones. */
  #controlDevice() {
    const { mediaSession } = navigator, row = this.#row;
    if (!mediaSession) return;
    mediaSession.metadata = new MediaMetadata({ title: titleOf(row), artist: row.artists?.join(', ') ?? '',
      album: row.album ?? '' });
    // The switch of the settings leaves the controls to this meanwhile.
    turn('alone', true);
    for (const [name, act] of Object.entries(this.#acts)) handle(name, act);
  }
  #acts = { play: () => this.#start(), pause: () => this.#audio.pause(), nexttrack: () => this.#step(1),
    previoustrack: () => this.#step(-1) };
}

let alone = null;
export async function openCarried(hub, say) {
  await styled();
  alone ??= new Alone(hub, say);
  alone.draw();
  openSheet(t('carried.name'), make('p', { class: 'note' }, t('carried.about')), alone.element);
}
