// The sheet over the page, for actions and forms that do not fit on a row, and the style sheet that it shares with the library.

import './icons.js';
import { $, icon, make, mark } from './parts.js';

/** Resolves when the style sheet of the library, the lists and the sheet has loaded; they are shown then. */
export const styled = new Promise(done => {
  document.head.append(make('link', { rel: 'stylesheet', href: new URL('library.css', import.meta.url).pathname, onload: done, onerror: done }));
});

/** What the open sheet leaves to do when it closes. */
let end = null;

export function openSheet(title, ...rows) { fill(title, rows) }
/** `closed` is called when the form closes or something else takes its place. */
export function openForm(title, form, closed) { fill(title, [form], closed, 'Cancel') }
function fill(title, rows, closed = null, leave = 'Done') {
  const sheet = $('sheet'), done = make('button', { class: 'small', onclick: closeSheet }, leave);
  end?.();
  end = closed;
  mark(sheet, 'aria-label', title.slice(0, 80));
  sheet.replaceChildren(make('div', { class: 'acts' }, make('h2', { dir: 'auto' }, title), ...rows.filter(Boolean), done));
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
  return make('button', { class: 'small act', 'data-needs': needs, onclick: () => { closeSheet(); act() } }, icon(sign), make('span', {}, text));
}
/** A line of the sheet that leads to another place of the page; none without an address. */
export function linkLine(text, sign, address) {
  return address && make('a', { class: 'small act', href: address, onclick: closeSheet }, icon(sign), make('span', {}, text));
}
