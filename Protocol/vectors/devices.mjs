// What a device works out by itself, as devices.py does: each reader takes one case.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';

const FORMATS = { 1: 'jpeg', 2: 'png' };
const LATEST = 2 ** 31;
const hex = text => Buffer.from(text, 'hex');

const pictures = frames => {
  const found = [];
  let current = null, data = [];
  for (const frame of frames) {
    if (frame.length < 4 || frame[0] !== 0x10) continue;
    const flags = frame[1], xfer = frame.readUInt16BE(2);
    let start = 4;
    if (flags & 1) {
      current = { xfer, total: frame.readUInt32BE(4), fmt: FORMATS[frame[8]], w: frame.readUInt16BE(9), h: frame.readUInt16BE(11) };
      data = [];
      start = 13;
    }
    if (current?.xfer !== xfer) continue;
    data.push(frame.subarray(start));
    if (flags & 4) found.push({ xfer, cancelled: 1 });
    else if (flags & 2) found.push({ ...current, hex: Buffer.concat(data).toString('hex') });
    if (flags & 6) current = null;
  }
  return found;
};

const digits = text => {
  const found = text.replace(/[ -]/g, '');
  return /^[0-9]{6}$/.test(found) ? { by: 'pin', prs: Buffer.from(found).toString('hex') } : null;
};

const scanned = text => {
  // Nothing is decoded but base64url: an address of the hub may be one that a page could not open.
  const [, host, port, fragment] = /^https:\/\/(\[[^\]]+\]|[^:/]+):([0-9]+)\/#(.*)$/.exec(text) ?? [];
  const members = Object.fromEntries((fragment ?? '').split('&').map(one => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]));
  const [token, pin] = ['pair', 'fp'].map(name => Buffer.from(members[name] ?? '', 'base64url'));
  if (!host || !members.id || token.length !== 16 || pin.length !== 32) return null;
  return { by: 'qr', prs: token.toString('hex'), host: host.replace(/[[\]]/g, ''), port: Number(port), id: members.id, pin: pin.toString('hex') };
};

export const readers = {
  picture({ frames, expect }) {
    assert.deepEqual(pictures(frames.map(hex)), expect);
  },
  qr(vector) {
    assert.deepEqual('scanned' in vector ? scanned(vector.scanned) : digits(vector.typed), vector.expect);
  },
  bearer({ dev, key, bearer, wrong }) {
    const own = `${dev}.${crypto.createHmac('sha256', hex(key)).update('baton/1 bearer').digest('base64url')}`;
    assert.equal(own, bearer);
    assert.ok(!wrong.includes(own));
  },
  press({ view, pressedMs, sentMs, hubMs, ttl, sent = true, ct, readMs, ageMs, expired }) {
    if (sentMs !== undefined) {
      assert.equal(sentMs - pressedMs <= ttl, sent);
      if (sent) assert.ok((hubMs - (sentMs - pressedMs) - ct) % (view === 'watch' ? LATEST : 2 ** 53) === 0, 'another ct');
    }
    if (!sent) return;
    const apart = readMs - ct;
    const age = view === 'watch' ? ((apart + LATEST / 2) % LATEST + LATEST) % LATEST - LATEST / 2 : apart;
    assert.deepEqual([Math.max(0, age), age > ttl], [ageMs, expired]);
  },
};
