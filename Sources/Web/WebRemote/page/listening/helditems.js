// The bytes of the current and the next item, fetched ahead, so that an outage of the network is not heard. Items of
// usual length are decoded; what takes longer is played from its bytes.

/** A decoded minute takes 20 MB. */
const longestS = 15 * 60;
/** Of larger files only so much is held as the browser itself reads ahead. */
const largest = 400e6, waitMs = 10_000, mostMs = 86_400_000;

export class HeldItems {
  #items = new Map(); #context; #say;
  constructor(context, say) { [this.#context, this.#say] = [context, say] }
  get(entry) { return this.#items.get(entry) }
  has(entry) { return this.#items.has(entry) }
  /** What can be played now. */
  ready(entry) {
    const held = this.#items.get(entry);
    return held?.buffer || held?.isLong ? held : null;
  }
  /** What is held of an entry from a position on and of the next one, in ms. */
  heldMs(entry, positionS = 0, next = null) {
    const secondsOf = entry => {
      const held = this.#items.get(entry);
      return held?.buffer || held?.address ? held.seconds : 0;
    };
    const after = next === entry ? 0 : secondsOf(next);
    return Math.min(Math.round((Math.max(0, secondsOf(entry) - positionS) + after) * 1000), mostMs);
  }
  /** Lets go all entries but these. */
  keep(entries) {
    for (const [entry, held] of this.#items) if (!entries.has(entry)) {
      if (held.address) URL.revokeObjectURL(held.address);
      this.#items.delete(entry);
    }
  }
  clear() { this.keep(new Set()) }
  /** `durMs` is how long the hub says that the entry is. Resolves when its bytes are here. */
  async fetch(item, durMs) {
    const known = this.#items.get(item.entry);
    if (known) { if (item.url) known.url = item.url; return }
    const held = { entry: item.entry, url: item.url, msg: item.msg, startMs: item.startMs ?? 0, seconds: 0,
      buffer: null, address: null, isLong: false };
    this.#items.set(item.entry, held);
    if (!item.url) return this.#say(item.msg);
    // A long one is begun at once, from where it is.
    if (durMs > longestS * 1000) Object.assign(held, { isLong: true, seconds: durMs / 1000 });
    try {
      await this.#take(held, item, durMs);
    } catch {
      // It is asked for again; one that can be played from the hub goes on.
      if (!held.isLong) this.#items.delete(item.entry);
    }
  }
  async #take(held, item, durMs) {
    const leaving = new AbortController(), answer = await fetch(item.url, { signal: leaving.signal });
    if (!answer.ok) throw new Error(answer.statusText);
    if (Number(answer.headers.get('content-length')) > largest) {
      leaving.abort();
      return Object.assign(held, { isLong: true });
    }
    const blob = await answer.blob(), address = URL.createObjectURL(blob), isPart = item.startMs || item.endMs;
    const whole = durMs && !isPart ? durMs / 1000 : await lengthOf(address);
    // Let go meanwhile.
    if (this.#items.get(item.entry) !== held) return URL.revokeObjectURL(address);
    held.address = address;
    held.isLong = (whole || held.seconds) > longestS;
    if (item.endMs || whole) held.seconds = (item.endMs ? item.endMs / 1000 : whole) - held.startMs / 1000;
    if (held.isLong) return;
    held.buffer = await this.#context.decodeAudioData(await blob.arrayBuffer());
    held.seconds = Math.min(item.endMs ? item.endMs / 1000 : Infinity, held.buffer.duration) - held.startMs / 1000;
  }
}

/** In seconds, as the file itself says; 0 where it does not. */
const lengthOf = address => new Promise(done => {
  const element = new Audio(), found = () => done(Number.isFinite(element.duration) ? element.duration : 0);
  element.preload = 'metadata';
  element.onloadedmetadata = element.onerror = found;
  element.src = address;
  setTimeout(found, waitMs);
});
