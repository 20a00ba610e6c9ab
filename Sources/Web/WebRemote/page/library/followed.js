// What rows depend on besides their place: servers that come, go or were told something, and tracks that are fetched to
// be kept.

import { sourcesOf } from '../servers/sources.js';

/** How far tracks have been fetched is looked at again after so long. */
const restMs = 900;

export class Followed {
  #hub; #sources = null; #kept = undefined; #keptAt = 0;
  constructor(hub) { this.#hub = hub }
  /** `areOther`: what these rows say of their servers has changed. `isMore`: more is kept of some of them. */
  look(rows) { return { areOther: this.#lookAtSources(rows), isMore: this.#lookAtKept(rows) } }
  #lookAtSources(rows) {
    const list = sourcesOf(this.#hub), states =
      JSON.stringify(list.map(({ name, title, state, msg }) => [name, title, state, msg]));
    const pending = list.reduce((sum, source) => sum + (source.pending ?? 0), 0),
      [before, waited] = this.#sources ?? [states, pending];
    this.#sources = [states, pending];
    return states !== before || pending < waited && rows.some(row => row.pend);
  }
  #lookAtKept(rows) {
    const rev = this.#hub.said.keep?.rev, now = performance.now();
    if (rev === this.#kept || now - this.#keptAt < restMs) return false;
    [this.#kept, this.#keptAt] = [rev, now];
    return rows.some(row => row.kept < 100);
  }
}
