"""Memory that stands still, as one table: a bare hub, crowds that come and go, and a long run of mixed clients.

The long run has moments of rest, one after five minutes and one at its end: every client holds exactly one connection,
the rooms that were made are deleted, and the same track is paused. What the hub holds then is compared. The clients are
of all profiles and come by TCP, by the unix socket and by TLS; each stays for a few commands and comes again, every other
time under a name of its own. A handful do what is rarer: rooms, scans, pairings, HTTP, playlists."""
import collections, http.client, json, os, random, select, shutil, ssl, subprocess, threading, time

import figures
import library
import memory
import runs
import secure
import targets as T

TRACKS, SETTLED_MINUTES, SAMPLE_S, CROWD, VISITS = 200, 5, 10, 8000, 3
PAUSE_S = 1.2   # Between two commands of one client, on average.
PARTS = ("bare", "crowd", "soak")
PLAYER = "/usr/lib/x86_64-linux-gnu/libmpv.so.2"


# ---------------------------------------------------------------- the clients
class Gate:
    """Where clients wait while the hub is looked at."""
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
        """Answers pings meanwhile, as whoever is connected has to."""
        with self.changed:
            self.waiting += 1
            self.changed.notify_all()
        while not self.isOpen:
            chan.drain(.2)
        with self.changed:
            self.waiting -= 1


class Remote(T.Chan):
    def drain(self, seconds):
        """Takes what comes, and answers pings."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.b or self.pending() or select.select([self.s], [], [], left)[0]:
                self.s.settimeout(max(left, .05))
                try:
                    self.recv()
                except TimeoutError:
                    return

    def pending(self):
        return isinstance(self.s, ssl.SSLSocket) and self.s.pending()


class Client:
    """One of many. `work` is what it does between coming and going."""
    CHANNELS = ("tcp", "unix", "tls")
    PROFILES = ("watch", "remote", "full")

    def __init__(self, run, number, work):
        self.run, self.number, self.work = run, number, work
        self.channel = self.CHANNELS[number % 3] if work is mixed else "unix"
        self.profile = self.PROFILES[number // 3 % 3]
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
        hello = {"t": "hello", "v": [1], "profile": self.profile, "client": {"id": f"soak-{self.number}{fresh}", "run": f"r{self.visits}", "name": f"Soak {self.number}"}, "caps": ["art"]}
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
    """Empties the queue but for what plays."""
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
    (1, lambda c, x: c.ask(x, "mode.set", {"repeat": "all", "shuffle": c.chance.random() < .5})),
    (1, lambda c, x: c.ask(x, "hub.info", {})),
]


def mixed(client, chan):
    steps = [step for _, step in STEPS]
    for step in client.chance.choices(steps, [weight for weight, _ in STEPS], k=client.chance.randint(1, 5)):
        client.pause(chan)
        step(client, chan)


def rooms(client, chan):
    """A room is made, plays, is listened to, and goes."""
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
    """Files come, change and go, and the folders are looked through."""
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
    """A device is let in and sent away."""
    device, _ = secure.pair(client.run.server, 1_000_000 + client.commands)
    shutil.rmtree(os.path.join(client.run.server.dir, f"device-{1_000_000 + client.commands}"), ignore_errors=True)
    client.ask(chan, "dev.revoke", {"dev": device["dev"]})
    client.pause(chan, 8)


def browser(client, chan):
    """What a page asks without a WebSocket."""
    c = http.client.HTTPConnection("127.0.0.1", client.run.server.port, timeout=30)
    for path in ("/", "/baton.js", "/companion/v1/state", "/companion/v1/state?profile=watch", f"/art/{client.run.art(client)}?w=128", "/nothing", "/healthz"):
        c.request("GET", path)
        c.getresponse().read()
        client.run.count["requests"] += 1
    c.request("POST", "/companion/v1/cmd", json.dumps({"t": "cmd", "id": 1, "m": "queue.get", "p": {"from": 0, "n": 10}}))
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


# ---------------------------------------------------------------- the run
class Soak:
    def __init__(self, server, clients, only=None):
        self.server, self.gate, self.count, self.answers = server, Gate(), collections.Counter(), collections.Counter()
        self.owner, self.pid = library.Owner(server), server.procs[0][1].pid
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.music = os.path.join(server.dir, "music")
        works = [RARE[name] for name in RARE if not only or name in only]
        mixed_count = clients - len(works) if not only or set(only) & set(Client.CHANNELS) else 0
        self.clients = [Client(self, n, work) for n, work in enumerate(works + [mixed] * mixed_count)]
        if only:
            self.clients = [c for c in self.clients if c.work is not mixed or c.channel in only]
        self.samples = []

    def note(self, method, answer):
        self.count["commands"] += 1
        if not answer.get("ok"):
            self.answers[f"{method}: {answer.get('err', {}).get('code')}"] += 1

    def track(self, client):
        return client.chance.choice(self.tracks)

    def art(self, client):
        return client.chance.choice(self.pictures)

    def prepare(self):
        """Music that may be changed, devices that may come by TLS."""
        source = library.make_library(TRACKS)
        shutil.copytree(source, self.music)
        changing = os.path.join(self.music, "changing")
        os.makedirs(changing)
        for number, name in enumerate(sorted(os.listdir(os.path.join(source, "a00000/b000000")))):
            shutil.copy(os.path.join(source, "a00000/b000000", name), os.path.join(changing, f"{number}-{name}"))
        t0 = time.monotonic()
        self.owner.ask("lib.folder", {"path": self.music, "on": True})
        self.owner.until_there(t0, TRACKS)
        rows = []
        for start in range(0, TRACKS, 100):
            rows += self.owner.ask("lib.browse", {"node": "lib:shelf/tracks", "from": start, "limit": 100})["d"]["rows"]
        self.tracks = [row["uri"] for row in rows]
        self.pictures = sorted({row["art"] for row in rows if "art" in row})
        self.devices = []
        for number in range(3):
            self.devices.append(secure.pair(self.server, number)[0])
            time.sleep(1.05)   # One code a second can be tried.
        self.owner.ask("dev.role", {"dev": self.devices[2]["dev"], "role": "guest"})

    def rest(self):
        """Everybody holds one connection, nothing is asked, and the same track is paused."""
        self.gate.close(len(self.clients))
        for room in self.owner.ask("hub.info")["d"]["rooms"][1:]:
            self.owner.ask("room.delete", {"room": room})
        self.owner.ask("play", {"uri": self.server.track})
        time.sleep(2)
        self.owner.ask("pause")
        row = memory.at_rest(self.pid, self.owner)
        return {**row, "connections": self.owner.ask("hub.info")["d"]["connections"]}

    def sample(self, began):
        row = {"s": round(time.monotonic() - began), **memory.sample(self.pid, self.owner), **{k: self.count[k] for k in ("visits", "commands")}}
        self.samples.append(row)
        if len(self.samples) % 6 == 1:
            print(line(row), flush=True)

    def go(self, minutes):
        self.prepare()
        began = time.monotonic()
        print(HEAD, flush=True)
        for client in self.clients:
            client.thread.start()
        rests, settled = [], min(SETTLED_MINUTES, minutes / 3)
        for until in (settled, minutes):
            while time.monotonic() - began < 60 * until:
                time.sleep(min(SAMPLE_S, max(.1, began + 60 * until - time.monotonic())))
                self.sample(began)
            rests.append(self.rest())
            print(f"at rest after {until:g} minutes: {line({**rests[-1], 's': round(time.monotonic() - began), **self.count})}", flush=True)
            self.gate.open(over=until == minutes)
        for client in self.clients:
            client.thread.join(30)
        time.sleep(60)
        left = memory.at_rest(self.pid, self.owner)
        return {"minutes": minutes, "clients": len(self.clients), "settled": rests[0], "end": rests[1], "left": left, "samples": self.samples,
                "count": dict(self.count), "refused": dict(self.answers)}


def small(target):
    """Without a music folder of its own, and with room for many connections of few devices."""
    files = {n: t.replace("music = {music}\n", "").replace("[limits]", "[limits]\nper_device = 1000") for n, t in target["files"].items()}
    return {**target, "files": files}


def soak(target, minutes, clients, only=None):
    track, pcm = runs.media()
    with T.Server(small(target), track=track, raw_pcm=pcm) as s:
        s.wait_ready()
        return Soak(s, clients, only).go(minutes)


def crowd(target, count=CROWD, visits=VISITS):
    """So many watchers come and go again and again; what is left a minute later each time."""
    track, pcm = runs.media()
    with T.Server(small(target), track=track, raw_pcm=pcm) as s:
        s.wait_ready()
        owner, pid = library.Owner(s), s.procs[0][1].pid
        owner.ask("play", {"uri": track})
        time.sleep(2)
        owner.ask("pause")
        rows = [memory.at_rest(pid, owner)]
        for _ in range(visits):
            told = s.fan([f"grow {count} 64 120", "sleep 1000"], limit=300)
            time.sleep(60)
            rows.append({**memory.at_rest(pid, owner), "came": max((r.get("live", 0) for r in told), default=0)})
            print(f"{rows[-1]['came']:,} came and went: {line({**rows[-1], 's': 0})}", flush=True)
        return {"watchers": count, "rows": rows}


def bare(target):
    """A hub as it starts, and the same where libmpv cannot be loaded: an empty file lies in its place."""
    found = {}
    player = os.path.realpath(PLAYER)
    for name in ("with", "without"):
        argv = target["argv"]["server"]
        if name == "without":
            hidden = 'mount --bind /dev/null "$0" && exec "$@"'
            argv = ["unshare", "--map-root-user", "--mount", "sh", "-c", hidden, player, *argv]
        with T.Server(small({**target, "argv": {"server": argv}})) as s:
            s.wait_ready()
            time.sleep(10)
            found[name] = memory.at_rest(s.procs[0][1].pid, library.Owner(s))
    return found


def run(ours, targets, minutes, clients, parts, only=None):
    unknown = [p for p in parts if p not in PARTS]
    if unknown:
        raise SystemExit(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
    runs.make()
    d = runs.load()
    d["soak"] = []
    runs.save(d)
    does = {"bare": lambda: bare(targets[ours]), "crowd": lambda: crowd(targets[ours]), "soak": lambda: soak(targets[ours], minutes, clients, only)}
    for part in parts:
        t0 = time.time()
        runs.add("soak", {"part": part, **does[part]()})
        print(f"{part:6s} {time.time() - t0:6.1f} s", flush=True)


# ---------------------------------------------------------------- the table
HEAD = "|    s | RSS MiB | PSS | dirty | threads | fds | readers | visits | commands | told by the hub |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"


def line(row):
    mib = lambda name: f"{row[name] / memory.MIB:.1f}"
    return (f"| {row['s']:4} | {mib('rss')} | {mib('pss')} | {mib('dirty')} | {row['threads']:g} | {row['fds']:g} | {row['readers']:g} | {row.get('visits', '')} | {row.get('commands', '')} "
            f"| {' '.join(f'{k}={v}' for k, v in row.get('told', {}).items())} |")


def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = {r["part"]: r for r in d.get("soak", [])}
    print(f"\n## Memory that stands still; {os.cpu_count()} processors\n")
    bars, notes = [], []
    grown = lambda before, after, what: (after[what] - before[what]) / memory.MIB
    if (r := rows.get("bare")):
        bars.append(("a bare hub without libmpv, resident", "MiB", r["without"]["rss"] / memory.MIB, "with libmpv", r["with"]["rss"] / memory.MIB, "at most", 15))
        notes += [f"Bare, {name} libmpv: {parts(row)}." for name, row in r.items() if name in ("with", "without")]
    if (r := rows.get("crowd")):
        first, last = r["rows"][0], r["rows"][-1]
        bars.append((f"{r['watchers']:,} watchers come and go {len(r['rows']) - 1} times: memory a minute later, above before", "MiB", grown(first, last, "rss"), "", None, "at most", 3))
        notes += [f"Crowd: {parts(row)}." for row in r["rows"]]
    if (r := rows.get("soak")):
        first, last = r["settled"], r["end"]
        bars.append((f"{r['clients']} mixed clients, {r['minutes']:g} minutes: memory at the end, above minute 5", "MiB", grown(first, last, "rss"), "", None, "at most", 2))
        for name in ("threads", "fds"):
            bars.append((f"{name} at the end, above minute 5", "", abs(last[name] - first[name]), "", None, "at most", 0))
        notes += [f"Soak, {name}: {parts(r[name])}." for name in ("settled", "end", "left")]
        notes += [f"Threads that came or went: {memory.difference(first['names'], last['names']) or 'none'}; descriptors: {memory.difference(first['open'], last['open']) or 'none'}.",
                  f"Done: {r['count']}. Refused: {r['refused']}."]
    holds = figures.print_bars(bars)
    print("\n" + "\n".join(notes))
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}")
    return holds


def parts(row):
    figures_ = ", ".join(f"{label} {row[name] / memory.MIB:.1f}" for label, name in (("resident", "rss"), ("proportional", "pss"), ("private and written", "dirty")))
    told = ", ".join(f"{k} {v:,}" for k, v in row["told"].items())
    return f"{figures_} MiB, {row['threads']:g} threads, {row['fds']:g} descriptors, {row['readers']:g} readers{'; ' + told if told else ''}"
