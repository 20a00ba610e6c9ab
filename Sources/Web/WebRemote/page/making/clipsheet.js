// The sheets of a session: what is done with a cell, and the names of the scenes.

import { stateOf } from './clipwords.js';
import { field, sent } from '../parts/forms.js';
import { make } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { actLine, openForm, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

const lengths = [1, 2, 4, 8, 16, 32];
const usualBars = 4;

/** `press` sends a command about the session. */
export function openCell(row, press, { layer, scene }) {
  const place = { session: row.session, layer, scene }, name = row.scenes[scene - 1].name;
  const title = [t(`clips.layer.${layer}`), name].join(' · ');
  const clip = row.clips.filter(one => one.layer === layer && one.scene === scene).at(-1);
  const form = adding(place, press, clip?.bars);
  if (!clip) return openForm(title, form);
  const { st, words } = stateOf(clip);
  const line = (text, sign, m, p) => actLine(t(text), sign, () => press(m, p), needOf(m));
  openSheet(title, make('p', { class: 'note' }, words),
    st === 'off' ? line('clips.turnOn', 'play', 'clips.turn', { ...place, on: true }) : null,
    st === 'ready' || st === 'heard' ? line('clips.turnOff', 'pause', 'clips.turn', { ...place, on: false }) : null,
    st === 'failed' ? line('job.retry', 'repeat-all', 'job.retry', { job: clip.job }) : null,
    line('clips.remove', 'x', 'clips.remove', place), form);
}

function adding(place, press, bars = usualBars) {
  const words = make('input', { maxlength: 512, autocomplete: 'off', 'data-at': 'clipwords',
    placeholder: t('clips.example') });
  const length = make('select', { 'data-at': 'bars' },
    ...lengths.map(n => make('option', { value: n, selected: n === bars }, t('clips.bars', { n }))));
  const add = event => {
    event.preventDefault();
    const text = words.value.trim();
    sent(form, words, () => press('clips.add', { ...place, bars: Number(length.value), ...text && { text } }, true));
  };
  const form = make('form', { onsubmit: add }, field(t('clips.words'), words), field(t('clips.length'), length),
    make('button', { class: 'small', 'data-do': 'clipmake', 'data-needs': needOf('clips.add') }, t('clips.make')));
  return form;
}

export function openNames(row, press) {
  const inputs = row.scenes.map(({ name }, at) => make('input', { value: name, maxlength: 64, autocomplete: 'off',
    required: true, 'data-at': `scene${at + 1}` }));
  const keep = async () => {
    let res = { ok: 1 };
    for (const [at, { value }] of inputs.entries()) {
      const name = value.trim(), scene = at + 1;
      if (res.ok && name && name !== row.scenes[at].name)
        res = await press('clips.scene', { session: row.session, scene, name });
    }
    return res;
  };
  const onsubmit = event => { event.preventDefault(); sent(form, inputs[0], keep) };
  const form = make('form', { onsubmit }, ...inputs.map((input, at) => field(`${at + 1}`, input)),
    make('button', { class: 'small', 'data-needs': needOf('clips.scene') }, t('save')));
  openForm(t('clips.rename'), form);
  inputs[0].focus();
}
