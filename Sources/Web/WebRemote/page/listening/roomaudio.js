// Plays the sound of the room on this device, in time with the room. instep.js decides when an item begins and what is
// done about a difference; this carries it out by Web Audio. The current and the next item are fetched ahead, so that a
// start is exact and an outage is not heard before what is held has been played.

import { micros } from '../../../../../examples/browser/client/baton-basics.js';
import { HeldItems } from './helditems.js';
import { HubTime } from './hubtime.js';
import { StepRule, position, start } from './instep.js';
import { OutputClock } from './outputclock.js';
import { PlainPlayer } from './plainplayer.js';
import { BufferSound, ElementSound } from './sounds.js';

const tickMs = 250, leadUs = 200_000, settleMs = 700, renewMs = 240_000, stillMs = 1500;

export class RoomAudio {
  #hub; #say; #context = null; #gain = null; #timer = 0; #asked = 0; #mediaAt = 0; #movedAt = 0;
  #time; #rule = new StepRule(); #output = null; #line = null; #items = null;
  /** What is heard, what begins when that ends, and what is made ready to take its place. */
  #heard = null; #next = null; #coming = null;
  #plain = new PlainPlayer();
  drift = null;
  /** Called after each reading of the drift. */
  onStep = () => { };
  constructor(hub, say) { [this.#hub, this.#say, this.#time] = [hub, say, new HubTime(hub)] }
  get on() { return !!this.#context }
  get context() { return this.#context }
  get newStarts() { return this.#rule.newStarts }
  get speed() { return this.#rule.speed }
  get isOtherSpeed() { return !!this.#line?.rate && this.#line.rate !== 1000 }
  /** Whether the browser has stopped exact sound, and a plain element plays. */
  get isPlain() { return this.#plain.isHeard }
  level = 50; isMuted = false;
  /** Quiet for a while, for a measurement or for clicks. */
  isQuiet = false;
  isMeasuring = false;
  offsetMs = 0; quality = 'auto';

  /** Browsers allow sound only after a tap. */
  async start() {
    this.#plain.start();
    this.#context = new AudioContext({ latencyHint: 'playback' });
    this.#items = new HeldItems(this.#context, this.#say);
    this.#gain = this.#context.createGain();
    this.#gain.connect(this.#context.destination);
    this.#context.onstatechange = () => { if (this.on && this.#output) this.#tick() };
    await this.#context.resume();
    this.#output = new OutputClock(this.#context);
    this.loudness();
    this.#timer = setInterval(() => this.#tick(), tickMs);
    await this.#ask();
    this.onStep();
  }
  async stop() {
    clearInterval(this.#timer);
    this.#hush();
    this.#plain.stop();
    const context = this.#context;
    this.#context = this.#line = null;
    this.#items.clear();
    this.#hub.ask('listen.here', { on: false });
    this.onStep();
    await context?.close();
  }
  /** As loud as the hub's own levels are: the cube of the level. */
  get #volume() { return this.isMuted || this.isQuiet ? 0 : (this.level / 100) ** 3 }
  loudness() { if (this.#gain) this.#gain.gain.value = this.#volume }
  restart() { this.#hush() }
  /** In another quality all bytes are others. */
  fetchAgain() { this.#items?.clear(); this.#hush() }
  /** Why what plays in the room cannot be played here, as the hub says it. */
  get refusal() { return this.#items?.get(this.#line?.entry)?.msg }
  /** Whether the controls of this device say that it plays. */
  awake(isAwake) { this.#plain.awake(isAwake) }
  /** The item that is heard, and where of it a second of the context lies without any offset; null between items. */
  playing() {
    if (!this.#output?.isReady) return null;
    const line = this.#line, sound = this.#heard, us = micros();
    if (!sound || sound.entry !== line?.entry || line.rate !== 1000) return null;
    const now = this.#output.heardAt(us), at = position(line, this.#time.at(us)) / 1e6;
    return { held: sound.held, sound, place: second => at + second - now };
  }

  // ---- The clocks of the hub, of this page, and of the sound.
  #sample() {
    this.#time.sample();
    this.#output.sample();
    for (const sound of [this.#heard, this.#coming]) sound?.sample();
  }

  // ---- What the hub says.
  async #ask() {
    this.#asked = performance.now();
    const { now, queue } = this.#hub.said, wanted = [now?.entry, queue?.next].filter(Boolean), items = this.#items;
    const media = wanted.some(entry => !items.has(entry)) || performance.now() - this.#mediaAt > renewMs;
    const bufferMs = items.heldMs(this.#line?.entry, this.#heard?.position(this.#context.currentTime), queue?.next);
    const driftUs = this.drift === null ? null : Math.max(-1e7, Math.min(1e7, Math.round(this.drift)));
    const answer = await this.#hub.ask('listen.here', { media, quality: this.quality, delayMs: this.offsetMs,
      starts: this.#rule.newStarts, ...driftUs === null ? {} : { driftUs }, ...bufferMs ? { bufferMs } : {} });
    if (!answer || !this.on) return;
    if (answer.items) {
      this.#mediaAt = performance.now();
      for (const item of answer.items)
        items.fetch(item, item.entry === now?.entry ? now.durMs : 0).then(() => this.#holds(item.entry));
      items.keep(new Set([...answer.items.map(item => item.entry), this.#heard?.entry]));
    }
    this.#line = answer.line ?? null;
    if (!this.#line?.rate) this.#hush();
  }
  /** A long item that was begun from the hub is taken over by its bytes, when they are here. */
  #holds(entry) {
    const held = this.#heard?.held;
    if (held?.entry === entry && held.isLong && held.address && this.#line) this.#begin(this.#line);
  }

  // ---- The sound.
  #hush() {
    for (const sound of [this.#heard, this.#next, this.#coming]) sound?.stop();
    this.#heard = this.#next = this.#coming = this.drift = null;
    this.#plain.hush();
  }
  #begin(line) {
    const held = this.#items.ready(line.entry), hub = this.#time.now;
    const length = held?.seconds ? Math.round(held.seconds * 1e6) : null;
    const plan = held && hub && start(line, hub, leadUs, this.offsetMs * 1000, length);
    if (!plan) return;
    if (!held.buffer) return this.#prepare(held, line);
    this.#hush();
    this.#rule.speed = 1000;
    const due = this.#output.heardAt(micros() + plan.dueUs - hub);
    this.#heard = new BufferSound(this.#context, this.#gain, held, due, plan.positionMs / 1000);
    this.#movedAt = performance.now() + leadUs / 1000;
  }
  /** What is heard goes on until the other sound is ready. */
  async #prepare(held, line) {
    if (this.#coming?.entry === held.entry) return;
    this.#coming?.stop();
    const sound = this.#coming = new ElementSound(this.#context, this.#gain, held);
    const wanted = second => {
      const us = micros();
      const at = position(this.#line ?? line, this.#time.at(us)) + this.offsetMs * 1000;
      return at / 1e6 + second - this.#output.heardAt(us);
    };
    const isReady = await sound.begin(wanted).then(() => sound.isReady, () => false), isWanted = this.#coming === sound;
    if (isWanted) this.#coming = null;
    if (!isWanted || !isReady || this.#line?.entry !== held.entry) return sound.stop();
    this.#hush();
    this.#rule.speed = 1000;
    this.#heard = sound;
    this.#movedAt = performance.now();
  }
  /** The entry after this one begins when it ends, unless the room stays with this one or stops behind it. */
  #follow() {
    const isLast = ['on', 'once'].includes(this.#hub.view().single), { entry, end } = this.#heard,
      next = isLast ? undefined : this.#hub.said.queue?.next, held = this.#items.ready(next);
    if (this.#next?.entry !== next) this.#next = this.#next?.stop() ?? null;
    if (!this.#next && next && next !== entry && held?.buffer && end - this.#context.currentTime < 5)
      this.#next = new BufferSound(this.#context, this.#gain, held, end, 0);
    if (this.#next && this.#output.heardAt(micros()) >= end) [this.#heard, this.#next] = [this.#next, null];
  }
  #bend(permille) {
    this.#heard.bend(permille);
    this.#next = this.#next?.stop() ?? null;
    this.#movedAt = performance.now();
  }
  /** Whether the browser has stopped the context; the room is heard by a plain element then. */
  #isStopped(line) {
    if (!this.#output.isStill(stillMs)) {
      if (this.isPlain) { this.#output.begin(); this.#hush() }
      return !this.#output.isReady;
    }
    this.#approach(line);
    this.#context.resume().catch(() => { });
    return true;
  }
  /** Near the room, where exact sound is not to be had. */
  #approach(line) {
    if (this.#heard) { this.#hush(); this.onStep() }
    const held = this.#items.get(line.entry);
    if (held?.url) this.#plain.follow(held, position(line, this.#time.now) / 1e6, line.rate, this.#volume);
  }
  #tick() {
    this.#sample();
    const line = this.#line, { tl } = this.#hub.said;
    const isSame = line?.entry === tl?.entry && !!line?.rate === !!tl?.rate;
    if (performance.now() - this.#asked > (isSame ? 1000 : 200)) this.#ask();
    // A press is told by the section `tl` before the next answer.
    if (!tl?.rate || !line?.rate) return this.#hush();
    if (this.isOtherSpeed) return this.#approach(line);
    if (this.#isStopped(line)) return;
    if (this.#heard) this.#follow();
    if (this.#heard?.entry !== line.entry) { if (!this.#heard || tl.entry === line.entry) this.#begin(line); return }
    if (this.#heard.isStuck && !this.#coming) { this.#begin(line); return }
    if (this.#coming || performance.now() - this.#movedAt < settleMs) return;
    const own = this.#heard.position(this.#output.heardAt(micros())) * 1e6;
    this.drift = own - position(line, this.#time.now + this.offsetMs * 1000);
    const step = this.#rule.step(this.drift, true, Math.round(micros()));
    if (step === 'start') this.#begin(line); else if (step) this.#bend(step);
    this.onStep(step);
  }
}
