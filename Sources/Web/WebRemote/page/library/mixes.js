// Mixes: lists that the hub fills by a rule from what was heard. One is made when it is pressed first, and is a list
// like others then. It is found again by its rule, so whatever its name is and in whichever language it was made.

import { items, token } from '../../../../../examples/browser/client/baton-basics.js';
import { buzz, icon, make } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

const days = n => n * 864e5;
const mixes = [
  { name: 'unheard', sign: 'heart', rule: { all: [{ f: 'favourite', is: 'is', v: '1' },
    { f: 'playedDays', is: 'atLeast', v: '90' }], order: 'random', limit: 100 } },
  { name: 'never', sign: 'play', rule: { all: [{ f: 'plays', is: 'is', v: '0' }], order: 'random', limit: 100 } },
  { name: 'week', sign: 'shuffle', isOfWeek: true },
];
/** Holds for no track: this condition alone tells the mix of the week, whose genres change, from other lists. */
const ofWeek = { f: 'plays', is: 'atMost', v: '-1' };
const conditionsOf = rule => (rule?.all ?? rule?.any ?? []).map(({ f, is, v }) => `${f} ${is} ${v}`);
const written = rule => JSON.stringify([!!rule.any, conditionsOf(rule), rule.order, !!rule.desc, rule.limit]);
/** Whether this rule of a list is that of a mix. */
export const isOf = (mix, rule) => !!rule && (mix.isOfWeek
  ? conditionsOf(rule).includes(conditionsOf({ any: [ofWeek] })[0]) : written(rule) === written(mix.rule));
const titleOf = mix => t(`mixes.${mix.name}`), aboutOf = mix => t(`mixes.${mix.name}.about`);

export class Mixes {
  #hub; #say;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.element = make('section', { class: 'stripbox mixes' }, make('h2', {}, t('mixes.name')),
      make('ul', { class: 'strip', 'aria-label': t('mixes.name') },
      ...mixes.map(mix => make('li', { class: 'tile' },
        make('button', { class: 'row', 'data-needs': 'remote',
          'aria-label': t('mixes.open', { name: titleOf(mix), about: aboutOf(mix) }), onclick: () => this.#open(mix) },
        make('span', { class: 'art sign', 'aria-hidden': 'true' }, icon(mix.sign)),
          make('span', { class: 'texts' }, make('b', {}, titleOf(mix)), make('small', {}, aboutOf(mix))))))));
  }
  async #open(mix) {
    buzz();
    const kept = await this.#hub.ask('pl.list', {}),
      known = kept?.rows.find(list => isOf(mix, list.rule))
        ?? kept?.rows.find(list => list.smart && list.name === titleOf(mix));
    const rule = mix.isOfWeek ? await this.#weekRule() : mix.rule;
    if (!rule && !known) return this.#say(t('mixes.noGenres'));
    if (known && mix.isOfWeek && rule) await this.#hub.press('pl.edit', { id: known.id, ops: [{ rule }] },
      { key: token(6) });
    const res = known ? { ok: 1, d: known } : await this.#hub.press('pl.create', { name: titleOf(mix), rule },
      { key: token(6) });
    if (res.ok) location.hash = addressOf('lists', { list: res.d.id });
  }
  /** More of the genres of what was heard within a week; null where these are not known. */
  async #weekRule() {
    const heard = await this.#hub.ask('lib.history', { limit: 30 }), since = Date.now() - days(7), counts = new Map();
    const uris = [...new Set((heard?.rows ?? [])
      .filter(row => row.atMs > since && row.uri?.startsWith(items.shelf('').split('shelf')[0])).map(row => row.uri))]
      .slice(0, 12);
    for (const uri of uris) for (const genre of (await this.#hub.ask('lib.item', { uri }))?.genres ?? [])
      counts.set(genre, (counts.get(genre) ?? 0) + 1);
    const genres = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 5).map(([genre]) => genre);
    const any = [...genres.map(genre => ({ f: 'genre', is: 'is', v: genre })), ofWeek];
    return genres.length ? { any, order: 'random', limit: 100 } : null;
  }
}
