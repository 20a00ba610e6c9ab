// The volume of a room of the list, also of one that this page does not follow.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { buzz, clamp, make, mark, put } from '../parts/parts.js';
import { turning } from '../gestures/turning.js';
import { t } from '../shell/translate.js';

const paceMs = 100;

export class RoomSlider {
  #hub; #room = null; #level = 0; #want = null; #sentAt = 0; #timer = 0; #finger; #number = make('output');
  constructor(hub) {
    this.#hub = hub;
    this.track = make('div', { class: 'slider', role: 'slider', tabindex: 0, 'data-needs': 'guest', 'aria-valuemin': 0,
      'aria-valuemax': 100 }, make('i'));
    this.element = make('div', { class: 'roomlevel' }, this.track, this.#number);
    this.#finger = turning(this.track, { level: () => this.#level, turn: level => this.#turnTo(level),
      end: () => { if (this.#want !== null) this.#send() } });
    this.#listen();
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
    clearTimeout(this.#timer);
    this.#sentAt = performance.now();
    await this.#hub.press('vol.set', { level }, { key: token(4), room: this.#room.id });
    if (this.#want !== level || this.#finger.isDown) return;
    this.#want = null;
    this.#show(this.#room.level);
  }
  #listen() {
    this.track.onkeydown = event => {
      const by = { ArrowUp: 2, ArrowRight: 2, ArrowDown: -2, ArrowLeft: -2, PageUp: 10, PageDown: -10 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.#turnTo(this.#level + by);
    };
  }
}
