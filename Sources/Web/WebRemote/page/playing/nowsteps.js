// The buttons that step back and forward say how far, where that is not 15 seconds as in music. Loaded with the first
// such item.

import { $, mark, put } from '../parts/base.js';
import { t } from '../shell/translate.js';

export class NowSteps {
  #drawn = '';
  static open() { return new NowSteps() }
  draw({ steps }) {
    if (`${steps}` === this.#drawn) return;
    this.#drawn = `${steps}`;
    for (const [id, text, ms] of [['back', 'play.backBy', steps[0]], ['fwd', 'play.forwardBy', steps[1]]]) {
      put($(id).lastChild, ms / 1000);
      mark($(id), 'aria-label', t(text, { n: ms / 1000 }));
    }
  }
}
