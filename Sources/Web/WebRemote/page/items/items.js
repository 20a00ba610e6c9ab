// An item: its titles, and the row that shows it.

import { own } from '../parts/become.js';
import { artAddress, orLetters } from '../parts/cover.js';
import '../looks/icons.js';
import { keptWords, markKept } from '../library/keep.js';
import { icon, make, mark, spell } from '../parts/parts.js';
import { placeholder } from './placeholder.js';
import { awayWords, fromWhere } from '../servers/sourcerows.js';
import { sourceOf, titleOf as titleOfSource } from '../servers/sources.js';
import { has as isText, t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

const signs = { album: 'album', artist: 'people', composer: 'pen', genre: 'genre', year: 'calendar',
  label: 'label', folder: 'folder', playlist: 'lists', podcast: 'radio', series: 'shelf',
  author: 'people', narrator: 'people', shelf: 'shelf' };
const shelves = { albums: 'album', artists: 'people', composers: 'pen', genres: 'genre', years: 'calendar',
  labels: 'label', folders: 'folder', tracks: 'note',
  favourites: 'heart', playlists: 'lists', random: 'shuffle', most: 'star', stations: 'radio', podcasts: 'radio',
  episodes: 'note', books: 'shelf', series: 'shelf', authors: 'people', narrators: 'people', kept: 'keep',
  imagine: 'pen', radio: 'radio' };
export const signOf = row => row.kind === 'shelf' && shelves[row.uri?.split('/').at(-1)] || signs[row.kind]
  || (row.kind === 'station' ? 'radio' : 'note');
/** What a tap on a row needs: everybody may look into a container. */
export const needOfRow = row => isContainer(row) ? null : 'remote';
export const isContainer = row => row.kind in signs;
/** A station of the hub, of a server or of the directory that the hub asks. */
export const isStation = row => row?.kind === 'station' && !!row.uri?.startsWith('radio:');
/** The uri under which a row is played: the best of its places. */
export const playedAs = row => row.places?.[0] ?? row.uri;
/** Shelves and mixes that are known by name have their titles in the language of the page, whose ever they are. */
const shelfTitle = row => {
  const [, place, name] = /\b(shelf|mix)\/(\w+)$/.exec(row.uri ?? '') ?? [], isMix = place === 'mix',
    key = isMix ? `mixes.${name}` : `shelf.${name}`;
  return (isMix || row.kind === 'shelf') && isText(key) ? t(key) : null;
};
export const titleOf = row => shelfTitle(row) || row.title || row.uri || t('item.untitled');
/** Where this item stands in rows that may have come anew since it was drawn; -1 where it is gone. */
export function indexOf(rows, row) {
  const at = rows.indexOf(row);
  const isSame = other => row.entry ? other?.entry === row.entry : other?.uri === row.uri;
  return at >= 0 ? at : rows.findIndex(isSame);
}
export const current = (rows, row) => rows[indexOf(rows, row)] ?? row;
/** What a person says of an item, and what is said of its places. */
const marks = ['fav', 'stars', 'pend', 'kept', 'places'];
/** The item as it is in these rows, with the marks of a row that it may have been before. */
export function marked(rows, row) {
  const now = current(rows, row);
  if (now !== row) for (const name of marks) now[name] = row[name];
  return now;
}
export const quoted = text => t('quoted', { text: text.slice(0, 80) });
export const nameOf = row => quoted(titleOf(row));

/** Of a book: its series with its number, and its narrators. */
const ofBook = row => row.kind !== 'book' ? [] : [[row.series, row.number].filter(Boolean).join(' '),
  row.narrators?.length ? t('book.readBy', { names: row.narrators.join(', ') }) : null];
const counted = { author: 'count.books', narrator: 'count.books', series: 'count.books' };
/** When an episode was published. */
const dayOf = row => row.published ? date(row.published, { dateStyle: 'medium' }) : null;

/**
 * The second line of a row: stars, kind, artist (but the one that all rows have), album or year; where there are
 * servers, whose item it is.
 */
export function below(hub, row, { isMixed = true, isInAlbum = false, artist = null, isFromElsewhere = true } = {}) {
  const all = (row.artists?.length ? row.artists : [row.albumArtist]).filter(Boolean).join(', '),
    artists = all === artist ? '' : all;
  // A shelf counts its items, which need not be tracks.
  const inside = !row.n && row.kind === 'shelf' || row.n === undefined ? null : row.kind === 'shelf' ? `${row.n}`
    : t(counted[row.kind] ?? 'count.tracks', { n: row.n });
  const from = isFromElsewhere || row.places?.length > 1 ? fromWhere(hub, row) : null;
  const what = isContainer(row) ? [isMixed ? t(`kind.${row.kind}`) : null, artists, from, row.year, inside,
    row.smart ? t('list.fillsItself') : null, row.by ? t('list.of', { name: row.by }) : null]
    : [dayOf(row), artists, ...ofBook(row), from, row.about,
    isInAlbum || row.kind === 'book' ? null : row.album];
  const stars = row.stars ? '★'.repeat(row.stars) : null;
  const source = row.pend ? sourceOf(hub, row.uri) : null,
    pend = row.pend ? t('item.notSent', { source: source ? titleOfSource(source) : t('source.its') }) : null;
  return [pend, row.away ? awayWords(hub, row) : null, keptWords(row), stars, ...what].filter(Boolean).join(' · ');
}

/** A box for a picture, with the icon of its kind until the picture has loaded. */
function picture(row, number) {
  const box = make('span', { class: 'art', 'aria-hidden': 'true' });
  if (number) box.append(make('span', { class: 'place' }, `${number}`));
  else placeholder(box, row, signOf(row));
  if (row.art && !number) box.append(orLetters(make('img', { alt: '', loading: 'lazy', decoding: 'async',
    draggable: 'false', width: 44, height: 44, src: artAddress(row.art, 44) })));
  return own(box, JSON.stringify([number, row.art, titleOf(row), row.kind]));
}

/** What a press on an item does, for screen readers. */
export const actionOf = (row, small) => [t(isContainer(row) ? 'item.open' : 'item.play', { title: titleOf(row) }),
  small].filter(Boolean).join(', ');

/**
 * The row of an item. `tools` are its buttons; `number` takes the place of its picture; `isMixed` shows the kind of
 * each item, `isFromElsewhere` that it may be another source's than its neighbours.
 */
export function itemRow(hub, row, { number = null, tools = ['fav', 'more'], ...shows } = {}) {
  const title = titleOf(row), small = below(hub, row, { isMixed: false, ...shows });
  const element = make('li', { class: row.away ? 'away' : null, 'data-entry': row.entry },
    make('button', { class: 'row', 'data-do': 'main', 'data-needs': needOfRow(row),
      'aria-label': actionOf(row, small) },
      picture(row, number),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, title), make('small', { dir: 'auto' }, small)),
      make('span', { class: 'length' }, row.durMs ? spell(row.durMs) : '')),
    ...tools.map(name => tool(name, row, title)));
  element.row = row;
  markKept(element, row);
  return element;
}
const toolTexts = {
  fav: ['heart', 'item.favourite'], more: ['dots', 'item.more'], remove: ['x', 'item.remove'],
    move: ['grip', 'item.move'],
};
/** A mark on a station makes it a preset. */
const starTexts = ['star', 'radio.preset'];
function tool(name, row, title) {
  const [sign, label] = name === 'fav' && row.kind === 'station' ? starTexts : toolTexts[name];
  // A shelf cannot be a favourite.
  const button = make('button', { class: name === 'move' ? 'tool grip' : 'tool', 'data-do': name,
    'data-needs': name === 'more' ? null : 'remote', 'aria-label': t(label, { title }) }, icon(sign));
  if (name === 'fav') { mark(button, 'aria-pressed', !!row.fav); button.classList.toggle('pending', !!row.pend) }
  if (row.kind === 'shelf') button.style.visibility = 'hidden';
  return button;
}
