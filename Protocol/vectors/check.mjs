#!/usr/bin/env node
// Reads the vectors as a client in JavaScript would: a browser, or Node without any package.
//
// Vectors of bad input are for hubs; a client that reads what a hub sends may use JSON.parse as it is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const folder = new URL('v1/', import.meta.url);
const read = name => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const readers = {
  timeline({ line, hubUs, durMs, posMs }, { toleranceMs }) {
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
    const found = { id: null, v: [1], p: '/companion/v1', plain: null, tls: null, fp: null, pair: false };
    if ((said.txtvers ?? '1') === '1') {
      const plain = Number(said.plain);
      Object.assign(found, {
        id: said.id ?? null, v: (said.v ?? '1').split(',').map(Number), p: said.p?.startsWith('/') ? said.p : found.p,
        plain: plain > 0 && plain < 65536 ? plain : null, fp: /^[0-9a-f]{16}$/.test(said.fp) ? said.fp : null, pair: said.pair === '1',
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
