// The volume over the mini player, after a long press on it: the same slider as on the full sheet. A press elsewhere
// closes it.

import { $ } from '../parts/base.js';
import { onMenu } from '../gestures/hold.js';
import { is, turn } from '../shell/state.js';

/** `isOn` says whether there is a mini player. */
export function volumeOfMini(isOn) {
  const open = () => {
    if (!isOn()) return false;
    turn('turning', true);
    return true;
  };
  for (const id of ['hero', 'what']) onMenu($(id), open);
  addEventListener('pointerdown', event => {
    if (is('turning') && !event.target.closest('#volume')) turn('turning', false);
  }, { capture: true });
  addEventListener('keydown', event => { if (event.key === 'Escape') turn('turning', false) });
}
