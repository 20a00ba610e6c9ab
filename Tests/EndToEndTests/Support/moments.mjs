// Whether the client for browsers reads the moments that a watch is told as the vectors say, and believes the right sample of the hub's
// clock. Its arguments are the folders of the client and of the vectors. BT-SEC-027 BT-CLK-006
import { readFileSync } from 'node:fs';

const [client, vectors] = process.argv.slice(2);
const { momentNear, shortMoment } = await import(`${client}/baton-basics.js`);
const { Clock } = await import(`${client}/baton-clock.js`);
const { watchView } = await import(`${client}/baton-watchview.js`);
const read = name => JSON.parse(readFileSync(`${vectors}/${name}.json`, 'utf8'));

const wrong = [];
const expect = (name, found, wanted) => { if (found !== wanted) wrong.push(`${name}: ${found}, and not ${wanted}`) };
for (const { name, l, durMs, hubMs, posMs } of read('timeline').watch) for (const rounds of [0, 7]) {
  const now = hubMs + rounds * 2 ** 31, { line } = watchView({ n: { i: 'q1' }, l }, 'main', false, now);
  const at = line.posMs + Math.max(0, now - line.atMs) * line.rate / 1000;
  expect(name, Math.min(at, durMs ?? Infinity), posMs);
}
for (const { name, view, pressedMs, sentMs, hubMs, sent, ct } of read('press').cases) {
  if (pressedMs === undefined || !sent || view !== 'watch') continue;
  expect(name, shortMoment(hubMs - (sentMs - pressedMs)), shortMoment(ct));
}
expect('a moment without a clock', momentNear(5, null), 5);
const { cases, toleranceUs } = read('clock');
for (const { name, exchanges, atUs, offsetUs } of cases) {
  const clock = new Clock();
  const at = us => { performance.now = () => us / 1000 };
  for (const { t1, t2, t3, t4 } of exchanges) { at(t4); clock.add(t1, t2, t3, t4) }
  at(atUs);
  const found = clock.hubMs === null ? null : clock.hubMs * 1000 - atUs;
  expect(name, found === offsetUs || Math.abs(found - offsetUs) <= toleranceUs, true);
}
console.log(wrong.length ? wrong.join('\n') : 'the moments are right');
process.exit(wrong.length ? 1 : 0);
