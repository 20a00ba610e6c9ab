// Below the tracks of an album: who wrote it, who released it, and how it is stored, as far as its first track says.

import { make } from '../parts/parts.js';
import { t } from '../shell/translate.js';
import { decimal, listed } from '../shell/writing.js';

const stored = ({ codec, rate } = {}) => [codec?.toUpperCase(), rate ? `${decimal(rate / 1000, 1)} kHz` : null]
  .filter(Boolean).join(' ');

export class Credits {
  #told = '';
  element = make('p', { class: 'credits', hidden: true, dir: 'auto' });
  show({ node, more, isKnown }) {
    const { composers = [], labels = [], fmt } = node?.kind === 'album' && isKnown && more || {},
      names = list => listed(list.slice(0, 4)),
      told = [composers.length ? t('credits.composers', { names: names(composers) }) : null,
        labels.length ? t('credits.labels', { names: names(labels) }) : null, stored(fmt)].filter(Boolean).join(' · ');
    if (told === this.#told) return;
    this.#told = told;
    this.element.textContent = told;
    this.element.hidden = !told;
  }
}
