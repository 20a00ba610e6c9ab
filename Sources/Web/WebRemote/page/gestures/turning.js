// The slider of a volume moves relative to the finger. A tap sets the level, and makes it louder by no more than a bit,
// since a finger may slip.

import { capture } from './firsttouch.js';
import { onLost } from '../parts/lost.js';

const slack = 4, mostLouder = 10;

/**
 * `told` has `level()`, which is undefined where there is nothing to turn, `turn(level)`, and may have `end()`, which
 * follows a gesture. `spare` is how much of the track is no part of the slider. The result has `isDown` and `drop()`.
 */
export function turning(track, told, spare = 0) {
  let drag = null;
  const end = () => {
    const wasTurned = drag?.hasBegun;
    drag = null;
    if (wasTurned) told.end?.();
  };
  track.onpointerdown = event => {
    const level = told.level();
    if (event.button || level === undefined) return;
    capture(track, event);
    drag = { x: event.clientX, level, width: track.clientWidth - spare, hasBegun: false };
  };
  track.onpointermove = event => {
    const by = drag && event.clientX - drag.x;
    if (!drag || !drag.hasBegun && Math.abs(by) <= slack) return;
    drag.hasBegun = true;
    told.turn(drag.level + by / drag.width * 100);
  };
  track.onpointerup = event => {
    if (!drag || drag.hasBegun) return end();
    const { level, width } = drag, there = (event.clientX - track.getBoundingClientRect().left) / width * 100;
    drag = null;
    told.turn(Math.min(there, level + mostLouder));
  };
  // The system has taken the finger, for a call or for a gesture of its own.
  onLost(track, end);
  return { get isDown() { return !!drag }, drop() { drag = null } };
}
