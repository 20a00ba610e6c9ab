// What this device is called, and what the page may do on it.

import { mayCarry } from '../carrying/carried.js';
import { needsEncryption } from '../shell/app.js';
import { LockScreen, WakeLock } from './locks.js';
import { buzz, make, mark, remember } from '../parts/parts.js';
import { actLine, openLine, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

export class ThisDevice {
  #hub; #say; #lock; #wake = new WakeLock();
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#lock = new LockScreen(hub);
    this.element = make('div', { class: 'more', id: 'thisdevice' },
      this.#name(),
      LockScreen.possible ? this.#switch('lockscreen', t('lock.title'), on => this.#toggleLock(on)) : null,
      LockScreen.possible ? make('p', { class: 'note' }, t('lock.about')) : null,
      WakeLock.possible ? this.#switch('awake', t('settings.awake'), on => this.#wake.want(on)) : null,
      mayCarry() ? openLine(t('carried.name'), 'save', async () =>
        (await import('../carrying/alone.js')).openCarried(hub, say), { id: 'carriedhere' }) : null,
      isSecureContext ? null : make('p', { class: 'note', id: 'plain' }, needsEncryption));
  }
  #name() {
    const input = make('input', { id: 'devicename', maxlength: 40, value: this.#hub.name, autocomplete: 'off',
      spellcheck: 'false' });
    input.onchange = () => {
      this.#hub.name = input.value.trim() || this.#hub.name;
      remember('name', this.#hub.name);
      this.#say(t('settings.renamed'), 3000);
    };
    return make('label', { class: 'line' }, t('name'), input);
  }
  #switch(id, text, turn) {
    const button = make('button', { id, class: 'switch', role: 'switch' }, make('span', {}, text), make('i'));
    mark(button, 'aria-checked', id === 'awake' && this.#wake.on);
    button.onclick = async () => {
      buzz();
      const on = button.getAttribute('aria-checked') !== 'true';
      mark(button, 'aria-checked', on);
      if (await turn(on) === false) mark(button, 'aria-checked', false);
    };
    return button;
  }
  /** Explains the controls on the lock screen and starts them after a press. */
  offerLock() {
    const on = () => {
      const button = this.element.querySelector('#lockscreen');
      if (button.getAttribute('aria-checked') !== 'true') button.click();
    };
    openSheet(t('lock.title'), make('p', { class: 'note' }, t('lock.about')), actLine(t('lock.show'), 'play', on));
  }
  async #toggleLock(on) {
    if (!on) return this.#lock.stop();
    if (await this.#lock.start()) return true;
    this.#say(t('lock.notAllowed'));
    return false;
  }
  drawLock(view) { this.#lock.draw(view) }
}
