// A row that stands for the same track at several places, at home and on servers: which of them plays, and what to do where
// they are not the same after all.

import { icon, make } from './parts.js';
import { actLine, openSheet } from './sheet.js';
import { whereIs } from './sources.js';

const others = row => (row.places ?? []).filter(uri => uri !== row.uri);

/** Lines for the sheet of a row; none where it has one place. */
export function placeLines(hub, acts, row) {
  if (!others(row).length) return [];
  const from = uri => actLine(`Play from ${whereIs(hub, uri)}`, 'play', () => acts.now({ ...row, uri, places: [uri] }));
  const maySplit = ['remote', 'admin'].includes(hub.role);
  return row.places.map(from).concat(maySplit ? splitLine(hub, acts, row) : []);
}

function splitLine(hub, acts, row) {
  const ask = others(row).length === 1 ? () => acts.split(row, others(row)[0]) : null;
  if (ask) return [actLine('These are not the same', 'x', ask)];
  // A line that closes the sheet would leave no time to open another.
  return [make('button', { class: 'small act', onclick: () => choose(hub, acts, row) }, icon('x'), make('span', {}, 'These are not the same…'))];
}
/** Which of more than two places is another track. */
function choose(hub, acts, row) {
  openSheet('Which one is another track?', make('p', { class: 'note', dir: 'auto' }, `It gets a row of its own, and the one of ${whereIs(hub, row.uri)} stays here.`),
    ...others(row).map(uri => actLine(`The one of ${whereIs(hub, uri)}`, 'x', () => acts.split(row, uri))));
}
