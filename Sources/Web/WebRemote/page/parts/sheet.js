// The sheet over the page, for actions and forms that do not fit on a row, and its style sheets.

import '../looks/icons.js';
import { $, icon, make, mark } from './parts.js';
import { applySheet, loadStyle } from './styles.js';
import { t } from '../shell/translate.js';

let coming = null;
/** The style sheets of the sheet and of forms; loaded with the first that needs them, or when a hand comes near. */
export const styled = () => coming ??= Promise.all([applySheet('panels.css'), loadStyle('library.css'),
  loadStyle('sheet.css'), loadStyle('forms.css')]);
addEventListener('pointerdown', styled, { capture: true, once: true });

/** What the open sheet leaves to do when it closes. */
let end = null;

export function openSheet(title, ...rows) { fill(title, rows) }
/** `closed` is called when the form closes or something else takes its place. */
export function openForm(title, form, closed, leave = t('cancel')) { fill(title, [form], closed, leave) }
function fill(title, rows, closed = null, leave = t('done')) {
  const sheet = $('sheet'), done = make('button', { class: 'small', onclick: closeSheet }, leave);
  end?.();
  end = closed;
  mark(sheet, 'aria-label', title.slice(0, 80));
  const lines = make('div', { class: 'lines' }, ...rows.filter(Boolean));
  // The page behind an open sheet is neither seen nor read out.
  const said = make('p', { class: 'note', id: 'saidhere', role: 'status', dir: 'auto' },
    $('saidhere')?.textContent ?? '');
  sheet.replaceChildren(make('div', { class: 'acts' }, make('h2', { dir: 'auto' }, title), lines, said, done));
  sheet.onclose = () => {
    // The event comes a moment later, when another sheet may be open already.
    if (sheet.open) return;
    // Nothing that was typed stays in the document.
    sheet.replaceChildren();
    const closed = end;
    end = null;
    closed?.();
  };
  sheet.onclick = event => { if (event.target === sheet) closeSheet() };
  if (!sheet.open) sheet.showModal();
  // Lines that scroll would take the focus themselves, and the first of them has it instead.
  if (document.activeElement === lines) lines.querySelector('button, a, input, select')?.focus();
  sheet.scrollTop = 0;
}
export function closeSheet() { $('sheet').close() }
export const isOpen = () => $('sheet').open;
/**
 * Called at a press, before the hub is asked: the result says whether the person has left the sheet of the press
 * meanwhile, to whom no other one is shown then.
 */
export function leaving() {
  const sheet = $('sheet'), shown = isOpen() ? sheet.firstElementChild : null;
  return () => !!shown && (!isOpen() || sheet.firstElementChild !== shown);
}

// ---- Lines of the sheet: an icon and a text, which may be an element.
const line = (tag, text, sign, attributes) =>
  make(tag, { class: 'small act', ...attributes }, icon(sign), text instanceof Node ? text : make('span', {}, text));
/** Closes the sheet and acts. `needs` is the least role that may do it. */
export const actLine = (text, sign, act, needs = null, attributes = {}) =>
  openLine(text, sign, () => { closeSheet(); act() }, { 'data-needs': needs, ...attributes });
/** Leaves the sheet open, for what opens another: one that had closed would take the other with it. */
export const openLine = (text, sign, onclick, attributes = {}) =>
  line('button', text, sign, { ...attributes, onclick });
/** Leads to another place of the page; none without an address. */
export const linkLine = (text, sign, address) =>
  address && line('a', text, sign, { href: address, onclick: closeSheet });
/** A name, which may be written in the other direction than the page. */
export const nameText = name => make('span', { dir: 'auto' }, name);
