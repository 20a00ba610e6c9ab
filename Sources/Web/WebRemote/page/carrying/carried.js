// The items that this device carries with it: their bytes are kept here, so that they play without the hub. Only where
// the browser keeps files for a page, which needs encryption.

import { isSpoken } from '../../../../../examples/browser/client/baton-basics.js';
import { isContainer, playedAs } from '../items/items.js';
import { recall, remember } from '../parts/base.js';
import { t } from '../shell/translate.js';

const shelf = 'baton-carried', most = 200;

export const mayCarry = () => !!globalThis.caches;
/** Their rows, those that were taken along last behind the others. */
export function carried() {
  const rows = recall('carried');
  return Array.isArray(rows) ? rows.filter(row => typeof row?.uri === 'string') : [];
}
const addressOf = uri => `/carried/${encodeURIComponent(uri)}`;

/** The tracks of a container, as far as one question tells them; an item is itself. */
async function tracksOf(hub, row) {
  if (!isContainer(row)) return [row];
  const found = await hub.ask('lib.browse', { node: row.uri, limit: 100 });
  return (found?.rows ?? []).filter(one => !isContainer(one) && one.kind !== 'station');
}
/** Why one item could not be taken along; null when it is here. */
async function take(hub, row) {
  const uri = playedAs(row), res = await hub.press('lib.item', { uri, media: true }, { silent: true });
  if (!res.ok || !res.d?.media) return res.err?.msg ?? t('carried.refused', { title: row.title ?? uri });
  const answer = await fetch(res.d.media.url).catch(() => null);
  if (!answer?.ok) return t('carried.refused', { title: row.title ?? uri });
  try { await (await caches.open(shelf)).put(addressOf(uri), answer) } catch { return t('carried.full') }
  const { kind, title, artists, album, durMs, art } = res.d.item ?? row,
    place = isSpoken({}, kind) ? await placeIn(hub, uri) : null;
  const known = carried(), at = place ?? known.find(one => one.uri === uri)?.at;
  const all = [...known.filter(one => one.uri !== uri), { uri, kind, title, artists, album, durMs, art, at }];
  remember('carried', all);
  // Items that were taken along first make room, with their bytes.
  for (const { uri: gone } of all.slice(0, -most)) await drop(gone);
  return null;
}
/** The place of a person in a book or an episode, as the hub knows it; a finished one begins anew. */
async function placeIn(hub, uri) {
  const place = (await hub.ask('progress.list', { uri }))?.rows[0]?.place;
  return place ? { posMs: place.fin ? 0 : place.posMs, session: place.session } : null;
}
/** This device goes on in an item at `posMs`, to which the `session` has come. */
export const keepPlace = (uri, at) => remember('carried', carried().map(row => row.uri === uri ? { ...row, at } : row));
/** `told` is called with how many of how many are here. Gives back why it stopped, or null. */
export async function carry(hub, row, told = () => { }) {
  const rows = await tracksOf(hub, row);
  if (!rows.length) return t('carried.nothing');
  for (const [index, one] of rows.entries()) {
    told(index, rows.length);
    const why = await take(hub, one);
    if (why) return why;
  }
  // Without this a browser may delete them when its disk is full.
  navigator.storage?.persist?.().catch(() => { });
  return null;
}
export async function drop(uri) {
  remember('carried', carried().filter(row => row.uri !== uri));
  await (await caches.open(shelf)).delete(addressOf(uri));
}
/** The bytes of an item; null when the browser has deleted them. */
export async function soundOf(uri) {
  const answer = await (await caches.open(shelf)).match(addressOf(uri)).catch(() => null);
  return await answer?.blob() ?? null;
}
