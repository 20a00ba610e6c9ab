// The connection to a hub: reconnects, mirrors one room, follows the hub's clock, and makes each press count once.
//
// State is what the hub sent last: whole sections under one revision. A press shows its expected effect (`guess`) at once,
// and the answer removes the guess, so a refused press undoes itself. The protocol is specified in Protocol/core.

import { clamp, core, micros, momentNear, now, shortMoment, token } from './baton-basics.js';
import { Clock } from './baton-clock.js';
import { backOff, endings, pauses, refusals, unanswered } from './baton-endings.js';
import { fullView } from './baton-views.js';

/** Commands of which only the newest counts in a room, by what they change. */
const subjects = { 'vol.set': 'level', play: 'playing', pause: 'playing', toggle: 'playing', stop: 'playing' };
const outdone = { ok: 1, st: 'noop', why: 'newer' };

/** All of a remote but its queue and its rarer verbs, which baton-whole.js adds. */
export class HubCore {
  /** How what the hub sent is read, by view. */
  static views = { full: fullView };
  clock = new Clock();
  /** The hub's last sections, and when they arrived, in the time of day. */
  said = {}; rev = null; heardAt = 0;
  epoch = null; boot = null; room = null; role = null; who = null;
  /** The hub's profiles with their versions, such as `library@1`; null until it has said them. */
  features = null;
  /** `[from, to]`: the levels between which this remote may turn the volume, or null where it may not at all. */
  span = [0, 100];
  live = false;
  /** Why this page will not try again by itself, as a sentence, and the hub's close code if it has ended the connection. */
  stopped = ''; stoppedBy = null;
  stats = { in: 0, out: 0, frames: 0, roundTripMs: null, connections: 0, since: Date.now(), events: [] };
  #hears = {};
  #dial; #words; #asks; #socket = null; #tries = 0; #lostAt = 0; #notBefore = 0; #silenceMs = 65000;
  #syncs = 0; #syncMs = 5000; #isBroken = false; #timers = {}; #exchanges = 0; #askedTime = 0;
  #open = []; #further = []; #asked = new Map(); #lastId = 0;
  #lag = 0; #lagAt = 0; #soundUntil = 0;

  /**
   * `view` is watch, remote or full; `features` are the only profiles that are asked about. `store` is like localStorage, or null. `room` is
   * followed first, else the one in the store, else the hub's first. `ticket` is from a one-time link. `open` makes the WebSocket where it is
   * not the browser's. `words` says a sentence in another language, of a code, the English sentence, and the error: the code is the hub's,
   * or `closed.` and the close code, `refused.` and the role, `unanswered` or `unreached`.
   */
  constructor({
    url, view = 'full', features, caps, locale, name = 'A page', app = 'baton.js/1', store = null, room = null, ticket = null,
    open = (url, protocol) => new WebSocket(url, protocol), words = (code, sentence) => sentence,
  } = {}) {
    Object.assign(this, { url, viewName: view, name, app, ticket });
    [this.#asks, this.#dial, this.#words, this.#store] = [{ features, caps, locale }, open, words, store];
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
    const { said, rev, epoch, boot, room, features } = this;
    this.#keep(`baton.state.${this.viewName}`, { core, features, said, rev, epoch, boot, room, wall: Date.now(), hub: this.clock.hubMs });
  }
  /** Begins with what was kept for this view and room. */
  restore() {
    const old = this.#recall(`baton.state.${this.viewName}`);
    // Sections of another version of the protocol may have other members.
    if (!old?.said || old.core !== core || !Number.isInteger(old.rev) || (this.room && old.room !== this.room)) return;
    const { said, rev, epoch, boot, room, features } = old;
    Object.assign(this, { said, rev, epoch, boot, room, features, heardAt: old.wall });
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
    socket.onopen = () => this.#hello();
    this.#listenFor(8000);
    socket.onmessage = event => {
      if (socket !== this.#socket) return;
      const at = micros();
      this.stats.in += event.data.length;
      this.stats.frames++;
      this.#listenFor(this.#silenceMs);
      let message;
      try { message = JSON.parse(event.data) } catch { }
      // What cannot be read is skipped, like what is not known.
      if (!message?.t) return;
      if (this.#heard[message.t]) this.#heard[message.t](message, at); else this.#tell(message.t, message);
    };
    socket.onclose = event => { if (socket === this.#socket) this.#lose(socket, event.code, event.retryAfterMs) };
  }
  #hello() {
    const { viewName: view, client: id, run, name, app, epoch, rev, room } = this;
    const hello = { t: 'hello', core, view, client: { id, run, name, app }, ...this.#asks };
    if (this.ticket) hello.ticket = this.ticket;
    if (room) hello.rooms = [room];
    if (rev !== null && room && !this.#isBroken) {
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
      this.features = m.features ?? [];
      this.viewName = m.view ?? this.viewName;
      // Which one of the people in a room this client is.
      this.who = m.who ?? null;
      this.span = m.role === 'listener' ? null : m.role === 'guest' ? m.span ?? null : [0, 100];
      this.#silenceMs = 2 * (m.pace?.[1] ?? 30000) + 5000;
      this.#syncMs = Math.max(5000, m.pace?.[0] ?? 0);
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
      if (m.err?.msg) { this.#note(m.err.msg); this.#tell('say', this.#words(m.err.code, m.err.msg, m.err)) }
    },
  };
  #exchange() {
    clearTimeout(this.#timers.time);
    this.#exchanges--;
    this.#send({ t: 'time', t1: this.#askedTime = micros() });
    this.#timers.time = setTimeout(() => this.#exchange(), this.viewName === 'watch' ? 60000 : 10000);
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
    [this.live, this.#syncs] = [false, 0];
    this.#asked.clear();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    socket?.close();
    if (!this.stopped && endings[code]) this.#end(code);
    const pause = Math.max(pauses[code] ?? 0, waitMs);
    this.#notBefore = now() + pause;
    const cap = Math.min(backOff[this.#tries++] ?? 30000, globalThis.document?.hidden ? 30000 : 8000);
    if (!this.stopped) this.#timers.retry = setTimeout(() => this.#connect(), pause + Math.random() * cap);
    for (const ms of [0, 1600, 5100]) setTimeout(() => this.#tell('change'), ms);
  }

  // ---- State.
  #take(m) {
    const anew = m.full || (m.room && this.room && m.room !== this.room);
    if (!anew && (this.#syncs || m.from !== this.rev)) {
      if (!this.#syncs) this.#sync();
      return;
    }
    clearTimeout(this.#timers.sync);
    this.#syncs = 0;
    if (anew) this.#isBroken = false;
    const before = this.#plain(), next = anew ? m.s : { ...this.said, ...m.s };
    const went = this.view().st === 'playing';
    this.rev = m.rev;
    if (m.room && m.room !== this.room) this.#tell('room');
    this.room = m.room ?? this.room;
    if (m.room) this.#keep('baton.room', m.room);
    const other = this.#plain(next).entry !== before.entry;
    this.#glide(() => {
      this.said = next;
      // What was guessed about another entry is void.
      if (other) for (const press of this.#open) press.guess = null;
    }, other);
    // The view of a watch shows buffering as a position that stands still. After a skip by another remote, loading takes a moment.
    const line = this.said.l;
    if (line?.[2] === 0 && other && went) this.#expectSound(700);
    if (line?.[2] > 0 || this.said.x) this.#soundUntil = 0;
    if (!this.live) this.#enter();
    this.save();
    this.#tell('change');
  }
  /** Asks for the whole state. When the third answer is lost too, the connection begins anew, without what is held. */
  #sync() {
    this.#isBroken = this.#syncs++ === 3;
    if (this.#isBroken) return this.#lose(this.#socket);
    this.#send({ t: 'sync' });
    this.#timers.sync = setTimeout(() => this.#sync(), this.#syncMs);
  }
  #expectSound(ms) {
    this.#soundUntil = Math.max(this.#soundUntil, now() + ms);
    setTimeout(() => this.#tell('change'), ms + 20);
  }
  /** The state of the room in one form for all views, without guesses. */
  #plain(s = this.said) {
    const views = this.constructor.views;
    return (views[this.viewName] ?? views.full)(s, this.room, now() < this.#soundUntil, this.clock.hubMs);
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
   * `room` is another one than the page follows, `at` the moment of the press where that is earlier, as in `performance.now()`. `whole` says that a command with `base` means the same whatever the queue or list holds by now, such as emptying it:
   * after `queue_conflict` it is sent again for the revision that the hub names.
   */
  press(m, p = {}, { key = null, guess = null, kind = null, ttl = 5000, silent = false, whole = false, room = this.room, at = now() } = {}) {
    return new Promise(resolve => {
      const press = { m, p, k: key, guess, kind, ttl, silent, repeats: whole ? 3 : 0, at, madeAt: now(), notBefore: 0, resolve, room };
      this.#outdo(press);
      this.#glide(() => this.#open.push(press));
      this.#transmit(press);
      for (const ms of [320, 3020, ttl + 20]) setTimeout(() => this.#review(press), at + ms - now());
      this.#tell('change');
    });
  }
  /** A query: resolves to the answer's data, or null. */
  ask(m, p, options) { return this.press(m, p, { silent: true, ...options }).then(res => res.ok ? res.d ?? null : null) }
  /** Whether the hub has this profile, such as `library`; what it has not said yet counts as there. */
  has(profile) { return this.features?.some(feature => feature.split('@')[0] === profile) ?? true }
  /** Drops older presses of the same subject that are not on their way: a level, and one that the hub has put off. */
  #outdo({ m, room }) {
    const older = this.#open.filter(press => subjects[m] && subjects[press.m] === subjects[m] && press.room === room);
    for (const press of older) {
      press.isOutdone = true;
      const isOnItsWay = [...this.#asked.values()].some(asked => asked.press === press);
      if (!isOnItsWay && (m === 'vol.set' || now() < press.notBefore)) this.#settle(press, outdone);
    }
  }
  #transmit(press) {
    if (!this.live) return this.hurry();
    if (press.isOutdone && press.m === 'vol.set') return this.#settle(press, outdone);
    // One that the hub has put off waits for its time, on another connection too.
    if (now() < press.notBefore) return;
    clearTimeout(press.later);
    if (/^(next|prev)$/.test(press.m) && !press.wasSent && this.#meantBefore(press)) return this.#settle(press, { ok: 1, st: 'noop', why: 'moved' });
    press.wasSent = true;
    const id = ++this.#lastId;
    this.#asked.set(id, { press, sent: micros() });
    const { m, p, k, room } = press, frame = m === 'sub' ? { t: 'sub', id, ...p } : { t: 'cmd', id, m };
    if (k) frame.k = k;
    if (m !== 'sub') {
      if (room && room !== this.room) frame.room = room;
      // The hub decides by its own clock whether a command has expired.
      if (this.clock.hubMs && k) Object.assign(frame, { ct: this.#stamp(press), ttl: press.ttl });
      if (Object.keys(p).length) frame.p = p;
    }
    this.#send(frame);
  }
  /** When a press was made, by the clock of the hub that this connection is to. */
  #stamp({ at }) {
    const ms = Math.round(this.clock.hubMs - (now() - at));
    return this.viewName === 'watch' ? shortMoment(ms) : ms;
  }
  /** Made before the current entry became current, and not sent until now: it meant another entry. */
  #meantBefore(press) {
    const age = now() - press.madeAt, since = this.said.now?.sinceUs;
    return age > 100 && this.clock.hubMs !== null && since !== undefined && (this.clock.hubMs - age) * 1000 < since;
  }
  #review(press) {
    if (!this.#open.includes(press)) return;
    const age = now() - press.at;
    if (age > press.ttl) {
      this.#settle(press, { ok: 0, err: { code: 'timeout', retry: 1, msg: this.#words('unanswered', unanswered) } });
      // A hub that has put it off is there.
      if (this.live && !press.wasPutOff) { this.#lose(this.#socket); this.#note('An answer did not come; connecting anew.') }
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
    if (press.kind === 'skip') this.#goFurther(press, res);
  }
  #answered(m) {
    const { press, sent } = this.#asked.get(m.id) ?? {};
    this.#asked.delete(m.id);
    // A repeated answer carries the time stamps of the first one.
    if (sent && m.rx && m.why !== 'dup') {
      const isWatch = this.viewName === 'watch', us = ms => isWatch ? momentNear(ms, this.clock.hubMs) * 1000 : ms;
      this.stats.roundTripMs = (micros() - sent) / 1000;
      this.#sample(sent, us(m.rx), us(m.tx), micros(), isWatch ? 1000 : 0);
    }
    const went = this.view().st === 'playing';
    if (m.s) this.#take(m);
    if (!press || !this.#open.includes(press)) return;
    if (m.err?.code === 'queue_conflict' && Number.isInteger(m.err.rev) && press.repeats-- > 0) {
      // A command with another base is another command and needs a new key.
      Object.assign(press, { p: { ...press.p, base: m.err.rev }, k: token(6) });
      return this.#transmit(press);
    }
    const againMs = ['rate_limited', 'busy'].includes(m.err?.code) ? m.err.afterMs : null;
    if (againMs && now() - press.at + againMs < press.ttl) {
      if (press.isOutdone) return this.#settle(press, outdone);
      Object.assign(press, { notBefore: now() + againMs, wasPutOff: true });
      press.later = setTimeout(() => {
        press.notBefore = 0;
        if (this.#open.includes(press)) this.#transmit(press);
      }, againMs);
      return;
    }
    const isRole = m.err?.code === 'forbidden' && !m.err.at && !(this.role === 'guest' && press.m.startsWith('vol.'));
    if (isRole && refusals[this.role]) m.err.msg = this.#words(`refused.${this.role}`, refusals[this.role]);
    else if (m.err) m.err.msg = this.#words(m.err.code, m.err.msg, m.err);
    this.#settle(press, m);
    // In the view of a watch a position that stands still right after such a press means that playing is about to begin.
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
   * `next` or `prev`, guarded by what was on the screen. A second `next` before the answer is guarded by what the first one leads to;
   * further ones wait for the answers. A second `prev`, of whose effect the screen shows nothing yet, repeats the first one.
   */
  skip(m) {
    const view = this.view(), open = this.#open.filter(press => press.kind === 'skip'), earlier = open.at(-1);
    if (!view.entry) return Promise.resolve(null);
    if (earlier && now() - earlier.madeAt > 3000) { this.#transmit(earlier); return Promise.resolve(null) }
    if (earlier && (m === 'prev' || earlier.m === 'prev')) return Promise.resolve(null);
    if (earlier && (open.length > 1 || !earlier.guess?.predicted || now() < earlier.notBefore)) {
      return new Promise(resolve => this.#further.push({ resolve, at: now() }));
    }
    const line = { posMs: 0, atMs: this.clock.hubMs ?? 0, rate: 0 };
    const guess = m !== 'next' || !view.next ? null
      : { entry: view.next, title: view.nextText, artist: '', durationMs: null, next: null, nextText: null, line, predicted: true };
    return this.press(m, { from: view.entry }, { kind: 'skip', key: token(4), guess });
  }
  /** Quick presses that waited for the answers go as one, as old as the first of them, if all before them were carried out. */
  #goFurther({ room }, { st }) {
    const isMeant = st === 'applied' && room === this.room;
    if (isMeant && this.#open.some(press => press.kind === 'skip')) return;
    const waiting = this.#further.splice(0), { entry } = this.view(), p = { from: entry, n: Math.min(waiting.length, 100) };
    const answer = p.n && isMeant && entry ? this.press('next', p, { kind: 'skip', key: token(4), at: waiting[0].at }) : null;
    for (const { resolve } of waiting) resolve(answer);
  }
}
