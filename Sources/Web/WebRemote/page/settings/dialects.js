// Other protocols by which programs steer the hub, for admins: whether each is on, where, who is connected, and the
// passwords of programs.

import { field, hashing, needed, refusedAt, twice } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { ranks } from '../shell/roles.js';
import { moment } from '../servers/sourcewords.js';
import { t } from '../shell/translate.js';

/** The protocols that have words of their own, and whether programs use passwords there. */
const known = { mpd: { hasPasswords: true }, mpris: { hasPasswords: false } };

const nameOf = dialect => known[dialect] ? t(`dialects.${dialect}`) : dialect;
const factsOf = ({ on, addresses, problem, connected }) => [problem ?? '', !on ? t('dialects.off')
  : connected ? t('dialects.connected', { n: connected }) : t('dialects.none'), on ? (addresses ?? []).join(', ') : '']
  .filter(Boolean).join(' · ');
const programOf = ({ address, password, role, command, ms }) => [address, password ?? '', t(`role.${role}`),
  command ? `${command}${ms ? `, ${moment(ms)}` : ''}` : ''].filter(Boolean).join(' · ');

export class Dialects {
  #hub; #say; #cards; #passwords; #of = null; #secrets;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    const list = make('ul', { class: 'cards', 'aria-label': t('dialects.name') }),
      passwords = make('ul', { class: 'cards', 'aria-label': t('dialects.passwords') });
    this.#cards = new Keyed(list, { key: ({ dialect }) => dialect, make: row => this.#card(row),
      draw: (element, row) => element.show(row) });
    this.#passwords = new Keyed(passwords, { key: ({ name, createdMs }) => `${name} ${createdMs}`,
      make: row => this.#password(row), draw: () => { } });
    this.#secrets = make('div', { class: 'more', hidden: true }, make('h3', {}, t('dialects.passwords')), passwords,
      this.#form());
    this.element = make('div', { class: 'more', id: 'dialects', hidden: true },
      make('h2', {}, t('dialects.name')), list, this.#secrets);
  }
  /** A hub that speaks no other protocol, or does not know the command, shows nothing. */
  async read() {
    const found = await this.#hub.ask('dialect.list', {});
    if (!found) return;
    this.element.hidden = !found.list.length;
    this.#cards.draw(found.list);
    this.#of = found.list.find(({ dialect }) => known[dialect]?.hasPasswords)?.dialect ?? null;
    this.#secrets.hidden = !this.#of;
    const told = this.#of && await this.#hub.ask('dialect.password.list', { dialect: this.#of });
    if (told) this.#passwords.draw(told.list);
  }
  #card({ dialect }) {
    const facts = make('small', { dir: 'auto' }), programs = make('ul', { class: 'note' }),
      button = make('button', { class: 'switch', role: 'switch', 'data-do': 'switch' },
        make('span', {}, nameOf(dialect)), make('i'));
    button.onclick = () => {
      const on = button.getAttribute('aria-checked') !== 'true';
      mark(button, 'aria-checked', on);
      this.#do('dialect.set', { dialect, on }, on ? t('dialects.isOn') : t('dialects.isOff'));
    };
    const element = make('li', { class: 'card device', 'data-dialect': dialect }, button, facts, programs);
    const show = row => {
      mark(button, 'aria-checked', row.on);
      put(facts, factsOf(row));
      programs.replaceChildren(...(row.programs ?? []).map(program => make('li', { dir: 'auto' }, programOf(program))));
    };
    return Object.assign(element, { show });
  }
  #password({ name, role, createdMs }) {
    return make('li', { class: 'card device', 'data-password': name }, make('b', { dir: 'auto' }, name),
      twice(t('users.remove'), t('tapAgain'), () => this.#do('dialect.password.remove', { dialect: this.#of, name },
        t('dialects.changed')), `${t('users.remove')} ${name}`),
      make('small', {}, `${t(`role.${role}`)} · ${t('since', { when: moment(createdMs) })}`));
  }
  #form() {
    const name = make('input', { id: 'dialectpasswordname', maxlength: 64, autocomplete: 'off', name: 'name',
      ...needed(t('wrong.missing')) }),
      password = make('input', { id: 'dialectpassword', type: 'password', minlength: 8, maxlength: 256,
        name: 'password', autocomplete: 'new-password', required: true }),
      role = make('select', { id: 'dialectrole' },
        ...ranks.map(value => make('option', { value, selected: value === 'remote' }, t(`role.${value}`))));
    const add = async event => {
      event.preventDefault();
      buzz();
      const { ok, err } = await this.#hub.press('dialect.password.add', { dialect: this.#of, name: name.value.trim(),
        password: password.value, role: role.value }, { ...hashing, silent: true });
      if (!ok) return refusedAt(form, err, name);
      name.value = password.value = '';
      this.#say(t('dialects.changed'));
      this.read();
    };
    const form = make('form', { class: 'more', id: 'dialectadd', onsubmit: add },
      field(t('dialects.passwordName'), name), field(t('form.password'), password), field(t('dialects.role'), role),
      make('button', { class: 'small' }, t('dialects.add')));
    return form;
  }
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p);
    if (res.ok) this.#say(done, 3000);
    this.read();
  }
}
