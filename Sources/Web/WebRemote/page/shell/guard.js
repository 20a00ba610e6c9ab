// Dims the controls that a device may not use, and answers a press on one of them with the reason. Loaded for guests
// and listeners at once, and for others who are no admins with the first panel.

import { $, mark } from '../parts/base.js';
import { lacks } from './roles.js';

const isSlider = control => control.role === 'slider' || control.matches('input');

export class Guard {
  #hub; #refuse;
  /** `refuse` says why. */
  constructor(hub, refuse) {
    [this.#hub, this.#refuse] = [hub, refuse];
    for (const name of ['click', 'pointerdown', 'keydown'])
      addEventListener(name, event => this.#hear(event), { capture: true });
    let role = hub.role;
    hub.on('change', () => { if (role !== hub.role) { role = hub.role; this.#dimIn(document.body) } });
    this.#dimIn(document.body);
    // What is drawn later, such as the lines of a menu.
    new MutationObserver(changes => {
      for (const { addedNodes } of changes) for (const node of addedNodes) this.#dimIn(node);
    }).observe(document.body, { childList: true, subtree: true });
  }
  #dimIn(node) {
    if (node.dataset?.needs) this.#dim(node);
    for (const element of node.querySelectorAll?.('[data-needs]') ?? []) this.#dim(element);
  }
  #dim(element) { mark(element, 'aria-disabled', lacks(this.#hub.role, element.dataset.needs) || null) }

  #hear(event) {
    const control = event.target.closest?.('[data-needs]');
    if (!control || !lacks(this.#hub.role, control.dataset.needs) || event.type === 'keydown'
      && !(isSlider(control) && /^(Arrow|Home|End|Page)/.test(event.key))) return;
    // A long press on a row opens its menu, in which a guest may add it to the queue; letting go is no tap then.
    if (control.matches('.row') && (event.type === 'pointerdown' || $('sheet').open)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type !== 'pointerdown') this.#refuse();
  }
}
