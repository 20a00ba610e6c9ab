// The playlists as a row of covers, as Home shows them: each with the first four of its own.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { mostTiles, Strip } from '../items/strip.js';
import { artsOf } from '../library/placehead.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

const rowsToLookAt = 24;

/** A playlist as an item, so that both use the same row. */
export const asItem = list => ({ ...list, uri: items.list(list.id), kind: 'playlist', title: list.name });

export class ListStrip extends Strip {
  #hub; #arts = new Map();
  constructor(hub, clicked) {
    super(hub, t('lists.name'), { place: { uri: items.shelf('playlists') }, clicked, address: addressOf('lists') });
    this.#hub = hub;
  }
  get question() { return ['pl.list', {}] }
  async read() {
    const found = await super.read();
    return found && { rows: found.rows.slice(0, mostTiles).map(asItem) };
  }
  fill(rows) {
    const covered = () => rows.map(row => ({ ...row, arts: this.#arts.get(`${row.id} ${row.rev}`) }));
    super.fill(covered());
    this.#look(rows).then(isMore => { if (isMore) super.fill(covered()) });
  }
  /** Asked once for each list as it is, after the row is there. */
  async #look(rows) {
    const fresh = rows.filter(({ id, n, rev }) => n && !this.#arts.has(`${id} ${rev}`));
    await Promise.all(fresh.map(async ({ id, rev }) => {
      const found = await this.#hub.ask('pl.get', { id, from: 0, n: rowsToLookAt }), arts = artsOf(found?.rows ?? []);
      this.#arts.set(`${id} ${rev}`, arts.length < 4 ? undefined : arts);
    }));
    return fresh.length > 0;
  }
}
