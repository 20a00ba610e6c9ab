// Links to albums and artists of which only the names are known: the row of a track says no more of its album than the
// title. Such an address is looked up when it is opened (lookup.js).

import { addressOf } from '../shell/route.js';
import { nameOf, sourceOf } from '../servers/sources.js';

/** The account whose item it is; nothing for what is the hub's own. */
const accountOf = (hub, uri) => sourceOf(hub, uri) ? nameOf(uri) : undefined;
// In a book the name of its series stands there.
export const albumAddress = (hub, { kind, album, albumArtist, artists, uri }) =>
  album && kind !== 'book' ? addressOf('library',
    { album, artist: albumArtist || artists?.[0], source: accountOf(hub, uri) }) : null;
export const artistAddress = (hub, { artists, albumArtist, uri }) =>
  artists?.[0] || albumArtist ? addressOf('library',
    { artist: artists?.[0] || albumArtist, source: accountOf(hub, uri) }) : null;
