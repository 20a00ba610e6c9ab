// The remote for other programs, with all that a hub can be asked. A page that is loaded by parts takes them one by one.

import { HubCore } from './baton-core.js';
import { OpenQueue } from './baton-queue.js';
import { become, follow, search, seek, seekBy, subscribe } from './baton-verbs.js';
import { watchView } from './baton-watchview.js';

export class Hub extends HubCore {
  static views = { ...HubCore.views, watch: watchView };
  #open = new OpenQueue(this);

  on(name, hear) {
    if (name === 'queue') this.#open.on(hear); else super.on(name, hear);
    return this;
  }
  seek(posMs) { return seek(this, posMs) }
  seekBy(ms) { return seekBy(this, ms) }
  search(question) { return search(this, question) }
  follow(room) { return follow(this, room) }
  become(view) { become(this, view) }
  isWaiting(kind) { return this.waiting.some(press => press.kind === kind) }
  subscribe(what) { return subscribe(this, what) }

  /** The followed room's queue, while it is open. */
  get queue() { return this.#open.copy }
  /** From now on `queue` is called when the rows of `hub.queue` change, also after reconnecting, until `closeQueue`. */
  openQueue(from, n) { return this.#open.open(from, n) }
  closeQueue() { this.#open.close() }
  /** Requests more rows, from a place or by their ids. */
  readQueue(p) { return this.#open.read(p) }
}
