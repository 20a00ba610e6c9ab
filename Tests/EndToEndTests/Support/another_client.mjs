// An independent client on Debian's node-ws, with nothing of ours. Greets a hub, sends a command, asks for the clock, and prints
// what it saw as one line of JSON. Usage: another_client.mjs URL
import { createRequire } from 'node:module';

const WebSocket = createRequire(import.meta.url)('/usr/share/nodejs/ws');
const socket = new WebSocket(process.argv[2], 'baton.v1', { perMessageDeflate: true });
const seen = [];
const say = message => socket.send(JSON.stringify(message));
const script = {
  open: () => say({ t: 'hello', core: '1.0', view: 'remote', client: { id: 'node-stranger', name: 'Node' } }),
  state: () => say({ t: 'cmd', id: 1, m: 'vol.set', p: { level: 42 } }),
  res: () => say({ t: 'time', t1: 7 }),
  time: () => { socket.ping(); say({ t: 'bye' }); },
};
let done = new Set();
const step = name => { if (!done.has(name)) { done.add(name); script[name]?.(); } };

socket.on('open', () => step('open'));
socket.on('message', (data, isBinary) => {
  const message = JSON.parse(data);
  seen.push(isBinary ? 'binary' : message.t);
  step(message.t);
});
socket.on('close', code => console.log(JSON.stringify({ seen, code, extensions: socket.extensions, protocol: socket.protocol })));
socket.on('error', error => { console.error(error.message); process.exitCode = 1; });
