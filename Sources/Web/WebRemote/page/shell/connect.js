// The connection of this page to the hub that served it: under which name, in which role, and with which view.

import { HubCore } from '../../../../../examples/browser/client/baton-core.js';
import { recall, shape } from '../parts/base.js';
import { namingPrivate } from '../rooms/roomname.js';
import { errorWords, language, reasonWords, t } from './translate.js';

const store = (() => { try { localStorage.getItem('baton'); return localStorage } catch { return null } })();
// The one-time link of `baton web` makes this tab admin.
if (location.hash.startsWith('#ticket=')) await import('./ticket.js').catch(() => { });
const ticket = (() => { try { return sessionStorage.getItem('baton.ticket') } catch { return null } })();

/** A watch is told less. */
export const viewName = () => shape() === 'watch' ? 'watch' : 'full';

/** The connection that lastscreen.js has begun, unless it has ended since; each later one is begun here. */
function open(url, protocol) {
  const begun = globalThis.begunCall;
  globalThis.begunCall = null;
  if (begun?.url !== url || begun.readyState > WebSocket.OPEN) return new WebSocket(url, protocol);
  // One that is open already has told so to no listener.
  if (begun.readyState === WebSocket.OPEN) queueMicrotask(() => begun.onopen?.());
  return begun;
}

/** How a view is read: that of a watch is loaded where it is needed. */
export async function fetchView(name) {
  if (name === 'watch') HubCore.views.watch ??=
    (await import('../../../../../examples/browser/client/baton-watchview.js')).watchView;
}
await fetchView(viewName());
/** A problem in the person's language, where the hub has given its reason. */
const inWords = view => (...given) => {
  const seen = view(...given);
  return seen.reason ? { ...seen, problem: reasonWords(seen) ?? seen.problem } : seen;
};
for (const [name, view] of Object.entries(HubCore.views)) HubCore.views[name] = inWords(namingPrivate(view));

export function connect() {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? t('device.browser');
  return new HubCore({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/baton`, view: viewName(),
    locale: language, caps: ['reasons'],
    name: recall('name') ?? t(`device.${shape()}`, { browser }), app: 'page/2', store, open, ticket, words: errorWords,
    room: new URLSearchParams(location.search).get('room'),
  });
}
