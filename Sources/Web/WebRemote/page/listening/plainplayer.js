// A media element of the page's own while the room plays here. It loops silence, because a page gets controls on the
// lock screen, and stays alive in the background, only while an element plays. Where the browser stops exact sound,
// this element, which a tap has allowed to play, plays the item instead: near the room, and not in step.

import { silence } from '../settings/locks.js';

const farS = 1.5;

export class PlainPlayer {
  #element = new Audio(); #silent = null; #entry = null; #isAwake = true;
  /** To be called during a tap. Sound that a browser refuses here is only the controls that are missing. */
  async start() {
    this.#silent ??= silence();
    this.#isAwake = true;
    this.hush();
    await this.#element.play().catch(() => { });
  }
  stop() {
    this.#element.pause();
    this.#element.removeAttribute('src');
    URL.revokeObjectURL(this.#silent);
    this.#silent = this.#entry = null;
  }
  get isHeard() { return this.#entry !== null }
  /** Back to silence. */
  hush() {
    if (this.#entry === null && this.#element.src === this.#silent) return;
    this.#entry = null;
    Object.assign(this.#element, { src: this.#silent, loop: true, volume: 1, playbackRate: 1 });
    this.awake(this.#isAwake);
  }
  /** The controls of a device say that it plays as long as an element plays, so silence rests with the room. */
  awake(isAwake) {
    this.#isAwake = isAwake;
    if (this.isHeard || !this.#silent) return;
    if (isAwake) this.#element.play().catch(() => { }); else this.#element.pause();
  }
  /** `positionS` is where the room is in this item, `rate` its speed in permille. */
  follow(held, positionS, rate, volume) {
    const element = this.#element, at = held.startMs / 1000 + positionS;
    if (this.#entry !== held.entry) {
      this.#entry = held.entry;
      Object.assign(element, { src: held.address ?? held.url, loop: false });
      element.currentTime = at;
    } else if (Math.abs(element.currentTime - at) > farS) element.currentTime = at;
    Object.assign(element, { volume, playbackRate: rate / 1000 });
    if (element.paused && !element.ended) element.play().catch(() => { });
  }
}
