// Links to albums and artists of which only the names are known: the row of a track says no more of its album than the
// title. Such an address is looked up when it is opened.

import { addressOf } from './route.js';
import { nameOf, sourceOf } from './sources.js';

const fold = text => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The account whose item it is; nothing for what is the hub's own. */
const accountOf = (hub, uri) => sourceOf(hub, uri) ? nameOf(uri) : undefined;
export const albumAddress = (hub, { album, albumArtist, artists, uri }) =>
  album ? addressOf('library', { album, artist: albumArtist || artists?.[0], source: accountOf(hub, uri) }) : null;
export const artistAddress = (hub, { artists, albumArtist, uri }) =>
  artists?.[0] || albumArtist ? addressOf('library',
    { artist: artists?.[0] || albumArtist, source: accountOf(hub, uri) }) : null;

/** The row of the album or artist that an address names, or null. */
export async function lookUp(hub, { album, artist, source }) {
  const kind = album ? 'album' : 'artist', wanted = album ?? artist;
  const found = await hub.ask('lib.search', { q: wanted.slice(0, 200), kinds: [kind], limit: 50,
    ...source && { source } });
  const same = (found?.rows ?? []).filter(row => row.kind === kind && fold(row.title) === fold(wanted));
  const of = row => fold(row.albumArtist || row.artists?.[0]);
  return kind === 'artist' ? same[0] ?? null : same.find(row => of(row) === fold(artist)) ?? same[0] ?? null;
}
