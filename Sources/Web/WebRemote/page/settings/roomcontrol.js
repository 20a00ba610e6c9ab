// Who controls the room of this page: all, users who are signed in, or users by name. Admins always do. A hub without
// users shows nothing of it.

import { field } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';

const rules = ['all', 'users', 'named'];

export class RoomControl {
  #hub; #say; #who; #names; #switches; #none; #room = null; #rule = null; #asking = false;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#who = make('select', { id: 'roomcontrol', onchange: () => this.#do({ who: this.#who.value }) },
      ...rules.map(rule => make('option', { value: rule }, t(`control.${rule}`))));
    this.#names = make('div', { class: 'cards', id: 'roomusers', role: 'group', 'aria-label': t('control.named'),
      hidden: true });
    this.#switches = new Keyed(this.#names, { key: ({ user }) => user, make: ({ user }) => this.#switch(user),
      draw: (button, { on }) => mark(button, 'aria-checked', on) });
    this.#none = make('p', { class: 'note' });
    this.element = make('div', { class: 'more', hidden: true }, field(t('control.name'), this.#who), this.#names,
      this.#none);
  }
  get isRead() { return this.#room !== null }
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
    const others = users.filter(user => !user.guest && user.role !== 'admin');
    this.#switches.draw(others.map(({ user }) => ({ user, on: names.has(user.toLowerCase()) })));
    put(this.#none, rule.who === 'named' && !others.length ? t('users.none') : '');
  }
  #switch(user) {
    const button = make('button', { class: 'switch', role: 'switch', 'data-user': user },
      make('span', { dir: 'auto' }, user), make('i'));
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
