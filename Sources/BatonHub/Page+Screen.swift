/// How the page draws what it knows, and how hands reach it: the second part of its script.
///
/// Nothing is drawn that has not changed, and frames are asked for only while a visible line moves.
extension Page {
    static let screen: StaticString = #"""
        // ---- Drawing. The place is a line in the hub's time; what is drawn may lag it, and catches up unseen.
        let lag = 0, frame = 0, frameAt = 0, drawnPart = -1, drawnTime = '';
        function place() {
          const l = line();
          if (!l || !said.n) return null;
          const passed = Math.max(0, (hubMs() ?? l[1]) - l[1]);
          return clamp(l[0] + passed * l[2] / 1000 + lag, 0, said.n.d ? said.n.d * 1000 : Infinity);
        }
        function redraw(change, jump) {
          const before = place();
          change();
          lag = 0;
          const gap = before - place();
          if (!jump && before !== null && Math.abs(gap) <= (line()?.[2] ? 2000 : 250)) lag = gap;
        }
        const stale = () => !live && Math.abs(Date.now() - heardAt) > 5000;
        function roll() {
          if (!frame && !document.hidden && line()?.[2] > 0 && !stale()) frame = requestAnimationFrame(step);
          else if (!frame) frameAt = 0;
        }
        function step(at) {
          frame = 0;
          const passed = frameAt ? at - frameAt : 0;
          frameAt = at;
          lag -= clamp(lag, -passed / 2, passed / 2);
          drawPlace();
          roll();
        }
        const spell = ms => {
          const s = Math.floor(ms / 1000), two = n => String(n).padStart(2, '0');
          return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
        };
        function drawPlace() {
          const at = place(), whole = said.n?.d * 1000;
          const part = whole ? Math.round(at / whole * 1440) / 1440 : 0;
          if (part !== drawnPart) $('ring').style.setProperty('--part', drawnPart = part);
          const time = at === null ? '' : whole ? `${spell(at)} / ${spell(whole)}` : spell(at);
          if (time === drawnTime) return;
          $('time').textContent = drawnTime = time;
          $('ring').setAttribute('aria-valuenow', Math.floor((at ?? 0) / 1000));
          $('ring').setAttribute('aria-valuemax', said.n?.d ?? 0);
          $('ring').setAttribute('aria-valuetext', time.replace(' / ', ' of ') || 'unknown');
        }
        const put = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text };
        function paint() {
          const n = said.n, v = said.v, level = want ?? v?.[0], muted = want === null && !!v?.[1];
          const name = said.r ?? '', known = rev !== null;
          put('room', name || 'Baton');
          put('title', n ? n.t || 'Untitled' : known ? 'No music' : 'Baton');
          put('artist', n ? n.a ?? '' : known ? 'The queue is empty.' : '');
          put('level', level === undefined ? '–' : `${level}%`);
          document.title = n ? `${n.t}${n.a ? ` – ${n.a}` : ''} · Baton` : 'Baton';
          const on = playing(), pending = Object.values(presses);
          $('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
          const volume = `Volume${name && `, ${name}`}, ${level ?? 'unknown'} percent${muted ? ', muted' : ''}`;
          $('volume').setAttribute('aria-label', volume);
          $('less').setAttribute('aria-label', `Quieter. ${volume}`);
          $('more').setAttribute('aria-label', `Louder. ${volume}`);
          const is = document.documentElement.classList;
          is.toggle('playing', on);
          is.toggle('waiting', waiting());
          is.toggle('late', pending.some(p => now() - p.at > 300));
          is.toggle('stale', stale());
          is.toggle('muted', muted);
          const sentence = stopped || note || (!live && lostAt && now() - lostAt > 1500 ? 'Looking for the hub…' : said.x) || '';
          put('sentence', sentence);
          is.toggle('saying', !($('say').hidden = !sentence));
          if (!sentence) $('say').classList.remove('open');
          drawPlace();
          roll();
        }

        // ---- Hands.
        for (const [id, d] of [['less', -1], ['more', 1]]) {
          let byPointer = false;
          $(id).onpointerdown = event => {
            if (event.button) return;
            byPointer = true;
            $(id).setPointerCapture(event.pointerId);
            hold(d);
          };
          $(id).onpointerup = $(id).onpointercancel = $(id).onlostpointercapture = release;
          $(id).onclick = () => { if (!byPointer) turn(d); byPointer = false };
        }
        $('play').onclick = toggle;
        $('next').onclick = () => skip('next');
        $('prev').onclick = () => skip('prev');
        $('say').onclick = () => $('say').classList.toggle('open');
        // Focus is for the keyboard: a click leaves none behind that space would press again.
        onmousedown = event => event.preventDefault();
        oncontextmenu = event => event.preventDefault();
        onkeydown = event => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const volume = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          const act = { ' ': toggle, ArrowRight: () => skip('next'), ArrowLeft: () => skip('prev') }[event.key];
          if (!volume && !act || event.key === ' ' && event.target.closest('button')) return;
          event.preventDefault();
          if (volume) { if (now() - turnedAt > 180) turn(volume) } else if (!event.repeat) act();
        };
        ononline = wake;
        onblur = release;
        onpagehide = save;
        document.onvisibilitychange = wake;

        """#
}
