/// The page, word for word as a browser gets it. It stands in one piece so that it can be read, and opened, as what
/// it is: looks, from the smallest face upwards; markup; and a script whose sections are what the page keeps, the
/// hub's clock, state, presses, volume, drawing, and the connection. It knows nothing of what comes before the wire.
///
/// Whoever edits it gives the new hash of its style or its script in `contentSecurityPolicy`.
extension Page {
    // An array literal of this size would take the compiler many seconds.
    package static let html: StaticString = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
        <meta name="theme-color" content="#0b0a0e">
        <link rel="icon" href="data:,">
        <title>Baton</title>
        <style>
        :root {
          color-scheme: dark;
          --ring: 64px; --button: 54px; --stroke: 3px; --icon: 26px; --side: 48px; --bar: 36px; --hit: 48px;
          --title: 17px; --text: 13px; --small: 12px; --edge: 6px;
          --ground: #0b0a0e; --ink: #f6f2ea; --dim: #bdb6a9; --track: #35313c; --lit: #f4b65f; --fill: #1d1a22;
        }
        @media (max-width: 183px) { :root { --ring: 48px; --button: 42px; --icon: 22px; --title: 16px; --text: 12px; --edge: 3px } }
        @media (min-width: 225px) and (min-height: 225px) {
          :root { --ring: 80px; --button: 70px; --stroke: 4px; --icon: 32px; --title: 18px; --text: 14px; --edge: 8px }
        }
        @media (min-width: 320px) and (min-height: 400px) {
          :root {
            --ring: clamp(120px, 32vmin, 300px); --button: calc(var(--ring) * .87); --stroke: max(5px, 1vmin);
            --icon: calc(var(--ring) * .38); --side: calc(var(--ring) * .52); --bar: clamp(44px, 8vmin, 72px); --hit: calc(var(--bar) + 12px);
            --title: clamp(24px, 6.4vmin, 72px); --text: clamp(16px, 3.6vmin, 40px); --small: clamp(14px, 2.6vmin, 28px);
            --edge: 4vmin; --inset: 4vmin;
          }
        }
        * { box-sizing: border-box; margin: 0 }
        html, body { height: 100%; overflow: hidden; background: var(--ground); touch-action: manipulation }
        body { font: var(--text)/1.25 system-ui, sans-serif; color: var(--ink); user-select: none; -webkit-user-select: none }
        main {
          height: 100dvh; display: grid; grid-template: 1fr auto auto / 100%; justify-items: center;
          background: radial-gradient(circle at 50% 62%, #2a2130 0, transparent 60%);
        }
        #what { width: 100%; max-width: 64rem; padding: 2px var(--edge) 0; display: grid; align-content: center; text-align: center; min-height: 0 }
        #what > * { min-width: 0 }
        #room, #artist { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
        #room, #time { font-size: var(--small); color: var(--dim) }
        h1, #sentence { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere }
        h1 { font-size: var(--title); line-height: 1.25; font-weight: 600 }
        #sub { position: relative; height: calc(var(--text) * 1.25 + var(--small) * 1.25 + 1px) }
        #time, #level { font-variant-numeric: tabular-nums }
        button {
          font: inherit; color: inherit; background: none; border: 0; padding: 0; display: grid; place-items: center;
          cursor: pointer; touch-action: manipulation; -webkit-tap-highlight-color: transparent; outline: 0 solid var(--lit);
        }
        button:focus-visible { outline-width: 2px; outline-offset: -2px; border-radius: 8px }
        svg { fill: currentColor; pointer-events: none; display: block }
        #say { position: absolute; inset: 0; width: 100%; color: var(--lit); font-size: var(--small); overflow: hidden }
        .saying #artist, .saying #time { visibility: hidden }
        #say[hidden] { display: none }
        #say.open { position: fixed; z-index: 1; padding: 12px; font-size: var(--text); background: var(--ground) }
        #say.open span { display: block; max-height: 100%; overflow: auto }
        #transport { display: flex; align-items: center; justify-content: center; gap: clamp(0px, (100vw - 184px) * .12, 40px) }
        #prev, #next { width: max(48px, var(--side)); height: max(48px, var(--side)) }
        #prev svg, #next svg { width: calc(var(--icon) * .85); height: calc(var(--icon) * .85) }
        #dial { position: relative }
        #play { width: var(--ring); height: var(--ring) }
        #play:focus-visible { border-radius: 50% }
        #ring {
          position: absolute; inset: 0; border-radius: 50%; pointer-events: none;
          background: conic-gradient(var(--lit) calc(var(--part, 0) * 1turn), var(--track) 0);
          mask: radial-gradient(closest-side, transparent calc(100% - var(--stroke) - 1px), #000 calc(100% - var(--stroke)));
        }
        #disc { width: var(--button); height: var(--button); border-radius: 50%; background: var(--ink); color: var(--ground); display: grid; place-items: center }
        #disc svg { width: var(--icon); height: var(--icon) }
        #stand, .playing #go { display: none }
        .playing #stand { display: block }
        #prev:active, #next:active, #disc:active, #play:active #disc { transform: scale(.92); opacity: .85 }
        .late #ring, .waiting #ring { animation: breathe 1.2s ease-in-out infinite alternate }
        @keyframes breathe { to { opacity: .35 } }
        .stale :is(#room, h1, #artist, #time, #ring, #level) { filter: grayscale(1); opacity: .6 }
        #volume { position: relative; width: calc(100% - 2 * var(--inset, 0px)); max-width: 44rem; height: var(--hit); display: flex; gap: 8px; margin-bottom: env(safe-area-inset-bottom) }
        #volume::before { content: ""; position: absolute; inset: calc((var(--hit) - var(--bar)) / 2) 0; border-radius: 12px; background: var(--fill) }
        #volume button { position: relative; height: 100% }
        #less, #more { width: max(48px, var(--hit)) }
        #less:active, #more:active { color: var(--lit) }
        #less svg, #more svg { width: max(18px, var(--small)); height: max(18px, var(--small)) }
        #level { position: relative; flex: 1; align-self: center; text-align: center; font-size: max(16px, var(--text)); font-weight: 600 }
        .muted #level { color: var(--dim); text-decoration: line-through }
        @media (min-width: 320px) and (min-height: 400px) {
          main { padding-bottom: var(--edge) }
          #what { gap: 1.2vmin } #transport { margin-bottom: 4vmin }
        }
        @media (max-width: 183px) { h1 { -webkit-line-clamp: 1; word-break: break-all } }
        /* On a round face the rows stand where the circle is wide enough for them. */
        .round h1, .round #sentence { -webkit-line-clamp: 1 }
        .round h1, .round #say:not(.open) { word-break: break-all }
        .round main { padding: 0; background: none; grid-template: auto auto auto auto / auto; align-content: center; --side: 48px }
        .round #what { display: contents; text-align: center }
        .round #sub { order: -2; width: 46vmin; height: 16px; text-align: center }
        .round h1 { order: -1; width: 68vmin; text-align: center }
        .round #time { display: none }
        .round #say.open { padding: 16vmin }
        .round #transport { gap: 0 }
        .round #volume { width: 66vmin; gap: 0 }
        .round #less, .round #more { width: 44px }
        .round #room { order: 3; width: 36vmin; text-align: center }
        @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } }
        </style>
        </head>
        <body>
        <main>
          <section id="what" aria-label="Now playing">
            <p id="room"></p>
            <h1 id="title" dir="auto">Baton</h1>
            <div id="sub"><p id="artist" dir="auto"></p><p id="time"></p><div role="status"><button id="say" hidden><span id="sentence"></span></button></div></div>
          </section>
          <section id="transport" aria-label="Transport">
            <button id="prev" aria-label="Previous"><svg viewBox="0 0 24 24"><path d="M4 4h3.5v16H4zM21 4v16L8.5 12z"/></svg></button>
            <div id="dial">
            <button id="play" aria-label="Play"><span id="disc">
              <svg id="go" viewBox="0 0 24 24"><path d="M7 3.5v17L21 12z"/></svg>
              <svg id="stand" viewBox="0 0 24 24"><path d="M5.5 4h4.5v16H5.5zM14 4h4.5v16H14z"/></svg>
            </span></button>
            <div id="ring" role="progressbar" aria-label="Position" aria-valuemin="0"></div>
          </div>
          <button id="next" aria-label="Next"><svg viewBox="0 0 24 24"><path d="M16.5 4H20v16h-3.5zM3 4v16l12.5-8z"/></svg></button>
          </section>
          <section id="volume" role="group" aria-label="Volume">
            <button id="less" aria-label="Volume down"><svg viewBox="0 0 18 18"><path d="M2 7.5h14v3H2z"/></svg></button>
            <output id="level" aria-live="off"></output>
            <button id="more" aria-label="Volume up"><svg viewBox="0 0 18 18"><path d="M7.5 2h3v5.5H16v3h-5.5V16h-3v-5.5H2v-3h5.5z"/></svg></button>
          </section>
        </main>
        <script type="module">
        const $ = id => document.getElementById(id);
        const now = () => performance.now();
        const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
        const token = bytes => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
          .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

        // ---- What outlives a reload. A browser that keeps nothing still gets a working page.
        const recall = name => { try { return JSON.parse(localStorage.getItem(name)) } catch { return null } };
        const keep = (name, value) => { try { localStorage.setItem(name, JSON.stringify(value)) } catch { } };
        let device = recall('baton.client');
        if (typeof device !== 'string') keep('baton.client', device = token(8));
        const run = token(3);

        // ---- The hub's clock, in microseconds like every stamp of welcome and time.
        const micros = () => Math.round(now() * 1000);
        let samples = [], best = null;
        const doubt = s => s.error + (micros() - s.at) * 50e-6;
        function sample(t1, t2, t3, t4, grain = 0) {
          const fresh = { at: t4, offset: (t2 - t1 + t3 - t4) / 2, error: Math.max(0, t4 - t1 - t3 + t2) / 2 + grain };
          // Two true samples overlap. If they do not, this machine slept, and what it knew before is void.
          samples = samples.filter(s => Math.abs(s.offset - fresh.offset) < doubt(s) + fresh.error + 2000).slice(-7).concat(fresh);
          redraw(() => best = samples.reduce((a, b) => doubt(b) < doubt(a) ? b : a));
        }
        const hubMs = () => best && (micros() + best.offset) / 1000;

        // ---- State: what the hub said last, whole sections under one revision.
        let said = {}, rev = null, epoch = null, boot = null, room = null, behind = false, heardAt = 0;
        let waitingUntil = 0;  // The watch profile draws buffering as a line that stands still; until then we know better.
        function take(m) {
          const anew = m.full || (m.room && room && m.room !== room);
          if (!anew && (behind || m.from !== rev)) {
            if (!behind) send({ t: 'sync' });
            behind = true;
            return;
          }
          behind = false;
          rev = m.rev;
          room = m.room ?? room;
          const next = anew ? m.s : { ...said, ...m.s };
          const other = next.n?.i !== said.n?.i, went = playing();
          redraw(() => {
            said = next;
            if (other) guess = null;
          }, other);
          // Someone else's skip: loading takes a moment, and the button must not flicker through it.
          if (m.s.l?.[2] === 0 && other && went) expectSound(700);
          if (m.s.l?.[2] > 0 || m.s.x) waitingUntil = 0;
          if (!live) enter();
          save();
          paint();
        }
        function expectSound(ms) {
          waitingUntil = Math.max(waitingUntil, now() + ms);
          setTimeout(paint, ms + 20);
        }
        function save() {
          if (rev !== null && live) keep('baton.state', { said, rev, epoch, boot, room, wall: Date.now(), hub: hubMs() });
        }

        // ---- Presses: shown at once, sent once, and taken back with a sentence when refused.
        let guess = null;       // {line}: what a press not yet answered makes of the room.
        let presses = {};       // play, skip: the press of each kind that waits for its answer.
        let asked = new Map();  // id on this connection -> {press, sent}
        let lastId = 0, note = '', noteTimer = 0;
        const line = () => guess?.line ?? said.l;
        const waiting = () => now() < waitingUntil && !!said.n && !guess;
        const playing = () => line()?.[2] > 0 || waiting();
        function begin(kind, m, p, k) {
          const press = presses[kind] = { kind, m, p, k, at: now() };
          transmit(press);
          for (const ms of [320, 3020, 5020]) setTimeout(review, ms);
          paint();
        }
        function transmit(press) {
          if (!live) return hurry();
          asked.set(++lastId, { press, sent: micros() });
          send({ t: 'cmd', id: lastId, m: press.m, k: press.k, p: press.p });
        }
        function review() {
          for (const press of Object.values(presses)) {
            const age = now() - press.at;
            if (age > 5000) {
              forget(press);
              say('The hub did not answer. Please try again.');
              if (live) lose(socket);
            } else if (age > 3000 && press.kind === 'skip') say('The hub was not reached yet. Tap to try again.');
          }
          paint();
        }
        function forget(press) {
          delete presses[press.kind];
          if (press.kind === 'play') redraw(() => guess = null);
        }
        function answered(m) {
          const { press, sent } = asked.get(m.id) ?? {};
          asked.delete(m.id);
          // A stored answer carries the stamps of its first telling.
          if (sent && m.rx && m.why !== 'dup') sample(sent, m.rx * 1000, m.tx * 1000, micros(), 1000);
          const went = playing();
          if (m.s) take(m);
          if (!press) return;
          if (press.kind === 'volume') volumeAnswered(m);
          if (presses[press.kind] !== press) return;
          forget(press);
          if (!m.ok) say(m.err?.msg ?? 'The hub refused.');
          // A line that stands still right after such a press means that sound is on its way.
          else if (said.l?.[2] === 0 && (press.p.want === 'playing' || press.kind === 'skip' && went && m.st === 'applied')) expectSound(3000);
          else if (press.p.want) waitingUntil = 0;
          paint();
        }
        function toggle() {
          const want = playing() ? 'paused' : 'playing';
          const at = place() ?? 0;
          if (said.n) redraw(() => guess = { line: [at, hubMs() ?? 0, want === 'playing' ? 1000 : 0] });
          waitingUntil = 0;
          begin('play', 'toggle', { want });
        }
        // One press at a time: a second tap on a slow link is the same wish, and its guard and key say so to the hub.
        function skip(m) {
          const earlier = presses.skip;
          if (earlier) return now() - earlier.at > 3000 ? transmit(earlier) : undefined;
          if (said.n) begin('skip', m, { from: said.n.i }, token(4));
        }
        function say(text) {
          note = text;
          clearTimeout(noteTimer);
          noteTimer = setTimeout(() => { note = ''; paint() }, 6000);
          paint();
        }

        // ---- Volume: the number under the finger is the finger's until the gesture has ended and was answered.
        let want = null, ceiling = 100, floor = 0, turnedAt = 0, sentAt = 0, unsent = false, flushTimer = 0, holdTimer = 0;
        // Small steps at both ends, where a step is heard most and where it hurts most.
        const stride = x => x < 10 ? 1 : x < 30 ? 2 : x < 70 ? 3 : x < 90 ? 2 : 1;
        function turn(d) {
          const from = want ?? said.v?.[0];
          if (from === undefined) return;
          want = clamp(from + d * stride(d > 0 ? from : 100 - from), floor, ceiling);
          turnedAt = now();
          unsent = true;
          flush();
          paint();
        }
        function flush() {
          clearTimeout(flushTimer);
          const wait = sentAt + 125 - now();
          if (unsent && live && wait <= 0) {
            sentAt = now();
            unsent = false;
            transmit({ kind: 'volume', m: 'vol.set', p: { level: want } });
          } else if (!live) hurry();
          if (unsent && live) flushTimer = setTimeout(flush, wait);
          else flushTimer = setTimeout(settle, 400);
        }
        function volumeAnswered(m) {
          if (!m.ok) { want = null; unsent = false; say(m.err?.msg ?? 'The hub refused.') }
          else if (m.why === 'ceiling' && want > said.v[0]) { want = ceiling = said.v[0]; say('That is as loud as this room goes.') }
          else if (m.why === 'floor' && want < said.v[0]) { want = floor = said.v[0]; say('That is as quiet as this room goes.') }
          paint();
        }
        const volumeOpen = () => [...asked.values()].some(a => a.press.kind === 'volume');
        function settle() {
          const open = unsent || volumeOpen();
          if (holdTimer || now() - turnedAt < 400 || (open && now() - turnedAt < 5000)) flushTimer = setTimeout(settle, 200);
          else {
            if (open) say('The hub did not answer. Please try again.');
            want = null; unsent = false; ceiling = 100; floor = 0;
            paint();
          }
        }
        function hold(d) {
          turn(d);
          const again = () => {
            turn(d);
            holdTimer = setTimeout(again, d > 0 && want > 85 ? 400 : 200);
          };
          holdTimer = setTimeout(again, 450);
        }
        function release() { clearTimeout(holdTimer); holdTimer = 0 }

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

        // ---- The connection.
        const ends = {
          4400: 'This page and the hub do not understand each other. Reload the page.',
          4401: 'The hub does not know this device. Pair it, then reload the page.',
          4403: 'The hub does not let this device in. Ask whoever runs it, then reload the page.',
          4406: 'This page and the hub are of different versions. Reload the page.',
          4409: 'Another connection took the place of this one. Reload the page to go on here.',
        };
        const pauses = { 1012: 1000, 1013: 5000, 4429: 10000, 4430: 10000 };
        let socket = null, live = false, stopped = '', tries = 0, lostAt = 0, notBefore = 0, silenceMs = 65000;
        let retryTimer = 0, silenceTimer = 0, timeTimer = 0, steadyTimer = 0, exchangesLeft = 0, askedTime = 0;
        const send = message => { if (socket?.readyState === 1) socket.send(JSON.stringify(message)) };
        function connect() {
          clearTimeout(retryTimer);
          if (socket || stopped) return;
          const ws = socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/companion/v1`, 'baton.v1');
          listenFor(8000);
          ws.onopen = () => {
            const hello = { t: 'hello', v: [1], profile: 'watch', client: { id: device, run, name: 'Web page', app: 'page/1' }, caps: [] };
            if (rev !== null && room) {
              hello.rooms = [room];
              hello.resume = { epoch, rev, rooms: [room], sections: Object.keys(said).filter(s => said[s] !== null) };
            }
            send({ ...hello, t1: micros() });
          };
          ws.onmessage = event => {
            if (ws !== socket) return;
            const at = micros(), m = JSON.parse(event.data);
            listenFor(silenceMs);
            heard[m.t]?.(m, at);
          };
          ws.onclose = event => { if (ws === socket) lose(ws, event.code) };
        }
        const heard = {
          welcome(m, at) {
            if (m.boot !== boot) { samples = []; boot = m.boot; if (said.l) said.l = null }
            if (m.epoch !== epoch) { rev = null; epoch = m.epoch }
            silenceMs = 2 * (m.pace?.[1] ?? 30000) + 5000;
            sample(m.t1, m.t2, m.t3, at);
            exchangesLeft = 4;
            exchange();
          },
          state: take,
          res: answered,
          time(m, at) {
            if (m.t1 !== askedTime) return;
            sample(m.t1, m.t2, m.t3, at);
            if (exchangesLeft > 0) exchange();
          },
          challenge() { stopped = ends[4401]; socket.close(); paint() },
          err(m) { if (m.err?.msg) say(m.err.msg) },
        };
        function exchange() {
          clearTimeout(timeTimer);
          exchangesLeft--;
          send({ t: 'time', t1: askedTime = micros() });
          timeTimer = setTimeout(exchange, 60000);
        }
        // The first state makes the page live; presses still fresh go out again under their old keys.
        function enter() {
          live = true;
          lostAt = 0;
          steadyTimer = setTimeout(() => tries = 0, 10000);
          Object.values(presses).forEach(transmit);
          if (unsent) flush();
        }
        function listenFor(ms) {
          clearTimeout(silenceTimer);
          silenceTimer = setTimeout(() => lose(socket), ms);
        }
        function lose(ws, code) {
          if (live) heardAt = Date.now();
          if (live) save();
          lostAt ||= now();
          socket = null;
          live = behind = false;
          unsent ||= volumeOpen();
          asked.clear();
          for (const timer of [silenceTimer, timeTimer, steadyTimer, retryTimer]) clearTimeout(timer);
          ws?.close();
          stopped ||= ends[code] ?? '';
          const pause = pauses[code] ?? 0;
          notBefore = now() + pause;
          const cap = Math.min(250 * 2 ** tries++, document.hidden ? 30000 : 8000);
          if (!stopped) retryTimer = setTimeout(connect, pause + Math.random() * cap);
          for (const ms of [0, 1600, 5100]) setTimeout(paint, ms);
        }
        function hurry() { if (!socket && now() >= notBefore) connect() }
        function wake() {
          if (document.hidden) { release(); save(); return }
          hurry();
          // A link that slept may be dead without knowing it: it has two seconds to say something.
          if (live) { exchange(); listenFor(2000) }
          paint();
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

        // ---- Begin with what was last known, then ask.
        document.documentElement.classList.toggle('round', new URLSearchParams(location.search).get('shape') === 'round');
        const old = recall('baton.state');
        if (old?.said && Number.isInteger(old.rev)) {
          ({ said, rev, epoch, boot, room } = old);
          heardAt = old.wall;
          // The wall clock carries the hub's over the gap, roughly, until the hub itself is heard.
          if (old.hub) samples = [best = { at: micros(), offset: (old.hub + Date.now() - old.wall) * 1000 - micros(), error: 1e6 }];
        }
        paint();
        connect();
        </script>
        </body>
        </html>
        """#
}
