// What every part of the page uses: elements and icons that it makes, and all of base.js.

import { showIcon } from './base.js';

export * from './base.js';

/** An element with attributes, listeners (functions under `on…`) and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element[name] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name,
      value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/**
 * Gives an element other children, in this order. Those that stay are not taken out, not even for a moment, and the one
 * with the focus is not moved, since a press on one that was would be lost. With `name`, a focus that is lost goes to
 * the child with the same `data-` name, or to its button.
 */
export function refill(element, children, name = null) {
  const hand = document.activeElement, isIn = element.contains(hand), all = new Set(children);
  const held = isIn && name ? hand.closest(`[data-${name}]`)?.dataset[name] : null;
  const pinned = isIn ? children.find(child => child.contains(hand)) : null;
  for (const child of [...element.children]) if (!all.has(child)) child.remove();
  let at = element.firstElementChild;
  for (const child of children) {
    if (child === pinned) while (at !== pinned) {
      const other = at;
      at = at.nextElementSibling;
      element.append(other);
    }
    if (child === at) at = at.nextElementSibling; else element.insertBefore(child, at);
  }
  if (document.activeElement === hand) return;
  const same = held && element.querySelector(`[data-${name}="${CSS.escape(held)}"]`);
  if (same) (same.matches('li') ? same.querySelector('button') : same)?.focus();
}

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS(space, 'use'));
  return showIcon(svg, name);
}

/** Keys that lead to what stands beside, and how far: the left one leads on where one reads from right to left. */
export const sideKeys = document.dir === 'rtl' ? { ArrowLeft: 1, ArrowRight: -1 } : { ArrowLeft: -1, ArrowRight: 1 };

let textSize = 0;
/**
 * The size of text that a person has chosen, in pixels. It is read once, since each reading computes styles, and then
 * watched by an element as wide.
 */
export function rem() {
  if (textSize) return textSize;
  const ruler = make('i', { 'aria-hidden': 'true' });
  Object.assign(ruler.style, { position: 'absolute', width: '1rem', height: '0', visibility: 'hidden' });
  document.body.append(ruler);
  new ResizeObserver(([{ contentRect }]) => { textSize = contentRect.width || textSize }).observe(ruler);
  return textSize = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
