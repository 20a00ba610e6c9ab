// The hub's clock to well below a millisecond, from the best exchanges that the connection makes anyway.

import { micros } from '../../../../../examples/browser/client/baton-basics.js';
import { AudioClock } from './instep.js';

export class HubTime {
  #hub; #clock = new AudioClock(); #best = null;
  constructor(hub) { this.#hub = hub }
  sample() {
    const { best } = this.#hub.clock;
    if (!best || best === this.#best) return;
    this.#best = best;
    this.#clock.take(best.offset, best.error, Math.round(best.at));
  }
  /** At a moment of the page's clock; null before the first exchange. */
  at(us) { return this.#clock.hub(Math.round(us)) }
  get now() { return this.at(micros()) }
}
