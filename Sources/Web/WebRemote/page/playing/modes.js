// The modes of the room, and what plays once more: presses that are rare beside play and next.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { repeatOf, repeats } from './deck.js';
import { t } from '../shell/translate.js';

/** What a person calls repeating: to repeat one entry is to repeat, and to stay with each. */
const repeatWire = {
  off: { repeat: false, single: 'off' }, all: { repeat: true, single: 'off' }, one: { repeat: true, single: 'on' },
};
/** The modes of a watch, each of which is a repeat and a shuffle. */
const modeWire = {
  once: { ...repeatWire.off, shuffle: false }, 'repeat-all': { ...repeatWire.all, shuffle: false },
  'repeat-one': { ...repeatWire.one, shuffle: false }, shuffle: { ...repeatWire.all, shuffle: true },
};
const modes = Object.keys(modeWire);
export const modeOf = view => view.shuffle ? 'shuffle'
  : { off: 'once', all: 'repeat-all', one: 'repeat-one' }[repeatOf(view)];
export const set = (hub, wire) => hub.press('mode.set', wire, { kind: 'mode', guess: wire });
const after = (all, one) => all[(all.indexOf(one) + 1) % all.length];

export function shuffle(hub, say) {
  const shuffle = !hub.view().shuffle;
  say(t(shuffle ? 'play.shuffleIsOn' : 'play.shuffleIsOff'), 1800);
  return set(hub, { shuffle });
}
export function repeat(hub, say) {
  const repeat = after(repeats, repeatOf(hub.view()));
  say(`${t(`play.repeat.${repeat}`)}.`, 1800);
  return set(hub, repeatWire[repeat]);
}
/** A watch has one button for both. */
export function cycle(hub, say) {
  const mode = after(modes, modeOf(hub.view()));
  say(t('play.modeIs', { mode: t(`play.mode.${mode}`) }), 1800);
  return set(hub, modeWire[mode]);
}
/**
 * Whether the music stops after this entry, or after each. While one repeats, `single` means to stay with it, so a
 * choice ends that, too.
 */
export const stopAfter = view => view.repeat ? 'off' : view.single ?? 'off';
export const setStopAfter = (hub, single) => set(hub, single === 'off' ? { single } : { single, repeat: false });
/** Adds an item to the queue once more; `at` is `next` or `end`. */
export async function addAgain(hub, say, { uri, title }, at) {
  const res = await hub.press('queue.add', { uris: [uri], at }, { key: token(4) });
  if (res.ok) say(t(at === 'next' ? 'queue.againNext' : 'queue.isAtEnd', { title }), 3000);
}
