// What the first screen uses of all that parts.js has: elements, texts, the feel of a tap, and what is remembered.

import { is } from '../shell/state.js';
import { t } from '../shell/translate.js';

export const $ = id => document.getElementById(id);
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Changes the text only when it differs, to avoid needless layout. Always text, never markup. */
export const put = (element, text) => { if (element.textContent !== text) element.textContent = text };
export const mark = (element, name, value) => {
  if (value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, value);
};

export function showIcon(svg, name) {
  mark(svg.firstElementChild, 'href', `#i-${name}`);
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

export const calm = matchMedia('(prefers-reduced-motion: reduce)');
const watchFace = matchMedia('(max-width: 299px)');
/** watch, phone or desktop: the same parts in another layout. */
export const shape = () => watchFace.matches || is('round') ? 'watch'
  : innerWidth >= 1100 ? 'desktop' : 'phone';
