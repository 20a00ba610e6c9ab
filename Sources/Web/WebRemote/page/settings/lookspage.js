// The theme of this device and its language.

import { languageChoice } from './languages.js';
import { buzz, make, mark } from '../parts/parts.js';
import { applySheet } from '../parts/styles.js';
import { choose, themes } from '../looks/themes.js';
import { t } from '../shell/translate.js';

export class LooksPage {
  #looks; #swatches;
  constructor(looks) {
    this.#looks = looks;
    this.#swatches = Object.entries(themes).map(([key, name]) => make('button', {
      class: 'swatch', 'data-theme': key, onclick: () => {
        buzz();
        choose(this.#looks, key);
        this.draw();
      },
    }, make('i'), name));
    this.element = make('div', { class: 'more', id: 'look' }, make('h2', {}, t('theme.name')),
      make('div', { class: 'swatches', role: 'group', 'aria-label': t('theme.name') }, ...this.#swatches),
      languageChoice());
  }
  /** The buttons of the themes look as the themes do. */
  opened() { for (const theme of Object.keys(themes)) applySheet(`${theme}.css`) }
  draw() {
    for (const swatch of this.#swatches) mark(swatch, 'aria-pressed', swatch.dataset.theme === this.#looks.theme);
  }
}
