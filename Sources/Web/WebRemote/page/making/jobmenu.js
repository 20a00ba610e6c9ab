// The menu of a piece that was asked for: how it was asked for, and everything that can be done with it.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { copyText } from '../parts/clipboard.js';
import { whenUp } from '../gestures/finger.js';
import { jobLines } from './joblines.js';
import { jobWords } from './jobwords.js';
import { make, spell } from '../parts/parts.js';
import { pieceParts } from './pieceparts.js';
import { publicOrigin } from '../parts/publicorigin.js';
import { needOf } from '../shell/roles.js';
import { addressOf } from '../shell/route.js';
import { actLine, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

/** What is known of how it is made, a line each. */
function plan(hub, job) {
  const rows = [['prompt', job.prompt ?? job.title], ['state', jobWords(hub, job)], ['by', job.by],
    ['worker', job.worker], ['length', job.dur ? spell(job.dur) : null],
    ['asked', make('time', {}, date(job.at, { dateStyle: 'medium', timeStyle: 'short' }))]];
  return make('dl', { class: 'facts' }, ...rows.filter(([, value]) => value).flatMap(([name, value]) =>
    [make('dt', {}, t(`job.plan.${name}`)), make('dd', { dir: 'auto' }, value)]));
}

/** What is kept is not removed to make room. */
function keepLine(acts, { job, kept }) {
  const press = () => acts.press('job.keep', { job, on: !kept });
  return actLine(t(kept ? 'job.unkeep' : 'job.keep'), 'keep', press, needOf('job.keep'));
}

/** Another piece of the same plan, half as different as it may be. */
async function vary(hub, say, { uri, title }) {
  const res = await hub.press('gen.vary', { uri, at: 'end' }, { key: token(6) });
  if (res.ok) say(t('piece.varies', { title }), 4000);
}

/** `told` has `again(text)`, which puts the words into the field. */
export function openJobMenu(hub, say, acts, job, told) {
  const row = { uri: job.uri, title: job.title, kind: 'track' };
  // Asked for before the press, since a browser copies at a press alone.
  const asked = publicOrigin(hub), link = async () => {
    const address = `${await asked ?? location.origin}/${addressOf('imagine', { job: job.job })}`;
    say(t(await copyText(address) ? 'job.linkCopied' : 'facts.notCopied'), 2000);
  };
  const isReady = job.st === 'ready', parts = make('div', { class: 'acts' });
  openSheet(job.title, plan(hub, job),
    ...isReady ? [actLine(t('item.playOnly'), 'play', () => acts.now(row), 'remote'),
      actLine(t('item.playNext'), 'playnext', () => acts.add(row, 'next'), 'guest'),
      actLine(t('item.addToEnd'), 'enqueue', () => acts.add(row, 'end'), 'guest'),
      hub.said.pl ? actLine(t('item.addToList'), 'lists', () => acts.choose(row), 'remote') : null] : [],
    ...jobLines(acts, job),
    job.st === 'failed' || job.st === 'cancelled' ? null : keepLine(acts, job),
    actLine(t('job.edit'), 'pen', () => told.again(job.prompt ?? job.title)),
    actLine(t('job.copyLink'), 'copy', link), parts);
  if (!isReady) return;
  const varied = actLine(t('piece.vary'), 'shuffle', () => vary(hub, say, job), needOf('gen.vary'));
  // A line that comes later would move the others under a finger.
  pieceParts(hub, job.uri, varied).then(found => whenUp(parts, () => parts.append(...found)));
}
