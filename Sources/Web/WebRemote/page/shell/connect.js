// The connection of this page to the hub that served it: under which name, in which role, and with which profile.

import { HubCore } from '../../../../../examples/browser/client/baton-core.js';
import { recall, shape } from '../parts/base.js';
import { namingPrivate } from '../rooms/roomname.js';
import { errorWords, t } from './translate.js';

const store = (() => { try { localStorage.getItem('baton'); return localStorage } catch { return null } })();
// The one-time link of `baton web` makes this tab admin.
if (location.hash.startsWith('#ticket=')) await import('./ticket.js').catch(() => { });
const ticket = (() => { try { return sessionStorage.getItem('baton.ticket') } catch { return null } })();

/** A watch is told less. */
export const profile = () => shape() === 'watch' ? 'watch' : 'full';

/** The connection that lastscreen.js has begun, unless it has ended since; each later one is begun here. */
function open(url, protocol) {
  const begun = globalThis.begunCall;
  globalThis.begunCall = null;
  if (begun?.url !== url || begun.readyState > WebSocket.OPEN) return new WebSocket(url, protocol);
  // One that is open already has told so to no listener.
  if (begun.readyState === WebSocket.OPEN) queueMicrotask(() => begun.onopen?.());
  return begun;
}

/** How a profile is read: that of a watch is loaded where it is needed. */
export async function fetchProfile(name) {
  if (name === 'watch') HubCore.views.watch ??=
    (await import('../../../../../examples/browser/client/baton-watchview.js')).watchView;
}
await fetchProfile(profile());
for (const [name, view] of Object.entries(HubCore.views)) HubCore.views[name] = namingPrivate(view);

export function connect() {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? t('device.browser');
  return new HubCore({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/companion/v1`, profile: profile(),
    name: recall('name') ?? t(`device.${shape()}`, { browser }), app: 'page/2', store, open, ticket, words: errorWords,
    room: new URLSearchParams(location.search).get('room'),
  });
}
