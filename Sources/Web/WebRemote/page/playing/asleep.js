// Where a person may have fallen asleep: once a sleep timer has ended the playing, the room offers three places to go
// on at, until a person has gone to one. They stand over the picture of what plays, and in the menus. Loaded when
// they are offered.

import '../looks/icons.js';
import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { Keyed } from '../parts/keyed.js';
import { $, buzz, icon, make, spell } from '../parts/parts.js';
import { isAsleep } from './sleep.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';

const looks = loadStyle('asleep.css');

/** The places, each once: the timer may have been set with the last press. */
async function placesOf(hub) {
  const found = (await hub.ask('progress.asleep', {}))?.places ?? [];
  return found.filter((place, n) => !found.slice(0, n).some(other =>
    other.entry === place.entry && other.posMs === place.posMs));
}

/** A button for each place; `done` is called when the room goes there. */
export async function asleepButtons(hub, done = () => {}) {
  return (await placesOf(hub)).map(({ what, entry, title, posMs }) => {
    const go = async () => {
      buzz();
      if ((await hub.press('play', { entry, posMs }, { key: token(4) })).ok) done();
    };
    return make('button', { class: 'small act', 'data-at': what, 'data-needs': 'remote', onclick: go },
      make('b', {}, spell(posMs)), make('span', {}, t(`asleep.${what}`)),
      entry === hub.view().entry ? null : make('small', { dir: 'auto' }, title));
  });
}

export class Asleep {
  #hub; #told = null; #places;
  static async open({ hub }) {
    await looks;
    return new Asleep(hub);
  }
  constructor(hub) {
    this.#hub = hub;
    const places = make('div', { class: 'places' });
    this.#places = new Keyed(places, { key: ({ dataset }) => dataset.at, make: element => element });
    this.element = make('section', { id: 'asleep', 'aria-label': t('asleep.name'), hidden: true },
      make('div', {}, make('p', {}, t('asleep.name')),
        make('button', { class: 'tool', 'data-needs': 'remote', 'aria-label': t('asleep.leave'),
          onclick: () => { buzz(); hub.press('sleep.clear', {}) } }, icon('x'))), places);
    $('resume').after(this.element);
  }
  draw() {
    const { sleep } = this.#hub.said;
    // The section comes anew with each connection and for each room.
    if (sleep !== this.#told) {
      this.#told = sleep;
      this.element.hidden = true;
      if (isAsleep(this.#hub)) this.#offer(sleep);
    }
  }
  async #offer(sleep) {
    const buttons = await asleepButtons(this.#hub);
    if (sleep !== this.#told) return;
    this.#places.draw(buttons);
    this.element.hidden = !buttons.length;
  }
}
