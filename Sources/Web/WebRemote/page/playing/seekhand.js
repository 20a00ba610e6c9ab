// The hand on the progress bar, which is loaded at the first touch. One seek is sent when a drag ends.

import { buzz, clamp } from '../parts/base.js';
import { seek, seekBy } from '../../../../../examples/browser/client/baton-verbs.js';
import { capture } from '../gestures/firsttouch.js';
import { onLost } from '../parts/lost.js';

/** End goes so far before the end: the end itself would be the next entry. */
const beforeEndMs = 5000;
const steps = { ArrowLeft: -15000, ArrowDown: -15000, ArrowRight: 15000, ArrowUp: 15000, PageUp: 60000,
  PageDown: -60000 };

export class SeekHand {
  #bar; #hub; #redraw; #seeking = null;
  constructor(bar, hub, redraw) {
    [this.#bar, this.#hub, this.#redraw] = [bar, hub, redraw];
    bar.onpointerdown = event => this.#begin(event);
    bar.onpointermove = event => { if (this.#seeking) { this.#seeking.at = this.#under(event); redraw() } };
    bar.onpointerup = () => this.#end();
    onLost(bar, () => { this.#seeking = null; redraw() });
    bar.onkeydown = event => this.#key(event);
  }
  /** The position under the finger; undefined between gestures. */
  get at() { return this.#seeking?.at }

  #under(event) {
    const box = this.#bar.getBoundingClientRect();
    return clamp((event.clientX - box.left) / box.width, 0, 1) * this.#hub.view().durationMs;
  }
  #begin(event) {
    const { durationMs, entry } = this.#hub.view();
    if (event.button || !durationMs) return;
    capture(this.#bar, event);
    this.#seeking = { at: this.#under(event), entry };
    this.#redraw();
  }
  #end() {
    const seeking = this.#seeking;
    this.#seeking = null;
    // Another entry began during the drag: the position was meant for the earlier one.
    if (seeking && seeking.entry === this.#hub.view().entry) { buzz(); seek(this.#hub, seeking.at) }
    this.#redraw();
  }
  #key(event) {
    const hub = this.#hub, whole = hub.view().durationMs;
    const to = { Home: 0, End: Math.max(0, whole - beforeEndMs) }[event.key];
    if (steps[event.key]) seekBy(hub, steps[event.key]);
    else if (to !== undefined && whole) seek(hub, to);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
