// The last answers about the library, kept on this device beside the covers: while the hub cannot be reached a place
// shows them. Only where the page itself can open without the hub.

const shelf = 'baton-rows', most = 160, settledMs = 1000;
const fresh = new Map();
let timer = 0;

const addressOf = question => `/rows/${encodeURIComponent(JSON.stringify(question))}`;
async function write() {
  const answers = [...fresh];
  fresh.clear();
  try {
    const kept = await caches.open(shelf);
    for (const [address, d] of answers) {
      await kept.delete(address);
      await kept.put(address, new Response(JSON.stringify(d)));
    }
    const all = await kept.keys();
    for (const old of all.slice(0, Math.max(0, all.length - most))) await kept.delete(old);
  } catch { /* Without room on this device there is less to see without the hub. */ }
}

/** `question` is the method and its parameters. Written when no other answer follows for a moment. */
export function keepRows(question, d) {
  if (!globalThis.caches) return;
  const address = addressOf(question);
  fresh.delete(address);
  fresh.set(address, d);
  clearTimeout(timer);
  timer = setTimeout(write, settledMs);
}
export async function lastRows(question) {
  const address = addressOf(question);
  if (fresh.has(address)) return fresh.get(address);
  try { return await (await (await caches.open(shelf)).match(address))?.json() ?? null } catch { return null }
}
/** What the hub answers, which is kept; while it is away, what it answered last. Null without either. */
export async function rowsNow(hub, question) {
  if (!hub.live) return lastRows(question);
  const d = await hub.ask(...question);
  if (d) keepRows(question, d);
  return d;
}
/** Of another person's library nothing is shown. */
export const forgetRows = () => globalThis.caches?.delete(shelf).catch(() => { });
