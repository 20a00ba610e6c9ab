// How far the reading of the music is, and what to do where there is none yet.

import { make, mark, put } from './parts.js';

export class Scan {
  #bar = make('i'); #words = make('p'); #invited = null;
  constructor() {
    this.element = make('div', { class: 'scan', hidden: true, role: 'progressbar', 'aria-label': 'Reading the library', 'aria-valuemin': 0 }, this.#bar, this.#words);
  }
  draw(scan) {
    this.element.hidden = !scan;
    if (!scan) return;
    const { done = 0, total, failed } = scan, part = total ? Math.min(1, done / total) : 0;
    this.#bar.style.transform = `scaleX(${part.toFixed(3)})`;
    const of = total ? ` of ${total.toLocaleString('en')}` : '', bad = failed ? `, ${failed} could not be read` : '';
    put(this.#words, `Reading your music: ${done.toLocaleString('en')}${of} files${bad}`);
    mark(this.element, 'aria-valuenow', done);
    mark(this.element, 'aria-valuemax', total);
  }
  /** An empty library says how to add music; an admin can do so here. */
  invitation(hub, say) {
    const isAdmin = hub.role === 'admin';
    if (this.#invited?.isAdmin === isAdmin) return this.#invited;
    const words = isAdmin ? 'Your library is empty. Add a folder of the hub’s machine with music in it:'
      : 'Your library is empty. An admin can add music on the hub’s machine: baton library add FOLDER, or this page as opened by “baton web”.';
    const invited = make('div', { 'data-said': words }, make('p', {}, words));
    if (isAdmin) import('./folders.js').then(({ Folders }) => {
      const folders = new Folders(hub, say);
      invited.append(folders.element);
      folders.read();
    }, () => { });
    return this.#invited = Object.assign(invited, { isAdmin });
  }
}
