// What plays is swiped: up and down open and fold it, sideways skips. It follows the finger.

const enough = 48, slack = 8;

/** `told` has `isOn()`, `up()`, `down()`, `left()` and `right()`. */
export function swiping(elements, told) {
  let from = null, moved = 0, listening = null;
  const show = x => { for (const element of elements) element.style.translate = x ? `${x}px` : '' };
  const move = event => {
    const x = event.clientX - from[0];
    moved = Math.max(moved, Math.abs(x), Math.abs(event.clientY - from[1]));
    if (Math.abs(x) > slack) show(Math.max(-80, Math.min(80, x)));
  };
  const end = event => {
    listening.abort();
    show(0);
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    if (event.type !== 'pointerup') return;
    if (-y > enough && Math.abs(x) < -y) told.up();
    else if (y > enough && Math.abs(x) < y) told.down();
    else if (x < -enough) told.left();
    else if (x > enough) told.right();
  };
  for (const element of elements) {
    element.addEventListener('pointerdown', event => {
      if (event.button || !told.isOn()) return;
      [from, moved] = [[event.clientX, event.clientY], 0];
      listening?.abort();
      listening = new AbortController;
      // The window hears of a finger that is elsewhere by the time of its first move.
      const { pointerId } = event, { signal } = listening;
      const on = (name, act) =>
        window.addEventListener(name, other => { if (other.pointerId === pointerId) act(other) }, { signal });
      on('pointermove', move);
      on('pointerup', end);
      on('pointercancel', end);
    });
    // A swipe is no tap. A press of a key, which has no detail, is one.
    element.addEventListener('click', event =>
      { if (moved > slack && event.detail) { event.stopPropagation(); event.preventDefault() } }, { capture: true });
  }
}
