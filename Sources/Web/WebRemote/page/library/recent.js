// Searches that found something lately, on this device: a press asks again.

import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, recall, remember } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const most = 8, settledMs = 1500;

export class Recent {
  #timer = 0; #list;
  /** `ask(words)` searches again. */
  constructor(ask) {
    const list = make('ul');
    const act = words => make('button', { class: 'act', 'data-recent': words, onclick: () => { buzz(); ask(words) } },
      icon('clock'), make('span', { dir: 'auto' }, words));
    this.#list = new Keyed(list, { key: words => words, make: words => make('li', {}, act(words)),
    after: () => { this.element.hidden = !list.firstChild } });
    this.element = make('section', { class: 'recent', hidden: true }, make('h2', {}, t('search.recent')), list,
      make('button', { class: 'plain', 'data-do': 'forget', onclick: () => { remember('searches', []); this.draw() } },
        t('search.forget')));
  }
  get #words() { return (recall('searches') ?? []).filter(words => typeof words === 'string') }
  /** Words that stay for a moment are those that a person meant; the letters on the way are not kept. */
  keep(words) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      remember('searches', [words, ...this.#words.filter(other => other !== words)].slice(0, most));
    }, settledMs);
  }
  /** Who types on meant other words. */
  drop() { clearTimeout(this.#timer) }
  draw() { this.#list.draw(this.#words) }
}
