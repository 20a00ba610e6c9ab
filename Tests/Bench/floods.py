"""What another client notices of a flood, as one table: the time from its command to its answer while one
client sends without end, beside the same hub at rest in the same run.

Each kind of flood is measured between two windows at rest. Rounds, medians and verdicts are those of
figures.py."""
import json, os, random, re, subprocess, time

import figures
import runs
import targets as T

# What is sent -> how the table calls it.
KINDS = {"ping": "pings", "pong": "pongs", "cancel": "cancel", "binary": "binary frames", "pieces": "empty pieces of a message",
         "command": "commands", "long": "a message that is too long", "body": "a body that was refused", "keys": "wrong keys by TLS"}
BAR = 1.2
WINDOW, GAP_US = 400, 25_000


def measured(target):
    """The hub as it is shipped, but for a rate at which a window has enough samples. Frames follow: 120 a second."""
    files = {name: re.sub(r"command_(rate|burst) = \d+", r"command_\1 = 60", text) for name, text in target["files"].items()}
    return {**target, "files": files}


class Flood:
    """One client that floods while this is entered."""
    def __init__(self, server, kind):
        port = server.port2 if kind == "keys" else server.port
        self.process = subprocess.Popen([os.path.join(T.BUILD, "flood"), "127.0.0.1", str(port), kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.found = {}

    def __enter__(self):
        self.process.stdout.readline()
        self.began = time.monotonic()
        # The first burst belongs to the flood, and so does what comes after it.
        time.sleep(.5)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        line = self.process.stdout.readline()
        self.process.wait(20)
        if not line:
            raise RuntimeError(f"the flood ended with {self.process.returncode}")
        self.found = {**json.loads(line), "secs": round(time.monotonic() - self.began, 1)}


def window(server, count):
    row = next(r for r in server.fan([f"cmds volume {count} {GAP_US} 60"]) if r.get("phase") == "cmds" or "fatal" in r)
    return runs.shrink(row)


def once(target, count):
    """One hub; -> a row for each kind, with the windows at rest before and after it."""
    track, pcm = runs.media()
    rows = []
    with T.Server(measured(target), track=track, raw_pcm=pcm) as s:
        s.prepare()
        window(s, 40)
        before = window(s, count)
        for kind in random.sample(list(KINDS), len(KINDS)):
            with Flood(s, kind) as flood:
                during = window(s, count)
            # What the last flood left is cut by now.
            time.sleep(2.5)
            after = window(s, count)
            rows.append({"kind": kind, "before": before, "during": during, "after": after, "flood": flood.found})
            before = after
    return rows


def run(ours, targets, rounds, quick=False):
    runs.make()
    d = runs.load()
    d["floods"] = []
    runs.save(d)
    for rnd in range(rounds):
        t0, b0 = time.time(), runs.cpu_busy()
        rows = once(targets[ours], WINDOW // 2 if quick else WINDOW)
        b1 = runs.cpu_busy()
        busy = round((b1[0] - b0[0]) / max(1, b1[1] - b0[1]), 3)
        for row in rows:
            runs.add("floods", {"round": rnd, "machine_busy": busy, **row})
        print(f"round {rnd + 1} of {rounds}  {time.time() - t0:6.1f} s", flush=True)


# ---------------------------------------------------------------- the table
def p99(row):
    return row["ack_us"]["p99"] / 1e3 if row.get("ack_us", {}).get("n") else None


def at_rest(row):
    found = [x for x in (p99(row["before"]), p99(row["after"])) if x is not None]
    return sum(found) / len(found) if found else None


def cpu(row):
    """Percent of one processor that the hub has used"""
    return 100 * sum(s["cpu_us"] for s in row["srv"].values()) / (row["wall_ms"] * 1e3) if row.get("srv") and row.get("wall_ms") else None


def lost(rows):
    keys = ("missing_acks", "error_acks", "closed", "fatal")
    return [f"{r['kind']}: {k} {r['during'][k]}" for r in rows for k in keys if r["during"].get(k)]


def table(d, ours):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("floods", [])
    of = {kind: [r for r in rows if r["kind"] == kind] for kind in KINDS}
    rounds = len({r["round"] for r in rows})
    busy = runs.median([r.get("machine_busy") for r in rows])
    print(f"\n## What another client of `{ours}` notices of a flood: {rounds} round{'s' if rounds != 1 else ''}, medians; {os.cpu_count()} processors, busy {100 * (busy or 0):.0f} %\n")
    bars = [(f"volume → answer during {name}, p99", "ms", runs.median([p99(r["during"]) for r in of[kind]]), "at rest", runs.median([at_rest(r) for r in of[kind]]), "times", BAR)
            for kind, name in KINDS.items()]
    holds = figures.print_bars(bars)
    print("\n| flood | came | left it | closed with | the hub's processor | at rest |\n| --- | --- | --- | --- | --- | --- |")
    percent = lambda found: "–" if found is None else f"{found:.1f} %"
    for kind, name in KINDS.items():
        if not of[kind]:
            continue
        codes = {}
        for r in of[kind]:
            for code, n in r["flood"].get("codes", {}).items():
                codes[code] = codes.get(code, 0) + n
        total = lambda key: sum(r["flood"].get(key, 0) for r in of[kind])
        print(f"| {name} | {total('came') / max(.1, total('secs')):.1f} a second | {total('bytes') / max(.1, total('secs')) / 1024:.0f} KiB a second | "
              f"{', '.join(f'{c}: {n}' for c, n in sorted(codes.items())) or '–'} | {percent(runs.median([cpu(r['during']) for r in of[kind]]))} | {percent(runs.median([cpu(r['before']) for r in of[kind]]))} |")
    wrong = lost(rows)
    print(f"\nAnswers that were lost during a flood: {'; '.join(wrong) or 'none'}.")
    holds = holds and not wrong
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}" + ("" if rounds >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds
