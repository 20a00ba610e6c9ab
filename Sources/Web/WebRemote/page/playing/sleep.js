// The sleep timer: chips in the menu of what plays and in that of a watch, so it is set with two taps.

import { momentNear } from '../../../../../examples/browser/client/baton-basics.js';
import { buzz, make } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const minutes = [15, 30, 60], minuteMs = 60000, fadeMs = 20000;
const ends = ['track', 'chapter'];

/** A timer has ended the playing, and the places among which a person may have fallen asleep are offered. */
export const isAsleep = ({ said }) => !!said.sleep?.over || said.z?.[3] === 1;
/** What is left of the timer in ms: `null` without a timer, `NaN` where it is not known. */
export function leftMs({ said, clock }) {
  const { sleep, z } = said;
  if (!sleep && !z || isAsleep({ said })) return null;
  const [left, atMs, rate] = z ? [z[0], momentNear(z[1], clock.hubMs), z[2]] : [sleep.leftMs, sleep.atMs, sleep.rate];
  return left >= 0 ? Math.max(0, left - Math.max(0, (clock.hubMs ?? atMs) - atMs) * rate / 1000) : NaN;
}

function title(hub) {
  const left = leftMs(hub);
  if (left === null) return t('sleep.name');
  return left >= 0 ? t('sleep.left', { left: t('time.minutes', { n: Math.ceil(left / minuteMs) }) }) : t('sleep.isOn');
}

/** From the button beside what plays, which also says how many minutes are left. */
export async function openSleep(hub, say) {
  const { closeSheet, openSheet, styled } = await import('../parts/sheet.js');
  await styled();
  openSheet(t('sleep.name'), ...sleepChips(hub, 'choices', text => { closeSheet(); say(text) }));
}
/** `said` is told what was set; `look` is the class of the chips. */
export function sleepChips(hub, look, said) {
  const chip = (text, m, p, sentence) => make('button', { class: 'small', 'data-needs': 'remote', onclick: async () => {
    buzz();
    const answer = await hub.press(m, p);
    if (answer.ok) said(sentence);
  } }, text);
  const set = (text, p) => chip(text, 'sleep.set', p, t('sleep.isSet'));
  const chips = [
    ...minutes.map(n => set(t('sleep.minutes', { n }), { end: 'time', ms: n * minuteMs, fadeMs })),
    ...ends.filter(end => end === 'track' || hub.said.book || hub.said.b).map(end => set(t(`sleep.${end}`), { end })),
    ...leftMs(hub) === null ? [] : [chip(t('sleep.off'), 'sleep.clear', {}, t('sleep.isOff'))],
  ];
  const group = make('div', { class: look, role: 'group', 'aria-label': t('sleep.name') }, ...chips);
  return [make('h3', { class: 'sleeping' }, title(hub)), group];
}
