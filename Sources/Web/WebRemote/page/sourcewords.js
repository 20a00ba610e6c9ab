// How a source is and what it answered, in words.

const states = { ok: 'Connected', checking: 'Connecting…', down: 'Cannot be reached', disabled: 'Switched off', unconfigured: 'Not set up' };
export const stateOf = source => states[source.state] ?? source.state;
/** What `source.test` answered, as a sentence. */
export const tested = d => d.state === 'ok' ? `It answers${d.ms === undefined ? '' : `, within ${d.ms} ms`}.` : d.msg ?? `${stateOf(d)}.`;

/** A moment as short as it may be: the time on the same day, else the date. */
export function moment(ms) {
  const at = new Date(ms), isToday = at.toDateString() === new Date().toDateString();
  return isToday ? at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : at.toLocaleDateString([], { day: 'numeric', month: 'short', ...Date.now() - ms > 300 * 864e5 ? { year: 'numeric' } : {} });
}
