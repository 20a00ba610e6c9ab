// After an update of the hub its files of the old version are gone, so the page is loaded again. Loaded when the hub is
// lost first, and after a while, since its files may be gone by then.

import { $ } from '../parts/base.js';

/** `version` is that of this page. The hub may have come back before this was there. */
export function watch(hub, version) {
  hub.on('live', () => renew(version));
  if (hub.live && hub.stats.connections > 1) renew(version);
}

const isTyped = () => document.activeElement?.matches('input, textarea, select')
  || [...document.querySelectorAll('form input, textarea')].some(({ value, defaultValue }) => value !== defaultValue);

const laterMs = 20000;
let timer = 0;
/** Once, when nothing is being typed, and nothing that was typed would be lost: until then it is tried again. */
async function renew(version) {
  clearTimeout(timer);
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => null),
    now = /^"([0-9a-z]+)/.exec(answer?.headers.get('etag') ?? '')?.[1];
  if (!now || now === version) return;
  if ($('sheet').open || isTyped()) { timer = setTimeout(renew, laterMs, version); return }
  try {
    if (sessionStorage.getItem('baton.renewed') === now) return;
    sessionStorage.setItem('baton.renewed', now);
  } catch { return }
  location.reload();
}
