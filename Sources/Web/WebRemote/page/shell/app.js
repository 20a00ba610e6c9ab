// The page as an app of its device: kept for times without the hub, renewed with it, and open to what other apps share.
// Loaded when the hub has answered, so none of it delays the first look.

import { token } from './baton.js';
import { $, make, recall, remember } from './parts.js';
import { t } from './translate.js';

const version = new URL(import.meta.url).pathname.split('/')[2];
/** What an https address gives to this device, where the page came without. */
export const needsEncryption = t('app.needsEncryption');

export function startApp(hub, say, offerLock) {
  keepFiles();
  hub.on('live', () => renew());
  takeShared(hub, say);
  offerOnce(hub, offerLock);
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

/**
 * After an update of the hub its files of the old version are gone, so the page is loaded again, once, when nothing is
 * being typed.
 */
async function renew() {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null),
    now = /^"([0-9a-z]+)/.exec(answer?.headers.get('etag') ?? '')?.[1];
  if (!now || now === version || $('sheet').open || document.activeElement?.matches('input, textarea, select')) return;
  try {
    if (sessionStorage.getItem('baton.renewed') === now) return;
    sessionStorage.setItem('baton.renewed', now);
  } catch { return }
  location.reload();
}

/**
 * An address from another app. Any page can open this one with it, so it is shown, and goes to the hub after a press.
 */
async function takeShared(hub, say) {
  const query = new URLSearchParams(location.search), names = ['share-title', 'share-text', 'share-url'];
  const [title, text, url] = names.map(name => query.get(name)?.trim() ?? '');
  if (!names.some(name => query.has(name))) return;
  for (const name of names) query.delete(name);
  history.replaceState(history.state, '', `${location.pathname}${query.size ? `?${query}` : ''}${location.hash}`);
  const address = /https?:\/\/\S+/i.exec(`${url} ${text} ${title}`)?.[0];
  if (!address) return say(t('share.noAddress'));
  const { actLine, openSheet, styled } = await import('./sheet.js');
  await styled;
  const add = at => async () => {
    if ((await hub.press('queue.add', { uris: [address], at }, { key: token(4) })).ok)
      say(t(at === 'next' ? 'share.next' : 'share.atEnd'), 3000);
  };
  openSheet(t('share.title'), make('p', { class: 'note', dir: 'auto', id: 'shared' },
    title && title !== address ? `${title.slice(0, 200)} – ` : '', make('bdi', {}, address.slice(0, 500))),
    actLine(t('item.playNext'), 'playnext', add('next')), actLine(t('item.addToQueue'), 'enqueue', add('end')));
}

/** Once, on a device with a lock screen, when it has started music. */
function offerOnce(hub, offerLock) {
  if (!('mediaSession' in navigator) || !matchMedia('(pointer: coarse)').matches || recall('lockoffered')) return;
  $('play').addEventListener('click', () => {
    if (!hub.isPlaying || recall('lockoffered')) return;
    remember('lockoffered', true);
    offerLock();
  });
}
