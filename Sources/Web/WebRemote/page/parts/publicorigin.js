// The address of the page for other devices: a browser on the hub's own machine may know it by one that leads nowhere
// else.

import { isOfOwnMachine, isOwnMachine } from '../setup/ownmachine.js';

/** Its origin; null where only the hub's own machine reaches it. */
export async function publicOrigin(hub) {
  if (!isOwnMachine) return location.origin;
  const info = await hub.ask('hub.info', {}), pages = (info?.pages ?? []).map(page => new URL(page));
  return pages.find(({ hostname }) => !isOfOwnMachine(hostname))?.origin ?? null;
}
