// Runs before anything is drawn: sets the theme and the language of this device and the shape named in the address, and
// asks for the texts of that language, which translate.js awaits, and for the modules.
(() => {
  const root = document.documentElement;
  const recall = name => { try { return JSON.parse(localStorage.getItem(`baton.${name}`)) } catch { return null } };
  // Without storage the theme is Night, and the language is the browser's.
  const theme = recall('theme') ?? 'night';
  root.dataset.theme = ['night', 'aura', 'pixel', 'cat', 'plain'].includes(theme) ? theme : 'night';
  if (new URLSearchParams(location.search).get('shape') === 'round') root.classList.add('round');
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
