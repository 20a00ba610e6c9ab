// The volume of a room of the list, also of one that this page does not follow. It moves relative to the finger, and a
// tap makes it louder by no more than a bit.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { buzz, clamp, make, mark, put } from '../parts/parts.js';
import { capture } from '../gestures/firsttouch.js';
import { onLost } from '../parts/lost.js';
import { t } from '../shell/translate.js';

const paceMs = 100, slack = 4, mostLouder = 10;

export class RoomSlider {
  #hub; #room = null; #level = 0; #want = null; #sentAt = 0; #timer = 0; #drag = null; #number = make('output');
  constructor(hub) {
    this.#hub = hub;
    this.track = make('div', { class: 'slider', role: 'slider', tabindex: 0, 'data-needs': 'guest', 'aria-valuemin': 0,
      'aria-valuemax': 100 }, make('i'));
    this.element = make('div', { class: 'roomlevel' }, this.track, this.#number);
    this.#wire(this.track);
  }
  /** What the hub says is not shown while a finger turns it. */
  draw(room) {
    this.#room = room;
    if (this.#want === null) this.#show(room.level);
    mark(this.track, 'aria-label', t('volume.ofRoom', { room: room.name }));
    mark(this.track, 'data-id', `level ${room.id}`);
  }
  #show(level) {
    this.#level = level;
    this.track.style.setProperty('--level', level / 100);
    put(this.#number, `${level}%`);
    mark(this.track, 'aria-valuenow', level);
    mark(this.track, 'aria-valuetext', t('volume.percent', { n: level }));
  }
  #turnTo(level) {
    const to = clamp(Math.round(level), 0, 100);
    if (to === this.#level) return;
    buzz(6);
    this.#want = to;
    this.#show(to);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), Math.max(0, this.#sentAt + paceMs - performance.now()));
  }
  async #send() {
    const level = this.#want;
    this.#sentAt = performance.now();
    await this.#hub.press('vol.set', { level }, { key: token(4), room: this.#room.id });
    if (this.#want !== level || this.#drag) return;
    this.#want = null;
    this.#show(this.#room.level);
  }
  #wire(track) {
    track.onpointerdown = event => {
      if (event.button) return;
      capture(track, event);
      this.#drag = { x: event.clientX, level: this.#level, width: track.clientWidth, hasBegun: false };
    };
    track.onpointermove = event => {
      const drag = this.#drag, by = drag && event.clientX - drag.x;
      if (!drag || !drag.hasBegun && Math.abs(by) <= slack) return;
      drag.hasBegun = true;
      this.#turnTo(drag.level + by / drag.width * 100);
    };
    track.onpointerup = event => {
      const drag = this.#drag, box = track.getBoundingClientRect();
      this.#drag = null;
      if (!drag) return;
      if (drag.hasBegun) return this.#want !== null && this.#send();
      this.#turnTo(Math.min((event.clientX - box.left) / drag.width * 100, drag.level + mostLouder));
    };
    onLost(track, () => { this.#drag = null });
    track.onkeydown = event => {
      const by = { ArrowUp: 2, ArrowRight: 2, ArrowDown: -2, ArrowLeft: -2, PageUp: 10, PageDown: -10 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.#turnTo(this.#level + by);
    };
  }
}
