"""How soon the last of 1,000 clients of a music room has a change, beside as many watchers of the companion protocol in the same run, and
what commands notice while the whole library is read.

Both kinds are raw sockets of one thread here, which reads and counts frames and understands none. Their turns alternate."""
import contextlib, http.client, json, os, select, signal, statistics, subprocess, time

import library
import runs
import targets as T

CLIENTS, CHANGES, PER_SESSION, COMMANDS = 1000, 40, 8, 400
LAST_BAR, LIBRARY_BAR = 1.5, 1.2
# A pong without content, masked as all that clients send.
PONG, PONGS_S = b"\x8a\x80\0\0\0\0", 10
HELLO = {"t": "hello", "core": "1.0", "view": "remote"}


class Watchers:
    """Connections that are told of changes."""
    def __init__(self):
        self.poll, self.sockets, self.heard, self.pongs = select.epoll(), {}, b"", time.monotonic()

    def add(self, port, path, headers, hello=None):
        cfg = {"path": path, "headers": headers, "subprotocol": "baton.v1" if hello else None}
        chan = T.Chan(cfg, port, 60)
        if hello:
            chan.send(json.dumps(hello))
        chan.s.setblocking(False)
        self.sockets[chan.s.fileno()] = chan
        self.poll.register(chan.s.fileno(), select.EPOLLIN)

    def drain(self, quiet=0.3):
        """Reads until nothing has come for so long. Who says nothing for 45 s is closed, so each sends a pong now and then."""
        if time.monotonic() - self.pongs > PONGS_S:
            self.pongs = time.monotonic()
            for chan in self.sockets.values():
                chan.s.send(PONG)
        while ready := self.poll.poll(quiet):
            for descriptor, _ in ready:
                self.read(descriptor)

    def read(self, descriptor):
        with contextlib.suppress(BlockingIOError):
            while data := self.sockets[descriptor].s.recv(1 << 16):
                self.heard = data[-200:]
            raise ConnectionError(f"the hub closed the connection of a watcher; last: {self.heard}")

    def last(self, change, limit=30):
        """-> ms from the press until each of them was sent something"""
        waiting, t0 = set(self.sockets), time.perf_counter()
        change()
        while waiting:
            if time.perf_counter() - t0 > limit:
                raise TimeoutError(f"{len(waiting)} were told nothing")
            for descriptor, _ in self.poll.poll(limit):
                self.read(descriptor)
                waiting.discard(descriptor)
                last = time.perf_counter()
        return (last - t0) * 1e3

    def close(self):
        for chan in self.sockets.values():
            chan.s.close()


def guest(port):
    """-> the cookie of a new guest"""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as c:
        c.request("GET", "/api/auth/me")
        answer = c.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"no guest: {answer.status} {answer.read()}")
        return answer.getheader("Set-Cookie").split(";")[0]


@contextlib.contextmanager
def hub(target, music=None):
    """-> a hub that lets guests in to its rooms"""
    conf = "musicroom = on\nguests = listener\n" + target["files"]["batond.conf"]
    with T.Server({**target, "files": {**target["files"], "batond.conf": conf}}, track=runs.media()[0], music=music) as server:
        server.wait_ready()
        yield server


def told(server, count):
    """-> two lists of ms: music rooms, companion watchers"""
    owner, rooms, companions, cookie = library.Owner(server), Watchers(), Watchers(), None
    for number in range(count):
        cookie = guest(server.port) if number % PER_SESSION == 0 else cookie
        rooms.add(server.port, "/api/channels/main/ws", [f"Cookie: {cookie}"])
        companions.add(server.port, "/baton", [], {**HELLO, "client": {"id": f"watch-{number}", "run": "r"}})
    times, modes = ([], []), (True, False)
    for number in range(CHANGES * 2):
        for watchers in (rooms, companions):
            watchers.drain()
        # Each change reaches both kinds, and those whose turn it is are waited for.
        watchers = (rooms, companions)[number % 2]
        times[number % 2].append(watchers.last(lambda: owner.ask("mode.set", {"repeat": modes[number % 2]})))
    for watchers in (rooms, companions):
        watchers.close()
    return times


@contextlib.contextmanager
def reading(server):
    """The whole library is read again and again, by a process of its own: a thread would keep this one's interpreter from the answers."""
    line = f"while curl -sS -o /dev/null -H 'Cookie: {guest(server.port)}' http://127.0.0.1:{server.port}/api/library; do :; done"
    reader = subprocess.Popen(["sh", "-c", line], start_new_session=True)
    try:
        yield
    finally:
        os.killpg(reader.pid, signal.SIGTERM)
        reader.wait()


def p99(values):
    """Not rounded: they are fractions of a millisecond."""
    return sorted(values)[int(.99 * (len(values) - 1) + .5)]


def waits(asker):
    return [asker.ask("vol.set", {"level": 10 + number % 20})[0] for number in range(COMMANDS)]


def beside_library(server):
    """-> p99 of commands at rest before and after, and while the library is read"""
    asker = library.Asker(server)
    before = p99(waits(asker))
    with reading(server):
        during = p99(waits(asker))
    return {"idle": statistics.mean([before, p99(waits(asker))]), "during": during}


def identified(server):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as c:
        c.request("GET", "/api/status")
        return json.loads(c.getresponse().read())["library"]["identified"]


def run(target, rounds, tracks):
    d = runs.load()
    d["musicrooms"], d["musiclibrary"] = [], []
    for _ in range(rounds):
        with hub(target) as server:
            rooms, companions = told(server, CLIENTS)
            d["musicrooms"].append({"rooms": statistics.median(rooms), "companions": statistics.median(companions)})
            runs.save(d)
    with hub(target, music=library.make_library(tracks)) as server:
        library.Owner(server).until_scanned(time.monotonic())
        end = time.monotonic() + 1800
        while identified(server) < tracks and time.monotonic() < end:
            time.sleep(1)
        for _ in range(rounds):
            d["musiclibrary"].append(beside_library(server))
            runs.save(d)


def table(d):
    print("| what | ours | beside | ratio | bar |  |\n|---|---:|---:|---:|---:|---|")
    holds = True
    for name, ours, other, bar, what in (
            ("musicrooms", "rooms", "companions", LAST_BAR, f"a change to the last of {CLIENTS} clients of a room / companion watchers"),
            ("musiclibrary", "during", "idle", LIBRARY_BAR, "p99 of commands while /api/library is read / at rest")):
        rows = d.get(name, [])
        mine, theirs = (statistics.median([row[key] for row in rows] or [float("inf")]) for key in (ours, other))
        good = bool(rows) and mine <= bar * theirs
        holds = holds and good
        print(f"| {what} | {mine:.2f} ms | {theirs:.2f} ms | {mine / theirs if rows else 0:.2f} | {bar} | {'pass' if good else 'FAIL'} |")
    return holds
