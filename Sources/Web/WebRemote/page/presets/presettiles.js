// What stands on the six tiles of the presets: what was kept there on this device, and on those that are free the
// radio's presets, which the hub keeps for all devices. One press plays one.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { recall, remember } from '../parts/parts.js';

export const count = 6;
const mostText = 200;

const read = () => {
  const kept = recall('presets'), list = Array.isArray(kept) ? kept : [];
  return Array.from({ length: count }, (_, index) => list[index]?.uri ? list[index] : null);
};
/** `stations` are the radio's presets as the hub tells them. A tile that is free is null. */
export function tilesOf(stations = []) {
  const own = read(), others = stations.filter(({ uri }) => !own.some(tile => tile?.uri === uri));
  return own.map(tile => tile ?? (others.length ? { kind: 'station', ...others.shift(), isOfRadio: true } : null));
}
/** Of an item only what the tile shows is kept. */
export function keepOn(index, { uri, title, kind, art, artists, albumArtist }) {
  const kept = read(), picture = typeof art === 'string' ? art : art?.id;
  kept[index] = {
    uri, title: (title ?? uri).slice(0, mostText), kind, art: picture,
    from: (albumArtist || artists?.[0] || '').slice(0, mostText),
  };
  remember('presets', kept);
}
export function free(index) {
  const kept = read();
  kept[index] = null;
  remember('presets', kept);
}

/** One command with a key, so that a press counts once. */
export const playTile = (hub, { uri, kind }) =>
  hub.press(kind === 'station' && uri.startsWith('radio:') ? 'radio.play' : 'play', { uri }, { key: token(6) });

/** What plays, as an item that a tile can hold: a watch is told no more of it than its texts, so it asks. */
export async function whatPlays(hub) {
  const { entry } = hub.view(), { now } = hub.said;
  if (!entry) return null;
  if (now?.uri) return now;
  return (await hub.ask('queue.get', { ids: [entry] }))?.rows?.find(row => row.uri) ?? null;
}
