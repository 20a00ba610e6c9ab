// What remotes do by less than a press: to seek, to follow another room, to take another view, and to search page by
// page.

import { clamp, token } from './baton-basics.js';

const seekTo = (hub, m, p, line) =>
  hub.press(m, { entry: hub.view().entry, ...p }, { kind: 'seek', key: token(4), guess: { line } });

export function seek(hub, posMs) {
  const view = hub.view(), at = Math.round(posMs);
  if (!view.entry) return Promise.resolve(null);
  return seekTo(hub, 'seek', { posMs: at }, { posMs: at, atMs: hub.clock.hubMs ?? 0, rate: view.line?.rate ?? 0 });
}
export function seekBy(hub, ms) {
  const view = hub.view(), at = hub.position(view);
  if (at === null) return Promise.resolve(null);
  const posMs = clamp(at + ms, 0, view.durationMs ?? Infinity);
  return seekTo(hub, 'seekBy', { ms }, { posMs, atMs: hub.clock.hubMs ?? 0, rate: view.line.rate });
}
/** Follows another room of the same hub. */
export async function follow(hub, room) {
  return room === hub.room ? null : hub.press('sub', { rooms: [room] }, { kind: 'follow' });
}
/** Takes another view, which the hub learns with a new connection. */
export function become(hub, viewName) {
  if (viewName === hub.viewName) return;
  hub.save();
  Object.assign(hub, { viewName, said: {}, rev: null });
  hub.restore();
  hub.anew();
}
export const subscribe = (hub, what) => hub.press('sub', what, { silent: true });
/**
 * The pages of a search: first what is on the hub's machine, then what servers answer. `joined` of a page names rows of
 * earlier pages that have more `places` now.
 */
export async function* search(hub, question) {
  for (let cursor; cursor !== null;) {
    const page = await hub.ask('lib.search', { ...question, ...cursor && { cursor } });
    if (page) yield page;
    cursor = page?.cursor ?? null;
  }
}
