// Lists that are made of what the hub says: rooms and people.

import { refill } from '../parts/parts.js';

/** Redraws a list when its content has changed, and keeps the focus. */
export function relist(element, value, rows) {
  const said = JSON.stringify(value);
  if (element.dataset.said === said) return;
  element.dataset.said = said;
  refill(element, rows(), 'id');
}
