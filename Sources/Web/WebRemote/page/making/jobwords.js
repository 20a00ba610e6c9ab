// How a piece in the making is said: on its card, in rows of the queue, and on a watch.

import { momentNear } from '../../../../../examples/browser/client/baton-basics.js';
import { spell } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const states = ['approval', 'offline', 'submitting', 'queued', 'running', 'fetching', 'ready', 'failed', 'cancelled'];
/** Less time than this is not worth a word. */
const shortMs = 1000;
const over = ['ready', 'failed', 'cancelled'];

export const jobsOf = hub => hub.said.jobs?.jobs ?? [];
/** The job of an item; none for what was not made here, and for what was finished long ago. */
export const jobOf = (hub, uri) => uri?.startsWith('gen:') ? jobsOf(hub).find(job => job.uri === uri) : undefined;
export const isOver = job => over.includes(job.st);
/** A state that this page does not know is one in which the piece is not there yet. */
const stateOf = job => states.includes(job.st) ? job.st : 'queued';

/** How long making it takes yet by the estimate, in ms; nothing where there is none, or it takes longer than usual. */
function leftMs(hub, { st, dueUs }) {
  const now = hub.clock.hubMs;
  return st === 'running' && dueUs && now !== null && dueUs / 1000 > now + shortMs
    ? dueUs / 1000 - now : null;
}
/** Why a piece is not being made, as the numbers of the section of watches say. */
const waits = { 1: 'job.approval', 2: 'job.away', 3: 'job.submitting' };
/** The piece in the making, as a watch is told of it. */
export function watchWords(hub) {
  const { t: title, b: by, p: percent, e, w: wait } = hub.said.g ?? {}, now = hub.clock.hubMs;
  if (title === undefined) return '';
  const state = t(waits[wait] ?? 'job.running'),
    dueMs = e === undefined ? 0 : momentNear(e, now),
    left = !wait && now !== null && dueMs > now + shortMs ? dueMs - now : null;
  return [title, percent && !wait ? t('job.percent', { state, n: percent }) : state,
    left === null ? null : t('job.left', { time: spell(left) }), by].filter(Boolean).join(' · ');
}
/** “Being made, 40% · 0:05 left · bass and drums”. A piece that is ready needs no word in a row. */
export function jobWords(hub, job) {
  const left = leftMs(hub, job), state = t(`job.${stateOf(job)}`, { worker: job.worker });
  const making = job.st === 'running' && job.pct ? t('job.percent', { state, n: job.pct }) : state;
  return [making, left === null ? null : t('job.left', { time: spell(left) }), job.msg].filter(Boolean).join(' · ');
}
