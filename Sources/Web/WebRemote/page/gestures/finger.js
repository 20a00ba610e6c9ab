// Where a finger, the mouse or the space bar is down. What stands there neither moves, comes nor goes until it is up
// and its click has been heard: a press would end on something else than it began on, and be lost.

/** The parts of the page in which a press holds all that stands there. */
const frames = '#panel, #side, #face, #places, #resume, #asleep, #held, dialog';
/** The click of a finger comes after its release, through the browser's own process. */
const clickMs = 300, slack = 12;

let held = null, begin = null, timer = 0;
/** What waits for the release, by whose it is: a part of the page, and what is done to it then. */
const waiting = new Map();

export const isDown = () => !!held;
export const isHeld = element => isDown() && held.contains(element);

/** Acts at once, or when nothing is down where `element` is. Of all that `owner` asks for, the last is done. */
export function whenUp(element, act, owner = element) {
  waiting.delete(owner);
  if (isHeld(element)) waiting.set(owner, [element, act]); else act();
}

function doWhatWaits() {
  for (const [owner, [element, act]] of [...waiting]) if (!isHeld(element) && waiting.delete(owner)) act();
}
function hold(target, at = null) {
  clearTimeout(timer);
  [held, begin] = [target.closest?.(frames) ?? null, at];
  doWhatWaits();
}
function release(afterMs = 0) {
  clearTimeout(timer);
  timer = setTimeout(() => { held = null; doWhatWaits() }, afterMs);
}
const hear = (name, act) => addEventListener(name, act, { capture: true, passive: true });

hear('pointerdown', ({ target, isPrimary, clientX, clientY }) => { if (isPrimary) hold(target, [clientX, clientY]) });
hear('pointerup', ({ isPrimary, pointerType, clientX, clientY }) => {
  if (!held || !isPrimary) return;
  const isTap = begin && Math.hypot(clientX - begin[0], clientY - begin[1]) < slack;
  release(isTap && pointerType !== 'mouse' ? clickMs : 0);
});
// A scroll has begun, or the finger is lost.
hear('pointercancel', ({ isPrimary }) => { if (held && isPrimary) release() });
hear('pointermove', ({ pointerType, buttons }) => { if (held && pointerType === 'mouse' && !buttons) release() });
hear('blur', ({ target }) => { if (target === window) release() });
// A list of choices that opens over the page takes the release.
hear('change', () => { if (held) release() });
// What a click does is done with the page as it is, and what has waited follows it.
hear('click', () => { if (held) { held = null; release() } });
hear('keydown', ({ key, repeat, target }) => {
  if (key === ' ' && !repeat && target.matches?.('button')) hold(target);
});
hear('keyup', ({ key }) => { if (held && key === ' ') release() });
