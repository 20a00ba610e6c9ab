// The fields for an account at a server: what it is, where, how to sign in, and what that kind of server can be told
// besides. Passwords are only in their fields.

import { field } from '../parts/forms.js';
import { make, mark, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';

export const parameters = ['kind', 'url', 'title', 'name', 'user', 'password', 'apiKey', 'code'];

/** A name for uris from a title or a host: `The Attic` becomes `the-attic`. */
function wordFor(text, taken) {
  const plain = text.normalize('NFD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 28).replace(/-+$/, '') || 'server';
  let word = plain;
  for (let n = 2; taken.includes(word); n++) word = `${plain}-${n}`;
  return word;
}
const hostOf = url => { try { return new URL(url).hostname } catch { return '' } };

export class ServerFields {
  #known; #account; #inputs = {}; #errors = {}; #options = {}; #choices; #told; #signIn; #signs = {}; #code;
  /**
   * `known` has the kinds of servers and the accounts that there are; `told` is where a sentence stands that belongs to
   * no field.
   */
  constructor(known, account, told) {
    [this.#known, this.#account, this.#told] = [known, account, told];
    const text = (name, words, more = {}) => this.#line(name, words, make('input', {
      maxlength: 1024, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', value: account?.[name] ?? '',
        ...more,
    }));
    const kind = make('select', { onchange: () => this.#drawKind() },
      ...known.kinds.map(({ name, title }) => make('option', { value: name, selected: name === account?.kind },
        title)));
    this.#signIn = make('select', { 'data-at': 'signin', onchange: () => this.#drawKind() },
      ...[['password', t('form.userAndPassword')], ['apiKey', t('form.apiKey')],
        ...account ? [['kept', t('form.asItIs')]] : []]
        .map(([value, words]) => make('option', { value, selected: value === (account ? 'kept' : 'password') },
          words)));
    // A browser would offer to keep what is typed into a field for the current password.
    const secret = { type: 'password', autocomplete: 'new-password', value: '' };
    this.#choices = make('div', { class: 'acts' });
    this.elements = [
      this.#line('kind', t('form.kind'), kind),
      text('url', t('form.url'), { type: 'url', inputmode: 'url', placeholder: 'https://music.example.org' }),
      text('title', t('form.title'), { maxlength: 64, placeholder: t('form.titleExample') }),
      field(t('form.signIn'), this.#signIn),
      this.#signs.password = make('div', { class: 'acts' }, text('user', t('form.user'), { maxlength: 256 }),
        text('password', t('form.password'), secret)),
      this.#signs.apiKey = make('div', { class: 'acts' }, text('apiKey', t('form.apiKey'), secret)),
      this.#code = text('code', t('form.code'), { maxlength: 64, inputmode: 'numeric', autocomplete: 'one-time-code',
        value: '' }),
      make('details', {}, make('summary', {}, t('form.more')),
        text('name', t('form.name'), { maxlength: 32, placeholder: t('form.nameExample'), disabled: !!account }),
        this.#choices),
    ];
    this.#code.hidden = true;
    if (account) kind.disabled = true;
    this.#drawKind();
  }
  /** A field with a place below it for what is wrong with it. */
  #line(name, words, input) {
    const id = `source-${name}`, error = make('p', { class: 'wrong', role: 'alert', id: `${id}-wrong` });
    mark(input, 'data-at', name);
    mark(input, 'aria-describedby', error.id);
    input.addEventListener('input', () => this.wrong(name, ''));
    [this.#inputs[name], this.#errors[name]] = [input, error];
    return make('div', {}, field(words, input), error);
  }
  wrong(name, words) {
    const input = this.#inputs[name];
    put(this.#errors[name] ?? this.#told, words);
    if (!input) return;
    mark(input, 'aria-invalid', words ? 'true' : null);
    if (words) input.focus();
  }
  /**
   * The field that a sentence of the hub or of a server is about: a secret that it names, else nothing that is known
   * here.
   */
  about(words) {
    const names = [/API key/i.test(words) ? 'apiKey' : null, /password/i.test(words) ? 'password' : null]
      .filter(Boolean), sign = this.#signIn.value;
    if (names.length === 1 && names[0] !== sign && sign !== 'kept') { this.#signIn.value = names[0]; this.#drawKind() }
    return names.includes(this.#signIn.value) ? this.#signIn.value : null;
  }
  /** The server asks for the code of an authenticator, which is shown from now on. */
  askCode(words) {
    this.#code.hidden = false;
    this.#inputs.code.value = '';
    this.wrong('code', words);
  }
  #drawKind() {
    const kind = this.#known.kinds.find(({ name }) => name === this.#inputs.kind.value);
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
        maxlength: 256, autocomplete: 'off', spellcheck: 'false', placeholder: option.usual,
          value: this.#account?.options?.[option.name] ?? '', 'data-at': `option ${option.name}`,
      });
      return [field(option.name.replaceAll('_', ' '), input), make('p', { class: 'note', lang: 'en' }, option.about)];
    }));
  }

  // ---- What is typed, as parameters.
  value(name) { return this.#inputs[name].value.trim() }
  #chosen() {
    return Object.fromEntries(Object.entries(this.#options).map(([name, input]) => [name, input.value.trim()])
      .filter(([, value]) => value));
  }
  #secrets() {
    const sign = this.#signIn.value;
    const names = { apiKey: ['apiKey'], password: ['user', 'password', 'code'], kept: ['code'] }[sign];
    // Spaces may belong to a password, and to nothing else.
    const typed = name => ['user', 'code'].includes(name) ? this.value(name) : this.#inputs[name].value;
    return Object.fromEntries(names.map(name => [name, typed(name)]).filter(([, value]) => value));
  }
  /** Null, with a sentence at its field, where something is missing. */
  typed() {
    for (const name of parameters) this.wrong(name, '');
    let url = this.value('url');
    if (url && !url.includes('://')) this.#inputs.url.value = url = `https://${url}`;
    if (!/^https?:\/\/[^/@:]/i.test(url)) return this.wrong('url',
      t('form.enterUrl', { url: 'https://music.example.org' })), null;
    const secrets = this.#secrets(), sign = this.#signIn.value;
    if (sign === 'password' && !secrets.user) return this.wrong('user', t('form.enterUser')), null;
    if (sign === 'password' && !secrets.password) return this.wrong('password', t('form.enterPassword')), null;
    if (sign === 'apiKey' && !secrets.apiKey) return this.wrong('apiKey', t('form.enterKey')), null;
    const title = this.value('title'), taken = this.#known.sources.map(({ name }) => name);
    const name = this.#account?.name ?? (this.value('name') || wordFor(title || hostOf(url).split('.')[0], taken));
    return { name, kind: this.value('kind'), url, ...title ? { title } : {}, ...secrets, options: this.#chosen() };
  }
  /** Nothing typed stays. */
  clear() { for (const name of ['password', 'apiKey', 'code']) this.#inputs[name].value = '' }
}
