// Lets an element say what another says, in place: what is pressed in it or has the focus stays the same element.

/** What others than the maker of an element have written on it. */
const kept = ['aria-disabled', 'aria-posinset', 'aria-setsize'];
const handlers = ['onclick', 'onchange'];

/**
 * A part that has a state of its own, such as a button that asks for a second press, or a picture that has loaded: it
 * stays as it is while its maker says the same of it, and is exchanged as a whole when not.
 */
export const own = (element, said) => Object.assign(element, { own: said });

const nameOf = ({ dataset }) => dataset && (dataset.do ?? dataset.does ?? dataset.at);
const isSame = (one, other) =>
  one.nodeName === other.nodeName && one.own === other.own && nameOf(one) === nameOf(other);

export function become(element, fresh) {
  if (element === fresh || fresh.own !== undefined) return;
  if (element.nodeType !== Node.ELEMENT_NODE) {
    if (element.data !== fresh.data) element.data = fresh.data;
    return;
  }
  for (const { name } of [...element.attributes])
    if (name !== 'style' && !fresh.hasAttribute(name) && !kept.includes(name)) element.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (name !== 'style' && element.getAttribute(name) !== value) element.setAttribute(name, value);
  // The policy of the page allows a style by its properties, and not as an attribute.
  if (element.getAttribute('style') !== fresh.getAttribute('style')) element.style.cssText = fresh.style.cssText;
  for (const name of handlers) if (element[name] !== fresh[name]) element[name] = fresh[name];
  becomeChildren(element, [...fresh.childNodes]);
}

/** Children are found again in their order; those that come and go between them leave them as they are. */
function becomeChildren(element, children) {
  let at = element.firstChild;
  for (const child of children) {
    let same = at;
    while (same && !isSame(same, child)) same = same.nextSibling;
    if (!same) { element.insertBefore(child, at); continue }
    while (at !== same) at = without(at);
    become(at, child);
    at = at.nextSibling;
  }
  while (at) at = without(at);
}
function without(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}
