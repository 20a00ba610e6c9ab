// The click test: this device is quiet but for one click a second, on the clearest beat of the room's music within that
// second. A person hears the click before the beat or behind it, and moves the offset until the two are one.

const tickMs = 200, aheadS = 1.5, hopS = 0.0025, before = 12, clearly = 2.5, quietest = 1e-6;

/** Where in this second of an item the loudness rises most clearly, in seconds; null where nothing does. */
export function beat(samples, rate, from, to) {
  const hop = Math.round(hopS * rate), first = Math.max(Math.round(from * rate), before * hop);
  const energies = [];
  for (let at = first - before * hop; at + hop < Math.min(to * rate, samples.length); at += hop) {
    let energy = quietest;
    // Differences of samples leave out the bass, whose waves rise slowly.
    for (let n = at + 1; n < at + hop; n++) energy += (samples[n] - samples[n - 1]) ** 2;
    energies.push(energy);
  }
  let best = null, most = clearly;
  for (let n = before; n < energies.length; n++) {
    const past = energies.slice(n - before, n).reduce((sum, energy) => sum + energy, 0) / before;
    const rise = Math.log(energies[n] / past);
    if (rise > most) [best, most] = [n, rise];
  }
  return best === null ? null : (first + (best - before) * hop) / rate;
}

export class ClickTest {
  #audio; #timer = 0; #next = null; #heard = null; #buffer = null;
  /** Whether the last seconds had a beat. */
  hasBeat = true;
  constructor(audio) { this.#audio = audio }
  get on() { return !!this.#timer }
  start() {
    this.#audio.isQuiet = true;
    this.#audio.loudness();
    this.hasBeat = true;
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }
  stop() {
    clearInterval(this.#timer);
    [this.#timer, this.#next, this.#heard] = [0, null, null];
    this.#audio.isQuiet = false;
    this.#audio.loudness();
  }
  #tick() {
    if (!this.#audio.on) return this.stop();
    const { context } = this.#audio, { held, sound } = this.#audio.playing() ?? {};
    if (!held?.buffer) return;
    // The sound of the device is moved by the offset, and its clicks with it.
    const ahead = sound.position(context.currentTime + aheadS);
    if (this.#heard !== sound) [this.#heard, this.#next] = [sound, Math.ceil(ahead - aheadS + 0.3)];
    for (; this.#next < ahead - 1; this.#next++) {
      const begin = held.startMs / 1000;
      const from = begin + this.#next, at = beat(held.buffer.getChannelData(0), held.buffer.sampleRate, from, from + 1);
      this.hasBeat = at !== null;
      if (this.hasBeat) this.#click(context, sound.secondOf(at - begin));
    }
  }
  #click(context, second) {
    const { sampleRate } = context, count = Math.round(0.03 * sampleRate);
    this.#buffer ??= context.createBuffer(1, count, sampleRate);
    this.#buffer.copyToChannel(Float32Array.from({ length: count }, (_, n) =>
      0.5 * Math.exp(-n / (0.006 * sampleRate)) * Math.sin(2 * Math.PI * 2500 * n / sampleRate)), 0);
    const source = context.createBufferSource();
    source.buffer = this.#buffer;
    source.connect(context.destination);
    if (second > context.currentTime) source.start(second);
  }
}
