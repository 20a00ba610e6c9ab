// Paired devices, and a window in which another one is let in. The list is requested when it is shown and whenever a
// device connects or leaves.

import { field, twice } from './forms.js';
import { buzz, make, put, refill } from './parts.js';
import { t } from './translate.js';
import { date } from './writing.js';

const roles = ['listener', 'guest', 'remote', 'admin'];
const options = (role, isBrowser) => roles.filter(value => value !== 'admin' || !isBrowser)
  .map(value => make('option', { value, selected: value === role }, t(`role.${value}`)));

export class Devices {
  #hub; #say; #list; #window; #role; #code; #open; #close; #told = ''; #people = ''; #until = 0; #timer = 0;
    #asking = false; #shown = 0;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('devices.name') });
    this.#role = make('select', { id: 'letrole', 'aria-label': t('devices.newRole') }, ...options('remote'));
    this.#code = make('output', { id: 'code' });
    this.#open = make('button', { class: 'small', id: 'letin', onclick: () => this.#letIn() }, t('devices.pair'));
    this.#close = make('button', { class: 'small', id: 'letnone', hidden: true, onclick: () => this.#letNone() },
      t('devices.stop'));
    this.#window = make('p', { class: 'note', role: 'status' });
    this.element = make('div', { class: 'more' },
      make('h2', {}, t('devices.name')), this.#list, field(t('devices.newRole'), this.#role), this.#open, this.#code,
        this.#window, this.#close);
  }
  /**
   * A pairing window that was opened on another remote is shown too, so that it can be closed here. Only that remote
   * shows its code.
   */
  #drawWindow() {
    const hub = this.#hub, untilUs = hub.said.hub?.pairing?.untilUs ?? 0;
    if (untilUs === this.#shown || hub.profile !== 'full' || !hub.live) return;
    this.#shown = untilUs;
    this.#close.hidden = !untilUs;
    if (!untilUs) {
      if (this.#until) put(this.#window, t('devices.closed'));
      this.#until = 0;
      put(this.#code, '');
    } else if (!this.#until) {
      this.#until = performance.now() + untilUs / 1000 - (hub.clock.hubMs ?? untilUs / 1000);
      this.#begin();
    }
  }
  #begin() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#count(), 1000);
    this.#count();
  }
  /** The list also says who is connected, so it is read again when that changes. */
  draw() {
    this.#drawWindow();
    const people = JSON.stringify(this.#hub.said.people ?? null);
    if (people === this.#people || !this.#hub.live) return;
    this.#people = people;
    this.read();
  }
  async read(answered) {
    if (this.#asking) return;
    this.#asking = true;
    const found = await this.#hub.ask('dev.list', {});
    this.#asking = false;
    if (!found) return;
    const told = JSON.stringify(found.list);
    if (answered || told !== this.#told && !this.#list.contains(document.activeElement)) {
      this.#told = told;
      refill(this.#list, found.list.length
        ? [...found.list.map(device => this.#card(device)),
          found.more ? make('li', { class: 'note' }, t('andMore', { n: found.more })) : null].filter(Boolean)
        : [make('li', { class: 'note' }, t('devices.none'))], 'at');
    }
    if (!found.window && this.#until) { this.#until = 0; put(this.#code, ''); put(this.#window, t('devices.closed')) }
    this.#close.hidden = !found.window;
  }
  #card(device) {
    const name = make('input', { maxlength: 64, value: device.name, autocomplete: 'off',
      'data-at': `name ${device.dev}`, 'aria-label': t('devices.nameOf', { name: device.name }) });
    name.onchange = () => this.#do('dev.rename', { dev: device.dev, name: name.value.trim() }, t('renamed'));
    const role = make('select', { 'data-at': `role ${device.dev}`,
      'aria-label': t('devices.roleOf', { name: device.name }) }, ...options(device.role, device.kind === 'browser'));
    role.onchange = () => this.#do('dev.role', { dev: device.dev, role: role.value },
      `${device.name}: ${t(`role.${role.value}`)}`);
    const seen = device.open ? t('devices.connected') : device.seenMs
      ? t('devices.seen', { when: date(device.seenMs, { day: 'numeric', month: 'short' }) }) : t('devices.never');
    const until = device.expiresMs ? t('devices.until',
      { when: date(device.expiresMs, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }) }) : '';
    return make('li', { class: device.open ? 'card device here' : 'card device', 'data-dev': device.dev }, name, role,
      make('small', {}, [t(device.kind === 'browser' ? 'devices.browser' : 'devices.device'), seen, until]
        .filter(Boolean).join(' · ')),
      twice(t('devices.unpair'), t('tapAgain'),
        () => this.#do('dev.revoke', { dev: device.dev }, t('devices.unpaired', { name: device.name }))));
  }
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p);
    if (res.ok) this.#say(done, 3000);
    this.read(true);
  }
  async #letIn() {
    buzz();
    const res = await this.#hub.press('pair.open', { role: this.#role.value });
    if (!res.ok) return;
    put(this.#code, `${res.d.pin.slice(0, 3)}-${res.d.pin.slice(-3)}`);
    this.#until = performance.now() + res.d.ttlMs;
    this.#begin();
  }
  async #letNone() {
    buzz();
    await this.#hub.press('pair.close');
    this.read();
  }
  /** While the pairing window is open the list is read each second, to show the new device at once. */
  #count() {
    const left = Math.round((this.#until - performance.now()) / 1000);
    if (!this.#until || left < 0 || !this.element.isConnected) clearInterval(this.#timer);
    else put(this.#window, this.#code.value ? t('devices.typeCode', { n: left })
      : t('devices.otherCode', { n: left }));
    this.read();
  }
}
