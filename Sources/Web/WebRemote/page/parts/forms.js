// Elements of settings: labelled fields, what is wrong with one, and buttons that ask for confirmation.

import { own } from './become.js';
import { buzz, make, mark, put } from './parts.js';
import { closeSheet } from './sheet.js';
import { t } from '../shell/translate.js';

/** Hashing a password takes its time, and the passwords of several people wait for one another. */
export const hashing = { ttl: 30000 };

/** A button for what cannot be undone: it acts on the second tap. `label` names it where its text alone does not. */
export function twice(text, sure, act, label = null) {
  let timer = 0;
  const show = isSure => {
    put(button, isSure ? sure : text);
    button.classList.toggle('sure', isSure);
    mark(button, 'aria-label', label && isSure ? `${label}. ${sure}` : label);
  };
  const calm = () => { clearTimeout(timer); timer = 0; show(false) };
  const button = make('button', {
    class: 'small', type: 'button', 'aria-label': label, onblur: calm, onclick: () => {
      buzz();
      if (timer) { calm(); return act() }
      show(true);
      timer = setTimeout(calm, 4000);
    },
  }, text);
  return own(button, `${text} ${label}`);
}

export function field(text, input) { return make('label', { class: 'line' }, text, input) }
/** Attributes of a field that must not stay empty; `words` say so below it. */
export const needed = words => ({ required: true, pattern: '.*\\S.*', 'data-wrong': words });

/**
 * Says below a field what is wrong with it; nothing is wrong any more once `words` are empty or the field is edited.
 * The sentence stands behind the label, so that it is no part of the field's name.
 */
export function wrong(input, words) {
  const line = input.closest('label') ?? input, told = line.nextElementSibling,
    shown = told?.matches('.wrong') ? told : null;
  mark(input, 'aria-invalid', words ? 'true' : null);
  if (!words) { mark(input, 'aria-describedby', null); return shown?.remove() }
  const error = shown ?? make('p', { class: 'wrong', role: 'alert', id: `wrong-${++count}` });
  if (!shown) {
    line.after(error);
    input.addEventListener('input', () => wrong(input, ''), { once: true });
  }
  mark(input, 'aria-describedby', error.id);
  put(error, words);
}
let count = 0;

/** What the hub refused, at the field that its answer names, else at `input`. */
export function refusedAt(form, err, input) {
  const at = form.querySelector(`[name="${CSS.escape(err?.at?.split('/').pop() ?? '')}"]`) ?? input;
  wrong(at, err?.msg ?? t('hub.noAnswer'));
  at.focus();
}

/**
 * Sends what was typed into a form of the sheet. It stays there until the hub has done it, which closes the sheet, and
 * what was refused stands at its field. A second press meanwhile does nothing. `press` gives back the hub's answer;
 * `say` says what was refused to a person who has left the sheet meanwhile.
 */
export async function sent(form, input, press, say = () => { }) {
  if (form.hasAttribute('aria-busy')) return { ok: 0 };
  mark(form, 'aria-busy', 'true');
  const res = await press();
  mark(form, 'aria-busy', null);
  const isLeft = !form.isConnected;
  if (res.ok && !isLeft) closeSheet();
  if (!res.ok && isLeft) say(res.err?.msg ?? t('hub.noAnswer'));
  if (!res.ok && !isLeft) refusedAt(form, res.err, input);
  return res;
}

/** What a browser found wrong, in words of the page. A field with a rule of its own has its words in `data-wrong`. */
function wordsFor({ dataset, max, min, minLength, type, validity, value }) {
  if (dataset.wrong) return dataset.wrong;
  if (validity.tooShort) return t('wrong.short', { n: minLength, there: value.length });
  if (type === 'url') return t('wrong.address');
  if (type === 'number') return max ? t('wrong.number', { from: Number(min), to: Number(max) }) : t('wrong.anyNumber');
  return t(type === 'datetime-local' ? 'wrong.time' : type === 'password' ? 'wrong.password' : 'wrong.missing');
}
// A browser tells of each field that keeps a form from being sent. Its own bubble, which would follow, is left out.
addEventListener('invalid', event => {
  const { target } = event;
  event.preventDefault();
  wrong(target, wordsFor(target));
  if (target.form?.querySelector('input:invalid, select:invalid') === target) target.focus();
}, { capture: true });
