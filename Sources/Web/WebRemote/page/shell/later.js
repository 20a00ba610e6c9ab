// Parts of the playing screen that are loaded later: the favourite button and the wall screen once the page is live,
// the menu on a watch, recording and going back once the hub has stations, chapters once something with chapters
// plays, queues of servers once one is offered.

import { shape } from './base.js';
import { load } from './panels.js';

const parts = {
  favourite: { module: 'favourite', type: 'NowFavourite', isBare: true,
    isWanted: hub => hub.live && shape() !== 'watch' },
  wall: { module: 'wall', type: 'Wall', isWanted: hub => hub.live && shape() === 'desktop' },
  watchMenu: { module: 'watch', type: 'WatchMenu', isWanted: () => shape() === 'watch' },
  radio: { module: 'nowradio', type: 'NowRadio',
    isWanted: ({ said }) => shape() !== 'watch' && (said.radio || said.now?.kind === 'station') },
  book: { module: 'nowbook', type: 'NowBook', isWanted: ({ said }) => shape() !== 'watch' && said.book },
  offers: { module: 'continue', type: 'Offers',
    isWanted: ({ said }) => said.src?.list.some(source => source.continue) },
};

export class LaterParts {
  #told; #coming = {}; #made = {};
  constructor(told) { this.#told = told }
  /** All that are there, to be drawn; a watch draws its menu alone. */
  get parts() { return Object.values(this.#made).filter(part => part !== this.watchMenu) }
  get watchMenu() { return this.#made.watchMenu }
  /** What servers offer to go on with, to stand above the queue. */
  get offer() { return this.#made.offers?.inQueue }

  /** Loads what is wanted by now. */
  fetch() {
    for (const [name, part] of Object.entries(parts)) if (part.isWanted(this.#told.hub)) this.#fetch(name, part);
  }
  async #fetch(name, part) {
    if (this.#coming[name]) return;
    this.#coming[name] = load(part, this.#told);
    const made = await this.#coming[name];
    // What could not be loaded is asked for again.
    if (!made) return delete this.#coming[name];
    this.#made[name] = made;
    if (name === 'offers') this.#told.offer(this.offer);
    this.#told.draw();
  }
}
