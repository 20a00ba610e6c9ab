// The lyrics of what plays: asked from the hub once for each track, with the line that is sung now. The correction of
// their timing is remembered on this device for each track. One timer waits for the next line; none runs on a hidden
// page.

import { seek } from '../../../../../examples/browser/client/baton-verbs.js';
import { clamp, recall, remember } from '../parts/parts.js';

const mostKept = 300, mostShift = 60000;
const shifts = () => {
  const kept = recall('lyricshifts');
  return Array.isArray(kept) ? kept.filter(pair => Array.isArray(pair) && Number.isFinite(pair[1])) : [];
};

export class Words {
  #hub; #changed; #isSeen; #uri = null; #timer = 0; #connection = 0;
  /** `nothing`, `asking`, `there`, `none` or `failed`; with `failed`, `reason` is the hub's sentence. */
  state = 'nothing'; reason = ''; lines = []; isTimed = false; more = 0; current = -1; shiftMs = 0;
  /** `isSeen` tells whether the lyrics are shown; `changed` is called with what has changed: `words` or `line`. */
  constructor(hub, isSeen, changed) {
    [this.#hub, this.#isSeen, this.#changed] = [hub, isSeen, changed];
    document.addEventListener('visibilitychange', () => this.#roll());
  }
  draw({ uri = null, entry }) {
    const wanted = entry ? uri : null, connection = this.#hub.stats.connections;
    if (wanted !== this.#uri) this.#begin(wanted);
    // What could not be asked is asked again after the next connection.
    if (this.#hub.live && this.#isSeen() && (this.state === 'nothing' && wanted || this.state === 'failed'
      && this.#connection !== connection)) {
      this.#connection = connection;
      this.ask();
    }
    this.#roll();
  }
  #begin(uri) {
    this.#uri = uri;
    Object.assign(this, { state: 'nothing', lines: [], isTimed: false, more: 0, current: -1,
      shiftMs: clamp(shifts().find(([of]) => of === uri)?.[1] ?? 0, -mostShift, mostShift) });
    this.#changed('words');
  }
  async ask() {
    const uri = this.#uri;
    this.state = 'asking';
    this.#changed('words');
    const res = await this.#hub.press('lib.item', { uri, lyrics: true }, { silent: true });
    if (uri !== this.#uri) return;
    const { lines = [], timed, more = 0 } = res.ok ? res.d?.lyrics ?? {} : {};
    this.lines = lines.map(line => typeof line[0] === 'number' ? { atMs: line[0], text: line[1] }
      : { atMs: null, text: line[0] });
    const isUnknown = ['not_found', 'forbidden', 'gone'].includes(res.err?.code);
    Object.assign(this, { isTimed: !!timed, more, reason: res.err?.msg ?? '',
      state: lines.length ? 'there' : res.ok || isUnknown ? 'none' : 'failed' });
    this.#changed('words');
    this.#roll();
  }

  /** Shows all lines later by so much. */
  shift(ms) {
    this.shiftMs = clamp(this.shiftMs + ms, -mostShift, mostShift);
    const others = shifts().filter(([uri]) => uri !== this.#uri);
    remember('lyricshifts', [...this.shiftMs ? [[this.#uri, this.shiftMs]] : [], ...others].slice(0, mostKept));
    this.#roll();
  }
  seek(index) {
    if (this.lines[index]?.atMs !== null) return seek(this.#hub, Math.max(0, this.lines[index].atMs + this.shiftMs));
  }

  #roll() {
    clearTimeout(this.#timer);
    if (document.hidden || !this.isTimed || !this.#isSeen()) return;
    const view = this.#hub.view(), at = this.#hub.position(view);
    // The hub's positions are whole milliseconds, and a line that was tapped is the current one.
    const now = (at ?? -1) - this.shiftMs + 1,
      current = this.lines.findLastIndex(({ atMs }) => atMs !== null && atMs <= now);
    if (current !== this.current) {
      this.current = current;
      this.#changed('line');
    }
    const next = this.lines.find(({ atMs }) => atMs !== null && atMs > now);
    if (next && view.line?.rate > 0 && !this.#hub.stale)
      this.#timer = setTimeout(() => this.#roll(), clamp((next.atMs - now) * 1000 / view.line.rate, 20, 60000));
  }
}
