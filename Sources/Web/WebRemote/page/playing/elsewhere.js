// “Pause here?”: what plays here was begun in another room or on another device by the same person. It is asked in the
// sheet, once for each time that this happens, and the sheet closes when another remote has answered.

import { isDown } from '../gestures/finger.js';
import { $, make, spell } from '../parts/parts.js';
import { actLine, closeSheet, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

export class Elsewhere {
  #hub; #asked = null; #line = null;
  static open({ hub }) { return new Elsewhere(hub) }
  constructor(hub) { this.#hub = hub }
  draw() {
    const { now } = this.#hub.said, there = now?.elsewhere, question = there ? `${now.entry} ${there.dev}` : null;
    if (question === this.#asked) return;
    // Nothing that a person has open, presses or writes is taken away; the question comes later.
    const isBusy = $('sheet').open || isDown() || document.activeElement?.matches('input, textarea, select');
    if (question && isBusy) return;
    this.#asked = question;
    if (question) return this.#ask(there);
    if (this.#line?.isConnected) closeSheet();
  }
  #ask({ dev, posMs }) {
    this.#line = make('p', { dir: 'auto' }, t('elsewhere.plays', { name: dev, at: spell(posMs) }));
    openSheet(t('elsewhere.ask'), this.#line,
      actLine(t('elsewhere.pause'), 'pause', () => this.#hub.press('pause'), 'remote'),
      actLine(t('elsewhere.here'), 'play', () => this.#hub.press('progress.here'), 'remote'));
  }
}
