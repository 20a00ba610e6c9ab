#!/usr/bin/env node
// Reads the vectors as a client in JavaScript would: a browser, or Node without any package.
//
// What refuses bad input is for hubs; a client that reads what a hub sends may use JSON.parse as it is.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readers as devices } from './devices.mjs';

// A device that plays sound: the module of the hub's page. tools/build.py copies it from the repository of Baton, and a release has it.
const built = execFileSync('python3', [fileURLToPath(new URL('../runner/built.py', import.meta.url))], { encoding: 'utf8' }).trim();
const inStep = `${built}/vectors/in_step.mjs`;
const { AudioClock, StepRule, start } = existsSync(inStep) ? await import(inStep) : {};

const folder = new URL('v1/', import.meta.url);
const read = name => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const hex = text => Buffer.from(text, 'hex');
const sha256 = (...parts) => crypto.createHash('sha256').update(Buffer.concat(parts.map(part => Buffer.from(part)))).digest();
const sha512 = (...parts) => crypto.createHash('sha512').update(Buffer.concat(parts.map(part => Buffer.from(part)))).digest();
const hmac = (hash, key, ...parts) => crypto.createHmac(hash, key).update(Buffer.concat(parts.map(part => Buffer.from(part)))).digest();
const binding = ({ cb, channel }) => sha256(cb === 'exp' ? 'bt-cb-exp' : 'bt-cb-spki', hex(channel));

/** Each with its length in front; nothing here is longer than 16383 bytes. */
const joined = (...parts) => Buffer.concat(parts.flatMap(part => {
  const bytes = Buffer.from(part);
  return [Buffer.from(bytes.length < 128 ? [bytes.length] : [bytes.length & 127 | 128, bytes.length >> 7]), bytes];
}));

/** Node knows X25519 by keys in DER only; what stands before the 32 bytes is always the same. */
const x25519 = (scalar, point) => crypto.diffieHellman({
  privateKey: crypto.createPrivateKey({ key: Buffer.concat([hex('302e020100300506032b656e04220420'), scalar]), format: 'der', type: 'pkcs8' }),
  publicKey: crypto.createPublicKey({ key: Buffer.concat([hex('302a300506032b656e032100'), point]), format: 'der', type: 'spki' }),
});

const P = 2n ** 255n - 19n;
const power = (base, exponent) => {
  let result = 1n;
  for (base = (base % P + P) % P; exponent; exponent >>= 1n, base = base * base % P) if (exponent & 1n) result = result * base % P;
  return result;
};
/** RFC 9380, section 6.7.1. */
const elligator2 = bytes => {
  const r = BigInt('0x' + Buffer.from([...bytes.subarray(0, 31), bytes[31] & 127]).reverse().toString('hex')) % P;
  const v = ((-486662n * power(1n + 2n * r * r, P - 2n)) % P + P) % P;
  const u = power((v * v + 486662n * v + 1n) * v, (P - 1n) / 2n) === 1n ? v : (2n * P - v - 486662n) % P;
  return hex(u.toString(16).padStart(64, '0')).reverse();
};

const unsealed = (key, sealed) => {
  const cipher = crypto.createDecipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: 16 });
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
};
const hkdf = (secret, salt, info) => Buffer.from(crypto.hkdfSync('sha256', secret, salt, info, 32));

/** JSON as the specification narrows it: unique names, whole characters, safe numbers. */
const strict = bytes => {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const value = JSON.parse(text), open = [];
  for (const [word, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:)?|[{}[\]]|-?\d[\d.eE+-]*/gs)) {
    if (word === '{' || word === '[') open.push(new Set());
    else if (word === '}' || word === ']') open.pop();
    else if (!string) assert.ok(Math.abs(Number(word)) <= Number.MAX_SAFE_INTEGER, 'a number that is not safe');
    else {
      const said = JSON.parse(string);
      assert.ok(!/\p{Surrogate}/u.test(said), 'half of a surrogate pair');
      assert.ok(!colon || !open.at(-1).has(said), 'a name twice');
      if (colon) open.at(-1).add(said);
    }
  }
  return value;
};

const stops = { 1000: 'stop', 1002: 'stop', 1003: 'stop', 1007: 'stop', 1009: 'stop', 4400: 'stop', 4409: 'stop', 4401: 'pair', 4403: 'pair', 4406: 'update' };
const pauses = { 1001: 0, 1012: 1000, 1013: 5000, 4408: 0, 4429: 10000, 4430: 10000 };
const passing = ['rate_limited', 'busy', 'timeout', 'internal', 'unavailable', 'source_failed'];

/** One op of an edit of a playlist, done to `list`; whether it changed anything. What is wrong is thrown as its code. */
const edit = (list, op, ids) => {
  const { order } = list;
  const behind = anchor => {
    if (anchor !== null && !order.includes(anchor) && op.else !== 'end') throw 'anchor_gone';
    return anchor === null ? 0 : order.includes(anchor) ? order.indexOf(anchor) + 1 : order.length;
  };
  const becomes = (verb, now) => {
    if (String(now) === String(order)) return false;
    list.past = [...list.past, { verb, order }].slice(-20);
    list.order = now;
    return true;
  };
  if (op.add) {
    const at = (op.at ?? 'end') === 'end' ? order.length : behind(op.at.after);
    const added = op.add.map(() => `q${(list.next++).toString(36)}`);
    ids.push(...added);
    return becomes('add', [...order.slice(0, at), ...added, ...order.slice(at)]);
  }
  if (op.move) {
    const moving = [...new Set(op.move)], stays = entry => !moving.includes(entry);
    if (!moving.every(entry => order.includes(entry))) throw 'gone';
    const at = behind(op.after);
    return becomes('move', [...order.slice(0, at).filter(stays), ...moving, ...order.slice(at).filter(stays)]);
  }
  if (op.remove) return becomes('remove', order.filter(entry => !op.remove.includes(entry)));
  if (op.clear) return becomes('clear', []);
  if (op.undo) {
    if (!list.past.length) throw 'invalid_state';
    list.order = list.past.pop().order;
    return true;
  }
  const isOther = op.name !== list.name;
  list.name = op.name;
  return isOther;
};

const readers = {
  ...devices,
  bad({ text, hex: digits, isJSON }) {
    // A text with half a surrogate pair in it has no bytes.
    const bytes = text === undefined ? hex(digits) : /\p{Surrogate}/u.test(text) ? hex('ff') : Buffer.from(text);
    let is = true;
    try { strict(bytes); } catch { is = false; }
    assert.equal(is, isJSON);
  },

  close({ code, advice, afterMs = 0 }, { silence, unknown }) {
    assert.equal(stops[code] ?? 'retry', advice);
    assert.deepEqual(unknown.filter(one => one in stops || one in pauses), []);
    assert.equal(pauses[code] ?? 0, afterMs);
    for (const { mostMs, silentMs } of silence) assert.equal(2 * mostMs + 5000, silentMs);
  },

  errors({ code, retry }) {
    assert.equal(passing.includes(code) ? 1 : 0, retry);
  },

  auth(v) {
    assert.equal(binding(v).toString('hex'), v.binding);
    assert.equal(sha256(v.hello, v.challenge).toString('hex'), v.words);
    assert.equal(v.binding + v.words + v.nonce, v.covered);
    assert.equal(hmac('sha256', hex(v.key), 'baton/1 client', hex(v.covered)).toString('hex'), v.macClient);
    assert.equal(hmac('sha256', hex(v.key), 'baton/1 hub', hex(v.covered)).toString('hex'), v.macHub);
  },

  pairing(v, { refused, rotated }) {
    const is = (bytes, name) => assert.equal(bytes.toString('hex'), v[name], name);
    is(binding(v), 'binding');
    is(Buffer.concat([Buffer.from('baton-pair-v1'), hex(v.binding)]), 'ci');
    is(Buffer.concat([hex(v.hubNonce), hex(v.deviceNonce), Buffer.from([0, 0, 0, v.round])]), 'sid');
    is(joined(v.client, v.deviceName), 'ada');
    is(joined(v.hub), 'adb');
    const padding = Buffer.alloc(128 - 1 - joined(hex(v.code)).length - joined('CPace255').length);
    is(joined('CPace255', hex(v.code), padding, hex(v.ci), hex(v.sid)), 'generatorString');
    is(elligator2(sha512(hex(v.generatorString)).subarray(0, 32)), 'generator');
    is(x25519(hex(v.a), hex(v.generator)), 'ya');
    is(x25519(hex(v.b), hex(v.generator)), 'yb');
    is(x25519(hex(v.a), hex(v.yb)), 'secret');
    is(x25519(hex(v.b), hex(v.ya)), 'secret');
    is(Buffer.concat([joined(hex(v.ya), hex(v.ada)), joined(hex(v.yb), hex(v.adb))]), 'transcript');
    is(sha512(joined('CPace255_ISK', hex(v.sid), hex(v.secret)), hex(v.transcript)), 'isk');
    is(sha512('CPaceMac', hex(v.sid), hex(v.isk)), 'macKey');
    is(hmac('sha512', hex(v.macKey), joined(hex(v.ya), hex(v.ada))), 'ta');
    is(hmac('sha512', hex(v.macKey), joined(hex(v.yb), hex(v.adb))), 'tb');
    is(hkdf(hex(v.isk), hex(v.sid), 'baton-wrap'), 'wrappingKey');
    is(unsealed(hex(v.wrappingKey), hex(v.wk)), 'key');
    for (const { share } of refused) {
      // OpenSSL refuses points of low order by itself.
      if (share !== 'own') assert.throws(() => x25519(hex(v.a), hex(share)), share);
    }
    for (const { old, salt, wrappingKey, key, wk } of rotated) {
      const wrapping = hkdf(hex(old), hex(salt), 'baton-rotate');
      assert.deepEqual([wrapping.toString('hex'), unsealed(wrapping, hex(wk)).toString('hex')], [wrappingKey, key]);
    }
  },

  timeline({ line, hubUs, durMs, posMs }, { toleranceMs, watch }) {
    for (const { l: [begin, moment, rate], hubMs, durMs: end, posMs: at } of watch) {
      // Both are modulo 2^31, so the difference lies between -2^30 and 2^30.
      const later = Math.max(0, (hubMs - moment) << 1 >> 1);
      assert.ok(Math.abs(Math.max(0, Math.min(begin + later * rate / 1000, end ?? Infinity)) - at) <= toleranceMs, JSON.stringify({ moment, hubMs }));
    }
    const position = line.posMs + Math.max(0, hubUs - line.atUs) * line.rate / 1_000_000;
    assert.ok(Math.abs(Math.max(0, Math.min(position, durMs ?? position)) - posMs) <= toleranceMs);
  },

  clock({ exchanges, atUs, offsetUs, errorUs }, { toleranceUs }) {
    const samples = exchanges
      .map(({ t1, t2, t3, t4 }) => ({ t1, t4, trip: (t4 - t1) - (t3 - t2), offset: ((t2 - t1) + (t3 - t4)) / 2 }))
      .filter(({ t1, t4, trip }) => t4 >= t1 && trip >= 0)
      .slice(-8)
      .map(sample => ({ ...sample, error: sample.trip / 2 + Math.max(0, atUs - sample.t4) * 50e-6 }));
    if (offsetUs === null) return assert.equal(samples.length, 0);
    const best = samples.reduce((one, other) => (other.error < one.error ? other : one));
    assert.ok(Math.abs(best.offset - offsetUs) <= toleranceUs && Math.abs(best.error - errorUs) <= toleranceUs, JSON.stringify(best));
  },

  audioclock({ exchanges, asks }, { toleranceUs }) {
    const known = new AudioClock();
    for (const { offsetUs, errorUs, atUs } of exchanges) known.take(offsetUs, errorUs, atUs);
    for (const { atUs, hubUs } of asks) {
      const found = known.hub(atUs);
      assert.ok(found === hubUs || found !== null && hubUs !== null && Math.abs(found - hubUs) <= toleranceUs, `${found}`);
    }
  },

  starts({ line, nowUs, leadUs, offsetUs = 0, lengthUs = null, start: wanted }) {
    assert.deepEqual(start(line, nowUs, leadUs, offsetUs, lengthUs), wanted);
  },

  corrections({ steps, newStarts }) {
    const rule = new StepRule();
    for (const { driftUs, atUs, settled = true, step } of steps) assert.equal(rule.step(driftUs, settled, atUs), step, `${driftUs}`);
    assert.equal(rule.newStarts, newStarts);
  },

  dedupe({ first, second, same }) {
    const sorted = value =>
      Array.isArray(value) ? value.map(sorted)
      : value && typeof value === 'object' ? Object.fromEntries(Object.keys(value).sort().map(name => [name, sorted(value[name])]))
      : value;
    const essence = text => {
      const { m, room = null, p = {} } = JSON.parse(text);
      return JSON.stringify(sorted([m, room, p]));
    };
    assert.equal(essence(first) === essence(second), same);
  },

  truncation({ text, clusters, bytes, cut }) {
    const written = part => Buffer.byteLength(JSON.stringify(part)) - 2;
    const parts = [...new Intl.Segmenter().segment(text.replace(/[\u0000-\u001f\u007f]/g, ' '))].map(({ segment }) => segment);
    const fits = list => list.length <= (clusters ?? Infinity) && written(list.join('')) <= bytes;
    let found = parts;
    if (!fits(parts)) {
      found = [...parts, '…'];
      while (!fits(found)) found.splice(-2, 1);
    }
    assert.equal(found.join(''), cut);
  },

  txt({ port, txt, expect }) {
    const said = {};
    for (const word of txt) {
      const at = word.indexOf('=');
      if (at > 0) said[word.slice(0, at).toLowerCase()] ??= word.slice(at + 1);
    }
    const found = { id: null, v: [1], p: '/baton', plain: null, tls: null, fp: null, pair: false, f: [] };
    if ((said.txtvers ?? '1') === '1') {
      const plain = Number(said.plain);
      Object.assign(found, {
        id: said.id ?? null, v: (said.v ?? '1').split(',').map(Number), p: said.p?.startsWith('/') ? said.p : found.p,
        plain: plain > 0 && plain < 65536 ? plain : null, fp: /^[0-9a-f]{16}$/.test(said.fp) ? said.fp : null, pair: said.pair === '1',
        f: (said.f ?? '').split(',').filter(code => /^[a-z]{2}[0-9]*$/.test(code)),
      });
    }
    found.tls = port === found.plain ? null : port;
    assert.deepEqual(found, expect);
  },

  queue({ start, cur, ops, expect, after }) {
    let order = [...start];
    for (const [name, ...rest] of ops) {
      if (!['ins', 'del', 'mov', 'cur'].includes(name)) return assert.equal(expect, null);
      if (name === 'cur') { [cur] = rest; continue; }
      const [ids, anchor] = name === 'ins' ? [rest[1], rest[0]] : rest;
      order = order.filter(entry => !ids.includes(entry));
      if (name !== 'del') order.splice(anchor ? order.indexOf(anchor) + 1 : 0, 0, ...ids);
    }
    assert.deepEqual([order, cur ?? ''], [expect, after ?? '']);
  },

  playlist({ start, edits }) {
    let list = { order: Array.from({ length: start }, (_, at) => `q${(at + 1).toString(36)}`), next: start + 1, rev: start ? 1 : 0, name: 'List', past: [] };
    for (const { ops, base, expect, after, name, undo } of edits) {
      const edited = structuredClone(list), ids = [];
      let answer;
      try {
        if (base !== undefined && base !== list.rev) throw 'queue_conflict';
        if (base === undefined && ops.some(op => op.clear)) throw 'bad_request';
        // Each of them, so that all happen.
        const changed = ops.map(op => edit(edited, op, ids)).some(Boolean);
        if (changed) edited.rev += 1;
        answer = { st: changed ? 'applied' : 'noop', rev: edited.rev, ...(ids.length ? { ids } : {}) };
        list = edited;
      } catch (err) {
        if (typeof err !== 'string') throw err;
        answer = { err };
      }
      assert.deepEqual([answer, list.order, list.name, list.past.at(-1)?.verb], [expect, after, name, undo]);
    }
  },

  gateways({ shown, at, trusted, gateway }, { pin, certificates }) {
    const [first, second] = shown.map(name => new crypto.X509Certificate(hex(certificates[name])));
    const pinOf = one => sha256(one.publicKey.export({ type: 'spki', format: 'der' })).toString('hex');
    const [from, to] = [first.validFrom, first.validTo].map(text => Date.parse(text) / 1000);
    const isSigned = second !== undefined && pinOf(second) === pin && first.verify(second.publicKey);
    assert.equal(pinOf(first) === pin || (isSigned && from <= at && at <= to), trusted);
    if (gateway !== undefined) assert.equal(isSigned && to - from <= 30 * 86400, gateway);
  },

  attempts({ said, round, counted }) {
    const shares = said.filter(one => one.by === 'hub' && one.step === 2).length;
    assert.deepEqual([shares + 1, shares], [round, counted]);
  },

  modes({ event, repeat, shuffle, n = 1, expect, ...vector }) {
    let { queue, cur, st, single, consume } = vector, isMixed = false;
    const once = mode => mode === 'once' ? 'off' : mode;
    for (; n > 0; n--) {
      const here = queue.indexOf(cur), isLast = here === queue.length - 1;
      if (event === 'prev') { cur = queue[here - 1] ?? (repeat ? queue.at(-1) : cur); continue }
      const isSingle = single !== 'off' && event !== 'next', isLeft = event !== 'failed' && consume !== 'off' && st !== 'stopped';
      let next = isLast ? repeat && !(isLeft && queue.length === 1) ? queue[0] : null : queue[here + 1];
      if (repeat && isSingle && consume === 'off') next = cur;
      else if (isLast && next && shuffle) isMixed = true;
      if (isLeft) { queue = queue.filter(name => name !== cur); consume = once(consume) }
      if (next === null || event === 'failed' && next === cur) {
        st = 'stopped';
        cur = next ?? queue[0] ?? null;
        break;
      }
      if (event === 'end' && isSingle && !repeat) { st = 'paused'; single = once(single) }
      cur = next;
    }
    assert.deepEqual([st, single, consume], [expect.st, expect.single, expect.consume]);
    if (isMixed) return assert.deepEqual([[...queue].sort(), vector.cur], [expect.mixed, expect.curNot]);
    assert.deepEqual([queue, cur], [expect.queue, expect.cur]);
  },
  coalescing(vector) {
    if (vector.kind === 'owed') {
      const owed = Object.entries(vector.board).filter(([name, { rev }]) => vector.sections.includes(name) && rev > vector.from);
      return assert.deepEqual(Object.fromEntries(owed.map(([name, { value }]) => [name, value])), vector.expect);
    }
    const { holds, state, expect } = vector;
    if (!state.full && state.from !== holds.rev) return assert.equal(expect, 'sync');
    const { weather, ...sections } = { ...(state.full ? {} : holds.sections), ...state.s };
    for (const name of Object.keys(sections)) if (sections[name] === null) delete sections[name];
    assert.deepEqual([sections, state.rev], [expect, vector.rev]);
  },
};

if (!AudioClock) {
  console.log('audioclock, corrections and starts are not read: in_step.mjs is in the repository of Baton and in releases only');
  for (const name of ['audioclock', 'corrections', 'starts']) delete readers[name];
}
let count = 0, failed = 0;
for (const [name, reader] of Object.entries(readers)) {
  const file = read(name);
  for (const vector of file.cases) {
    count += 1;
    try { reader(vector, file); } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${vector.name}: ${error.message}`);
    }
  }
}
console.log(`${count - failed} of ${count} vectors hold in JavaScript`);
process.exitCode = failed || !count ? 1 : 0;
