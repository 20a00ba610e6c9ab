// People with an account, for admins: who they are, what they may do, and who waits to be let in.

import { field, hashing, needed, refusedAt } from '../parts/forms.js';
import { buzz, icon, make, refill } from '../parts/parts.js';
import { ranks } from '../shell/roles.js';
import { t } from '../shell/translate.js';
import { openUserMenu } from './usermenu.js';
import { date } from '../shell/writing.js';

const options = role => ranks.map(value => make('option', { value, selected: value === role }, t(`role.${value}`)));

export class Users {
  #hub; #say; #list; #told = '';
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('users.name') });
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
      this.read(true);
    };
    const form = make('form', { class: 'more', id: 'useradd', onsubmit: add }, field(t('account.user'), name),
      field(t('account.password'), password), field(t('users.role'), role),
      make('button', { class: 'small' }, t('users.add')));
    this.element = make('div', { class: 'more', id: 'users', hidden: true },
      make('h2', {}, t('users.name')), this.#list, form);
  }
  /** A hub without users does not answer, and then nothing is shown. */
  async read(answered) {
    const found = await this.#hub.ask('user.list', {});
    if (!found) return;
    this.element.hidden = false;
    const told = JSON.stringify(found.list);
    if (!answered && (told === this.#told || this.#list.contains(document.activeElement))) return;
    this.#told = told;
    refill(this.#list, found.list.length
      ? [...found.list.map(user => this.#card(user)),
        found.more ? make('li', { class: 'note' }, t('andMore', { n: found.more })) : null].filter(Boolean)
      : [make('li', { class: 'note' }, t('users.none'))], 'at');
  }
  #card(user) {
    const role = make('select', { 'data-at': `role ${user.user}`,
      'aria-label': t('devices.roleOf', { name: user.user }) }, ...options(user.role));
    role.onchange = () => this.#do('user.role', { user: user.user, role: role.value });
    const facts = [user.guest ? t('users.guest') : '', user.sessions ? t('users.signedIn') : '',
      user.devices?.length ? t('users.devices', { n: user.devices.length }) : '', user.waits ? t('users.waits') : '',
      user.expiresMs ? t('devices.until', { when: date(user.expiresMs,
        { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }) }) : ''];
    return make('li', { class: user.sessions ? 'card device here' : 'card device', 'data-user': user.user },
      make('b', { dir: 'auto' }, user.user), role, make('small', {}, facts.filter(Boolean).join(' · ')),
      make('button', { class: 'tool', 'data-do': 'more', 'data-at': `more ${user.user}`,
        'aria-label': t('item.more', { title: user.user }),
        onclick: () => { buzz(); openUserMenu(this.#parts, user) } }, icon('dots')),
      user.waits ? make('button', { class: 'small', 'data-do': 'approve', 'data-at': `approve ${user.user}`,
        onclick: () => this.#do('user.approve', { user: user.user }) }, t('users.approve')) : null);
  }
  get #parts() { return { hub: this.#hub, say: this.#say, renew: () => this.read(true) } }
  async #do(m, p) {
    buzz();
    const res = await this.#hub.press(m, p, hashing);
    if (res.ok) this.#say(t('users.changed'));
    this.read(true);
    return res.ok;
  }
}
