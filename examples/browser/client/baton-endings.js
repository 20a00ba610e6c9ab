// What ends a connection, what a role may not do, and the sentences that say so.

/** Codes after which it is not tried again: those of the protocol's table, and HTTP statuses where they can be seen. */
export const endings = {
  400: 'There is no hub at this address, or it is of another version.',
  403: 'The hub does not admit this connection. Ask its owner.',
  404: 'There is no hub at this address.',
  410: 'There is no hub at this address, or it is of another version.',
  1000: 'The hub ended the connection. Reload the page to connect again.',
  1002: 'The hub did not understand this page. Reload the page.',
  1003: 'The hub did not understand this page. Reload the page.',
  1007: 'The hub did not understand this page. Reload the page.',
  1009: 'The hub did not take a message of this page: it was too long. Reload the page.',
  4400: 'This page and the hub do not understand each other. Reload the page.',
  4401: 'The hub does not know this device. Pair it, then reload the page.',
  4403: 'The hub does not let this device in. Ask its owner, then reload the page.',
  4406: 'This page and the hub are of different versions. Reload the page.',
  4409: 'Another connection took the place of this one. Reload the page to go on here.',
};
export const pauses = { 1012: 1000, 1013: 5000, 4429: 10000, 4430: 10000 };
/** Most ms of the wait at random that is added to each of these, by how many connections in a row did not last. */
export const backOff = [250, 500, 1000, 2000, 4000, 8000, 15000, 30000];
/** Messages for what a role may not do. A refusal that names a parameter keeps the hub's own message. */
export const refusals = {
  listener: 'This device may only look. Ask the owner of the hub for more rights.',
  guest: 'This device is a guest: it may add music, and turn the volume as far as the owner allows. Ask the owner of the hub for more rights.',
  remote: 'Only an admin may do this. On the hub’s machine, “baton web” opens this page as one.',
};
export const unanswered = 'The hub did not answer. Please try again.';
