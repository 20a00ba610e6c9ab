// What only a hand needs is loaded when a person reaches for it. The events until then are held, and come again in
// their order when their listeners are there, so the first touch counts as any other.

import { t } from '../shell/translate.js';

const kinds = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'click', 'wheel', 'keydown'];
/** What continues a gesture; by itself it is none. */
const follows = ['pointermove', 'pointerup', 'pointercancel'];
/** What a slider does by its keys. Other keys, such as Tab, go their way. */
const sliderKeys = /^(Arrow|Page|Home|End)/;

/**
 * Calls `load()` when `element` is touched, has the focus, or lies below the pointer. The result loads it sooner, and
 * resolves to what `load` gave, or to nothing when it could not be loaded. A touch for which that failed is answered by
 * `say`, and the next one tries again.
 */
export function atFirstTouch(element, load, say) {
  const held = [];
  let coming = null;
  const listen = verb => {
    for (const kind of kinds) element[verb](kind, hold, { capture: true, passive: kind === 'wheel' });
  };
  function hold(event) {
    if (!held.length && follows.includes(event.type) || event.type === 'keydown' && !sliderKeys.test(event.key)) return;
    held.push(event);
    event.stopImmediatePropagation();
    if (event.type === 'keydown') event.preventDefault();
    // What follows comes here too when the pointer leaves the element meanwhile.
    if (event.type === 'pointerdown') capture(event.target, event);
    fetch().then(part => { if (!part) say(t('part.missing')) });
  }
  async function loaded() {
    try {
      const part = await load();
      listen('removeEventListener');
      for (const event of held.splice(0)) event.target.dispatchEvent(new event.constructor(event.type, event));
      return part;
    } catch {
      coming = null;
      held.length = 0;
    }
  }
  const fetch = () => coming ??= loaded();
  listen('addEventListener');
  for (const kind of ['pointerover', 'focusin']) element.addEventListener(kind, fetch, { once: true, passive: true });
  return fetch;
}

/**
 * What `load` brings, for presses that are one event: loaded with the first of them, and used at once from then on. The
 * result takes what is done with it.
 */
export function lazy(load, say) {
  let part = null, coming = null;
  return async (act = () => { }) => {
    try { part ??= await (coming ??= load()) } catch {
      coming = null;
      return say(t('part.missing'));
    }
    return act(part);
  };
}

/** The pointer's events come to `element` until it is lifted; one that has been lifted meanwhile sends none. */
export function capture(element, event) {
  try { element.setPointerCapture(event.pointerId) } catch { /* The gesture is over. */ }
}
