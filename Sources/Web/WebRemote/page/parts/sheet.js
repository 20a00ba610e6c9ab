// The sheet over the page, for actions and forms that do not fit on a row, and the style sheet that it shares with the
// library.

import './icons.js';
import { $, icon, make, mark } from './parts.js';
import { t } from './translate.js';

/** Resolves when a style sheet has loaded; what it describes is shown then. */
export const loadStyle = name => new Promise(done => {
  const href = new URL(name, import.meta.url).pathname;
  document.head.append(make('link', { rel: 'stylesheet', href, onload: done, onerror: done }));
});
/** Those of the library, the lists and the sheet. */
export const styled = Promise.all([applySheet('panels.css'), loadStyle('library.css')]);

/** What the open sheet leaves to do when it closes. */
let end = null;

export function openSheet(title, ...rows) { fill(title, rows) }
/** `closed` is called when the form closes or something else takes its place. */
export function openForm(title, form, closed) { fill(title, [form], closed, t('cancel')) }
function fill(title, rows, closed = null, leave = t('done')) {
  const sheet = $('sheet'), done = make('button', { class: 'small', onclick: closeSheet }, leave);
  end?.();
  end = closed;
  mark(sheet, 'aria-label', title.slice(0, 80));
  sheet.replaceChildren(make('div', { class: 'acts' }, make('h2', { dir: 'auto' }, title), ...rows.filter(Boolean),
    done));
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
  sheet.scrollTop = 0;
}
export function closeSheet() { $('sheet').close() }

/** A button of the sheet: closes the sheet and acts. `needs` is the least role that may do it. */
export function actLine(text, sign, act, needs = null) {
  return make('button', { class: 'small act', 'data-needs': needs, onclick: () => { closeSheet(); act() } }, icon(sign),
    make('span', {}, text));
}
/** A line of the sheet that leads to another place of the page; none without an address. */
export function linkLine(text, sign, address) {
  return address && make('a', { class: 'small act', href: address, onclick: closeSheet }, icon(sign),
    make('span', {}, text));
}
