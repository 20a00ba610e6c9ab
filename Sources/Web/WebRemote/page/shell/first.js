// Runs before anything is drawn: sets the theme and the language of this device and the shape named in the address, and
// asks for its style sheets, for the texts of that language, which translate.js awaits, and for the modules.
(() => {
  const root = document.documentElement;
  const recall = name => { try { return JSON.parse(localStorage.getItem(`baton.${name}`)) } catch { return null } };
  // Without storage the theme is Night, and the language is the browser's.
  const theme = recall('theme') ?? 'night';
  root.dataset.theme = ['night', 'aura', 'pixel', 'cat', 'plain'].includes(theme) ? theme : 'night';
  const isRound = new URLSearchParams(location.search).get('shape') === 'round';
  if (isRound) root.classList.add('round');
  // The style sheets in their order: that of a theme, what all screens need, and what only some shapes do. Those that
  // do not apply get their place and no address, so that nothing is loaded for a theme or a shape that is not shown.
  const shapes = { 'watch.css': '(max-width: 299px)', 'low.css': '(min-width: 300px) and (max-height: 499px)',
    'desktop.css': '(min-width: 1024px)', 'panels.css': '(min-width: 1024px)',
    'device.css': '(prefers-contrast: more), (forced-colors: active)' };
  const { sheets } = document.currentScript.dataset, others = ['aura', 'pixel', 'cat', 'plain'];
  const applies = name => name === 'watch.css' && isRound || (shapes[name] ? matchMedia(shapes[name]).matches
    : !others.some(other => name === `${other}.css`) || name === `${root.dataset.theme}.css`);
  document.write([...others.map(name => `${name}.css`), ...sheets.split(' ')].map(name => {
    const source = applies(name) ? `rel="stylesheet" href="/page/@/${name}"` : '';
    return `<link data-sheet="${name}" ${source}>`;
  }).join(''));
  const coming = {};
  /** Gives a place its style sheet; resolves when that has come, or cannot. Then it is asked for again. */
  globalThis.applySheet = name => coming[name] ??= new Promise(done => {
    const link = document.querySelector(`[data-sheet="${name}"]`);
    if (!link || link.rel) return done();
    link.onload = done;
    link.onerror = () => { link.removeAttribute('rel'); delete coming[name]; done() };
    Object.assign(link, { rel: 'stylesheet', href: `/page/@/${name}` });
  });
  for (const [name, query] of Object.entries(shapes)) matchMedia(query).addEventListener('change', event => {
    // What was measured without it is measured again.
    if (event.matches) applySheet(name).then(() => dispatchEvent(new Event('resize')));
  });
  const there = '@languages'.split(' '), wanted = [recall('language'),
    ...navigator.languages.map(tag => tag.split('-')[0])];
  root.lang = wanted.find(code => there.includes(code)) ?? 'en';
  if (/^(ar|fa|he|ur)$/.test(root.lang)) root.dir = 'rtl';
  const limit = { signal: AbortSignal.timeout(5000) };
  // On a first visit nothing is painted that was seen before, so the modules of the page are asked for at once. Later
  // they are kept by the browser, and wait for the first paint.
  for (const name of recall('screen') || location.pathname !== '/' ? [] : '@modules'.split(' ')) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/page/@/${name}` });
    document.head.append(link);
  }
  globalThis.askedTexts = fetch(`/page/@/lang-${root.lang}.json`, limit).catch(() => null);
})();
