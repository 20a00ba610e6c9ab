// Search as one types.

/**
 * Queries of which only the newest counts, for search as you type: one is in flight, the newest waits behind it, and
 * older ones resolve to null. Answers are whole replies, so that a refusal can be shown.
 */
export class Latest {
  #hub; #turn = 0; #isBusy = false; #next = null;
  constructor(hub) { this.#hub = hub }
  async ask(m, p) {
    const turn = ++this.#turn;
    this.#next?.(false);
    this.#next = null;
    if (this.#isBusy && !await new Promise(go => this.#next = go)) return null;
    this.#isBusy = true;
    const res = await this.#hub.press(m, p, { silent: true }), next = this.#next;
    this.#next = null;
    if (next) next(true); else this.#isBusy = false;
    return turn === this.#turn ? res : null;
  }
}
