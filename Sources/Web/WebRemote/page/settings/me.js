// The user of this page, as the hub knows it. It is asked once for each connection: signing in loads the page again,
// and linking the device to a user ends its connections.

let asked = null;

/** What `user.me` answers; null from a hub that keeps no users. */
export function ownUser(hub) {
  const { connections } = hub.stats;
  if (asked?.connections === connections) return asked.me;
  asked = { connections, me: hub.has('people') ? hub.ask('user.me', {}) : Promise.resolve(null) };
  return asked.me;
}
