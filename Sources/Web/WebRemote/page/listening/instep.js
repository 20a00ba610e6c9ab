// How a device that plays sound keeps in step: the clock, the start, and the correction.
// A program may copy it: it knows no socket and no player. Times are microseconds, rates and speeds permille.

/** Offset and drift of the hub's clock: a Kalman filter of two numbers. */
export class AudioClock {
  taken = null;
  offset = 0;
  drift = 0;
  #p00 = 0;
  #p01 = 0;
  #p11 = 0;

  /** The best exchange of several: its offset, and half of its round trip. */
  take(offset, halfTrip, at) {
    const error = Math.max(halfTrip, 5);
    if (this.taken === null) {
      [this.offset, this.#p00, this.#p11, this.taken] = [offset, error * error, 50e-6 ** 2, at];
      return;
    }
    if (at <= this.taken) return;
    const passed = at - this.taken;
    this.offset += this.drift * passed;
    this.#p00 += 2 * passed * this.#p01 + passed * passed * this.#p11 + 1e-6 * passed;
    this.#p01 += passed * this.#p11;
    this.#p11 += 1e-19 * passed;
    const difference = offset - this.offset;
    // An exchange is never more wrong than its round trip allows, so what is known has become wrong.
    if (Math.abs(difference) > 3 * Math.sqrt(this.#p00 + error * error)) this.#p00 += difference * difference;
    const total = this.#p00 + error * error;
    const [gain, driftGain] = [this.#p00 / total, this.#p01 / total];
    this.offset += gain * difference;
    this.drift = Math.min(Math.max(this.drift + driftGain * difference, -1e-3), 1e-3);
    this.#p11 -= driftGain * this.#p01;
    this.#p01 -= driftGain * this.#p00;
    this.#p00 -= gain * this.#p00;
    this.taken = at;
  }

  /** The hub's clock at a moment of ours; null before the first exchange. */
  hub(now) {
    if (this.taken === null) return null;
    const isDrifting = Math.abs(this.drift) > 2 * Math.sqrt(this.#p11);
    return now + Math.round(this.offset + (isDrifting ? this.drift * (now - this.taken) : 0));
  }
}

/** Where a line is: posUs, atUs and rate. */
export const position = (line, now) => line.posUs + Math.floor(Math.max(0, now - line.atUs) * line.rate / 1000);

/** Where an item is made ready (ms), and when it is let go; null where it is not begun. */
export function start(line, now, lead, offset = 0, length = null) {
  if (line.rate <= 0) return null;
  const heard = Math.max(now + Math.max(0, lead) + offset, line.atUs);
  const reached = position(line, heard);
  const positionMs = Math.max(0, Math.ceil(reached / 1000));
  if (length !== null && positionMs * 1000 > length - 250_000) return null;
  return { positionMs, dueUs: heard + Math.floor((positionMs * 1000 - reached) * 1000 / line.rate) - offset };
}

/** What is done about a difference: nothing, another speed, or a new start. */
export class StepRule {
  speed = 1000;
  newStarts = 0;
  #begun = null;

  /** drift: how far ahead this device is. Returns null, 'start' or the new speed. */
  step(drift, isSettled, at) {
    if (!isSettled) return null;
    const size = Math.abs(drift);
    if (size > 60_000 && (this.#begun === null || at - this.#begun >= 10_000_000)) {
      this.#begun = at;
      this.speed = 1000;
      this.newStarts += 1;
      return 'start';
    }
    const isDone = this.speed !== 1000 ? size <= 300 || (this.speed < 1000) !== (drift > 0) : size <= 1000;
    const bend = isDone ? 0 : Math.min(Math.max(Math.floor(size / 2000 + 0.5), 1), 5);
    const wanted = drift > 0 ? 1000 - bend : 1000 + bend;
    if (wanted === this.speed) return null;
    this.speed = wanted;
    return wanted;
  }
}
