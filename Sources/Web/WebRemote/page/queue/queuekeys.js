// The keys on a row of the queue: arrows lead from row to row, on the grip or with Alt they move it; Delete removes it.

import { clamp } from '../parts/parts.js';

/** `queue` has `virtual` and `remove(id)`; `places` are those of RowDrag. The result hears the keys of the list. */
export const rowKeys = (queue, places) => event => {
  const d = { ArrowUp: -1, ArrowDown: 1 }[event.key], item = event.target.closest('li'),
    isGrip = event.target.closest('[data-do=move]');
  if (!item || !d && event.key !== 'Delete') return;
  event.preventDefault();
  event.stopPropagation();
  const { virtual } = queue, { entry } = item.row, from = places.at(entry),
    sign = event.target.closest('button').dataset.do;
  const hold = element => element?.querySelector(sign ? `[data-do=${sign}]` : '.row')?.focus();
  if (!d) {
    const next = virtual.neighbour(item, 1) ?? virtual.neighbour(item, -1);
    queue.remove(entry);
    hold(next);
  } else if (event.altKey || isGrip) {
    places.move(from, clamp(from + d, 0, places.length() - 1));
    hold(virtual.shown.get(entry));
  } else hold(virtual.neighbour(item, d));
};
