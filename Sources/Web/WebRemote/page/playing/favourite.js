// The heart and the stars of what plays, and the button of the sleep timer. What is marked is asked once for each
// track.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { $, buzz, mark, put } from '../parts/base.js';
import { icon, make } from '../parts/parts.js';
import '../looks/icons.js';
import { leftMs } from './sleep.js';
import { t } from '../shell/translate.js';

const minuteMs = 60000;

export class NowFavourite {
  #hub; #uri = null; #isOn = false; #stars = 0; #timer = 0;
  static open({ hub }) { return new NowFavourite(hub) }
  constructor(hub) {
    this.#hub = hub;
    $('fav').onclick = () => this.#turn();
    // A row or its menu may have marked what plays.
    addEventListener('marked', ({ detail: row }) => { if (row.uri === this.#uri) this.#showMarks(row) });
    $('stars').append(...[1, 2, 3, 4, 5].map(n => make('button', { role: 'radio', 'data-needs': 'remote',
      'aria-label': t('count.stars', { n }), onclick: () => this.#rate(this.#stars === n ? 0 : n) }, icon('star'))));
  }
  draw({ uri = null }) {
    this.#drawSleep();
    if (uri === this.#uri || !this.#hub.live) return;
    $('fav').hidden = !this.#hub.has('library');
    $('sleep').hidden = !this.#hub.has('books');
    this.#uri = uri;
    this.#show(false);
    // Until it is known, a press would mean one or the other.
    $('fav').disabled = $('stars').inert = true;
    if (uri && !$('fav').hidden) this.#ask(uri);
  }
  /** The minutes that are left, each when it begins. */
  #drawSleep() {
    clearTimeout(this.#timer);
    const left = leftMs(this.#hub), isOn = left !== null;
    mark($('sleep'), 'aria-pressed', isOn);
    put($('sleep').lastElementChild, isOn && left >= 0 ? `${Math.ceil(left / minuteMs)}` : '');
    if (isOn && left > 0 && !document.hidden) this.#timer = setTimeout(() => this.#drawSleep(), left % minuteMs + 50);
  }
  async #ask(uri) {
    const found = await this.#hub.ask('lib.item', { uri });
    if (uri !== this.#uri) return;
    // Without the hub it is asked again when that is back.
    if (!found && !this.#hub.live) this.#uri = undefined;
    if (!found?.item) return;
    this.#showMarks(found.item);
    $('fav').disabled = $('stars').inert = false;
  }
  #showMarks({ fav, stars = 0 }) {
    this.#show(!!fav);
    this.#showStars(stars);
  }
  #show(isOn) {
    this.#isOn = isOn;
    mark($('fav'), 'aria-pressed', isOn);
  }
  #showStars(stars) {
    this.#stars = stars;
    [...$('stars').children].forEach((button, index) => {
      mark(button, 'aria-checked', index + 1 === stars);
      button.classList.toggle('lit', index < stars);
    });
  }
  async #turn() {
    const uri = this.#uri, on = !this.#isOn;
    if (!uri) return;
    buzz();
    this.#show(on);
    const res = await this.#hub.press('fav.set', { uri, on }, { key: token(4) });
    if (!res.ok && uri === this.#uri) this.#show(!on);
  }
  async #rate(stars) {
    const uri = this.#uri, before = this.#stars;
    buzz();
    this.#showStars(stars);
    const res = await this.#hub.press('rate.set', { uri, stars }, { key: token(4) });
    if (!res.ok && uri === this.#uri) this.#showStars(before);
  }
}
