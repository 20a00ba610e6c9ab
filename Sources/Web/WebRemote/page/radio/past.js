// What the hub has kept of the station that plays: how far behind the station the room is, how far back it can go,
// which titles there were, and where sound is missing. The hub says how far behind; the titles are asked for when they
// change.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { isStation } from '../items/items.js';

const mostTitles = 100;
/** Nearer to what comes now is live. */
export const liveMs = 3000;
/** The moment of a title and that of the sound are measured by two clocks, and sound begins at a frame. */
const slackMs = 1000;

const shared = new WeakMap();

export class Past {
  #hub; #changed = []; #asked = ''; #isAsking = false;
  /** Newest last, with times of the hub's clock, which was at `lead` when they were read at `readAt`. */
  #titles = []; #gaps = []; #readAt = 0; #lead = 0;
  /** How many older titles were left out. */
  more = 0;
  /** The only one of a hub, so that its titles are asked for once. `changed` is called when they have come. */
  static of(hub, changed) {
    if (!shared.has(hub)) shared.set(hub, new Past(hub));
    const past = shared.get(hub);
    past.#changed.push(changed);
    return past;
  }
  constructor(hub) { this.#hub = hub }

  get #line() { return this.#hub.said.tl ?? {} }
  /** Also one of a server's, which has no `radio:` address. */
  get station() { const item = this.#hub.said.now; return item?.kind === 'station' ? item : null }
  /** Names a station of the hub; without it a question is about the one in the room. */
  get #named() { const { station } = this; return isStation(station) ? { uri: station.uri } : {} }
  /** Whether there is anything to go back in. */
  get isThere() { return !!this.station && (this.#line.pastMs !== undefined || this.#line.behindMs !== undefined) }
  /** Since the hub said so, in ms. */
  get #passed() { return Math.max(0, (this.#hub.clock.hubMs ?? 0) - (this.#line.atUs ?? 0) / 1000) }
  /** How long ago the sound was received that is heard now. */
  get behindMs() {
    const { behindMs, rate } = this.#line;
    return behindMs === undefined ? 0 : behindMs + this.#passed * (1000 - rate) / 1000;
  }
  /** How long ago the oldest sound was received that is kept. */
  get pastMs() { return Math.max(1000, (this.#line.pastMs ?? 0) + this.#passed, this.behindMs) }

  /** Titles with `ago` and `until`: when they began and ended, in ms before now. The one on air ends now. */
  get titles() {
    return this.#titles.map(title => ({ ...title, ago: this.#ago(title.at), until: this.#ago(title.end) }));
  }
  get gaps() { return this.#gaps.map(gap => ({ ago: this.#ago(gap.at), until: this.#ago(gap.end) })) }
  #ago(at) { return at === undefined ? 0 : Math.max(0, this.#lead + performance.now() - this.#readAt - at) }
  /** The place in `titles` of the one that was on air so many ms ago. */
  indexAt(ms) { return this.#titles.findLastIndex(({ at }) => this.#ago(at) >= ms - slackMs) }
  titleAt(ms) { return this.titles[this.indexAt(ms)] }

  /** Called with each state: another title, another station, another room. */
  draw() {
    const { station } = this, { room, live } = this.#hub;
    // A hub that was restarted numbers its titles anew.
    const { connections } = this.#hub.stats;
    const asked = JSON.stringify([room, station?.uri, station?.streamTitle, live, connections]);
    if (!this.isThere || !this.#hub.live || asked === this.#asked) return;
    this.#asked = asked;
    this.read();
  }
  async read() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { station } = this, asked = this.#asked, p = { ...this.#named, limit: mostTitles };
    const d = station ? await this.#hub.ask('radio.titles', p) : null;
    this.#isAsking = false;
    // Another station or another title came meanwhile, or the hub anew.
    if (asked !== this.#asked || station?.uri !== this.station?.uri) return this.read();
    [this.#titles, this.#gaps, this.more] = [d?.titles ?? [], d?.gaps ?? [], d?.more ?? 0];
    [this.#lead, this.#readAt] = [d?.now ?? 0, performance.now()];
    for (const changed of this.#changed) changed();
  }

  // ---- Going there. Each is guarded by the entry that is on the screen.
  #press(m, p) { return this.#hub.press(m, { entry: this.#hub.view().entry, ...p }, { kind: 'past', key: token(4) }) }
  /** To the sound of so many ms ago. */
  goTo(ms) { return ms < liveMs ? this.live() : this.#press('radio.back', { ms: Math.round(ms - this.behindMs) }) }
  by(ms) { return this.#press('radio.back', { ms }) }
  toTitle(n) { return this.#press('radio.back', { n }) }
  live() { return this.#press('radio.live', {}) }
  save(n) { return this.#hub.press('radio.save', { ...this.#named, n }, { key: token(4), ttl: 20000 }) }
}
