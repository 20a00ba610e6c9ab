// Finds what an address names by title alone: an album, or an artist.

const fold = text => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** The row of the album or artist that an address names, or null. */
export async function lookUp(hub, { album, artist, source }) {
  const kind = album ? 'album' : 'artist', wanted = album ?? artist;
  const found = await hub.ask('lib.search', { q: wanted.slice(0, 200), kinds: [kind], limit: 50,
    ...source && { source } });
  const same = (found?.rows ?? []).filter(row => row.kind === kind && fold(row.title) === fold(wanted));
  const of = row => fold(row.albumArtist || row.artists?.[0]);
  return kind === 'artist' ? same[0] ?? null : same.find(row => of(row) === fold(artist)) ?? same[0] ?? null;
}
