// The remote that the hub serves: creates the parts and connects them. All of them read the same mirror of the hub.

import { connect } from './connect.js';
import { Deck } from '../playing/deck.js';
import { whenUp } from '../gestures/finger.js';
import { lazy } from '../gestures/firsttouch.js';
import { listenToKeys } from './keys.js';
import { LaterParts } from './later.js';
import { Looks } from '../looks/looks.js';
import { faces, isMissing, load, panels } from './panels.js';
import { $, buzz, mark, recall, remember, shape } from '../parts/base.js';
import { listenToPresses, press } from '../gestures/presses.js';
import { guardControls } from './roles.js';
import { addressOf, readAddress, Route } from './route.js';
import { ScreenKeeper } from './screenkeeper.js';
import { Sentences } from './sentences.js';
import { become, is, turn } from './state.js';
import { applySheet } from '../parts/styles.js';
import { Volume } from '../playing/volume.js';

const hub = connect();
hub.start();
// The hub answers while the first screen is drawn; what it says is heard when all below has begun to listen.
await null;

const sentences = new Sentences(draw), say = (text, ms) => sentences.say(text, ms);
const useGuard = guardControls(hub, say), screenKeeper = new ScreenKeeper(hub);
const looks = new Looks(), deck = new Deck(hub, say), volume = new Volume(hub, say);
deck.onSecond = () => looks.join();
/** What parts of the page are made with. */
const told = { hub, say, looks, draw, chosen: () => { if (shape() === 'phone') go('playing') },
  dock: face => dock(face),
  offer: element => panels.queue.part?.offer(element) };
const later = new LaterParts(told);

let isApp = false;
async function fetchApp() {
  if (isApp) return;
  isApp = true;
  const { startApp } = await import('./app.js').catch(() => { isApp = false; return {} });
  startApp?.(hub, say, async () => { await fetchPart('settings'); panels.settings.part?.offerLock() });
}

// ---- Places and faces. Parts that are not visible at first are loaded when they are opened.
const useOpening = lazy(() => import('./opening.js'), say);
function fetchPart(key) {
  panels[key].coming ??= load(panels[key], told);
  return useOpening(opening => opening.join(page, key));
}
/** What is shown, the place below it, and the face beside the places of a desktop: null while its panel is closed. */
let shown = null, under = 'home', beside = recall('beside') === 'none' ? null : 'queue';
const isDesktop = () => shape() === 'desktop', isFull = () => is('full'),
  isMini = () => shape() === 'phone' && !isFull();
const tabOf = key => panels[key].of ?? key;
const isDocked = key => isDesktop() && faces.includes(key) && !isMissing(hub, panels[key]);
for (const [key, panel] of Object.entries(panels)) {
  panel.tab = $(`tab-${key}`);
  if (panel.tab) panel.tab.onclick = event => {
    buzz();
    if (shown === key) return panel.part?.home?.();
    // By hand one writes at once; keys walk along the tabs.
    panel.isSearch = key === 'search' && event.detail > 0 && !panel.part?.address().q;
    go(key);
  };
}
const useWall = lazy(() => later.fetchNow('wall'), say);
// ---- Every place has an address. What a person chooses is an entry of the browser's history.
const route = new Route(to => visit(to), () => { if (isDesktop()) draw() });
/** What modules that are loaded later use of all this. */
const page = { told, later, route, volume, go, show, dock, fold, isMini, isFull, useGuard, get shown() { return shown },
  get here() { return addressOf(shown, panels[shown].part?.address?.()) } };
function go(key) { show(key); route.push(page.here) }
/** From what plays back to the place below it. */
function fold() { if (isFull()) go(under) }
/** Shows what an address says. */
function visit(to) {
  if (to?.panel === 'wall') return useWall(wall => wall.open());
  const { panel, place } = to && panels[to.panel] ? to : { panel: 'home', place: {} };
  panels[panel].wanted = place;
  if (isDocked(panel)) dock(panel);
  if (standIn(panel) === shown) arrive(shown); else show(panel);
}
function arrive(key) {
  const panel = panels[key], { part, wanted, isSearch } = panel;
  if (!part) return;
  Object.assign(panel, { wanted: null, isSearch: false });
  if (wanted) part.visit?.(wanted);
  if (isSearch) part.focus();
}
/** A desktop shows the queue, the lyrics or the people at its side. */
function dock(face = beside) {
  const isChanged = face !== beside, key = isDesktop() ? face : null;
  if (isChanged && beside && isDesktop()) panels[beside].part?.closed?.();
  beside = face;
  if (isChanged) remember('beside', face ?? 'none');
  turn('beside', !!key);
  for (const name of faces) mark($(name), 'aria-pressed', (key ?? shown) === name);
  if (!key) return isDesktop() ? $('side').replaceChildren() : undefined;
  const { part } = panels[key];
  if (!part) return fetchPart(key);
  if ($('side').contains(part.element)) return;
  $('side').replaceChildren(part.element);
  part.opened?.();
}
/** The place that is shown in the stead of one that this screen or this hub has not. */
function standIn(key) {
  if (!panels[key] || isMissing(hub, panels[key])) key = 'home';
  return panels[key].isFace && isDesktop() ? under : key;
}
function show(wanted) {
  const key = standIn(wanted), { isFace, type, part } = panels[key], frame = isFace ? $('face') : $('panel');
  if (isDocked(wanted)) dock(wanted);
  if (shown !== key) panels[shown]?.part?.closed?.();
  // The page begins with what plays where it stood, and from face to face the sheet stays.
  if (!isFace || !isFull()) turn('grows', isFace && shown);
  shown = key;
  if (!isFace) under = key;
  if (!['settings', 'setup'].includes(key)) remember('panel', key);
  turn('full', isFace);
  // What the full sheet covers is not reached by the Tab key, either.
  for (const id of ['panel', 'rail']) $(id).inert = isFace;
  // What a place looks like comes with the first of them, and the page takes its shape then.
  if (part || !type) become('panel', key);
  else applySheet('panels.css').then(() => { if (shown === key) become('panel', key) });
  for (const [name, { tab }] of Object.entries(panels)) {
    if (!tab) continue;
    mark(tab, 'aria-selected', name === tabOf(under));
    tab.tabIndex = name === tabOf(under) ? 0 : -1;
  }
  mark($('panel'), 'aria-labelledby', `tab-${tabOf(under)}`);
  if (type && !part) fetchPart(key);
  if (frame.firstElementChild !== part?.element) frame.replaceChildren(...part ? [part.element] : []);
  dock();
  draw();
  part?.opened?.();
  arrive(key);
}

function draw() {
  const view = hub.view(), isWatch = shape() === 'watch', parts = [deck, volume, ...later.partsOn(isWatch)];
  if (!isWatch) parts.push(panels[shown]?.part, panels[under].part, panels.settings.part,
    beside && panels[beside].part);
  // What stands below a finger waits for its release.
  for (const part of new Set(parts)) if (part) whenUp(part.element, () => part.draw(hub.view()), part);
  looks.draw(hub, view);
  const { watchMenu } = later;
  if (watchMenu) whenUp(watchMenu.element, () => watchMenu.draw(hub.view()), watchMenu);
  for (const name of ['search', 'library']) panels[name].tab.hidden = isMissing(hub, panels[name]);
  if (hub.rev !== null) {
    turn('roomy', hub.said.rooms?.list.length > 1);
    turn('peopled', hub.said.people);
  }
  sentences.draw(hub, view);
  screenKeeper.keep();
}

// ---- Buttons and keys that belong to no part.
for (const key of faces)
  press(key, () => isDesktop() ? dock(beside === key ? null : key) : go(shown === key ? 'playing' : key));
press('fold', fold);
const useWatchMenu = lazy(() => later.fetchNow('watchMenu'), say);
press('open', () => { if (shape() === 'watch') useWatchMenu(menu => menu.open()); else go('playing') });
$('hero').addEventListener('click', event => { if (isMini()) { event.stopPropagation(); go('playing') } },
  { capture: true });
const usePresses = listenToPresses({ hub, say, looks });
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
hub.on('live', () => { performance.mark('live'); fetchApp(); dock() }).on('change', draw)
  .on('change', () => later.fetch()).on('say', say);
if (recall('awake')) fetchPart('settings');
later.fetch();
const asked = readAddress(), isWall = asked?.panel === 'wall', first = asked && panels[asked.panel] ? asked
  : { panel: recall('panel') ?? 'home', place: {} };
visit(first);
if (isWall) visit(asked);
route.begin(asked ? addressOf(isWall ? 'wall' : first.panel, first.place) : page.here,
  addressOf(asked?.panel === shown && Object.keys(first.place).length ? shown : 'home'));
