// What a room does, in one form for all profiles, of the sections that the hub sent.

import { stepsOf } from './baton-basics.js';

const modeOf = (repeat, shuffle) => shuffle ? 'shuffle'
  : { one: 'repeat-one', all: 'repeat-all' }[repeat] ?? 'once';

// Either sentence may have been cut.
const uncut = text => text.split('…')[0];
const isSame = (one, other) => uncut(one).startsWith(uncut(other)) || uncut(other).startsWith(uncut(one));
/**
 * That an account at a server fails stands with the accounts in `src`, and is no sentence over what plays, also where
 * `src` comes behind it.
 */
const isOfAccount = (s, msg) => !!s.src?.list?.some(({ msg: own, name, title = name }) => own && isSame(own, msg)
  || msg.includes(`“${title}”`));

/** Of the profiles `full` and `remote`; `id` is that of the room. */
export function fullView(s, id) {
  const { now: item, tl, vol, modes, queue } = s, room = s.rooms?.list.find(r => r.id === id);
  return {
    entry: item?.entry, title: item?.streamTitle ?? item?.title, kind: item?.kind, uri: item?.uri, album: item?.album,
    artist: item?.streamTitle ? item.title : item?.artists?.join(', '), durationMs: item?.durMs ?? null,
    line: tl && { posMs: tl.posMs, atMs: tl.atUs / 1000, rate: tl.rate }, st: tl?.st ?? 'stopped', isLive: !!(item?.live || tl?.live), art: item?.art,
    level: vol?.level, muted: !!vol?.mute, range: vol?.range, mode: modes && (modes.mode ?? modeOf(modes.repeat, modes.shuffle)), repeat: modes?.repeat, shuffle: modes?.shuffle,
    speed: modes?.speed ?? 1000, steps: stepsOf(s, item?.kind), queue, next: queue?.next, nextText: queue?.nextText, roomName: room?.name,
    problem: s.hub?.problems?.find(p => p.room ? p.room === id : !isOfAccount(s, p.msg))?.msg,
  };
}
