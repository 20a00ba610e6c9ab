// Settings of the hub, for admins: the room on this page, further rooms, sources, library folders, users, and paired
// devices; and the own account, for all.

import { Account } from './account.js';
import { Devices } from './devices.js';
import { Folders } from './folders.js';
import { make } from '../parts/parts.js';
import { RoomSettings } from './roomsettings.js';
import { Servers } from './servers.js';
import { t } from '../shell/translate.js';
import { Users } from './users.js';

/** The whole section for admins; other roles see the sources, and are told how to become admin. */
export class HubSettings {
  #hub; #rooms; #servers; #folders; #devices; #users; #account; #mine; #isAdmin = null;
  constructor(hub, say) {
    [this.#hub, this.#rooms, this.#servers, this.#folders, this.#devices] = [hub, new RoomSettings(hub, say),
      new Servers(hub, say), new Folders(hub, say), new Devices(hub, say)];
    [this.#users, this.#account] = [new Users(hub, say), new Account(hub, say)];
    this.#mine = make('p', { class: 'note' }, t('settings.onlyAdmin'));
    this.element = make('div', { class: 'more', id: 'hubsettings' });
  }
  opened() {
    this.#account.read();
    if (!this.#isAdmin) return;
    this.#users.read();
    this.#rooms.opened();
    this.#servers.opened();
    this.#folders.read();
    this.#devices.read();
  }
  draw(view) {
    const isAdmin = this.#hub.role === 'admin';
    if (isAdmin !== this.#isAdmin) {
      this.#isAdmin = isAdmin;
      this.element.replaceChildren(...isAdmin
        ? [this.#rooms.element, this.#servers.element, this.#folders.element, this.#devices.element,
          this.#users.element, this.#account.element]
        : [this.#servers.element, make('h2', {}, t('settings.hub')), this.#mine, this.#account.element]);
      if (isAdmin) { this.#servers.opened(); this.#users.read() }
    }
    this.#servers.draw();
    if (!isAdmin) return;
    this.#rooms.draw(view);
    this.#folders.draw();
    this.#devices.draw();
  }
}
