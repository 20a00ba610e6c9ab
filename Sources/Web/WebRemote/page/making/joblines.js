// The lines of a menu that let a piece be made, end it, or have it made anew.

import { isOver } from './jobwords.js';
import { needOf } from '../shell/roles.js';
import { actLine } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

export function jobLines(acts, job) {
  const line = (m, sign) => actLine(t(m), sign, () => acts.press(m, { job: job.job }), needOf(m));
  if (!isOver(job)) return [job.st === 'approval' ? line('job.approve', 'play') : null, line('job.cancel', 'x')];
  return job.st === 'ready' ? [] : [line('job.retry', 'repeat-all')];
}
