// Whether the page was opened by an address that leads to the machine of the browser. It is a hint of who the person
// may be, and no proof.

export const isOwnMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
