// The remote that the hub serves: creates the parts and connects them. All of them read the same mirror of the hub.

import { connect } from './connect.js';
import { Deck } from '../playing/deck.js';
import { lazy } from './firsttouch.js';
import { listenToKeys } from './keys.js';
import { LaterParts } from './later.js';
import { Looks } from '../looks/looks.js';
import { isMissing, load, panels } from './panels.js';
import { $, buzz, mark, recall, remember, shape, wide } from '../parts/base.js';
import { listenToPresses, press } from './presses.js';
import { guardControls } from './roles.js';
import { addressOf, readAddress, Route } from './route.js';
import { ScreenKeeper } from './screenkeeper.js';
import { Sentences } from './sentences.js';
import { become } from './state.js';
import { applySheet } from '../parts/styles.js';
import { Volume } from '../playing/volume.js';

const hub = connect();
hub.start();
// The hub answers while the first screen is drawn; what it says is heard when all below has begun to listen.
await null;

const sentences = new Sentences(draw), say = (text, ms) => sentences.say(text, ms);
const useGuard = guardControls(hub, say);
const screenKeeper = new ScreenKeeper(hub);
const looks = new Looks(), deck = new Deck(hub, say), volume = new Volume(hub, say);
deck.onSecond = () => looks.join();
/** What parts of the page are made with. */
const told = { hub, say, looks, draw, chosen: () => { if (shape() === 'phone') go('playing') },
  offer: element => panels.queue.part?.offer(element) };
const later = new LaterParts(told);

let isApp = false;
async function fetchApp() {
  if (isApp) return;
  isApp = true;
  const { startApp } = await import('./app.js').catch(() => { isApp = false; return {} });
  startApp?.(hub, say, async () => { await fetchPart('more'); panels.more.part?.offerLock() });
}

// ---- Tabs. On a desktop the player is always visible, so it has no tab.
// Parts that are not visible at first are loaded when they are opened.
const useOpening = lazy(() => import('./opening.js'), say);
function fetchPart(key) {
  panels[key].coming ??= load(panels[key], told);
  return useOpening(opening => opening.join(page, key));
}
let shown = null;
const isMini = () => shape() === 'phone' && shown !== 'playing';
for (const [key, panel] of Object.entries(panels)) {
  panel.tab = $(`tab-${panel.of ?? key}`);
  if (!panel.of) panel.tab.onclick = () => { buzz(); if (shown === key) panel.part?.home?.(); else go(key) };
}
// ---- Every place has an address. What a person chooses is an entry of the browser's history.
const route = new Route(to => visit(to));
/** What modules that are loaded later use of all this. */
const page = { told, later, route, volume, go, show, dock, isMini, useGuard, get shown() { return shown },
  get here() { return addressOf(shown, panels[shown].part?.address?.()) } };
function go(key) {
  show(key);
  route.push(page.here);
}
/** Shows what an address says. */
function visit(to) {
  const { panel, place } = to && panels[to.panel] ? to : { panel: 'playing', place: {} };
  panels[panel].wanted = place;
  if (standIn(panel) === shown) arrive(shown); else show(panel);
}
function arrive(key) {
  const panel = panels[key], { part, wanted, isSearch } = panel;
  if (!part) return;
  Object.assign(panel, { wanted: null, isSearch: false });
  if (wanted) part.visit?.(wanted);
  if (isSearch) part.focus();
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
/**
 * The panel that is shown in the place of one that this screen or this hub has not. Whether there is a library is known
 * from the first state on.
 */
function standIn(key) {
  if (!panels[key] || isMissing(hub, panels[key])) key = 'queue';
  if (shape() === 'desktop' && key === 'playing') key = 'queue';
  if (key === 'queue' && isDocked()) key = hub.rev !== null && !hub.said.lib ? 'rooms' : 'library';
  return key;
}
function show(key) {
  key = standIn(key);
  if (shown !== key && !(shown === 'queue' && isDocked())) panels[shown]?.part?.closed?.();
  shown = key;
  if (key !== 'more') remember('panel', key);
  // What a panel looks like comes with the first of them, and the page takes its shape then.
  if (panels[key].part || !panels[key].type) become('panel', key);
  else applySheet('panels.css').then(() => { if (shown === key) become('panel', key) });
  const owner = panels[key].of ?? key;
  for (const [name, { tab, of }] of Object.entries(panels)) {
    if (of) continue;
    mark(tab, 'aria-selected', name === owner);
    tab.tabIndex = name === owner ? 0 : -1;
  }
  mark($('panel'), 'aria-labelledby', `tab-${owner}`);
  const { part } = panels[key];
  if (panels[key].type && !part) fetchPart(key);
  if ($('panel').firstElementChild !== part?.element) $('panel').replaceChildren(...part ? [part.element] : []);
  draw();
  part?.opened?.();
  arrive(key);
}

function draw() {
  const view = hub.view(), isWatch = shape() === 'watch', parts = [deck, volume, ...later.partsOn(isWatch)];
  if (!isWatch) parts.push(panels[shown]?.part, panels.more.part, isDocked() ? panels.queue.part : null);
  for (const part of new Set(parts)) part?.draw(view);
  looks.draw(hub, view);
  later.watchMenu?.draw(view);
  panels.library.tab.hidden = isMissing(hub, panels.library);
  panels.queue.tab.hidden = isDocked();
  sentences.draw(hub, view);
  screenKeeper.keep();
}

// ---- Buttons and keys that belong to no part.
for (const [id, key] of [['room', 'rooms'], ['lyrics', 'lyrics'], ['presets', 'presets']])
  press(id, () => go(shown === key ? 'playing' : key));
const useWatchMenu = lazy(() => later.fetchWatchMenu(), say);
press('open', () => { if (shape() === 'watch') useWatchMenu(menu => menu.open()); else go('playing') });
$('hero').addEventListener('click', event => { if (isMini()) { event.stopPropagation(); go('playing') } },
  { capture: true });
const usePresses = listenToPresses({ hub, say, looks });
// A click must not leave the focus on a button: the space bar would press it again.
addEventListener('mousedown', event => {
  if (!event.target.closest('a, input, select, textarea, dd')) event.preventDefault();
});
const useKeys = listenToKeys(page, $('tabs'));

const leave = () => { hub.save(); screenKeeper.keep(true) };
const wake = () => { if (document.hidden) leave(); else { hub.wake(); draw() } };
addEventListener('online', wake);
addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', wake);
let current = shape();
const useReshaping = lazy(() => import('../looks/reshape.js'), say);
addEventListener('resize', () => {
  if (shape() !== current) {
    current = shape();
    useReshaping(({ reshape }) => reshape(page));
  }
  draw();
});
navigator.connection?.addEventListener?.('change', wake);

// Loaded at the first touch, and without one after a while, since the hub may have gone away when a person comes.
const handsAfterMs = 10000;
const hands = [volume.fetchHand, deck.fetchHand, useKeys, useOpening, useReshaping, ...usePresses,
  () => route.fetchSteps(), () => applySheet('moods.css')];
setTimeout(() => { for (const fetch of hands) fetch() }, handsAfterMs);

// Read by Tests/Bench/pagebench.
hub.on('live', () => { performance.mark('live'); fetchApp(); dock() });
hub.on('change', draw).on('change', () => later.fetch()).on('say', say);
if (recall('awake')) fetchPart('more');
later.fetch();
const asked = readAddress(), first = asked && panels[asked.panel] ? asked
  : { panel: recall('panel') ?? 'playing', place: {} };
dock();
visit(first);
wide.addEventListener('change', () => { dock(); show(shown) });
route.begin(asked ? addressOf(first.panel, first.place) : page.here,
  addressOf(asked?.panel === shown && Object.keys(first.place).length ? shown : 'playing'));
