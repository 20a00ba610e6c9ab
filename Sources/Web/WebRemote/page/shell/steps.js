// The steps of a person in the browser's history: each place that they went to is an entry, and so is an open sheet.

import { $ } from '../parts/base.js';
import { readAddress } from './route.js';

const mostKept = 50;

export class Steps {
  #show; #isGoingBack = false; #next = null;
  constructor(show) { this.#show = show }
  /** The addresses of the entries before the current one. They tell whether Back leads to a place. */
  get #before() { return history.state?.before ?? [] }
  get #isClosedSheet() { return !!history.state?.isSheet && !$('sheet').open }

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
  /** The browser went back or forth. */
  arrived() {
    const next = this.#next, isOurs = this.#isGoingBack;
    [this.#isGoingBack, this.#next] = [false, null];
    if (next) return this.push(next);
    if (!isOurs && $('sheet').open) return $('sheet').close();
    this.#show(readAddress());
    this.followSheet();
  }
  /** The sheet was opened or closed. */
  followSheet() {
    if (this.#isGoingBack) return;
    const isOpen = $('sheet').open;
    if (isOpen && !history.state?.isSheet) history.pushState({ before: [...this.#before, location.hash]
      .slice(-mostKept), isSheet: true }, '', location.hash);
    else if (this.#isClosedSheet) this.#goBack();
  }
}
