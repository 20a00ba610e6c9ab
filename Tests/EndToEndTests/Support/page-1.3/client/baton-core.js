// The connection to a hub: reconnects, mirrors one room, follows the hub's clock, and makes each press count once.
//
// State is what the hub sent last: whole sections under one revision. A press shows its expected effect (`guess`) at once,
// and the answer removes the guess, so a refused press undoes itself. The protocol is specified in Protocol/spec.

import { clamp, micros, now, token } from './baton-basics.js';
import { Clock } from './baton-clock.js';
import { endings, pauses, refusals, unanswered } from './baton-endings.js';
import { fullView } from './baton-views.js';

/** All of a remote but its queue and its rarer verbs, which baton-whole.js adds. */
export class HubCore {
  /** How what the hub sent is read, by profile. */
  static views = { full: fullView };
  clock = new Clock();
  /** The hub's last sections, and when they arrived, in the time of day. */
  said = {}; rev = null; heardAt = 0;
  epoch = null; boot = null; room = null; role = null; who = null;
  /** `[from, to]`: the levels between which this remote may turn the volume, or null where it may not at all. */
  span = [0, 100];
  live = false;
  /** Why this page will not try again by itself, as a sentence, and the hub's close code if it has ended the connection. */
  stopped = ''; stoppedBy = null;
  stats = { in: 0, out: 0, frames: 0, roundTripMs: null, connections: 0, since: Date.now(), events: [] };
  #hears = {};
  #dial; #words; #socket = null; #tries = 0; #lostAt = 0; #notBefore = 0; #silenceMs = 65000; #behind = false;
  #timers = {}; #exchanges = 0; #askedTime = 0;
  #open = []; #asked = new Map(); #lastId = 0;
  #lag = 0; #lagAt = 0; #soundUntil = 0;

  /**
   * `profile` is watch, remote or full. `store` keeps what outlives a reload, like localStorage, or is null.
   * `room` is followed first, else the one that the store remembers, else the hub's first. `ticket` is from the hub's one-time link.
   * `open` makes the WebSocket where it is not the browser's. `words` may say a sentence in another language: it gets the English one,
   * and a code, which is that of the hub's error, or `closed.` and the close code, `refused.` and the role, `unanswered` or `unreached`.
   */
  constructor({
    url, profile = 'full', name = 'A page', app = 'baton.js/1', store = null, room = null, ticket = null,
    open = (url, protocol) => new WebSocket(url, protocol),
    words = (code, sentence) => sentence,
  } = {}) {
    Object.assign(this, { url, profile, name, app, ticket });
    this.#dial = open;
    this.#words = words;
    this.#store = store;
    this.room = room ?? this.#recall('baton.room');
    this.client = this.#recall('baton.client');
    if (typeof this.client !== 'string') this.#keep('baton.client', this.client = token(8));
    this.run = token(3);
    this.restore();
  }

  /** `change`: something to draw. `say`: a sentence for a person. `queue`: the open queue is another. `live`. */
  on(name, hear) { (this.#hears[name] ??= []).push(hear); return this }
  #tell(name, value) { for (const hear of this.#hears[name] ?? []) hear(value) }
  #note(text) { this.stats.events = [...this.stats.events.slice(-39), { at: Date.now(), text }] }

  // ---- What is kept over a reload. Without storage the page still works.
  #store;
  #recall(name) { try { return JSON.parse(this.#store?.getItem(name) ?? null) } catch { return null } }
  #keep(name, value) { try { this.#store?.setItem(name, JSON.stringify(value)) } catch { } }
  save() {
    if (this.rev === null || !this.live) return;
    const { said, rev, epoch, boot, room } = this;
    this.#keep(`baton.state.${this.profile}`, { said, rev, epoch, boot, room, wall: Date.now(), hub: this.clock.hubMs });
  }
  /** Begins with what was kept for this profile and room. */
  restore() {
    const old = this.#recall(`baton.state.${this.profile}`);
    if (!old?.said || !Number.isInteger(old.rev) || (this.room && old.room !== this.room)) return;
    const { said, rev, epoch, boot, room } = old;
    Object.assign(this, { said, rev, epoch, boot, room, heardAt: old.wall });
    // The time of day tells roughly how far the hub's clock has advanced since.
    if (old.hub) this.clock.suppose(old.hub + clamp(Date.now() - old.wall, 0, 864e5));
  }

  // ---- The connection.
  start() { Object.assign(this, { stopped: '', stoppedBy: null }); this.#connect() }
  /** Closes the connection and does not reconnect. */
  leave(sentence) {
    this.stopped = sentence;
    this.#send({ t: 'bye' });
    this.#lose(this.#socket, 1000);
  }
  /** Another connection in the place of this one. */
  anew() {
    if (!this.#socket) return;
    this.#lose(this.#socket, 0);
    this.#tries = 0;
    this.#connect();
  }
  /** Reconnects at once, because the network may be back. */
  hurry() { if (!this.#socket && now() >= this.#notBefore) this.#connect() }
  /** The page is visible again: the connection may have died unnoticed, so the hub has two seconds to send something. */
  wake() {
    this.hurry();
    if (this.live) { this.#exchange(); this.#listenFor(2000) }
    this.#tell('change');
  }
  get lostForMs() { return this.live || !this.#lostAt ? 0 : now() - this.#lostAt }
  /** What is shown may be outdated: the hub has not confirmed it for five seconds. */
  get stale() { return !this.live && Math.abs(Date.now() - this.heardAt) > 5000 }

  #connect() {
    clearTimeout(this.#timers.retry);
    if (this.#socket || this.stopped) return;
    const socket = this.#socket = this.#dial(this.url, 'baton.v1');
    this.#listenFor(8000);
    socket.onopen = () => this.#hello();
    socket.onmessage = event => {
      if (socket !== this.#socket) return;
      const at = micros(), message = JSON.parse(event.data);
      this.stats.in += event.data.length;
      this.stats.frames++;
      this.#listenFor(this.#silenceMs);
      if (this.#heard[message.t]) this.#heard[message.t](message, at); else this.#tell(message.t, message);
    };
    socket.onclose = event => { if (socket === this.#socket) this.#lose(socket, event.code, event.retryAfterMs) };
  }
  #hello() {
    const { profile, client: id, run, name, app, epoch, rev, room } = this;
    const hello = { t: 'hello', v: [1], profile, client: { id, run, name, app }, caps: [] };
    if (this.ticket) hello.ticket = this.ticket;
    if (room) hello.rooms = [room];
    if (rev !== null && room) {
      hello.resume = { epoch, rev, rooms: [room], sections: Object.keys(this.said).filter(s => this.said[s] !== null) };
    }
    this.stats.connections++;
    this.#send({ ...hello, t1: micros() });
  }
  #send(message) {
    if (this.#socket?.readyState !== 1) return;
    const text = JSON.stringify(message);
    this.stats.out += text.length;
    this.#socket.send(text);
  }
  #heard = {
    welcome: (m, at) => {
      if (m.boot !== this.boot) {
        this.clock.forget();
        this.boot = m.boot;
        if (this.said.l) this.said.l = null;
        if (this.said.tl) this.said.tl = null;
      }
      if (m.epoch !== this.epoch) { this.rev = null; this.epoch = m.epoch }
      this.role = m.role;
      // Which one of the people in a room this client is.
      this.who = m.who ?? null;
      this.span = m.role === 'listener' ? null : m.role === 'guest' ? m.span ?? null : [0, 100];
      this.#silenceMs = 2 * (m.pace?.[1] ?? 30000) + 5000;
      this.#sample(m.t1, m.t2, m.t3, at);
      this.#exchanges = 4;
      this.#exchange();
    },
    state: m => this.#take(m),
    res: m => this.#answered(m),
    time: (m, at) => {
      if (m.t1 !== this.#askedTime) return;
      this.stats.roundTripMs = (at - m.t1 - m.t3 + m.t2) / 1000;
      this.#sample(m.t1, m.t2, m.t3, at);
      if (this.#exchanges > 0) this.#exchange();
    },
    challenge: () => { this.#end(4401); this.#socket.close(); this.#tell('change') },
    err: m => {
      // The remembered room was deleted; the hub then sends its first room.
      if (m.err?.code === 'not_found' && !this.live) { this.room = null; this.rev = null }
      if (m.err?.msg) { this.#note(m.err.msg); this.#tell('say', this.#words(m.err.code, m.err.msg)) }
    },
  };
  #exchange() {
    clearTimeout(this.#timers.time);
    this.#exchanges--;
    this.#send({ t: 'time', t1: this.#askedTime = micros() });
    this.#timers.time = setTimeout(() => this.#exchange(), this.profile === 'watch' ? 60000 : 10000);
  }
  #sample(...stamps) { this.#glide(() => this.clock.add(...stamps)) }
  #listenFor(ms) {
    clearTimeout(this.#timers.silence);
    this.#timers.silence = setTimeout(() => this.#lose(this.#socket), ms);
  }
  // The first state makes the page live; unanswered presses are sent again under their old keys.
  #enter() {
    this.live = true;
    this.#lostAt = 0;
    this.#timers.steady = setTimeout(() => this.#tries = 0, 10000);
    this.#note('Connected.');
    for (const press of this.#open) this.#transmit(press);
    this.#tell('live');
  }
  #end(code) { Object.assign(this, { stopped: this.#words(`closed.${code}`, endings[code]), stoppedBy: code }) }
  #lose(socket, code, waitMs = 0) {
    if (this.live) { this.heardAt = Date.now(); this.save(); this.#note(`The connection ended${code ? ` (${code})` : ''}.`) }
    this.#lostAt ||= now();
    this.#socket = null;
    this.live = this.#behind = false;
    this.#asked.clear();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    socket?.close();
    if (!this.stopped && endings[code]) this.#end(code);
    const pause = Math.max(pauses[code] ?? 0, waitMs);
    this.#notBefore = now() + pause;
    const cap = Math.min(250 * 2 ** this.#tries++, globalThis.document?.hidden ? 30000 : 8000);
    if (!this.stopped) this.#timers.retry = setTimeout(() => this.#connect(), pause + Math.random() * cap);
    for (const ms of [0, 1600, 5100]) setTimeout(() => this.#tell('change'), ms);
  }

  // ---- State.
  #take(m) {
    const anew = m.full || (m.room && this.room && m.room !== this.room);
    if (!anew && (this.#behind || m.from !== this.rev)) {
      if (!this.#behind) this.#send({ t: 'sync' });
      this.#behind = true;
      return;
    }
    this.#behind = false;
    const before = this.#plain(), next = anew ? m.s : { ...this.said, ...m.s };
    const went = this.view().st === 'playing';
    this.rev = m.rev;
    if (m.room && m.room !== this.room) this.#tell('room');
    this.room = m.room ?? this.room;
    if (m.room) this.#keep('baton.room', m.room);
    const other = this.#plain(next).entry !== before.entry;
    this.#glide(() => {
      this.said = next;
      // Another entry: what was guessed about the old one is void.
      if (other) for (const press of this.#open) press.guess = null;
    }, other);
    // The watch profile shows buffering as a position that stands still. After a skip by another remote, loading takes a moment.
    const line = this.said.l;
    if (line?.[2] === 0 && other && went) this.#expectSound(700);
    if (line?.[2] > 0 || this.said.x) this.#soundUntil = 0;
    if (!this.live) this.#enter();
    this.save();
    this.#tell('change');
  }
  #expectSound(ms) {
    this.#soundUntil = Math.max(this.#soundUntil, now() + ms);
    setTimeout(() => this.#tell('change'), ms + 20);
  }
  /** The state of the room in one form for all profiles, without guesses. */
  #plain(s = this.said) {
    const views = this.constructor.views;
    return (views[this.profile] ?? views.full)(s, this.room, now() < this.#soundUntil);
  }
  /** The same with the guesses of unanswered presses. */
  view() {
    const view = this.#plain();
    for (const press of this.#open) if (press.guess) Object.assign(view, press.guess);
    return view;
  }
  /** Position in the current item, in ms, or null. Small corrections are smoothed, large ones are jumps. */
  position(view = this.view()) {
    if (!view.line || !view.entry) return null;
    const passed = Math.max(0, (this.clock.hubMs ?? view.line.atMs) - view.line.atMs);
    return clamp(view.line.posMs + passed * view.line.rate / 1000 + this.lagMs, 0, view.durationMs || Infinity);
  }
  /** The rest of a correction that is being smoothed: it shrinks by half a ms each ms. */
  get lagMs() { return Math.sign(this.#lag) * Math.max(0, Math.abs(this.#lag) - (now() - this.#lagAt) / 2) }
  #glide(change, jump) {
    const before = this.position();
    change();
    this.#lag = 0;
    const view = this.view(), gap = before - this.position(view);
    if (!jump && before !== null && Math.abs(gap) <= (view.line?.rate ? 2000 : 250)) [this.#lag, this.#lagAt] = [gap, now()];
  }

  // ---- Presses: shown at once, sent once, and undone with a message when refused.
  /**
   * Sends a command and resolves to its `res`, or to a similar one when no answer came in time. `key` makes it count
   * once, `guess` is its expected effect on the view until then, `kind` names presses of which one at a time is enough.
   * `room` is another one than the page follows. `whole` says that a command with `base` means the same whatever the queue or list holds by now, such as emptying it:
   * after `queue_conflict` it is sent again for the revision that the hub names.
   */
  press(m, p = {}, { key = null, guess = null, kind = null, ttl = 5000, silent = false, whole = false, room = this.room } = {}) {
    return new Promise(resolve => {
      const press = { m, p, k: key, guess, kind, ttl, silent, repeats: whole ? 3 : 0, at: now(), resolve, room };
      this.#glide(() => this.#open.push(press));
      this.#transmit(press);
      for (const ms of [320, 3020, ttl + 20]) setTimeout(() => this.#review(press), ms);
      this.#tell('change');
    });
  }
  /** A query: resolves to the answer's data, or null. */
  ask(m, p) { return this.press(m, p, { silent: true }).then(res => res.ok ? res.d ?? null : null) }
  #transmit(press) {
    if (!this.live) return this.hurry();
    if (press.kind === 'skip' && !press.wasSent && this.#meantBefore(press)) return this.#settle(press, { ok: 1, st: 'noop', why: 'moved' });
    press.wasSent = true;
    const id = ++this.#lastId;
    this.#asked.set(id, { press, sent: micros() });
    const { m, p, k, room } = press, frame = m === 'sub' ? { t: 'sub', id, ...p } : { t: 'cmd', id, m };
    if (k) frame.k = k;
    if (m !== 'sub') {
      if (room && room !== this.room) frame.room = room;
      // The hub decides by its own clock whether a command has expired.
      if (this.clock.hubMs && k) Object.assign(frame, { ct: Math.round(this.clock.hubMs - (now() - press.at)), ttl: press.ttl });
      if (Object.keys(p).length) frame.p = p;
    }
    this.#send(frame);
  }
  /** Made before the current entry became current, and not sent until now: it meant another entry. */
  #meantBefore(press) {
    const age = now() - press.at, since = this.said.now?.sinceUs;
    return age > 500 && this.clock.hubMs !== null && since !== undefined && (this.clock.hubMs - age) * 1000 < since;
  }
  #review(press) {
    if (!this.#open.includes(press)) return;
    const age = now() - press.at;
    if (age > press.ttl) {
      this.#settle(press, { ok: 0, err: { code: 'timeout', retry: 1, msg: this.#words('unanswered', unanswered) } });
      if (this.live) { this.#lose(this.#socket); this.#note('An answer did not come; connecting anew.') }
    } else if (age > 3000 && press.kind === 'skip') this.#tell('say', this.#words('unreached', 'The hub was not reached yet. Tap to try again.'));
    this.#tell('change');
  }
  #settle(press, res) {
    this.#glide(() => this.#open = this.#open.filter(other => other !== press));
    if (!res.ok && !press.silent) {
      this.#note(`${press.m}: ${res.err?.msg ?? 'refused'}`);
      this.#tell('say', res.err?.msg ?? 'The hub refused.');
    } else if (!press.silent) this.#note(`${press.m}: ${res.st}${res.why ? ` (${res.why})` : ''}`);
    press.resolve(res);
  }
  #answered(m) {
    const { press, sent } = this.#asked.get(m.id) ?? {};
    this.#asked.delete(m.id);
    const unit = this.profile === 'watch' ? 1000 : 1;
    // A repeated answer carries the time stamps of the first one.
    if (sent && m.rx && m.why !== 'dup') {
      this.stats.roundTripMs = (micros() - sent) / 1000;
      this.#sample(sent, m.rx * unit, m.tx * unit, micros(), unit === 1 ? 0 : 1000);
    }
    const went = this.view().st === 'playing';
    if (m.s) this.#take(m);
    if (!press || !this.#open.includes(press)) return;
    if (m.err?.code === 'queue_conflict' && Number.isInteger(m.err.rev) && press.repeats-- > 0) {
      // A command with another base is another command and needs a new key.
      Object.assign(press, { p: { ...press.p, base: m.err.rev }, k: token(6) });
      return this.#transmit(press);
    }
    const isRole = m.err?.code === 'forbidden' && !m.err.at && !(this.role === 'guest' && press.m.startsWith('vol.'));
    if (isRole && refusals[this.role]) m.err.msg = this.#words(`refused.${this.role}`, refusals[this.role]);
    else if (m.err) m.err.msg = this.#words(m.err.code, m.err.msg);
    this.#settle(press, m);
    // In the watch profile a position that stands still right after such a press means that playing is about to begin.
    if (m.ok && this.said.l?.[2] === 0 && (press.p.want === 'playing' || press.kind === 'skip' && went && m.st === 'applied')) {
      this.#expectSound(3000);
    } else if (press.p.want) this.#soundUntil = 0;
    this.#tell('change');
  }
  /** Unanswered presses, oldest first; `at` is when they were made. */
  get waiting() { return this.#open.filter(press => !press.silent) }

  // ---- The usual commands.
  get isPlaying() { return ['playing', 'buffering'].includes(this.view().st) }
  toggle() {
    const view = this.view(), want = this.isPlaying ? 'paused' : 'playing';
    const line = { posMs: this.position(view) ?? 0, atMs: this.clock.hubMs ?? 0, rate: want === 'playing' ? view.speed ?? 1000 : 0 };
    for (const press of this.#open) if (press.kind === 'play') press.guess = null;
    return this.press('toggle', { want }, { kind: 'play', guess: view.entry ? { line, st: want } : null });
  }
  /**
   * `next` or `prev`, guarded by what was on the screen. On a slow network a second tap repeats the first one, until the screen
   * shows its effect long enough for a person to react to it.
   */
  skip(m) {
    const view = this.view(), earlier = this.#open.findLast(press => press.kind === 'skip');
    if (!view.entry) return Promise.resolve(null);
    if (earlier) {
      const age = now() - earlier.at;
      if (age > 3000) { this.#transmit(earlier); return Promise.resolve(null) }
      if (age < 700 || !earlier.guess?.predicted || earlier.m !== m) return Promise.resolve(null);
    }
    const line = { posMs: 0, atMs: this.clock.hubMs ?? 0, rate: 0 };
    const guess = m === 'next' && view.next
      ? { entry: view.next, title: view.nextText, artist: '', durationMs: null, next: null, nextText: null, line, predicted: true }
      : null;
    return this.press(m, { from: view.entry }, { kind: 'skip', key: token(4), guess });
  }
}
