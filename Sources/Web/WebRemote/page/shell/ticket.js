// The ticket of a one-time link is kept for this tab, and removed from the address bar.

try {
  const found = /^#ticket=([\w-]{16,64})$/.exec(location.hash)?.[1];
  if (found) {
    sessionStorage.setItem('baton.ticket', found);
    history.replaceState(null, '', location.pathname + location.search);
  }
} catch { /* Without storage this tab stays what it was. */ }
