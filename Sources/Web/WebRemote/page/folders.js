// The folders of the library: an admin adds folders of the hub's machine, removes them, and starts scans.

import { field, twice } from './forms.js';
import { buzz, make, put } from './parts.js';

const many = (n, one, more = `${one}s`) => `${(n ?? 0).toLocaleString('en')} ${n === 1 ? one : more}`;

/** The result of the last scan, as a sentence. */
function told(report) {
  if (!report) return '';
  const parts = [`${many(report.seen, 'file')} seen`, report.read && `${many(report.read, 'file')} read`, report.moved && `${report.moved} moved`,
    report.gone && `${report.gone} gone`, report.failed && `${report.failed} could not be read`].filter(Boolean);
  return `${report.done ? 'Last time' : 'So far'}: ${parts.join(', ')}${report.tookMs ? `, in ${(report.tookMs / 1000).toFixed(1)} s` : ''}.`;
}

export class Folders {
  #hub; #say; #list; #path; #report; #problems; #rev = null; #asking = false;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': 'Library folders' });
    this.#path = make('input', { maxlength: 4000, autocomplete: 'off', spellcheck: 'false', placeholder: '/srv/music', 'data-at': 'folder' });
    this.#report = make('p', { class: 'note', role: 'status' });
    this.#problems = make('ul', { class: 'note' });
    this.element = make('div', { class: 'more folders', hidden: true },
      make('h2', {}, 'Library folders'), this.#list,
      make('form', { class: 'pair', onsubmit: event => { event.preventDefault(); this.#add() } },
        field('Folder', this.#path), make('button', { class: 'small', 'data-do': 'add' }, 'Add')),
      make('button', { class: 'small', 'data-do': 'scan', onclick: () => this.#scan() }, 'Look for changes now'), this.#report, this.#problems);
  }
  draw() {
    const lib = this.#hub.said.lib, rev = lib && `${lib.rev} ${!!lib.scan}`;
    if (rev === this.#rev || !this.#hub.live) return;
    this.#rev = rev;
    this.read();
  }
  async read() {
    if (this.#asking) return;
    this.#asking = true;
    const found = await this.#hub.ask('lib.folders', {});
    this.#asking = false;
    // A hub without a library has no folders.
    this.element.hidden = !found;
    if (!found || this.#list.contains(document.activeElement)) return;
    const { folders = [], report } = found;
    this.#list.replaceChildren(...folders.length ? folders.map(folder => this.#card(folder)) : [make('li', { class: 'note' }, 'No folder yet.')]);
    put(this.#report, told(report));
    this.#problems.replaceChildren(...(report?.problems ?? []).slice(0, 20).map(problem => make('li', { dir: 'auto' }, problem)));
  }
  #card({ path, n, problem }) {
    return make('li', { class: 'card device' }, make('b', { dir: 'auto' }, path),
      twice('Remove', 'Tap again', () => this.#do('lib.folder', { path, on: false }, 'Removed from the library. The files stay where they are.')),
      make('small', {}, problem ?? many(n, 'track')));
  }
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p);
    if (res.ok) this.#say(done, 3000);
    this.#list.contains(document.activeElement) && document.activeElement.blur();
    this.read();
    return res;
  }
  async #add() {
    const path = this.#path.value.trim();
    if (!path) return this.#say('Enter the path of a folder, such as /srv/music.');
    const res = await this.#do('lib.folder', { path, on: true }, 'Added. Its music appears as it is read.');
    if (res.ok) this.#path.value = '';
  }
  #scan() { return this.#do('hub.scan', {}, 'Looking for changes.') }
}
