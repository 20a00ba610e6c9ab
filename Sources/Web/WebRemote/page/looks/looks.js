// Appearance beyond the style sheets: the theme, the colour of the orb, and the timer that animates sprites. One timer
// drives all of them, at most eight steps a second; it stops under reduced motion and on a hidden page.

import { $, calm, mark, shape } from '../parts/base.js';
import { become, value } from '../shell/state.js';
import { applySheet } from '../parts/styles.js';

const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
const bright = matchMedia('(prefers-color-scheme: light)');
const grounds = { aura: '#e9e3f7', pixel: '#1a100a', cat: '#080a06', plain: '#000000' };
/** Night has a dark and a light form, as the device prefers. */
const groundOf = theme => grounds[theme] ?? (bright.matches ? '#f6f4f8' : '#0e0d12');

export class Looks {
  #timer = 0; #beat = 0; #mood = ''; #cat = null; #angle = 0; #steppedAt = 0;
  #theme = value('theme');
  constructor() {
    this.take(this.theme);
    document.addEventListener('visibilitychange', () => this.#start());
    calm.addEventListener('change', () => this.#start());
    bright.addEventListener('change', () => this.take(this.theme));
    // A theme that was chosen in another tab is this one's too.
    addEventListener('storage', event => {
      if (event.key === 'baton.theme') import('./themes.js').then(({ follow }) => follow(this), () => { });
    });
  }
  get theme() { return this.#theme }
  /** What belongs to a theme beyond its style sheet; themes.js chooses one. */
  take(theme) {
    this.#theme = theme;
    mark(document.querySelector('meta[name=theme-color]'), 'content', groundOf(theme));
    // The pages for pairing and trust have no script, so the hub gives them their theme. The browser writes slowly.
    whenIdle(() => {
      try {
        document.cookie = `baton-theme=${this.#theme}; path=/; max-age=31536000; samesite=strict`;
      } catch { /* A frame without storage. */ }
    });
    this.#start();
    if (theme === 'cat' && !this.#cat) import('../themes/cat.js')
      .then(({ Cat }) => { this.#cat ??= new Cat($('cat')); this.#cat.draw(0, this.#mood) }, () => { });
    else this.#cat?.draw(this.#beat, this.#mood);
  }
  /** idle, playing, buffering, working or problem, derived from the state alone. */
  draw(hub, view) {
    const mood = view.problem || hub.stopped ? 'problem'
      : hub.lostForMs > 1500 ? 'working' : view.st === 'buffering' ? 'buffering' : view.st === 'playing' ? 'playing'
        : 'idle';
    if (mood === this.#mood) return;
    if (!['idle', 'playing'].includes(mood)) applySheet('moods.css');
    become('mood', this.#mood = mood);
    this.#cat?.draw(this.#beat, mood);
    this.#start();
  }
  #start() {
    clearInterval(this.#timer);
    this.#timer = 0;
    const moves = this.theme === 'plain' || shape() === 'watch' ? false : this.theme === 'cat' || this.#mood !== 'idle';
    if (document.hidden || calm.matches || !moves) return;
    this.#timer = setInterval(() => this.#step(), 250);
  }
  /** The progress bar moved just now: the next step joins that frame, and the others follow from there. */
  join() {
    if (!this.#timer) return;
    if (performance.now() - this.#steppedAt > 60) this.#step();
    this.#start();
  }
  #step() {
    this.#beat++;
    this.#steppedAt = performance.now();
    if (this.theme === 'cat') this.#cat?.draw(this.#beat, this.#mood);
    if (this.#mood === 'idle') return;
    this.#angle = (this.#angle + (this.#mood === 'playing' ? 7.5 : 15)) % 360;
    // A rotation seen from the front is a change of width. A flat transform costs one small layer and no painting.
    $('note').style.transform = `scaleX(${Math.cos(this.#angle * Math.PI / 180).toFixed(3)})`;
  }
}
