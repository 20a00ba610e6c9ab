// Lines to begin with: the presets of the hub and of the person, what was asked for before, and what holds for lines
// that say nothing else.

import { sent, twice } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, put, spell } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { closeSheet, openForm, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

/** Settings in the form in which they are typed. */
export const settingWords = ({ dur, model, cfg, seed }) => [dur ? spell(dur * 1000) : null, model,
  cfg ? t('imagine.cfg', { cfg }) : null, seed ? t('imagine.seed', { seed }) : null].filter(Boolean).join(' · ');

export class Prompts {
  #hub; #say; #told; #presets; #settings; #known = { settings: {}, presets: [], history: [] }; #list;
  /** `told` has `take(text)`, which puts a line into the field, and `text()`, what stands there. */
  constructor(hub, say, told) {
    [this.#hub, this.#say, this.#told] = [hub, say, told];
    const chips = make('div', { class: 'commands strip', role: 'group', 'aria-label': t('imagine.presets') });
    const chip = ({ name, text }) => make('button', { class: 'small', 'data-preset': name, dir: 'auto',
      onclick: () => this.#take(text) }, name);
    this.#presets = new Keyed(chips, { key: ({ name }) => name, make: chip });
    this.#settings = make('p', { class: 'note read' });
    const needs = needOf('gen.preset');
    this.element = make('div', { class: 'prompt' }, this.#settings, chips, make('div', { class: 'lines' },
      make('button', { class: 'small', 'data-do': 'earlier', 'data-needs': needs, onclick: () => this.#open() },
        t('imagine.earlier')),
      make('button', { class: 'small', 'data-do': 'keepline', 'data-needs': needs, onclick: () => this.#name() },
        t('imagine.keepLine'))));
  }
  async read() {
    const found = await this.#hub.ask('gen.prompts', {});
    if (!found) return;
    this.#known = found;
    const words = settingWords(found.settings);
    put(this.#settings, words ? t('imagine.settings', { list: words }) : '');
    this.#presets.draw(found.presets);
  }
  /** What holds, as a sentence. */
  get settings() {
    const list = settingWords(this.#known.settings);
    return list ? t('imagine.settings', { list }) : t('imagine.noSettings');
  }
  #take(text) {
    buzz();
    closeSheet();
    this.#told.take(text);
  }

  // ---- The sheet of earlier lines and own presets.
  #open() {
    buzz();
    const list = make('div', { class: 'cards' });
    this.#list = new Keyed(list, { make: element => element,
      key: ({ dataset, nodeName }) => dataset.line ?? nodeName });
    openSheet(t('imagine.earlier'), list);
    this.#fill();
  }
  #fill() {
    const { presets, history } = this.#known, own = presets.filter(preset => preset.own);
    const rows = [...own.map(({ name, text }) => this.#row(name, text, 'gen.preset', { name })),
      ...history.map(({ text }) => this.#row(text, text, 'gen.forget', { text }))];
    const all = twice(t('imagine.forgetAll'), t('imagine.forgetSure'), () => this.#press('gen.forget', {}));
    this.#list.draw(rows.length ? [...rows, ...history.length ? [all] : []]
      : [make('p', { class: 'note' }, t('imagine.noEarlier'))]);
  }
  #row(title, text, m, p) {
    return make('div', { class: 'card', 'data-line': title },
      make('button', { class: 'main', dir: 'auto', onclick: () => this.#take(text) }, make('b', {}, title),
        title === text ? null : make('small', {}, text)),
      make('button', { class: 'tool', 'data-do': 'forget', 'aria-label': t('imagine.forget', { text: title }),
        onclick: () => this.#press(m, p) }, icon('x')));
  }
  async #press(m, p) {
    buzz();
    const res = await this.#hub.press(m, p);
    if (!res.ok) return;
    await this.read();
    this.#fill();
  }

  // ---- A name for what stands in the field.
  #name() {
    buzz();
    const text = this.#told.text();
    if (!text) return this.#say(t('imagine.noLine'));
    const name = make('input', { maxlength: 64, autocomplete: 'off', required: true });
    const keep = async event => {
      event.preventDefault();
      const { ok } = await sent(form, name,
        () => this.#hub.press('gen.preset', { name: name.value.trim(), text }, { silent: true }));
      if (ok) this.#say(t('imagine.lineKept', { name: name.value.trim() }), 3000);
      this.read();
    };
    const form = make('form', { onsubmit: keep }, make('p', { class: 'note', dir: 'auto' }, text),
      make('label', { class: 'line' }, t('name'), name), make('button', { class: 'small' }, t('save')));
    openForm(t('imagine.keepLine'), form);
    name.focus();
  }
}
