// The form for an account at a server: what it is, where, and how to sign in. “Test” asks a new server, “Save” keeps it.
// Passwords are only in their fields, which are emptied when the form closes, and in the one message to the hub.

import { field } from './forms.js';
import { buzz, make, mark, put } from './parts.js';
import { closeSheet, openForm, openSheet } from './sheet.js';
import { titleOf } from './sources.js';
import { tested } from './sourcewords.js';

const parameters = ['kind', 'url', 'title', 'name', 'user', 'password', 'apiKey'];

/** A name for uris from a title or a host: `The Attic` becomes `the-attic`. */
export function wordFor(text, taken) {
  const plain = text.normalize('NFD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '').slice(0, 28).replace(/-+$/, '') || 'server';
  let word = plain;
  for (let n = 2; taken.includes(word); n++) word = `${plain}-${n}`;
  return word;
}
const hostOf = url => { try { return new URL(url).hostname } catch { return '' } };

class ServerForm {
  #parts; #account; #inputs = {}; #errors = {}; #options = {}; #choices; #told; #isBusy = false; #signIn; #signs = {};
  #applied = '';
  constructor(parts, account) {
    [this.#parts, this.#account] = [parts, account];
    const { kinds } = parts.known, text = (name, words, more = {}) => this.#line(name, words, make('input', {
      maxlength: 1024, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', value: account?.[name] ?? '', ...more,
    }));
    const kind = make('select', { onchange: () => this.#drawKind() }, ...kinds.map(({ name, title }) => make('option', { value: name, selected: name === account?.kind }, title)));
    this.#signIn = make('select', { 'data-at': 'signin', onchange: () => this.#drawKind() },
      ...[['password', 'User and password'], ['apiKey', 'API key'], ...account ? [['kept', 'As it is']] : []]
        .map(([value, words]) => make('option', { value, selected: value === (account ? 'kept' : 'password') }, words)));
    // A browser would offer to keep what is typed into a field for the current password.
    const secret = { type: 'password', autocomplete: 'new-password', value: '' };
    this.#choices = make('div', { class: 'acts' });
    this.#told = make('p', { class: 'note', role: 'status', 'data-at': 'told' });
    this.element = make('form', { class: 'acts serverform', autocomplete: 'off', onsubmit: event => { event.preventDefault(); this.#save() } },
      this.#line('kind', 'Kind', kind),
      text('url', 'Address', { type: 'url', inputmode: 'url', placeholder: 'https://music.example.org' }),
      text('title', 'Title', { maxlength: 64, placeholder: 'The attic' }),
      field('Sign in by', this.#signIn),
      this.#signs.password = make('div', { class: 'acts' }, text('user', 'User', { maxlength: 256 }), text('password', 'Password', secret)),
      this.#signs.apiKey = make('div', { class: 'acts' }, text('apiKey', 'API key', secret)),
      make('details', {}, make('summary', {}, 'More choices'), text('name', 'Name in links', { maxlength: 32, placeholder: 'attic', disabled: !!account }), this.#choices),
      this.#told,
      make('div', { class: account ? 'acts' : 'pair both' },
        account ? null : make('button', { class: 'small', type: 'button', 'data-do': 'test', onclick: () => this.#alone(() => this.#test()) }, 'Test'),
        make('button', { class: 'small', 'data-do': 'save' }, 'Save')));
    if (account) kind.disabled = true;
    this.#drawKind();
  }
  /** A field with a place below it for what is wrong with it. */
  #line(name, words, input) {
    const id = `source-${name}`, error = make('p', { class: 'wrong', role: 'alert', id: `${id}-wrong` });
    mark(input, 'data-at', name);
    mark(input, 'aria-describedby', error.id);
    input.addEventListener('input', () => this.#wrong(name, ''));
    [this.#inputs[name], this.#errors[name]] = [input, error];
    return make('div', {}, field(words, input), error);
  }
  #wrong(name, words) {
    const input = this.#inputs[name];
    put(this.#errors[name] ?? this.#told, words);
    if (!input) return;
    mark(input, 'aria-invalid', words ? 'true' : null);
    if (words) input.focus();
  }
  /** The field that a sentence of the hub or of a server is about: a secret that it names, else nothing that is known here. */
  #about(words) {
    const names = [/API key/i.test(words) ? 'apiKey' : null, /password/i.test(words) ? 'password' : null].filter(Boolean), sign = this.#signIn.value;
    if (names.length === 1 && names[0] !== sign && sign !== 'kept') { this.#signIn.value = names[0]; this.#drawKind() }
    return names.includes(this.#signIn.value) ? this.#signIn.value : null;
  }
  #drawKind() {
    const kind = this.#parts.known.kinds.find(({ name }) => name === this.#inputs.kind.value);
    if (this.#choices.dataset.kind !== kind?.name) {
      this.#choices.dataset.kind = kind?.name ?? '';
      this.#drawWays(kind?.login);
      this.#drawChoices(kind?.options ?? []);
    }
    for (const [name, part] of Object.entries(this.#signs)) part.hidden = name !== this.#signIn.value;
  }
  /** Where a kind of server knows one way to sign in, there is nothing to choose. */
  #drawWays(login) {
    const ways = [...this.#signIn.options].filter(way => way.value === 'kept' || !login || login.includes(way.value));
    for (const way of this.#signIn.options) way.hidden = way.disabled = !ways.includes(way);
    this.#signIn.parentElement.hidden = ways.length < 2;
    if (ways.length && !ways.some(way => way.selected)) this.#signIn.value = ways[0].value;
  }
  #drawChoices(options) {
    this.#options = {};
    this.#choices.replaceChildren(...options.flatMap(option => {
      const input = this.#options[option.name] = make('input', {
        maxlength: 256, autocomplete: 'off', spellcheck: 'false', placeholder: option.usual, value: this.#account?.options?.[option.name] ?? '', 'data-at': `option ${option.name}`,
      });
      return [field(option.name.replaceAll('_', ' '), input), make('p', { class: 'note' }, option.about)];
    }));
  }

  // ---- What is typed, as parameters.
  #value(name) { return this.#inputs[name].value.trim() }
  #chosen() { return Object.fromEntries(Object.entries(this.#options).map(([name, input]) => [name, input.value.trim()]).filter(([, value]) => value)) }
  #secrets() {
    const sign = this.#signIn.value;
    if (sign === 'kept') return {};
    const names = sign === 'apiKey' ? ['apiKey'] : ['user', 'password'];
    return Object.fromEntries(names.map(name => [name, name === 'user' ? this.#value(name) : this.#inputs[name].value]).filter(([, value]) => value));
  }
  /** Null, with a sentence at its field, where something is missing. */
  #typed() {
    for (const name of parameters) this.#wrong(name, '');
    let url = this.#value('url');
    if (url && !url.includes('://')) this.#inputs.url.value = url = `https://${url}`;
    if (!/^https?:\/\/[^/@:]/i.test(url)) return this.#wrong('url', 'Enter the address of the server, such as https://music.example.org.'), null;
    const secrets = this.#secrets(), sign = this.#signIn.value;
    if (sign === 'password' && !secrets.user) return this.#wrong('user', 'Enter the user’s name at the server.'), null;
    if (sign === 'password' && !secrets.password) return this.#wrong('password', 'Enter the password of that user.'), null;
    if (sign === 'apiKey' && !secrets.apiKey) return this.#wrong('apiKey', 'Enter the key that the server has given you.'), null;
    const title = this.#value('title'), taken = this.#parts.known.sources.map(({ name }) => name);
    const name = this.#account?.name ?? (this.#value('name') || wordFor(title || hostOf(url).split('.')[0], taken));
    return { name, kind: this.#value('kind'), url, ...title ? { title } : {}, ...secrets, options: this.#chosen() };
  }
  /** Adds or changes the account. False, with the hub's sentence at its field, when it was refused. */
  async #apply() {
    const typed = this.#typed();
    if (!typed) return false;
    const isNew = !this.#account, { kind, ...changes } = typed, applied = JSON.stringify(typed);
    if (applied === this.#applied) return typed.name;
    put(this.#told, 'Asking…');
    const { ok, err } = await this.#parts.hub.press(isNew ? 'source.add' : 'source.set', isNew ? { ...changes, kind } : changes, { silent: true, ttl: 15000 });
    put(this.#told, '');
    if (!ok) {
      const words = err?.msg ?? 'The hub did not answer. Please try again.', at = err?.at?.split('/').pop();
      const name = parameters.includes(at) ? at : err?.code === 'invalid_state' ? 'name' : this.#about(words);
      if (name === 'name' || at?.startsWith('options')) this.element.querySelector('details').open = true;
      this.#wrong(name, words);
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
  /** What the hub tests: the account with what was changed of it, or one that is not kept yet. Null where that is not possible. */
  async #tested() {
    if (this.#account) { const name = await this.#apply(); return name ? { name } : null }
    const { name, title, ...described } = this.#typed() ?? {};
    return name ? described : null;
  }
  /** Asks the server; true when it answers. What is wrong stands at its field. */
  async #test() {
    const asked = await this.#tested();
    if (!asked) return false;
    put(this.#told, 'Asking the server…');
    const { ok, d, err } = await this.#parts.hub.press('source.test', asked, { silent: true, ttl: 15000 });
    const words = ok ? tested(d) : err?.msg ?? 'The hub did not answer.', isWell = ok && d.state === 'ok';
    put(this.#told, isWell ? `${words} Save keeps it.` : '');
    if (!isWell) this.#wrong(this.#about(words) ?? (ok ? 'url' : null), words);
    return isWell;
  }
  /** A new account is kept although its server does not answer yet; one that was changed says at once what came of it. */
  #save() {
    return this.#alone(async () => {
      const isDone = this.#account ? await this.#test() : await this.#apply();
      if (!isDone) return;
      this.#parts.say(`${this.#value('title') || this.#account?.name || isDone} ${this.#account ? 'was changed' : 'was added'}.`, 3000);
      closeSheet();
    });
  }
  /** The form was closed: nothing typed stays. */
  closed() {
    for (const name of ['password', 'apiKey']) this.#inputs[name].value = '';
    this.#applied = '';
    this.#parts.renew();
  }
}

/** Adds a server, or changes `account`. Where what is typed could be read on the way, the reason is shown instead. */
export function openServerForm(parts, account = null) {
  const title = account ? `Change ${titleOf(account)}` : 'Add a server';
  if (!isSecureContext) {
    return openSheet(title, make('p', { class: 'note' },
      'Passwords cannot be typed here: this page came without encryption, so others in the network could read them. Open the page by https, or on the hub’s machine by “baton web”; “baton source add” in a terminal there does the same.'));
  }
  const form = new ServerForm(parts, account);
  openForm(title, form.element, () => form.closed());
  form.element.querySelector(account ? '[data-at=title]' : '[data-at=url]').focus();
}
