// The settings: pages, each with what belongs together. One that this device may not change says how that is done.

import { About } from './about.js';
import { Account } from './account.js';
import { Devices } from './devices.js';
import { Dialects } from './dialects.js';
import { failureWords } from '../servers/sources.js';
import { Folders } from './folders.js';
import '../looks/icons.js';
import { LooksPage } from './lookspage.js';
import { buzz, icon, make, put } from '../parts/parts.js';
import { RoomSettings } from './roomsettings.js';
import { addressOf } from '../shell/route.js';
import { Servers } from '../servers/servers.js';
import { styled } from '../parts/sheet.js';
import { ThisDevice } from './thisdevice.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { Users } from './users.js';

/**
 * The pages in their order: the icon of each, its sections, whether all of those are for admins, and the profile that a
 * hub needs for it.
 */
const pages = {
  account: { sign: 'person', parts: ['account', 'users'] },
  device: { sign: 'device', parts: ['thisDevice'] },
  rooms: { sign: 'rooms', parts: ['rooms'], isForAdmins: true, profile: 'rooms' },
  library: { sign: 'library', parts: ['servers', 'folders'] },
  devices: { sign: 'link', parts: ['devices', 'dialects'], isForAdmins: true, profile: 'network' },
  look: { sign: 'look', parts: ['look'] },
  about: { sign: 'about', parts: ['about'] },
};
const ofAdmins = ['users', 'rooms', 'folders', 'devices', 'dialects'];

export class Settings {
  #hub; #parts; #page = null; #name; #back; #body; #list; #onlyAdmins; #isAdmin = null;
    #failure = make('small', { class: 'note' });
  /** Called when another page is shown. */
  moved = () => { };
  static async open(told) {
    await Promise.all([styled(), loadStyle('settings.css')]);
    return new Settings(told);
  }
  constructor({ hub, say, looks }) {
    this.#hub = hub;
    this.#parts = { account: new Account(hub, say), users: new Users(hub, say), thisDevice: new ThisDevice(hub, say),
      rooms: new RoomSettings(hub, say), servers: new Servers(hub, say), folders: new Folders(hub, say),
      devices: new Devices(hub, say), dialects: new Dialects(hub, say),
      look: new LooksPage(looks), about: new About(hub, say) };
    this.#name = make('h1', { class: 'name' });
    this.#back = make('button', { class: 'tool', 'aria-label': t('place.back'), onclick: () => this.#go(null) },
      icon('into'));
    this.#onlyAdmins = make('p', { class: 'note' }, t('settings.onlyAdmin'));
    const known = Object.entries(pages).filter(([, { profile }]) => !profile || hub.has(profile));
    this.#list = make('ul', { class: 'pages' }, ...known.map(([page, { sign }]) => make('li', {},
      make('a', { class: 'act', href: addressOf('settings', { page }), 'data-page': page }, icon(sign),
        make('span', {}, t(`settings.page.${page}`), page === 'library' ? this.#failure : null)))));
    this.#body = make('div', { class: 'scroller more' });
    this.element = make('div', { class: 'queue settings' }, make('div', { class: 'seek' }, this.#back, this.#name),
      this.#body);
    this.#show();
  }
  address() { return { page: this.#page } }
  visit({ page }) { this.#set(pages[page] ? page : null) }
  home() { this.#go(null) }
  #go(page) {
    buzz();
    if (page === this.#page) return;
    this.#set(page);
    this.moved();
  }
  #set(page) {
    if (page === this.#page) return;
    this.#page = page;
    this.#show();
    this.opened();
  }
  /** The sections of this page that this device may see. */
  get #shown() {
    const isAdmin = this.#hub.role === 'admin';
    return (pages[this.#page]?.parts ?? []).filter(name => isAdmin || !ofAdmins.includes(name))
      .map(name => this.#parts[name]);
  }
  #show() {
    const page = pages[this.#page];
    this.#back.hidden = !page;
    put(this.#name, t(page ? `settings.page.${this.#page}` : 'settings.name'));
    this.#body.replaceChildren(...page ? this.#shown.map(part => part.element) : [this.#list],
      ...page?.isForAdmins && this.#hub.role !== 'admin' ? [this.#onlyAdmins] : []);
    this.#body.scrollTop = 0;
  }
  opened() {
    for (const part of this.#shown) {
      part.opened?.();
      part.read?.();
    }
    this.draw(this.#hub.view());
  }
  offerLock() { this.#parts.thisDevice.offerLock() }
  draw(view) {
    // The lock screen is kept current whatever is shown.
    this.#parts.thisDevice.drawLock(view);
    const isAdmin = this.#hub.role === 'admin';
    if (isAdmin !== this.#isAdmin) {
      this.#isAdmin = isAdmin;
      this.#show();
      if (this.element.isConnected) this.opened();
    }
    const failure = failureWords(this.#hub);
    put(this.#failure, failure);
    this.#failure.closest('a').classList.toggle('dotted', !!failure);
    if (this.element.isConnected) for (const part of this.#shown) part.draw?.(view);
  }
}
