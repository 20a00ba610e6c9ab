// A row is swiped sideways by a finger to remove it. It follows the finger, and goes back unless it was taken far
// enough; a list that is scrolled is not swiped.

const slack = 10, farPart = 0.35;

/** `remove` is called with the row that was swiped away. */
export function swipeToRemove(list, remove) {
  let item = null, from = null, isSwiped = false, hasSwiped = false;
  const place = x => { if (item) item.firstElementChild.style.translate = x ? `${x}px` : '' };
  const end = act => {
    if (isSwiped) { place(0); item.classList.remove('swiped') }
    if (isSwiped) act?.(item);
    item = null;
    isSwiped = false;
  };
  list.addEventListener('pointerdown', event => {
    hasSwiped = false;
    if (event.pointerType !== 'touch' || event.target.closest('[data-do=move]')) return;
    [item, from] = [event.target.closest('li[data-entry]'), [event.clientX, event.clientY]];
  });
  list.addEventListener('pointermove', event => {
    if (!item) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    if (!isSwiped && Math.abs(y) > slack && Math.abs(y) >= Math.abs(x)) item = null;
    else if (!isSwiped && Math.abs(x) > slack) {
      isSwiped = hasSwiped = true;
      item.classList.add('swiped');
      list.setPointerCapture(event.pointerId);
    }
    if (isSwiped) place(x);
  });
  list.addEventListener('pointerup', event => {
    const isFar = item && Math.abs(event.clientX - from[0]) > item.clientWidth * farPart;
    end(isFar ? ({ row }) => remove(row) : null);
  });
  list.addEventListener('pointercancel', () => end());
  // A swipe is no tap.
  list.addEventListener('click', event => {
    if (!hasSwiped) return;
    hasSwiped = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
}
