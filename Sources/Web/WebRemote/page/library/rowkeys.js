// The keys of rows: the arrows lead from one to the next, to the same part of it, and Escape leads back.

import { sideKeys } from '../parts/parts.js';

/** Moves the focus where a key asks for it. `shelves` is the place, with `list`, `virtual` and `form`. */
export function rowKey(shelves, event) {
  const item = event.target.closest('.rows li'), { list, virtual, here, places } = shelves;
  if (event.key === 'Escape' && places.length > 1) {
    event.stopPropagation();
    shelves.goBack();
    if (!event.target.isConnected) shelves.back.focus({ preventScroll: true });
    return;
  }
  // Rows beside the list stand one below the other.
  const isOfList = list.contains(item), columns = isOfList ? shelves.form(here).columns ?? 1 : 1;
  const by = { ArrowUp: -columns, ArrowDown: columns, ...columns > 1 && sideKeys }[event.key];
  if (!by || !item || event.altKey || event.target.closest('[data-do=move]')) return;
  event.preventDefault();
  event.stopPropagation();
  const next = isOfList ? virtual.neighbour(item, by) : by < 0 ? item.previousElementSibling : item.nextElementSibling;
  next?.querySelector(`[data-do=${event.target.dataset.do}]`)?.focus();
}
