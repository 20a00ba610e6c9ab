// Moves a row by its grip. The row follows the finger, and the list scrolls when the finger is near an edge.

/** `queue` has `list`, `scroller` and `rowHeight`; `told` has lift(id), over(place), drop() and cancel(). */
export function dragging(queue, told) {
  const { list, scroller } = queue;
  let carried = null, y = 0, timer = 0;
  const place = () => Math.floor((y - list.getBoundingClientRect().top) / queue.rowHeight);
  const end = how => {
    if (!carried) return;
    clearInterval(timer);
    carried = null;
    told[how]();
  };
  const creep = () => {
    const box = scroller.getBoundingClientRect(), edge = 36;
    const push = y < box.top + edge ? y - box.top - edge : y > box.bottom - edge ? y - box.bottom + edge : 0;
    if (!push) return;
    scroller.scrollTop += push / 3;
    told.over(place());
  };
  list.addEventListener('pointerdown', event => {
    const grip = event.target.closest('[data-do=move]');
    if (!grip || event.button) return;
    carried = grip.closest('li').dataset.entry;
    y = event.clientY;
    // The row under the finger may be redrawn during the drag; the list is not.
    list.setPointerCapture(event.pointerId);
    timer = setInterval(creep, 33);
    told.lift(carried);
  });
  list.addEventListener('pointermove', event => {
    if (!carried) return;
    y = event.clientY;
    told.over(place());
  });
  list.addEventListener('pointerup', () => end('drop'));
  list.addEventListener('pointercancel', () => end('cancel'));
  list.addEventListener('lostpointercapture', () => end('cancel'));
  addEventListener('keydown', event => { if (event.key === 'Escape') end('cancel') });
}
