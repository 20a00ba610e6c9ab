// Written by deploy/embed from Sources/Web/WebRemote/page/first.js; edit that file.
extension WebRemote {
    static let firstJS: StaticString = ##"""
        // Before anything is drawn: the theme that this device chose, and the shape that the address asks for.
        (() => {
          const root = document.documentElement;
          let theme = 'aura';
          try { theme = JSON.parse(localStorage.getItem('baton.theme')) ?? theme } catch { /* A browser that keeps nothing has Aura. */ }
          root.dataset.theme = ['aura', 'pixel', 'cat', 'plain'].includes(theme) ? theme : 'aura';
          if (new URLSearchParams(location.search).get('shape') === 'round') root.classList.add('round');
        })();

        """##
}
