// Whether the client for browsers waits as long as the hub asks, also when the connection ends meanwhile, and sends the press once.
// Its argument is the folder of the client. BT-RTY-007
const { HubCore } = await import(`${process.argv[2]}/baton-core.js`);
const pause = ms => new Promise(done => setTimeout(done, ms));

/** A hub of one room, which keeps each command that it gets with its moment; `refuse` is told each of them. */
class Connection {
  static all = [];
  readyState = 1;
  commands = [];
  constructor() { Connection.all.push(this); setTimeout(() => this.onopen()) }
  say(message) { this.onmessage({ data: JSON.stringify(message) }) }
  send(text) {
    const message = JSON.parse(text);
    if (message.t === 'hello') {
      const stamps = { t1: message.t1, t2: 5e6, t3: 5e6 };
      this.say({ t: 'welcome', core: '1.0', epoch: 'e', boot: 'b', role: 'remote', features: [], pace: [20, 30000], ...stamps });
      this.say({ t: 'state', full: 1, rev: 1, room: 'main', s: {} });
    }
    if (message.t === 'cmd') this.commands.push({ ...message, at: performance.now() });
  }
  refuse({ id }, afterMs) { this.say({ t: 'res', id, ok: 0, err: { code: 'rate_limited', retry: 1, msg: 'Wait.', afterMs } }) }
  close() { this.readyState = 3 }
}

const wrong = [];
const expect = (name, found, wanted) => { if (found !== wanted) wrong.push(`${name}: ${found}, and not ${wanted}`) };
const hub = new HubCore({ url: 'ws://hub', open: () => new Connection() });
hub.start();
await pause(50);

// The connection ends while the press waits; the next one is there long before its time.
const { all } = Connection, put = hub.press('queue.clear', {}, { key: 'k1', silent: true });
const refusedAt = performance.now();
all[0].refuse(all[0].commands[0], 1500);
all[0].onclose({ code: 1006 });
await pause(700);
expect('connections', all.length, 2);
expect('commands before the time', all[1]?.commands.length, 0);
await pause(1300);
expect('commands', all[1].commands.length, 1);
expect('its key', all[1].commands[0]?.k, 'k1');
expect('whether it waited', all[1].commands[0]?.at - refusedAt >= 1490, true);
all[1].say({ t: 'res', id: all[1].commands[0]?.id, ok: 1, st: 'applied', rev: 1 });
expect('the answer', (await put).st, 'applied');

// A hub that has put a press off is there, so that its connection stays when the time of the press is over.
const late = hub.press('queue.clear', {}, { key: 'k2', silent: true, ttl: 400 });
all[1].refuse(all[1].commands[1], 100);
expect('the answer that does not come', (await late).err?.code, 'timeout');
await pause(50);
expect('whether the connection stays', hub.live, true);
console.log(wrong.length ? wrong.join('\n') : 'it waits as it is asked to');
process.exit(wrong.length ? 1 : 0);
