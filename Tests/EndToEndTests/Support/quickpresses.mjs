// What the client for browsers makes of quick presses of next on a slow network, and of messages that it cannot read.
// Its argument is the folder of the client. BT-HS-009
const { HubCore } = await import(`${process.argv[2]}/baton-core.js`);
const pause = ms => new Promise(done => setTimeout(done, ms));

/** A hub with entries e0, e1, …, which answers when it is told to. */
class Slow {
  static at = 0;
  static rev = 1;
  readyState = 1;
  commands = [];
  constructor() { Slow.last = this; setTimeout(() => this.onopen()) }
  say(message) { this.onmessage({ data: JSON.stringify(message) }) }
  send(text) {
    const message = JSON.parse(text);
    if (message.t === 'hello') {
      const stamps = { t1: message.t1, t2: 5e6, t3: 5e6 };
      this.say({ t: 'welcome', core: '1.0', epoch: 'e', boot: 'b', role: 'remote', features: [], pace: [20, 30000], ...stamps });
      this.say({ t: 'state', full: 1, rev: Slow.rev, room: 'main', s: Slow.sections });
    }
    if (message.t === 'cmd') this.commands.push(message);
  }
  static get sections() {
    // The moment at which the entry became current.
    const sinceUs = Math.round(hub.clock.hubMs * 1000);
    return { now: { entry: `e${Slow.at}`, sinceUs }, queue: { next: Slow.isLast ? undefined : `e${Slow.at + 1}`, nextText: 'Next' } };
  }
  /** Carries out the oldest command that waits, as a hub does; `refuse` is an error instead. */
  answer(refuse) {
    if (!this.commands.length) return;
    const { id, p } = this.commands.shift();
    if (refuse) return this.say({ t: 'res', id, ok: 0, err: refuse });
    if (p.from !== `e${Slow.at}`) return this.say({ t: 'res', id, ok: 1, st: 'noop', why: 'moved' });
    Slow.at += p.n ?? 1;
    this.say({ t: 'state', rev: ++Slow.rev, from: Slow.rev - 1, s: Slow.sections });
    this.say({ t: 'res', id, ok: 1, st: 'applied', rev: Slow.rev });
  }
  close() { this.readyState = 3 }
}

const wrong = [];
const expect = (name, found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push(`${name}: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`);
};
const hub = new HubCore({ url: 'ws://hub', open: () => new Slow() });
hub.start();
await pause(50);
const slow = Slow.last, said = () => slow.commands.map(({ p }) => p);

// Five presses at once are five entries: two are sent, and three wait for both answers. They are sent as one, as old as the first of them.
const five = Array.from({ length: 5 }, () => hub.skip('next')), pressedAt = hub.clock.hubMs;
await pause(150);
expect('what is sent at once', said(), [{ from: 'e0' }, { from: 'e1' }]);
slow.answer();
expect('what is sent after one answer', said(), [{ from: 'e1' }]);
slow.answer();
expect('what is sent after both', said(), [{ from: 'e2', n: 3 }]);
expect('when they were pressed', Math.abs(slow.commands[0].ct - pressedAt) < 50, true);
const late = hub.skip('next');
slow.answer();
expect('what came while the last one waited', said(), [{ from: 'e5', n: 1 }]);
slow.answer();
expect('the answers', (await Promise.all([...five, late])).map(res => res?.st), Array(6).fill('applied'));
expect('where the hub is', Slow.at, 6);

// What waits for a press that another person was faster than, or that is refused, is not sent.
for (const [name, refuse] of [['another was faster', null], ['it is refused', { code: 'internal', retry: 1, msg: 'No.' }]]) {
  const three = Array.from({ length: 3 }, () => hub.skip('next')), at = Slow.at;
  if (!refuse) Slow.at += 1;
  slow.answer(refuse);
  if (!refuse) slow.say({ t: 'state', rev: ++Slow.rev, from: Slow.rev - 1, s: Slow.sections });
  expect(`the one that waited when ${name}`, await three[2], null);
  slow.answer();
  await Promise.all(three);
  expect(`what is sent when ${name}`, said(), []);
  expect(`where the hub is when ${name}`, Slow.at - at, refuse ? 0 : 2);
}

// Where nobody knows what comes next, and while the first one has to wait, the second one waits too.
for (const name of ['nothing is next', 'the first one waits']) {
  Slow.isLast = name === 'nothing is next';
  slow.say({ t: 'state', rev: ++Slow.rev, from: Slow.rev - 1, s: Slow.sections });
  const first = hub.skip('next'), at = Slow.at;
  if (!Slow.isLast) slow.answer({ code: 'busy', retry: 1, afterMs: 100, msg: 'Wait.' });
  const second = hub.skip('next');
  await pause(150);
  expect(`what is sent when ${name}`, said(), [{ from: `e${at}` }]);
  slow.answer();
  expect(`what is sent behind it when ${name}`, said(), [{ from: `e${at + 1}`, n: 1 }]);
  slow.answer();
  expect(`the answers when ${name}`, (await Promise.all([first, second])).map(res => res.st), ['applied', 'applied']);
}

// A second prev, whose effect nobody has seen yet, is the first one.
hub.skip('prev');
expect('the second prev', await hub.skip('prev'), null);
expect('next behind it', await hub.skip('next'), null);
expect('how often it is sent', said().length, 1);
slow.answer();

for (const data of ['{"t":"state",', '', 'null', '7', '[]', '"state"', '{}']) slow.onmessage({ data });
slow.onmessage({ data: {} });
slow.say({ t: 'state', rev: ++Slow.rev, from: Slow.rev - 1, s: { vol: { level: 44 } } });
expect('the level behind what cannot be read', hub.view().level, 44);
console.log(wrong.length ? wrong.join('\n') : 'each press counts');
process.exit(wrong.length ? 1 : 0);
