// The forms of the radio: a station by its address, and a recording at a time.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { field, sent } from '../parts/forms.js';
import { make } from '../parts/parts.js';
import { openForm } from '../parts/sheet.js';
import { sourcesOf, titleOf } from '../servers/sources.js';
import { nameOf } from './stations.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

const mostMinutes = 1440;
const repeats = { '': 'radio.once', day: 'radio.everyDay', week: 'radio.everyWeek' };
const submitButton = text => make('button', { class: 'small', 'data-needs': 'remote' }, text);

/** The next full hour, as a field for date and time writes it. */
function nextHour() {
  const at = new Date(Date.now() + 3600000 - Date.now() % 3600000);
  return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

/** Records a station at a time, once or again and again. */
export function askTime(hub, say, row) {
  const at = make('input', { type: 'datetime-local', required: true, value: nextHour(), name: 'at',
    'data-at': 'begin' });
  const minutes = make('input', {
    type: 'number', min: 1, max: mostMinutes, value: 60, required: true, inputmode: 'numeric', name: 'for',
    'data-at': 'minutes',
  });
  const options = Object.entries(repeats).map(([value, key]) => make('option', { value }, t(key)));
  const every = make('select', { name: 'every', 'data-at': 'every' }, ...options);
  const title = nameOf(row), submit = async event => {
    event.preventDefault();
    const begin = new Date(at.value).getTime(), n = Math.round(minutes.valueAsNumber);
    const p = { uri: row.uri, at: begin, for: n * 60000, ...every.value && { every: every.value } };
    const res = await sent(form, at, () => hub.press('radio.record', p, { key: token(6), silent: true }), say);
    if (!res.ok) return;
    const time = date(begin, { weekday: 'long', hour: '2-digit', minute: '2-digit' });
    say(t('radio.willBeRecorded', { title, n, at: time }), 4000);
  };
  const form = make('form', { class: 'more', onsubmit: submit },
    field(t('radio.begins'), at), field(t('radio.minutes'), minutes), field(t('radio.repeats'), every),
    submitButton(t('radio.recordThen')));
  openForm(t('radio.recordTitle', { title }), form);
}

/** Name and address of a station: `send` gets them as they were typed and gives back the answer. */
function askStation(say, row, { heading, does, send, where = null }) {
  const title = make('input', {
    maxlength: 100, autocomplete: 'off', placeholder: t('radio.nameExample'), value: row?.title ?? '',
    name: 'title', 'data-at': 'title',
  });
  const url = make('input', {
    type: 'url', required: !row || !!row.url, maxlength: 1024, pattern: '[hH][tT][tT][pP][sS]?:\\/\\/[^\\/].*',
    autocomplete: 'off', placeholder: 'https://', value: row?.url ?? '', name: 'url', 'data-at': 'url',
  });
  const submit = event => {
    event.preventDefault();
    return sent(form, url, () => send(title.value.trim(), url.value.trim(), where?.value), say);
  };
  const form = make('form', { class: 'more', onsubmit: submit },
    field(t('radio.nameField'), title), field(t('radio.address'), url), where && field(t('radio.where'), where),
    make('p', { class: 'note' }, t('radio.addressNote')), submitButton(t(does)));
  openForm(row ? nameOf(row) : t(heading), form);
}

/** The hub and the servers that keep stations, to choose from; null where there are no such servers. */
function places(hub) {
  const servers = sourcesOf(hub).filter(({ kind, state }) => kind === 'subsonic' && state === 'ok');
  const options = [['', t('source.thisHub')], ...servers.map(source => [source.name, titleOf(source)])];
  if (!servers.length) return null;
  return make('select', { 'data-at': 'where' }, ...options.map(([value, text]) => make('option', { value }, text)));
}
/** Keeps a station by its address. */
export function askAddress(hub, say, edited) {
  const send = async (title, url, source) => {
    const station = { url, title: title || new URL(url).host };
    const res = await hub.press('radio.edit', { add: [station], ...source && { source } },
      { key: token(6), silent: true });
    if (res.ok) say(res.st === 'noop' ? t('radio.isThere') : t('radio.isKept', { title: nameOf(station) }), 3000);
    if (res.ok) edited();
    return res;
  };
  askStation(say, null, { heading: 'radio.addTitle', does: 'radio.addThis', send, where: places(hub) });
}
/** Another name or address for a station; what is left as it was is not sent. */
export function askChange(hub, say, row, edited) {
  const send = async (title, url) => {
    const p = { change: row.uri, ...title && title !== row.title && { title }, ...url && url !== row.url && { url } };
    if (Object.keys(p).length < 2) return { ok: 1 };
    const res = await hub.press('radio.edit', p, { key: token(6), silent: true });
    if (res.ok) say(t('radio.isKept', { title: title || nameOf(row) }), 3000);
    if (res.ok) edited();
    return res;
  };
  askStation(say, row, { heading: 'radio.edit', does: 'radio.change', send });
}
