// The page as an app of its device: kept for times without the hub, renewed with it, and open to what other apps share.
// Loaded when the hub has answered, so none of it delays the first look; what is wanted rarely is loaded for itself.

import { recall } from '../parts/base.js';
import { askAgain } from '../parts/cover.js';
import { t } from './translate.js';

/** What an address from another app has in the place of the page's own. */
const shareNames = ['share-title', 'share-text', 'share-url'];
const version = new URL(import.meta.url).pathname.split('/')[2];
/** What an https address gives to this device, where the page came without. */
export const needsEncryption = t('app.needsEncryption');

export function startApp(hub, say, offerLock) {
  keepFiles();
  watchForRenewal(hub);
  if (shareNames.some(name => new URLSearchParams(location.search).has(name)))
    import('./shared.js').then(({ takeShared }) => takeShared(hub, say, shareNames), () => say(t('part.missing')));
  offerOnce(hub, offerLock);
  watchListeners(hub);
  hub.on('live', () => sendReports(hub)).on('live', askAgain);
  sendReports(hub);
  // A part whose file is gone since the hub was updated, wherever it was asked for.
  addEventListener('unhandledrejection', event => {
    if (!(event.reason instanceof TypeError) || !/module/i.test(event.reason.message)) return;
    event.preventDefault();
    say(t('part.missing'));
  });
}

/** How far this device has come while the hub was away. */
function sendReports(hub) {
  if (recall('placereports')?.length) import('../carrying/placereports.js').then(({ send }) => send(hub), () => { });
}

/** What listening devices report is kept for the diagnostics, from the first report on. */
function watchListeners(hub) {
  let coming = null;
  hub.on('change', () => {
    if (coming || !hub.said.listeners?.list?.some(({ report }) => report)) return;
    coming = import('../listening/reports.js').then(({ watchReports }) => watchReports(hub), () => { coming = null });
  });
}

/** The worker keeps files and covers, also those of this first visit, which it has not seen. */
async function keepFiles() {
  if (!isSecureContext || !navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    const seen = performance.getEntriesByType('resource').map(({ name }) => name)
      .filter(name => name.startsWith(`${location.origin}/art/`) || name.includes('/lang-'));
    active.postMessage({ seen });
  } catch { /* The page works without. */ }
}

/** What looks for another version of the page is loaded when the hub is lost, and after a while. */
const renewalAfterMs = 10000;
function watchForRenewal(hub) {
  let coming = null;
  const load = () => coming ??= import('./renewal.js').then(({ watch }) => watch(hub, version),
    () => { coming = null });
  hub.on('change', () => { if (!hub.live) load() });
  setTimeout(load, renewalAfterMs);
}

/** Once, on a device with a lock screen, when it has started music. */
function offerOnce(hub, offerLock) {
  if (!('mediaSession' in navigator) || !matchMedia('(pointer: coarse)').matches || recall('lockoffered')) return;
  import('../settings/lockoffer.js').then(({ offerAtPlay }) => offerAtPlay(hub, offerLock), () => { });
}
