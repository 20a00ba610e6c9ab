// Buttons that go on with a queue that a server keeps: “Continue: TITLE 2:13”. Shown where the queue is, and where
// nothing plays.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { Keyed } from '../parts/keyed.js';
import { $, buzz, make, spell } from '../parts/parts.js';
import { sourcesOf, titleOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';

const most = 2;

/** The queues that accounts keep at their servers, newest first; not the one that this room plays already. */
export function savedQueues(hub, view) {
  return sourcesOf(hub).filter(source => source.continue && source.state === 'ok'
    && !(view.entry && source.continue.title === view.title))
    .sort((a, b) => (b.continue.atMs ?? 0) - (a.continue.atMs ?? 0));
}
export const continueWords = source => t('continue.title',
  { title: source.continue.title, at: spell(source.continue.ms) });

/** The same offers at both of their places. */
export class Offers {
  #all;
  static open({ hub, say }) { return new Offers(hub, say) }
  constructor(hub, say) {
    this.inQueue = make('div', { class: 'resume', hidden: true });
    this.#all = [$('resume'), this.inQueue].map(element => new Continue(hub, say, element));
  }
  draw(view) { for (const one of this.#all) one.draw(view) }
}

class Continue {
  #hub; #offers;
  constructor(hub, say, element) {
    this.#hub = hub;
    this.#offers = new Keyed(element, { key: source => source.name, make: source => make('button', {
      class: 'small', 'data-source': source.name, 'data-needs': 'remote',
        'aria-label': `${continueWords(source)}, ${t('play.from', { name: titleOf(source) })}`,
      onclick: () => continueFrom(hub, say, source),
    }, make('b', { dir: 'auto' }, continueWords(source)),
      make('small', {}, t('continue.queueAt', { source: titleOf(source) }))),
    after: () => { element.hidden = !element.firstChild } });
  }
  draw(view) { this.#offers.draw(savedQueues(this.#hub, view).slice(0, most)) }
}

export async function continueFrom(hub, say, source) {
  buzz();
  const res = await hub.press('queue.continue', { source: source.name }, { key: token(6) });
  if (res.ok) say(t('continue.goesOn', { source: titleOf(source) }), 3000);
}
