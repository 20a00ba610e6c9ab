// How a gesture ends that is not lifted where it began.

/**
 * The gesture on `element` has ended without being lifted there. A child that had the pointer until the program of a
 * gesture was loaded gives it to `element`, and that is no end.
 */
export function onLost(element, act) {
  element.addEventListener('pointercancel', act);
  element.addEventListener('lostpointercapture', event => { if (event.target === element) act() });
}
