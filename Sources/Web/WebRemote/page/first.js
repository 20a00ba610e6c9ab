// Runs before anything is drawn: sets the theme chosen on this device and the shape named in the address.
(() => {
  const root = document.documentElement;
  let theme = 'night';
  try { theme = JSON.parse(localStorage.getItem('baton.theme')) ?? theme } catch { /* Without storage the theme is Night. */ }
  root.dataset.theme = ['night', 'aura', 'pixel', 'cat', 'plain'].includes(theme) ? theme : 'night';
  if (new URLSearchParams(location.search).get('shape') === 'round') root.classList.add('round');
})();
