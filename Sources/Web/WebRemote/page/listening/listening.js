// "Listen here": this device plays the room too, in time with it. A sheet has its volume, its output, its offset and
// how it goes.

import { ClickTest } from './clicks.js';
import { field } from '../parts/forms.js';
import { isHeld } from '../gestures/finger.js';
import { ListenSession } from './listensession.js';
import { choose, keepOffset, offsetOf, outputs } from './outputs.js';
import { buzz, make, put, recall, remember } from '../parts/parts.js';
import { canRecord } from './recordsound.js';
import { noteOwn } from './reports.js';
import { RoomAudio } from './roomaudio.js';
import { addressOf } from '../shell/route.js';
import { closeSheet, openSheet, styled } from '../parts/sheet.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { decimal } from '../shell/writing.js';

/** A device that begins to play by itself must not be loud. */
export const highestAtStart = 50;
const furthestMs = 500, inStepUs = 30_000;
const qualities = ['auto', 'original', 'opus128', 'opus64', 'aac128'];
let audio = null, session = null, clicks = null, output = '';

function prepare(hub, say) {
  if (audio) return;
  audio = new RoomAudio(hub, say);
  [session, clicks] = [new ListenSession(hub, audio), new ClickTest(audio)];
  let wasOn = false;
  audio.onStep = () => {
    noteOwn(audio);
    if (audio.on === wasOn) return;
    wasOn = audio.on;
    if (wasOn) session.begin(); else { clicks.stop(); session.end() }
  };
  audio.level = Math.min(recall('listenlevel') ?? highestAtStart, highestAtStart);
  output = recall('listenoutput') ?? '';
  audio.offsetMs = offsetOf(output);
  audio.quality = recall('listenquality') ?? 'auto';
  // Headphones that come or go may be another output by the device's own choice.
  navigator.mediaDevices?.addEventListener?.('devicechange', () => { if (audio.on) use(output) });
}
async function use(name) {
  output = await choose(audio.context, name);
  const ms = offsetOf(output);
  if (ms !== audio.offsetMs) { audio.offsetMs = ms; audio.restart() }
}
/** This device plays the room, at the output that was chosen. */
export async function begin(say) {
  try {
    await audio.start();
    await use(output);
  } catch { say(t('listen.refused')) }
}

const looks = loadStyle('listen.css');

export async function openListening(hub, say) {
  await Promise.all([styled(), looks]);
  prepare(hub, say);
  const how = make('p', { class: 'note', id: 'listenhow', role: 'status' }, '');
  const found = make('p', { class: 'note', id: 'listenfound', role: 'status' }, '');
  const button = (id, act) =>
    make('button', { class: 'small', id, onclick: async () => { buzz(); await act(); draw() } });
  const act = button('listen', () => audio.on ? audio.stop() : begin(say));
  const leave = button('listenleave', async () => {
    closeSheet();
    if (audio.on) await audio.stop();
    location.hash = addressOf('rooms');
  });
  const mute = button('listenmute', () => { audio.isMuted = !audio.isMuted; audio.loudness(); session.draw() });
  const test = button('listenclicks', () => { if (clicks.on) clicks.stop(); else clicks.start() });
  const probe = button('listenmeasure', async () => {
    const ms = await measured(found);
    if (ms !== null) set(ms);
    // What a browser names only once a microphone was allowed.
    await fillChoice();
  });
  const offset = slider('listenoffset', -furthestMs, furthestMs, audio.offsetMs, set);
  const shown = make('output', { id: 'listenoffsetms', for: 'listenoffset' });
  const choice = make('select', { id: 'listenoutput', onchange: async () => {
    remember('listenoutput', choice.value);
    if (audio.on) await use(choice.value);
    else { output = choice.value; audio.offsetMs = offsetOf(output) }
    draw();
  } });
  const choiceLine = field(t('listen.output'), choice);
  const quality = make('select', { id: 'listenquality', onchange: () => {
    remember('listenquality', audio.quality = quality.value);
    audio.fetchAgain();
  } }, ...qualities.map(value => make('option', { value, selected: value === audio.quality }, t(`listen.q.${value}`))));
  function set(ms) {
    audio.offsetMs = ms;
    keepOffset(output, ms);
    audio.restart();
    draw();
  }
  async function fillChoice() {
    const names = (await outputs()).map(({ name }) => name);
    choiceLine.hidden = names.length < 2;
    choice.replaceChildren(...['', ...names].map(name => make('option', { value: name, selected: name === output },
      name || t('listen.outputOwn'))));
  }
  const draw = () => {
    put(act, t(audio.on ? 'listen.stop' : 'listen.start'));
    put(leave, t('listen.leave'));
    put(mute, t(audio.isMuted ? 'listen.sound' : 'listen.mute'));
    put(test, t(clicks.on ? 'clicks.stop' : 'clicks.start'));
    put(probe, t('measure.name'));
    put(shown, t('time.ms', { n: audio.offsetMs }));
    put(how, words());
    if (!isHeld(offset)) offset.value = audio.offsetMs;
    for (const part of [leave, mute, test, probe]) part.hidden = !audio.on;
    probe.disabled = !canRecord() || audio.isMeasuring;
    if (!canRecord()) put(found, t('measure.needsEncryption'));
    else if (clicks.on) put(found, t(clicks.hasBeat ? 'clicks.about' : 'clicks.noBeat'));
  };
  draw();
  // A line that came or went after the sheet is open would move the others under a finger.
  await fillChoice();
  openSheet(t('listen.name'), make('p', { class: 'note' }, t('listen.about')), act, mute,
    field(t('listen.volume'), slider('listenvolume', 0, 100, audio.level, level => {
      audio.level = level;
      remember('listenlevel', level);
      audio.loudness();
    })), choiceLine, field(t('listen.quality'), quality),
    field(t('listen.offset'), make('span', { class: 'offset' }, offset, shown)),
    make('div', { class: 'pair' }, probe, test), found, how, leave);
  const timer = setInterval(() => { if (how.isConnected) draw(); else { clearInterval(timer); clicks.stop() } }, 500);
}

/** The offset that a measurement has found; null with a sentence where it is not sure, and then nothing is changed. */
async function measured(found) {
  const { measure } = await import('./measuring.js');
  clicks.stop();
  put(found, t('measure.goesOn'));
  audio.isMeasuring = true;
  const { ms = null, why } = await measure(audio);
  audio.isMeasuring = false;
  put(found, why ? t(why, { ms: ms ?? 0 }) : t('measure.done', { ms }));
  return why ? null : ms;
}

function slider(id, min, max, value, changed) {
  const input = make('input', { id, type: 'range', min, max, onchange: () => changed(Number(input.value)) });
  // One that begins at nothing is lit as far as it is moved.
  input.oninput = () => { if (!min) input.style.setProperty('--level', input.value / max) };
  input.value = value;
  input.oninput();
  return input;
}

function words() {
  if (!audio.on) return t('listen.off');
  if (audio.isOtherSpeed) return t('listen.otherSpeed');
  if (audio.isPlain) return t('listen.plain');
  if (audio.refusal) return t('listen.notAlong', { detail: audio.refusal });
  if (audio.drift === null) return t('listen.waits');
  const ms = decimal(Math.abs(audio.drift) / 1000, 1);
  return t(Math.abs(audio.drift) <= inStepUs ? 'listen.inStep' : 'listen.notInStep', { ms });
}

/** The sound of this page's room; there is one. */
export function roomAudio(hub, say) {
  prepare(hub, say);
  return audio;
}
