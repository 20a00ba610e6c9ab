// How the rows of a place stand: in a grid or one below the other, and below which headings.

import { recall, rem, remember } from '../parts/parts.js';
import { t } from '../shell/translate.js';

/** Tiles are at least so wide, on a wide screen too, and have so much text below their covers, in sizes of the text. */
const tileWidth = 160, wideTile = 172, wide = 1000, tileText = 4, tileEdge = 16;
const gridKinds = ['album', 'artist'];

/** Read once: it is asked for with each row. */
let look = recall('look') === 'list' ? 'list' : 'grid';
export const prefersList = () => look === 'list';
/** Tiles or rows, for all places of this device. */
export function changeLook() { remember('look', look = prefersList() ? 'grid' : 'list') }

export const mayBeGrid = here => here.kind === 'browse' && gridKinds.includes(here.rows[0]?.kind);
/** Albums and artists stand in a grid, unless a person prefers lists. */
export const isGrid = here => mayBeGrid(here) && !prefersList();
const columnsOf = width => Math.max(2, Math.floor(width / (width < wide ? tileWidth : wideTile)));
/** The width of the covers in a grid so wide. */
export const coverWidth = width => width / columnsOf(width) - tileEdge;
export const gridForm = width => ({ columns: columnsOf(width),
  high: Math.round(width / columnsOf(width) + tileText * rem()) });

const parts = ['artist.albums', 'artist.appearsOn', 'artist.tracks'];
const partOf = (here, row) => row.kind !== 'album' ? 2 : !row.albumArtist || row.albumArtist === here.title ? 0 : 1;
/** What an artist made alone, with others, and without an album, each by year. */
export const sortParts = here => here.rows.sort((one, other) => partOf(here, one) - partOf(here, other));
/** Headings: the discs of an album, and the parts of an artist's page. */
export function headings(here) {
  if (here.node?.kind === 'album') return breaks(here, row => row.disc, disc => t('album.disc', { n: disc ?? 1 }));
  if (here.node?.kind === 'artist') return breaks(here, row => partOf(here, row), part => t(parts[part]));
  return [];
}
/** Where a row differs from the one before in what stands above it; none where all are alike. */
function breaks(here, what, words) {
  const found = [];
  let last;
  here.rows.forEach((row, index) => {
    if (!found.length || what(row) !== last) found.push({ from: index, text: words(last = what(row)) });
  });
  return found.length > 1 ? found : [];
}
