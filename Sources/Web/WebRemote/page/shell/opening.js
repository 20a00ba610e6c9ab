// Joins the part of a panel with the page when the panel is opened first. Loaded with the first of them.

import { $ } from '../parts/base.js';
import { panels } from './panels.js';
import { volumeOfMini } from '../playing/minivolume.js';
import { swiping } from '../gestures/swipe.js';
import { t } from './translate.js';

let isBegun = false;
/** What plays is swiped on a phone: up to see all of it, down to fold it, sideways to skip. */
function begin({ told: { hub }, go, fold, isMini, isFull, useGuard }) {
  if (isBegun) return;
  isBegun = true;
  swiping([$('hero'), $('what')], { isOn: () => isMini() || isFull(), up: () => go(isMini() ? 'playing' : 'queue'),
    down: fold,
    left: () => hub.skip('next'), right: () => hub.skip('prev') });
  volumeOfMini(isMini);
  if (hub.role !== 'admin') useGuard();
}

/** `page` is that of remote.js. A part that could not be loaded is loaded the next time. */
export async function join(page, key) {
  const { told, later, route } = page, panel = panels[key];
  begin(page);
  panel.part ??= await panel.coming;
  panel.coming = null;
  if (!panel.part) return told.say(t('part.missing'));
  if (panel.part.visit) panel.part.moved = isSame => {
    if (page.shown === key) route[isSame ? 'replace' : 'push'](page.here);
  };
  if (later.offer) panel.part.offer?.(later.offer);
  if (page.shown === key) page.show(key); else page.dock();
}
