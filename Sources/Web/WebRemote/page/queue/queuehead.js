// The head of the queue: how much there is, the way back from the last edit, and what is done with all of it.

import { buzz, icon, make, put } from '../parts/parts.js';
import { long } from '../library/placehead.js';
import { t } from '../shell/translate.js';

const undone = ['clear', 'replace', 'remove', 'move', 'shuffle'];

/**
 * What was played, what plays, and what comes, which is named where all of it is of one album. While a row is carried,
 * the headings stay where they are.
 */
export function queueHeadings(rows, at, length) {
  if (at < 0 || !length) return [];
  const [album, ...others] = new Set(rows.slice(at + 1).map(row => row?.album)), hasNext = at + 1 < length,
    next = album && !others.length ? t('queue.nextFrom', { name: album }) : t('queue.next');
  return [at > 0 ? { from: 0, text: t('queue.before') } : null, { from: at, text: t('queue.now') },
    hasNext ? { from: at + 1, text: next } : null].filter(Boolean);
}

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
    // A row that is not known yet is a hole, which the other questions pass over.
    const isWhole = rows.length === len && !rows.includes(undefined),
      ms = isWhole && rows.every(row => row.durMs) ? rows.reduce((sum, row) => sum + row.durMs, 0) : 0;
    put(this.#count, len === 0 ? t('queue.empty')
      : [t(rows.every(row => row?.kind === 'track') ? 'count.tracks' : 'count.entries', { n: len }),
        ms ? long(ms) : null].filter(Boolean).join(' · '));
    this.#undo.hidden = !undo;
    if (undo) put(this.#undo, t(undone.includes(undo) ? `undo.${undo}` : 'undo'));
  }
}
