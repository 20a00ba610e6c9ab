// What every part of the page uses: elements, icons, texts, the feel of a tap.

import { is } from './state.js';
import { t } from './translate.js';

export const $ = id => document.getElementById(id);
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Changes the text only when it differs, to avoid needless layout. Always text, never markup. */
export const put = (element, text) => { if (element.textContent !== text) element.textContent = text };
export const mark = (element, name, value) => {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, value);
};

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
 * Gives an element other children. The focus stays where it was: on the one with the same `data-` name, or on its
 * button.
 */
export function refill(element, children, name) {
  const hand = document.activeElement,
    held = element.contains(hand) ? hand.closest(`[data-${name}]`)?.dataset[name] : null;
  element.replaceChildren(...children);
  const same = held && element.querySelector(`[data-${name}="${CSS.escape(held)}"]`);
  if (same) (same.matches('li') ? same.querySelector('button') : same)?.focus();
}

export function icon(name) {
  const space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS(space, 'use'));
  return showIcon(svg, name);
}
export function showIcon(svg, name) {
  mark(svg.firstElementChild ?? svg.appendChild(document.createElementNS(svg.namespaceURI, 'use')), 'href',
    `#i-${name}`);
  return svg;
}

export const spell = ms => {
  const s = Math.floor(Math.max(0, ms) / 1000), two = n => String(n).padStart(2, '0');
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}`
    : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
};
/** The same for screen readers. */
export const speak = ms => {
  const s = Math.floor(Math.max(0, ms) / 1000), m = Math.floor(s / 60);
  return `${m ? `${t('time.minutes', { n: m })} ` : ''}${t('time.seconds', { n: s % 60 })}`;
};

let buzzedAt = 0;
/** A short vibration, at most ten a second. */
export function buzz(ms = 8) {
  if (performance.now() - buzzedAt < 100 || !navigator.userActivation?.hasBeenActive) return;
  buzzedAt = performance.now();
  try { navigator.vibrate?.(ms) } catch { /* This device cannot vibrate. */ }
}

export const remember = (name, value) => {
  try { localStorage.setItem(`baton.${name}`, JSON.stringify(value)) } catch { }
};
export const recall = name => {
  try { return JSON.parse(localStorage.getItem(`baton.${name}`)) } catch { return null };
};

/** The size of text that a person has chosen, in pixels. */
export const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

export const calm = matchMedia('(prefers-reduced-motion: reduce)');
/** Three columns: what plays, a panel, and the queue. */
export const wide = matchMedia('(min-width: 1200px)');
const watchFace = matchMedia('(max-width: 299px)');
/** watch, phone or desktop: the same parts in another layout. */
export const shape = () => watchFace.matches || is('round') ? 'watch'
  : innerWidth >= 1024 ? 'desktop' : 'phone';
