// Paired devices, and a window in which another one is let in. The list is requested when it is shown and whenever a
// device connects or leaves.

import { whenUp } from '../parts/finger.js';
import { field, twice } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

const roles = ['listener', 'guest', 'remote', 'admin'];
const options = (role, isBrowser) => roles.filter(value => value !== 'admin' || !isBrowser)
  .map(value => make('option', { value, selected: value === role }, t(`role.${value}`)));
function factsOf({ kind, open, seenMs, expiresMs }) {
  const seen = open ? t('devices.connected') : seenMs
    ? t('devices.seen', { when: date(seenMs, { day: 'numeric', month: 'short' }) }) : t('devices.never');
  const until = expiresMs ? t('devices.until',
    { when: date(expiresMs, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }) }) : null;
  return [t(kind === 'browser' ? 'devices.browser' : 'devices.device'), seen, until].filter(Boolean).join(' · ');
}

export class Devices {
  #hub; #say; #list; #window; #role; #code; #open; #close; #people = ''; #until = 0; #timer = 0; #shown = 0;
    #asking = false; #isDue = false; #cards; #note = make('p', { class: 'note' });
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('devices.name') });
    this.#cards = new Keyed(this.#list, { key: ({ dev }) => dev, draw: (element, device) => element.show(device),
      make: ({ dev, kind }) => this.#card(dev, kind === 'browser') });
    this.#role = make('select', { id: 'letrole', 'aria-label': t('devices.newRole') }, ...options('remote'));
    this.#code = make('output', { id: 'code' });
    this.#open = make('button', { class: 'small', id: 'letin', onclick: () => this.#letIn() }, t('devices.pair'));
    this.#close = make('button', { class: 'small', id: 'letnone', hidden: true, onclick: () => this.#letNone() },
      t('devices.stop'));
    this.#window = make('p', { class: 'note', role: 'status' });
    this.element = make('div', { class: 'more' },
      make('h2', {}, t('devices.name')), this.#list, this.#note, field(t('devices.newRole'), this.#role), this.#open,
        this.#code, this.#window, this.#close);
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
  /** A list that is on its way may be older than what was just pressed, so it is asked for once more behind it. */
  async read() {
    this.#isDue = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#isDue) {
      this.#isDue = false;
      const found = await this.#hub.ask('dev.list', {});
      if (found) this.#show(found);
    }
    this.#asking = false;
  }
  #show({ list, more, window }) {
    this.#cards.draw(list);
    whenUp(this.#note, () => put(this.#note, !list.length ? t('devices.none') : more ? t('andMore', { n: more }) : ''));
    if (!window && this.#until) { this.#until = 0; put(this.#code, ''); put(this.#window, t('devices.closed')) }
    this.#close.hidden = !window;
  }
  /** The card of a device for as long as it is paired: its elements stay, so no press and no letter is lost. */
  #card(dev, isBrowser) {
    const name = make('input', { maxlength: 64, autocomplete: 'off' }), facts = make('small'),
      role = make('select', {}, ...options('', isBrowser));
    let shown = {};
    const give = () => { name.value = shown.name; role.value = shown.role };
    const change = async (m, p, done) => { if (!await this.#do(m, { dev, ...p }, done)) give() };
    name.onchange = () => change('dev.rename', { name: name.value.trim() }, t('renamed'));
    role.onchange = () => change('dev.role', { role: role.value }, `${shown.name}: ${t(`role.${role.value}`)}`);
    const element = make('li', { class: 'card device', 'data-dev': dev }, name, role, facts, twice(t('devices.unpair'),
      t('tapAgain'), () => this.#do('dev.revoke', { dev }, t('devices.unpaired', { name: shown.name }))));
    const show = device => {
      const held = document.activeElement;
      if (device.name !== shown.name && name !== held) name.value = device.name;
      if (device.role !== shown.role && role !== held) role.value = device.role;
      shown = device;
      mark(name, 'aria-label', t('devices.nameOf', { name: device.name }));
      mark(role, 'aria-label', t('devices.roleOf', { name: device.name }));
      element.classList.toggle('here', !!device.open);
      put(facts, factsOf(device));
    };
    return Object.assign(element, { show });
  }
  /** Gives back whether the hub has done it. */
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p);
    if (res.ok) this.#say(done, 3000);
    this.read();
    return res.ok;
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
