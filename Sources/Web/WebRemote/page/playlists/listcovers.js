// The first four covers of each list, for its tile. They are asked for when the tile is first seen, one list at a time.

import { rowsNow } from '../library/lastrows.js';
import { artsOf } from '../library/placehead.js';

const rowsToLookAt = 24;

export class ListCovers {
  #hub; #changed; #known = new Map(); #asked = Promise.resolve();
  /** `changed` is called with a row whose covers are known now. */
  constructor(hub, changed) { [this.#hub, this.#changed] = [hub, changed] }
  of(row) {
    const key = `${row.id} ${row.rev}`;
    if (row.id && row.n && !this.#known.has(key)) {
      this.#known.set(key, undefined);
      this.#asked = this.#asked.then(() => this.#read(row, key));
    }
    return this.#known.get(key) ?? [row.art];
  }
  async #read(row, key) {
    const found = await rowsNow(this.#hub, ['pl.get', { id: row.id, from: 0, n: rowsToLookAt }]);
    // Asked for again when its tile is drawn the next time.
    if (!found) return this.#known.delete(key);
    const arts = artsOf(found.rows);
    if (!arts.length) return;
    this.#known.set(key, arts);
    this.#changed(row);
  }
}
