// The head of a place with a tab: its name, and the person whose picture leads to the settings.

import { make } from './parts.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

export class RootHead {
  #hub; #letter = make('span', { 'aria-hidden': 'true' });
  constructor(hub, title) {
    this.#hub = hub;
    this.title = make('h1', {}, title);
    this.element = make('header', { class: 'roothead' }, this.title,
      make('a', { class: 'me', href: addressOf('settings'),
      'aria-label': t('settings.name') }, this.#letter));
    this.draw();
  }
  draw() {
    const letter = [...this.#hub.name ?? '']?.[0]?.toLocaleUpperCase() ?? '';
    if (this.#letter.textContent !== letter) this.#letter.textContent = letter;
  }
}
