// The outputs of this device, as far as the browser names them, and the offset that is kept for each: headphones
// without a wire are heard later than the speaker beside them.

import { recall, remember } from '../parts/parts.js';

/** What stands for the choice of the device itself. */
const own = new Set(['', 'default', 'communications']);
const key = 'listenoffsets';

/** Those that can be chosen: none before the browser names them, which it does once a microphone was allowed. */
export async function outputs() {
  if (!('setSinkId' in AudioContext.prototype) || !navigator.mediaDevices?.enumerateDevices) return [];
  const all = await navigator.mediaDevices.enumerateDevices().catch(() => []), names = new Map();
  return all.filter(({ kind, label, deviceId }) => kind === 'audiooutput' && label && !own.has(deviceId))
    .map(({ deviceId, label }) => {
      // Two of one make are told apart by their order.
      names.set(label, (names.get(label) ?? 0) + 1);
      return { id: deviceId, name: names.get(label) > 1 ? `${label} (${names.get(label)})` : label };
    });
}
/** An output that has gone, or that the browser refuses, is left for the one that the device itself chooses. */
export async function choose(context, name) {
  const found = (await outputs()).find(output => output.name === name);
  try {
    await context.setSinkId?.(found?.id ?? '');
    return found?.name ?? '';
  } catch { return '' }
}
export const offsetOf = output => recall(key)?.[output] ?? 0;
export const keepOffset = (output, ms) => remember(key, { ...recall(key), [output]: ms });
