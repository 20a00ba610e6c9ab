// The hand on the volume row, which is loaded at the first touch. During a gesture, and until its answer, the row shows
// the value under the finger: echoes of this remote do not move it. The latest value wins, and messages are limited to
// the rate that the hub accepts.

import { $, buzz, clamp, shape } from '../parts/base.js';
import { capture } from '../gestures/firsttouch.js';
import { turning } from '../gestures/turning.js';
import { onLost } from '../parts/lost.js';
import { t } from '../shell/translate.js';

// Steps are small at both ends: low levels change audibly with each step, and high levels may be too loud.
export const ladder = level => level < 10 ? 1 : level < 30 ? 2 : level < 70 ? 3 : level < 90 ? 2 : 1;
const settleMs = 400;
/** The number stands at the end of the track. */
const numberWidth = 44;
/** What one notch of a wheel does, and Page Up and Page Down. */
const notch = 2, page = 10;

export class VolumeHand {
  /** Time between two messages: 8 a second from a watch, 15 from other shapes. */
  static get paceMs() { return shape() === 'watch' ? 126 : 68 }
  /** The level under the finger; null between gestures. */
  want = null;
  #hub; #say; #redraw; #low = 0; #high = 100; #turnedAt = 0; #sentAt = -1e4; #unsent = false; #open = 0;
  #flushTimer = 0; #holdTimer = 0; #finger; #wheel = 0;

  constructor(hub, say, redraw) {
    [this.#hub, this.#say, this.#redraw] = [hub, say, redraw];
    hub.on('live', () => { if (this.#unsent) this.#flush() });
    // The level that was turned is that of the room that was left.
    hub.on('room', () => { this.#forget(); this.#finger.drop() });
    for (const [id, d] of [['less', -1], ['more', 1]]) this.#wireButton($(id), d);
    this.#finger = turning($('turn'), { level: () => this.want ?? this.#hub.view().level,
      turn: level => this.#turnTo(level) }, numberWidth);
    this.#hearKeys($('turn'));
    // Nowhere else, so that scrolling past does not make it loud.
    $('volume').addEventListener('wheel', event => {
      if (event.ctrlKey) return;
      this.#wheel += event.deltaY || -event.deltaX;
      if (Math.abs(this.#wheel) < 40) return;
      this.#turnBy(this.#wheel < 0 ? notch : -notch);
      this.#wheel = 0;
    }, { passive: true });
    addEventListener('blur', () => this.#release());
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.#release() });
  }

  step(d) {
    const from = this.want ?? this.#hub.view().level;
    if (from !== undefined) this.#turnTo(from + d * ladder(d > 0 ? from : from - 1));
  }
  #turnBy(points) {
    const from = this.want ?? this.#hub.view().level;
    if (from !== undefined) this.#turnTo(from + points);
  }
  /** The volume range that the owner allows guests, within the room's own limits. */
  #turnTo(level) {
    const span = this.#hub.span;
    if (!span) return this.#say(t('volume.notGuests'));
    const bounded = clamp(Math.round(level), this.#low, this.#high), to = clamp(bounded, ...span);
    if (to !== bounded) this.#say(t('volume.guestsFromTo', { from: span[0], to: span[1] }));
    buzz(to === this.#low || to === this.#high ? 20 : 6);
    this.#turnedAt = performance.now();
    if (to === this.want) return;
    this.want = to;
    this.#unsent = true;
    this.#flush();
    this.#redraw();
  }
  #flush() {
    clearTimeout(this.#flushTimer);
    const wait = this.#sentAt + VolumeHand.paceMs - performance.now();
    // On a slow network the next value waits for an answer; queued values would only arrive late.
    if (this.#unsent && this.#hub.live && wait <= 0 && this.#open < 4) {
      this.#sentAt = performance.now();
      this.#unsent = false;
      this.#open++;
      const level = this.want;
      this.#hub.press('vol.set', { level }, { kind: 'volume', silent: true }).then(res => this.#answered(level, res));
    } else if (!this.#hub.live) this.#hub.hurry();
    this.#flushTimer = this.#unsent && this.#hub.live ? setTimeout(() => this.#flush(), Math.max(wait, 50))
      : setTimeout(() => this.#settle(), settleMs);
  }
  #answered(asked, res) {
    this.#open--;
    const level = this.#hub.view().level;
    // Another room was chosen meanwhile.
    if (this.want === null) return this.#redraw();
    if (!res.ok && res.err?.retry && res.err.code !== 'timeout') {
      if (level !== this.want) { this.#unsent = true; this.#sentAt = performance.now() + (res.err.afterMs ?? 200) }
      this.#flush();
    } else if (!res.ok && res.err?.code !== 'timeout') { this.#forget(); this.#say(res.err?.msg ?? t('hub.refused')) }
    // An admin may change the limit between gestures, so it is read again each time.
    else if (res.why === 'ceiling' && this.want > level) {
      this.want = this.#high = level;
      this.#say(t('volume.loudest'));
    }
    else if (res.why === 'floor' && this.want < level) {
      this.want = this.#low = level;
      this.#say(t('volume.quietest'));
    }
    this.#redraw();
  }
  #settle() {
    const open = this.#unsent || this.#open > 0, quiet = performance.now() - this.#turnedAt;
    if (this.#holdTimer || this.#finger.isDown || quiet < settleMs || (open && quiet < 5000)) {
      this.#flushTimer = setTimeout(() => this.#settle(), 200);
      return;
    }
    if (open) this.#say(t('hub.noAnswer'));
    this.#forget();
    this.#redraw();
  }
  #forget() { this.want = null; this.#unsent = false; this.#low = 0; this.#high = 100 }

  // ---- A tap is one step; holding repeats it five times a second, and slower near the ceiling.
  #wireButton(button, d) {
    let byPointer = false;
    button.onpointerdown = event => {
      if (event.button) return;
      byPointer = true;
      capture(button, event);
      this.#hold(d);
    };
    button.onpointerup = () => this.#release();
    onLost(button, () => this.#release());
    // The system has taken the finger, and no click follows.
    button.addEventListener('pointercancel', () => { byPointer = false });
    button.onclick = () => { if (!byPointer) this.step(d); byPointer = false };
  }
  #hold(d) {
    this.#release();
    this.step(d);
    const again = () => {
      this.step(d);
      this.#holdTimer = setTimeout(again, d > 0 && this.want > 85 ? 400 : 200);
    };
    this.#holdTimer = setTimeout(again, 450);
  }
  #release() { clearTimeout(this.#holdTimer); this.#holdTimer = 0 }

  #hearKeys(track) {
    track.onkeydown = event => {
      const d = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key],
        by = { PageUp: page, PageDown: -page, Home: -100, End: 100 }[event.key];
      if (!d && !by) return;
      event.preventDefault();
      event.stopPropagation();
      if (d) this.step(d); else this.#turnBy(by);
    };
  }
}
