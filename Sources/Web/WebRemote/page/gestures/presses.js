// Buttons of the playing screen that are pressed less than play and next. What they do is loaded with the first press.

import { $, buzz } from '../parts/base.js';
import { lazy } from './firsttouch.js';

export const press = (id, act) => { $(id).onclick = () => { buzz(); act() } };

/** Elements that a mouse writes in, or whose text it selects. */
const texts = 'a, input, select, textarea, dd, .pairing output, .words p';
// A click must not leave the focus on a button: the space bar would press it again.
addEventListener('mousedown', event => { if (!event.target.closest(texts)) event.preventDefault() });

/** The result loads what they do, each of its members a part. */
export function listenToPresses({ hub, say, looks }) {
  const useMenu = lazy(() => import('../playing/nowmenu.js'), say),
    useModes = lazy(() => import('../playing/modes.js'), say),
    useVerbs = lazy(() => import('../../../../../examples/browser/client/baton-verbs.js'), say);
  const usePlayOn = lazy(() => import('../playing/playon.js'), say);
  press('room', () => usePlayOn(playOn => playOn.openPlayOn(hub, say)));
  const useSleep = lazy(() => import('../playing/sleep.js'), say);
  press('sleep', () => useSleep(sleep => sleep.openSleep(hub, say)));
  press('nowmenu', () => useMenu(menu => menu.openNowMenu({ hub, say, looks })));
  for (const mode of ['shuffle', 'repeat']) press(mode, () => useModes(modes => modes[mode](hub, say)));
  for (const [id, at, way] of [['back', 0, -1], ['fwd', 1, 1]])
    press(id, () => useVerbs(verbs => verbs.seekBy(hub, way * hub.view().steps[at])));
  return [useModes, useVerbs];
}
