// Mixes: lists that the hub fills by a rule from what was heard. One is made when it is pressed first, and is a list like others then.

import { items, token } from './baton.js';
import { buzz, icon, make } from './parts.js';
import { addressOf } from './route.js';

const days = n => n * 864e5;
const mixes = [
  { name: 'Favourites, long unheard', about: 'not heard for 90 days', sign: 'heart', rule: { all: [{ f: 'favourite', is: 'is', v: '1' }, { f: 'playedDays', is: 'atLeast', v: '90' }], order: 'random', limit: 100 } },
  { name: 'Never heard', about: 'added, and not played yet', sign: 'play', rule: { all: [{ f: 'plays', is: 'is', v: '0' }], order: 'random', limit: 100 } },
  { name: 'More of this week', about: 'the genres you heard', sign: 'shuffle', isOfWeek: true },
];

export class Mixes {
  #hub; #say;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.element = make('section', { class: 'stripbox mixes' }, make('h2', {}, 'Mixes'), make('ul', { class: 'strip', 'aria-label': 'Mixes' },
      ...mixes.map(mix => make('li', { class: 'tile' }, make('button', { class: 'row', 'aria-label': `Open the mix ${mix.name}: ${mix.about}`, onclick: () => this.#open(mix) },
        make('span', { class: 'art', 'aria-hidden': 'true' }, icon(mix.sign)), make('span', { class: 'texts' }, make('b', {}, mix.name), make('small', {}, mix.about)))))));
  }
  async #open(mix) {
    buzz();
    const kept = await this.#hub.ask('pl.list', {}), known = kept?.rows.find(list => list.smart && list.name === mix.name);
    const rule = mix.isOfWeek ? await this.#weekRule() : mix.rule;
    if (!rule && !known) return this.#say('Nothing with a genre was heard this week.');
    if (known && mix.isOfWeek && rule) await this.#hub.press('pl.edit', { id: known.id, ops: [{ rule }] }, { key: token(6) });
    const res = known ? { ok: 1, d: known } : await this.#hub.press('pl.create', { name: mix.name, rule }, { key: token(6) });
    if (res.ok) location.hash = addressOf('lists', { list: res.d.id });
  }
  /** More of the genres of what was heard within a week; null where these are not known. */
  async #weekRule() {
    const heard = await this.#hub.ask('lib.history', { limit: 30 }), since = Date.now() - days(7), counts = new Map();
    const uris = [...new Set((heard?.rows ?? []).filter(row => row.atMs > since && row.uri?.startsWith(items.shelf('').split('shelf')[0])).map(row => row.uri))].slice(0, 12);
    for (const uri of uris) for (const genre of (await this.#hub.ask('lib.item', { uri }))?.genres ?? []) counts.set(genre, (counts.get(genre) ?? 0) + 1);
    const genres = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 5).map(([genre]) => genre);
    return genres.length ? { any: genres.map(genre => ({ f: 'genre', is: 'is', v: genre })), order: 'random', limit: 100 } : null;
  }
}
