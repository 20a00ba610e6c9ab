// The playlists as a row of covers, as Home shows them: each with the first four of its own.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { mostTiles, Strip } from '../items/strip.js';
import { ListCovers } from './listcovers.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

/** A playlist as an item, so that both use the same row. */
export const asItem = list => ({ ...list, uri: items.list(list.id), kind: 'playlist', title: list.name });

export class ListStrip extends Strip {
  #covers; #rows = [];
  constructor(hub, clicked) {
    super(hub, t('lists.name'), { place: { uri: items.shelf('playlists') }, clicked, address: addressOf('lists') });
    this.#covers = new ListCovers(hub, () => this.#draw());
  }
  get question() { return ['pl.list', {}] }
  /** Gets the rows as the hub tells them, since they are kept so for Playlists, too. */
  fill(rows) {
    this.#rows = rows.slice(0, mostTiles).map(asItem);
    this.#draw();
  }
  #draw() { super.fill(this.#rows.map(row => ({ ...row, arts: this.#covers.of(row) }))) }
}
