// What a place asks the hub for: its first rows, and more when they come into sight. Where the hub knows how many there
// are, any part of a list can be asked for; else the rows follow one another. What cannot be shown is said in words.

import { isHeld, whenUp } from '../gestures/finger.js';
import { titleOf } from '../items/items.js';
import { keepRows, lastRows } from './lastrows.js';
import { make } from '../parts/parts.js';
import { sortParts } from '../items/rowforms.js';
import { Trail } from '../parts/trail.js';
import { t } from '../shell/translate.js';

export const pageOfRows = 80;
export const noLibrary = t('library.none');

export class Asking extends Trail {
  isOpen = false; isAsking = false; #isReading = false;
  closed() { this.isOpen = false }
  request(here) {
    return ['lib.browse', { ...here.uri ? { node: here.uri } : {}, ...here.sort ? { sort: here.sort } : {},
      limit: pageOfRows }];
  }
  /** Whether the rows are kept for times without the hub. Those of each letter that is typed would push out others. */
  isKept(here) { return here.kind !== 'search' }
  /** Takes an answer as rows of this place. */
  take(here, d, from = here.rows.length) {
    d.rows.forEach((row, index) => { here.rows[from + index] = row });
    here.total = d.total ?? here.total;
    // Where it is known how many there are, any part can be requested, and the list has its whole length at once.
    const isWhole = here.kind === 'browse' && here.total > here.rows.length;
    here.length = isWhole ? here.total : here.rows.length;
    here.cursor = isWhole ? null : d.cursor ?? null;
    if (d.node) { here.node = d.node; here.title ||= titleOf(d.node) }
    if (here.node?.kind === 'artist' && !here.cursor && here.rows.length === here.length) sortParts(here);
  }
  /** Waits for what is shown together with the first rows of a place. */
  async prepare() { }
  async ask(anew = !this.here.isKnown) {
    const { here } = this;
    if (!this.hub.live) {
      // Asked for when the hub is there again.
      if (anew) here.isKnown = false;
      this.#showLast(here);
    }
    if (!this.hub.live || this.hub.viewName === 'watch' || !anew && (this.isAsking || !here.cursor)) return;
    const [m, p] = this.request(here);
    if (m.startsWith('lib.') && !this.hub.has('library')) {
      Object.assign(here, { isKnown: true, problem: noLibrary });
      return this.answered();
    }
    this.isAsking = true;
    if (anew) here.cursor = null;
    const res = await this.asks.ask(m, anew ? p : { ...p, cursor: here.cursor });
    if (!res) return;
    this.isAsking = false;
    // Without an answer the request is repeated when the hub is connected again: a further page when it is in sight.
    const isUnanswered = !res.ok && res.err?.code === 'timeout';
    here.isKnown = !isUnanswered || !anew;
    if (res.ok) {
      here.problem = null;
      here.isOld = false;
      if (anew) [here.before, here.rows] = [here.rows, []];
      if (anew && this.isKept(here)) keepRows([m, p], res.d);
      this.take(here, res.d ?? { rows: [] });
      if (anew) await this.prepare(here);
    } else if (anew || !isUnanswered) {
      here.problem = res.err?.msg ?? t('hub.refused');
      here.cursor = null;
    }
    if (isUnanswered || here !== this.here) return;
    // Rows of two states of a place do not go together.
    if (here.isKnown) this.answered(); else if (res.ok) this.ask();
  }
  /** While the hub is away: what this place showed last. It is asked for when the hub is there again. */
  async #showLast(here) {
    const isShown = () => here.isOld || here.rows.length;
    const d = isShown() || !this.isKept(here) ? null : await lastRows(this.request(here));
    if (!d || this.hub.live || isShown()) return;
    here.isOld = true;
    this.take(here, d);
    if (here === this.here) this.show();
  }
  /** Shows what the hub has answered, when no finger is down here. */
  answered() { whenUp(this.element, () => { if (this.isOpen) this.show() }, this.places) }
  /** Requests the rows again, and shows the old ones until the answer. */
  renew() { if (this.isOpen && this.element.isConnected) this.ask(true) }
  /** Requests rows in sight that were passed over so far. */
  async missing(from) {
    const { here } = this, { rows } = here;
    if (this.#isReading || here.kind !== 'browse' || !this.hub.live) return;
    this.#isReading = true;
    let first = from;
    while (here.rows[first]) first++;
    const [m, p] = this.request(here), d = await this.hub.ask(m, { ...p, from: first });
    this.#isReading = false;
    if (!d || here !== this.here) return;
    // They are of the order that the place had before.
    if (rows !== here.rows) return this.lay();
    this.take(here, d, first);
    if (!d.rows.length) here.length = here.total = first;
    this.lay();
  }

  // ---- Messages where rows are missing.
  sayWhatIs() {
    const { here } = this, words = here.problem ?? (here.isKnown && this.isEmpty(here) ? this.emptyWords(here) : null);
    const said = `${words instanceof Node ? words.dataset.said : words}`;
    if (this.note.dataset.said === said || isHeld(this.note)) return;
    this.note.dataset.said = said;
    const again = here.problem && here.problem !== noLibrary
      ? make('button', { class: 'small', onclick: () => { here.isKnown = false; this.ask() } }, t('tryAgain')) : null;
    this.note.replaceChildren(...[words && !(words instanceof Node) ? make('p', {}, words) : words, again]
      .filter(Boolean));
  }
  isEmpty(here) { return !here.length }
  emptyWords(here) { return t(here.node ? 'place.empty' : 'place.none') }
}
