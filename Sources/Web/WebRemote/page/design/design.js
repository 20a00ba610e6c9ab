// The sheet of all parts, in a frame for each theme. Only a debug build serves it.

const themes = [['night', 'dark'], ['night', 'light'], ['aura', 'light'], ['pixel', 'dark'], ['cat', 'dark'],
  ['plain', 'dark']];
const parts = document.getElementById('parts'), theme = new URLSearchParams(location.search).get('theme');

/** A frame prefers the form that its element has, and is as high as what is in it. */
function frame(theme, form) {
  const figure = document.createElement('figure'), caption = document.createElement('figcaption'),
    element = document.createElement('iframe');
  Object.assign(element, { src: `/design?theme=${theme}`, title: `${theme}, ${form}` });
  element.style.colorScheme = form;
  element.onload = () => new ResizeObserver(([{ target }]) => { element.style.height = `${target.scrollHeight + 2}px` })
    .observe(element.contentDocument.documentElement);
  caption.textContent = element.title;
  figure.append(caption, element);
  return figure;
}
/**
 * The icons that the first screen needs are in the document of the page, and modules add the others to them. The
 * player is there, too.
 */
async function fetchPlayer() {
  const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
  document.body.prepend(document.importNode(page.getElementById('icons'), true));
  return document.importNode(page.getElementById('player'), true);
}
if (themes.some(([name]) => name === theme)) {
  const player = await fetchPlayer(), { allParts } = await import('./allparts.js');
  parts.append(...await allParts(theme, player));
} else {
  parts.className = 'themes';
  parts.append(...themes.map(([name, form]) => frame(name, form)));
}
