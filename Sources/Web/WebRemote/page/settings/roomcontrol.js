// Who controls the room of this page: all, users who are signed in, or users by name. Admins always do. A hub without
// users shows nothing of it.

import { field } from '../parts/forms.js';
import { buzz, make, mark } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const rules = ['all', 'users', 'named'];

export class RoomControl {
  #hub; #say; #who; #names; #room = null; #rule = null; #asking = false;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#who = make('select', { id: 'roomcontrol', onchange: () => this.#do({ who: this.#who.value }) },
      ...rules.map(rule => make('option', { value: rule }, t(`control.${rule}`))));
    this.#names = make('div', { class: 'cards', id: 'roomusers', role: 'group', 'aria-label': t('control.named'),
      hidden: true });
    this.element = make('div', { class: 'more', hidden: true }, field(t('control.name'), this.#who), this.#names);
  }
  /** The rule of another room is asked for when the page follows that one. */
  draw() { if (this.#hub.room !== this.#room && this.#hub.live && this.element.isConnected) this.read() }
  async read() {
    if (this.#asking) return;
    this.#asking = true;
    const hub = this.#hub, { room } = hub;
    const [rule, users] = await Promise.all([hub.ask('room.control', { room }), hub.ask('user.list', {})]);
    this.#asking = false;
    this.#room = room;
    this.element.hidden = !rule || !users;
    if (rule && users) this.#show(rule, users.list);
  }
  #show(rule, users) {
    this.#rule = rule;
    if (this.#who !== document.activeElement) this.#who.value = rule.who;
    const names = new Set(rule.users ?? []);
    this.#names.hidden = rule.who !== 'named';
    this.#names.replaceChildren(...users.filter(user => !user.guest && user.role !== 'admin')
      .map(({ user }) => this.#switch(user, names.has(user.toLowerCase()))));
    if (!this.#names.children.length) this.#names.append(make('p', { class: 'note' }, t('users.none')));
  }
  #switch(user, on) {
    const button = make('button', { class: 'switch', role: 'switch', 'data-user': user },
      make('span', { dir: 'auto' }, user), make('i'));
    mark(button, 'aria-checked', on);
    button.onclick = async () => {
      const isOn = button.getAttribute('aria-checked') === 'true';
      if (await this.#do({ user, ...isOn ? { off: true } : {} })) mark(button, 'aria-checked', !isOn);
    };
    return button;
  }
  async #do(change) {
    buzz();
    const res = await this.#hub.press('room.control', { room: this.#hub.room, ...change });
    if (res.ok) this.#say(t('control.changed'), 3000);
    if (!res.ok) this.#who.value = this.#rule.who;
    if (change.who) { this.#who.blur(); this.read() }
    return res.ok;
  }
}
