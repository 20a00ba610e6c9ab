// The menu of a row: by a long press, by a right click, or by the key for it.

const holdMs = 500, slack = 10;

/** `open` gets the event, and gives back whether there is a menu where it happened. */
export function onMenu(element, open) {
  let timer = 0, at = null, isOpened = false;
  const end = () => { clearTimeout(timer); timer = 0 };
  element.addEventListener('contextmenu', event => {
    end();
    // A long press on a touch screen has opened it already, where the browser tells of it too.
    if (isOpened || open(event)) event.preventDefault();
  });
  element.addEventListener('pointerdown', event => {
    [isOpened, at] = [false, [event.clientX, event.clientY]];
    end();
    if (event.pointerType === 'touch' && !event.target.closest('[data-do=move]')) timer = setTimeout(() => {
      isOpened = !!open(event);
    }, holdMs);
  });
  element.addEventListener('pointermove', event => {
    if (timer && Math.hypot(event.clientX - at[0], event.clientY - at[1]) > slack) end();
  });
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) element.addEventListener(name, end);
  // Letting go is no tap, neither on the row nor on what has opened below the finger.
  addEventListener('click', event => {
    if (!isOpened) return;
    isOpened = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  addEventListener('pointerdown', () => { isOpened = false }, { capture: true });
}
