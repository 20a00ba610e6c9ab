// What the page says: one sentence at a time over what plays, for some seconds or as long as it is true, and in a word
// how the hub is reached. While a sheet is open, what is said stands on it, too.

import { $, put } from '../parts/base.js';
import { turn } from './state.js';
import { t } from './translate.js';

/** A hub that was lost for less is not worth a word. */
const worthSayingMs = 1500;

export class Sentences {
  #note = ''; #isOfSheet = false; #timer = 0; #redraw;
  constructor(redraw) {
    this.#redraw = redraw;
    $('say').onclick = () => $('say').classList.toggle('open');
  }
  say(text, ms = 6000) {
    [this.#note, this.#isOfSheet] = [text, $('sheet').open];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#note = ''; this.#redraw() }, ms);
    this.#redraw();
  }
  draw(hub, view) {
    const isLost = hub.lostForMs > worthSayingMs,
      sentence = hub.stopped || this.#note || (isLost ? t('hub.looking') : '') || view.problem || '';
    put($('sentence'), sentence);
    const here = $('saidhere');
    if (here) put(here, this.#isOfSheet ? this.#note : '');
    turn('saying', !($('say').hidden = !sentence));
    if (!sentence) $('say').classList.remove('open');
    const link = view.st === 'buffering' ? t('hub.buffering') : '',
      away = hub.stopped ? t('hub.away') : isLost ? t('hub.notConnected') : '';
    put($('link'), hub.live ? link : away);
  }
}
