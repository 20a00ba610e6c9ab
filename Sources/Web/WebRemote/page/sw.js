// Opens the page while the hub cannot be reached: files and the last document are cached. The hub's state is never
// cached here; the page stores that itself.

const shelf = 'baton-page';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', event => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/page/')) event.respondWith(kept(request));
  else if (request.mode === 'navigate' && url.pathname === '/') event.respondWith(fresh(request));
});

// The address of a file contains the fingerprint of all files, so its content never changes.
async function kept(request) {
  const shelved = await caches.open(shelf), known = await shelved.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await shelved.put(request, answer.clone());
  return answer;
}

async function fresh(request) {
  const shelved = await caches.open(shelf);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(1500) });
    await renew(shelved, answer.clone());
    return answer;
  } catch {
    return await shelved.match('/') ?? Response.error();
  }
}

/** A new document: the files of the old one are deleted. The page that asks for a pairing code is not cached. */
async function renew(shelved, answer) {
  const old = await shelved.match('/'), text = await answer.clone().text();
  if (!answer.ok || !text.includes('/page/')) return;
  if (old && await old.text() !== text) {
    for (const request of await shelved.keys()) if (!text.includes(new URL(request.url).pathname.split('/')[2])) await shelved.delete(request);
  }
  await shelved.put('/', answer);
}
