// The line in which a person describes music. The hub reads it while it is typed; what it does not understand is marked
// at its place.

import { Latest } from '../../../../../examples/browser/client/baton-latest.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { settingWords } from './prompts.js';
import { needOf } from '../shell/roles.js';
import { t } from '../shell/translate.js';

/** Commands that may stand in a line, and those that only workers with models understand. */
const commands = ['/duration 60', '/seed 11', '/motif'];
const modelCommands = ['/cfg 7', '/small', '/medium', '/large'];
/** Where the piece goes, and the button that says so. The first is that of the key Enter. */
const ways = { end: 'add', next: 'next', play: 'play' };

/** The hub counts code points, and a field of the browser counts parts of them. */
const unitsTo = (text, place) => [...text].slice(0, place).join('').length;

export class PromptField {
  #hub; #latest; #told; #wrong; #faults; #chips; #hasModels = null; #buttons; #words;
  /** `told` has `worker()`, whose name goes along, and `start(text, at)`. */
  constructor(hub, told) {
    [this.#hub, this.#told, this.#latest] = [hub, told, new Latest(hub)];
    this.field = make('textarea', { id: 'prompt', rows: 2, maxlength: 4096, autocomplete: 'off', enterkeyhint: 'done',
      'aria-label': t('imagine.label'), 'aria-describedby': 'promptfaults',
      placeholder: t('imagine.example'), dir: 'auto', oninput: () => this.read(),
      onkeydown: event => this.#keyed(event) });
    this.#wrong = make('p', { class: 'wrong', dir: 'auto', hidden: true, 'aria-hidden': 'true' });
    const reasons = make('div', { id: 'promptfaults', class: 'faults', role: 'status', lang: 'en' });
    this.#faults = new Keyed(reasons, { key: ({ from, msg }) => `${from} ${msg}`, make: fault => make('button',
      { class: 'fault', onclick: () => this.#choose(fault) }, fault.msg) });
    this.#words = make('p', { class: 'note read' });
    const label = t('imagine.commands');
    this.#chips = make('div', { class: 'commands strip', role: 'group', 'aria-label': label, lang: 'en' });
    this.#buttons = Object.entries(ways).map(([at, name]) => make('button', { class: 'small', 'data-at': at,
      'data-needs': needOf('job.start'), onclick: () => this.#submit(at) }, t(`imagine.${name}`)));
    this.element = make('div', { class: 'prompt' }, this.field, this.#wrong, reasons, this.#words, this.#chips,
      make('div', { class: 'ways' }, ...this.#buttons));
    this.offer(false);
  }
  /** Shows the commands that the chosen worker understands. */
  offer(hasModels) {
    if (hasModels === this.#hasModels) return;
    this.#hasModels = hasModels;
    this.#chips.replaceChildren(...this.commands.map(command => make('button', { class: 'small',
      'data-command': command, onclick: () => { buzz(); this.#insert(command) } }, command)));
  }
  get commands() { return this.#hasModels ? [...commands, ...modelCommands] : commands }
  /** A command goes to the end of the line, and its value is chosen, to be typed over. */
  #insert(command) {
    const { field } = this, before = field.value && !field.value.endsWith(' ') ? `${field.value} ` : field.value;
    field.value = `${before}${command}`;
    field.focus();
    const value = command.indexOf(' ');
    field.setSelectionRange(before.length + (value < 0 ? command.length : value + 1), field.value.length);
    this.read();
  }
  #keyed(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#submit('end');
  }
  get text() { return this.field.value.replace(/\s+/g, ' ').trim() }
  set text(text) {
    this.field.value = text;
    this.read();
  }

  // ---- What the hub reads.
  async read() {
    if (!this.text) return this.#show({});
    const text = this.field.value.replace(/\s/g, ' '), worker = this.#told.worker();
    const res = await this.#latest.ask('gen.parse', { text, ...worker && { worker } });
    if (res?.ok && this.text) this.#show(res.d, text);
  }
  #show({ faults = [], dur, seed, model, cfg, layer }, text = '') {
    mark(this.field, 'aria-invalid', faults.length ? 'true' : null);
    this.#wrong.hidden = !faults.length;
    this.#wrong.replaceChildren(...faults.length ? this.#marked(text, faults) : []);
    this.#faults.draw(faults.map(({ from, to, msg }) => ({ text, from, to, msg })));
    put(this.#words, [settingWords({ dur, model, cfg, seed }), layer].filter(Boolean).join(' · '));
  }
  /** The line again, with the places of faults marked. They stand in order and may lie in one another. */
  #marked(text, faults) {
    const all = [...text], found = [];
    let next = 0;
    for (const { from, to } of faults) {
      if (to <= next) continue;
      const begin = Math.max(from, next);
      found.push(all.slice(next, begin).join(''), make('mark', {}, all.slice(begin, to).join('') || ' '));
      next = to;
    }
    return [...found, all.slice(next).join('')];
  }
  #choose({ text, from, to }) {
    this.field.focus();
    this.field.setSelectionRange(unitsTo(text, from), unitsTo(text, to));
  }
  /** What was typed stays until the hub has taken it. */
  async #submit(at) {
    const { text } = this;
    buzz();
    if (!text) return this.field.focus();
    if (await this.#told.start(text, at) && this.text === text) this.text = '';
    else this.read();
  }
}
