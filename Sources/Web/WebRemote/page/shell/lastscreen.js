// Draws the screen as it was when the page was closed, before any module has loaded: texts, level and colours, in grey
// when they are older than five seconds. screenkeeper.js stores them, and the modules are loaded after the first paint
// so as not to delay it. A first visit has no such screen and does not load this.
const isKept = (() => {
  const root = document.documentElement;
  const recall = name => { try { return JSON.parse(localStorage.getItem(`baton.${name}`)) } catch { return null } };
  // Texts of the document itself, where it is not read in English.
  const { language, texts = {} } = recall('shell') ?? {};
  for (const element of language === root.lang ? document.querySelectorAll('[data-t]') : []) {
    element.textContent = texts[element.dataset.t] ?? element.textContent;
  }
  const screen = recall('screen'), asked = new URLSearchParams(location.search).get('room');
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
if (isKept && !document.hidden) requestAnimationFrame(() => setTimeout(beginPage)); else beginPage();
