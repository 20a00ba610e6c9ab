// The sound of one item on its way to the output, in two forms that the room's audio uses alike. `position` is where in
// the item (in seconds) a second of the context lies, `secondOf` the reverse; `bend` takes another speed in permille,
// and `end` is the second at which it is over.

import { median } from './outputclock.js';

/** A decoded item: it begins and goes on as exactly as the context counts. */
export class BufferSound {
  rate = 1;
  isReady = true;
  #context; #source; #zero; #length;
  constructor(context, output, held, second, from) {
    [this.#context, this.held, this.entry, this.#length] = [context, held, held.entry, held.seconds];
    this.#source = context.createBufferSource();
    this.#source.buffer = held.buffer;
    this.#source.connect(output);
    const left = Math.max(this.#length - from, 0);
    this.#source.start(Math.max(second, context.currentTime), held.startMs / 1000 + from, left);
    this.#zero = second - from;
  }
  position(second) { return (second - this.#zero) * this.rate }
  /** The second of the context at which a position is played. */
  secondOf(position) { return this.#zero + position / this.rate }
  get end() { return this.secondOf(this.#length) }
  bend(permille) {
    const now = this.#context.currentTime, at = this.position(now);
    this.rate = permille / 1000;
    this.#zero = now - at / this.rate;
    this.#source.playbackRate.setValueAtTime(this.rate, now);
  }
  sample() { }
  stop() { this.#source.stop() }
}

const readMs = 20, readings = 30, aheadS = 0.25, fadeS = 0.02, kept = 31;

/**
 * An item that is too long to be decoded as a whole. A media element plays it into the context, where samples are
 * counted as exactly as those of a buffer. When an element begins is not known to the millisecond, so it begins early
 * and unheard; once it is known how far ahead it is, a delay makes up for that, and it is heard.
 */
export class ElementSound {
  rate = 1;
  isReady = false;
  #context; #element = new Audio(); #delay; #gain; #zeros = []; #delayS = 0; #isStopped = false;
  constructor(context, output, held) {
    [this.#context, this.held, this.entry] = [context, held, held.entry];
    const element = this.#element;
    element.preservesPitch = false;
    element.src = held.address ?? held.url;
    this.#delay = context.createDelay(2);
    this.#gain = context.createGain();
    this.#gain.gain.value = 0;
    context.createMediaElementSource(element).connect(this.#delay).connect(this.#gain).connect(output);
  }
  /** `wanted` says which position is to be played at a second of the context. */
  async begin(wanted) {
    const element = this.#element, start = this.held.startMs / 1000;
    element.currentTime = start + Math.max(0, wanted(this.#context.currentTime) + aheadS + 0.1);
    await new Promise((done, failed) => { element.oncanplaythrough = done; element.onerror = failed });
    // To load has taken a while, and what is loaded by now is played without one.
    element.currentTime = start + Math.max(0, wanted(this.#context.currentTime) + aheadS);
    await element.play();
    for (let count = 0; count < readings && !this.#isStopped; count++) {
      await new Promise(done => setTimeout(done, readMs));
      this.sample();
    }
    if (this.#isStopped) return;
    const now = this.#context.currentTime;
    // A beginning is never late: without anything left to delay it is heard as it is, and corrected by speed.
    this.#delayS = Math.min(Math.max(this.position(now) - wanted(now), 0), 2);
    this.#delay.delayTime.value = this.#delayS;
    this.#gain.gain.setTargetAtTime(1, now + 0.05, fadeS);
    this.isReady = true;
  }
  sample() {
    const now = this.#context.currentTime, at = this.#element.currentTime - this.held.startMs / 1000;
    this.#zeros = [...this.#zeros, now - at / this.rate].slice(-kept);
  }
  get #zero() { return median(this.#zeros) + this.#delayS }
  position(second) { return (second - this.#zero) * this.rate }
  secondOf(position) { return this.#zero + position / this.rate }
  get end() { return this.held.seconds ? this.secondOf(this.held.seconds) : Infinity }
  /** Whether data is missing, as in an outage. */
  get isStuck() { return this.isReady && (this.#element.readyState < 3 || this.#element.paused) }
  bend(permille) {
    const now = this.#context.currentTime, at = this.position(now);
    this.rate = permille / 1000;
    this.#element.playbackRate = this.rate;
    this.#zeros = [now - at / this.rate - this.#delayS];
  }
  stop() {
    this.#isStopped = true;
    this.#element.pause();
    this.#gain.disconnect();
    this.#element.removeAttribute('src');
    this.#element.load();
  }
}
