// Style sheets that come later than the first paint: those of shapes, themes and panels, which have their place in the
// order of the document, and those of single parts, which follow them.

/** Applies one of those that first.js gave a place; resolves when it has loaded, or cannot. */
export const applySheet = name => globalThis.applySheet(name);

const coming = {};
/** Resolves when a style sheet has loaded; what it describes is shown then. Each is loaded once. */
export const loadStyle = name => coming[name] ??= new Promise(done => {
  const href = new URL(name, import.meta.url).pathname;
  document.head.append(Object.assign(document.createElement('link'),
    { rel: 'stylesheet', href, onload: done, onerror: done }));
});
