// Opens the page while the hub cannot be reached: files, the document and seen covers are cached. The hub's state is
// never cached here; the page stores that itself.
//
// The hub writes the fingerprint of all files and their names into this text, so that a change of any file is another
// worker. Each version has a cache of its own, which is complete or is not there: files of two versions are never
// combined.

const version = '@version', files = '@files'.split(' ');
const isLanguage = address => /(^|\/)lang-[a-z-]+\.json$/.test(address);
const shelf = `baton-page-${version}`, covers = 'baton-covers', mostCovers = 400;

self.addEventListener('install', event => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener('activate', event => event.waitUntil(tidy().then(() => self.clients.claim())));
self.addEventListener('fetch', event => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.startsWith('/page/')) event.respondWith(kept(request));
  else if (url.pathname.startsWith('/art/')) event.respondWith(cover(request));
  else if (request.mode === 'navigate' && url.pathname === '/') event.respondWith(fresh(request));
});
// Covers and the language that were there before this worker had begun.
self.addEventListener('message', event => {
  if (event.source && Array.isArray(event.data?.seen))
    event.waitUntil(Promise.all(event.data.seen.slice(0, 100)
      .map(address => (isLanguage(address) ? kept : cover)(new Request(address)))));
});

/**
 * All files and the document. A hub that was updated meanwhile sends other ones: then nothing is kept, and the next
 * visit tries again.
 */
async function fill() {
  const document = await fetch('/', { cache: 'no-store' }),
    isOurs = document.ok && (await document.clone().text()).includes(`/page/${version}/`);
  if (!isOurs) throw new Error('The document is not of this version.');
  const shelved = await caches.open(shelf);
  const languages = await spoken();
  const names = files.filter(name => !isLanguage(name) || languages.has(name));
  await shelved.addAll(names.map(name => `/page/${version}/${name}`));
  await shelved.put('/', document);
}

/**
 * The languages to keep: English, which others are filled up with, and those that were used with the version before.
 */
async function spoken() {
  const found = new Set(['lang-en.json']);
  for (const name of await caches.keys()) {
    const kept = name.startsWith('baton-page') ? await (await caches.open(name)).keys() : [];
    const names = kept.map(({ url }) => url.split('/').pop());
    for (const name of names) if (isLanguage(name) && files.includes(name)) found.add(name);
  }
  return found;
}

/** A page of the version before may still be open and load its other files, so one more version is kept. */
async function tidy() {
  const old = (await caches.keys()).filter(name => name.startsWith('baton-page') && name !== shelf);
  for (const name of old.slice(0, -1)) await caches.delete(name);
}

// The address of a file contains the fingerprint of all files, so its content never changes. A language is kept when it
// is used.
async function kept(request) {
  const known = await caches.match(request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  const isKept = answer.ok && isLanguage(request.url) && request.url.includes(`/${version}/`);
  if (isKept) await (await caches.open(shelf)).put(request, answer.clone()).catch(() => { });
  return answer;
}

/**
 * The address of a cover names its content. Without the hub one of another size is shown. The first ones are deleted
 * when there are too many.
 */
async function cover(request) {
  const shelved = await caches.open(covers), known = await shelved.match(request);
  if (known) return known;
  const answer = await fetch(request).catch(async () => await shelved.match(request, { ignoreSearch: true })
    ?? Response.error());
  if (answer.ok && new URL(answer.url).search === new URL(request.url).search) keep(shelved, request, answer.clone());
  return answer;
}
async function keep(shelved, request, answer) {
  try {
    await shelved.put(request, answer);
    const all = await shelved.keys();
    for (const old of all.slice(0, Math.max(0, all.length - mostCovers))) await shelved.delete(old);
  } catch { /* Without room on this device a cover is asked for again. */ }
}

/** The document of the hub; the one of this version without an answer. A new version arrives as a new worker. */
async function fresh(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(1500) });
  } catch {
    return await (await caches.open(shelf)).match('/') ?? Response.error();
  }
}
