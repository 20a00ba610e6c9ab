// Mixes: what the hub finds by a rule that follows from what was heard. A press plays one; its menu shows what is in
// it, and keeps it as a playlist.

import { items, token } from '../../../../../examples/browser/client/baton-basics.js';
import { tile } from '../items/tile.js';
import { Keyed } from '../parts/keyed.js';
import { rowsNow } from './lastrows.js';
import { buzz, make, mark } from '../parts/parts.js';
import { actLine, linkLine, openSheet, styled } from '../parts/sheet.js';
import { artsOf } from './placehead.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

const coverWidth = 148, rowsToLookAt = 24, mostKept = 100;
/** What a playlist that keeps one is filled by; that of the week, whose genres change, keeps its tracks. */
const rules = {
  unheard: { all: [{ f: 'favourite', is: 'is', v: '1' }, { f: 'playedDays', is: 'atLeast', v: '90' }], order: 'random',
    limit: 100 },
  never: { all: [{ f: 'plays', is: 'is', v: '0' }], order: 'random', limit: 100 },
  week: null,
};
const titleOf = name => t(`mixes.${name}`);

export class Mixes {
  #hub; #say; #tiles;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    const list = make('ul', { class: 'strip', 'aria-label': t('mixes.name') });
    this.#tiles = new Keyed(list, { key: ({ name }) => name, make: mix => this.#tile(mix),
      after: () => { this.element.hidden = !list.firstChild } });
    list.onclick = event => {
      const button = event.target.closest('button'), mix = button?.closest('li').row;
      if (mix) this.#did(button.dataset.do, mix);
    };
    this.element = make('section', { class: 'stripbox mixes', hidden: true }, make('h2', {}, t('mixes.name')), list);
  }
  /** One in which there is nothing is not offered. Those that are shown stay where the hub does not answer. */
  async read() {
    const { live } = this.#hub, found = await Promise.all(Object.keys(rules).map(async name => {
      const d = await rowsNow(this.#hub, ['lib.browse', { node: items.mix(name), limit: rowsToLookAt }]);
      return d ? { name, n: d.rows.length, arts: artsOf(d.rows) } : this.#tiles.element(name)?.row;
    }));
    if (live !== this.#hub.live) return;
    this.#tiles.draw(found.filter(mix => mix && mix.n !== 0).map(({ name, arts }) => ({ name, arts })));
  }
  #tile({ name, arts }) {
    const title = titleOf(name), small = t(`mixes.${name}.about`);
    const element = tile(this.#hub, { uri: items.mix(name), kind: 'playlist', title },
      { width: coverWidth, small, arts: arts.length < 4 ? arts.slice(0, 1) : arts });
    mark(element.firstChild, 'aria-label', `${t('item.play', { title })}, ${small}`);
    mark(element.firstChild, 'data-needs', 'remote');
    return element;
  }
  async #did(what, { name }) {
    buzz();
    const title = titleOf(name);
    if (what === 'more') return this.#menu(name, title);
    const res = await this.#hub.press('play', { uri: items.mix(name) }, { key: token(6) });
    if (res.ok) this.#say(t('item.playsAll', { name: title }), 4000);
  }
  async #menu(name, title) {
    await styled();
    openSheet(title, linkLine(t('mixes.look'), 'lists', addressOf('library', { at: items.mix(name) })),
      this.#hub.said.pl ? actLine(t('mixes.keep'), 'lists', () => this.#keep(name, title), 'remote') : null);
  }
  async #keep(name, title) {
    const d = rules[name] ? null : await this.#hub.ask('lib.browse', { node: items.mix(name), limit: mostKept });
    if (!rules[name] && !d) return this.#say(t('hub.noAnswer'));
    const filled = rules[name] ? { rule: rules[name] } : { uris: d.rows.map(({ uri }) => uri) };
    const res = await this.#hub.press('pl.create', { name: title, ...filled }, { key: token(6) });
    if (res.ok) this.#say(t('mixes.kept', { name: title }), 4000);
  }
}
