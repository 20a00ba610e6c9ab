// The hub crashed at its last starts and holds its work back: says so over the picture of what plays, and lets an admin
// have it go on. Loaded when a hub says that it does.

import { $, buzz, make } from '../parts/parts.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';

const looks = loadStyle('asleep.css');

export class Held {
  #hub; #say; #signal = null; #why = make('small', { dir: 'auto' });
  static async open({ hub, say }) {
    await looks;
    return new Held(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.element = make('section', { id: 'held', 'aria-label': t('held.name'), hidden: true },
      make('p', {}, t('held.name')), this.#why,
      make('button', { class: 'small act', 'data-needs': 'admin', onclick: () => this.#resume() }, t('held.resume')));
    $('resume').after(this.element);
  }
  draw() {
    const signal = this.#hub.said.hub?.held?.signal ?? null;
    if (signal === this.#signal) return;
    this.#signal = signal;
    this.element.hidden = !signal;
    if (signal) this.#why.textContent = t('held.why', { signal });
  }
  async #resume() {
    buzz();
    if ((await this.#hub.press('hub.resume', {})).ok) this.#say(t('held.goesOn'), 3000);
  }
}
