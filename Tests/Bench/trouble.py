"""What trouble costs, as one table: keys and their journal, many clients that come back at once, readers that
stop, a minute's absence, a day of commands, each against its bar.

Rounds, medians and verdicts are those of figures.py."""
import json, os, random, statistics, time

import figures
import runs
import targets as T

STORM, STALLED, OTHERS = 1000, 200, 100
ABSENCE_S, DAY, SKIPS = 60, 86_400, 300
NEEDS = ("next", "flood", "watch_events")


# ---------------------------------------------------------------- measuring
def fill(server, count):
    """Makes the queue long: `count` entries of the one track there is."""
    c = server.chan()
    for batch in range(0, count, 100):
        uris = [server.track] * min(100, count - batch)
        c.send(json.dumps({"t": "cmd", "id": 100 + batch, "m": "queue.add", "k": f"fill-{batch}", "p": {"uris": uris}}))
        c.wait(f'"id":{100 + batch},"ok":1')
    c.close()


def with_hub(target, body, before=lambda s: None):
    """`body` of a server that plays; what goes wrong is a row too."""
    track, pcm = runs.media()
    try:
        with T.Server(target, track=track, raw_pcm=pcm) as s:
            s.prepare()
            before(s)
            return {"rows": [runs.shrink(r) for r in body(s)]}
    except Exception as e:
        return {"rows": [{"fatal": repr(e)[:200]}]}


def keyed(target):
    """next with a key: the change, its key and its answer are in the journal before the answer leaves.

    First so many that the journal's log has come round once, as it has in any hub that is in use; then enough that
    the slowest one in a hundred is more than one."""
    target = {**target, "kinds": {"next": target["next"]}}
    return with_hub(target, lambda s: s.fan(["cmds next 500 1000 60", "sleep 1500", f"cmds next {SKIPS} 100000 60"]), lambda s: fill(s, 500 + SKIPS))


def storm(target):
    return with_hub(target, lambda s: s.fan([f"grow {STORM} 64 60"] + [f"storm {STORM} 30", "sleep 500"] * 3))


def watch(target):
    """Ten watches are told, slowly enough that each change is one message."""
    events = target["watch_events"]
    kinds = {k: [{**v, "event": e} for v, e in zip(vs, events[k])] for k, vs in target["kinds"].items()}
    init = [(w, t.replace('"view":"full"', '"view":"watch"')) for w, t in target["watcher_init"]]
    target = {**target, "kinds": kinds, "watcher_init": init}
    return with_hub(target, lambda s: s.fan(["grow 10", "sleep 500"] + [f"cmds {kind} 10 300000 30" for kind in kinds]))


def stalled(target):
    """Others are told before and after two hundred of three hundred readers stop."""
    target = {**target, "narrow": STALLED}
    phases = [f"grow {STALLED + OTHERS} 64 60", "cmds volume 100 25000 30", f"stall {STALLED} 6", "cmds volume 160 25000 30", f"gone {STALLED} 14"]
    return with_hub(target, lambda s: s.fan(phases), lambda s: fill(s, 100))


def hello(view, resume=None):
    message = {"t": "hello", "core": "1.0", "view": view, "client": {"id": f"away-{view}", "run": "r1"}}
    return json.dumps({**message, **({"resume": resume} if resume else {})})


class Absence:
    """Remotes of every view that leave, and come back a minute later to what three commands changed."""
    def __init__(self, target):
        track, pcm = runs.media()
        self.server = T.Server(target, track=track, raw_pcm=pcm)
        self.server.__enter__()
        self.server.prepare()
        fill(self.server, 5)
        # Until all that is found out at the start is known: three things change, and no fourth.
        time.sleep(3)
        self.left = time.monotonic()
        self.resume = {view: self.leave(view) for view in ("watch", "remote", "full")}
        self.change(("pause", {}), ("vol.set", {"level": 12}), ("mode.set", {"repeat": True}))

    def change(self, *commands):
        c = self.server.chan()
        for number, (m, p) in enumerate(commands, 7):
            c.send(json.dumps({"t": "cmd", "id": number, "m": m, "k": "away-" + m.replace(".", "-"), "p": p}))
            c.wait(f'"id":{number},"ok":1')
        c.close()

    def leave(self, view):
        c = self.server.chan(init=False)
        c.send(hello(view))
        welcome, state = json.loads(c.recv()), json.loads(c.recv())
        c.close()
        return {"epoch": welcome["epoch"], "rev": state["rev"], "rooms": [state["room"]], "sections": list(state["s"])}

    def come_back(self):
        time.sleep(max(0, self.left + ABSENCE_S - time.monotonic()))
        absent, found = time.monotonic() - self.left, self.sizes()
        self.change(("next", {}))
        return {"absent_s": round(absent, 1), "bytes": found, "bytes_after_skip": self.sizes()}

    def sizes(self):
        found = {}
        for view, resume in self.resume.items():
            c = self.server.chan(init=False)
            c.send(hello(view, resume))
            c.wait('"t":"welcome"')
            state = c.wait('"t":"state"')
            found[view] = len(state.encode()) if '"full":1' not in state else 10**6
            c.close()
        return found

    def close(self):
        self.server.__exit__()


def day(target):
    """A day at a command a second, as fast as it goes; then the hub is killed and started again."""
    track, pcm = runs.media()
    with T.Server(target, track=track, raw_pcm=pcm) as s:
        s.wait_ready()
        c, largest, base, began = s.chan(), 0, 0, time.monotonic()
        size = lambda: sum(os.path.getsize(os.path.join(s.dir, "data", f)) for f in os.listdir(os.path.join(s.dir, "data")))
        for number in range(1000, 1000 + DAY):
            k = f"day-{number}"
            m, p = [("queue.add", {"uris": [track]}), ("next", {}), ("queue.add", {"uris": [track], "at": "next"}),
                    ("mode.set", {"repeat": number % 8 < 4})][number % 4]
            if number % 1000 == 0 and base:
                m, p = "queue.clear", {"base": base}
            c.send(json.dumps({"t": "cmd", "id": number, "m": m, "k": k, "p": p}))
            answer = c.wait(f'"id":{number},"ok":1')
            if '"queue":{' in answer:
                base = json.loads(answer)["queue"]["rev"]
            if number % 250 == 0:
                # As often as four minutes pass in a real day, the disk gets the moment that it has all day.
                time.sleep(.04)
                largest = max(largest, size())
        c.close()
        took = time.monotonic() - began
        s.procs[0][1].kill()
        s.procs[0][1].wait()
        starts = []
        for _ in range(3):
            s.procs.clear()
            s.t0 = time.monotonic()
            s.spawn("server", s.cfg["argv"]["server"])
            starts.append(s.wait_ready() * 1e3)
            s.procs[0][1].kill()
            s.procs[0][1].wait()
        return {"commands": DAY, "took_s": round(took, 1), "largest_mib": max(largest, size()) / 2**20, "start_ms": starts}


# ---------------------------------------------------------------- the run
def run(ours, targets, rounds, with_day=True):
    lacking = [n for n in NEEDS if n not in targets[ours]]
    if lacking:
        raise SystemExit(f"The target {ours} does not say {', '.join(lacking)}.")
    runs.make()
    d = runs.load()
    d["trouble"] = []
    runs.save(d)
    away = Absence(targets[ours])
    try:
        for rnd in range(rounds):
            todo = [("next", ours, keyed), ("storm", ours, storm), ("watch", ours, watch), ("stalled", ours, stalled)]
            if figures.FLOOR in targets:
                todo.append(("storm", figures.FLOOR, storm))
            random.Random(time.time()).shuffle(todo)
            for job, name, do in todo:
                note(rnd, rounds, job, name, lambda: do(targets[name]))
        if with_day:
            note(rounds - 1, rounds, "day", ours, lambda: day(targets[ours]))
        note(rounds - 1, rounds, "absence", ours, away.come_back)
    finally:
        away.close()


def note(rnd, rounds, job, name, do):
    t0 = time.time()
    row = do()
    runs.add("trouble", {"round": rnd, "job": job, "target": name, **row})
    wrong = [r["fatal"] for r in row.get("rows", []) if "fatal" in r]
    print(f"round {rnd + 1} of {rounds}  {job:8s} {name:10s} {time.time() - t0:6.1f} s  {'; '.join(wrong)}", flush=True)


# ---------------------------------------------------------------- the table
def bars(rows, ours):
    def each(job, name, phase, value, **where):
        """One value a round."""
        found = []
        for r in rows:
            if r["job"] == job and r["target"] == name:
                v = [value(x) for x in r["rows"] if x.get("phase") == phase and all(x.get(k) == w for k, w in where.items())]
                if v:
                    found.append(statistics.median(v))
        return runs.median(found)

    def once(job, value):
        return next((value(r) for r in rows if r["job"] == job and r["target"] == ours), None)

    def told(column, n):
        """-> the median wait while so many watchers are being told, in ms"""
        return each("stalled", ours, "cmds", lambda x: x[column]["p50"] / 1e3, live=n)

    wire = lambda x: x["rx_per_change"] + x["tx_per_change"] + 52 * x["segs_per_change"]
    out = [("next with key → answer, p50", "ms", each("next", ours, "cmds", lambda x: x["ack_us"]["p50"] / 1e3, count=SKIPS), "", None, "at most", .25),
           ("next with key → answer, p99", "ms", each("next", ours, "cmds", lambda x: x["ack_us"]["p99"] / 1e3, count=SKIPS), "", None, "at most", 1)]
    fresh = lambda x: x["all_ms"] if x["fresh"] == x["n"] else float("inf")
    out.append((f"{STORM:,} reconnect at once → all fresh", "ms", each("storm", ours, "storm", fresh), figures.FLOOR, each("storm", figures.FLOOR, "storm", fresh), "times", 3))
    for kind, name, limit in (("toggle", "pause", 200), ("volume", "volume", 180)):
        out.append((f"watch, {name}: bytes a change with headers", "B", each("watch", ours, "cmds", wire, kind=kind), "", None, "at most", limit))
    for column, name in (("ack_us", "answer"), ("last_us", f"last of {OTHERS}")):
        out.append((f"{STALLED} stop reading: volume → {name}, p50", "ms", told(column, OTHERS), "before", told(column, STALLED + OTHERS), "times", 1.2))
    out.append((f"{STALLED} stop reading: all of them ended after", "s", each("stalled", ours, "gone", lambda x: x["max_ms"] / 1e3 if x["ended"] == x["n"] else float("inf")), "", None, "at most", 12.5))
    grown = lambda r: max((x["srv"]["server"]["own_kib"] for x in r["rows"] if "srv" in x), default=0) - min((x["srv"]["server"]["own_kib"] for x in r["rows"] if x.get("phase") == "grow"), default=0)
    kept = [grown(r) / STALLED for r in rows if r["job"] == "stalled" and any(x.get("phase") == "gone" for x in r["rows"])]
    out.append((f"{STALLED} stop reading: memory each", "KiB", runs.median(kept), "", None, "at most", 160))
    out.append((f"resume after {ABSENCE_S} s and three changes, any view", "B", once("absence", lambda r: max(r["bytes"].values())), "", None, "at most", 600))
    out.append((f"{DAY:,} commands: journal at the most", "MiB", once("day", lambda r: r["largest_mib"]), "", None, "at most", 20))
    out.append((f"{DAY:,} commands, killed: start → first answer", "ms", once("day", lambda r: statistics.median(r["start_ms"])), "", None, "at most", 100))
    return out


def table(d, ours):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("trouble", [])
    rounds = len({r["round"] for r in rows})
    print(f"\n## What trouble costs `{ours}`: {rounds} round{'s' if rounds != 1 else ''}, medians\n")
    holds = figures.print_bars(bars(rows, ours))
    for r in rows:
        if r["job"] == "absence":
            print(f"\nAfter {r['absent_s']} s: {r['bytes']} bytes, and with another track as well {r['bytes_after_skip']}.")
    took = [r["took_s"] for r in rows if r["job"] == "day"]
    if took:
        print(f"\nThe day's {DAY:,} commands, one after the other, took {took[0]} s.")
    wrong = [x["fatal"] for r in rows for x in r.get("rows", []) if "fatal" in x]
    print(f"\n{'Every bar holds.' if holds and not wrong else 'Not every bar holds.'} {'; '.join(wrong)}" + ("" if rounds >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds and not wrong
