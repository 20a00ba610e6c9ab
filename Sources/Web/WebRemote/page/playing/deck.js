// What is playing, and the controls around it. Only changes are drawn, and no animation frames are requested: the
// progress bar moves once a second, together with the clock below it.

import { isSpoken } from '../../../../../examples/browser/client/baton-basics.js';
import { Cover, wash } from '../parts/cover.js';
import { $, buzz, mark, put, shape, showIcon, speak, spell } from '../parts/base.js';
import { atFirstTouch } from '../gestures/firsttouch.js';
import { is, turn } from '../shell/state.js';
import { t } from '../shell/translate.js';

export const repeats = ['off', 'all', 'one'];
/** What a person calls repeating. */
export const repeatOf = ({ repeat, single = 'off' }) => !repeat ? 'off' : single === 'off' ? 'all' : 'one';

export class Deck {
  #hub; #timer = 0; #hand = null; #steps = 240; #drawn = {}; #cover = new Cover($('art'));
  /** Called in the frame in which the progress bar moves, so that sprites can move in the same frame. */
  onSecond = () => { };
  /** Loads what a hand on the progress bar needs (seekhand.js). */
  fetchHand;
  constructor(hub, say) {
    this.#hub = hub;
    const press = (id, act) => { $(id).onclick = () => { buzz(); act() } };
    press('play', () => hub.toggle());
    press('next', () => hub.skip('next'));
    press('prev', () => hub.skip('prev'));
    this.fetchHand = atFirstTouch($('seek'), async () => {
      const { SeekHand } = await import('./seekhand.js');
      return this.#hand = new SeekHand($('seek'), hub, () => this.#place());
    }, say);
    // As many steps as the bar has pixels.
    new ResizeObserver(([{ target }]) => { this.#steps = Math.max(60, Math.round(target.clientWidth || 1440)) })
      .observe($('seek'));
    document.addEventListener('visibilitychange', () => this.#roll());
    addEventListener('pointerdown', () => { this.#place(); this.#roll() });
  }

  draw(view) {
    const hub = this.#hub, known = hub.rev !== null, on = hub.isPlaying, has = !!view.entry;
    put($('title').firstChild, has ? view.title || t('item.untitled') : known ? t('play.nothing') : 'Baton');
    put($('artist').firstChild, has ? view.artist ?? '' : known ? t('queue.empty') : '');
    put($('from').firstChild, has && view.album ? t('play.from', { name: view.album }) : '');
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
    const repeat = repeatOf(view);
    showIcon($('repeat').firstElementChild, repeat === 'one' ? 'repeat-one' : 'repeat-all');
    mark($('repeat'), 'aria-label', t(`play.repeat.${repeat}`));
    mark($('repeat'), 'data-on', view.repeat ? '' : null);
    // A station has none, and a book would be one.
    $('lyrics').disabled = !view.uri || !hub.has('library') || !!view.isLive || isSpoken(hub.said, view.kind);
    const waits = hub.waiting;
    turn('playing', on);
    turn('buffering', view.st === 'buffering');
    turn('late', waits.some(press => performance.now() - press.at > 300));
    turn('stale', hub.stale);
    turn('away', !hub.live);
    turn('endless', has && !view.durationMs);
    turn('empty', known && !has);
    turn('covered', !!view.art);
    turn('rated', has && view.kind === 'track' && hub.has('library'));
    // Steps of seconds are for speech, and for what a station has sent.
    turn('spoken', has && (!!view.isLive || isSpoken(hub.said, view.kind)));
    this.#cover.show(view.art);
    if (this.#drawn.colours !== `${view.art?.colours}`) {
      this.#drawn.colours = `${view.art?.colours}`;
      wash(view.art?.colours);
    }
    this.#place(view);
    this.#roll();
  }

  #place(view = this.#hub.view()) {
    const at = this.#hand?.at ?? this.#hub.position(view), whole = view.durationMs;
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
}
