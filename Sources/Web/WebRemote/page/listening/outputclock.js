// Which second of the audio context is heard at a moment of the page's clock.

import { micros } from '../../../../../examples/browser/client/baton-basics.js';

const kept = 41, recent = 8, settleMs = 500, burst = 30, burstMs = 10, gapS = 0.03;
export const median = list => [...list].sort((one, other) => one - other)[list.length >> 1];

export class OutputClock {
  #context; #readings = [];
  #seen = { second: -1, at: 0 };
  constructor(context) {
    this.#context = context;
    // Firefox hangs for ever where sound is called for while it finds out the latency of the output, which it does only
    // at the first question. The context has begun to run just now, so the next call is as far away as it ever is.
    this.sample();
    this.begin();
  }
  /** Many readings at once, so that the first start is exact. Before, a context fills its buffers and runs ahead. */
  async begin() {
    this.isReady = false;
    await new Promise(done => setTimeout(done, settleMs));
    this.#readings = [];
    for (let count = 0; count < burst; count++) {
      this.sample();
      await new Promise(done => setTimeout(done, burstMs));
    }
    this.isReady = true;
  }
  sample() {
    const { currentTime: second, outputLatency, baseLatency } = this.#context;
    if (second !== this.#seen.second) this.#seen = { second, at: performance.now() };
    const reading = { skew: second - micros() / 1e6, latency: (outputLatency || 0) + (baseLatency || 0) };
    this.#readings = [...this.#readings, reading].slice(-kept);
    // A buffer that came too late is a gap in the sound, and all that follows is heard later.
    const last = this.#readings.slice(-recent);
    if (earliest(this.#readings) - earliest(last) > gapS) this.#readings = last;
  }
  /**
   * The context's time advances by one buffer when that is filled, so it reads late by up to a buffer, and by more on a
   * busy machine. The earliest of many readings was made just then; what had been filled before is heard next, after
   * the latency of the output.
   */
  heardAt(us) {
    // An output that is opened anew, as for a microphone, has another latency at once.
    return us / 1e6 + earliest(this.#readings) - median(this.#readings.slice(-recent).map(({ latency }) => latency));
  }
  /** A browser may stop the context of a page in the background without a word: its time stands still then. */
  isStill(forMs) {
    return this.#context.state !== 'running' || performance.now() - this.#seen.at > forMs;
  }
}

const earliest = readings => Math.max(...readings.map(({ skew }) => skew));
