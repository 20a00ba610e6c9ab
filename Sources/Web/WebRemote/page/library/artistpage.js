// Around the albums of an artist: the tracks that are heard most above them, and artists that are like it below, where
// its source knows them. Its source says where both are (`lib.item`, `top` and `related`). Tracks that come later than
// the albums stand below them.

import { become } from '../parts/become.js';
import { whenUp } from '../gestures/finger.js';
import { onMenu } from '../gestures/hold.js';
import { itemRow, marked } from '../items/items.js';
import { make } from '../parts/parts.js';
import { aboutWords } from './placehead.js';
import { addressOf } from '../shell/route.js';
import { Strip } from '../items/strip.js';
import { t } from '../shell/translate.js';

/** The first tracks as rows, below a heading that leads to all of them. */
function topTracks(hub, uri, rows, clicked) {
  const here = { kind: 'browse', uri, node: { kind: 'shelf' }, title: t('artist.top'), rows };
  const list = make('ol', { class: 'rows items still', 'aria-label': t('artist.top') },
    ...rows.map(row => itemRow(hub, row)));
  list.onclick = event => {
    const button = event.target.closest('button'), row = button?.closest('li').row;
    if (row) clicked(row, button.dataset.do, here);
  };
  const heading = make('a', { href: addressOf('library', { at: uri }) }, t('artist.top'));
  return make('section', { class: 'stripbox' }, make('h2', {}, heading), list);
}

export class ArtistPage {
  #hub; #clicked; #shown = '';
  /** `clicked(row, what, place)`: a row or a tile was pressed. `above` and `element` stand around the albums. */
  constructor(hub, clicked) {
    [this.#hub, this.#clicked] = [hub, clicked];
    this.above = make('div', { class: 'home artistpage', hidden: true });
    this.element = make('div', { class: 'home artistpage', hidden: true });
    for (const part of [this.above, this.element]) onMenu(part, event => {
      const row = event.target.closest('.still > li')?.row;
      if (row) clicked(row, 'more', { rows: [row] });
      return !!row;
    });
  }
  /** Favourite or stars of a row have changed: so they have of the same track among the first. */
  rewrite(row) {
    const items = [this.above, this.element].flatMap(part => [...part.querySelectorAll('.still > li')]);
    for (const item of items) if (item.row.uri === row.uri) {
      const now = marked([item.row], row);
      whenUp(item, () => become(item, itemRow(this.#hub, now)));
    }
  }
  /** Called with each place; `more` of an artist's is what its source knows. */
  async show({ node, more, isLate }) {
    const { about, top, tracks = [], related } = node?.kind === 'artist' && more || {};
    const shown = JSON.stringify([node?.uri, about, tracks.map(({ uri }) => uri), related, !!isLate]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    for (const part of [this.above, this.element]) {
      part.hidden = true;
      part.replaceChildren();
    }
    const first = tracks.length ? topTracks(this.#hub, top, tracks, this.#clicked) : null;
    this.#put(this.above, first && !isLate ? [first, make('h2', { class: 'albums' }, t('artist.albums'))] : []);
    const late = isLate ? [first, about ? aboutWords(about) : null].filter(Boolean) : [];
    this.#put(this.element, late);
    if (!related) return;
    const alike = new Strip(this.#hub, t('artist.related'), { place: { uri: related }, clicked: this.#clicked });
    const artists = await alike.read();
    // Another artist was opened meanwhile.
    if (shown !== this.#shown) return;
    if (!artists) { this.#shown = ''; return }
    alike.fill(artists.rows);
    this.#put(this.element, artists.rows.length ? [...late, alike.element] : late);
  }
  #put(part, children) {
    whenUp(part, () => {
      part.replaceChildren(...children);
      part.hidden = !children.length;
    });
  }
}
