// The keys of the whole page. Parts with keys of their own keep theirs from getting here.

import { $ } from './parts.js';

/** `told` has `hub`, `deck`, `volume`, `search()` and `tab(number)`. */
export function listenToKeys({ hub, deck, volume, search, tab }) {
  const acts = {
    ' ': () => hub.toggle(), ArrowRight: () => hub.skip('next'), ArrowLeft: () => hub.skip('prev'), m: () => mute(hub),
    s: () => deck.shuffle(), r: () => deck.repeat(), l: () => $('fav').click(), '/': search,
      '?': () => import('./keycard.js').then(({ showCard }) => showCard(), () => { }),
  };
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, dialog'))
      return;
    const turn = { ArrowUp: 1, ArrowDown: -1 }[event.key], number = '12345'.indexOf(event.key);
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      ?? (number >= 0 ? () => tab(number) : null);
    if (!turn && !act || event.key === ' ' && event.target.closest('button, a')) return;
    event.preventDefault();
    if (turn) volume.step(turn); else if (!event.repeat) act();
  });
}

function mute(hub) {
  const muted = !hub.view().muted;
  hub.press('vol.mute', { on: muted }, { kind: 'mute', guess: { muted } });
}

/** Arrows lead from tab to tab. */
export function listenToTabs(tabs) {
  tabs.onkeydown = event => {
    const d = { ArrowLeft: -1, ArrowRight: 1 }[event.key],
      all = [...tabs.children].filter(tab => tab.checkVisibility());
    if (!d) return;
    event.stopPropagation();
    event.preventDefault();
    const tab = all[(all.indexOf(document.activeElement) + d + all.length) % all.length];
    tab.focus();
    tab.click();
  };
}
