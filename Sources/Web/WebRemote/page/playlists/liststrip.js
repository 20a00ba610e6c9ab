// The playlists as a row of covers, as Home shows them.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { addressOf } from '../shell/route.js';
import { mostTiles, Strip } from '../items/strip.js';
import { t } from '../shell/translate.js';

/** A playlist as an item, so that both use the same row. */
export const asItem = list => ({ ...list, uri: items.list(list.id), kind: 'playlist', title: list.name });

export class ListStrip extends Strip {
  constructor(hub, clicked) {
    super(hub, t('lists.name'), { place: { uri: items.shelf('playlists') }, clicked, address: addressOf('lists') });
  }
  get question() { return ['pl.list', {}] }
  async read() {
    const found = await super.read();
    return found && { rows: found.rows.slice(0, mostTiles).map(asItem) };
  }
}
