// The folders of the library: an admin adds folders of the hub's machine, removes them, and starts scans.

import { field, twice, wrong } from '../parts/forms.js';
import { buzz, make, put } from '../parts/parts.js';
import { Found } from '../setup/found.js';
import { t } from '../shell/translate.js';
import { decimal } from '../shell/writing.js';

/** The result of the last scan, as a sentence. */
function told(report) {
  if (!report) return '';
  const parts = ['seen', 'read', 'moved', 'gone', 'failed'].filter(what => report[what] || what === 'seen')
    .map(what => t(`scan.${what}`, { n: report[what] ?? 0 }));
  const took = report.tookMs ? t('scan.took', { time: t('time.s', { seconds: decimal(report.tookMs / 1000, 1) }) })
    : null;
  return t(report.done ? 'scan.lastTime' : 'scan.soFar', { parts: [...parts, took].filter(Boolean).join(', ') });
}

export class Folders {
  #hub; #say; #list; #path; #holds; #report; #problems; #rev = null; #asking = false; #shown = ''; #found;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('folders.name') });
    this.#path = make('input', { maxlength: 4000, autocomplete: 'off', spellcheck: 'false', dir: 'ltr',
      placeholder: '/srv/music', 'data-at': 'folder', required: true, pattern: ' */.*',
      'data-wrong': t('folders.enter', { path: '/srv/music' }) });
    this.#holds = make('select', {}, make('option', { value: 'music' }, t('shelf.tracks')),
      make('option', { value: 'books' }, t('shelf.books')));
    this.#found = new Found(path => this.#do('lib.folder', { path, on: true }, t('folders.added')));
    this.#report = make('p', { class: 'note', role: 'status' });
    this.#problems = make('ul', { class: 'note' });
    this.element = make('div', { class: 'more folders', hidden: true },
      this.#found.element, make('h2', {}, t('folders.name')), this.#list,
      make('form', { class: 'pair', onsubmit: event => { event.preventDefault(); this.#add() } },
        field(t('kind.folder'), this.#path), field(t('folders.holds'), this.#holds),
        make('button', { class: 'small', 'data-do': 'add' }, t('place.add'))),
      make('button', { class: 'small', 'data-do': 'scan', onclick: () => this.#scan() }, t('folders.scan')),
        this.#report, this.#problems);
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
    if (found) this.#found.draw(found.found ?? [], found.folders ?? []);
    if (!found || this.#list.contains(document.activeElement)) return;
    const { folders = [], report } = found;
    // A scan tells the same folders many times, and a button that was pressed once waits for its second press.
    const shown = JSON.stringify(folders);
    if (shown !== this.#shown || !this.#list.children.length) this.#list.replaceChildren(...folders.length
      ? folders.map(folder => this.#card(folder)) : [make('li', { class: 'note' }, t('folders.none'))]);
    this.#shown = shown;
    put(this.#report, told(report));
    this.#problems.replaceChildren(...(report?.problems ?? []).slice(0, 20)
      .map(problem => make('li', { dir: 'auto', lang: 'en' }, problem)));
  }
  #card({ path, n, problem, holds }) {
    return make('li', { class: 'card device' }, make('b', { dir: 'auto' }, path),
      twice(t('remove'), t('tapAgain'), () => this.#do('lib.folder', { path, on: false }, t('folders.removed'))),
      make('small', { lang: problem ? 'en' : null }, problem ?? t(`count.${holds ?? 'tracks'}`, { n: n ?? 0 })));
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
    const path = this.#path.value.trim(), p = { path, on: true, holds: this.#holds.value };
    buzz();
    const { ok, err } = await this.#hub.press('lib.folder', p, { silent: true, ttl: 15000 });
    if (ok) {
      this.#say(t('folders.added'), 3000);
      this.#path.value = '';
    } else {
      wrong(this.#path, err?.code === 'not_found' ? t('folders.notThere', { path }) : err?.msg ?? t('hub.noAnswer'));
      this.#path.focus();
    }
    this.read();
  }
  #scan() { return this.#do('hub.scan', {}, t('folders.scanning')) }
}
