// What this device may not do is dimmed, and a press says why; nothing is sent that the hub would refuse for the role
// alone. A control names the role that it needs in `data-needs`.

import { $, mark } from './base.js';
import { become, value } from './state.js';
import { t } from './translate.js';

const ranks = ['listener', 'guest', 'remote', 'admin'];
const guestsMay = /^(vol\..*|queue\.add|job\.(start|cancel)|gen\.(prompts|set|preset|forget))$/;
const allMay = new RegExp(`^(${[
  'queue.(get|history)', 'lib.(item|browse|search|history)', '(clips|keep|pl|podcast|radio|source).list', 'radio.titles',
  'job.list', 'gen.parse', 'worker.list', 'sub', 'pl.get', 'art.get', 'hub.info', 'dev.rotate', 'levels',
].join('|').replaceAll('.', '\\.')})$`);
const adminsMay = /^(dev|room|pair|hub|source|output|worker)\.|^lib\.folders?$|^keep\.limit$/,
  remotesMay = /^room\.(join|leave|move|group)$/;

/** The least role that a command needs, as the registry of the protocol says. */
export const needOf = m => allMay.test(m) ? 'listener' : guestsMay.test(m) ? 'guest'
  : adminsMay.test(m) && !remotesMay.test(m) ? 'admin' : 'remote';
/** Whether the role falls short. A role that is not known yet, or that this page does not know, is left to the hub. */
export const lacks = (role, need) => ranks.includes(role) && ranks.indexOf(role) < ranks.indexOf(need);

const isSlider = control => control.role === 'slider' || control.matches('input');
const dim = element => mark(element, 'aria-disabled', lacks(value('role'), element.dataset.needs) || null);

export function guardControls(hub, say) {
  const reason = () => ['listener', 'guest', 'remote'].includes(hub.role) ? t(`refused.${hub.role}`)
    : t('refused.role');
  const { press } = hub;
  hub.press = function (m, p, options) {
    if (!lacks(this.role, needOf(m))) return press.call(this, m, p, options);
    if (!options?.silent) say(reason());
    return Promise.resolve({ ok: false, err: { code: 'forbidden', msg: reason() } });
  };
  const stop = event => {
    const control = event.target.closest?.('[data-needs]');
    if (!control || !lacks(hub.role, control.dataset.needs) || event.type === 'keydown'
      && !(isSlider(control) && /^(Arrow|Home|End|Page)/.test(event.key))) return;
    // A long press on a row opens its menu, in which a guest may add it to the queue; letting go is no tap then.
    if (control.matches('.row') && (event.type === 'pointerdown' || $('sheet').open)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type !== 'pointerdown') say(reason());
  };
  for (const name of ['click', 'pointerdown', 'keydown']) addEventListener(name, stop, { capture: true });
  hub.on('change', () => {
    if (value('role') === (hub.role ?? '')) return;
    become('role', hub.role ?? '');
    for (const element of document.querySelectorAll('[data-needs]')) dim(element);
  });
  // What is drawn later, such as the lines of a menu.
  new MutationObserver(changes => {
    if (!lacks(value('role'), 'admin')) return;
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (node.dataset?.needs) dim(node);
      for (const element of node.querySelectorAll?.('[data-needs]') ?? []) dim(element);
    }
  }).observe(document.body, { childList: true, subtree: true });
}
