// Searches that found something lately, on this device: a press asks again.

import { buzz, icon, make, recall, remember } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const most = 8, settledMs = 1500;

export class Recent {
  #ask; #timer = 0;
  /** `ask(words)` searches again. */
  constructor(ask) {
    this.#ask = ask;
    this.element = make('section', { class: 'recent', hidden: true });
  }
  get #words() { return (recall('searches') ?? []).filter(words => typeof words === 'string') }
  /** Words that stay for a moment are those that a person meant; the letters on the way are not kept. */
  keep(words) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      remember('searches', [words, ...this.#words.filter(other => other !== words)].slice(0, most));
    }, settledMs);
  }
  draw() {
    const words = this.#words, told = JSON.stringify(words);
    this.element.hidden = !words.length;
    if (told === this.element.dataset.told) return;
    this.element.dataset.told = told;
    this.element.replaceChildren(make('h2', {}, t('search.recent')),
      make('ul', {}, ...words.map(one => make('li', {}, make('button', { class: 'act', 'data-recent': one,
        onclick: () => { buzz(); this.#ask(one) } }, icon('clock'), make('span', { dir: 'auto' }, one))))),
      make('button', { class: 'plain', 'data-do': 'forget', onclick: () => { remember('searches', []); this.draw() } },
        t('search.forget')));
  }
}
