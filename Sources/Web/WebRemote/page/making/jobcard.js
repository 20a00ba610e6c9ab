// The card of a piece that was asked for: how far it is, whose it is, and what can be done about it. It is written
// anew in place, so that a press during a change is not lost.

import { isOver, jobWords } from './jobwords.js';
import { icon, make, mark, put, showIcon, spell } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { t } from '../shell/translate.js';
import { date, percent } from '../shell/writing.js';

/** What the button of a card does in each state; in all others it cancels. */
const acts = { approval: 'approve', ready: 'play', failed: 'retry', cancelled: 'retry' };
const signs = { approve: 'play', cancel: 'x', play: 'play', retry: 'repeat-all' };
const needs = { approve: needOf('job.approve'), cancel: needOf('job.cancel'), play: 'remote',
  retry: needOf('job.retry') };

export const actOf = job => acts[job.st] ?? 'cancel';

export function jobCard(hub, job) {
  const button = (name, sign) => make('button', { class: 'tool', 'data-do': name }, icon(sign));
  const element = make('li', { class: 'card job', 'data-job': job.job },
    make('span', { class: 'madering', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100 },
      make('span', { 'aria-hidden': 'true' })),
    make('span', { class: 'texts' }, make('b', { dir: 'auto' }), make('small', { dir: 'auto' }),
      make('small', {}, make('span', { dir: 'auto' }), make('time'))),
    button('act', 'x'), button('more', 'dots'));
  return element;
}

export function writeJobCard(hub, element, job) {
  const [ring, texts, act, more] = element.children, [title, state, whose] = texts.children;
  const does = actOf(job), part = job.st === 'ready' ? 100 : job.pct ?? 0;
  element.job = job;
  mark(element, 'data-st', job.st);
  ring.style.setProperty('--part', part / 100);
  mark(ring, 'aria-label', t('job.progressOf', { title: job.title }));
  mark(ring, 'aria-valuenow', part);
  put(ring.firstChild, isOver(job) || !job.pct ? '' : percent(job.pct));
  put(title, job.title);
  put(state, jobWords(hub, job));
  put(whose.firstChild, [job.kept ? t('job.isKept') : null, job.dur ? spell(job.dur) : null, job.by, job.worker, '']
    .filter(word => word !== null && word !== undefined).join(' · '));
  put(whose.lastChild, date(job.end ?? job.at, { hour: '2-digit', minute: '2-digit' }));
  showIcon(act.firstChild, signs[does]);
  mark(act, 'data-act', does);
  mark(act, 'data-needs', needs[does]);
  mark(act, 'aria-label', t(`job.act.${does}`, { title: job.title }));
  mark(more, 'aria-label', t('item.more', { title: job.title }));
}
