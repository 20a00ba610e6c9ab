// The card at /now: shows what plays, uses the view of a watch, and sends no command.

import { HubCore } from '../../../../../examples/browser/client/baton-core.js';
import { watchView } from '../../../../../examples/browser/client/baton-watchview.js';
import { Cover } from '../parts/cover.js';
import { $, mark, put } from '../parts/parts.js';
import { become, turn } from '../shell/state.js';
import { t } from '../shell/translate.js';

const store = (() => { try { localStorage.getItem('baton'); return localStorage } catch { return null } })();
HubCore.views.watch = watchView;
const hub = new HubCore({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/baton`, view: 'watch', features: [],
    name: t('card.device'), app: 'card/1',
  store, room: new URLSearchParams(location.search).get('room'),
});
const cover = new Cover($('art')), renewalAfterMs = 10000;
let timer = 0, renewal = null;

function draw() {
  const view = hub.view();
  put($('where'), view.problem ?? view.roomName ?? '');
  put($('title'), view.entry ? view.title || t('item.untitled') : hub.rev === null ? 'Baton' : t('play.nothing'));
  put($('artist'), view.entry ? view.artist ?? '' : '');
  become('mood', view.problem ? 'problem' : hub.lostForMs > 1500 ? 'working' : hub.isPlaying ? 'playing' : 'idle');
  turn('stale', hub.stale);
  mark(document.querySelector('a'), 'aria-label',
    `${view.title ?? t('play.nothing')}${view.artist ? `, ${view.artist}` : ''}. ${t('card.open')}`);
  cover.show(view.art);
  line(view);
}

function line(view = hub.view()) {
  clearTimeout(timer);
  const at = hub.position(view), part = at !== null && view.durationMs ? at / view.durationMs : 0;
  $('line').style.setProperty('--part', part.toFixed(3));
  if (view.line?.rate > 0 && !document.hidden && !hub.stale)
    timer = setTimeout(line, Math.max(250, (view.durationMs ?? 0) / 300));
}

/** As on the page: loaded when the hub is lost, and after a while, since its files may be gone by then. */
function renewLater() {
  const version = new URL(import.meta.url).pathname.split('/')[2];
  renewal ??= import('../shell/renewal.js').then(({ watch }) => watch(hub, version), () => { renewal = null });
}

hub.on('change', draw).on('change', () => { if (!hub.live && hub.stats.connections) renewLater() });
setTimeout(renewLater, renewalAfterMs);
document.addEventListener('visibilitychange', () => { if (!document.hidden) { hub.wake(); draw() } });
draw();
hub.start();
