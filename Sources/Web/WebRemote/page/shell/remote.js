// The remote that the hub serves: creates the parts and connects them. All of them read the same mirror of the hub.

import { connect, fetchProfile, profile } from './connect.js';
import { Deck } from './deck.js';
import { listenToKeys } from './keys.js';
import { LaterParts } from './later.js';
import { Looks } from './looks.js';
import { panelsOf } from './panels.js';
import { $, buzz, mark, recall, remember, shape, wide } from './base.js';
import { listenToPresses, press } from './presses.js';
import { guardControls } from './roles.js';
import { addressOf, readAddress, Route } from './route.js';
import { ScreenKeeper } from './screenkeeper.js';
import { Sentences } from './sentences.js';
import { become } from './state.js';
import { t } from './translate.js';
import { Volume } from './volume.js';

const hub = connect();
hub.start();
// The hub answers while the first screen is drawn; what it says is heard when all below has begun to listen.
await null;

const sentences = new Sentences(draw), say = (text, ms) => sentences.say(text, ms);
guardControls(hub, say);
const screenKeeper = new ScreenKeeper(hub);
const looks = new Looks(), deck = new Deck(hub, say), volume = new Volume(hub, say);
deck.onSecond = () => looks.join();
const later = new LaterParts({ hub, say, looks, draw, offer: element => panels.queue.part?.offer(element) });

let isApp = false;
async function fetchApp() {
  if (isApp) return;
  isApp = true;
  const { startApp } = await import('./app.js').catch(() => { isApp = false; return {} });
  startApp?.(hub, say, async () => { await fetchPart('more'); panels.more.part?.offerLock() });
}

// ---- Tabs. On a desktop the player is always visible, so it has no tab.
// Parts that are not visible at first are loaded when they are opened.
const panels = panelsOf({ hub, say, deck, looks, isDocked: () => isDocked(), chosen: () => {
  if (shape() === 'phone') go('playing');
} });
const fetchStyled = async panel => (await Promise.all([panel.fetch(), applySheet('panels.css')]))[0];
async function fetchPart(key) {
  const panel = panels[key];
  try { panel.part ??= await (panel.coming ??= fetchStyled(panel)) } catch { say(t('part.missing')) }
  panel.coming = null;
  if (panel.part?.visit) panel.part.moved = isSame => moved(key, isSame);
  if (later.offer) panel.part?.offer?.(later.offer);
  // A part that could not be loaded is loaded when the hub is there again; to try at once would go on without end.
  if (key === 'queue' && panel.part) dock();
  if (shown === key && panel.part) show(key);
}
let shown = null;
for (const [key, panel] of Object.entries(panels)) {
  panel.tab = $(`tab-${panel.of ?? key}`);
  if (!panel.of) panel.tab.onclick = () => { buzz(); if (shown === key) panel.part?.home?.(); else go(key) };
}
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
/**
 * The panel that is shown in the place of one that this screen or this hub has not. Whether there is a library is known
 * from the first state on.
 */
function standIn(key) {
  if (!panels[key] || panels[key].hidden?.() && (hub.rev !== null || key === 'people' || key === 'queue'))
    key = 'queue';
  if (shape() === 'desktop' && key === 'playing') key = 'queue';
  if (key === 'queue' && isDocked()) key = hub.rev !== null && !hub.said.lib ? 'rooms' : 'library';
  return key;
}
function show(key) {
  key = standIn(key);
  if (shown !== key && !(shown === 'queue' && isDocked())) panels[shown]?.part?.closed?.();
  shown = key;
  if (key !== 'more') remember('panel', key);
  become('panel', key);
  const owner = panels[key].of ?? key;
  for (const [name, { tab, of }] of Object.entries(panels)) {
    if (of) continue;
    mark(tab, 'aria-selected', name === owner);
    tab.tabIndex = name === owner ? 0 : -1;
  }
  mark($('panel'), 'aria-labelledby', `tab-${owner}`);
  if (isMini()) fetchSwipes();
  const { part } = panels[key];
  if (panels[key].fetch && !part) fetchPart(key);
  if ($('panel').firstElementChild !== part?.element) $('panel').replaceChildren(...part ? [part.element] : []);
  draw();
  part?.opened?.();
  arrive(key);
  focusSearch();
}

function draw() {
  const view = hub.view(), parts = shape() === 'watch' ? [deck, volume]
    : [deck, volume, ...later.parts, panels[shown]?.part, panels.more.part, isDocked() ? panels.queue.part : null];
  for (const part of new Set(parts)) part?.draw(view);
  looks.draw(hub, view);
  later.watchMenu?.draw(view);
  for (const panel of Object.values(panels)) if (panel.hidden && !panel.of) panel.tab.hidden = panel.hidden();
  sentences.draw(hub, view);
  screenKeeper.keep();
}

// ---- Buttons and keys that belong to no part.
press('room', () => go(shown === 'rooms' ? 'playing' : 'rooms'));
press('presets', () => go(shown === 'presets' ? 'playing' : 'presets'));
press('open', () => { if (shape() === 'watch') later.watchMenu?.open(); else go('playing') });
const isMini = () => shape() === 'phone' && shown !== 'playing';
$('hero').addEventListener('click', event => { if (isMini()) { event.stopPropagation(); go('playing') } },
  { capture: true });
const mini = { isOn: isMini, up: () => go('playing'), left: () => hub.skip('next'), right: () => hub.skip('prev') };
let swipes = null;
/** What plays is swiped below another panel of a phone only. */
const fetchSwipes = () => swipes ??= import('./swipe.js').then(({ swiping }) => swiping([$('hero'), $('what')], mini),
  () => { swipes = null });
const usePresses = listenToPresses({ hub, say, looks });
// A click must not leave the focus on a button: the space bar would press it again.
addEventListener('mousedown', event => {
  if (!event.target.closest('a, input, select, textarea, dd')) event.preventDefault();
});
const useKeys = listenToKeys({
  hub, say, volume, tab: number => [...$('tabs').children].filter(tab => tab.checkVisibility())[number]?.click(),
  search: () => { if (!panels.library.hidden()) { go('library'); panels.library.isSearch = true; focusSearch() } },
}, $('tabs'));
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
    later.fetchWatchMenu();
    later.fetch();
    const now = profile();
    fetchProfile(now).then(() => hub.become(now), () => say(t('part.missing')));
    dock();
    show(shown);
  }
  draw();
});
navigator.connection?.addEventListener?.('change', wake);

// Loaded at the first touch, and without one after a while, since the hub may have gone away when a person comes.
const handsAfterMs = 10000;
const hands = [volume.fetchHand, deck.fetchHand, useKeys, ...usePresses, () => route.fetchSteps()];
setTimeout(() => { for (const fetch of hands) fetch() }, handsAfterMs);

// Read by Tests/Bench/pagebench.
hub.on('live', () => { performance.mark('live'); later.fetch(); fetchApp(); dock() });
hub.on('change', draw).on('change', () => later.fetchOffers()).on('change', () => later.fetchRadio()).on('say', say);
if (recall('awake')) fetchPart('more');
later.fetchWatchMenu();
const asked = readAddress(), first = asked && panels[asked.panel] ? asked
  : { panel: recall('panel') ?? 'playing', place: {} };
dock();
visit(first);
wide.addEventListener('change', () => { dock(); show(shown) });
route.begin(asked ? addressOf(first.panel, first.place) : here(),
  addressOf(asked?.panel === shown && Object.keys(first.place).length ? shown : 'playing'));
