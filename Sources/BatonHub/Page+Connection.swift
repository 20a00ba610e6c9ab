/// How the page finds the hub again and again, and how it begins: the last part of its script.
///
/// The first thing on the screen is what was last known, before anything is asked of the network.
extension Page {
    static let connection: StaticString = #"""
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

        """#
}
