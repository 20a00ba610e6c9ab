// The modes of the room, and what plays once more: presses that are rare beside play and next.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { repeats } from './deck.js';
import { t } from '../shell/translate.js';

/** The modes of a watch, each of which is a repeat and a shuffle. */
export const modes = ['once', 'repeat-all', 'repeat-one', 'shuffle'];
const modeWire = {
  once: { repeat: 'off', shuffle: false }, 'repeat-all': { repeat: 'all', shuffle: false },
  'repeat-one': { repeat: 'one', shuffle: false }, shuffle: { repeat: 'all', shuffle: true },
};
const set = (hub, wire, guess = wire) => hub.press('mode.set', wire, { kind: 'mode', guess });
const after = (all, one) => all[(all.indexOf(one) + 1) % all.length];

export function shuffle(hub, say) {
  const shuffle = !hub.view().shuffle;
  say(t(shuffle ? 'play.shuffleIsOn' : 'play.shuffleIsOff'), 1800);
  return set(hub, { shuffle });
}
export function repeat(hub, say) {
  const repeat = after(repeats, hub.view().repeat);
  say(`${t(`play.repeat.${repeat}`)}.`, 1800);
  return set(hub, { repeat });
}
/** A watch has one button for both. */
export function cycle(hub, say) {
  const mode = after(modes, hub.view().mode);
  say(t('play.modeIs', { mode: t(`play.mode.${mode}`) }), 1800);
  return set(hub, modeWire[mode], { mode, ...modeWire[mode] });
}
/** Adds an item to the queue once more; `at` is `next` or `end`. */
export async function addAgain(hub, say, { uri, title }, at) {
  const res = await hub.press('queue.add', { uris: [uri], at }, { key: token(4) });
  if (res.ok) say(t(at === 'next' ? 'queue.againNext' : 'queue.isAtEnd', { title }), 3000);
}
