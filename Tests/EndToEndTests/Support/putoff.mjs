// Whether the client for browsers waits as long as the hub asks, also when the connection ends meanwhile, and sends the press once, and
// which presses it drops for a newer one. Its argument is the folder of the client. BT-RTY-007 BT-RTY-018
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
  refuse({ id }, afterMs, code = 'rate_limited') { this.say({ t: 'res', id, ok: 0, err: { code, retry: 1, msg: 'Wait.', afterMs } }) }
  apply({ id }) { this.say({ t: 'res', id, ok: 1, st: 'applied', rev: 1 }) }
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

// Only two codes ask to wait.
const [, link] = all, said = () => link.commands.splice(0), told = [];
const tell = (name, press) => press.then(res => told.push(`${name} ${res.why ?? res.st ?? res.err.code}`));
said();
for (const code of ['timeout', 'internal', 'unavailable']) {
  tell(code, hub.press('mode.set', { repeat: true }, { silent: true }));
  link.refuse(said()[0], 100, code);
}
await pause(250);
expect('refusals that are told at once', told.splice(0).join(), 'timeout timeout,internal internal,unavailable unavailable');
expect('what is sent again after them', said().length, 0);

// While one waits others go, and a newer one of its kind takes its place, in the same room.
const [paused, elsewhere] = [hub.press('pause'), hub.press('pause', {}, { room: 'other' })];
for (const [name, press] of [['pause', paused], ['elsewhere', elsewhere]]) tell(name, press);
for (const command of said()) link.refuse(command, 300, 'busy');
tell('mode', hub.press('mode.set', { repeat: true }));
tell('play', hub.press('play'));
for (const command of said()) link.apply(command);
await pause(450);
expect('what comes of them', told.splice(0).join(), 'pause newer,mode applied,play applied');
const waited = said();
expect('what is sent after the wait', waited.map(({ m, room }) => `${m} ${room}`).join(), 'pause other');
link.apply(waited[0]);
await pause(10);
expect('what comes of that', told.splice(0).join(), 'elsewhere applied');

// One that is refused behind a newer one does not come after it.
tell('play', hub.press('play'));
tell('toggle', hub.press('toggle', { want: 'paused' }));
const [play, toggle] = said();
link.apply(toggle);
link.refuse(play, 100);
await pause(250);
expect('what comes of both', told.splice(0).join(), 'toggle applied,play newer');
expect('what is sent behind the newer one', said().length, 0);

// Of levels only the newest is sent again, after a wait and on another connection.
tell('10', hub.press('vol.set', { level: 10 }));
link.refuse(said()[0], 200);
tell('20', hub.press('vol.set', { level: 20 }));
tell('30', hub.press('vol.set', { level: 30 }));
const [twenty] = said();
link.refuse(twenty, 100);
await pause(350);
expect('what comes of the older levels', told.splice(0).join(), '10 newer,20 newer');
expect('which levels are sent again', said().length, 0);
link.onclose({ code: 1006 });
await pause(900);
expect('which levels are sent on another connection', all[2]?.commands.filter(({ m }) => m === 'vol.set').map(({ p }) => p.level).join(), '30');
tell('40', hub.press('vol.set', { level: 40 }));
all[2].onclose({ code: 1006 });
await pause(1500);
expect('what comes of the one that was on its way', told.splice(0).join(), '30 newer');
expect('which level is sent then', all[3]?.commands.filter(({ m }) => m === 'vol.set').map(({ p }) => p.level).join(), '40');
console.log(wrong.length ? wrong.join('\n') : 'it waits as it is asked to');
process.exit(wrong.length ? 1 : 0);
