// Runs before anything is drawn: sets the theme chosen on this device and the shape named in the address.
(() => {
  const root = document.documentElement;
  let theme = 'aura';
  try { theme = JSON.parse(localStorage.getItem('baton.theme')) ?? theme } catch { /* Without storage the theme is Aura. */ }
  root.dataset.theme = ['aura', 'pixel', 'cat', 'plain'].includes(theme) ? theme : 'aura';
  if (new URLSearchParams(location.search).get('shape') === 'round') root.classList.add('round');
})();
