// Letters at the side of a long list in alphabetical order: a tap or a drag leads to the rows that begin with one. The
// hub is asked where they begin by halving the list, so no more than some twenty rows are read for a list of any
// length.

import { buzz, clamp, make, mark, put } from './parts.js';
import { t } from '../shell/translate.js';

const alphabet = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pageOfLetters = 5;
const initial = text => {
  const letter = (text ?? '').normalize('NFKD').replace(/^[^\p{L}\p{N}]+/u, '')[0]?.toUpperCase() ?? '#';
  return letter < 'A' ? '#' : letter > 'Z' ? 'Z' : letter;
};

export class Letters {
  #told; #asked = 0; #shown = 0;
  /** `told` has `row(index)` as a promise, `count()`, `text(row)` and `show(index)`. */
  constructor(told) {
    this.#told = told;
    this.label = make('output', { class: 'letter', hidden: true });
    this.element = make('div', { class: 'letters', role: 'slider', tabindex: 0, 'aria-label': t('letters.name'),
      'aria-valuemin': 0, 'aria-valuenow': 0, 'aria-valuemax': alphabet.length - 1, hidden: true },
      ...alphabet.map(letter => make('i', { 'aria-hidden': 'true' }, letter)));
    const at = event => {
      const box = this.element.getBoundingClientRect();
      return clamp(Math.floor((event.clientY - box.top) / box.height * alphabet.length), 0, alphabet.length - 1);
    };
    this.element.onpointerdown = event => { this.element.setPointerCapture(event.pointerId); this.#go(at(event)) };
    this.element.onpointermove = event => {
      if (this.element.hasPointerCapture(event.pointerId) && at(event) !== this.#shown) this.#go(at(event));
    };
    this.element.onlostpointercapture = () => { this.label.hidden = true };
    this.element.onkeydown = event => {
      const to = { ArrowDown: this.#shown + 1, ArrowUp: this.#shown - 1, PageDown: this.#shown + pageOfLetters,
        PageUp: this.#shown - pageOfLetters, Home: 0, End: alphabet.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#go(clamp(to, 0, alphabet.length - 1));
      this.label.hidden = true;
    };
  }
  async #go(place) {
    const letter = alphabet[this.#shown = place], turn = ++this.#asked;
    buzz(4);
    put(this.label, letter);
    this.label.hidden = false;
    mark(this.element, 'aria-valuenow', place);
    mark(this.element, 'aria-valuetext', letter);
    let [low, high] = [0, this.#told.count()];
    while (low < high && place > 0) {
      const middle = (low + high) >> 1, row = await this.#told.row(middle);
      if (turn !== this.#asked || !row) return;
      if (initial(this.#told.text(row)) < letter) low = middle + 1; else high = middle;
    }
    this.#told.show(Math.min(low, this.#told.count() - 1));
  }
}
