// A Baton client for browsers, in one file: reconnects, mirrors one room, follows the hub's clock, and makes sure that
// each press counts once. No build step, no dependency. node.js beside it is the same for Node, and baton.d.ts describes
// both to TypeScript. Made by bundle.py from client/; edit those.
//
//   import { Hub } from './baton.js';
//   const hub = new Hub({ url: 'ws://127.0.0.1:9442/companion/v1', name: 'Kitchen tablet' });
//   hub.on('change', () => { title.textContent = hub.view().title ?? 'No music' });
//   hub.start();
//   button.onclick = () => hub.toggle();

// What all modules of the client use.

const now = () => performance.now();
const micros = () => Math.round(now() * 1000);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Random text of `bytes` bytes in base64url. */
export const token = bytes => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The items that the protocol itself names: shelves of the library, all that a search finds, playlists. */
export const items = {
  shelf: name => `lib:shelf/${name}`,
  mix: name => `lib:mix/${name}`,
  found: words => `lib:search/${encodeURIComponent(words)}`,
  list: id => `pl:list/${id}`,
  listOf: uri => uri.replace('pl:list/', ''),
};
const spoken = ['book', 'chapter', 'episode'];
/** Whether speech plays; `said` is what the hub sent. */
const isSpoken = (said, kind) => !!(said.book || said.b) || spoken.includes(kind);
/** How far steps back and forward go, in ms: in speech what the room says. */
const stepsOf = (said, kind) => isSpoken(said, kind)
  ? [said.modes?.backMs ?? 15000, said.modes?.forwardMs ?? 30000] : [15000, 15000];

// The hub's monotonic clock, as far as it can be known here.

/** Estimates the hub's monotonic clock. Of the last samples it uses the one with the smallest possible error. */
export class Clock {
  #samples = [];
  best = null;
  static #doubt = s => s.error + (micros() - s.at) * 50e-6;
  /** One exchange: our clock, theirs, theirs, ours, all in microseconds. `grain` is how coarse their stamps are. */
  add(t1, t2, t3, t4, grain = 0) {
    const fresh = { at: t4, offset: (t2 - t1 + t3 - t4) / 2, error: Math.max(0, t4 - t1 - t3 + t2) / 2 + grain };
    // The intervals of two valid samples overlap. If they do not, this machine slept, and the earlier samples are void.
    this.#samples = this.#samples.filter(s => Math.abs(s.offset - fresh.offset) < Clock.#doubt(s) + fresh.error + 2000)
      .slice(-7).concat(fresh);
    this.best = this.#samples.reduce((a, b) => Clock.#doubt(b) < Clock.#doubt(a) ? b : a);
  }
  /** Sets an estimate from before a reload, used until the first sample. */
  suppose(hubMs) { this.#samples = [this.best = { at: micros(), offset: hubMs * 1000 - micros(), error: 1e6 }] }
  forget() { this.#samples = []; this.best = null }
  get hubMs() { return this.best && (micros() + this.best.offset) / 1000 }
  get errorMs() { return this.best && Clock.#doubt(this.best) / 1000 }
}

// What remotes do by less than a press: to seek, to follow another room, to take another profile, and to search page by
// page.

const seekTo = (hub, m, p, line) =>
  hub.press(m, { entry: hub.view().entry, ...p }, { kind: 'seek', key: token(4), guess: { line } });

function seek(hub, posMs) {
  const view = hub.view(), at = Math.round(posMs);
  if (!view.entry) return Promise.resolve(null);
  return seekTo(hub, 'seek', { posMs: at }, { posMs: at, atMs: hub.clock.hubMs ?? 0, rate: view.line?.rate ?? 0 });
}
function seekBy(hub, ms) {
  const view = hub.view(), at = hub.position(view);
  if (at === null) return Promise.resolve(null);
  const posMs = clamp(at + ms, 0, view.durationMs ?? Infinity);
  return seekTo(hub, 'seekBy', { ms }, { posMs, atMs: hub.clock.hubMs ?? 0, rate: view.line.rate });
}
/** Follows another room of the same hub. */
async function follow(hub, room) {
  return room === hub.room ? null : hub.press('sub', { rooms: [room] }, { kind: 'follow' });
}
/** Changes the profile, which the hub learns with a new connection. */
function become(hub, profile) {
  if (profile === hub.profile) return;
  hub.save();
  Object.assign(hub, { profile, said: {}, rev: null });
  hub.restore();
  hub.anew();
}
const subscribe = (hub, what) => hub.press('sub', what, { silent: true });
/**
 * The pages of a search: first what is on the hub's machine, then what servers answer. `joined` of a page names rows of
 * earlier pages that have more `places` now.
 */
async function* search(hub, question) {
  for (let cursor; cursor !== null;) {
    const page = await hub.ask('lib.search', { ...question, ...cursor && { cursor } });
    if (page) yield page;
    cursor = page?.cursor ?? null;
  }
}

// The queue of the followed room, as far as its rows were requested.

/**
 * Does one operation of the hub's to rows by place, of which some may not be known: where they were is a gap, and who is
 * known by name only is a row without `kind`. Gives back by how much the queue grew, or null when it knows no such one.
 */
export function operate(rows, [what, first, second]) {
  const place = id => rows.findIndex(row => row?.entry === id);
  // An entry that is missing among rows without a gap comes after them. With gaps its place is unknown.
  const doubt = () => { if (rows.includes(undefined)) rows.length = 0 };
  const out = ids => ids.map(entry => {
    const at = place(entry);
    if (at >= 0) return rows.splice(at, 1)[0];
    doubt();
    return { entry };
  });
  const into = (anchor, some) => {
    const at = anchor === null ? 0 : place(anchor) + 1;
    if (at || anchor === null) rows.splice(at, 0, ...some); else doubt();
  };
  switch (what) {
    case 'ins': into(first, second.map(entry => ({ entry }))); return second.length;
    case 'del': out(first); return -first.length;
    case 'mov': into(second, out(first)); return 0;
    case 'cur': return 0;
    default: return null;
  }
}

/** A copy of the hub's queue, as far as its rows were requested. Operations keep it current without further requests. */
export class QueueCopy {
  rows = []; length = 0;
  /** Revision of the queue; null: nothing is known, and the visible rows have to be requested. */
  rev = null;
  /** Takes a page, as `sub` and `queue.get` answer. A page of another revision replaces all rows. */
  take({ rev, len, from, rows }) {
    if (rev !== this.rev) Object.assign(this, { rev, rows: [] });
    this.length = len;
    if (from === undefined) this.#describe(rows); else rows.forEach((row, index) => this.rows[from + index] = row);
  }
  /** Takes a `q` message. */
  hear({ from, rev, len, ops = [], rows = [], reset }) {
    const grew = reset || from !== this.rev ? [null] : ops.map(op => operate(this.rows, op));
    if (grew.includes(null)) return Object.assign(this, { rev: null, rows: [], length: len ?? this.length });
    this.rev = rev;
    this.length += grew.reduce((sum, n) => sum + n, 0);
    this.#describe(rows);
  }
  #describe(rows) {
    for (const row of rows) {
      const at = this.rows.findIndex(old => old?.entry === row.entry);
      if (at >= 0) this.rows[at] = row;
    }
  }
}

/** The queue of the room that `hub` follows, while it is open. */
class OpenQueue {
  copy = new QueueCopy();
  #hub; #hears = []; #window = null; #opening = null;
  constructor(hub) {
    this.#hub = hub;
    hub.on('q', m => this.#hear(m)).on('room', () => this.#forget()).on('live', () => {
      // A new connection begins without an open queue.
      this.#forget();
      if (this.#window) this.open(...this.#window);
    });
  }
  /** `hear` is called when the rows of `copy` have changed, also after reconnecting, from `open` until `close`. */
  on(hear) { this.#hears.push(hear) }
  open(from = 0, n = 50) {
    const [start, count] = this.#window ?? [], isAsked = this.#opening && start === from && count === n;
    this.#window = [from, n];
    if (!this.#hub.live) return Promise.resolve(false);
    if (isAsked) return this.#opening;
    const opening = this.#opening = this.#page(subscribe(this.#hub, { queue: { from, n } }))
      .finally(() => { if (this.#opening === opening) this.#opening = null });
    return opening;
  }
  close() {
    if (!this.#window) return;
    this.#window = null;
    this.#forget();
    if (this.#hub.live) subscribe(this.#hub, { queue: null });
  }
  /** Requests more rows, from a place or by their ids. */
  read(p) { return this.#page(this.#hub.press('queue.get', p, { silent: true })) }
  async #page(asked) {
    // Another copy is begun in another room, with another connection, and when the queue was closed.
    const { copy } = this, { ok, d } = await asked;
    if (!ok || !d || copy !== this.copy) return false;
    copy.take(d);
    this.#tell();
    return true;
  }
  #hear(m) {
    if (m.room !== this.#hub.room) return;
    this.copy.hear(m);
    this.#tell();
  }
  #tell() { for (const hear of this.#hears) hear() }
  #forget() { [this.copy, this.#opening] = [new QueueCopy(), null] }
}

// Search as one types.

/**
 * Queries of which only the newest counts, for search as you type: one is in flight, the newest waits behind it, and
 * older ones resolve to null. Answers are whole replies, so that a refusal can be shown.
 */
export class Latest {
  #hub; #turn = 0; #isBusy = false; #next = null;
  constructor(hub) { this.#hub = hub }
  async ask(m, p) {
    const turn = ++this.#turn;
    this.#next?.(false);
    this.#next = null;
    if (this.#isBusy && !await new Promise(go => this.#next = go)) return null;
    this.#isBusy = true;
    const res = await this.#hub.press(m, p, { silent: true }), next = this.#next;
    this.#next = null;
    if (next) next(true); else this.#isBusy = false;
    return turn === this.#turn ? res : null;
  }
}

// What ends a connection, what a role may not do, and the sentences that say so.

/** Codes after which it is not tried again: those of the protocol's table, and HTTP statuses where they can be seen. */
const endings = {
  400: 'There is no hub at this address, or it is of another version.',
  403: 'The hub does not admit this connection. Ask its owner.',
  404: 'There is no hub at this address.',
  1000: 'The hub ended the connection. Reload the page to connect again.',
  1002: 'The hub did not understand this page. Reload the page.',
  1003: 'The hub did not understand this page. Reload the page.',
  1007: 'The hub did not understand this page. Reload the page.',
  1009: 'The hub did not take a message of this page: it was too long. Reload the page.',
  4400: 'This page and the hub do not understand each other. Reload the page.',
  4401: 'The hub does not know this device. Pair it, then reload the page.',
  4403: 'The hub does not let this device in. Ask its owner, then reload the page.',
  4406: 'This page and the hub are of different versions. Reload the page.',
  4409: 'Another connection took the place of this one. Reload the page to go on here.',
};
const pauses = { 1012: 1000, 1013: 5000, 4429: 10000, 4430: 10000 };
/** Messages for what a role may not do. A refusal that names a parameter keeps the hub's own message. */
export const refusals = {
  listener: 'This device may only look. Ask the owner of the hub for more rights.',
  guest: 'This device is a guest: it may add music, and turn the volume as far as the owner allows. Ask the owner of the hub for more rights.',
  remote: 'Only an admin may do this. On the hub’s machine, “baton web” opens this page as one.',
};
const unanswered = 'The hub did not answer. Please try again.';

// What a room does, in one form for all profiles, of the sections that the hub sent.

const modeOf = (repeat, shuffle) => shuffle ? 'shuffle'
  : { one: 'repeat-one', all: 'repeat-all' }[repeat] ?? 'once';

// Either sentence may have been cut.
const uncut = text => text.split('…')[0];
const isSame = (one, other) => uncut(one).startsWith(uncut(other)) || uncut(other).startsWith(uncut(one));
/**
 * That an account at a server fails stands with the accounts in `src`, and is no sentence over what plays, also where
 * `src` comes behind it.
 */
const isOfAccount = (s, msg) => !!s.src?.list?.some(({ msg: own, name, title = name }) => own && isSame(own, msg)
  || msg.includes(`“${title}”`));

/** Of the profiles `full` and `remote`; `id` is that of the room. */
function fullView(s, id) {
  const { now: item, tl, vol, modes, queue } = s, room = s.rooms?.list.find(r => r.id === id);
  return {
    entry: item?.entry, title: item?.streamTitle ?? item?.title, kind: item?.kind, uri: item?.uri, album: item?.album,
    artist: item?.streamTitle ? item.title : item?.artists?.join(', '), durationMs: item?.durMs ?? null,
    line: tl && { posMs: tl.posMs, atMs: tl.atUs / 1000, rate: tl.rate }, st: tl?.st ?? 'stopped', isLive: !!(item?.live || tl?.live), art: item?.art,
    level: vol?.level, muted: !!vol?.mute, range: vol?.range, mode: modes && (modes.mode ?? modeOf(modes.repeat, modes.shuffle)), repeat: modes?.repeat, shuffle: modes?.shuffle,
    speed: modes?.speed ?? 1000, steps: stepsOf(s, item?.kind), queue, next: queue?.next, nextText: queue?.nextText, roomName: room?.name,
    problem: s.hub?.problems?.find(p => p.room ? p.room === id : !isOfAccount(s, p.msg))?.msg,
  };
}

// The profile `watch`: short sections, in which buffering is a position that stands still.

const repeats = ['off', 'one', 'all'];
const modes = ['once', 'repeat-one', 'repeat-all'];
const states = (line, isSoundExpected) => line?.[3] === 2 ? 'stopped' : line?.[2] > 0 ? 'playing'
  : line?.[3] === 1 || isSoundExpected ? 'buffering' : 'paused';

/** `isSoundExpected` tells that a press or a skip has just begun what plays. */
function watchView(s, id, isSoundExpected) {
  const { n, l, v, m } = s;
  return {
    entry: n?.i, title: n?.t, artist: n?.a, durationMs: n?.d * 1000 || null, isLive: !!n?.v,
    line: l && { posMs: l[0], atMs: l[1], rate: l[2] }, st: n ? states(l, isSoundExpected) : 'stopped',
    repeat: m && repeats[m[0]], shuffle: !!m?.[1], mode: m && (m[1] ? 'shuffle' : modes[m[0]] ?? 'once'),
    level: v?.[0], muted: !!v?.[1], roomName: s.r, problem: s.x,
    steps: stepsOf(s), art: n?.c && { id: n.c, colours: n.k ? [`#${n.k}`] : [] },
  };
}

// The connection to a hub: reconnects, mirrors one room, follows the hub's clock, and makes each press count once.
//
// State is what the hub sent last: whole sections under one revision. A press shows its expected effect (`guess`) at once,
// and the answer removes the guess, so a refused press undoes itself. The protocol is specified in Protocol/spec.

/** All of a remote but its queue and its rarer verbs, which baton-whole.js adds. */
class HubCore {
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

// The remote for other programs, with all that a hub can be asked. A page that is loaded by parts takes them one by one.

export class Hub extends HubCore {
  static views = { ...HubCore.views, watch: watchView };
  #open = new OpenQueue(this);

  on(name, hear) {
    if (name === 'queue') this.#open.on(hear); else super.on(name, hear);
    return this;
  }
  seek(posMs) { return seek(this, posMs) }
  seekBy(ms) { return seekBy(this, ms) }
  search(question) { return search(this, question) }
  follow(room) { return follow(this, room) }
  become(profile) { become(this, profile) }
  isWaiting(kind) { return this.waiting.some(press => press.kind === kind) }
  subscribe(what) { return subscribe(this, what) }

  /** The followed room's queue, while it is open. */
  get queue() { return this.#open.copy }
  /** From now on `queue` is called when the rows of `hub.queue` change, also after reconnecting, until `closeQueue`. */
  openQueue(from, n) { return this.#open.open(from, n) }
  closeQueue() { this.#open.close() }
  /** Requests more rows, from a place or by their ids. */
  readQueue(p) { return this.#open.read(p) }
}
