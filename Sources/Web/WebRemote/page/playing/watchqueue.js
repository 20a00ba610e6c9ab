// What comes next, on a watch: three entries of the queue, each of which plays at a tap; and what plays, on the watch
// alone.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { mayCarry } from '../carrying/carried.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const most = 3;

export class WatchQueue {
  #hub; #close; #next; #told = ''; #heading; #only; #current = null;
  /** `say` says sentences; `close` closes the menu, and `left` is called when another sheet takes its place. */
  constructor(hub, say, { close, left }) {
    [this.#hub, this.#close] = [hub, close];
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
    this.element = make('div', {}, this.#heading, list, make('button', { class: 'small', onclick: async () => {
      buzz();
      const { openListening } = await import('../listening/listening.js');
      left();
      openListening(hub, say);
    } }, t('listen.name')), this.#only,
    make('button', { class: 'small', hidden: !mayCarry(), onclick: async () => {
      buzz();
      const { openCarried } = await import('../carrying/alone.js');
      left();
      openCarried(hub, say);
    } }, t('carried.name')));
    this.#show([]);
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
  /** Asked again when the queue is another, or something else plays. */
  async draw() {
    const { queue } = this.#hub.said, told = JSON.stringify([queue?.rev, queue?.idx, this.#hub.room]);
    if (told === this.#told || !this.#hub.live) return;
    this.#told = told;
    const from = queue?.idx ?? 0,
      found = queue?.len ? await this.#hub.ask('queue.get', { from, n: most + 1 }) : null;
    if (told !== this.#told) return;
    // Without an answer it is asked again.
    if (!found && queue?.len) this.#told = '';
    else this.#show(found?.rows ?? []);
  }
  #show([current = null, ...next]) {
    this.#current = current;
    this.#heading.hidden = !next.length;
    this.#only.hidden = !current?.uri || current.kind === 'station';
    this.#next.draw(next);
  }
}
