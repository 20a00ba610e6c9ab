// The lyrics as a panel: the line that is sung stands in the middle, and a tap on a line goes on from there.

import { whenUp } from '../gestures/finger.js';
import { buzz, calm, clamp, icon, make, mark, put, recall, remember } from '../parts/parts.js';
import { styled } from '../parts/sheet.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { Words } from './words.js';
import { decimal } from '../shell/writing.js';

/** After a hand has scrolled, the list follows again when it was left alone for so long. */
const restMs = 4000;
const sizes = { least: 14, usual: 20, most: 48 };
const sayings = ['nothing', 'asking', 'none'];
const signed = ms => `${ms < 0 ? '−' : '+'}${t('time.s', { seconds: decimal(Math.abs(ms) / 1000, 1) })}`;

export class Lyrics {
  #words; #shown = -1; #scrolledAt = -restMs; #areNew = true;
  static async open({ hub }) {
    await Promise.all([styled(), loadStyle('lyrics.css')]);
    return new Lyrics(hub);
  }
  constructor(hub) {
    const step = (ms, label) => make('button',
      { class: 'small', 'aria-label': label, onclick: () => { buzz(); this.#words.shift(ms); this.#drawShift() } },
      signed(ms));
    this.shift = make('output', { class: 'lyricshift', 'aria-live': 'polite' });
    this.timing = make('div', { class: 'timing', role: 'group', 'aria-label': t('lyrics.timing') },
      step(-100, t('lyrics.earlier', { seconds: decimal(0.1, 1) })), this.shift,
      step(100, t('lyrics.later', { seconds: decimal(0.1, 1) })));
    this.size = make('input', { type: 'range', id: 'lyricsize', min: sizes.least, max: sizes.most, step: 2,
      value: clamp(Number(recall('lyricsize')) || sizes.usual, sizes.least, sizes.most) });
    this.size.oninput = () => this.#resize();
    this.size.onchange = () => remember('lyricsize', Number(this.size.value));
    this.note = make('p', { class: 'note', role: 'status' });
    this.again = make('button', { class: 'small', onclick: () => { buzz(); this.#words.ask() } }, t('tryAgain'));
    this.list = make('ol', { class: 'words', 'aria-label': t('lyrics.name') });
    this.more = make('p', { class: 'note' });
    this.scroller = make('div', { class: 'scroller' }, this.note, this.again, this.list, this.more);
    const settings = make('div', { class: 'lyricsettings', id: 'lyricsettings', hidden: true }, this.timing,
      make('label', {}, make('span', {}, t('lyrics.size')), this.size));
    // They are changed while the words are seen, so they are no sheet over them.
    const menu = make('button', { class: 'tool', id: 'lyricmenu', 'aria-label': t('lyrics.menu'),
      'aria-expanded': 'false', 'aria-controls': settings.id, onclick: () => {
        buzz();
        settings.hidden = !settings.hidden;
        mark(menu, 'aria-expanded', `${!settings.hidden}`);
      } }, icon('dots'));
    this.element = make('div', { class: 'lyrics' }, make('div', { class: 'head' }, settings, menu), this.scroller);
    for (const name of ['wheel', 'touchmove', 'pointerdown'])
      this.scroller.addEventListener(name, () => this.#scrolledAt = performance.now(), { passive: true });
    this.#words = new Words(hub, () => this.element.isConnected, what => {
      this.#areNew ||= what === 'words';
      whenUp(this.list, () => this.#drawChanges(), this.list);
    });
    this.#resize();
    this.#drawChanges();
  }
  #drawChanges() {
    if (this.#areNew) this.#drawWords();
    this.#drawLine();
  }
  opened() { this.#scrolledAt = -restMs; this.#center(false) }
  draw(view) { this.#words.draw(view) }

  #resize() {
    this.element.style.setProperty('--size', `${this.size.value}px`);
    mark(this.size, 'aria-valuetext', t('lyrics.pixels', { n: Number(this.size.value) }));
  }
  #drawShift() { put(this.shift, signed(this.#words.shiftMs)) }
  #drawWords() {
    const words = this.#words, { lines, isTimed, state, more } = words;
    this.#areNew = false;
    this.timing.hidden = !isTimed;
    this.#drawShift();
    this.note.hidden = state === 'there';
    put(this.note, state === 'failed' ? t('lyrics.failed', { reason: words.reason }) : sayings.includes(state)
      ? t(`lyrics.${state}`) : '');
    this.again.hidden = state !== 'failed';
    this.more.hidden = !more;
    put(this.more, more ? t('lyrics.goesOn', { n: more }) : '');
    this.#shown = -1;
    this.list.replaceChildren(...lines.map(({ atMs, text }, index) => make('li', {}, atMs === null
      ? make('p', { dir: 'auto' }, text)
      : make('button', { 'data-needs': 'remote', dir: 'auto',
        onclick: () => {
          buzz();
          this.#scrolledAt = -restMs;
          // Another track may have begun below the finger.
          if (lines === words.lines) words.seek(index);
        } }, text || '♪'))));
    this.scroller.scrollTop = 0;
  }
  #drawLine() {
    const { current } = this.#words;
    if (current === this.#shown) return;
    mark(this.list.children[this.#shown]?.firstChild ?? this.list, 'aria-current', null);
    this.#shown = current;
    if (current >= 0) mark(this.list.children[current].firstChild, 'aria-current', 'true');
    this.#center(!calm.matches);
  }
  #center(isSmooth) {
    const line = this.list.children[this.#shown];
    if (!line || performance.now() - this.#scrolledAt < restMs) return;
    const top = line.offsetTop + line.offsetHeight / 2 - this.scroller.clientHeight / 2;
    this.scroller.scrollTo({ top, behavior: isSmooth ? 'smooth' : 'instant' });
  }
}
