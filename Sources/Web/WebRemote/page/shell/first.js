// Runs before anything is drawn: sets the theme and the language of this device, and the shape and the panel named in
// the address; asks for its style sheets, for the texts of that language, which translate.js awaits, and for the
// modules; and begins the page.
(() => {
  const root = document.documentElement;
  const recall = name => { try { return JSON.parse(localStorage.getItem(`baton.${name}`)) } catch { return null } };
  // Without storage the theme is Night, and the language is the browser's.
  const theme = recall('theme') ?? 'night';
  root.dataset.theme = ['night', 'aura', 'pixel', 'cat', 'plain'].includes(theme) ? theme : 'night';
  const isRound = new URLSearchParams(location.search).get('shape') === 'round';
  if (isRound) root.classList.add('round');
  // The page begins with its panel, so that nothing moves when the rest arrives.
  const places = 'home|search|library|rooms|people|lists|kept|radio|imagine|presets|heard|settings|setup|queue|lyrics';
  const screen = recall('screen'), linked = RegExp(`^#/(${places}|playing)\\b`).exec(location.hash);
  const panel = linked?.[1] ?? screen?.panel ?? recall('panel') ?? 'home',
    isFace = /^(playing|queue|lyrics|people)$/.test(panel);
  const isDesktop = matchMedia('(min-width: 1100px)').matches;
  root.dataset.panel = isFace && isDesktop ? 'home' : panel;
  root.classList.toggle('full', isFace && !isDesktop);
  root.classList.toggle('beside', isDesktop && recall('beside') !== 'none');
  // The style sheets in their order: that of a theme, what all screens need, and what only some shapes do. Those that
  // do not apply get their place and no address, so that nothing is loaded for a theme or a shape that is not shown.
  const shapes = { 'watch.css': '(max-width: 299px)', 'low.css': '(min-width: 300px) and (max-height: 499px)',
    'desktop.css': '(min-width: 1100px)', 'panels.css': 'not all', 'moods.css': 'not all',
    'device.css': '(prefers-contrast: more), (forced-colors: active)' };
  const { sheets } = document.currentScript.dataset, others = ['aura', 'pixel', 'cat', 'plain'];
  const named = [`${root.dataset.theme}.css`, isRound && 'watch.css'];
  const applies = name => named.includes(name) || (shapes[name] ? matchMedia(shapes[name]).matches
    : !others.some(other => name === `${other}.css`));
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
  globalThis.askedTexts = fetch(`/page/@/lang-${root.lang}.json`, limit).catch(() => null);
  if (location.pathname !== '/') return;

  globalThis.beginPage = () => {
    // Shadows and ornaments are expensive to paint, so they follow the first paint.
    root.classList.add('painted');
    // The hub is called while the modules are on their way; connect.js takes the call over.
    const call = globalThis.begunCall = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/baton`, 'baton.v1');
    import('./remote.js').catch(() => {
      call.close();
      document.getElementById('link').textContent = document.getElementById('unloaded').textContent;
    });
  };
  // On later visits the modules are kept by the browser, and wait for the paint of what was seen before.
  if (screen || recall('shell'))
    return document.write('<script src="/page/@/lastscreen.js" defer blocking="render"></script>');
  const preload = names => document.head.append(...names.split(' ').map(name =>
    Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/page/@/${name}` })));
  preload('@modules');
  addEventListener('DOMContentLoaded', () => {
    beginPage();
    // Behind the first paint, which they would delay.
    if (/^(home|library)$/.test(panel)) requestAnimationFrame(() => setTimeout(() => preload('@home')));
  });
})();
