// The results of a search by kind, with the best of all on top.

import { nameOf } from '../servers/sources.js';
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
function byKind(rows, isFirst) {
  const [best, ...others] = isFirst ? rows : [null, ...rows];
  others.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  return best ? [best, ...others] : others;
}
/**
 * Takes an answer. When the same words are asked for again, rows of servers that have not answered yet stay, until all
 * have.
 */
export function takeFound(here, { rows, total, cursor = null, asked = [] }) {
  const isFirst = !here.rows.length, isAgain = isFirst && here.found === here.q;
  if (isFirst) here.unsure = new Set;
  for (const row of byKind(rows, isFirst)) {
    const at = here.rows.findIndex(({ uri }) => uri === row.uri);
    here.rows[at < 0 ? here.rows.length : at] = row;
    here.unsure.delete(row.uri);
  }
  for (const row of isAgain ? here.before ?? [] : []) {
    if (!asked.includes(nameOf(row.uri)) || here.rows.some(({ uri }) => uri === row.uri)) continue;
    here.rows.push(row);
    here.unsure.add(row.uri);
  }
  if (!asked.length) here.rows = here.rows.filter(({ uri }) => !here.unsure.has(uri));
  Object.assign(here, { found: here.q, before: null, length: here.rows.length, total: total ?? here.total, cursor });
}
/**
 * However few there are, the best has its heading: while a person types, and when servers answer later, it stands where
 * it stood.
 */
export function resultHeadings({ rows, length }) {
  if (!length) return [];
  const breaks = [{ from: 0, text: t('search.best') }];
  for (let index = 1; index < length; index++) {
    const text = t(groups[rows[index].kind]);
    if (text !== breaks.at(-1).text) breaks.push({ from: index, text });
  }
  return breaks;
}
