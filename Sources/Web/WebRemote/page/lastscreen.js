// The last screen, drawn before any module is there: texts, level and mood as they stood, grey when they are older than
// five seconds. remote.js keeps it, and is begun when it can be seen: its own work would only keep it from the screen.
const isKept = (() => {
  const root = document.documentElement;
  let screen = null;
  try { screen = JSON.parse(localStorage.getItem('baton.screen')) } catch { /* A browser that keeps nothing begins empty. */ }
  const asked = new URLSearchParams(location.search).get('room');
  if (!screen?.texts || asked && asked !== screen.room) return false;
  for (const [id, text] of Object.entries(screen.texts)) { const element = document.getElementById(id); if (element) element.textContent = text }
  document.getElementById('turn').style.setProperty('--level', screen.level);
  root.classList.add('away', ...screen.is);
  root.classList.toggle('stale', Math.abs(Date.now() - screen.heardAt) > 5000);
  root.dataset.mood = screen.mood;
  root.dataset.panel = innerWidth >= 1024 && screen.panel === 'playing' ? 'queue' : screen.panel;
  return true;
})();
const begin = () => {
  // What costs the first paint most and is seen least comes after it.
  document.documentElement.classList.add('painted');
  import('./remote.js').catch(() => { document.getElementById('link').textContent = 'Reload the page when the hub is there.' });
};
if (isKept && !document.hidden) requestAnimationFrame(() => setTimeout(begin)); else begin();
