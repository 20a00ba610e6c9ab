// Radio stations as rows, and what is done with one: played, kept, made a preset, recorded, removed.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { isStation } from '../items/items.js';
import { twice } from '../parts/forms.js';
import { mark } from '../parts/parts.js';
import { closeSheet, openLine } from '../parts/sheet.js';
import { sourceOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';

export const nameOf = station => (station.title || station.uri).slice(0, 80);
/** The hub's own and those of servers; one that was named by its address alone is not kept anywhere. */
export const canRecord = (hub, row) => isStation(row) || (row?.kind === 'station' && !!sourceOf(hub, row.uri));
const mostTags = 3;

/** A station of `radio.list` as a row of a list. */
export const asRow = ({ uri, title, preset, art, country, language, tags, url, picture }) => ({
  uri, kind: 'station', title, art, preset, url, picture, fav: preset ? 1 : undefined,
  about: [country, language, tags?.slice(0, mostTags).join(', ')].filter(Boolean).join(' · ') || undefined,
});

/** Only the chosen station plays: a list of stations has no end that one could wait for. */
export async function playStation(hub, say, row) {
  const res = await hub.press('radio.play', { uri: row.uri }, { key: token(6) });
  if (res.ok) say(t('radio.plays', { title: nameOf(row) }), 4000);
}

/** Whether a station is recorded now; what is due later is no such recording. */
export const recordingOf = (hub, uri) => hub.said.radio?.rec?.find(rec => rec.uri === uri && rec.st !== 'due');

export async function recordNow(hub, say, row) {
  const res = await hub.press('radio.record', { uri: row.uri }, { key: token(6) });
  if (res.ok) say(t('radio.isRecorded', { title: nameOf(row) }), 4000);
}
export async function stopRecording(hub, say, rec) {
  const res = await hub.press('radio.record', { stop: rec.id }, { key: token(6) });
  if (res.ok) say(t(rec.st === 'due' ? 'radio.isCancelled' : 'radio.hasEnded', { title: nameOf(rec) }), 3000);
}

/** Those that the hub keeps, and those of servers; what the directory has stays as it is. */
const isKept = uri => !!uri?.startsWith('radio:station/');
const mayEdit = (hub, { kind, uri }) => kind === 'station' && (isKept(uri) || !!sourceOf(hub, uri));

/** Lines for the menu of a row that is a station. `edited` is called when the list of stations is another. */
export function stationLines(hub, say, row, edited = () => { }) {
  const line = (key, sign, does, act) => openLine(t(key), sign, act, { 'data-do': does, 'data-needs': 'remote' });
  const shut = act => async () => { closeSheet(); await act(); edited() };
  const edit = (p, told) => shut(async () => {
    if ((await hub.press('radio.edit', p, { key: token(6) })).ok) say(told, 3000);
  });
  const open = name => async () => (await import('./stationforms.js'))[name](hub, say, row, edited);
  const isRecordable = canRecord(hub, row), rec = isRecordable ? recordingOf(hub, row.uri) : null;
  const title = nameOf(row), before = row.preset - 1;
  return [
    rec ? line('radio.stopRecording', 'record', 'stoprecord', shut(() => stopRecording(hub, say, rec))) : null,
    !rec && isRecordable ? line('radio.recordNow', 'record', 'recordnow', shut(() => recordNow(hub, say, row)))
      : null,
    isRecordable ? line('radio.recordAt', 'clock', 'recordat', open('askTime')) : null,
    before > 0 ? line('radio.forward', 'presets', 'forward',
      edit({ star: row.uri, at: before }, t('radio.presetIs', { title, n: before }))) : null,
    mayEdit(hub, row) ? line('radio.edit', 'pen', 'editstation', open('askChange')) : null,
    mayEdit(hub, row) ? removing(edit({ remove: row.uri }, t('radio.isRemoved', { title }))) : null,
  ].filter(Boolean);
}
/** An address that was typed by hand is gone with its station. */
function removing(act) {
  const button = twice(t('radio.remove'), t('tapAgain'), act);
  mark(button, 'data-do', 'removestation');
  mark(button, 'data-needs', 'remote');
  return button;
}
