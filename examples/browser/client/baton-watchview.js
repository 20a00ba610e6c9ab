// The profile `watch`: short sections, in which buffering is a position that stands still.

import { stepsOf } from './baton-basics.js';

const repeats = ['off', 'one', 'all'];
const modes = ['once', 'repeat-one', 'repeat-all'];
const states = (line, isSoundExpected) => line?.[3] === 2 ? 'stopped' : line?.[2] > 0 ? 'playing'
  : line?.[3] === 1 || isSoundExpected ? 'buffering' : 'paused';

/** `isSoundExpected` tells that a press or a skip has just begun what plays. */
export function watchView(s, id, isSoundExpected) {
  const { n, l, v, m } = s;
  return {
    entry: n?.i, title: n?.t, artist: n?.a, durationMs: n?.d * 1000 || null, isLive: !!n?.v,
    line: l && { posMs: l[0], atMs: l[1], rate: l[2] }, st: n ? states(l, isSoundExpected) : 'stopped',
    repeat: m && repeats[m[0]], shuffle: !!m?.[1], mode: m && (m[1] ? 'shuffle' : modes[m[0]] ?? 'once'),
    level: v?.[0], muted: !!v?.[1], roomName: s.r, problem: s.x,
    steps: stepsOf(s), art: n?.c && { id: n.c, colours: n.k ? [`#${n.k}`] : [] },
  };
}
