// What stands around the rows of an artist or an album: top tracks and similar artists, credits.

import { ArtistPage } from './artistpage.js';
import { Credits } from './credits.js';

export class AroundPlace {
  #artist; #credits = new Credits();
  /** `shelves` shows the rows. `clicked(row, what, place)`: a row or a tile was pressed. */
  constructor(hub, { above, list }, clicked) {
    this.#artist = new ArtistPage(hub, clicked);
    above.append(this.#artist.above);
    list.after(this.#artist.element, this.#credits.element);
  }
  show(here) {
    this.#artist.show(here);
    this.#credits.show(here);
  }
  /** Favourite or stars of a row have changed. */
  rewrite(row) { this.#artist.rewrite(row) }
}
