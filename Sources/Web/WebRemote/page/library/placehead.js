// The top of a page: of an album its cover, year, length and genre; of an artist a picture or the covers of the albums,
// and what a source tells of the artist; of a list its first covers. Below it the buttons that act on all of it.

import { whenUp } from '../gestures/finger.js';
import { keptItems, keptWords } from './keep.js';
import { artistAddress } from '../parts/links.js';
import { titleOf } from '../items/items.js';
import { make } from '../parts/parts.js';
import { coverBox } from '../items/tile.js';
import { t } from '../shell/translate.js';
import { minutesLong } from '../shell/writing.js';

const kinds = ['album', 'artist', 'playlist'];
const coverWidth = 300;
/** The number of tracks that stand above the albums of an artist. */
const mostTracks = 5;
/** The rows of a place wait so long for what stands above them. */
const mostWaitMs = 400;

const hasHead = here => kinds.includes(here.node?.kind);

/** A length as people say it. */
export const long = ms => minutesLong(Math.max(1, Math.round(ms / 60000)));
/** Different pictures of the first rows. */
export const artsOf = rows => [...new Set(rows.slice(0, 40).map(row => row?.art).filter(Boolean))];

/** What was learned of a place in time to stand above its rows. */
const moreAbove = ({ more, isLate }) => isLate ? {} : more ?? {};
/** What is known of a whole place, for a line of facts. */
function facts(here) {
  const { node, rows } = here, more = moreAbove(here), tracks = rows.filter(row => row?.kind === 'track'),
    isAll = !here.cursor && tracks.length === here.length;
  const n = node.kind === 'artist' ? null : node.n ?? here.total ?? here.length,
    ms = node.durMs ?? (isAll ? tracks.reduce((sum, row) => sum + (row.durMs ?? 0), 0) : 0);
  return [keptWords(more), node.year, n ? t('count.tracks', { n }) : null, ms ? long(ms) : null,
    more.genres?.slice(0, 2).join(', ')].filter(Boolean).join(' · ');
}

/** Null where a place needs no such top. `told` says whether it would look the same. */
export function placeHead(hub, here) {
  const { node } = here;
  if (!here.isKnown && !here.isOld || !hasHead(here)) return null;
  const arts = node.kind === 'album' ? [node.art] : node.art && node.kind === 'artist' ? [node.art] : artsOf(here.rows);
  const artist = node.kind === 'album' ? artistAddress(hub,
    { ...node, artists: [node.albumArtist ?? node.artists?.[0]].filter(Boolean) }) : null;
  const { about } = moreAbove(here), told = JSON.stringify([here.title, facts(here), arts.slice(0, 4), about]);
  return {
    told, make: () => make('div', { class: `placehead ${node.kind}` }, coverBox(node, coverWidth, arts),
      make('div', {}, make('h2', { dir: 'auto' }, here.title || titleOf(node)),
        artist ? make('a', { href: artist, dir: 'auto' }, node.albumArtist ?? node.artists?.[0]) : null,
        make('p', { dir: 'auto' }, facts(here)),
        about ? aboutWords(about) : null)),
  };
}

export const aboutWords = about => make('p', { class: 'about', dir: 'auto' }, about);

/**
 * Asked once: the genres of an album's first track, what a source tells of an artist, the tracks of it that are heard
 * most, and how much of it is kept.
 */
async function learn(hub, here) {
  const { node } = here, uri = node.kind === 'album' ? here.rows[0]?.uri : node.kind === 'artist' ? node.uri : null;
  const [found, kept] = await Promise.all([uri && hub.ask('lib.item', { uri }), keptItems(hub)]);
  const top = node.kind === 'artist' && found?.top,
    tracks = top ? (await hub.ask('lib.browse', { node: top, limit: mostTracks }))?.rows : [];
  // Without an answer it is asked again with the next rows.
  if (tracks) here.more = { ...found, tracks, kept: kept.get(node.uri) };
  here.learning = null;
}
/**
 * Waits for what stands above the rows of a place, so that it is shown together with them. Rows that may be pressed
 * stay where they are: what comes later stands below them until the place is opened again.
 */
export async function prepareHead(part, here) {
  if (here.more || !hasHead(here)) return;
  const hasRows = part.virtual.shown.size > 0, learning = here.learning ??= learn(part.hub, here);
  here.isAwaited = !hasRows;
  const isLearned = await Promise.race([learning.then(() => true), new Promise(go => setTimeout(go, mostWaitMs))]);
  here.isAwaited = false;
  here.isLate ||= hasRows || !isLearned;
  const learned = () => { if (here === part.here) part.learned(here) };
  if (here.isLate) learning.then(() => whenUp(part.element, learned, here));
}
