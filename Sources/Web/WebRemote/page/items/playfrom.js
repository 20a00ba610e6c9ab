// A tap on a row: what holds it plays, from this row on. Of a container the hub gets the name and the place, so that it
// may be longer than what the page has read. Of mixed, sorted or changing lists it gets the tracks themselves, as they
// are on the screen.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { indexOf, isContainer, isStation, nameOf, playedAs, quoted } from './items.js';
import { t } from '../shell/translate.js';

const held = ['album', 'genre', 'playlist'];
/** Of these the container is the cause, and the tracks that were read from it may play all the same. */
const unplayable = ['not_found', 'too_large', 'quota', 'unsupported'];
const mostRows = 300, mostBytes = 9000, mostBefore = 20;

export async function playFrom(hub, acts, say, row, here) {
  // A guest may add, and not replace the queue.
  if (hub.role === 'guest') return acts.add(row, 'end');
  if (isStation(row)) return (await import('../radio/stations.js')).playStation(hub, say, row);
  const uri = here.kind === 'list' ? here.node.uri : here.uri, index = indexOf(here.rows, row);
  const isWhole = uri && held.includes(here.node?.kind) && !here.sort && !here.node.smart
    && !here.rows.slice(0, index).some(isContainer);
  let res = isWhole ? await playPlace(hub, uri, index, row) : null;
  if (!res || unplayable.includes(res.err?.code)) res = await playRows(hub, here.rows, row);
  else if (!res.ok) say(res.err?.msg ?? t('hub.refused'));
  if (res.ok) say(here.title && here.kind !== 'home'
    ? t('item.playsFrom', { name: nameOf(row),
      place: here.kind === 'search' ? t('search.theResults') : quoted(here.title) })
      : t('item.playsAll', { name: nameOf(row) }), 4000);
}

async function playPlace(hub, uri, index, row) {
  const res = await hub.press('play', { uri, ...index ? { index } : {} }, { key: token(6), silent: true });
  // The container has changed since it was read: the track is somewhere near.
  if (res.ok && !(row.places ?? [row.uri]).includes(hub.view().uri)) {
    const near = await hub.ask('queue.get', { from: Math.max(0, index - 50), n: 100 });
    const entry = near?.rows.find(other => (row.places ?? [row.uri]).includes(other.uri))?.entry;
    if (entry) await hub.press('jump', { entry }, { kind: 'skip' });
  }
  return res;
}

async function playRows(hub, rows, row) {
  const tracks = rows.filter(other => other && !isContainer(other) && (!other.away || other === row)),
    at = indexOf(tracks, row);
  const uris = [], first = Math.max(0, at - mostBefore);
  let bytes = 0;
  for (const track of tracks.slice(first, first + mostRows)) {
    bytes += playedAs(track).length * 2 + 8;
    if (bytes > mostBytes && uris.length > at - first) break;
    uris.push(playedAs(track));
  }
  const res = await hub.press('queue.replace', { base: hub.view().queue?.rev ?? 0, uris, start: at - first },
    { key: token(6), whole: true });
  if (res.ok && !hub.isPlaying) await hub.press('play', {}, { kind: 'play' });
  return res;
}
