"""Two builds of the hub side by side, as one table: the newer against the older, both measured in one run.

Answers are timed with both hubs up at the same time: the client sends a block of commands to one and then to the
other, so that a change of the machine's speed meets both. All else is measured in turns. A cell is the median of
the rounds; the ratio is the median of each round's own ratio."""
import contextlib, os, statistics, time

import library
import memory
import report
import runs
import targets as T

BAR = 1.03
# How many commands make a block, and how many blocks a round has for each kind and number of watchers.
BLOCK, BLOCKS, WATCHERS = 300, 40, (0, 100)
NAMES = {"volume": "volume → answer", "toggle": "pause/resume → answer"}
TRACKS, STARTS = 10_000, 5


def built(target, folder):
    """The same server from the binaries of another folder"""
    return {**target, "argv": {name: [a.replace("{bin}", folder) for a in argv] for name, argv in target["argv"].items()}}


# ---------------------------------------------------------------- answers
def worked_us(pid):
    """CPU time of all threads, by the scheduler's own count"""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/schedstat") as f:
            total += int(f.read().split()[0])
    return total / 1000


class Side:
    """One of the two hubs, with its controller and its watchers."""
    def __init__(self, stack, target, watchers):
        track, pcm = runs.media()
        self.server = stack.enter_context(T.Server(target, track=track, raw_pcm=pcm))
        self.server.prepare()
        self.pid = self.server.procs[0][1].pid
        self.control, self.number = self.server.chan(), 1000
        self.watchers = [self.watcher(n) for n in range(watchers)]

    def watcher(self, number):
        chan = T.Chan(self.server.cfg, self.server.port)
        chan.script([(what, self.server.sub(text).replace("{n}", str(number))) for what, text in self.server.cfg["watcher_init"]])
        return chan

    def drain(self):
        for chan in self.watchers:
            chan.s.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while chan.s.recv(1 << 20):
                    pass
            chan.s.setblocking(True)

    def block(self, kind):
        """-> p50 and CPU of a command, in µs"""
        commands, took, before = [k["cmd"] for k in self.server.cfg["kinds"][kind]], [], worked_us(self.pid)
        for n in range(BLOCK):
            self.number += 1
            t0 = time.perf_counter_ns()
            self.control.send(commands[n % 2].replace("{id}", str(self.number)))
            self.control.wait(f'"id":{self.number},')
            took.append((time.perf_counter_ns() - t0) / 1000)
            if n % 20 == 19:
                self.drain()
        return {"p50": runs.quantile(took, .5), "cpu": (worked_us(self.pid) - before) / BLOCK}


def answers(sides, watchers):
    """-> [(kind, watchers, {side: block})]"""
    with contextlib.ExitStack() as stack:
        hubs = {name: Side(stack, target, watchers) for name, target in sides.items()}
        for hub in hubs.values():
            hub.block("volume")
        return [(kind, watchers, {name: hubs[name].block(kind) for name in order(hubs, n)}) for kind in NAMES for n in range(BLOCKS)]


def order(names, number):
    return list(names) if number % 2 == 0 else list(names)[::-1]


# ---------------------------------------------------------------- what is measured in turns
def fan(target):
    rows = runs.series(target, runs.watchers(target, {1000: 60}, 4000, 20))["rows"]
    return {f"last of 1,000: {r['kind']}": r["last_us"]["p50"] / 1000 for r in rows if r.get("phase") == "cmds"}


def starts(target):
    return {"cold start": runs.median([runs.cold_start(target).get("ready_ms") for _ in range(STARTS)])}


def at_rest(target):
    with T.Server(target, track=runs.media()[0]) as s:
        s.wait_ready()
        time.sleep(10)
        return {"memory of a hub at rest": memory.rollup(s.procs[0][1].pid)["Rss"] / memory.MIB}


def of_library(target):
    root = library.make_library(TRACKS)
    library.warm(root)
    with T.Server(library.without_music(target), track=runs.media()[0]) as s:
        s.wait_ready()
        owner = library.Owner(s)
        t0 = time.monotonic()
        owner.ask("lib.folder", {"path": root, "on": True})
        scan = owner.until_there(t0, TRACKS)
        library.until_idle(s.procs[0][1].pid)
        asker = library.Asker(s)
        searches = library.quantiles([asker.ask("lib.search", {"q": term})[0] for term in library.of_terms(library.TERMS)])
        words = library.quantiles([asker.ask("lib.search", {"q": term})[0] for term in library.with_mistakes()[0]])
        return {"scan of 10,000": scan, "search, p50": searches["p50"], "search, p99": searches["p99"], "search of two words, p50": words["p50"]}


UNITS = {"last of": "ms", "cold": "ms", "memory": "MiB", "scan": "s", "search": "ms"}
IN_TURNS = {"fan": fan, "starts": starts, "rest": at_rest, "library": of_library}


# ---------------------------------------------------------------- the run and the table
def run(target, before, now, rounds, quick=False):
    d = runs.load()
    d["paired"] = []
    runs.save(d)
    sides = {"before": built(target, before), "now": built(target, now)}
    for number in range(rounds):
        t0 = time.time()
        for watchers in WATCHERS:
            for kind, count, blocks in answers(sides, watchers):
                for figure, what in (("p50", NAMES[kind]), ("cpu", f"CPU of one command, {kind}")):
                    runs.add("paired", {"what": f"{what}, {count} watchers", "unit": "µs", **{name: row[figure] for name, row in blocks.items()}})
        for job in ("fan", "starts") if quick else IN_TURNS:
            found = {name: IN_TURNS[job](sides[name]) for name in order(sides, number)}
            for what in found["now"]:
                unit = next(unit for start, unit in UNITS.items() if what.startswith(start))
                runs.add("paired", {"what": what, "unit": unit, **{name: row[what] for name, row in found.items()}})
        print(f"round {number + 1} of {rounds}  {time.time() - t0:6.1f} s", flush=True)


def table(d):
    """Prints the table; -> whether every bar holds"""
    rows, holds = d.get("paired", []), True
    print(f"\n## Two builds, each pair measured in one run; {os.cpu_count()} processors\n")
    print("| what | pairs | before | now | ratio | middle half | bar | |\n|---|---:|---:|---:|---:|---|---|---|")
    for what in dict.fromkeys(r["what"] for r in rows):
        pairs = [r for r in rows if r["what"] == what and r["before"] and r["now"]]
        ratios = sorted(r["now"] / r["before"] for r in pairs)
        ratio, quarter = runs.median(ratios), len(ratios) // 4
        verdict = "not measured" if ratio is None else "pass" if ratio <= BAR else "FAIL"
        holds &= verdict == "pass"
        if pairs:
            before, now = (statistics.median(r[name] for r in pairs) for name in ("before", "now"))
            print(f"| {what} | {len(pairs)} | {report.num(before)} {pairs[0]['unit']} | {report.num(now)} {pairs[0]['unit']} | {ratio:.3f}× | {ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f} | at most {BAR}× | {verdict} |")
    print(f"\n{'Every bar holds.' if holds and rows else 'Not every bar holds.'}")
    return holds and bool(rows)
