// The playlists as a row of covers, as Home shows them.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { addressOf } from '../shell/route.js';
import { mostTiles, Strip } from '../parts/strip.js';
import { t } from '../shell/translate.js';

/** A playlist as an item, so that both use the same row. */
export const asItem = list => ({ ...list, uri: items.list(list.id), kind: 'playlist', title: list.name });

export class ListStrip extends Strip {
  #hub;
  constructor(hub, clicked) {
    super(hub, t('lists.name'), { place: { uri: items.shelf('playlists') }, clicked, address: addressOf('lists') });
    this.#hub = hub;
  }
  async read() {
    const found = await this.#hub.ask('pl.list', {});
    return found && { rows: found.rows.slice(0, mostTiles).map(asItem) };
  }
}
