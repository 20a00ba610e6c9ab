// What makes the music: each worker with its state, and when it was asked last. The hub asks workers when it is asked,
// so that is done while they are seen.

import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark } from '../parts/parts.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

/** As often as the protocol advises. */
const askedEachMs = 6000;
const states = ['ready', 'placeholder', 'down', 'unknown'];
const stateOf = worker => states.includes(worker.st) ? worker.st : 'unknown';

export class WorkerLine {
  #hub; #say; #changed; #timer = 0; #list = []; #told = ''; #known = ''; #cards; #choices;
  /** `changed` is called when the workers are others, or another is chosen. */
  constructor(hub, say, changed) {
    [this.#hub, this.#say, this.#changed] = [hub, say, changed];
    this.choice = make('select', { 'data-at': 'worker', onchange: () => this.#changed() });
    this.line = make('label', { class: 'line', hidden: true }, t('imagine.worker'), this.choice);
    this.list = make('ul', { class: 'workers', 'aria-label': t('imagine.workers') });
    this.#cards = new Keyed(this.list, { key: ({ name }) => name, make: worker => this.#row(worker) });
    this.#choices = new Keyed(this.choice, { key: name => name,
      make: name => make('option', { value: name }, name || t('imagine.usualWorker')) });
    this.element = make('section', {}, make('h2', {}, t('imagine.workers')), this.list, this.line);
  }
  /** The name of the chosen worker; null is the usual one. */
  get chosen() { return this.choice.value || null }
  get current() {
    return this.#list.find(worker => this.chosen ? worker.name === this.chosen : worker.usual) ?? this.#list[0];
  }
  /** Whether any of them can make music now, as far as is known. */
  get isAnyUp() { return !this.#list.length || this.#list.some(worker => worker.st !== 'down') }

  begin() {
    this.end();
    this.#timer = setInterval(() => this.#ask(), askedEachMs);
    this.#ask();
  }
  end() { clearInterval(this.#timer) }
  async #ask() {
    if (document.hidden || !this.#hub.live) return;
    const res = await this.#hub.press('worker.list', {}, { silent: true });
    if (res.ok) this.#show(res.d.workers);
  }
  #show(workers) {
    const isAdmin = this.#hub.role === 'admin', told = JSON.stringify([isAdmin, workers]);
    if (told === this.#told) return;
    [this.#told, this.#list] = [told, workers];
    this.#cards.draw(workers.map(worker => ({ ...worker, isAdmin })));
    this.line.hidden = workers.length < 2;
    this.#choices.draw(['', ...workers.map(worker => worker.name)]);
    // When each was asked is another with each answer.
    const known = JSON.stringify(workers.map(({ name, kind, st, usual }) => [name, kind, st, usual]));
    if (known !== this.#known) { this.#known = known; this.#changed() }
  }
  #row(worker) {
    const st = stateOf(worker), asked = worker.at ? date(worker.at, { timeStyle: 'medium' }) : null;
    const words = [t(`worker.${st}`), worker.usual && this.#isOneOfMany ? t('worker.usual') : null,
      asked ? t('worker.asked', { at: asked }) : null].filter(Boolean).join(' · ');
    const set = make('button', { class: 'small', onclick: () => this.#makeUsual(worker) }, t('worker.makeUsual'));
    mark(set, 'aria-label', t('worker.makeUsualOf', { name: worker.name }));
    return make('li', { class: 'card worker', 'data-worker': worker.name, 'data-st': st },
      make('i', { class: 'dot', 'aria-hidden': 'true' }),
      make('span', { class: 'texts' },
        make('b', { dir: 'auto' }, worker.kind === 'built-in' ? t('worker.builtIn') : worker.name),
        make('small', {}, words),
        worker.msg ? make('small', { class: 'trouble', lang: 'en', dir: 'auto' }, worker.msg) : null),
      worker.isAdmin && !worker.usual ? set : null);
  }
  get #isOneOfMany() { return this.#list.length > 1 }
  async #makeUsual({ name }) {
    buzz();
    const res = await this.#hub.press('worker.default', { name });
    if (res.ok) this.#say(t('worker.isUsual', { name }), 3000);
    this.#ask();
  }
}
