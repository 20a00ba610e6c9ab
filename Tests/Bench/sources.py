"""What two sources that hang cost a search of the library and any other command, as one table.

One hub has five sources: its library of 10,000 tracks, and four servers that it asks over HTTP. A second client asks each server ten
times a second. The library is searched while all servers answer, while two of them accept and never answer, and once the hub has found
out that they are down. Each round measures all three in one run, so that the machine's speed meets all of them."""
import contextlib, json, multiprocessing, os, signal, socket, statistics, tempfile, threading, time

import library
import report
import runs
import targets as T

TRACKS, SERVERS, HUNG, BAR = 10_000, 4, 2, 1.1
PASSES, PAUSE = 4, .1
# Commands that need no source.
COMMANDS, COMMAND_BAR = 1_000, 1.2
PHASES = {"answering": "all four answer", "hanging": "two hang", "down": "two are known to be down"}


# ---------------------------------------------------------------- the servers, and the client that asks them
def serve(listeners, hangs):
    """Answers three lines, or nothing while it hangs; a connection that hangs stays open."""
    def answer(conn, number):
        with contextlib.suppress(OSError), conn:
            while conn.recv(65536):
                while number < HUNG and hangs.value:
                    time.sleep(.05)
                conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na\nb\nc\n")

    def accept(listener, number):
        while True:
            threading.Thread(target=answer, args=(listener.accept()[0], number), daemon=True).start()

    for number, listener in enumerate(listeners):
        threading.Thread(target=accept, args=(listener, number), daemon=True).start()
    signal.pause()


def ask_servers(server):
    """Asks each server over and over, and does not wait for the answers."""
    # A client of its own: another connection with the name of the first would take its place.
    chan, number = T.Chan(server.cfg, server.port, 60), 100_000
    chan.script([(what, server.sub(text).replace("{n}", "1")) for what, text in server.cfg["watcher_init"]])
    threading.Thread(target=drain, args=(chan,), daemon=True).start()
    while True:
        for source in range(SERVERS):
            number += 1
            chan.send(question(number, f"server{source}", "a"))
        time.sleep(PAUSE)


def drain(chan):
    while True:
        chan.recv()


def question(number, source, words):
    params = {"q": words, "limit": 20, **({"source": source} if source else {})}
    return json.dumps({"t": "cmd", "id": number, "m": "lib.search", "p": params}, ensure_ascii=False)


@contextlib.contextmanager
def process(target, *words):
    child = multiprocessing.get_context("fork").Process(target=target, args=words, daemon=True)
    child.start()
    try:
        yield
    finally:
        child.terminate()
        child.join()


# ---------------------------------------------------------------- one round
class Searcher(library.Asker):
    def times(self, terms):
        return [self.ask("lib.search", {"q": term, "source": "lib"})[0] for term in terms]

    def answers(self, source):
        """Whether a source can be searched, and how long it took to say so, in ms."""
        t0 = time.perf_counter()
        self.number += 1
        self.chan.send(question(self.number, source, "a"))
        return json.loads(self.chan.wait(f'"id":{self.number},')).get("ok") == 1, (time.perf_counter() - t0) * 1e3

    def until(self, source, works, limit=60):
        """Until a source works, or is refused at once."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            ok, took = self.answers(source)
            if ok == works and (ok or took < 100):
                return
            time.sleep(.2)
        raise TimeoutError(f"{source} should {'work' if works else 'be down'} by now")


def once(searcher, hangs, terms):
    row = {}
    for phase in PHASES:
        hangs.value = phase != "answering"
        for source in (f"server{number}" for number in range(HUNG)):
            if phase != "hanging":
                searcher.until(source, works=phase == "answering")
        if phase == "hanging":
            time.sleep(.5)   # By then their lanes are full of questions.
        row[phase] = library.quantiles(searcher.times(terms))
        row[f"{phase} commands"] = library.quantiles(searcher.volume(count=COMMANDS))
    row["all_ms"] = searcher.answers(None)[1]
    return row


def fill(server):
    """Lets batond read the music into the library of this run."""
    root = library.make_library(TRACKS)
    library.warm(root)
    print(f"reading {TRACKS:,} tracks", flush=True)
    owner, t0 = library.Owner(server), time.monotonic()
    owner.ask("lib.folder", {"path": root, "on": True})
    owner.until_there(t0, TRACKS)
    library.until_idle(server.procs[0][1].pid)


def run(target, rounds):
    d = runs.load()
    d["sources"] = []
    runs.save(d)
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(SERVERS)]
    places = [f"127.0.0.1:{one.getsockname()[1]}" for one in listeners]
    hangs = multiprocessing.Value("b", 0)
    target = library.without_music(target)
    track = runs.media()[0]
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        with T.Server(target, track=track, keep=folder) as s:
            s.wait_ready()
            fill(s)
        ours = {**target, "argv": {"server": ["{bin}/source-hub", "--config", "{dir}/batond.conf", "--servers", *places]}}
        with process(serve, listeners, hangs), T.Server(ours, track=track, keep=folder) as hub:
            hub.wait_ready()
            measure(Searcher(hub), hub, hangs, rounds)


def measure(searcher, hub, hangs, rounds):
    terms = library.of_terms(library.TERMS) * PASSES
    searcher.times(terms[:500])
    with process(ask_servers, hub):
        for number in range(rounds):
            t0 = time.time()
            row = once(searcher, hangs, terms)
            runs.add("sources", {"round": number, **row})
            print(f"round {number + 1} of {rounds}  {time.time() - t0:6.1f} s  p99 {' / '.join(str(row[p]['p99']) for p in PHASES)} ms", flush=True)


# ---------------------------------------------------------------- the table
def table(d):
    """Prints the table; -> whether every bar holds"""
    rows, holds = d.get("sources", []), True
    print(f"\n## A search of the library beside four servers: {len(rows)} rounds of {len(library.of_terms(library.TERMS)) * PASSES:,} searches; {os.cpu_count()} processors\n")
    print("| servers | p50 | p99 | p99, ratio | bar | |\n|---|---:|---:|---:|---|---|")
    for kind, what, most in (("", "", BAR), (" commands", "; another command", COMMAND_BAR)):
        for phase, name in PHASES.items():
            if not all(phase + kind in row for row in rows) or not rows:
                continue
            middle = {p: statistics.median(r[phase + kind][p] for r in rows) for p in ("p50", "p99")}
            ratio = statistics.median(r[phase + kind]["p99"] / r["answering" + kind]["p99"] for r in rows)
            verdict = "" if phase == "answering" else "pass" if ratio <= most else "FAIL"
            holds &= verdict != "FAIL"
            bar = "" if phase == "answering" else f"at most {most}×"
            print(f"| {name}{what} | {report.num(middle['p50'])} ms | {report.num(middle['p99'])} ms | {ratio:.3f}× | {bar} | {verdict} |")
    if rows:
        print(f"\nA search of all sources while two are down: {report.num(statistics.median(r['all_ms'] for r in rows))} ms.")
    print(f"\n{'Every bar holds.' if holds and rows else 'Not every bar holds.'}")
    return holds and bool(rows)
