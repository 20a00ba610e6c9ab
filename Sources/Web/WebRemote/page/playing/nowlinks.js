// Title and cover of what plays lead to its album, and the artist to the artist's page. Loaded with the first track of
// a library that has either.

import { $, mark } from '../parts/base.js';
import { albumAddress, artistAddress } from '../parts/links.js';

export class NowLinks {
  #hub;
  static open({ hub }) { return new NowLinks(hub) }
  constructor(hub) {
    this.#hub = hub;
    $('cover').onclick = () => $('title').firstChild.click();
  }
  /** Where there is a library, and not while a skip is only expected. */
  draw(view) {
    const { said } = this.#hub, item = said.lib && said.now?.entry === view.entry && said.now?.uri ? said.now : null;
    const album = item && albumAddress(this.#hub, item),
      artist = item && !item.streamTitle ? artistAddress(this.#hub, item) : null;
    for (const id of ['title', 'from']) mark($(id).firstChild, 'href', album);
    mark($('artist').firstChild, 'href', artist);
    $('cover').classList.toggle('leads', !!album);
  }
}
