// The view `watch`: short sections, in which buffering is a position that stands still.

import { momentNear, stepsOf } from './baton-basics.js';

const turns = ['off', 'on', 'once'];
const states = (line, isSoundExpected) => line?.[3] === 2 ? 'stopped' : line?.[2] > 0 ? 'playing'
  : line?.[3] === 1 || isSoundExpected ? 'buffering' : 'paused';

/** `isSoundExpected` tells that a press or a skip has just begun what plays; `hubMs` is the hub's clock. */
export function watchView(s, id, isSoundExpected, hubMs) {
  const { n, l, v, m } = s;
  return {
    entry: n?.i, title: n?.t, artist: n?.a, durationMs: n?.d * 1000 || null, isLive: !!n?.v,
    line: l && { posMs: l[0], atMs: momentNear(l[1], hubMs), rate: l[2] }, st: n ? states(l, isSoundExpected) : 'stopped',
    repeat: m && !!m[0], shuffle: m && !!m[1], single: m && turns[m[2]], consume: m && turns[m[3]],
    level: v?.[0], muted: !!v?.[1], roomName: s.r, problem: s.x,
    steps: stepsOf(s), art: n?.c && { id: n.c, colours: n.k ? [`#${n.k}`] : [] },
  };
}
