// The sheet that lets a device in: a square for its camera, the address for its browser, and the code that is typed
// there. It opens a pairing window of the hub and closes it again when it is closed itself.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { field } from '../parts/forms.js';
import { $, buzz, make, put } from '../parts/parts.js';
import { openForm, styled } from '../parts/sheet.js';
import { ranks } from '../shell/roles.js';
import { squareFor } from './square.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';

class Pairing {
  /** The button that closes the sheet. */
  leave = null;
  #hub; #known = []; #until = 0; #timer = 0; #isOver = false; #square; #address; #code; #left; #role; #steps; #scan;
  constructor(hub) {
    this.#hub = hub;
    this.#square = make('div', { class: 'square' });
    this.#address = make('output', { id: 'pairaddress', dir: 'ltr', lang: 'en' });
    this.#code = make('output', { id: 'code', dir: 'ltr' });
    this.#left = make('p', { class: 'note', role: 'status' });
    this.#role = make('select', { id: 'letrole', onchange: () => { buzz(); this.#open() } },
      ...ranks.map(value => make('option', { value, selected: value === 'remote' }, t(`role.${value}`))));
    this.#scan = make('p', { class: 'step' }, t('pairing.scan'));
    this.#steps = make('div', { class: 'acts' }, this.#square, this.#scan, this.#address,
      make('p', { class: 'step' }, t('pairing.type')), this.#code,
      field(t('devices.newRole'), this.#role), make('p', { class: 'note' }, t('pairing.warns')));
    this.element = make('div', { class: 'acts pairing' }, this.#steps, this.#left);
  }
  /** False where the hub lets nobody in; it has said why. */
  async begin() {
    this.#known = (await this.#devices())?.list ?? [];
    if (!await this.#open()) return false;
    this.#timer = setInterval(() => this.#count(), 1000);
    return true;
  }
  /** A window that is open is replaced, with another code. */
  async #open() {
    const { ok, d } = await this.#hub.press('pair.open', { role: this.#role.value }, { key: token(6) });
    if (!ok) return false;
    this.#until = performance.now() + d.ttlMs;
    // The address is absent where it is too long; a remote that knows it takes the code alone.
    this.#square.replaceChildren(...[d.qr && squareFor(d.qr)].filter(Boolean));
    this.#scan.hidden = this.#address.hidden = !d.qr;
    put(this.#address, d.qr?.split('#')[0] ?? '');
    put(this.#code, `${d.pin.slice(0, 3)}-${d.pin.slice(-3)}`);
    this.#tell();
    return true;
  }
  #tell() {
    put(this.#left, t('pairing.left', { n: Math.max(0, Math.round((this.#until - performance.now()) / 1000)) }));
  }
  #devices() { return this.#hub.ask('dev.list', {}) }
  /** While the window is open the list is read each second, to show the new device at once. */
  async #count() {
    if (this.#isOver) return;
    this.#tell();
    const found = await this.#devices(), until = this.#until;
    const fresh = found?.list.find(({ dev }) => !this.#known.some(device => device.dev === dev));
    if (!found || this.#isOver) return;
    if (fresh) this.#end(t('pairing.done', { name: fresh.name, role: t(`role.${fresh.role}`) }));
    // Another window has been opened meanwhile, where the role is another now.
    else if (!found.window && until === this.#until) this.#end(t('devices.closed'));
  }
  #end(words) {
    this.#isOver = true;
    clearInterval(this.#timer);
    put(this.#code, '');
    this.#steps.hidden = true;
    put(this.#left, words);
    put(this.leave, t('done'));
  }
  /** Nobody sees the code any more, so nobody shall come in by it. */
  closed() {
    clearInterval(this.#timer);
    if (!this.#isOver) this.#hub.press('pair.close', {}, { silent: true });
    this.#isOver = true;
  }
}

/** `closed` is called when the sheet has been closed. */
export async function openPairing(hub, closed = () => { }) {
  await Promise.all([styled(), loadStyle('pairing.css')]);
  const pairing = new Pairing(hub);
  if (!await pairing.begin()) return closed();
  openForm(t('devices.pair'), pairing.element, () => { pairing.closed(); closed() }, t('devices.stop'));
  const leave = $('sheet').querySelector(':scope > .acts > .small');
  leave.id = 'letnone';
  leave.focus();
  pairing.leave = leave;
}
