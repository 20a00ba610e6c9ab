// What was deleted just now, with a button that brings it back. It stays for a while, and as long as the pointer or the
// focus is on it.

import { $, buzz, make } from './parts.js';
import { styled } from './sheet.js';
import { t } from '../shell/translate.js';

const shownMs = 12000;
let shown = null;

/** `undo` brings it back. Only the newest can be undone here; the hub keeps earlier ones too. */
export function offerUndo(sentence, undo) {
  styled();
  shown?.remove();
  let timer = 0;
  const box = shown = make('div', { id: 'undo', role: 'status' }, make('span', { dir: 'auto' }, sentence),
    make('button', { class: 'small', onclick: () => { buzz(); close(); undo() } }, t('undo.undo')));
  const close = () => { clearTimeout(timer); box.remove() };
  const wait = () => { clearTimeout(timer); timer = setTimeout(close, shownMs) }, stay = () => clearTimeout(timer);
  let isOver = false;
  const left = focused => { if (!isOver && !box.contains(focused)) wait() };
  box.onpointerenter = () => { isOver = true; stay() };
  box.onpointerleave = () => { isOver = false; left(document.activeElement) };
  box.addEventListener('focusin', stay);
  box.addEventListener('focusout', ({ relatedTarget }) => left(relatedTarget));
  $('saying').append(box);
  wait();
}
