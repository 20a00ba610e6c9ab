// The head of a place with a tab: its name, and the person whose picture leads to the settings.

import { failureWords } from '../servers/sources.js';
import { make, mark, put } from './parts.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

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
