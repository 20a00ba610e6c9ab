// The address of what is shown, so that Back, a reload and a shared link lead there: `#/library?at=lib:album/2f`.
// Opening an address only shows, it sends no command. An open sheet is an entry of the browser's history, so Back
// closes it first.

import { $ } from '../parts/base.js';

/** `place` says where in a panel, such as `{ at: uri, sort }`, `{ q }` or `{ list: id }`. */
export function addressOf(panel, place = {}) {
  const query = `${new URLSearchParams(Object.entries(place).filter(([, value]) => value))}`;
  return `#/${panel}${query ? `?${query.replace(/%(2F|3A)/g, decodeURIComponent)}` : ''}`;
}
export function readAddress(hash = location.hash) {
  const [, panel, query] = /^#\/([a-z]+)(?:\?(.*))?$/s.exec(hash) ?? [];
  if (!panel) return null;
  const place = Object.fromEntries(new URLSearchParams(query ?? ''));
  // Addresses of earlier versions of the page.
  return { panel: panel === 'more' ? 'settings' : panel === 'library' && place.q ? 'search' : panel, place };
}

/** What is written into the history, and how Back is followed, is loaded with the first of them (steps.js). */
export class Route {
  #show; #stepped; #steps = null; #late = null;
  /**
   * `show` is called with what an address says, when the browser went there, and `stepped` when an address is written.
   */
  constructor(show, stepped) {
    [this.#show, this.#stepped] = [show, stepped];
    addEventListener('popstate', () => this.#arrived());
    new MutationObserver(() => {
      this.#settle();
      this.#step('followSheet');
    }).observe($('sheet'), { attributeFilter: ['open'] });
    addEventListener('click', event => this.#clicked(event));
  }
  /** Steps happen in the order in which they were asked for; without them the address stays as it is. */
  async #step(name, ...how) {
    (await this.fetchSteps())?.[name](...how);
    this.#stepped();
  }
  /** Before the first step of this page there is nothing to follow, so what the address says is shown at once. */
  #arrived() {
    this.#late = null;
    if (this.#steps) this.#step('arrived');
    else { this.#show(readAddress()); this.fetchSteps() }
  }
  fetchSteps() {
    return this.#steps ??= import('./steps.js')
      .then(({ Steps }) => new Steps(to => this.#show(to)), () => { this.#steps = null });
  }

  /** Where the page begins. Below an address that leads deep there is one where the panel begins. */
  begin(address, root) {
    if (history.state?.before) return this.replace(address);
    history.replaceState({ before: [] }, '', root);
    if (root !== address) history.pushState({ before: [root] }, '', address);
  }
  /** A person went to a place. */
  push(address) {
    this.#settle();
    this.#step('push', address);
  }
  /**
   * The same place under another name, such as a search with one letter more. The browser takes longer to write it than
   * to show the letter, so it waits until no letter follows.
   */
  replace(address) {
    clearTimeout(this.#late?.timer);
    this.#late = { address, timer: setTimeout(() => this.#settle(), 250) };
  }
  #settle() {
    const { address = location.hash, timer } = this.#late ?? {};
    clearTimeout(timer);
    this.#late = null;
    if (address !== location.hash) this.#step('replace', address);
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
