// Stores what lastscreen.js shows the next time the page is opened.

import { $, remember } from '../parts/base.js';
import { is, value } from './state.js';

const texts = ['where', 'roomname', 'title', 'artist', 'from', 'coming', 'elapsed', 'whole', 'level'];
const states = ['playing', 'endless', 'empty', 'muted', 'covered', 'rated', 'spoken', 'roomy', 'peopled'];

export class ScreenKeeper {
  #hub; #kept = '';
  constructor(hub) { this.#hub = hub }
  /** Only what has changed is stored, but for the last time. */
  keep(isLast = document.hidden) {
    const hub = this.#hub;
    if (hub.rev === null) return;
    const shown = Object.fromEntries(texts.map(id => [id, $(id).textContent])), flags = states.filter(is);
    const mood = value('mood'), panel = value('panel'), level = (hub.view().level ?? 0) / 100;
    const screen = { texts: shown, is: flags, mood, panel: /^set/.test(panel) ? 'home' : panel, level,
      room: hub.room };
    const said = JSON.stringify({ ...screen, texts: { ...shown, elapsed: '' } });
    if (said === this.#kept && !isLast) return;
    this.#kept = said;
    remember('screen', { ...screen, heardAt: hub.live ? Date.now() : hub.heardAt });
  }
}
