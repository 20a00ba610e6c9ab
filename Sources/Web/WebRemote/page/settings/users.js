// People with an account, for admins: who they are, what they may do, and who waits to be let in.

import { field, hashing, needed, refusedAt } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, put } from '../parts/parts.js';
import { ranks } from '../shell/roles.js';
import { t } from '../shell/translate.js';
import { openUserMenu } from './usermenu.js';
import { date } from '../shell/writing.js';

const options = role => ranks.map(value => make('option', { value, selected: value === role }, t(`role.${value}`)));

const factsOf = ({ guest, sessions, devices, waits, expiresMs }) => [guest ? t('users.guest') : '',
  sessions ? t('users.signedIn') : '', devices?.length ? t('users.devices', { n: devices.length }) : '',
  waits ? t('users.waits') : '', expiresMs ? t('devices.until', { when: date(expiresMs,
    { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }) }) : ''].filter(Boolean).join(' · ');

export class Users {
  #hub; #say; #list; #cards; #note = make('p', { class: 'note' });
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('users.name') });
    this.#cards = new Keyed(this.#list, { key: ({ user }) => user, make: user => this.#card(user),
      draw: (element, user) => element.show(user) });
    const name = make('input', { id: 'username', maxlength: 64, autocomplete: 'off', name: 'name',
      ...needed(t('wrong.missing')) }),
      password = make('input', { id: 'userpassword', type: 'password', minlength: 8, maxlength: 1024, name: 'password',
        autocomplete: 'new-password', required: true }),
      role = make('select', { id: 'userrole' }, ...options('remote'));
    const add = async event => {
      event.preventDefault();
      const made = { name: name.value.trim(), password: password.value, role: role.value };
      buzz();
      const { ok, err } = await this.#hub.press('user.add', made, { ...hashing, silent: true });
      if (!ok) return refusedAt(form, err, name);
      name.value = password.value = '';
      this.#say(t('users.changed'));
      this.read();
    };
    const form = make('form', { class: 'more', id: 'useradd', onsubmit: add }, field(t('account.user'), name),
      field(t('account.password'), password), field(t('users.role'), role),
      make('button', { class: 'small' }, t('users.add')));
    this.element = make('div', { class: 'more', id: 'users', hidden: true },
      make('h2', {}, t('users.name')), this.#list, this.#note, form);
  }
  /** A hub without users does not answer, and then nothing is shown. */
  async read() {
    const found = this.#hub.has('people') ? await this.#hub.ask('user.list', {}) : null;
    if (!found) return;
    this.element.hidden = false;
    this.#cards.draw(found.list);
    put(this.#note, !found.list.length ? t('users.none') : found.more ? t('andMore', { n: found.more }) : '');
  }
  /** The card of a user, which is written in place, so that a choice of a role stays open. */
  #card({ user, role: given }) {
    let shown = {};
    const role = make('select', { 'data-at': `role ${user}`, 'aria-label': t('devices.roleOf', { name: user }) },
      ...options(given)), facts = make('small');
    role.onchange = async () => {
      if (!await this.#do('user.role', { user, role: role.value })) role.value = shown.role;
    };
    const approve = make('button', { class: 'small', 'data-do': 'approve', 'data-at': `approve ${user}`,
      onclick: () => this.#do('user.approve', { user }) }, t('users.approve'));
    const menu = make('button', { class: 'tool', 'data-do': 'more', 'data-at': `more ${user}`,
      'aria-label': t('item.more', { title: user }),
      onclick: () => { buzz(); openUserMenu(this.#parts, shown) } }, icon('dots'));
    const element = make('li', { class: 'card device', 'data-user': user }, make('b', { dir: 'auto' }, user), role,
      facts, menu, approve);
    const show = told => {
      if (told.role !== shown.role && role !== document.activeElement) role.value = told.role;
      shown = told;
      element.classList.toggle('here', !!told.sessions);
      approve.hidden = !told.waits;
      put(facts, factsOf(told));
    };
    return Object.assign(element, { show });
  }
  get #parts() { return { hub: this.#hub, say: this.#say, renew: () => this.read() } }
  async #do(m, p) {
    buzz();
    const res = await this.#hub.press(m, p, hashing);
    if (res.ok) this.#say(t('users.changed'));
    this.read();
    return res.ok;
  }
}
