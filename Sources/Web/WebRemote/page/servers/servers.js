// The sources in the settings: each account at a server with how it is. An admin adds, changes, tests and removes them;
// other roles only see them. What is shown comes with the section `src`, and what only admins may know from
// `source.list`.

import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, put } from '../parts/parts.js';
import { openServerMenu } from './servermenu.js';
import { openServerForm } from './serverform.js';
import { sourcesOf, titleOf } from './sources.js';
import { moment, stateOf } from './sourcewords.js';
import { number, t } from '../shell/translate.js';

/** How a source is, in a line of short facts. */
function facts(source) {
  return [
    source.sinceMs && source.state !== 'checking'
      ? t('server.since', { state: stateOf(source), when: moment(source.sinceMs) }) : stateOf(source),
    source.ms !== undefined && source.state === 'ok' ? t('server.ms', { n: source.ms }) : null,
    source.pending ? t('server.pending', { n: source.pending }) : null,
    source.refused ? t('server.refused', { n: source.refused }) : null,
  ].filter(Boolean).join(' · ');
}
/** The hub's copy of its rows, with which it is browsed and searched while it is away. */
function copyWords({ mirror }) {
  if (!mirror) return null;
  if (mirror.done !== undefined) return t('server.copying',
    { done: mirror.total ? t('time.of', { at: number(mirror.done), whole: number(mirror.total) }) : mirror.done });
  return [t('server.copied', { n: mirror.rows }), mirror.atMs ? moment(mirror.atMs) : null].filter(Boolean).join(', ');
}

export class Servers {
  #hub; #say; #list; #cards; #add; #drawn = ''; #known = null; #asking = false; #asked = ''; #isAdmin = false;
  #note = make('p', { class: 'note' });
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('sources.name') });
    this.#cards = new Keyed(this.#list, { key: ({ name }) => name, make: source => this.#card(source) });
    this.#add = make('button', { class: 'small', id: 'sourceadd',
      onclick: () => { buzz(); openServerForm(this.parts) } }, t('server.add'));
    this.element = make('div', { class: 'more', id: 'sources', hidden: true }, make('h2', {}, t('sources.name')),
      this.#list, this.#note);
  }
  /** What the form and the menu need. */
  get parts() { return { hub: this.#hub, say: this.#say, known: this.#known, renew: () => this.read() } }
  /** An account with what only an admin knows of it. */
  #account(name) { return this.#known?.sources.find(account => account.name === name) }

  opened() { this.read() }
  async read() {
    if (this.#hub.role !== 'admin' || this.#asking || !this.#hub.live || !this.#hub.has('servers')) return;
    this.#asking = true;
    const { ok, d } = await this.#hub.press('source.list', {}, { silent: true });
    this.#asking = false;
    // A hub that has no accounts shows nothing of them.
    this.#known = ok ? d : null;
    this.#drawn = '';
    this.draw();
  }
  draw() {
    const isAdmin = this.#hub.role === 'admin' && !!this.#known, list = sourcesOf(this.#hub);
    const names = list.map(source => source.name).join();
    if (isAdmin && this.#isAdmin && names !== this.#known.sources.map(account => account.name).join()
      && names !== this.#asked) {
      this.#asked = names;
      this.read();
    }
    this.#isAdmin = isAdmin;
    if (!isAdmin) this.#add.remove(); else if (!this.#add.parentNode) this.element.append(this.#add);
    this.element.hidden = !isAdmin && !list.length;
    const drawn = JSON.stringify([list, isAdmin]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#cards.draw(list.map(source => ({ ...source, isAdmin })));
    put(this.#note, list.length ? '' : t('sources.about'));
  }
  #card(source) {
    const { mirror } = source, isCopying = mirror?.done !== undefined,
      isWell = ['ok', 'checking'].includes(source.state), copy = copyWords(source);
    return make('li', { class: isWell ? 'card source' : 'card source away', 'data-name': source.name },
      make('b', { dir: 'auto' }, titleOf(source)),
      make('small', { class: 'state' }, facts(source)),
      source.msg && source.state !== 'disabled'
        ? make('small', { class: 'trouble', lang: 'en', dir: 'auto' }, source.msg) : null,
      copy ? make('small', {}, copy) : null,
      isCopying && mirror.total ? make('progress',
        { max: mirror.total, value: mirror.done, 'aria-label': t('server.copyingOf', { source: titleOf(source) }) })
        : null,
      source.isAdmin ? this.#button(source) : null);
  }
  #button({ name, title }) {
    const open = () => {
      buzz();
      const source = sourcesOf(this.#hub).find(source => source.name === name);
      if (source) openServerMenu(this.parts, source, this.#account(name) ?? source);
    };
    const label = t('item.more', { title: title || name });
    return make('button', { class: 'tool', 'data-source': name, 'aria-label': label, onclick: open }, icon('dots'));
  }
}
