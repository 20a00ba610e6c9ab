// The top of a page: of an album its cover, year, length and genre; of an artist a picture or the covers of the albums,
// and what a source tells of the artist; of a list its first covers. Below it the buttons that act on all of it.

import { keptItems, keptWords } from './keep.js';
import { artistAddress } from '../parts/links.js';
import { titleOf } from '../items/items.js';
import { make } from '../parts/parts.js';
import { coverBox } from '../items/tile.js';
import { t } from '../shell/translate.js';
import { minutesLong } from '../shell/writing.js';

const kinds = ['album', 'artist', 'playlist'];
const coverWidth = 300;

/** A length as people say it. */
export const long = ms => minutesLong(Math.max(1, Math.round(ms / 60000)));
/** Different pictures of the first rows. */
export const artsOf = rows => [...new Set(rows.slice(0, 40).map(row => row?.art).filter(Boolean))];

/** What is known of a whole place, for a line of facts. */
function facts(here) {
  const { node, rows } = here, tracks = rows.filter(row => row?.kind === 'track'),
    isAll = !here.cursor && tracks.length === here.length;
  const n = node.kind === 'artist' ? null : node.n ?? here.total ?? here.length,
    ms = node.durMs ?? (isAll ? tracks.reduce((sum, row) => sum + (row.durMs ?? 0), 0) : 0);
  return [keptWords(here.more ?? {}), node.year, n ? t('count.tracks', { n }) : null, ms ? long(ms) : null,
    here.more?.genres?.slice(0, 2).join(', ')].filter(Boolean).join(' · ');
}

/** Null where a place needs no such top. `told` says whether it would look the same. */
export function placeHead(hub, here) {
  const { node } = here;
  if (!here.isKnown && !here.isOld || !kinds.includes(node?.kind)) return null;
  const arts = node.kind === 'album' ? [node.art] : node.art && node.kind === 'artist' ? [node.art] : artsOf(here.rows);
  const artist = node.kind === 'album' ? artistAddress(hub,
    { ...node, artists: [node.albumArtist ?? node.artists?.[0]].filter(Boolean) }) : null;
  const told = JSON.stringify([here.title, facts(here), arts.slice(0, 4), here.more?.about]);
  return {
    told, make: () => make('div', { class: `placehead ${node.kind}` }, coverBox(node, coverWidth, arts),
      make('div', {}, make('h2', { dir: 'auto' }, here.title || titleOf(node)),
        artist ? make('a', { href: artist, dir: 'auto' }, node.albumArtist ?? node.artists?.[0]) : null,
        make('p', { dir: 'auto' }, facts(here)),
        here.more?.about ? make('p', { class: 'about', dir: 'auto' }, here.more.about) : null)),
  };
}

/** Asked once: the genres of an album's first track, what a source tells of an artist, and how much of it is kept. */
export async function learn(hub, here) {
  const { node } = here, uri = node?.kind === 'album' ? here.rows[0]?.uri : node?.kind === 'artist' ? node.uri : null;
  if (here.more || !hub.live || !uri && !hub.said.keep) return false;
  here.more = {};
  const [found, kept] = await Promise.all([uri && hub.ask('lib.item', { uri }), keptItems(hub)]);
  here.more = { ...found, kept: kept.get(node.uri) };
  return true;
}
