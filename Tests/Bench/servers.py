"""What the music of other servers costs, as one table: the first sound of a track, searches of three sources at once, a gigabyte through
the hub, what streams hold and delay, and pages of a large Subsonic library.

Each row has its reference in the same round: libmpv on the same address, the slowest source alone, nginx in the hub's place, the server
itself. A cell is the median of the rounds; the ratio is the median of each round's own ratio."""
import contextlib, functools, http.client, json, multiprocessing, os, random, re, socket, sqlite3, statistics, subprocess, tempfile, threading, time, urllib.parse, urllib.request

import library
import memory
import report
import rounds
import runs
import targets as T
import upstreams

STREAMS, COMMANDS, TURNS, GIGABYTES, ALBUMS, PAGE, PAGES, AGAIN, STARTS = 16, 400, 3, 3, 30_000, 100, 40, 5, 5
TRACKS = 10_000


# ---------------------------------------------------------------- the hub with its accounts
def with_accounts(target, folder, **urls):
    """The same hub with an account at each of these servers; secrets in files that only their owner may read."""
    conf = target["files"]["batond.conf"]
    for name, text in (("key", upstreams.KEY), ("password", upstreams.supysonic.PASSWORD)):
        with open(f"{folder}/{name}", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as f:
            f.write(text + "\n")
    for name, url in urls.items():
        login = f"user = {upstreams.supysonic.USER}\npassword_file = {folder}/password" if name == "attic" else f"api_key_file = {folder}/key"
        conf += f"\n[source {name}]\nkind = {'subsonic' if name == 'attic' else 'chadmusic'}\nurl = {url}\n{login}\n"
    return {**target, "files": {**target["files"], "batond.conf": conf}}


@contextlib.contextmanager
def hub(target, mode="run", music=None, **urls):
    """-> a hub whose accounts all work"""
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        with T.Server(with_accounts(target, folder, **urls), mode=mode, track=runs.media()[0], music=music) as server:
            server.wait_ready()
            asker = library.Asker(server)
            for name in urls:
                until_works(asker, name)
            yield server


def until_works(asker, name, limit=60):
    end = time.monotonic() + limit
    while True:
        with contextlib.suppress(RuntimeError):
            return asker.ask("lib.browse", {"node": f"{name}:shelf/{'newest' if name == 'attic' else 'album'}", "limit": 1})
        if time.monotonic() > end:
            raise TimeoutError(f"the account {name} does not work")
        time.sleep(.05)


def until_noted(server, name, limit=120):
    """A new account's rows are noted in the background, once a day, at half of the speed that the server has."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(f"file:{server.dir}/data/sources.db?mode=ro", uri=True)) as db:
            if db.execute("SELECT 1 FROM mirror WHERE source = ? AND finished_ms > 0", (name,)).fetchone():
                return
        time.sleep(.2)


def local(url):
    return f"http://127.0.0.1:{url}"


# ---------------------------------------------------------------- the first sound
def first_sound(target, ms):
    """`play` of a track of a server so far away -> first PCM byte, and libmpv's for the same file; the median of some starts each."""
    track = runs.media()[0]
    ours, theirs = [], []
    with upstreams.cloud({"long": track}) as port, upstreams.Distance(port, ms) as far:
        url = f"http://127.0.0.1:{far.port}/files/bench/bench/01%20long.flac"
        for _ in range(STARTS):
            with hub(target, "audio", loft=local(far.port)) as server:
                ours.append(sound_of(server, "loft:track/t-0/bench/files/bench/bench/01%20long.flac"))
            theirs.append(alone(url))
    return {"ours": statistics.median(ours), "reference": statistics.median(theirs)}


def sound_of(server, uri):
    return first_pcm(server, "play", {"uri": uri})


def first_pcm(server, method, params):
    """ms from a command of a hub in the mode "audio" to its first sound"""
    fd = os.open(server.fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        chan = server.chan()
        time.sleep(1)  # libmpv's own start is not in its figure either.
        t0, got = time.monotonic(), 0
        chan.send(json.dumps({"t": "cmd", "id": 9, "m": method, "k": "first", "p": params}))
        while time.monotonic() - t0 < 20:
            with contextlib.suppress(BlockingIOError):
                got += len(os.read(fd, 65536))
                if got > runs.HEADER:
                    return (time.monotonic() - t0) * 1e3
            time.sleep(.0002)
        raise TimeoutError("no sound within 20 s")
    finally:
        os.close(fd)


def alone(url):
    runs.make("mpv")
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as tmp:
        os.mkfifo(tmp + "/pcm")
        ended = subprocess.run([T.BUILD + "/floor_mpv", url, tmp + "/pcm"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=False)
        return json.loads(ended.stdout)["load_to_pcm_ms"]


# ---------------------------------------------------------------- one search of three sources
def search(target, ms):
    """First rows beside the local rows alone, and all rows beside those of the slowest source alone; p50 of each. The two servers are so
    far away: on this machine each takes the processor from the other and from the hub, so that already two questions at once, past
    the hub, take longer than the slower one of them (`both`)."""
    words = library.of_terms(library.TERMS)[:60]
    root = library.make_library(TRACKS)
    with upstreams.subsonic() as attic, upstreams.cloud({"long": runs.media()[0]}) as port:
        with away(attic.port, ms) as attic_port, away(port, ms) as loft, hub(library.without_music(target), attic=local(attic_port), loft=local(loft)) as server:
            owner, t0 = library.Owner(server), time.monotonic()
            owner.ask("lib.folder", {"path": root, "on": True})
            owner.until_there(t0, TRACKS)
            library.until_idle(server.procs[0][1].pid)
            asker, times = library.Asker(server), {"lib": [], "attic": [], "loft": [], "first": [], "all": [], "attic itself": [], "both": []}
            for word in words:
                # All five for one word, one behind the other, so that a change of the machine's speed meets each.
                for source in ("lib", "attic", "loft"):
                    times[source].append(asker.ask("lib.search", {"q": word, "limit": 20, "source": source})[0])
                for name, took in zip(("first", "all"), both(asker, word)):
                    times[name].append(took)
                question = f"{local(attic_port)}/rest/search3.view?{upstreams.LOGIN}&query={urllib.parse.quote(word)}"
                times["attic itself"].append(at_once(question))
                times["both"].append(at_once(question, f"{local(loft)}/api/cat/album?offset=0&limit=20&filter={urllib.parse.quote(word)}"))
    middle = {name: statistics.median(values) for name, values in times.items()}
    return {"first": middle["first"], "local": middle["lib"], "all": middle["all"], "slowest": max(middle["attic"], middle["loft"]), "each": middle}


@contextlib.contextmanager
def away(port, ms):
    """-> the port at which this one is so far away"""
    if not ms:
        yield port
        return
    with upstreams.Distance(port, ms) as far:
        yield far.port


def at_once(*urls):
    """-> ms until each of these has answered"""
    def ask(url):
        key = {"Authorization": f"Bearer {upstreams.KEY}"} if "/api/" in url else {}
        with contextlib.closing(urllib.request.urlopen(urllib.request.Request(url, headers=key), timeout=60)) as answer:
            answer.read()

    threads, t0 = [threading.Thread(target=ask, args=(url,)) for url in urls], time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.perf_counter() - t0) * 1e3


def both(asker, word):
    """-> ms until the first rows, and until all"""
    t0 = time.perf_counter()
    took, answer = asker.ask("lib.search", {"q": word, "limit": 20})
    page = answer["d"]
    while page.get("asked") and page.get("cursor"):
        page = asker.ask("lib.search", {"q": word, "limit": 20, "cursor": page["cursor"]})[1]["d"]
    return took, (time.perf_counter() - t0) * 1e3


# ---------------------------------------------------------------- a gigabyte
def address(asker, uri):
    return asker.ask("lib.item", {"uri": uri, "media": True})[1]["d"]["media"]["url"]


def drained(port, path):
    """-> seconds, bytes"""
    t0, buffer = time.perf_counter(), bytearray(1 << 20)
    with socket.create_connection(("127.0.0.1", port)) as s:
        s.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += s.recv(4096)
        if not re.match(rb"HTTP/1.1 20[06] ", head):
            raise RuntimeError(f"{path}: {head[:80]}")
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        total = len(head.split(b"\r\n\r\n", 1)[1])
        while total < length and (got := s.recv_into(buffer)):
            total += got
    if total != length:
        raise RuntimeError(f"{path}: {total} of {length} bytes came")
    return time.perf_counter() - t0, total


def ticks(pids):
    return sum(library.worked(pid) for pid in pids)


def gigabyte(target):
    """MB/s from the server itself, through the hub and through nginx; CPU seconds of the latter two."""
    with upstreams.cloud({"giga": upstreams.big()}) as port, tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        os.chmod(folder, 0o755)
        path = "/files/bench/bench/01%20giga.wav"
        with hub(target, loft=local(port)) as server, upstreams.Nginx(folder, "proxy", f"location / {{ proxy_pass http://127.0.0.1:{port}; }}") as proxy:
            asker, pid, tick = library.Asker(server), server.procs[0][1].pid, os.sysconf("SC_CLK_TCK")
            drained(port, path)
            passes = []
            for _ in range(GIGABYTES):
                direct, size = drained(port, path)
                url, before = address(asker, f"loft:track/t-0/bench{path}"), ticks([pid])
                ours, _ = drained(server.port, url)
                between, start = ticks([pid]), ticks(proxy.pids)
                theirs, _ = drained(proxy.port, path)
                cpu, nginx_cpu = (between - before) / tick, (ticks(proxy.pids) - start) / tick
                passes.append({"direct": direct, "ours": ours, "nginx": theirs, "cpu": cpu, "nginx_cpu": nginx_cpu})
    middle = {name: statistics.median(one[name] for one in passes) for name in passes[0]}
    return {**middle, **{name: size / middle[name] / 1e6 for name in ("direct", "ours", "nginx")}}


# ---------------------------------------------------------------- sixteen streams
class Listeners:
    """Clients that read one stream each as fast as it is heard, some 200 kB a second: in a process of their own, so that they do not
    delay the one that is timed."""
    def __init__(self, port, paths):
        self.here, there = multiprocessing.Pipe()
        self.child = multiprocessing.get_context("fork").Process(target=self.run, args=(port, paths, there), daemon=True)
        self.child.start()

    def run(self, port, paths, told):
        sockets = []
        for path in paths:
            sockets.append(socket.create_connection(("127.0.0.1", port)))
            sockets[-1].sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        heard = [0] * len(sockets)
        while not told.poll(.5 / len(sockets)):
            # One after the other, as listeners who do not know of each other.
            number = min(range(len(sockets)), key=heard.__getitem__)
            got = len(sockets[number].recv(100_000))
            if not got:
                told.send(f"a stream ended after {heard[number]} bytes")
                return
            heard[number] += got
        told.send(None if all(heard) else "a stream brought nothing")

    def end(self):
        with contextlib.suppress(OSError):
            self.here.send("end")
        fault = self.here.recv()
        self.child.join()
        if fault:
            raise RuntimeError(fault)


def streams(target):
    """What a stream holds, and what commands notice of sixteen: in turns with them and without."""
    with upstreams.cloud({"giga": upstreams.big()}) as port, hub(target, loft=local(port)) as server:
        asker, pid = library.Asker(server), server.procs[0][1].pid
        begin = lambda count: Listeners(server.port, [address(asker, "loft:track/t-0/bench/files/bench/bench/01%20giga.wav") for _ in range(count)])
        # One of before, so that what the first stream costs once is not counted as a stream's.
        one = begin(1)
        asker.volume(seconds=2)
        idle, busy, held, base = [], [], [], memory.rollup(pid)["Rss"]
        for _ in range(TURNS):
            idle += asker.volume(count=COMMANDS)
            listening = begin(STREAMS)
            # Until the buffers on the way are full.
            asker.volume(seconds=2)
            busy += asker.volume(count=COMMANDS)
            held.append((memory.rollup(pid)["Rss"] - base) / STREAMS)
            listening.end()
            asker.volume(seconds=1)
        one.end()
    p99 = lambda values: sorted(values)[int(.99 * (len(values) - 1) + .5)]
    return {"kib": max(held), "idle": p99(idle), "busy": p99(busy), "slowest": max(busy)}


# ---------------------------------------------------------------- pages of a large library
def pages(target, albums=ALBUMS):
    """Pages anywhere among 30,000 albums: the server's own answers, the hub's first, and the same again."""
    chance = random.Random(7)
    places = [chance.randrange(0, albums - PAGE) for _ in range(PAGES)]
    with upstreams.subsonic(albums) as server, hub(target, attic=server.url) as ours:
        until_noted(ours, "attic")
        asker = library.Asker(ours)

        def ask(place):
            took, answer = asker.ask("lib.browse", {"node": "attic:shelf/albums", "limit": PAGE, "from": place})
            if len(answer["d"]["rows"]) != PAGE:
                raise RuntimeError(f"the hub shows {len(answer['d']['rows'])} albums of {PAGE}: {str(answer)[:300]}")
            return took

        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        theirs, first, again = [], [], []
        for place in places:
            t0 = time.perf_counter()
            connection.request("GET", f"/rest/getAlbumList2.view?{upstreams.LOGIN}&type=alphabeticalByName&size={PAGE}&offset={place}")
            connection.getresponse().read()
            theirs.append((time.perf_counter() - t0) * 1e3)
            first.append(ask(place))
        for place in places * AGAIN:
            again.append(ask(place))
    return {"server": library.quantiles(theirs), "first": library.quantiles(first), "again": library.quantiles(again)}


# ---------------------------------------------------------------- the run
JOBS = {
    "sound0": lambda target: first_sound(target, 0), "sound40": lambda target: first_sound(target, 40),
    "search0": lambda target: search(target, 0), "search40": lambda target: search(target, 40),
    "gigabyte": gigabyte, "streams": streams, "pages": pages,
}


def run(target, times, only=None):
    rounds.run("servers", {name: functools.partial(job, target) for name, job in JOBS.items()}, times, only)


# ---------------------------------------------------------------- the table
def bars(rows):
    """-> [(what, unit, ours, its reference, the reference's value, kind of bar, limit)]"""
    middle = rounds.middles(rows)
    nested = lambda job, name, p: runs.median([r[name][p] for r in rounds.whole(rows, job)])
    megabytes = middle("gigabyte", "ours")
    return [
        ("play of a track 40 ms away → first PCM byte", "ms", middle("sound40", "ours"), "libmpv", middle("sound40", "reference"), "times", 1.1),
        ("play of a track 0 ms away → first PCM byte", "ms", middle("sound0", "ours"), "libmpv", middle("sound0", "reference"), "above", 8),
        ("three sources, first rows, p50", "ms", middle("search40", "first"), "local alone", middle("search40", "local"), "times", 1.1),
        ("three sources, 40 ms away, all rows, p50", "ms", middle("search40", "all"), "the slowest alone", middle("search40", "slowest"), "times", 1.1),
        # Seconds a gigabyte, so that less is better in every row: 0.8 of the speed is 1.25 of the time.
        ("1 GB by /media, time", "s", megabytes and 1000 / megabytes, "the server itself", megabytes and 1000 / middle("gigabyte", "direct"), "times", 1.25),
        ("1 GB by /media, CPU", "s", middle("gigabyte", "cpu"), "nginx", middle("gigabyte", "nginx_cpu"), "times", 1.5),
        (f"memory per stream, of {STREAMS}", "KiB", middle("streams", "kib"), "–", None, "at most", 1024),
        (f"{STREAMS} streams: slowest answer, a bound for any callback of the loop", "ms", middle("streams", "slowest"), "–", None, "at most", 5),
        (f"{STREAMS} streams: volume → answer, p99", "ms", middle("streams", "busy"), "idle", middle("streams", "idle"), "times", 1.2),
        (f"a page of {PAGE} of {ALBUMS:,} albums, first, p50", "ms", nested("pages", "first", "p50"), "supysonic", nested("pages", "server", "p50"), "times", 1.15),
        ("the same page again, p99", "ms", nested("pages", "again", "p99"), "–", None, "at most", 3),
    ]


def notes(rows):
    near = rounds.whole(rows, "search0")
    if near:
        each = {name: report.num(runs.median([r["each"][name] for r in near])) for name in near[0]["each"]}
        yield f"Three sources on this machine, where all compete for its processors: first rows {each['first']} ms, local alone {each['lib']}; all rows {each['all']}, the servers alone through the hub {each['attic']} and {each['loft']}. Past the hub: supysonic alone {each['attic itself']}, a question to each at once {each['both']} ms."


def table(d):
    """Prints the table; -> whether every bar holds"""
    return rounds.table("servers", "Music of other servers", bars, d, notes)
