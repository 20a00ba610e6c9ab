// The head of the queue: how much there is, the way back from the last edit, and what is done with all of it.

import { buzz, icon, make, put } from '../parts/parts.js';
import { long } from '../library/placehead.js';
import { t } from '../shell/translate.js';

const undone = ['clear', 'replace', 'remove', 'move', 'shuffle'];

export class QueueHead {
  #count; #undo; #menu;
  /** `told` has `undo()` and `more()`. */
  constructor(told) {
    this.#count = make('p', { class: 'count' });
    this.#undo = make('button', { class: 'small', hidden: true, 'data-needs': 'remote', onclick: told.undo },
      t('undo'));
    this.#menu = make('button', { class: 'tool', id: 'queuemenu', 'aria-label': t('queue.more'),
      onclick: () => { buzz(); told.more() } }, icon('dots'));
    this.element = make('div', { class: 'head' }, this.#count, this.#undo, this.#menu);
  }
  /** The length is said where every entry is known. */
  draw({ len, undo }, rows) {
    const ms = rows.length === len && rows.every(row => row?.durMs) ? rows.reduce((sum, row) => sum + row.durMs, 0) : 0;
    put(this.#count, len === 0 ? t('queue.empty')
      : [t('count.entries', { n: len }), ms ? long(ms) : null].filter(Boolean)
      .join(' · '));
    this.#undo.hidden = !undo;
    if (undo) put(this.#undo, t(undone.includes(undo) ? `undo.${undo}` : 'undo'));
  }
}
