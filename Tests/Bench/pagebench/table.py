"""The run of the page's parts, and their table."""
import os, random, time

import figures
import report
import runs
from pagebench import browsing, drawing, paints

JOBS = {
    "cold": paints.cold, "warm": paints.warm, "bytes": paints.first_load, "unused": paints.unused, "moves": paints.moves,
    "grid": browsing.browsing, "phone": lambda: drawing.drawing("phone"), "desktop": lambda: drawing.drawing("desktop"),
}


def run(rounds, only=None):
    d = runs.load()
    d["page"] = []
    runs.save(d)
    for number in range(rounds):
        todo = [job for job in JOBS if not only or job in only]
        random.Random(time.time()).shuffle(todo)
        for job in todo:
            t0 = time.time()
            try:
                row = JOBS[job]()
            except Exception as e:
                row = {"fatal": repr(e)[:300]}
            runs.add("page", {"round": number, "job": job, **row})
            print(f"round {number + 1} of {rounds}  {job:8s} {time.time() - t0:6.1f} s  {row}", flush=True)


def bars(rows):
    """-> [(what, unit, ours, its reference, the reference's value, kind of bar, limit)]"""
    middle = lambda job, name: runs.median([r[name] for r in rows if r["job"] == job and "fatal" not in r])
    row = lambda what, unit, value, limit: (what, unit, value, "–", None, "at most", limit)
    return [
        row("first paint, cold, slowed", "ms", middle("cold", "paint"), 350),
        row("live after the first paint, cold, slowed", "ms", middle("cold", "after"), 150),
        row("first paint, warm, slowed", "ms", middle("warm", "paint"), 100),
        row("first paint, warm, TLS behind a warning, not slowed", "ms", middle("warm", "tls"), 100),
        # Two refreshes of the screen, and one.
        row(f"a frame of the grid of {browsing.ALBUMS:,}, p95, slowed", "ms", middle("grid", "frame slowed"), 33.4),
        row(f"a frame of the grid of {browsing.ALBUMS:,}, p95, not slowed", "ms", middle("grid", "frame unslowed"), 16.7),
        row("tap on a shelf to its first cover, slowed", "ms", middle("grid", "tap slowed"), 120),
        row("letter to results, slowed", "ms", middle("grid", "letter slowed"), 100),
        *(row(f"drawing, {shape}, {theme} above plain", "% of a core", middle(shape, theme), 2)
          for shape in ("phone", "desktop") for theme in drawing.THEMES[1:]),
        row("layout shift of a load, slowed", "", middle("moves", "load"), .02),
        row("layout shift of a place, slowed", "", middle("moves", "places"), .02),
        row("scripts and styles of a first load that are not used", "%", middle("unused", "percent"), 25),
        row("text of a first load, with its heads", "KB", middle("bytes", "text"), 90),
    ]


def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("page", [])
    rounds = len({r["round"] for r in rows})
    print(f"\n## The page in Chromium: {rounds} round{'s' if rounds != 1 else ''}, medians; {os.cpu_count()} processors, load {report.num(os.getloadavg()[0])}\n")
    holds = figures.print_bars(bars(rows))
    new = runs.median([r["new"] for r in rows if r["job"] == "warm" and "fatal" not in r])
    if new:
        print(f"\nFirst paint, warm, slowed, in a process that begins with the visit: {report.num(new)} ms.")
    worst = next((r["worst"] for r in rows if r["job"] == "unused" and "fatal" not in r), None)
    if worst:
        walk = runs.median([r["walk"] for r in rows if r["job"] == "unused" and "fatal" not in r])
        print(f"\nNot used of all that was loaded, when each place was shown: {report.num(walk)} %.")
        print("\nBytes that were not used: " + ", ".join(f"{name} {unused:,} of {whole:,}" for name, (unused, whole) in worst.items()) + ".")
    fatal = {r["job"]: r["fatal"] for r in rows if "fatal" in r}
    if fatal:
        print(f"\nWhat failed: {fatal}.")
    print(f"\n{'Every bar holds.' if holds and not fatal else 'Not every bar holds.'}" + ("" if rounds >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds and not fatal
