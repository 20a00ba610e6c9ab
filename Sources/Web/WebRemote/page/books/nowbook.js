// What plays while it has chapters: previous and next go chapter by chapter, the list of chapters takes the place of
// shuffle and repeat, which a book has not, and a line says what is left of the chapter and of the whole at this speed.
// Loaded when something with chapters plays.

import '../looks/icons.js';
import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { openChapters } from './chapters.js';
import { $, buzz, icon, make, put } from '../parts/parts.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { minutesLong } from '../shell/writing.js';

const bookLooks = loadStyle('nowbook.css');

const minuteMs = 60000, hourMs = 60 * minuteMs;
/** The hub's own buttons, and those that stand in their places. */
const places = { prev: 'chapterback', next: 'chapterfwd', repeat: 'chapters' };

/** What is left at this speed, to the next whole minute. */
const left = (ms, speed) => minutesLong(Math.ceil(Math.max(0, ms) * 1000 / (speed ?? 1000) / minuteMs));

export class NowBook {
  #hub; #own = {}; #line; #timer = 0; #isOn = false;
  static async open({ hub }) {
    await bookLooks;
    return new NowBook(hub);
  }
  constructor(hub) {
    this.#hub = hub;
    const acts = {
      prev: ['prev', 'chapters.previous', () => this.#go(-1)], next: ['next', 'chapters.next', () => this.#go(1)],
      repeat: ['queue', 'chapters.name', () => openChapters(hub)],
    };
    for (const [id, [sign, text, act]] of Object.entries(acts)) {
      this.#own[id] = make('button', { id: places[id], 'data-needs': id === 'repeat' ? null : 'remote', hidden: true,
        'aria-label': t(text), onclick: () => { buzz(); act() } }, icon(sign));
      $(id).after(this.#own[id]);
    }
    this.#line = make('p', { id: 'bookleft', hidden: true, dir: 'auto' });
    $('time').after(this.#line);
    document.addEventListener('visibilitychange', () => this.#roll());
  }
  get #book() {
    const { book } = this.#hub.said;
    return book && book.entry === this.#hub.view().entry ? book : null;
  }
  draw() {
    const book = this.#book;
    if (!book && !this.#isOn) return;
    this.#isOn = !!book;
    for (const [id, button] of Object.entries(this.#own)) [$(id).hidden, button.hidden] = [!!book, !book];
    this.#line.hidden = !book;
    // A station, which may follow, has no modes either (nowradio.js).
    const hasNoModes = !!book || this.#hub.said.now?.kind === 'station';
    for (const id of ['shuffle', 'repeat']) $(id).hidden = hasNoModes;
    this.#roll();
  }
  #go(step) {
    const { i, n, entry, startMs } = this.#book ?? {};
    if (!entry) return;
    // As on a player of discs: a press in the middle of a chapter goes to its beginning.
    const isInside = step < 0 && (this.#hub.position(this.#hub.view()) ?? 0) - startMs > 3000;
    const wanted = Math.min(n, Math.max(1, isInside ? i : i + step));
    this.#hub.press('book.chapter', { entry, n: wanted }, { key: token(4) });
  }
  /** Looks again when a minute of listening is over; nothing runs on a hidden page. */
  #roll() {
    clearTimeout(this.#timer);
    const book = this.#book, view = this.#hub.view(), at = this.#hub.position(view);
    if (!book || at === null || document.hidden) return;
    const speed = view.speed ?? 1000, title = t('chapters.is', { n: book.i, all: book.n });
    const chapter = left(book.endMs - at, speed), all = left((view.durationMs ?? at) - at, speed);
    const words = t('book.left', { chapter, all });
    put(this.#line, [book.title ? `${title}: ${book.title}` : title, words].join(' · '));
    if (!(view.line?.rate > 0) || this.#hub.stale) return;
    const next = (book.endMs - at) * 1000 / speed % minuteMs;
    this.#timer = setTimeout(() => this.#roll(), Math.min(hourMs, Math.max(1000, next + 50)));
  }
}
