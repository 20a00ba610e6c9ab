"""The figures the hub is held to, as one table: ours, the reference of the same run, ratio, bar, verdict.

A run is a number of rounds; in each the jobs below are done once, in a new order, so that whatever
else the machine does falls on all alike. A cell is the median over rounds of each round's own figure."""
from concurrent.futures import ThreadPoolExecutor
import os, random, time

import report
import runs

FLOOR, MPD, SNAPCAST = "floor-lws", "mpd", ("snapcast-tcp", "snapcast-ws")
KINDS = {"volume": "volume", "toggle": "pause/resume"}
# How many commands of each kind at which number of watchers, by target: enough that a round's median (at
# 1,000 its p95) is the server's and not chance's. More would mostly be more of the pause between two.
FULL = {0: 100, 100: 120, 1000: 300, 10000: 20}
COUNTS = {MPD: {0: 100, 100: 120}, **{s: {1000: 60, 10000: 10} for s in SNAPCAST}}
COLD_STARTS = 3


# ---------------------------------------------------------------- the run
def jobs(ours, targets, secs, levels):
    """-> [(name, target, function)]"""
    out = []
    for name in [ours, FLOOR, MPD, *SNAPCAST]:
        counts = {n: c for n, c in COUNTS.get(name, FULL).items() if n in levels}
        if name in targets and counts and ("fan", name) not in [(j, n) for j, n, _ in out]:
            out.append(("fan", name, fan(listening(targets[name]) if name in SNAPCAST else targets[name], counts, name in (ours, FLOOR))))
    for name in (ours, MPD):
        if name in targets:
            out.append(("cold", name, lambda t=targets[name]: {"starts": [runs.cold_start(t) for _ in range(COLD_STARTS)]}))
    plays = "audio" in targets[ours].get("mode_vars", {})
    out.append(("rest", ours, lambda: at_rest(targets[ours], secs, plays)))
    if plays:
        out.append(("sound", ours, lambda: first_sound(targets[ours])))
        out.append(("sound", "libmpv", lambda: runs.libmpv(True)))
    return out


def first_sound(target):
    """libmpv's own start is not in its figure, so the hub is let up for a second; at once is told beside it."""
    at_once = runs.first_audio(target)
    return {**runs.first_audio(target, up_secs=1), "at_once_ms": at_once.get("play_to_audio_ms")}


def listening(target):
    """Snapcast tells everyone who is connected. The whole state, which a newcomer may ask for, costs it
    seven times the connection itself and is no part of what is timed here."""
    return {**target, "watcher_init": []}


def at_rest(target, secs, plays):
    """No watcher, a hundred watchers, and libmpv alone, side by side: how often a thread at rest
    wakes by itself does not depend on who else rests, and half a minute is waited for once."""
    with ThreadPoolExecutor() as pool:
        resting = [pool.submit(runs.rest, target, "paused", secs, (n,)) for n in (0, 100)]
        alone = pool.submit(runs.libmpv, False) if plays else None
        return {"rows": [row for r in resting for row in r.result()["rows"]], "libmpv": alone.result() if alone else {}}


def fan(target, counts, asks):
    def run():
        phases = runs.watchers(target, counts, 25000, 60)
        if asks and "ask" in target:
            most = max(counts)
            phases.append(f"ask volume {20 if most >= 10000 else 60} 25000 2000 60")
        return runs.series(target, phases)
    return run


def run(ours, targets, rounds, secs, levels):
    runs.make()
    d = runs.load()
    d["figures"] = []
    runs.save(d)
    missing = [n for n in (FLOOR, MPD, *SNAPCAST) if n not in targets]
    if missing:
        print("not compared with: " + ", ".join(missing))
    for rnd in range(rounds):
        todo = jobs(ours, targets, secs, levels)
        random.Random(time.time()).shuffle(todo)
        for job, name, do in todo:
            t0 = time.time()
            row = do()
            runs.add("figures", {"round": rnd, "job": job, "target": name, **row})
            wrong = [r["fatal"] for r in [row, *row.get("rows", []), *row.get("starts", [])] if "fatal" in r]
            print(f"round {rnd + 1} of {rounds}  {job:6s} {name:14s} {time.time() - t0:6.1f} s  {'; '.join(wrong)}", flush=True)


# ---------------------------------------------------------------- the table
class Found:
    """What one run found, asked for by job, target and size."""
    def __init__(self, rows, ours):
        self.rows, self.ours = rows, ours

    def of(self, job, target):
        return [r for r in self.rows if r["job"] == job and r["target"] == target]

    def phases(self, target, phase, **where):
        return [[x for x in r["rows"] if x.get("phase") == phase and all(x.get(k) == v for k, v in where.items())] for r in self.of("fan", target)]

    def commands(self, target, kind, n, column, p):
        """ms"""
        v = [x[0][column][p] for x in self.phases(target, "cmds", kind=kind, n=n) if x and x[0]["count"] and x[0][column]["n"]]
        return ms(runs.median(v))

    def cpu(self, target, kind):
        """CPU seconds per 1,000 commands"""
        return runs.median([sum(s["cpu_us"] for s in x[0]["srv"].values()) / x[0]["count"] / 1e3 for x in self.phases(target, "cmds", kind=kind, n=100) if x and x[0]["count"]])

    def memory(self, target, n):
        """KiB a connection"""
        out = []
        for empty, full in zip(self.phases(target, "hold"), self.phases(target, "grow", n=n, live=n)):
            if empty and full:
                out.append((full[0]["srv"]["server"]["own_kib"] - empty[0]["srv"]["server"]["own_kib"]) / n)
        return runs.median(out)

    def answer(self, target, n, column="answer_us", p="p99"):
        return ms(runs.median([x[0][column][p] for x in self.phases(target, "ask", n=n) if x and x[0][column]["n"]]))

    def cold(self, target):
        return runs.median([s.get("ready_ms") for r in self.of("cold", target) for s in r["starts"]])

    def sound(self, target):
        return runs.median([r.get("load_to_pcm_ms" if target == "libmpv" else "play_to_audio_ms") for r in self.of("sound", target)])

    def wakeups(self, n):
        """-> (what the hub causes itself, its own threads, mpv's threads), a second.

        mpv's threads are known by their names. Of their wakeups the hub causes those that libmpv has not when it is alone."""
        alone = self.mpv_alone() or 0
        own, mpv = [], []
        for r in self.of("rest", self.ours):
            for x in r["rows"]:
                if x.get("n") == n and "threads" in x:
                    of_mpv = sum(t["wakeups"] for t in x["threads"] if t["name"].startswith(("mpv/", "av:")))
                    own.append((sum(t["wakeups"] for t in x["threads"]) - of_mpv) / x["wall_ms"] * 1e3)
                    mpv.append(of_mpv / x["wall_ms"] * 1e3)
        if not own:
            return None, None, None
        a, b = runs.median(own), runs.median(mpv)
        return a + max(0, b - alone), a, b

    def mpv_alone(self):
        return runs.median([r["libmpv"].get("paused_wakeups_s") for r in self.of("rest", self.ours)])

    def lost(self, target):
        out = {}
        for r in self.of("fan", target):
            for x in r["rows"]:
                for k in ("missing_acks", "missing_events", "error_acks", "closed"):
                    if x.get(k):
                        out[k] = out.get(k, 0) + x[k]
                if x.get("phase") == "grow" and x["live"] < x["n"]:
                    out["not connected"] = out.get("not connected", 0) + x["n"] - x["live"]
                if "fatal" in x:
                    out[x["fatal"]] = out.get(x["fatal"], 0) + 1
        return out


def ms(us):
    return None if us is None else us / 1000


# The kinds of bar: how ours and the reference make the number that is judged, and how it reads.
BARS = {
    "times": (lambda a, b: a / b, lambda x: f"at most {x:g}×"),
    "below": (lambda a, b: a / b, lambda x: "below it" if x == 1 else f"below {x:g}×"),
    "above": (lambda a, b: a - b, lambda x: f"at most {x:g} ms above"),
    "at most": (lambda a, b: a, lambda x: f"at most {x:g}"),
}


def bars(f):
    """-> [(what, unit, ours, reference, its value, kind of bar, limit)]"""
    us, out = f.ours, []
    row = lambda *r: out.append(r)
    for kind, name in KINDS.items():
        for n, limit in ((0, 2), (100, 1.5)):
            row(f"{name} → answer, {n} watchers, p50", "ms", f.commands(us, kind, n, "ack_us", "p50"), FLOOR, f.commands(FLOOR, kind, n, "ack_us", "p50"), "times", limit)
    for n in (0, 100):
        row(f"pause/resume → answer, {n} watchers, p50", "ms", f.commands(us, "toggle", n, "ack_us", "p50"), MPD, f.commands(MPD, "toggle", n, "ack_us", "p50"), "below", 1)
    for kind, name in KINDS.items():
        row(f"{name} → answer, 1,000 watchers, p95", "ms", f.commands(us, kind, 1000, "ack_us", "p95"), FLOOR, f.commands(FLOOR, kind, 1000, "ack_us", "p95"), "above", .3)
    for kind, name in KINDS.items():
        for n, limit in ((100, 1.25), (1000, 1.25), (10000, 1.3)):
            row(f"{name} → last of {n:,}, p50", "ms", f.commands(us, kind, n, "last_us", "p50"), FLOOR, f.commands(FLOOR, kind, n, "last_us", "p50"), "times", limit)
    for kind, name in KINDS.items():
        for n in (1000, 10000):
            for s in SNAPCAST:
                row(f"{name} → last of {n:,}, p50", "ms", f.commands(us, kind, n, "last_us", "p50"), s, f.commands(s, kind, n, "last_us", "p50"), "below", 1)
    row("another's command while 10,000 are told → answer, p99", "ms", f.answer(us, 10000), FLOOR, f.answer(FLOOR, 10000), "at most", 5)
    for kind, name in KINDS.items():
        row(f"CPU s per 1,000 {name}, 100 watchers", "s", f.cpu(us, kind), FLOOR, f.cpu(FLOOR, kind), "times", 1.8)
        row(f"CPU s per 1,000 {name}, 100 watchers", "s", f.cpu(us, kind), MPD, f.cpu(MPD, kind), "below", .5)
    for n in (1000, 10000):
        row(f"memory per idle connection, of {n:,}", "KiB", f.memory(us, n), FLOOR, f.memory(FLOOR, n), "at most", 8)
    for n in (0, 100):
        row(f"paused, {n} watchers: wakeups a second the hub causes", "", f.wakeups(n)[0], "libmpv", f.mpv_alone(), "at most", 1)
    row("cold start → first answer", "ms", f.cold(us), MPD, f.cold(MPD), "times", 1)
    row("play → first PCM byte", "ms", f.sound(us), "libmpv", f.sound("libmpv"), "times", 1.25)
    return out


def judge(ours, reference, kind, limit):
    """-> (the number that is judged, verdict)"""
    if ours is None or (reference is None and kind != "at most"):
        return None, "not measured"
    value = BARS[kind][0](ours, reference)
    return value, "pass" if (value < limit if kind == "below" else value <= limit) else "FAIL"


def print_bars(rows):
    """-> whether every bar holds"""
    print("| what | ours | reference | its value | ratio or difference | bar | |\n|---|---:|---|---:|---:|---|---|")
    holds = True
    for what, unit, mine, name, theirs, kind, limit in rows:
        value, verdict = judge(mine, theirs, kind, limit)
        holds &= verdict == "pass"
        shown = mine / theirs if kind == "at most" and mine is not None and theirs else value
        mark = "" if shown is None or (kind == "at most" and not theirs) else report.num(shown) + (" ms" if kind == "above" else "×")
        print(f"| {what} | {report.num(mine)} {unit} | {name} | {report.num(theirs)} {unit if theirs is not None else ''} | {mark or '–'} | {BARS[kind][1](limit)} | {verdict} |")
    return holds


def table(d, ours):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("figures", [])
    f = Found(rows, ours)
    rounds = len({r["round"] for r in rows})
    busy = runs.median([r.get("machine_busy") for r in rows])
    loads = [r["load1"] for r in rows if "load1" in r]
    print(f"\n## Figures of `{ours}`: {rounds} round{'s' if rounds != 1 else ''}, medians\n")
    if loads:
        print(f"{os.cpu_count()} processors, busy {report.num(100 * (busy or 0))} % while measuring, one-minute load {report.num(min(loads))} to {report.num(max(loads))}.\n")
    holds = print_bars(bars(f))
    lost = {n: f.lost(n) for n in dict.fromkeys(r["target"] for r in rows)}
    lost = {n: x for n, x in lost.items() if x}
    holds &= ours not in lost
    print(f"\nLost answers, events or connections: {lost or 'none'}.")
    for n in (0, 100):
        _, own, mpv = f.wakeups(n)
        if own is not None:
            print(f"Wakeups a second, paused, {n} watchers: the hub's own threads {report.num(own)}, mpv's {report.num(mpv)} (libmpv alone {report.num(f.mpv_alone())}).")
    at_once, worst = f.answer(ours, 10000, "at_once_us"), f.answer(ours, 10000, p="max")
    if at_once is not None:
        print(f"The question sent right behind the change: p99 {report.num(at_once)} ms; the slowest of all {report.num(worst)} ms.")
    init = runs.median([r.get("init_ms") for r in f.of("sound", "libmpv")])
    if init is not None:
        print(f"libmpv's own create and initialize, not in its figure above: {report.num(init)} ms.")
    first = runs.median([r.get("at_once_ms") for r in f.of("sound", ours)])
    if first is not None:
        print(f"play in the instant of a new hub's first answer, libmpv's own start included: {report.num(first)} ms.")
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}" + ("" if rounds >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds
