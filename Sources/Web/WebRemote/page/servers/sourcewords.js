// How a source is and what it answered, in words.

import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

const states = ['ok', 'checking', 'down', 'disabled', 'unconfigured'];
export const stateOf = source => states.includes(source.state) ? t(`source.${source.state}`) : source.state;
/** What `source.test` answered, as a sentence. */
export const tested = d => d.state === 'ok' ? d.ms === undefined ? t('source.answers')
  : t('source.answersIn', { n: d.ms }) : d.msg ?? `${stateOf(d)}.`;

/** A moment as short as it may be: the time on the same day, else the date. */
export function moment(ms) {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return isToday ? date(ms, { hour: '2-digit', minute: '2-digit' })
    : date(ms, { day: 'numeric', month: 'short', ...Date.now() - ms > 300 * 864e5 ? { year: 'numeric' } : {} });
}
