// A row that stands for the same track at several places, at home and on servers: which of them plays, and what to do
// where they are not the same after all.

import { make } from '../parts/parts.js';
import { actLine, openLine, openSheet } from '../parts/sheet.js';
import { whereIs } from '../servers/sourcerows.js';
import { t } from '../shell/translate.js';

const others = row => (row.places ?? []).filter(uri => uri !== row.uri);

/** Lines for the sheet of a row; none where it has one place. */
export function placeLines(hub, acts, row) {
  if (!others(row).length) return [];
  const from = uri => actLine(t('places.playFrom', { source: whereIs(hub, uri) }), 'play',
    () => acts.now({ ...row, uri, places: [uri] }));
  const maySplit = ['remote', 'admin'].includes(hub.role);
  return row.places.map(from).concat(maySplit ? splitLine(hub, acts, row) : []);
}

function splitLine(hub, acts, row) {
  const ask = others(row).length === 1 ? () => acts.split(row, others(row)[0]) : null;
  if (ask) return [actLine(t('places.notSame'), 'x', ask)];
  return [openLine(t('places.notSameWhich'), 'x', () => choose(hub, acts, row))];
}
/** Which of more than two places is another track. */
function choose(hub, acts, row) {
  openSheet(t('places.which'), make('p', { class: 'note', dir: 'auto' },
    t('places.ownRow', { source: whereIs(hub, row.uri) })),
    ...others(row).map(uri => actLine(t('places.theOneOf', { source: whereIs(hub, uri) }), 'x',
      () => acts.split(row, uri))));
}
