// What the keys of the whole page do; keys.js says which there are.

import { $, mark, sideKeys } from '../parts/parts.js';
import { repeat, shuffle } from '../playing/modes.js';
import { isMissing, panels } from './panels.js';

const acts = {
  ' ': ({ hub }) => hub.toggle(), arrowright: ({ hub }) => hub.skip('next'), arrowleft: ({ hub }) => hub.skip('prev'),
  m: mute, audiovolumemute: mute, mediaplaypause: ({ hub }) => hub.toggle(),
  mediatracknext: ({ hub }) => hub.skip('next'), mediatrackprevious: ({ hub }) => hub.skip('prev'),
  s: ({ hub, say }) => shuffle(hub, say), r: ({ hub, say }) => repeat(hub, say), l: () => $('fav').click(),
  '/': search,
  '?': () => import('./keycard.js').then(({ showCard }) => showCard()),
};

/** Screens on which the tabs stand one below the other, as the style sheets have it. */
const upright = matchMedia('(min-width: 700px), (min-width: 560px) and (max-height: 499px)');
const columnKeys = { ...sideKeys, ArrowUp: -1, ArrowDown: 1 };
const tell = () => mark($('tabs'), 'aria-orientation', upright.matches ? 'vertical' : 'horizontal');
upright.onchange = tell;
tell();
const seen = tabs => [...tabs.children].filter(tab => tab.checkVisibility());

/** On a tab, the arrows lead to the tab beside it. */
export function press(page, { key, repeat: isHeld, target }, tabs) {
  const by = (upright.matches ? columnKeys : sideKeys)[key];
  if (by && tabs.contains(target)) return walk(tabs, by);
  const turn = { ArrowUp: 1, AudioVolumeUp: 1, ArrowDown: -1, AudioVolumeDown: -1 }[key], number = '1234'.indexOf(key);
  if (turn) return page.volume.step(turn);
  if (!isHeld) number >= 0 ? seen(tabs)[number]?.click() : acts[key.toLowerCase()](page.told, page);
}

/** The field has the focus once the library is there. */
function search({ hub }, page) {
  if (isMissing(hub, panels.search)) return;
  panels.search.isSearch = true;
  page.go('search');
}

function mute({ hub }) {
  const muted = !hub.view().muted;
  hub.press('vol.mute', { on: muted }, { kind: 'mute', guess: { muted } });
}

/** The tab beside the one with the focus. */
function walk(tabs, by) {
  const all = seen(tabs);
  const tab = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
  tab.focus();
  tab.click();
}
