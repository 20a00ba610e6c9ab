// The controls of the lock screen are offered once, when this device has started music. Loaded on devices that have
// such controls, until they were offered.

import { $, recall, remember } from '../parts/base.js';

export function offerAtPlay(hub, offer) {
  $('play').addEventListener('click', () => {
    if (!hub.isPlaying || recall('lockoffered')) return;
    remember('lockoffered', true);
    offer();
  });
}
