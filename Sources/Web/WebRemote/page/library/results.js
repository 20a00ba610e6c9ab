// The results of a search by kind, with the best of all on top.

import { t } from '../shell/translate.js';

const groups = {
  artist: 'shelf.artists', album: 'shelf.albums', track: 'shelf.tracks', chapter: 'shelf.tracks',
    generation: 'shelf.tracks', playlist: 'shelf.playlists', podcast: 'shelf.podcasts', episode: 'shelf.episodes',
  book: 'shelf.books', series: 'shelf.series', author: 'shelf.authors', narrator: 'shelf.narrators',
  composer: 'shelf.composers', station: 'shelf.stations', genre: 'shelf.genres', label: 'shelf.labels',
  year: 'shelf.years', folder: 'shelf.folders', shelf: 'search.shelves',
};
const order = Object.keys(groups);

/** The rows of one answer. Those of a later answer come behind all others, so that nothing moves under a finger. */
export function byKind(rows, isFirst) {
  const [best, ...others] = isFirst ? rows : [null, ...rows];
  others.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  return best ? [best, ...others] : others;
}
/** Few results need no headings. */
export function resultHeadings({ rows, length }) {
  if (length < 3) return [];
  const breaks = [{ from: 0, text: t('search.best') }];
  for (let index = 1; index < length; index++) {
    const text = t(groups[rows[index].kind]);
    if (text !== breaks.at(-1).text) breaks.push({ from: index, text });
  }
  return breaks;
}
