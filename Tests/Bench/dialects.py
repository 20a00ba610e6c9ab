"""What MPD's protocol costs through the hub, beside mpd itself: commands, idlers and memory by the load client, and a library of 100,000
tracks by one reader. Both servers have the same files, and a null output each.

The watchers are programs of MPD: each is told by `changed:`, asks for `status` and `currentsong`, and idles again. Sound plays of songs
of a minute, so that none ends within a series of `next`."""
import contextlib, os, random, socket, subprocess, time

import figures
import library
import runs
import targets as T

SONGS, SECONDS = 12, 60
# How many commands of each kind nobody watches, and of changes of the volume that so many idlers are told.
COUNTS = {"status": 400, "list": 60, "volume": 60, "toggle": 30, "next": 20, "add": 30}
IDLERS = {1: 60, 100: 60, 1000: 30}
GAP_US = 25000
# The hub's rails are for people: a bench asks more than they press.
CONFIGURATION = """name = Bench
data = {dir}/data
socket = {dir}/hub.sock
listen = 127.0.0.1:{port2}
tls = 127.0.0.1:{port3}
mpd = {port}
music = {music}
audio = null
discovery = no

[limits]
connections = 12000
command_rate = 100000
command_burst = 100000
"""
NAMES = ("hub-mpd", "mpd")
# A bare socket that answers the same, and stores an `add` before it answers, as a hub does. What it takes no server can be faster than.
FLOOR = "floor-lines"
PARTS = ("programs", "library")
KEPT = {"programs": ("dialects",), "library": ("dialectlibrary", "dialectsilent", "dialectslow")}
# Of so many words and numbers every beginning is searched: those of three letters and more, which an index knows, and shorter ones.
TERMS = 12
SILENT, ANSWERS = 5000, 2000
MEMORY_MIB, CALLBACK_MS, PATIENCE = 8, 5, 1.2


# ---------------------------------------------------------------- the two servers
def until_known(count):
    """-> a hook that waits until the server knows so many songs"""
    def hook(server):
        if server.cfg["name"] == "mpd":
            server.chan().script([("send", "update"), ("wait", "^OK")])
        with contextlib.closing(Client(server)) as client:
            end = time.monotonic() + 1800
            while int(client.values(b"stats")["songs"]) < count or "updating_db" in client.values(b"status"):
                if time.monotonic() > end:
                    raise TimeoutError(f"{server.cfg['name']} does not come to know {count} songs")
                time.sleep(.1)
    return hook


def target(known, name, count):
    """A server whose port `port` speaks MPD's protocol. Kinds beside those of the bench's own mpd are asked by the controller alone."""
    mpd = known["mpd"]
    if name == FLOOR:
        of_hub = target(known, NAMES[0], count)
        return {**of_hub, "name": name, "argv": {"server": ["{build}/floor_lines", "{port}", "{dir}/queue.db"]}, "files": {}, "prepare": [],
                "hook": lambda server: None, "kinds": {kind: rows for kind, rows in of_hub["kinds"].items() if kind != "next"}}
    answered = lambda *lines: [{"cmd": line, "ack": "^OK", "event": "^OK"} for line in lines]
    kinds = {**mpd["kinds"], "status": answered("status"), "next": answered("next"), "add": answered('add "01.flac"', 'add "02.flac"'),
             "list": answered("\n".join(["command_list_begin", *["status"] * 100, "command_list_end"]))}
    prepare = [(what, text) for line in ("add 01.flac", "add 02.flac", "add 03.flac", "add 04.flac", "repeat 1", "setvol 50", "play")
               for what, text in (("send", line), ("wait", "^OK"))]
    asked = {**mpd, "name": name, "kinds": kinds, "prepare": [*prepare, ("sleep", "0.5")], "hook": until_known(count)}
    if name == "mpd":
        # It closes connections of whom more than 8 MiB wait, and a large library is more.
        return {**asked, "files": {"mpd.conf": 'max_output_buffer_size "262144"\n' + mpd["files"]["mpd.conf"]}}
    hub = known["hub"]
    return {**asked, **{key: hub[key] for key in ("argv", "env", "dirs", "connect_window")}, "mode_vars": {}, "files": {"batond.conf": CONFIGURATION}}


def songs():
    """-> the folder of a few songs of a minute, each with a tone of its own"""
    folder = f"{runs.MEDIA}/minutes"
    os.makedirs(folder, exist_ok=True)
    for number in range(1, SONGS + 1):
        path = f"{folder}/{number:02}.flac"
        if not os.path.exists(path):
            tags = (f"title=Song {number}", "artist=Bench", "album=Minutes", f"track={number}")
            subprocess.run(["ffmpeg", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", f"sine=f={200 + number * 10}:d={SECONDS}:r=44100", "-ac", "2",
                            "-sample_fmt", "s16", *(word for tag in tags for word in ("-metadata", tag)), "-f", "flac", path + ".new"], check=True)
            os.rename(path + ".new", path)
    return folder


def phases(kinds):
    window = 64
    alone = [f"cmds {kind} {count} {GAP_US} 60" for kind, count in COUNTS.items() if kind in kinds]
    return ["hold 0.3", *alone, *(phase for n, count in IDLERS.items() for phase in (f"grow {n} {window} 60", f"cmds volume {count} {GAP_US} 60"))]


# ---------------------------------------------------------------- one reader
class Client:
    """A connection that reads whole answers. They are not taken apart, so that its own work is the least of what is timed."""
    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.recv(100)

    def read(self, during=None):
        """-> the bytes of an answer"""
        pieces, last = [], b""
        while last != b"OK\n" and not last.endswith(b"\nOK\n"):
            piece = self.socket.recv(1 << 18)
            if not piece:
                raise ConnectionError("the server closed the connection")
            pieces.append(piece)
            last = (last + piece)[-64:]
            if b"ACK [" in last and last.endswith(b"\n"):
                raise RuntimeError(last.decode(errors="replace"))
            if during:
                during(len(piece))
        return b"".join(pieces)

    def ask(self, line, during=None):
        """-> ms, the answer"""
        t0 = time.perf_counter()
        self.socket.sendall(line + b"\n")
        answer = self.read(during)
        return (time.perf_counter() - t0) * 1e3, answer

    def values(self, line):
        return dict(line.split(": ", 1) for line in self.ask(line)[1].decode().splitlines() if ": " in line)

    def close(self):
        self.socket.close()


def p(values, part):
    return sorted(values)[int(part * (len(values) - 1) + .5)]


def memory_while(server, client, line):
    """-> MiB above what lay in no file before, at most, while this answer was read"""
    pid = server.procs[0][1].pid
    before = most = library.resident(pid)
    bytes_read = 0

    def look(count):
        nonlocal most, bytes_read
        bytes_read += count
        if bytes_read > 1 << 20:
            bytes_read = 0
            most = max(most, library.resident(pid))
    client.ask(line, during=look)
    return (max(most, library.resident(pid)) - before) / 1024


def of_library(server):
    """One round at one server -> ms of each kind of question."""
    with contextlib.closing(Client(server)) as client:
        # Each as it is most times: the first one is asked of a server that has not been asked for a while.
        of = lambda line: runs.median([client.ask(line)[0] for _ in range(3)])
        row = {"listallinfo": of(b"listallinfo"), "list": of(b"list album group albumartist"),
               "memory": memory_while(server, client, b"listallinfo")}
        terms = library.of_terms(TERMS)
        for kind, texts in (("long", [text for text in terms if len(text) >= 3]), ("short", [text for text in terms if len(text) < 3])):
            row[kind] = library.quantiles([client.ask(f'search any "{text}"'.encode())[0] for text in texts])
    return row


def waits(client):
    return [client.ask(b"status")[0] for _ in range(ANSWERS)]


def beside_silent(server):
    """p99 of another program's `status` at rest, and beside thousands who say nothing and one that asks for all and reads nothing."""
    with contextlib.ExitStack() as opened:
        client = opened.enter_context(contextlib.closing(Client(server)))
        rest = waits(client)
        silent = []
        for _ in range(SILENT):
            silent.append(opened.enter_context(socket.create_connection(("127.0.0.1", server.port), 10)))
        silent[0].sendall(b"listallinfo\n")
        time.sleep(1)
        busy = waits(client)
    time.sleep(2)
    with contextlib.closing(Client(server)) as client:
        rest += waits(client)
    return {"rest": p(rest, .5), "busy": p(busy, .5), "rest99": p(rest, .99), "busy99": p(busy, .99)}


# ---------------------------------------------------------------- the run
def run(known, rounds, tracks, parts):
    d = runs.load()
    for part in parts:
        for name in KEPT[part]:
            d[name] = []
    runs.save(d)
    if "programs" in parts:
        folder = songs()
        for number in range(rounds):
            for name in random.sample((*NAMES, FLOOR), 3):
                t0 = time.time()
                asked = target(known, name, SONGS)
                row = runs.series(asked, phases(asked["kinds"]), music=folder)
                runs.add("dialects", {"round": number, "target": name, "job": "fan", **row})
                wrong = [r["fatal"] for r in row["rows"] if "fatal" in r]
                print(f"round {number + 1} of {rounds}  programs {name:11s} {time.time() - t0:6.1f} s  {'; '.join(wrong)}", flush=True)
    if "library" not in parts:
        return
    root = library.make_library(tracks)
    library.warm(root)
    with contextlib.ExitStack() as opened:
        servers = {}
        for name in NAMES:
            servers[name] = opened.enter_context(T.Server(target(known, name, tracks), music=root))
            servers[name].wait_ready()
            t0 = time.time()
            until_known(tracks)(servers[name])
            library.until_idle(servers[name].procs[0][1].pid)
            print(f"{tracks} tracks are known to {name} after {time.time() - t0:.0f} s", flush=True)
        begun = len(library.slow_callbacks(servers["hub-mpd"]))
        for number in range(rounds):
            for name in random.sample(list(servers), 2):
                runs.add("dialectlibrary", {"round": number, "target": name, **of_library(servers[name])})
            runs.add("dialectsilent", {"round": number, **beside_silent(servers["hub-mpd"])})
        d = runs.load()
        d["dialectslow"] = library.slow_callbacks(servers["hub-mpd"])[begun:]
        runs.save(d)


# ---------------------------------------------------------------- the table
def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("dialects", []) + d.get("dialectlibrary", []) + d.get("dialectsilent", [])
    rounds = len({row["round"] for row in rows})
    print(f"\n## MPD's protocol: {rounds} round{'s' if rounds != 1 else ''}, medians; {os.cpu_count()} processors\n")
    f = figures.Found(d.get("dialects", []), NAMES[0])
    mid = lambda name, key: runs.median([key(row) for row in d.get("dialectlibrary", []) if row["target"] == name])
    bars = []

    def both(what, unit, value, kind, limit):
        bars.append((what, unit, value("hub-mpd"), "mpd", value("mpd"), kind, limit))
    for kind, what, limit, parts in (("status", "`status`", 1, ("p50", "p99")), ("list", "a list of 100 `status`", 1, ("p50", "p99")),
                                     ("toggle", "`pause`", 1.5, ("p50",)), ("next", "`next`", 1.5, ("p50",)), ("add", "`add`", 1.5, ("p50",)),
                                     ("volume", "`setvol`", 2, ("p50",))):
        for part in parts:
            both(f"{what} → answer, {part}", "ms", lambda name, kind=kind, part=part: f.commands(name, kind, 0, "ack_us", part), "times", limit)
    for n, limit in ((1, 1), (100, .7), (1000, .5)):
        both(f"`setvol` → fresh `status` at the last of {n} idlers, p50", "ms", lambda name, n=n: f.commands(name, "volume", n, "last_us", "p50"), "times", limit)
    both("memory of a connection, 1,000 idlers", "KiB", lambda name: f.memory(name, 1000), "times", 1)
    both("`listallinfo`", "ms", lambda name: mid(name, lambda row: row["listallinfo"]), "times", 1)
    both("`list album group albumartist`", "ms", lambda name: mid(name, lambda row: row["list"]), "times", 1)
    bars.append(("memory while `listallinfo` is read, above before", "MiB", mid("hub-mpd", lambda row: row["memory"]), "mpd", mid("mpd", lambda row: row["memory"]),
                 "at most", MEMORY_MIB))
    for kind, what, limit in (("long", "every beginning of three letters and more", .3), ("short", "every shorter one", 1)):
        both(f"`search any`, {what}, p50", "ms", lambda name, kind=kind: mid(name, lambda row: row[kind]["p50"]), "times", limit)
    silent = d.get("dialectsilent", [])
    for part, what in (("", "p50"), ("99", "p99")):
        bars.append((f"another's `status` beside {SILENT} silent connections and a reader that stopped, {what}", "ms", runs.median([row["busy" + part] for row in silent]), "at rest",
                     runs.median([row["rest" + part] for row in silent]), "times", PATIENCE))
    holds = figures.print_bars(bars)
    floor = [(kind, 0, "ack_us") for kind in ("status", "list", "toggle", "add", "volume")] + [("volume", n, "last_us") for n in IDLERS]
    said = ", ".join(f"{kind} {f.commands(FLOOR, kind, n, what, 'p50') or 0:.2f}" + (f" (last of {n})" if n else "") for kind, n, what in floor)
    print(f"\nA bare socket that stores what is added (`floor_lines.c`), p50 in ms: {said}.")
    slow = d.get("dialectslow", [])
    lost = {name: f.lost(name) for name in NAMES if f.lost(name)}
    print(f"\nCallbacks over {CALLBACK_MS} ms: {'; '.join(slow) or 'none'}. Lost answers, events or connections: {lost or 'none'}.")
    holds = holds and not slow and "hub-mpd" not in lost
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}" + ("" if rounds >= 3 else " Fewer than three rounds: an impression, not a figure."))
    return holds
