// The address of what is shown, so that Back, a reload and a shared link lead there: `#/library?at=lib:album/2f`.
// Opening an address only shows, it sends no command. An open sheet is an entry of the browser's history, so Back
// closes it first.

import { $ } from './parts.js';

const mostKept = 50;

/** `place` says where in a panel, such as `{ at: uri, sort }`, `{ q }` or `{ list: id }`. */
export function addressOf(panel, place = {}) {
  const query = `${new URLSearchParams(Object.entries(place).filter(([, value]) => value))}`;
  return `#/${panel}${query ? `?${query.replace(/%(2F|3A)/g, decodeURIComponent)}` : ''}`;
}
export function readAddress(hash = location.hash) {
  const [, panel, query] = /^#\/([a-z]+)(?:\?(.*))?$/s.exec(hash) ?? [];
  return panel ? { panel, place: Object.fromEntries(new URLSearchParams(query ?? '')) } : null;
}

export class Route {
  #show; #isGoingBack = false; #next = null;
  /** `show` is called with what an address says, when the browser went there. */
  constructor(show) {
    this.#show = show;
    addEventListener('popstate', () => this.#arrived());
    new MutationObserver(() => this.#followSheet()).observe($('sheet'), { attributeFilter: ['open'] });
    addEventListener('click', event => this.#clicked(event));
  }
  /** The addresses of the entries before the current one. They tell whether Back leads to a place. */
  get #before() { return history.state?.before ?? [] }
  get #isClosedSheet() { return !!history.state?.isSheet && !$('sheet').open }

  /** Where the page begins. Below an address that leads deep there is one where the panel begins. */
  begin(address, root) {
    if (history.state?.before) return this.replace(address);
    history.replaceState({ before: [] }, '', root);
    if (root !== address) history.pushState({ before: [root] }, '', address);
  }
  /** A person went to a place. Going to where they came from is going back. */
  push(address) {
    if (this.#isGoingBack) { this.#next = address; return }
    const before = this.#before, isSheet = this.#isClosedSheet;
    if (before.at(-1) === address) return this.#goBack();
    if (isSheet) return history.replaceState({ before }, '', address);
    if (address !== location.hash) history.pushState({ before: [...before, location.hash].slice(-mostKept) }, '',
      address);
  }
  /** The same place under another name, such as a search with one letter more. */
  replace(address) {
    if (this.#isGoingBack) { this.#next = address; return }
    if (address !== location.hash) history.replaceState({ ...history.state, isSheet: undefined }, '', address);
  }
  #goBack() {
    this.#isGoingBack = true;
    history.back();
  }
  #arrived() {
    const next = this.#next, isOurs = this.#isGoingBack;
    [this.#isGoingBack, this.#next] = [false, null];
    if (next) return this.push(next);
    if (!isOurs && $('sheet').open) return $('sheet').close();
    this.#show(readAddress());
    this.#followSheet();
  }
  #followSheet() {
    if (this.#isGoingBack) return;
    const isOpen = $('sheet').open;
    if (isOpen && !history.state?.isSheet) history.pushState({ before: [...this.#before, location.hash]
      .slice(-mostKept), isSheet: true }, '', location.hash);
    else if (this.#isClosedSheet) this.#goBack();
  }
  /** Links of the page do not load it again. With a key held, the browser opens them in another tab. */
  #clicked(event) {
    const link = event.target.closest?.('a[href^="#/"]'), to = link && readAddress(link.getAttribute('href'));
    if (!to || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.push(link.getAttribute('href'));
    this.#show(to);
  }
}
