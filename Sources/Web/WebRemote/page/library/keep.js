// What is kept on the hub's own disk: words and a mark for each row, and the line in its menu.

import { icon, make } from '../parts/parts.js';
import { readOn } from '../parts/rest.js';
import { closeSheet, openLine } from '../parts/sheet.js';
import { sourceOf, sourcesOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';

/** How much of a row is kept; null for what is not. */
export function keptWords(row) {
  if (row.kept === undefined) return null;
  const much = row.kept >= 100 ? t('keep.kept') : row.kept ? t('keep.percent', { n: row.kept }) : t('keep.waits');
  return row.left ? t('keep.left', { much }) : much;
}

/** Draws how much of it is kept on the picture of a row. */
export function markKept(element, row) {
  if (row.kept === undefined) return;
  element.classList.add('kept');
  element.style.setProperty('--kept', `${row.kept}%`);
}

/** What can be downloaded is kept, and what was made here; a list of this hub may hold such tracks. */
const mayBeKept = (hub, row) => row.kept !== undefined || row.kind === 'generation' || row.kind !== 'shelf'
  && (sourceOf(hub, row.uri) ? [sourceOf(hub, row.uri)]
  : row.kind === 'playlist' ? sourcesOf(hub) : []).some(source => source.can?.includes('download'));

/** Whether anything here can be kept: what a server lends, or what is kept already. */
export const canKeep = hub => !!hub.said.keep || sourcesOf(hub).some(source => source.can?.includes('download'));

/** How much of each item that a person has named is there, by its uri. */
export async function keptItems(hub) {
  const found = hub.said.keep ? await hub.ask('keep.list', {}) : null,
    { rows } = await readOn(hub, 'keep.list', found ?? {}, {}, 'rows'),
    named = rows.filter(({ uri }) => uri);
  return new Map(named.map(({ uri, whole, tracks }) => [uri, tracks ? Math.floor(100 * whole / tracks) : 100]));
}

/** The line in the menu of a row; none where nothing can be kept, or who looks may not. */
export function keepLine(hub, acts, row, name, say) {
  if (!['remote', 'admin'].includes(hub.role) || !mayBeKept(hub, row)) return [];
  const on = row.kept === undefined, act = async () => {
    closeSheet();
    const res = await acts.press('keep.set', { uri: row.uri, on });
    if (!res.ok) return;
    if (!on && res.st === 'noop') return say(t('keep.byAnother', { name }), 4000);
    if (on) row.kept ??= 0; else delete row.kept;
    acts.changed(row);
    say(t(on ? 'keep.isKept' : 'keep.isNot', { name }), 3000);
  };
  return [openLine(t(on ? 'keep.keep' : 'keep.drop'), 'keep', act, { 'data-do': 'keep' })];
}

/** The button that shows only what can be played now. It is there while a server is away. */
export function availableButton(changed) {
  const button = make('button', { class: 'tool', 'data-do': 'available', 'aria-pressed': 'false',
    'aria-label': t('keep.onlyAvailable'), title: t('keep.onlyAvailable'), hidden: true }, icon('filter'));
  button.onclick = () => { button.ariaPressed = `${!isOn()}`; changed() };
  const isOn = () => button.ariaPressed === 'true';
  return {
    button, isOn, asked: p => isOn() ? { ...p, available: true } : p,
    draw: hub => { button.hidden = !isOn() && sourcesOf(hub).every(({ state }) => ['ok', 'checking'].includes(state)) },
  };
}
