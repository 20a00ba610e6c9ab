// The heads of places: one with a tab has its name, and the person whose picture leads to the settings; one below it
// has the way back and its name.

import { failureWords } from '../servers/sources.js';
import { icon, make, mark, put } from './parts.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

/** The head of a place that is reached from the place `from`; `more` stands before its name. */
export const subHead = (name, from, ...more) => make('div', { class: 'seek' },
  make('a', { class: 'tool', 'aria-label': t('place.back'), href: addressOf(from) }, icon('into')), ...more,
  make('h1', { class: 'name' }, name));

export class RootHead {
  #hub; #letter = make('span', { 'aria-hidden': 'true' }); #me;
  constructor(hub, title) {
    this.#hub = hub;
    this.title = make('h1', {}, title);
    this.#me = make('a', { class: 'me', href: addressOf('settings') }, this.#letter);
    this.element = make('header', { class: 'roothead' }, this.title, this.#me);
    this.draw();
  }
  draw() {
    // A name may begin with a mark of its direction.
    put(this.#letter, /[\p{L}\p{N}]/u.exec(this.#hub.name ?? '')?.[0].toLocaleUpperCase() ?? '');
    const words = failureWords(this.#hub);
    this.#me.classList.toggle('dotted', !!words);
    mark(this.#me, 'aria-label', [t('settings.name'), words].filter(Boolean).join('. '));
  }
}
