// Draws the screen as it was when the page was closed, before any module has loaded: texts, level and colours, in grey
// when they are older than five seconds. remote.js stores them, and is loaded after the first paint so as not to delay it.
const isKept = (() => {
  const root = document.documentElement;
  let screen = null;
  try { screen = JSON.parse(localStorage.getItem('baton.screen')) } catch { /* Without storage the page begins empty. */ }
  const asked = new URLSearchParams(location.search).get('room');
  if (!screen?.texts || asked && asked !== screen.room) return false;
  for (const [id, text] of Object.entries(screen.texts)) { const element = document.getElementById(id); if (element) (element.firstElementChild ?? element).textContent = text }
  document.getElementById('turn').style.setProperty('--level', screen.level);
  root.classList.add('away', ...screen.is);
  root.classList.toggle('stale', Math.abs(Date.now() - screen.heardAt) > 5000);
  root.dataset.mood = screen.mood;
  const panel = /^#\/(queue|rooms|library|lists|people|more|presets|lyrics|playing)\b/.exec(location.hash)?.[1] ?? screen.panel;
  root.dataset.panel = innerWidth >= 1024 && panel === 'playing' ? 'queue' : panel;
  return true;
})();
const begin = () => {
  // Shadows and ornaments are expensive to paint, so they follow the first paint.
  document.documentElement.classList.add('painted');
  import('./remote.js').catch(() => { document.getElementById('link').textContent = 'Reload the page when the hub is running.' });
};
if (isKept && !document.hidden) requestAnimationFrame(() => setTimeout(begin)); else begin();
