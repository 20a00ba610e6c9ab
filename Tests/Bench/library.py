"""What a library costs, as one table: scans beside mpd's, searches of every prefix, pages, memory, and
how much a scan delays changes of the volume.

The music is made once for each size: tagged FLAC files, ten to an album, each with sound of its own, a
picture in the first of each album and one beside it. Both servers read the same files from a warm page
cache, so what is compared is the work for each file and not the disk. Verdicts are those of figures.py."""
import contextlib, http.client, json, os, random, socket, statistics, subprocess, time

import figures
import runs
import targets as T

TERMS, PAGES, COMMANDS = 200, 200, 400
WORDS = ("amber basin cedar delta ember fable grove harbor island juniper kettle lantern meadow nectar orchard pepper quartz river "
         "summit timber umber velvet willow yonder zephyr ángel brücke čaj dømt élan façade").split()


# ---------------------------------------------------------------- the music
def blocks(data):
    """The STREAMINFO of a FLAC file, and its sound."""
    at, info, last = 4, b"", False
    while not last:
        last, kind, size = data[at] & 128, data[at] & 127, int.from_bytes(data[at + 1:at + 4], "big")
        if kind == 0:
            info = data[at + 4:at + 4 + size]
        at += 4 + size
    return info, data[at:]


def block(kind, body, last=False):
    return bytes([kind | (128 if last else 0)]) + len(body).to_bytes(3, "big") + body


def comments(pairs):
    """A comment block as FLAC wants it."""
    text = lambda s: len(s.encode()).to_bytes(4, "little") + s.encode()
    return text("bench") + len(pairs).to_bytes(4, "little") + b"".join(text(f"{k}={v}") for k, v in pairs)


def picture(data, side):
    word = lambda n: n.to_bytes(4, "big")
    return word(3) + word(10) + b"image/jpeg" + word(0) + word(side) + word(side) + word(24) + word(0) + word(len(data)) + data


def made(path, *how):
    if not os.path.exists(path):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-nostdin", "-y", *how, path], check=True)
    with open(path, "rb") as f:
        return f.read()


def make_library(count):
    root = f"{runs.MEDIA}/library-{count}"
    if os.path.exists(root + "/done"):
        return root + "/music"
    os.makedirs(runs.MEDIA, exist_ok=True)
    info, sound = blocks(made(runs.MEDIA + "/seed.flac", "-f", "lavfi", "-i", "sine=f=440:d=0.5:r=8000", "-ac", "1", "-sample_fmt", "s16", "-c:a", "flac"))
    cover = made(runs.MEDIA + "/cover.jpg", "-f", "lavfi", "-i", "testsrc=s=300x300", "-frames:v", "1")
    chance = random.Random(7)
    for number in range(count):
        artist, album = number // 100, number // 10
        folder = f"{root}/music/a{artist:05d}/b{album:06d}"
        first = number % 10 == 0
        if first:
            os.makedirs(folder, exist_ok=True)
            with open(folder + "/cover.jpg", "wb") as f:
                f.write(cover + album.to_bytes(4, "big"))
        tags = [("TITLE", f"{chance.choice(WORDS)} {chance.choice(WORDS)} {number:06d}"), ("ARTIST", f"{chance.choice(WORDS)} Artist {artist:05d}"),
                ("ALBUM", f"{chance.choice(WORDS)} Album {album:06d}"), ("ALBUMARTIST", f"Artist {artist:05d}"), ("TRACKNUMBER", f"{number % 10 + 1}/10"),
                ("DATE", str(1960 + album % 60)), ("GENRE", f"Genre{artist % 20}"), ("REPLAYGAIN_TRACK_GAIN", "-6.50 dB")]
        art = block(6, picture(cover + album.to_bytes(4, "little"), 300)) if first else b""
        with open(f"{folder}/{number % 10 + 1:02d}.flac", "wb") as f:
            # What stands behind the last frame is no sound to a decoder, and makes the content one of its own.
            f.write(b"fLaC" + block(0, info) + art + block(4, comments(tags), last=True) + sound + number.to_bytes(8, "big"))
    open(root + "/done", "w").close()
    return root + "/music"


# ---------------------------------------------------------------- the hub
class UnixHTTP(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.path)


class Owner:
    """Asks over the unix socket, where everything is allowed."""
    def __init__(self, server):
        self.path, self.number = os.path.join(server.dir, "hub.sock"), 0

    def ask(self, method, params=None, room=None):
        self.number += 1
        body = {"t": "cmd", "id": self.number, "m": method, "k": f"bench{self.number}", "p": params or {}, **({"room": room} if room else {})}
        answer = self.http("POST", "/baton/cmd", json.dumps(body))
        if not answer.get("ok"):
            raise RuntimeError(f"{method}: {answer}")
        return answer

    def state(self, room=None):
        return self.http("GET", "/baton/state?view=full" + (f"&room={room}" if room else ""))

    def http(self, *request):
        with contextlib.closing(UnixHTTP(self.path)) as c:
            c.request(*request)
            return json.loads(c.getresponse().read())

    def until_there(self, t0, tracks, limit=900):
        """-> seconds from t0 until so many are in the library"""
        while time.monotonic() - t0 < limit:
            if sum(folder["n"] for folder in self.ask("lib.folders")["d"]["folders"]) >= tracks:
                return time.monotonic() - t0
            time.sleep(.01)
        raise TimeoutError("not everything was found")

    def until_scanned(self, t0, limit=900):
        """-> (seconds from t0 until the scan is over, its report)"""
        while time.monotonic() - t0 < limit:
            report = self.ask("lib.folders")["d"].get("report") or {}
            if report.get("done"):
                return time.monotonic() - t0, report
            time.sleep(.01)
        raise TimeoutError("the scan does not end")


class Asker:
    """One connection over loopback, as a remote has it."""
    def __init__(self, server):
        self.chan, self.number = server.chan(60), 1000

    def ask(self, method, params, key=None):
        """-> (ms, the answer)"""
        self.number += 1
        t0 = time.perf_counter()
        command = {"t": "cmd", "id": self.number, "m": method, "p": params, **({"k": key} if key else {})}
        self.chan.send(json.dumps(command, ensure_ascii=False))
        text = self.chan.wait(f'"id":{self.number},')
        took = (time.perf_counter() - t0) * 1e3
        answer = json.loads(text)
        if not answer.get("ok"):
            raise RuntimeError(f"{method} {params}: {text[:200]}")
        return took, answer

    def volume(self, seconds=None, count=None):
        """ms of each answer"""
        took, end = [], time.monotonic() + (seconds or 600)
        while time.monotonic() < end and (count is None or len(took) < count):
            took.append(self.ask("vol.set", {"level": 40 + len(took) % 2})[0])
            time.sleep(.005)
        return took


def resident(pid):
    """KiB that lie in no file: pages of libraries come and go with the system's needs."""
    with open(f"/proc/{pid}/status") as f:
        return int(next(line.split()[1] for line in f if line.startswith("RssAnon")))


def worked(pid):
    """CPU ticks of a process and of those it started"""
    ticks = 0
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            if name == str(pid) or fields[1] == str(pid):
                ticks += int(fields[11]) + int(fields[12])
        except (OSError, IndexError):
            continue  # None, or gone meanwhile.
    return ticks


def warm(path):
    """Into the page cache: machines that rent out their memory take it back within a minute."""
    subprocess.run(["find", path, "-type", "f", "-exec", "cat", "{}", "+"], check=False, stdout=subprocess.DEVNULL)


def until_idle(pid, limit=300):
    """What a scan leaves for later, such as the colours of pictures, is over when next to nothing is done for two seconds."""
    t0 = time.monotonic()
    before = worked(pid)
    while time.monotonic() - t0 < limit:
        time.sleep(2)
        now = worked(pid)
        if now - before < 4:
            return time.monotonic() - t0
        before = now
    raise TimeoutError("the hub does not come to rest")


def of_terms(count):
    """Every beginning of so many words that are in the library."""
    chance = random.Random(11)
    words = [chance.choice(WORDS) for _ in range(count // 2)] + [f"{chance.randrange(100000):06d}" for _ in range(count - count // 2)]
    return [word[:n] for word in words for n in range(1, len(word) + 1)]


def with_mistakes():
    """-> pairs of words, and the same with two letters of the second one swapped"""
    chance = random.Random(12)
    swapped = [word for word in WORDS if len(word) >= 5 and word[1] != word[2]]
    pairs = [(chance.choice(WORDS), chance.choice(swapped)) for _ in range(TERMS)]
    return [f"{one} {two}" for one, two in pairs], [f"{one} {two[0]}{two[2]}{two[1]}{two[3:]}" for one, two in pairs]


def quantiles(values):
    values = sorted(values)
    pick = lambda p: round(values[int(p * (len(values) - 1) + .5)], 3)
    return {"n": len(values), "p50": pick(.5), "p95": pick(.95), "p99": pick(.99), "max": pick(1)}


def without_music(target):
    """The hub without a folder of music, so that the moment in which a scan begins is known."""
    return {**target, "files": {n: t.replace("music = {music}\n", "") for n, t in target["files"].items()}}


def ours(target, root, size):
    track, pcm = runs.media()
    with T.Server(without_music(target), track=track, raw_pcm=pcm) as s:
        s.wait_ready()
        pid, owner, asker = s.procs[0][1].pid, Owner(s), Asker(s)
        time.sleep(1)
        row = {"idle_ms": quantiles(asker.volume(count=COMMANDS))}
        row["empty_kib"], starting = resident(pid), len(slow_callbacks(s))
        t0 = time.monotonic()
        owner.ask("lib.folder", {"path": root, "on": True})
        first = None
        while first is None and time.monotonic() - t0 < 60:
            if asker.ask("lib.search", {"q": WORDS[0], "limit": 1})[1]["d"]["rows"] or asker.ask("lib.browse", {"node": "lib:shelf/tracks", "limit": 1})[1]["d"]["rows"]:
                first = time.monotonic() - t0
        row["first_s"], row["scan_s"] = first, owner.until_there(t0, size)
        row["rest_s"] = until_idle(pid)
        rescan(owner)
        row["rescan_s"] = rescan(owner)
        until_idle(pid)
        warm(os.path.join(s.dir, "data", "library.db"))
        asker = Asker(s)  # One that says nothing for so long is given up.
        row["full_kib"] = resident(pid)
        terms = of_terms(TERMS)
        row["search_ms"] = quantiles([asker.ask("lib.search", {"q": term})[0] for term in terms])
        for name, terms in zip(("right_ms", "mistyped_ms"), with_mistakes()):
            row[name] = quantiles([asker.ask("lib.search", {"q": term})[0] for term in terms])
        chance = random.Random(3)
        pages = [asker.ask("lib.browse", {"node": "lib:shelf/tracks", "from": chance.randrange(max(1, size - 100)), "limit": 100}) for _ in range(PAGES)]
        row["page_ms"] = quantiles([took for took, _ in pages])
        row["short_pages"] = sum(len(answer["d"]["rows"]) != 100 for _, answer in pages)
        row["searched_kib"] = resident(pid)
        # Everything is read again while the volume changes.
        owner.ask("hub.scan", {"full": True})
        row["busy_ms"] = quantiles(asker.volume(seconds=max(2, .7 * row["scan_s"])))
        owner.until_scanned(time.monotonic())
        row["slow_callbacks"] = slow_callbacks(s)[starting:]
        return row


def slow_callbacks(server):
    with open(os.path.join(server.dir, "log.txt")) as f:
        return [line.strip()[:200] for line in f if "callback" in line]


def rescan(owner):
    """Seconds, as the hub itself reports them: the report of the scan before stands until this one is over."""
    owner.ask("hub.scan")
    time.sleep(5)
    return owner.until_scanned(time.monotonic())[1]["tookMs"] / 1e3


def theirs(target, root):
    with T.Server(target, music=root) as s:
        s.wait_ready()
        c = s.chan(900)
        row = {}
        for label in ("scan_s", "rescan_s"):
            t0 = time.monotonic()
            c.send("update")
            c.wait("^OK")
            busy = True
            while busy:
                c.send("status")
                busy = False
                while (line := c.recv()) != "OK":
                    busy |= line.startswith("updating_db")
                time.sleep(.01)
            row[label] = time.monotonic() - t0
        c.send("stats")
        while (line := c.recv()) != "OK":
            if line.startswith("songs"):
                row["tracks"] = int(line.split()[1])
        return row


# ---------------------------------------------------------------- the run
def run(target, peers, rounds, sizes):
    d = runs.load()
    d["library"] = []
    runs.save(d)
    for size in sizes:
        root = make_library(size)
        warm(root)
        for number in range(rounds):
            for name in random.sample(["ours", "mpd"], 2):
                t0 = time.time()
                row = ours(peers[target], root, size) if name == "ours" else theirs(peers["mpd"], root)
                runs.add("library", {"round": number, "size": size, "who": name, **row})
                print(f"{size:>7} tracks, round {number + 1} of {rounds}, {name:5s} {time.time() - t0:6.1f} s", flush=True)


# ---------------------------------------------------------------- the table
def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("library", [])
    sizes = sorted({r["size"] for r in rows})
    rounds = len({r["round"] for r in rows})
    print(f"\n## A library: {rounds} round{'s' if rounds != 1 else ''}, medians; {os.cpu_count()} processors\n")
    def mid(size, who, *path):
        values = []
        for r in rows:
            if r["size"] == size and r["who"] == who:
                value = r
                for part in path:
                    value = value[part]
                values.append(value)
        return statistics.median(values) if values else None
    bars = []
    for size in sizes:
        name = f"{size:,}"
        bars += [(f"first scan of {name}", "s", mid(size, "ours", "scan_s"), "mpd", mid(size, "mpd", "scan_s"), "times", 3),
                 (f"nothing has changed in {name}", "s", mid(size, "ours", "rescan_s"), "mpd", mid(size, "mpd", "rescan_s"), "times", 1),
                 (f"first track of {name} can be found after", "s", mid(size, "ours", "first_s"), "", None, "at most", 1),
                 (f"search in {name}, every prefix, p50", "ms", mid(size, "ours", "search_ms", "p50"), "", None, "at most", 1),
                 (f"search in {name}, every prefix, p99", "ms", mid(size, "ours", "search_ms", "p99"), "", None, "at most", 5),
                 (f"search in {name}, two words of which one has a mistake, p50", "ms", mid(size, "ours", "mistyped_ms", "p50"), "without", mid(size, "ours", "right_ms", "p50"), "times", 2),
                 (f"100 rows anywhere in {name}, p99", "ms", mid(size, "ours", "page_ms", "p99"), "", None, "at most", 3),
                 (f"memory with {name}, above empty", "MiB", (mid(size, "ours", "full_kib") - mid(size, "ours", "empty_kib")) / 1024, "", None, "at most", 20),
                 (f"volume → answer while {name} are scanned, p50", "ms", mid(size, "ours", "busy_ms", "p50"), "idle", mid(size, "ours", "idle_ms", "p50"), "times", 1.2)]
    holds = figures.print_bars(bars)
    slow = [line for r in rows for line in r.get("slow_callbacks", [])]
    short = sum(r.get("short_pages", 0) for r in rows)
    print(f"\nCallbacks over 5 ms: {'; '.join(slow) or 'none'}. Pages that were not whole: {short}.")
    holds = holds and not slow and not short
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}" + ("" if rounds >= 3 else " Fewer than three rounds: an impression, not a figure."))
    return holds
