"""The clients of the soak: many that do what remotes usually do, and a few that do what is rarer.

Each stays for a few commands, leaves, and comes again, every other time under a new id. A `Gate` lets all of them wait
while the hub's memory is read."""
import http.client, json, os, random, select, shutil, ssl, subprocess, threading, time

import library
import secure
import targets as T

TRACKS = 200
PAUSE_S = 1.2   # Between two commands of one client, on average.


class Gate:
    """Where clients wait while the hub is measured."""
    def __init__(self):
        self.changed, self.isOpen, self.isOver, self.waiting = threading.Condition(), True, False, 0

    def close(self, clients):
        with self.changed:
            self.isOpen = False
            if not self.changed.wait_for(lambda: self.waiting >= clients, 180):
                raise TimeoutError(f"{clients - self.waiting} clients do not come to rest")

    def open(self, over=False):
        with self.changed:
            self.isOpen, self.isOver = True, over
            self.changed.notify_all()

    def wait(self, chan):
        """Answers pings meanwhile, since a connected client has to."""
        with self.changed:
            self.waiting += 1
            self.changed.notify_all()
        while not self.isOpen:
            chan.drain(.2)
        with self.changed:
            self.waiting -= 1


class Remote(T.Chan):
    def drain(self, seconds):
        """Reads messages and answers pings."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.framing.rest or self.pending() or select.select([self.s], [], [], left)[0]:
                self.s.settimeout(max(left, .05))
                try:
                    self.recv()
                except TimeoutError:
                    return

    def pending(self):
        return isinstance(self.s, ssl.SSLSocket) and self.s.pending()


class Client:
    """One client. `work` is what it does during a connection."""
    CHANNELS = ("tcp", "unix", "tls")
    VIEWS = ("watch", "remote", "full")

    def __init__(self, run, number, work):
        self.run, self.number, self.work = run, number, work
        self.channel = self.CHANNELS[number % 3] if work is mixed else "unix"
        self.view = self.VIEWS[number // 3 % 3]
        self.chance, self.visits, self.commands, self.resume = random.Random(number), 0, 0, None
        self.thread = threading.Thread(target=self.live, daemon=True)

    def connect(self):
        run = self.run
        if self.channel == "unix":
            chan = Remote(run.server.cfg, 0, unix=os.path.join(run.server.dir, "hub.sock"))
        elif self.channel == "tls":
            device = run.devices[self.number % len(run.devices)]
            chan = Remote({**run.server.cfg, "headers": [f"Authorization: Bearer {device['dev']}.{device['key']}"]}, run.server.port2, context=run.context)
        else:
            chan = Remote(run.server.cfg, run.server.port)
        fresh = "" if self.visits % 2 else f"-{self.visits}"
        hello = {"t": "hello", "core": "1.0", "view": self.view, "client": {"id": f"soak-{self.number}{fresh}", "run": f"r{self.visits}", "name": f"Soak {self.number}"}, "caps": ["art"]}
        if self.resume and self.visits % 3 == 0:
            hello["resume"] = self.resume
        chan.send(json.dumps(hello))
        welcome, state = json.loads(chan.wait('"t":"welcome"')), json.loads(chan.wait('"t":"state"'))
        self.resume = {"epoch": welcome["epoch"], "rev": state["rev"], "rooms": [state["room"]], "sections": list(state["s"])} if "room" in state else None
        self.visits += 1
        self.run.count["visits"] += 1
        return chan

    def ask(self, chan, method, params, **members):
        self.commands += 1
        number = 1000 + self.commands
        chan.send(json.dumps({"t": "cmd", "id": number, "m": method, "k": f"s{self.number}-{self.commands}", "p": params, **members}))
        answer = json.loads(chan.wait(f'"id":{number},'))
        self.run.note(method, answer)
        return answer

    def live(self):
        """Until the run is over."""
        while not self.run.gate.isOver:
            try:
                chan = self.connect()
                if not self.run.gate.isOpen:
                    self.run.gate.wait(chan)
                else:
                    self.work(self, chan)
                if self.chance.random() < .5:
                    chan.send('{"t":"bye"}')
                chan.close()
            except (OSError, ValueError, TimeoutError, subprocess.SubprocessError, RuntimeError) as e:
                self.run.count[f"broken: {type(e).__name__} {str(e)[:60]}"] += 1
                time.sleep(.2)

    def pause(self, chan, seconds=None):
        chan.drain(seconds or self.chance.uniform(.2, 2 * PAUSE_S - .2))


def word(client):
    text = client.chance.choice(library.WORDS)
    return text[:client.chance.randint(1, len(text))]


def cleared(client, chan):
    """Clears the queue except for the current entry."""
    rev = client.ask(chan, "queue.get", {"from": 0, "n": 1}).get("d", {}).get("rev", 0)
    client.ask(chan, "queue.clear", {"base": rev, "keep": "current"})


# What a remote does, and how often among the others.
STEPS = [
    (6, lambda c, x: c.ask(x, "vol.set", {"level": c.chance.randint(20, 40)})),
    (4, lambda c, x: c.ask(x, "next", {})),
    (2, lambda c, x: c.ask(x, "prev", {})),
    (4, lambda c, x: c.ask(x, "play", {})),
    (2, lambda c, x: c.ask(x, "pause", {})),
    (3, lambda c, x: c.ask(x, "seek", {"posMs": c.chance.randint(0, 400)})),
    (3, lambda c, x: c.ask(x, "play", {"uri": c.run.track(c)})),
    (5, lambda c, x: c.ask(x, "queue.add", {"uris": [c.run.track(c) for _ in range(c.chance.randint(1, 8))]})),
    (1, cleared),
    (1, lambda c, x: c.ask(x, "queue.undo", {})),
    (3, lambda c, x: c.ask(x, "queue.get", {"from": 0, "n": 100})),
    (1, lambda c, x: c.ask(x, "queue.history", {})),
    (6, lambda c, x: c.ask(x, "lib.search", {"q": word(c), "limit": 40})),
    (3, lambda c, x: c.ask(x, "lib.browse", {"node": "lib:shelf/tracks", "from": c.chance.randint(0, TRACKS), "limit": 50})),
    (2, lambda c, x: c.ask(x, "lib.item", {"uri": c.run.track(c)})),
    (1, lambda c, x: c.ask(x, "lib.history", {"limit": 50})),
    (2, lambda c, x: c.ask(x, "fav.set", {"uri": c.run.track(c), "on": c.chance.random() < .5})),
    (2, lambda c, x: c.ask(x, "rate.set", {"uri": c.run.track(c), "stars": c.chance.randint(0, 5)})),
    (2, lambda c, x: c.ask(x, "art.get", {"id": c.run.art(c), "w": c.chance.choice([64, 128, 300])})),
    (1, lambda c, x: c.ask(x, "mode.set", {"repeat": True, "shuffle": c.chance.random() < .5})),
    (1, lambda c, x: c.ask(x, "hub.info", {})),
]


def mixed(client, chan):
    steps = [step for _, step in STEPS]
    for step in client.chance.choices(steps, [weight for weight, _ in STEPS], k=client.chance.randint(1, 5)):
        client.pause(chan)
        step(client, chan)


def rooms(client, chan):
    """Creates a room, plays there, and deletes it."""
    made = client.ask(chan, "room.create", {"name": f"Soak {client.commands}", "output": "null"})
    if not made.get("ok"):
        return client.pause(chan)
    room = made["d"]["room"] if isinstance(made.get("d"), dict) and "room" in made["d"] else made["d"]["id"]
    try:
        client.ask(chan, "play", {"uri": client.run.track(client)}, room=room)
        client.pause(chan, 3)
    finally:
        client.ask(chan, "room.delete", {"room": room})


def scans(client, chan):
    """Changes and renames files, and starts a scan."""
    changing = os.path.join(client.run.music, "changing")
    for name in sorted(os.listdir(changing)):
        path = os.path.join(changing, name)
        what = client.chance.random()
        if what < .3:
            os.utime(path)
        elif what < .5 and name.endswith(".flac"):
            os.rename(path, os.path.join(changing, f"{client.chance.randrange(10**6):06d}.flac"))
    client.ask(chan, "hub.scan", {"full": client.chance.random() < .1})
    client.pause(chan, 6)


def pairings(client, chan):
    """Pairs a device and revokes it."""
    device, _ = secure.pair(client.run.server, 1_000_000 + client.commands)
    shutil.rmtree(os.path.join(client.run.server.dir, f"device-{1_000_000 + client.commands}"), ignore_errors=True)
    client.ask(chan, "dev.revoke", {"dev": device["dev"]})
    client.pause(chan, 8)


def browser(client, chan):
    """The requests of a page that has no WebSocket."""
    c = http.client.HTTPConnection("127.0.0.1", client.run.server.port, timeout=30)
    for path in ("/", "/baton.js", "/baton/state", "/baton/state?view=watch", f"/art/{client.run.art(client)}?w=128", "/nothing", "/healthz"):
        c.request("GET", path)
        c.getresponse().read()
        client.run.count["requests"] += 1
    c.request("POST", "/baton/cmd", json.dumps({"t": "cmd", "id": 1, "m": "queue.get", "p": {"from": 0, "n": 10}}))
    c.getresponse().read()
    c.close()
    client.pause(chan)


def lists(client, chan):
    made = client.ask(chan, "pl.create", {"name": f"Soak {client.commands}", "uris": [client.run.track(client) for _ in range(20)]})
    client.pause(chan)
    client.ask(chan, "pl.list", {})
    if made.get("ok"):
        client.ask(chan, "pl.get", {"id": made["d"]["id"]})
        client.ask(chan, "pl.delete", {"id": made["d"]["id"]})
    client.pause(chan)


RARE = {"rooms": rooms, "scans": scans, "pairings": pairings, "browser": browser, "lists": lists}
