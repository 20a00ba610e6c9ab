// The remote that the hub serves: creates the parts and connects them. All of them read the same mirror of the hub.

import { Hub } from './baton.js';
import { Deck } from './deck.js';
import { listenToKeys } from './keys.js';
import { Looks } from './looks.js';
import { $, buzz, make, mark, put, recall, remember, shape, wide } from './parts.js';
import { guardControls } from './roles.js';
import { addressOf, readAddress, Route } from './route.js';
import { ScreenKeeper } from './screenkeeper.js';
import { swiping } from './swipe.js';
import { Volume } from './volume.js';

const store = (() => { try { localStorage.getItem('baton'); return localStorage } catch { return null } })();
const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? 'A browser';
// The one-time link of `baton web` makes this tab admin. The ticket is kept for the tab and removed from the address bar.
const ticket = (() => {
  try {
    const found = /^#ticket=([\w-]{16,64})$/.exec(location.hash)?.[1];
    if (found) { sessionStorage.setItem('baton.ticket', found); history.replaceState(null, '', location.pathname + location.search) }
    return sessionStorage.getItem('baton.ticket');
  } catch { return null }
})();
const profile = () => shape() === 'watch' ? 'watch' : 'full';
const hub = new Hub({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/companion/v1`, profile: profile(),
  name: recall('name') ?? `${browser} on a ${shape()}`, app: 'page/2', store, ticket, room: new URLSearchParams(location.search).get('room'),
});

// ---- Messages: one sentence at a time, shown for a few seconds.
let note = '', noteTimer = 0;
function say(text, ms = 6000) {
  note = text;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => { note = ''; draw() }, ms);
  draw();
}

guardControls(hub, say);
const screenKeeper = new ScreenKeeper(hub);
const looks = new Looks(), deck = new Deck(hub, say), volume = new Volume(hub, say);
deck.onSecond = () => looks.join();
// Loaded after what is seen first.
let favourite = null, wall = null;
async function fetchLater() {
  if (!favourite && shape() !== 'watch') favourite = await import('./favourite.js').then(({ NowFavourite }) => favourite ?? new NowFavourite(hub), () => null);
  if (!wall && shape() === 'desktop') wall = await import('./wall.js').then(({ Wall }) => wall ?? new Wall(hub), () => null);
}

let isApp = false;
async function fetchApp() {
  if (isApp) return;
  isApp = true;
  const { startApp } = await import('./app.js').catch(() => { isApp = false; return {} });
  startApp?.(hub, say, async () => { await fetchPart('more'); panels.more.part?.offerLock() });
}

// ---- Tabs. On a desktop the player is always visible, so it has no tab.
// Parts that are not visible at first are loaded when they are opened.
// The library's tab is hidden only when the hub has said that it has none, so that tabs do not move at the first state.
const hasNo = section => () => hub.rev !== null && !hub.said[section];
// A panel without a tab is reached from the one that `of` names.
const panels = {
  playing: {},
  rooms: { fetch: async () => new (await import('./rooms.js')).Rooms(hub, say, () => { if (shape() === 'phone') go('playing') }) },
  queue: { hidden: () => isDocked(), fetch: async () => new (await import('./queue.js')).Queue(hub, say) },
  people: { of: 'more', hidden: hasNo('people'), fetch: async () => new (await import('./rooms.js')).People(hub) },
  library: { hidden: hasNo('lib'), fetch: async () => (await import('./library.js')).Library.open(hub, say) },
  lists: { of: 'library', hidden: hasNo('pl'), fetch: async () => (await import('./lists.js')).Lists.open(hub, say) },
  presets: { of: 'playing', fetch: async () => (await import('./presets.js')).Presets.open(hub, say) },
  lyrics: { of: 'playing', fetch: async () => (await import('./lyrics.js')).Lyrics.open(hub) },
  more: { fetch: async () => (await import('./more.js')).More.open(hub, say, deck, looks) },
};
async function fetchPart(key) {
  const panel = panels[key];
  try { panel.part ??= await (panel.coming ??= panel.fetch()) } catch { say('This part could not be loaded. Try again when the hub is running.') }
  panel.coming = null;
  if (panel.part?.visit) panel.part.moved = isSame => moved(key, isSame);
  if (offers[1]) panel.part?.offer?.(offers[1].element);
  // A part that could not be loaded is loaded when the hub is there again; to try at once would go on without end.
  if (key === 'queue' && panel.part) dock();
  if (shown === key && panel.part) show(key);
}
// Only a watch has this menu.
let watchMenu = null;
async function fetchWatchMenu() {
  if (!watchMenu && shape() === 'watch') watchMenu = await import('./watch.js').then(({ WatchMenu }) => watchMenu ?? new WatchMenu(hub, looks, deck), () => null);
}
// What servers offer to go on with, where nothing plays and in the queue. Loaded with the first offer.
let offers = [];
async function fetchOffers() {
  if (offers.length || !hub.said.src?.list.some(source => source.continue)) return;
  const { Continue } = await import('./continue.js').catch(() => ({}));
  if (offers.length || !Continue) return;
  offers = [$('resume'), make('div', { class: 'resume', hidden: true })].map(element => new Continue(hub, say, element));
  panels.queue.part?.offer(offers[1].element);
  draw();
}
let shown = null;
for (const [key, panel] of Object.entries(panels)) {
  panel.tab = $(`tab-${panel.of ?? key}`);
  if (!panel.of) panel.tab.onclick = () => { buzz(); if (shown === key) panel.part?.home?.(); else go(key) };
}
$('tabs').onkeydown = event => {
  const d = { ArrowLeft: -1, ArrowRight: 1 }[event.key], tabs = [...$('tabs').children].filter(tab => tab.checkVisibility());
  if (!d) return;
  event.stopPropagation();
  event.preventDefault();
  const tab = tabs[(tabs.indexOf(document.activeElement) + d + tabs.length) % tabs.length];
  tab.focus();
  tab.click();
};
// ---- Every place has an address. What a person chooses is an entry of the browser's history.
const route = new Route(to => visit(to));
const here = () => addressOf(shown, panels[shown].part?.address?.());
function go(key) {
  show(key);
  route.push(here());
}
/** A part shows another place; `isSame` takes the place of the entry before, as each letter of a search does. */
function moved(key, isSame) { if (key === shown) { if (isSame) route.replace(here()); else route.push(here()) } }
/** Shows what an address says. */
function visit(to) {
  const { panel, place } = to && panels[to.panel] ? to : { panel: 'playing', place: {} };
  panels[panel].wanted = place;
  if (standIn(panel) === shown) arrive(shown); else show(panel);
}
function arrive(key) {
  const { part, wanted } = panels[key];
  if (!part || !wanted) return;
  panels[key].wanted = null;
  part.visit?.(wanted);
}
// A wide screen always shows the queue, at its side.
const isDocked = () => wide.matches && shape() === 'desktop';
function dock() {
  const is = isDocked(), queue = panels.queue.part;
  if (is && !queue) return fetchPart('queue');
  if (!queue || is === $('side').contains(queue.element)) return;
  $('side').replaceChildren(...is ? [queue.element] : []);
  if (is) queue.opened(); else if (shown !== 'queue') queue.closed();
}
/** The panel that is shown in the place of one that this screen or this hub has not. Whether there is a library is known from the first state on. */
function standIn(key) {
  if (!panels[key] || panels[key].hidden?.() && (hub.rev !== null || key === 'people' || key === 'queue')) key = 'queue';
  if (shape() === 'desktop' && key === 'playing') key = 'queue';
  if (key === 'queue' && isDocked()) key = hub.rev !== null && !hub.said.lib ? 'rooms' : 'library';
  return key;
}
function show(key) {
  key = standIn(key);
  if (shown !== key && !(shown === 'queue' && isDocked())) panels[shown]?.part?.closed?.();
  shown = key;
  if (key !== 'more') remember('panel', key);
  document.documentElement.dataset.panel = key;
  const owner = panels[key].of ?? key;
  for (const [name, { tab, of }] of Object.entries(panels)) {
    if (of) continue;
    mark(tab, 'aria-selected', name === owner);
    tab.tabIndex = name === owner ? 0 : -1;
  }
  mark($('panel'), 'aria-labelledby', `tab-${owner}`);
  const { part } = panels[key];
  if (panels[key].fetch && !part) fetchPart(key);
  if ($('panel').firstElementChild !== part?.element) $('panel').replaceChildren(...part ? [part.element] : []);
  draw();
  part?.opened?.();
  arrive(key);
  focusSearch();
}

function draw() {
  const view = hub.view(), parts = shape() === 'watch' ? [deck, volume] : [deck, volume, favourite, wall, ...offers, panels[shown]?.part, panels.more.part, isDocked() ? panels.queue.part : null];
  for (const part of new Set(parts)) part?.draw(view);
  looks.draw(hub, view);
  watchMenu?.draw(view);
  for (const panel of Object.values(panels)) if (panel.hidden && !panel.of) panel.tab.hidden = panel.hidden();
  const seeking = hub.lostForMs > 1500 ? 'Looking for the hub…' : '';
  const sentence = hub.stopped || note || seeking || view.problem || '';
  put($('sentence'), sentence);
  document.documentElement.classList.toggle('saying', !($('say').hidden = !sentence));
  if (!sentence) $('say').classList.remove('open');
  put($('link'), hub.live ? view.st === 'buffering' ? 'Waiting for data…' : '' : hub.stopped ? 'Away' : hub.lostForMs > 1500 ? 'Not connected' : '');
  screenKeeper.keep();
}

// ---- Buttons and keys that belong to no part.
$('room').onclick = () => { buzz(); go(shown === 'rooms' ? 'playing' : 'rooms') };
$('say').onclick = () => $('say').classList.toggle('open');
$('presets').onclick = () => { buzz(); go(shown === 'presets' ? 'playing' : 'presets') };
$('open').onclick = () => { buzz(); if (shape() === 'watch') watchMenu?.open(); else go('playing') };
const isMini = () => shape() === 'phone' && shown !== 'playing';
$('hero').addEventListener('click', event => { if (isMini()) { event.stopPropagation(); go('playing') } }, { capture: true });
swiping([$('hero'), $('what')], { isOn: isMini, up: () => go('playing'), left: () => hub.skip('next'), right: () => hub.skip('prev') });
const lazily = async open => { buzz(); try { await open() } catch { say('This part could not be loaded. Try again when the hub is running.') } };
$('nowmenu').onclick = () => lazily(async () => (await import('./nowmenu.js')).openNowMenu({ hub, say, deck, looks }));
// A click must not leave the focus on a button: the space bar would press it again.
addEventListener('mousedown', event => { if (!event.target.closest('a, input, select, textarea, dd')) event.preventDefault() });
listenToKeys({
  hub, deck, volume, tab: number => [...$('tabs').children].filter(tab => tab.checkVisibility())[number]?.click(),
  search: () => { if (!panels.library.hidden()) { go('library'); panels.library.isSearch = true; focusSearch() } },
});
/** The field is there once the library has been loaded. */
function focusSearch() {
  if (!panels.library.isSearch || shown !== 'library' || !panels.library.part) return;
  panels.library.isSearch = false;
  panels.library.part.focus();
}

const leave = () => { hub.save(); screenKeeper.keep(true) };
const wake = () => { if (document.hidden) leave(); else { hub.wake(); draw() } };
addEventListener('online', wake);
addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', wake);
let current = shape();
addEventListener('resize', () => {
  if (shape() !== current) {
    current = shape();
    if (current === 'watch') panels.queue.part?.closed();
    fetchWatchMenu();
    fetchLater();
    hub.become(profile());
    dock();
    show(shown);
  }
  draw();
});
navigator.connection?.addEventListener?.('change', wake);

// Read by Tests/Bench/page.py.
hub.on('live', () => { performance.mark('live'); fetchLater(); fetchApp(); dock() });
hub.on('change', draw).on('change', fetchOffers).on('say', say);
if (recall('awake')) fetchPart('more');
fetchWatchMenu();
const asked = readAddress(), first = asked && panels[asked.panel] ? asked : { panel: recall('panel') ?? 'playing', place: {} };
dock();
visit(first);
wide.addEventListener('change', () => { dock(); show(shown) });
route.begin(asked ? addressOf(first.panel, first.place) : here(), addressOf(asked?.panel === shown && Object.keys(first.place).length ? shown : 'playing'));
hub.start();
