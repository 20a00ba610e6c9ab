// How far this device has come in what it plays by itself, for the hub. Without the hub the last report of each session
// is kept, and sent when the hub is there again.

import { recall, remember } from '../parts/base.js';

const most = 100;
const waiting = () => recall('placereports') ?? [];
let isSending = false;

/** `report` has `uri`, `posMs`, `session`, and perhaps `end`. */
export function report(hub, report) {
  remember('placereports', [...waiting().filter(({ session }) => session !== report.session), report].slice(-most));
  send(hub);
}
/** Those that wait, in their order. What the hub refuses for good is left out. */
export async function send(hub) {
  if (isSending) return;
  isSending = true;
  for (let next; hub.live && (next = waiting()[0]);) {
    const key = `${next.session}${next.posMs.toString(36)}`,
      res = await hub.press('progress.report', next, { silent: true, key });
    if (!res.ok && ['timeout', 'unavailable', 'rate_limited'].includes(res.err?.code ?? 'timeout')) break;
    // A later report of the session may have taken its place meanwhile.
    remember('placereports', waiting().filter(one => JSON.stringify(one) !== JSON.stringify(next)));
  }
  isSending = false;
}
