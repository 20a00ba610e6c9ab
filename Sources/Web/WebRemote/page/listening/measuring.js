// "Measure": by one recording the device learns how much later it is heard than the room, and takes that as its offset.
// It is quiet meanwhile but for some chirps. The room is found in the recording by the item that it plays, which this
// device has decoded, and the device by its chirps; the way through the microphone is the same for both.

import { agreed, fit, peak } from './correlation.js';
import { median } from './outputclock.js';
import { canRecord, record } from './recordsound.js';

const quietS = 0.4, chirps = 5, everyS = 1.25, chirpS = 0.2, low = 1500, high = 7000, loudness = 0.35;
/** A place in the recording may lie so much before and after where it is expected. */
const beforeS = 0.6, afterS = 1.2, furthestMs = 500;
const pieces = 4, pieceS = 1.4, fadeS = 0.1, nearS = 0.003, rivalMost = 0.8, silent = 1e-4;
const refusals = { NotAllowedError: 'measure.refused', NotFoundError: 'measure.none' };
export const wholeS = quietS + chirps * everyS + 0.2;

/** Resolves to `{ ms }`, or to `{ why }`: the key of a sentence. */
export async function measure(audio) {
  if (!canRecord()) return { why: 'measure.needsEncryption' };
  const before = audio.playing();
  if (!before) return { why: 'measure.nothingPlays' };
  if (!before.held.buffer) return { why: 'measure.tooLong' };
  audio.isQuiet = true;
  audio.loudness();
  try {
    let due = [];
    const { context } = audio, { sampleRate: rate } = context, chirp = chirpFor(rate), places = [];
    // Where the room is, read again and again, because what is known of the clocks changes a little all the time.
    const read = () => { const now = audio.playing(); if (now?.held === before.held) places.push(now.place(0)) };
    const timer = setInterval(read, 100);
    const heard = await record(context, wholeS, first => {
      due = dueFrom(first);
      for (const second of due) play(context, chirp, second);
    }).finally(() => clearInterval(timer));
    if (!places.length || audio.playing()?.held !== before.held) return { why: 'measure.another' };
    if (heard.samples.every(sample => Math.abs(sample) < silent)) return { why: 'measure.silent' };
    const own = await ownDelay(heard, due, chirp, rate);
    const theirs = await roomDelay(heard, mono(before.held.buffer), before.held.startMs / 1000 + median(places), rate);
    if (own === null) return { why: 'measure.noDevice' };
    if (theirs === null) return { why: 'measure.noRoom' };
    const ms = Math.round((own - theirs) * 1000);
    return Math.abs(ms) > furthestMs ? { why: 'measure.far', ms } : { ms };
  } catch (error) {
    return { why: refusals[error.name] ?? 'measure.failed' };
  } finally {
    audio.isQuiet = false;
    audio.loudness();
  }
}

/** The seconds of the context at which the chirps are played, by that of the first sample that is recorded. */
export const dueFrom = first => Array.from({ length: chirps }, (_, n) => first + quietS + n * everyS);
/** A tone that climbs: it fits into a recording at one place alone, and any small speaker plays it. */
export function chirpFor(rate) {
  const count = Math.round(chirpS * rate);
  return Float32Array.from({ length: count }, (_, n) => {
    const s = n / rate, edge = Math.min(1, Math.min(n, count - n) / (0.01 * rate));
    return loudness * edge * Math.sin(2 * Math.PI * (low * s + (high - low) * s * s / (2 * chirpS)));
  });
}
function play(context, samples, second) {
  const buffer = context.createBuffer(1, samples.length, context.sampleRate), source = context.createBufferSource();
  buffer.copyToChannel(samples, 0);
  source.buffer = buffer;
  source.connect(context.destination);
  source.start(second);
}
/** A page that calculates for long is given time to draw. */
const breath = () => new Promise(done => setTimeout(done));

/** Each chirp by itself, which must agree. In seconds; null where they do not. */
export async function ownDelay({ first, samples }, due, chirp, rate) {
  const places = [];
  for (const second of due) {
    const from = Math.round((second - first) * rate), to = from + Math.round((afterS + chirpS) * rate);
    const found = fit(samples.subarray(from, to), chirp);
    places.push(peak(found.subarray(0, Math.round(afterS * rate)), nearS * rate).at / rate);
    await breath();
  }
  return agreed(places, nearS);
}

/**
 * Pieces of the item in the recording, which must agree. Music that repeats itself fits in more than one place, and
 * a tone fits everywhere. `atZero` is where the item would be at the second 0 of the context.
 */
export async function roomDelay({ first, samples }, item, atZero, rate) {
  const places = [], wide = Math.round((beforeS + afterS) * rate);
  const all = new Float64Array(wide);
  for (let n = 0; n < pieces; n++) {
    // The piece of the item whose sound is expected in the recording from here on.
    const second = first + beforeS + n * (wholeS - beforeS - afterS - pieceS) / (pieces - 1);
    const from = Math.round((atZero + second) * rate);
    const piece = faded(item.subarray(Math.max(from, 0), Math.max(from + Math.round(pieceS * rate), 0)), fadeS * rate);
    const begin = Math.round((second - beforeS - first) * rate);
    const found = fit(samples.subarray(begin, begin + wide + piece.length), piece).subarray(0, wide);
    places.push(peak(found, nearS * rate).at / rate - beforeS);
    found.forEach((value, at) => all[at] += value);
    await breath();
  }
  const { at, value, rival } = peak(all, nearS * rate), edge = Math.min(at, wide - at) / rate;
  return rival > rivalMost * value || edge < nearS ? null : agreed(places, nearS);
}

/** Cut hard, the ends of a piece would sound like something themselves. */
const faded = (piece, most) => piece.map((sample, n) => sample * Math.min(1, n / most, (piece.length - n) / most));
function mono(buffer) {
  const mixed = buffer.getChannelData(0).slice();
  for (let channel = 1; channel < buffer.numberOfChannels; channel++)
    buffer.getChannelData(channel).forEach((sample, at) => mixed[at] += sample);
  return mixed;
}
