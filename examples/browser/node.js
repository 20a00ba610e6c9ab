// baton.js for Node: the same module and the same names. Node 22 and newer have a WebSocket; for older ones the package
// `ws` is needed (Debian: node-ws, or `npm install ws`).
//
//   import { Hub } from 'baton-remote';
//   const hub = new Hub({ url: 'ws://127.0.0.1:9442/baton', name: 'A script' });
//   hub.on('live', () => hub.skip('next')).start();
import { webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';
import { Hub as BrowserHub } from './baton.js';

export * from './baton.js';

globalThis.crypto ??= webcrypto;

/** The class of package `ws`, from where Node looks for packages or from where Debian keeps it. */
function stock() {
  const load = createRequire(import.meta.url);
  for (const name of ['ws', '/usr/share/nodejs/ws']) {
    try { return load(name) } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error }
  }
  throw new Error('This version of Node has no WebSocket: install the package “ws” (on Debian: node-ws), or use Node 22 or newer.');
}

/** A WebSocket of package `ws` that ends as a browser's does, but says with which HTTP status it was refused, and when to retry. */
function dial(url, protocol) {
  const socket = new (stock())(url, protocol, { perMessageDeflate: false });
  const made = { send: text => socket.send(text), close: () => socket.close(), get readyState() { return socket.readyState } };
  const end = (code, retryAfterMs = 0) => { made.onclose?.({ code, retryAfterMs }); made.onclose = null };
  socket.on('unexpected-response', (request, response) => {
    const seconds = [429, 503].includes(response.statusCode) ? Number(response.headers['retry-after']) : 0;
    request.destroy();
    end(response.statusCode, (seconds || 0) * 1000);
  });
  // The event `close` follows each error; an error without a listener would end the program.
  socket.on('error', () => {});
  socket.on('open', () => made.onopen?.());
  socket.on('message', (data, isBinary) => { if (!isBinary) made.onmessage?.({ data: data.toString() }) });
  socket.on('close', code => end(code));
  return made;
}

export class Hub extends BrowserHub {
  constructor(options) { super({ ...globalThis.WebSocket ? {} : { open: dial }, ...options }) }
}
