/// What the page knows and what is asked of it: the first part of its script.
///
/// State is what the hub said last. A press shows at once as a guess laid over it, and an answer lifts the guess, so
/// taking something back is no work of its own. It speaks through `send` and shows through `paint`, and knows no more
/// of the connection and the screen.
extension Page {
    static let state: StaticString = #"""
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

        """#
}
