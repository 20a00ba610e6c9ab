// The results of a search by kind, with the best of all on top.

const groups = { artist: 'Artists', album: 'Albums', track: 'Tracks', chapter: 'Tracks', generation: 'Tracks', playlist: 'Playlists', station: 'Stations', genre: 'Genres', folder: 'Folders', shelf: 'Shelves' };
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
  const breaks = [{ from: 0, text: 'Best result' }];
  for (let index = 1; index < length; index++) {
    const text = groups[rows[index].kind];
    if (text !== breaks.at(-1).text) breaks.push({ from: index, text });
  }
  return breaks;
}
