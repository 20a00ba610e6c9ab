// Below the albums of an artist: the tracks that are heard most, and artists that are like it, where its source knows
// them. Its source says where both are (`lib.item`, `top` and `related`).

import { make } from '../parts/parts.js';
import { Strip } from '../parts/strip.js';
import { t } from '../shell/translate.js';

const most = 10;
const parts = [['top', 'artist.top'], ['related', 'artist.related']];

export class ArtistPage {
  #hub; #clicked; #shown = '';
  /** `clicked(row, what, place)`: a tile was pressed. */
  constructor(hub, clicked) {
    [this.#hub, this.#clicked] = [hub, clicked];
    this.element = make('div', { class: 'home artistpage', hidden: true });
  }
  /** Called with each place; `more` of an artist's is what its source knows. */
  async show({ node, more }) {
    const known = node?.kind === 'artist' ? parts.filter(([name]) => more?.[name]) : [];
    const shown = JSON.stringify(known.map(([name]) => more[name]));
    this.element.hidden = !known.length;
    if (!known.length || shown === this.#shown) return;
    this.#shown = shown;
    this.element.replaceChildren();
    const strips = known.map(([name, title]) => new Strip(this.#hub, t(title),
      { place: { uri: more[name] }, clicked: this.#clicked }));
    const found = await Promise.all(strips.map(strip => strip.read(most)));
    // Another artist was opened meanwhile.
    if (shown !== this.#shown) return;
    if (!found.every(Boolean)) this.#shown = '';
    strips.forEach((strip, index) => strip.fill(found[index]?.rows ?? []));
    this.element.replaceChildren(...strips.map(strip => strip.element));
  }
}
