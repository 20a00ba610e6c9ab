// The hub's monotonic clock, as far as it can be known here.

import { micros } from './baton-basics.js';

/** Estimates the hub's monotonic clock. Of the last samples it uses the one with the smallest possible error. */
export class Clock {
  #samples = [];
  best = null;
  static #doubt = s => s.error + (micros() - s.at) * 50e-6;
  /** One exchange: our clock, theirs, theirs, ours, all in microseconds. `grain` is how coarse their stamps are. */
  add(t1, t2, t3, t4, grain = 0) {
    // One in which the hub took longer than the whole exchange is wrong, and is skipped.
    if (t4 < t1 || t3 - t2 > t4 - t1) return;
    const fresh = { at: t4, offset: (t2 - t1 + t3 - t4) / 2, error: (t4 - t1 - t3 + t2) / 2 + grain };
    // The intervals of two valid samples overlap. If they do not, this machine slept, and the earlier samples are void.
    this.#samples = this.#samples.filter(s => Math.abs(s.offset - fresh.offset) < Clock.#doubt(s) + fresh.error + 2000)
      .slice(-7).concat(fresh);
    this.best = this.#samples.reduce((a, b) => Clock.#doubt(b) < Clock.#doubt(a) ? b : a);
  }
  /** Sets an estimate from before a reload, used until the first sample. */
  suppose(hubMs) { this.#samples = [this.best = { at: micros(), offset: hubMs * 1000 - micros(), error: 1e6 }] }
  forget() { this.#samples = []; this.best = null }
  get hubMs() { return this.best && (micros() + this.best.offset) / 1000 }
  get errorMs() { return this.best && Clock.#doubt(this.best) / 1000 }
}
