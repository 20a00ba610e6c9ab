// The folders of the library: an admin adds folders of the hub's machine, removes them, and starts scans.

import { field, twice, wrong } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
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

/** A disk may take its time. */
const slow = { ttl: 15000 };

export class Folders {
  #hub; #say; #list; #cards; #path; #holds; #report; #problems; #rev = null; #asking = false; #found;
  #note = make('p', { class: 'note' });
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('folders.name') });
    this.#cards = new Keyed(this.#list, { key: ({ path }) => path, make: folder => this.#card(folder) });
    this.#path = make('input', { maxlength: 4000, autocomplete: 'off', spellcheck: 'false', dir: 'ltr',
      placeholder: '/srv/music', 'data-at': 'folder', required: true, pattern: ' */.*',
      'data-wrong': t('folders.enter', { path: '/srv/music' }) });
    this.#holds = make('select', {}, make('option', { value: 'music' }, t('shelf.tracks')),
      make('option', { value: 'books' }, t('shelf.books')));
    this.#found = new Found(path => this.#take(path));
    this.#report = make('p', { class: 'note', role: 'status' });
    const problems = make('ul', { class: 'note' });
    this.#problems = new Keyed(problems, { key: problem => problem,
      make: problem => make('li', { dir: 'auto', lang: 'en' }, problem) });
    this.element = make('div', { class: 'more folders', hidden: true },
      this.#found.element, make('h2', {}, t('folders.name')), this.#list, this.#note,
      make('button', { class: 'small', 'data-do': 'choose', onclick: () => this.#choose() }, t('folders.chooseOther')),
      make('form', { class: 'pair', onsubmit: event => { event.preventDefault(); this.#add() } },
        field(t('kind.folder'), this.#path), field(t('folders.holds'), this.#holds),
        make('button', { class: 'small', 'data-do': 'add' }, t('place.add'))),
      make('button', { class: 'small', 'data-do': 'scan', onclick: () => this.#scan() }, t('folders.scan')),
        this.#report, problems);
  }
  draw() {
    const lib = this.#hub.said.lib, rev = lib && `${lib.rev} ${!!lib.scan}`;
    if (rev === this.#rev || !this.#hub.live) return;
    this.#rev = rev;
    this.read();
  }
  async read() {
    if (this.#asking || !this.#hub.has('library')) return;
    this.#asking = true;
    const found = await this.#hub.ask('lib.folders', {});
    this.#asking = false;
    // A hub without a library has no folders.
    this.element.hidden = !found;
    if (!found) return;
    this.#found.draw(found.found ?? [], found.folders ?? []);
    const { folders = [], report } = found;
    this.#cards.draw(folders);
    put(this.#note, folders.length ? '' : t('folders.none'));
    put(this.#report, told(report));
    this.#problems.draw((report?.problems ?? []).slice(0, 20));
  }
  #card({ path, n, problem, holds }) {
    return make('li', { class: 'card device' }, make('b', { dir: 'auto' }, path),
      twice(t('remove'), t('tapAgain'), () => this.#do('lib.folder', { path, on: false }, t('folders.removed'), slow)),
      make('small', { lang: problem ? 'en' : null }, problem ?? t(`count.${holds ?? 'tracks'}`, { n: n ?? 0 })));
  }
  async #do(m, p, done, options = {}) {
    buzz();
    const res = await this.#hub.press(m, p, options);
    if (res.ok) this.#say(done, 3000);
    this.read();
    return res;
  }
  #take(path) { return this.#do('lib.folder', { path, on: true }, t('folders.added'), slow) }
  async #choose() {
    buzz();
    try {
      (await import('../setup/chooser.js')).openChooser(this.#hub, path => this.#take(path));
    } catch { this.#say(t('part.missing')) }
  }
  async #add() {
    const path = this.#path.value.trim(), p = { path, on: true, holds: this.#holds.value };
    buzz();
    const { ok, err } = await this.#hub.press('lib.folder', p, { silent: true, ...slow });
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
