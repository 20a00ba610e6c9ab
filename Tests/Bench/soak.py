"""Memory over time, as one table: a hub without clients, watchers that come and go, and a long run of mixed clients.

The long run is paused twice, after five minutes and at its end: every client holds exactly one connection, the rooms that
were created are deleted, and the same track is paused. The memory of these two moments is compared. The clients use all
profiles and connect by TCP, by the unix socket and by TLS (`soak_clients.py`)."""
import collections, os, shutil, ssl, time

import library
import memory
import runs
import secure
import targets as T
from soak_clients import RARE, TRACKS, Client, Gate, mixed
from soak_table import HEAD, line

SETTLED_MINUTES, SAMPLE_S, WATCHERS, VISITS = 5, 10, 8000, 3
PARTS = ("bare", "watchers", "soak")
PLAYER = "/usr/lib/x86_64-linux-gnu/libmpv.so.2"


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
        """Copies music that the run may change, and pairs devices for the connections by TLS."""
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
        """Every client holds one connection and sends nothing, and the same track is paused."""
        self.gate.close(len(self.clients))
        for room in self.owner.ask("hub.info")["d"]["rooms"][1:]:
            self.owner.ask("room.delete", {"room": room})
        self.owner.ask("play", {"uri": self.server.track})
        time.sleep(2)
        self.owner.ask("pause")
        row = memory.at_rest(self.pid, self.owner)
        return {**row, "connections": self.owner.ask("hub.info")["d"].get("connections", 0)}

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
    """Without a music folder, and with many connections allowed for each device."""
    files = library.without_music(target)["files"]
    return {**target, "files": {n: t.replace("[limits]", "[limits]\nper_device = 1000") for n, t in files.items()}}


def soak(target, minutes, clients, only=None):
    track, pcm = runs.media()
    with T.Server(small(target), track=track, raw_pcm=pcm) as s:
        s.wait_ready()
        return Soak(s, clients, only).go(minutes)


def watchers(target, count=WATCHERS, visits=VISITS):
    """Watchers connect and leave several times; the memory a minute after each time."""
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
    """A hub after its start, with libmpv, and with an empty file in the place of libmpv."""
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
    does = {"bare": lambda: bare(targets[ours]), "watchers": lambda: watchers(targets[ours]), "soak": lambda: soak(targets[ours], minutes, clients, only)}
    for part in parts:
        t0 = time.time()
        runs.add("soak", {"part": part, **does[part]()})
        print(f"{part:6s} {time.time() - t0:6.1f} s", flush=True)
