// The kinds of music that home and the library begin with: what people look for first, and behind it all others.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { canKeep } from './keep.js';
import { sourceOf } from './sources.js';
import { t } from '../shell/translate.js';

/** These have rows of covers of their own. */
const heads = ['favourites', 'recent', 'most', 'added'].map(items.shelf);
const radioShelf = 'radio:shelf/stations', listShelf = items.shelf('playlists');
export const podcastShelf = 'podcast:shelf/podcasts';
// Places of the page's own.
export const keptShelf = 'page:shelf/kept', imagineShelf = 'page:shelf/imagine', allShelf = 'page:shelf/all';
const ranks = [items.shelf('albums'), items.shelf('artists'), listShelf, radioShelf, podcastShelf, items.shelf('books'),
  imagineShelf, keptShelf];
const isFirst = row => ranks.includes(row.uri);
const byRank = (one, other) => ranks.indexOf(one.uri) - ranks.indexOf(other.uri);
export const isOfRadio = row => row.uri?.startsWith('radio:shelf/');

/** The kinds as chips; playlists have covers below them. */
export const chipRows = rows => rows.filter(row => isFirst(row) && row.uri !== listShelf).sort(byRank);

/** An answer of the hub as rows of this place, without what has a row of covers of its own there. */
export function kindsIn(hub, here, d) {
  // The shelves of the radio are one place, and servers' shelves are below it.
  const rows = d.rows.filter(row => !sourceOf(hub, row.uri) && !heads.includes(row.uri)
    && (!isOfRadio(row) || row.uri === radioShelf))
    .map(row => row.uri === radioShelf ? { ...row, title: t('radio.name') } : row);
  const add = (uri, title) => rows.push({ uri, kind: 'shelf', title });
  if (!d.cursor) add(imagineShelf, t('imagine.name'));
  if (!d.cursor && canKeep(hub)) add(keptShelf, t('kept.short'));
  if (!d.cursor && hub.said.pl && ![...here.rows, ...rows].some(row => row.uri === listShelf))
    add(listShelf, t('lists.name'));
  if (here.kind !== 'kinds') return { ...d, rows };
  here.others = rows.filter(row => !isFirst(row));
  const all = here.others.length ? [{ uri: allShelf, kind: 'shelf', title: t('library.all') }] : [];
  return { ...d, rows: [...rows.filter(isFirst).sort(byRank), ...all] };
}
