// The seek bar of a station: what the hub has kept of it from the oldest sound to what comes now, with the beginnings
// of titles as marks and missing sound as gaps. A tap, a drag or a key goes there; a button returns to what comes now.

import { $, buzz, clamp, make, mark, put } from '../parts/parts.js';
import { liveMs } from './past.js';
import { t } from '../shell/translate.js';

const edge = 8;
const steps = { ArrowLeft: 15000, ArrowDown: 15000, ArrowRight: -15000, ArrowUp: -15000 };

/** How far behind the station, in words. */
function behindWords(ms) {
  if (ms < liveMs) return t('past.isLive');
  return ms < 60000 ? t('past.seconds', { n: Math.round(ms / 1000) })
    : t('past.minutes', { n: Math.round(ms / 60000) });
}

export class PastBar {
  #past; #timer = 0; #drag = null; #drawn = ''; #marks; #bar; #words; #live;
  constructor(past) {
    this.#past = past;
    this.#marks = make('span', { class: 'pastmarks', 'aria-hidden': 'true' });
    this.#bar = make('div', {
      id: 'past', role: 'slider', tabindex: 0, 'data-needs': 'remote', 'aria-label': t('past.name'), 'aria-valuemin': 0,
    }, make('i', { class: 'pastfill' }), this.#marks, make('i', { class: 'pastknob' }));
    const onclick = () => { buzz(); past.live() };
    this.#live = make('button', { id: 'golive', class: 'small', 'data-needs': 'remote', onclick }, t('past.live'));
    this.#words = make('p', { id: 'pastline', dir: 'auto' });
    this.element = make('div', { id: 'pastrow', hidden: true }, this.#bar, this.#live, this.#words);
    $('progress').append(this.element);
    this.#follow();
    document.addEventListener('visibilitychange', () => this.#roll());
  }
  #follow() {
    const bar = this.#bar, past = this.#past, place = event => {
      const box = bar.getBoundingClientRect();
      const part = clamp(1 - (event.clientX - box.left) / box.width, 0, 1);
      // The last pixels are what comes now: a finger could hardly be more exact.
      return part * box.width < edge ? 0 : part * past.pastMs;
    };
    bar.onpointerdown = event => {
      if (event.button) return;
      bar.setPointerCapture(event.pointerId);
      this.#drag = { ms: place(event), uri: past.station?.uri };
      this.#place();
    };
    bar.onpointermove = event => { if (this.#drag) { this.#drag.ms = place(event); this.#place() } };
    bar.onpointerup = () => {
      const drag = this.#drag;
      this.#drag = null;
      // Another station began during the drag: the place was meant for the earlier one.
      if (drag && drag.uri === past.station?.uri) { buzz(); past.goTo(drag.ms) }
      this.#place();
    };
    bar.onpointercancel = bar.onlostpointercapture = () => { this.#drag = null; this.#place() };
    bar.onkeydown = event => {
      const { key } = event, act = steps[key] ? () => past.by(steps[key]) : {
        Home: () => past.goTo(past.pastMs), End: () => past.live(),
        PageDown: () => this.#title(-1), PageUp: () => this.#title(1),
      }[key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
  }
  /** To the beginning of the title before or behind the one that is heard. */
  #title(by) {
    const { titles, behindMs } = this.#past, at = this.#past.indexAt(behindMs);
    // Some seconds into a title, the one before is its own beginning.
    const isInside = by < 0 && at >= 0 && titles[at].ago - behindMs > 5000, next = titles[isInside ? at : at + by];
    if (next) this.#past.toTitle(next.n); else if (by > 0) this.#past.live();
  }

  draw() {
    const is = this.#past.isThere;
    this.element.hidden = !is;
    for (const id of ['seek', 'time']) $(id).hidden = is;
    if (is) this.#mark();
    this.#place();
    this.#roll();
  }
  /** Marks and gaps, in parts of the whole bar. */
  #mark() {
    const { titles, gaps, pastMs } = this.#past, part = ms => clamp(1 - ms / pastMs, 0, 1);
    const marks = titles.filter(({ ago }) => ago < pastMs).map(({ ago }) => [part(ago)]);
    const holes = gaps.filter(({ until }) => until < pastMs).map(({ ago, until }) => [part(ago), part(until)]);
    const drawn = JSON.stringify([marks, holes].map(all => all.map(one => one.map(x => Math.round(x * 1000)))));
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#marks.replaceChildren(...[...holes, ...marks].map(([from, until]) => {
      const sign = make('i', { class: until === undefined ? 'pastmark' : 'pastgap' });
      sign.style.left = `${from * 100}%`;
      if (until !== undefined) sign.style.width = `${(until - from) * 100}%`;
      return sign;
    }));
  }
  #place() {
    const past = this.#past;
    if (!past.isThere) return;
    const { pastMs } = past, ms = Math.min(pastMs, this.#drag?.ms ?? past.behindMs);
    const title = past.titleAt(ms)?.title, isLive = ms < liveMs, words = behindWords(ms);
    this.#bar.style.setProperty('--part', isLive ? 1 : clamp(1 - ms / pastMs, 0, 1));
    mark(this.#live, 'aria-pressed', past.behindMs < liveMs);
    put(this.#words, this.#drag && title ? `${words} · ${title}` : words);
    mark(this.#bar, 'aria-valuemax', Math.round(pastMs / 1000));
    mark(this.#bar, 'aria-valuenow', Math.round((pastMs - ms) / 1000));
    mark(this.#bar, 'aria-valuetext', title ? `${words}, ${title}` : words);
  }
  /** The bar grows with time; it is drawn again after about half a pixel, and each second while a pause is counted. */
  #roll() {
    clearTimeout(this.#timer);
    if (document.hidden || !this.#past.isThere) return;
    const { pastMs, behindMs } = this.#past, isPaused = behindMs > 0 && behindMs < 120000;
    const wait = isPaused ? 1000 : clamp(pastMs / (2 * (this.#bar.clientWidth || 300)), 1000, 10000);
    this.#timer = setTimeout(() => { this.#mark(); this.#place(); this.#roll() }, wait);
  }
}
