// Parts of the playing screen that are loaded later: the favourite button and the wall screen once the page is live,
// the menu on a watch, links once a track of the library plays, steps once they are not those of music, recording and
// going back once the hub has stations, chapters once something with chapters plays, places to go on at after a sleep
// timer, queues of servers once one is offered, the way back from what plays only here, the question that comes
// when the same is played elsewhere too, and what a hub says that holds its work back.

import { shape } from '../parts/base.js';
import { load } from './panels.js';

/** What the document says of the two buttons. */
const musicSteps = [15000, 15000];
const parts = {
  favourite: { module: () => import('../playing/favourite.js'), type: 'NowFavourite', isBare: true,
    isWanted: hub => hub.live && shape() !== 'watch' },
  wall: { module: () => import('../playing/wall.js'), type: 'Wall',
    isWanted: hub => hub.live && shape() === 'desktop' },
  places: { module: () => import('./sidebar.js'), type: 'Sidebar', isWanted: () => shape() === 'desktop' },
  links: { module: () => import('../playing/nowlinks.js'), type: 'NowLinks', isBare: true, isAnywhere: true,
    isWanted: ({ said: { lib, now } }) => lib && (now?.album || now?.artists?.length || now?.albumArtist) },
  steps: { module: () => import('../playing/nowsteps.js'), type: 'NowSteps', isBare: true, isAnywhere: true,
    isWanted: hub => `${hub.view().steps}` !== `${musicSteps}` },
  watchMenu: { module: () => import('../watch/watch.js'), type: 'WatchMenu', isWanted: () => shape() === 'watch' },
  radio: { module: () => import('../radio/nowradio.js'), type: 'NowRadio',
    isWanted: ({ said }) => shape() !== 'watch' && (said.radio || said.now?.kind === 'station') },
  book: { module: () => import('../books/nowbook.js'), type: 'NowBook',
    isWanted: ({ said }) => shape() !== 'watch' && said.book },
  asleep: { module: () => import('../playing/asleep.js'), type: 'Asleep',
    isWanted: ({ said }) => shape() !== 'watch' && said.sleep?.over },
  offers: { module: () => import('../playing/continue.js'), type: 'Offers',
    isWanted: ({ said }) => said.src?.list.some(source => source.continue) },
  onlyHere: { module: () => import('../listening/onlyhere.js'), type: 'OnlyHere',
    isWanted: ({ room }) => shape() !== 'watch' && room?.startsWith('only:') },
  held: { module: () => import('../playing/held.js'), type: 'Held', isWanted: ({ said }) => said.hub?.held },
  elsewhere: { module: () => import('../playing/elsewhere.js'), type: 'Elsewhere',
    isWanted: ({ said }) => said.now?.elsewhere },
};

export class LaterParts {
  #told; #coming = {}; #made = {};
  constructor(told) { this.#told = told }
  /** Those that are there, to be drawn; a watch has few of them, and draws its menu last. */
  partsOn(isWatch) {
    return Object.keys(this.#made).filter(name => name !== 'watchMenu' && (!isWatch || parts[name].isAnywhere))
      .map(name => this.#made[name]);
  }
  get watchMenu() { return this.#made.watchMenu }
  /** The part of this name as soon as it has come; fails when it cannot be loaded. */
  async fetchNow(name) {
    this.#fetch(name, parts[name]);
    const part = await this.#coming[name];
    if (!part) throw new Error(`${name} could not be loaded.`);
    return part;
  }
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
