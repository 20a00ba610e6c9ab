// What is playing, and the controls around it. Only changes are drawn, and no animation frames are requested: the
// progress bar moves once a second, together with the clock below it.

import { token } from './baton.js';
import { Cover, wash } from './cover.js';
import { albumAddress, artistAddress } from './links.js';
import { $, buzz, clamp, mark, put, shape, showIcon, speak, spell } from './parts.js';
import { is, turn } from './state.js';
import { t } from './translate.js';

/** End goes so far before the end: the end itself would be the next entry. */
const beforeEndMs = 5000;
const modes = ['once', 'repeat-all', 'repeat-one', 'shuffle'];
const repeats = ['off', 'all', 'one'];
const modeWire = {
  once: { repeat: 'off', shuffle: false }, 'repeat-all': { repeat: 'all', shuffle: false },
  'repeat-one': { repeat: 'one', shuffle: false }, shuffle: { repeat: 'all', shuffle: true },
};

export class Deck {
  #hub; #say; #timer = 0; #seeking = null; #steps = 240; #drawn = {}; #cover = new Cover($('art'));
  /** Called in the frame in which the progress bar moves, so that sprites can move in the same frame. */
  onSecond = () => { };
  constructor(hub, say) {
    this.#hub = hub;
    this.#say = say;
    const press = (id, act) => { $(id).onclick = () => { buzz(); act() } };
    press('play', () => hub.toggle());
    press('next', () => hub.skip('next'));
    press('prev', () => hub.skip('prev'));
    press('back', () => hub.seekBy(-15000));
    press('fwd', () => hub.seekBy(15000));
    press('shuffle', () => this.shuffle());
    press('repeat', () => this.repeat());
    $('cover').onclick = () => $('title').firstChild.click();
    this.#wireSeek();
    document.addEventListener('visibilitychange', () => this.#roll());
    addEventListener('pointerdown', () => { this.#place(); this.#roll() });
  }

  shuffle() {
    const shuffle = !this.#hub.view().shuffle;
    this.#say(t(shuffle ? 'play.shuffleIsOn' : 'play.shuffleIsOff'), 1800);
    return this.#hub.press('mode.set', { shuffle }, { kind: 'mode', guess: { shuffle } });
  }
  repeat() {
    const repeat = repeats[(repeats.indexOf(this.#hub.view().repeat) + 1) % repeats.length];
    this.#say(`${t(`play.repeat.${repeat}`)}.`, 1800);
    return this.#hub.press('mode.set', { repeat }, { kind: 'mode', guess: { repeat } });
  }
  /** A watch has one button for both. */
  cycle() {
    const mode = modes[(modes.indexOf(this.#hub.view().mode) + 1) % modes.length];
    this.#say(t('play.modeIs', { mode: t(`play.mode.${mode}`) }), 1800);
    return this.#hub.press('mode.set', modeWire[mode], { kind: 'mode', guess: { mode, ...modeWire[mode] } });
  }
  async add(at) {
    const { uri, title } = this.#hub.view();
    if (!uri) return;
    const res = await this.#hub.press('queue.add', { uris: [uri], at }, { key: token(4) });
    if (res.ok) this.#say(t(at === 'next' ? 'queue.againNext' : 'queue.isAtEnd', { title }), 3000);
  }

  // ---- The progress bar: one seek is sent when a drag ends.
  #wireSeek() {
    const bar = $('seek'), hub = this.#hub;
    const place = event => {
      const box = bar.getBoundingClientRect();
      return clamp((event.clientX - box.left) / box.width, 0, 1) * hub.view().durationMs;
    };
    bar.onpointerdown = event => {
      if (event.button || !hub.view().durationMs) return;
      bar.setPointerCapture(event.pointerId);
      this.#seeking = { at: place(event), entry: hub.view().entry };
      this.#place();
    };
    bar.onpointermove = event => { if (this.#seeking) { this.#seeking.at = place(event); this.#place() } };
    bar.onpointerup = () => {
      const seeking = this.#seeking;
      this.#seeking = null;
      // Another entry began during the drag: the position was meant for the earlier one.
      if (seeking && seeking.entry === hub.view().entry) { buzz(); hub.seek(seeking.at) }
      this.#place();
    };
    bar.onpointercancel = bar.onlostpointercapture = () => { this.#seeking = null; this.#place() };
    bar.onkeydown = event => {
      const step = { ArrowLeft: -15000, ArrowDown: -15000, ArrowRight: 15000, ArrowUp: 15000, PageUp: 60000,
        PageDown: -60000 }[event.key];
      const whole = hub.view().durationMs, to = { Home: 0, End: Math.max(0, whole - beforeEndMs) }[event.key];
      if (step) hub.seekBy(step);
      else if (to !== undefined && whole) hub.seek(to);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }

  draw(view) {
    const hub = this.#hub, known = hub.rev !== null, on = hub.isPlaying, has = !!view.entry;
    put($('title').firstChild, has ? view.title || t('item.untitled') : known ? t('play.nothing') : 'Baton');
    put($('artist').firstChild, has ? view.artist ?? '' : known ? t('queue.empty') : '');
    put($('from').firstChild, has && view.album ? t('play.from', { name: view.album }) : '');
    this.#link(view);
    put($('where'), view.roomName ?? '');
    put($('roomname'), view.roomName ?? 'Baton');
    put($('coming'), view.nextText ? t('play.nextIs', { title: view.nextText }) : '');
    document.title = has ? `${view.title ?? t('item.untitled')}${view.artist ? ` – ${view.artist}` : ''} · Baton`
      : 'Baton';
    mark($('play'), 'aria-label', t(on ? 'play.pause' : 'play.play'));
    mark($('open'), 'aria-label', `${t(shape() === 'watch' ? 'more.name' : 'play.show')}. ${view.title
      ?? t('play.nothing')}, ${view.roomName ?? ''}`);
    mark($('room'), 'aria-label', t('rooms.choose', { room: view.roomName ?? t('unknown') }));
    mark($('shuffle'), 'aria-pressed', !!view.shuffle);
    showIcon($('repeat').firstElementChild, view.repeat === 'one' ? 'repeat-one' : 'repeat-all');
    mark($('repeat'), 'aria-label', t(`play.repeat.${repeats.includes(view.repeat) ? view.repeat : 'off'}`));
    mark($('repeat'), 'data-on', view.repeat && view.repeat !== 'off' ? '' : null);
    $('nowmenu').disabled = !view.uri;
    const waits = hub.waiting;
    turn('playing', on);
    turn('buffering', view.st === 'buffering');
    turn('late', waits.some(press => performance.now() - press.at > 300));
    turn('stale', hub.stale);
    turn('away', !hub.live);
    turn('endless', has && !view.durationMs);
    turn('empty', known && !has);
    turn('covered', !!view.art);
    this.#cover.show(view.art);
    if (this.#drawn.colours !== `${view.art?.colours}`) {
      this.#drawn.colours = `${view.art?.colours}`;
      wash(view.art?.colours);
    }
    // The bar is measured when it has something to show, for the first time when the hub has answered.
    if (has) this.#steps = Math.max(60, Math.round($('seek').clientWidth || 1440));
    this.#place(view);
    this.#roll();
  }

  /**
   * Title and cover lead to the album, and the artist to the artist: where there is a library, and not while a skip is
   * only expected.
   */
  #link(view) {
    const { said } = this.#hub, item = said.lib && said.now?.entry === view.entry && said.now?.uri ? said.now : null;
    const album = item && albumAddress(this.#hub, item),
      artist = item && !item.streamTitle ? artistAddress(this.#hub, item) : null;
    for (const id of ['title', 'from']) mark($(id).firstChild, 'href', album);
    mark($('artist').firstChild, 'href', artist);
    $('cover').classList.toggle('leads', !!album);
  }

  #place(view = this.#hub.view()) {
    const at = this.#seeking?.at ?? this.#hub.position(view), whole = view.durationMs;
    const part = whole && at !== null ? Math.round(at / whole * this.#steps) / this.#steps : 0;
    if (part !== this.#drawn.part) {
      this.#drawn.part = part;
      $('ring').style.setProperty('--part', part);
      $('seek').style.setProperty('--part', part);
    }
    const elapsed = at === null ? '' : spell(at),
      end = at === null ? '' : whole ? spell(whole) : view.isLive ? t('play.live') : '',
      speed = end && whole && (view.speed ?? 1000) !== 1000 ? ` · ${t('play.times', { n: view.speed / 1000 })}` : '';
    put($('elapsed'), elapsed);
    put($('whole'), end + speed);
    const spoken = at === null ? t('play.noPosition') : whole ? t('time.of', { at: speak(at), whole: speak(whole) })
      : speak(at);
    if (spoken === this.#drawn.spoken) return;
    this.#drawn.spoken = spoken;
    for (const id of ['ring', 'seek']) {
      mark($(id), 'aria-valuenow', Math.floor((at ?? 0) / 1000));
      mark($(id), 'aria-valuemax', Math.floor((whole ?? 0) / 1000));
      mark($(id), 'aria-valuetext', spoken);
    }
  }

  /** Runs when the next second begins: progress bar and clock share one frame a second. */
  #roll() {
    clearTimeout(this.#timer);
    const view = this.#hub.view();
    if (document.hidden || !(view.line?.rate > 0) || this.#hub.stale) return;
    const at = this.#hub.position(view) ?? 0, second = (1000 - at % 1000) * 1000 / view.line.rate + 4;
    this.#timer = setTimeout(() => { this.#place(); this.onSecond(); this.#roll() },
      is('ambient') ? 60000 : Math.max(250, second));
  }
  /** Difference between the position on the screen and the hub's, in ms. */
  get driftMs() {
    const view = this.#hub.view(), at = this.#hub.position(view);
    return at === null ? null : this.#hub.lagMs;
  }
}
