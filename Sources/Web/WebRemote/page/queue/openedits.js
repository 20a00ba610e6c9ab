// Edits of this remote that the hub has not answered yet. They are laid over the hub's rows, so that each is seen at
// once.

import { operate } from '../../../../../examples/browser/client/baton-queue.js';

export class OpenEdits {
  #edits = [];
  clear() { this.#edits = [] }
  /** The edit holds until its answer has come, when the hub's rows include it. */
  async hold(edit, answer) {
    this.#edits.push(edit);
    await answer;
    this.#edits = this.#edits.filter(other => other !== edit);
  }
  /**
   * Changes the rows, and gives by how many there are more. Rows may include an edit just before its answer: it is not
   * applied again.
   */
  layOver(rows) {
    const isThere = id => rows.some(row => row?.entry === id);
    const lay = ([what, ids, anchor]) => ids.every(isThere) && (!anchor || isThere(anchor))
      ? operate(rows, [what, ids, anchor]) : 0;
    return this.#edits.reduce((more, edit) => more + lay(edit), 0);
  }
}
