// Draws the screen as it was when the page was closed, before any module has loaded: texts, level and colours, in grey
// when they are older than five seconds. remote.js stores them, and is loaded after the first paint so as not to delay
// it.
const isKept = (() => {
  const root = document.documentElement;
  const recall = name => { try { return JSON.parse(localStorage.getItem(`baton.${name}`)) } catch { return null } };
  // Texts of the document itself, where it is not read in English.
  const { language, texts = {} } = recall('shell') ?? {};
  for (const element of language === root.lang ? document.querySelectorAll('[data-t]') : []) {
    element.textContent = texts[element.dataset.t] ?? element.textContent;
  }
  // Without storage the page begins empty, and with its panel, so that nothing moves when the rest arrives.
  const screen = recall('screen'), asked = new URLSearchParams(location.search).get('room');
  const linked = /^#\/(queue|rooms|library|lists|kept|radio|heard|imagine|people|more|presets|lyrics|playing)\b/.exec(
    location.hash)?.[1];
  const panel = linked ?? screen?.panel ?? recall('panel') ?? 'playing';
  root.dataset.panel = innerWidth >= 1024 && panel === 'playing' ? 'queue' : panel;
  if (!screen?.texts || asked && asked !== screen.room) return false;
  for (const [id, text] of Object.entries(screen.texts)) {
    const element = document.getElementById(id);
    if (element) (element.firstElementChild ?? element).textContent = text;
  }
  document.getElementById('turn').style.setProperty('--level', screen.level);
  root.classList.add('away', ...screen.is);
  root.classList.toggle('stale', Math.abs(Date.now() - screen.heardAt) > 5000);
  root.dataset.mood = screen.mood;
  return true;
})();
const begin = () => {
  // Shadows and ornaments are expensive to paint, so they follow the first paint.
  document.documentElement.classList.add('painted');
  // The hub is called while the modules are on their way; connect.js takes the call over.
  const call = globalThis.begunCall = new WebSocket(
    `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/companion/v1`, 'baton.v1');
  import('./remote.js').catch(() => {
    call.close();
    document.getElementById('link').textContent = document.getElementById('unloaded').textContent;
  });
};
if (isKept && !document.hidden) requestAnimationFrame(() => setTimeout(begin)); else begin();
