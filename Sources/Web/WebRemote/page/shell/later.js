// Parts of the playing screen that are loaded later: the favourite button, the wall screen and the menu of a watch
// after the first paint; recording and going back once the hub has stations; queues of servers once one is offered.

import { $, shape } from './base.js';

/** A module, and the style sheet of what stands in panels, which its elements have too. */
const styled = async module => (await Promise.all([module, applySheet('panels.css')]))[0];

export class LaterParts {
  #told; #favourite = null; #wall = null; #radio = null; #offers = []; #watchMenu = null;
  /**
   * `told` has `hub`, `say`, `looks`, `draw()` and `offer(element)`, which puts the offers of servers above the
   * queue.
   */
  constructor(told) { this.#told = told }
  /** All that are there, to be drawn. */
  get parts() { return [this.#favourite, this.#wall, this.#radio, ...this.#offers] }
  get offer() { return this.#offers[1]?.element }
  get watchMenu() { return this.#watchMenu }

  async fetch() {
    const { hub } = this.#told;
    if (!this.#favourite && shape() !== 'watch') this.#favourite = await import('./favourite.js')
      .then(({ NowFavourite }) => this.#favourite ?? new NowFavourite(hub), () => null);
    if (!this.#wall && shape() === 'desktop') this.#wall = await import('./wall.js')
      .then(({ Wall }) => this.#wall ?? new Wall(hub), () => null);
  }
  /** Only a watch has this menu. */
  async fetchWatchMenu() {
    const { hub, looks, say } = this.#told;
    if (!this.#watchMenu && shape() === 'watch') this.#watchMenu = await styled(import('./watch.js'))
      .then(({ WatchMenu }) => this.#watchMenu ?? new WatchMenu(hub, looks, say), () => null);
  }
  /** Recording and going back, for a hub with stations. */
  async fetchRadio() {
    const { hub, say, draw } = this.#told;
    if (this.#radio || shape() === 'watch' || !hub.said.radio && hub.said.now?.kind !== 'station') return;
    const { NowRadio, radioLooks } = await styled(import('./nowradio.js')).catch(() => ({}));
    await radioLooks;
    if (this.#radio || !NowRadio) return;
    this.#radio = new NowRadio(hub, say);
    draw();
  }
  /** What servers offer to go on with, where nothing plays and in the queue. Loaded with the first offer. */
  async fetchOffers() {
    const { hub, say, draw, offer } = this.#told;
    if (this.#offers.length || !hub.said.src?.list.some(source => source.continue)) return;
    const { Continue } = await styled(import('./continue.js')).catch(() => ({}));
    if (this.#offers.length || !Continue) return;
    const inQueue = Object.assign(document.createElement('div'), { className: 'resume', hidden: true });
    this.#offers = [$('resume'), inQueue]
      .map(element => new Continue(hub, say, element));
    offer(this.offer);
    draw();
  }
}
