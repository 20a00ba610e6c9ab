#!/usr/bin/env node
// Puts the client for browsers under test: its entry for Node, which is baton.js with a WebSocket that Node may not have.
// Standard input stands in for fingers. The contract is in ../README.md.
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// tools/build.py makes it in the repository of Baton, and a release has it.
const built = execFileSync('python3', [fileURLToPath(new URL('../built.py', import.meta.url))], { encoding: 'utf8' }).trim();
const { Hub, token } = await import(`${built}/browser/node.js`);

const words = process.argv.slice(2);
const after = name => words[words.indexOf(name) + 1];
const hub = new Hub({ url: after('--url'), view: words.includes('--view') ? after('--view') : 'full', name: 'baton.js under test' });
const say = line => process.stdout.write(JSON.stringify(line) + '\n');
// Before there is a screen nobody can mean an entry. What goes together with other presses is not told of.
const skip = m => hub.view().entry ? hub.skip(m) : hub.press(m, {}, { key: token(6) });

// A wheel: a newer level replaces one that was not sent yet.
let wanted = null, turning = false;
async function turn(line) {
  wanted = line;
  if (turning) return;
  turning = true;
  while (wanted) {
    const now = wanted;
    wanted = null;
    await answer(now, hub.press('vol.set', { level: Number(now.split(' ')[1]) }));
    await new Promise(resolve => setTimeout(resolve, hub.viewName === 'watch' ? 140 : 75));
  }
  turning = false;
}
const answer = async (press, sent) => say({ press, answer: await sent ?? { ok: 1, st: 'noop', why: 'moved' } });

const presses = {
  play: line => answer(line, hub.press('play')), pause: line => answer(line, hub.press('pause')),
  next: line => answer(line, skip('next')), prev: line => answer(line, skip('prev')),
  mute: line => answer(line, hub.press('vol.mute', { on: true })), unmute: line => answer(line, hub.press('vol.mute', { on: false })),
  vol: turn,
  show: () => {
    const { title = null, level = null } = hub.view();
    const queue = hub.queue.rows.map(row => row?.entry ?? null);
    say({ shown: { connected: hub.live, title, level, playing: hub.isPlaying, positionMs: Math.round(hub.position() ?? 0), queue } });
  },
  quit: () => { hub.leave('Done.'); setTimeout(() => process.exit(0), 50); },
};

hub.on('change', () => {
  if (hub.stoppedBy !== null) { say({ ended: hub.stoppedBy }); process.exit(1); }
});
// All rows are asked for: when the queue opens, after each connection, and where the head that is held is not all of it.
const whole = () => {
  const { rev, rows, length } = hub.queue;
  if (rev === null) hub.openQueue(0, 100); else if (rows.length < length) hub.readQueue({ from: rows.length, n: 100 });
};
if (hub.viewName !== 'watch') hub.on('live', whole).on('queue', whole);
hub.start();
const lines = createInterface({ input: process.stdin });
const unknown = line => answer(line, { ok: 0, err: { code: 'unknown', msg: 'This remote has no such button.' } });
lines.on('line', line => (presses[line.trim().split(' ')[0]] ?? unknown)(line.trim()));
lines.on('close', () => presses.quit());
