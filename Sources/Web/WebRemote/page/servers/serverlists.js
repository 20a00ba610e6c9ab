// Playlists that servers keep. They are places of their source, and are edited by the places of their rows, in the
// state that was read; the answer of the server decides, so the rows are requested again after each edit.

import { itemRow } from '../items/items.js';
import { sourcesOf, titleOf } from './sources.js';
import { t } from '../shell/translate.js';

const mostRows = 500;
const atServer = /^[a-z][a-z0-9-]*:playlist\//;

/** Whether the rows of this place can be edited at its server. */
export const isEditable = here => here.kind === 'browse' && !!here.version && atServer.test(here.uri ?? '');

/** The shelves of servers whose lists can be edited. */
export const listShelves = hub => sourcesOf(hub)
  .filter(source => source.state === 'ok' && source.can?.includes('lists'))
  .map(source => ({ uri: `${source.name}:shelf/playlists`, kind: 'shelf',
    title: t('lists.at', { source: titleOf(source) }) }));

let numbers = 0;
/**
 * Rows without ids of their own get some, so that the one that is moved is known among others. In a later answer they
 * have the same ones again.
 */
export function taken(here, d) {
  if (d.version && here.version && d.version !== here.version && here.rows.length > d.rows.length) {
    here.isKnown = false;
    return;
  }
  here.version = d.version ?? here.version;
  if (!isEditable(here)) return;
  if (here.before) {
    here.names = new Map(here.before.filter(Boolean).map(({ uri }) => [uri, []]));
    for (const row of here.before) if (row?.entry) here.names.get(row.uri).push(row.entry);
    here.before = null;
  }
  for (const row of here.rows) if (row) row.entry ??= here.names?.get(row.uri)?.shift() ?? `at-server-${numbers += 1}`;
}

/** The parameters of an edit of this list by places. */
export const edit = (here, op) => ['pl.edit', { list: here.uri, version: here.version, ops: [op] }];
export const remove = here => ['pl.delete', { list: here.uri }];
export const rowOf = (hub, row) => itemRow(hub, row, { tools: ['remove', 'more', 'move'], isFromElsewhere: false });

/** Rows of a shelf, as many as a menu can have. */
async function rowsOf(hub, node) {
  const rows = [];
  for (let cursor = null; ;) {
    const d = await hub.ask('lib.browse', { node, limit: 50, ...cursor && { cursor } });
    rows.push(...d?.rows ?? []);
    cursor = d?.cursor;
    if (!cursor || rows.length >= mostRows) return rows;
  }
}
/** The lists at servers that an item can be added to. */
export async function choices(hub) {
  const found = await Promise.all(listShelves(hub).map(shelf => rowsOf(hub, shelf.uri)));
  return found.flat().filter(row => row.kind === 'playlist' && atServer.test(row.uri));
}
