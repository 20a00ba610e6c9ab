// The form for an account at a server. “Test” asks a new server, “Save” keeps it. What is typed leaves its fields in
// one message to the hub.

import { buzz, make, mark, put } from '../parts/parts.js';
import { parameters, ServerFields } from './serverfields.js';
import { closeSheet, openForm, openSheet } from '../parts/sheet.js';
import { titleOf } from './sources.js';
import { tested } from './sourcewords.js';
import { t } from '../shell/translate.js';

class ServerForm {
  #parts; #account; #fields; #told; #isBusy = false; #applied = '';
  constructor(parts, account) {
    [this.#parts, this.#account] = [parts, account];
    this.#told = make('p', { class: 'note', role: 'status', 'data-at': 'told' });
    this.#fields = new ServerFields(parts.known, account, this.#told);
    const onsubmit = event => {
      event.preventDefault();
      this.#save();
    };
    this.element = make('form', { class: 'acts serverform', autocomplete: 'off', novalidate: true, onsubmit },
      ...this.#fields.elements, this.#told,
      make('div', { class: account ? 'acts' : 'pair both' },
        account ? null : make('button', { class: 'small', type: 'button', 'data-do': 'test',
          onclick: () => this.#alone(() => this.#test()) }, t('test')),
        make('button', { class: 'small', 'data-do': 'save' }, t('save'))));
  }
  /** Adds or changes the account. False, with the hub's sentence at its field, when it was refused. */
  async #apply() {
    const typed = this.#fields.typed();
    if (!typed) return false;
    const isNew = !this.#account, { kind, ...changes } = typed, applied = JSON.stringify(typed);
    if (applied === this.#applied) return typed.name;
    put(this.#told, t('asking'));
    const { ok, err } = await this.#parts.hub.press(isNew ? 'source.add' : 'source.set',
      isNew ? { ...changes, kind } : changes, { silent: true, ttl: 15000 });
    put(this.#told, '');
    if (!ok) {
      const words = err?.msg ?? t('hub.noAnswer'), at = err?.at?.split('/').pop();
      const name = parameters.includes(at) ? at : err?.code === 'invalid_state' ? 'name' : this.#fields.about(words);
      if (name === 'name' || at?.startsWith('options')) this.element.querySelector('details').open = true;
      this.#fields.wrong(name, words);
      return false;
    }
    this.#applied = applied;
    return typed.name;
  }
  /** Ignores presses until the earlier one is answered. */
  async #alone(act) {
    if (this.#isBusy) return;
    buzz();
    this.#isBusy = true;
    mark(this.element, 'aria-busy', true);
    try { await act() } finally {
      this.#isBusy = false;
      mark(this.element, 'aria-busy', null);
    }
  }
  /**
   * What the hub tests: the account with what was changed of it, or one that is not kept yet. Null where that is not
   * possible.
   */
  async #tested() {
    if (this.#account) { const name = await this.#apply(); return name ? { name } : null }
    const { name, title, ...described } = this.#fields.typed() ?? {};
    return name ? described : null;
  }
  /** Asks the server; true when it answers. What is wrong stands at its field. */
  async #test() {
    const asked = await this.#tested();
    if (!asked) return false;
    put(this.#told, t('form.asking'));
    const { ok, d, err } = await this.#parts.hub.press('source.test', asked, { silent: true, ttl: 15000 });
    const words = ok ? tested(d) : err?.msg ?? t('hub.silent'), isWell = ok && d.state === 'ok';
    put(this.#told, isWell ? t('form.saveKeeps', { words }) : '');
    if (ok && d.asks === 'code') this.#fields.askCode(words);
    else if (!isWell) this.#fields.wrong(this.#fields.about(words) ?? (ok ? 'url' : null), words);
    return isWell;
  }
  /**
   * A new account is kept although its server does not answer yet; one that was changed says at once what came of it.
   */
  #save() {
    return this.#alone(async () => {
      const isDone = this.#account ? await this.#test() : await this.#apply();
      if (!isDone) return;
      this.#parts.say(t(this.#account ? 'server.changed' : 'server.added',
        { source: this.#fields.value('title') || this.#account?.name || isDone }), 3000);
      closeSheet();
    });
  }
  /** The form was closed: nothing typed stays. */
  closed() {
    this.#fields.clear();
    this.#applied = '';
    this.#parts.renew();
  }
}

/** Adds a server, or changes `account`. Where what is typed could be read on the way, the reason is shown instead. */
export function openServerForm(parts, account = null) {
  const title = account ? t('server.change', { source: titleOf(account) }) : t('server.add');
  if (!isSecureContext) {
    return openSheet(title, make('p', { class: 'note' }, t('form.needsEncryption')));
  }
  const form = new ServerForm(parts, account);
  openForm(title, form.element, () => form.closed());
  form.element.querySelector(account ? '[data-at=title]' : '[data-at=url]').focus();
}
