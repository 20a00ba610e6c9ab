// Elements of settings: labelled fields, and buttons that ask for confirmation.

import { own } from './become.js';
import { buzz, make, put } from './parts.js';

/** Hashing a password takes its time, and the passwords of several people wait for one another. */
export const hashing = { ttl: 30000 };

/** A button for what cannot be undone: it acts on the second tap. */
export function twice(text, sure, act) {
  let timer = 0;
  const calm = () => { clearTimeout(timer); timer = 0; put(button, text); button.classList.remove('sure') };
  const button = make('button', {
    class: 'small', onblur: calm, onclick: () => {
      buzz();
      if (timer) { calm(); return act() }
      put(button, sure);
      button.classList.add('sure');
      timer = setTimeout(calm, 4000);
    },
  }, text);
  return own(button, text);
}

export function field(text, input) { return make('label', { class: 'line' }, text, input) }
