// Paired devices, and the way to let another one in. The list is requested when it is shown and whenever a device
// connects or leaves.

import { openPairing } from '../pairing/pairing.js';
import { whenUp } from '../gestures/finger.js';
import { twice } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { readOn } from '../parts/rest.js';
import { ranks } from '../shell/roles.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

const options = (role, isBrowser) => ranks.filter(value => value !== 'admin' || !isBrowser)
  .map(value => make('option', { value, selected: value === role }, t(`role.${value}`)));
function factsOf({ kind, open, seenMs, expiresMs }) {
  const seen = open ? t('devices.connected') : seenMs
    ? t('devices.seen', { when: date(seenMs, { day: 'numeric', month: 'short' }) }) : t('devices.never');
  const until = expiresMs ? t('devices.until',
    { when: date(expiresMs, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }) }) : null;
  return [t(kind === 'browser' ? 'devices.browser' : 'devices.device'), seen, until].filter(Boolean).join(' · ');
}

export class Devices {
  #hub; #say; #list; #window; #people = ''; #shown = 0; #isPairing = false; #asking = false; #isDue = false; #cards;
    #note = make('p', { class: 'note' });
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('devices.name') });
    this.#cards = new Keyed(this.#list, { key: ({ dev }) => dev, draw: (element, device) => element.show(device),
      make: ({ dev, kind }) => this.#card(dev, kind === 'browser') });
    this.#window = make('div', { class: 'more', role: 'status' });
    this.element = make('div', { class: 'more' }, make('button', { class: 'small filled', id: 'letin',
      onclick: () => this.#letIn() }, t('devices.pair')), this.#window, make('h2', {}, t('devices.name')), this.#list,
      this.#note);
  }
  /** A pairing window that another remote opened can be closed here; only that remote shows its code. */
  #drawWindow() {
    const hub = this.#hub, untilUs = hub.said.hub?.pairing?.untilUs ?? 0;
    if (untilUs === this.#shown || this.#isPairing || hub.viewName !== 'full' || !hub.live) return;
    const hasClosed = !untilUs && !!this.#shown;
    this.#shown = untilUs;
    this.#window.replaceChildren(...untilUs ? [make('p', { class: 'note' }, t('devices.otherCode')),
      make('button', { class: 'small', id: 'letnone', onclick: () => this.#letNone() }, t('devices.stop'))]
      : hasClosed ? [make('p', { class: 'note' }, t('devices.closed'))] : []);
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
      if (found) this.#show(await readOn(this.#hub, 'dev.list', found));
    }
    this.#asking = false;
  }
  #show({ rows, more }) {
    this.#cards.draw(rows);
    const note = !rows.length ? t('devices.none') : more ? t('andMore', { n: more }) : '';
    whenUp(this.#note, () => put(this.#note, note));
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
  #letIn() {
    buzz();
    this.#isPairing = true;
    this.#window.replaceChildren();
    this.#shown = 0;
    openPairing(this.#hub, () => { this.#isPairing = false; this.read() });
  }
  async #letNone() {
    buzz();
    await this.#hub.press('pair.close');
    this.read();
  }
}
