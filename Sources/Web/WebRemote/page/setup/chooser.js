// A folder of the hub's machine is chosen instead of typed: an admin looks into folders, beginning with those below
// which some may be added, and adds the one that is shown.

import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, mark, put } from '../parts/parts.js';
import { closeSheet, openForm } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

class Chooser {
  /** Paths of the folders on the way to the one that is shown; null until the first answer. */
  #way = null;
  #hub; #add; #turn = 0; #left = null; #isFirst = true;
  #name = make('p', { class: 'name', role: 'status', dir: 'auto' });
  #back = make('button', { class: 'tool', type: 'button', 'data-do': 'back', 'aria-label': t('place.back'),
    onclick: () => { buzz(); this.look(this.#way.slice(0, -1)) } }, icon('into'));
  #head = make('div', { class: 'seek', hidden: true }, this.#back, this.#name);
  #list = make('ul', { class: 'rows still', 'aria-label': t('shelf.folders') });
  #rows = new Keyed(this.#list, { key: ({ path }) => path, make: row => this.#row(row), after: () => this.#lead() });
  #note = make('p', { class: 'note', role: 'status', dir: 'auto' }, t('asking'));
  #again = make('button', { class: 'small', type: 'button', hidden: true, 'data-do': 'again' }, t('tryAgain'));
  #done = make('button', { class: 'small', hidden: true, 'data-do': 'addthis' }, t('folders.addIt'));
  element = make('form', { class: 'more choose', onsubmit: event => { event.preventDefault(); this.#submit() } },
    this.#head, this.#list, this.#note, this.#again, this.#done);
  constructor(hub, add) { [this.#hub, this.#add] = [hub, add] }

  /** Shows what is inside of the last folder of `way`; with none, the folders at which looking begins. */
  async look(way) {
    const turn = ++this.#turn, path = way.at(-1) ?? '/';
    mark(this.#list, 'aria-busy', 'true');
    const { ok, d, err } = await this.#hub.press('lib.folders', { in: path }, { silent: true, ttl: 15000 });
    if (turn !== this.#turn) return;
    mark(this.#list, 'aria-busy', null);
    this.#again.hidden = !!ok;
    this.#again.onclick = () => { buzz(); this.look(way) };
    if (!ok) return put(this.#note, err?.msg ?? t('hub.noAnswer'));
    this.#left = this.#way?.[way.length] ?? null;
    this.#way = way;
    this.#draw(path, d);
  }
  #draw(path, { inside, more, folders = [] }) {
    const isRoot = !this.#way.length;
    const isIn = !isRoot && folders.some(folder => `${path}/`.startsWith(`${folder.path}/`));
    this.#head.hidden = isRoot;
    put(this.#name, isRoot ? '' : path);
    this.#done.hidden = isRoot || isIn;
    // A hub that does not know how to look has no folders inside.
    const words = inside ? isIn ? 'folders.isIn' : more ? 'folders.moreInside' : inside.length ? null
      : isRoot ? 'folders.noneToChoose' : 'folders.noneInside' : 'folders.enter';
    put(this.#note, words ? t(words, { path: '/srv/music' }) : '');
    this.#rows.draw(inside ?? []);
  }
  #row({ path, n }) {
    const way = [...this.#way, path], name = this.#way.length ? path.slice(path.lastIndexOf('/') + 1) : path;
    return make('li', {}, make('button',
      { class: 'row', type: 'button', 'data-do': 'look', 'data-id': path, onclick: () => { buzz(); this.look(way) } },
      make('span', { class: 'art sign thumb' }, icon('folder')),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, name)),
      make('span', { class: 'length' }, n ? t('count.files', { n }) : '')));
  }
  /** The keyboard goes on from the folder that was left, from the way back, or from the first folder. */
  #lead() {
    const hand = document.activeElement, isLost = hand === document.body || hand === this.#back && this.#head.hidden;
    if (isLost || this.#isFirst) {
      const first = this.#left ? this.#rows.element(this.#left) : null;
      const next = first ?? (this.#head.hidden ? this.#rows.elements[0] : null);
      (next?.firstElementChild ?? (this.#head.hidden ? null : this.#back))?.focus();
    }
    if (!this.#left) this.#list.scrollTop = 0;
    this.#isFirst = false;
  }
  /** A second press before the answer does nothing. */
  async #submit() {
    if (this.element.hasAttribute('aria-busy')) return;
    mark(this.element, 'aria-busy', 'true');
    const { ok } = await this.#add(this.#way.at(-1));
    mark(this.element, 'aria-busy', null);
    if (ok && this.element.isConnected) closeSheet();
  }
}

/** `add` gets the path that was chosen, and gives back the hub's answer. */
export function openChooser(hub, add) {
  const chooser = new Chooser(hub, add);
  openForm(t('folders.choose'), chooser.element);
  chooser.look([]);
}
