// What plays, below another panel: a swipe up opens it, one sideways skips. It follows the finger.

const enough = 48, slack = 8;

/** `told` has `isOn()`, `up()`, `left()` and `right()`. */
export function swiping(elements, told) {
  let from = null, moved = 0;
  const show = x => { for (const element of elements) element.style.translate = x ? `${x}px` : '' };
  const end = event => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]], isDone = event.type === 'pointerup';
    from = null;
    show(0);
    if (!isDone) return;
    if (-y > enough && Math.abs(x) < -y) told.up();
    else if (x < -enough) told.left();
    else if (x > enough) told.right();
  };
  for (const element of elements) {
    element.addEventListener('pointerdown', event => {
      if (event.button || !told.isOn()) return;
      [from, moved] = [[event.clientX, event.clientY], 0];
    });
    element.addEventListener('pointermove', event => {
      if (!from) return;
      const x = event.clientX - from[0];
      moved = Math.max(moved, Math.abs(x), Math.abs(event.clientY - from[1]));
      if (moved > slack && !element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
      if (Math.abs(x) > slack) show(Math.max(-80, Math.min(80, x)));
    });
    for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, end);
    // A swipe is no tap.
    element.addEventListener('click', event =>
      { if (moved > slack) { moved = 0; event.stopPropagation(); event.preventDefault() } }, { capture: true });
  }
}
