// The kinds of things in a library, in the order in which people look for them, and which of them a tab begins with.

import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { canKeep } from './keep.js';
import { addressOf } from '../shell/route.js';
import { sourceOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';

const heads = ['favourites', 'recent', 'most', 'added'].map(items.shelf);
const playlists = items.shelf('playlists');
export const podcastShelf = 'podcast:shelf/podcasts';
// Places of the page's own.
export const allShelf = 'page:shelf/all';
const keptShelf = 'page:shelf/kept', imagineShelf = 'page:shelf/imagine';
const stations = 'radio:shelf/stations', radioShelf = 'page:shelf/radio';
const isOfRadio = row => row.uri === radioShelf || row.uri?.startsWith('radio:shelf/');

/** The address of a row that has a page of its own; null for what the library shows itself. */
export function pageOf(row) {
  const list = items.listOf(row.uri ?? '');
  if (row.uri === playlists) return addressOf('lists');
  if (row.uri === imagineShelf) return addressOf('imagine');
  if (row.uri === keptShelf) return addressOf('kept');
  if (isOfRadio(row)) return addressOf('radio');
  return row.uri && items.list(list) === row.uri ? addressOf('lists', { list }) : null;
}

/** What people look for first; all other places follow. */
const ranks = [items.shelf('albums'), items.shelf('artists'), playlists, radioShelf, podcastShelf, items.shelf('books'),
  imagineShelf, keptShelf];
const isFirst = row => ranks.includes(row.uri);
const ranked = rows => rows.filter(isFirst).sort((one, other) => ranks.indexOf(one.uri) - ranks.indexOf(other.uri));

/**
 * The rows of a tab out of an answer about all shelves: the beginning of a page of covers has a row of its own there,
 * servers' shelves have one each, and the shelves of the radio are one place.
 */
export function kindsOf(hub, here, { rows, cursor }) {
  const found = rows.filter(row => !sourceOf(hub, row.uri) && !heads.includes(row.uri)
    && (!isOfRadio(row) || row.uri === stations))
    .map(row => row.uri === stations ? { ...row, uri: radioShelf, title: t('radio.name') } : row);
  if (!cursor && hub.has('making')) found.push({ uri: imagineShelf, kind: 'shelf', title: t('imagine.name') });
  if (!cursor && canKeep(hub)) found.push({ uri: keptShelf, kind: 'shelf', title: t('kept.short') });
  if (!cursor && hub.said.pl && !here.rows.concat(found).some(row => row.uri === playlists))
    found.push({ uri: playlists, kind: 'shelf', title: t('lists.name') });
  if (here.kind !== 'kinds') return found;
  const others = found.filter(row => !isFirst(row)),
    all = others.length ? [{ uri: allShelf, kind: 'shelf', title: t('library.all') }] : [];
  return here.uri === allShelf ? others : [...ranked(found), ...all];
}
/** Those that Home offers in one line; playlists have covers there. */
export const chipsOf = rows => ranked(rows).filter(row => row.uri !== playlists);
