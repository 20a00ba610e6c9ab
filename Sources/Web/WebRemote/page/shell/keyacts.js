// What the keys of the whole page do; keys.js says which there are.

import { $ } from './base.js';
import { repeat, shuffle } from './modes.js';

const acts = {
  ' ': ({ hub }) => hub.toggle(), arrowright: ({ hub }) => hub.skip('next'), arrowleft: ({ hub }) => hub.skip('prev'),
  m: mute, s: ({ hub, say }) => shuffle(hub, say), r: ({ hub, say }) => repeat(hub, say), l: () => $('fav').click(),
  '/': ({ search }) => search(),
  '?': () => import('./keycard.js').then(({ showCard }) => showCard(), () => { }),
};

export function press(told, { key, repeat: isHeld }) {
  const turn = { ArrowUp: 1, ArrowDown: -1 }[key], number = '12345'.indexOf(key);
  if (turn) return told.volume.step(turn);
  if (!isHeld) number >= 0 ? told.tab(number) : acts[key.toLowerCase()](told);
}

function mute({ hub }) {
  const muted = !hub.view().muted;
  hub.press('vol.mute', { on: muted }, { kind: 'mute', guess: { muted } });
}

/** The tab beside the one with the focus. */
export function walk(tabs, by) {
  const all = [...tabs.children].filter(tab => tab.checkVisibility());
  const tab = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
  tab.focus();
  tab.click();
}
