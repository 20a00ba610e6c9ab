// Whether an address leads to the machine of the browser. That the page was opened by such a one is a hint of who the
// person may be, and no proof.

export const isOfOwnMachine = hostname => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
export const isOwnMachine = isOfOwnMachine(location.hostname);
