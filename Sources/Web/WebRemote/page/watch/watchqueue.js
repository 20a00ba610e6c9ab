// What comes next, on a watch: three entries of the queue, each of which plays at a tap; and what plays, on the watch
// alone.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { OpenQueue } from '../../../../../examples/browser/client/baton-queue.js';
import { mayCarry } from '../carrying/carried.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const most = 3;

export class WatchQueue {
  #hub; #close; #next; #kept; #asked = ''; #heading; #only; #current = null;
  /** `say` says sentences; `close` closes the menu, and `left` is called when another sheet takes its place. */
  constructor(hub, say, { close, left }) {
    [this.#hub, this.#close, this.#kept] = [hub, close, new OpenQueue(hub)];
    this.#kept.on(() => this.#show());
    const list = make('div');
    this.#heading = make('h2', {}, t('queue.next'));
    this.#next = new Keyed(list, { key: row => row.entry, make: row => this.#row(row) });
    this.#only = make('button', { class: 'small', 'data-needs': 'remote', onclick: async () => {
      buzz();
      close();
      const { uri, title } = this.#current, posMs = Math.round(hub.position() ?? 0),
        { playOnlyHere } = await import('../listening/onlyhere.js');
      playOnlyHere(hub, say, { uri, ...posMs ? { posMs } : {} }, title ?? t('item.untitled'));
    } }, t('only.name'));
    const listen = make('button', { class: 'small', hidden: !hub.has('listening'), onclick: async () => {
      buzz();
      const { openListening } = await import('../listening/listening.js');
      left();
      openListening(hub, say);
    } }, t('listen.name'));
    this.element = make('div', {}, this.#heading, list, listen, this.#only,
    make('button', { class: 'small', hidden: !mayCarry(), onclick: async () => {
      buzz();
      const { openCarried } = await import('../carrying/alone.js');
      left();
      openCarried(hub, say);
    } }, t('carried.name')));
  }
  #row(row) {
    const text = make('span', { dir: 'auto' });
    put(text, [row.title ?? t('item.untitled'), row.artists?.[0]].filter(Boolean).join(' – '));
    return make('button', { class: 'small', 'data-needs': 'remote', onclick: () => {
      buzz();
      this.#hub.press('jump', { entry: row.entry }, { kind: 'skip', key: token(4) });
      this.#close();
    } }, text);
  }
  draw() { if (this.#hub.live) this.#show() }
  /** What the hub refused, or was of another room, is asked for again by the next drawing. */
  async #ask(first, unknown, count) {
    const isThere = await (unknown ? this.#kept.read({ from: first + unknown, n: count - unknown })
      : this.#kept.open(first, count));
    if (!isThere) this.#asked = '';
  }
  /** The menu is closed, so that the hub need not tell the queue any more. */
  end() {
    this.#asked = '';
    this.#kept.close();
  }
  #show() {
    const { copy } = this.#kept, { room, said } = this.#hub, first = said.queue?.idx ?? 0;
    const count = copy.rev === null ? most + 1 : Math.max(0, Math.min(most + 1, copy.length - first));
    const places = Array.from({ length: count }, (_, n) => copy.rows[first + n]);
    const unknown = places.findIndex(row => !row?.kind), rows = unknown < 0 ? places : places.slice(0, unknown);
    // Once for each state of the queue, and for the rows that did not fit into an answer.
    const asked = unknown < 0 ? '' : `${room} ${copy.rev} ${first} ${unknown}`, isNew = asked && asked !== this.#asked;
    this.#asked = asked;
    if (isNew) this.#ask(first, unknown, count);
    const [current = null, ...next] = rows;
    this.#current = current;
    this.#heading.hidden = !next.length;
    this.#only.hidden = !current?.uri || current.kind === 'station' || !this.#hub.has('listening');
    this.#next.draw(next);
  }
}
