// What this device may not do is dimmed, and a press says why (guard.js). A control names the role that it needs in
// `data-needs`.

import { lazy } from '../gestures/firsttouch.js';
import { become, value } from './state.js';
import { t } from './translate.js';

/** From the least to the most. */
export const ranks = ['listener', 'guest', 'remote', 'admin'];
const guestsMay = /^(queue\.add|job\.(start|cancel)|gen\.(prompts|set|preset|forget))$/;
const allMay = new RegExp(`^(${[
  'queue.(get|history)', 'lib.(item|browse|search|history)', '(clips|keep|mark|pl|podcast|radio|source).list',
  '(job|worker).list', 'radio.titles', 'gen.parse', 'sub', 'pl.get', 'art.get', 'hub.info', 'dev.rotate', 'room.list',
  'vote.skip', 'listen.here',
  'user.(signup|signin|guest|signout|me|passwd|sessions|revoke|export)',
].join('|').replaceAll('.', '\\.')})$`);
const adminsMay = /^(dev|dialect|room|pair|hub|source|output|user|worker)\.|^lib\.folders?$|^keep\.limit$|^vote\.rule$/,
  remotesMay = /^(room\.(join|unjoin|joined|move)|output\.list)$/;

/** The least role that a command needs, as the registry of the protocol says. */
export const needOf = m => allMay.test(m) ? 'listener' : guestsMay.test(m) ? 'guest'
  : adminsMay.test(m) && !remotesMay.test(m) ? 'admin' : 'remote';
/** Whether the role falls short. A role that is not known yet, or that this page does not know, is left to the hub. */
export const lacks = (role, need) => ranks.includes(role) && ranks.indexOf(role) < ranks.indexOf(need);

/**
 * Nothing is sent that the hub would refuse for the role alone. The result loads what dims controls, which is done here
 * for guests and listeners.
 */
export function guardControls(hub, say) {
  const reason = () => ['listener', 'guest', 'remote'].includes(hub.role) ? t(`refused.${hub.role}`)
    : t('refused.role');
  const { press } = hub;
  // How far a guest turns the volume is the owner's choice, which the hub has told in `span`.
  const isRefused = ({ role, span }, m) => lacks(role, m.startsWith('vol.') && span ? 'guest' : needOf(m));
  hub.press = function (m, p, options) {
    if (!isRefused(this, m)) return press.call(this, m, p, options);
    if (!options?.silent) say(reason());
    return Promise.resolve({ ok: false, err: { code: 'forbidden', msg: reason() } });
  };
  const useGuard = lazy(async () => {
    const { Guard } = await import('./guard.js');
    return new Guard(hub, () => say(reason()));
  }, say);
  hub.on('change', () => {
    if (value('role') === (hub.role ?? '')) return;
    become('role', hub.role ?? '');
    // The first screen has nothing that only admins may do.
    if (lacks(hub.role, 'remote')) useGuard();
  });
  return useGuard;
}
