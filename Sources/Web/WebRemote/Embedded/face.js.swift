// Written by deploy/embed from Sources/Web/WebRemote/page/face.js; edit that file.
extension WebRemote {
    static let faceJS: StaticString = ##"""
        // The last screen, drawn before any module is there: texts, level and mood as they stood, grey when they are older than
        // five seconds. remote.js keeps it, and is begun when it can be seen: its own work would only keep it from the screen.
        const isKept = (() => {
          const root = document.documentElement;
          let face = null;
          try { face = JSON.parse(localStorage.getItem('baton.face')) } catch { /* A browser that keeps nothing begins empty. */ }
          const asked = new URLSearchParams(location.search).get('room');
          if (!face?.texts || asked && asked !== face.room) return false;
          for (const [id, text] of Object.entries(face.texts)) { const element = document.getElementById(id); if (element) element.textContent = text }
          document.getElementById('turn').style.setProperty('--level', face.level);
          root.classList.add('away', ...face.is);
          root.classList.toggle('stale', Math.abs(Date.now() - face.wall) > 5000);
          root.dataset.mood = face.mood;
          root.dataset.panel = innerWidth >= 1024 && face.panel === 'playing' ? 'queue' : face.panel;
          return true;
        })();
        const begin = () => {
          // What costs the first paint most and is seen least comes after it.
          document.documentElement.classList.add('painted');
          import('./remote.js').catch(() => { document.getElementById('link').textContent = 'Reload the page when the hub is there.' });
        };
        if (isKept && !document.hidden) requestAnimationFrame(() => setTimeout(begin)); else begin();

        """##
}
