// Folders with music that the hub has found on its machine, each with a button that adds it to the library.

import { Keyed } from '../parts/keyed.js';
import { make, mark, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';

export class Found {
  #rows; #list;
  /** `add` gets the path that was pressed. */
  constructor(add) {
    this.#list = make('ul', { class: 'cards', 'aria-label': t('folders.found') });
    this.element = make('div', { class: 'more found', hidden: true }, make('h2', {}, t('folders.found')), this.#list);
    this.#rows = new Keyed(this.#list, { key: ({ path }) => path, make: folder => {
      const row = make('li', { class: 'card device', 'data-id': folder.path }, make('b', { dir: 'auto' }, folder.path),
        make('button', { class: 'small', 'data-do': 'addfound', onclick: () => add(folder.path) }, t('place.add')),
        make('small'));
      return this.#tell(row, folder);
    }, draw: (row, folder) => this.#tell(row, folder) });
  }
  #tell(row, { path, n }) {
    put(row.lastElementChild, t('count.files', { n: n ?? 0 }));
    mark(row.querySelector('button'), 'aria-label', t('folders.addThis', { path }));
    return row;
  }
  /** Those that the library has already, or that lie in one of its folders, are left out. */
  draw(found, folders) {
    const left = found.filter(({ path }) => !folders.some(folder => `${path}/`.startsWith(`${folder.path}/`)));
    this.element.hidden = !left.length;
    this.#rows.draw(left);
  }
}
