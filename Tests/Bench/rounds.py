"""The rounds of a bench that consists of jobs, and the beginning and end of its table: of `page`, `radio` and `servers`."""
import os, random, time

import figures
import report
import runs


def run(name, jobs, rounds, only=None):
    """Measures each of `jobs`, by name a function without parameters, once a round and in another order each time; what was found is kept
    in the results under `name`. A job that fails is noted, and the others go on."""
    d = runs.load()
    d[name] = []
    runs.save(d)
    for number in range(rounds):
        todo = [job for job in jobs if not only or job in only]
        random.Random(time.time()).shuffle(todo)
        for job in todo:
            t0 = time.time()
            try:
                row = jobs[job]()
            except Exception as e:
                row = {"fatal": repr(e)[:300]}
            runs.add(name, {"round": number, "job": job, **row})
            print(f"round {number + 1} of {rounds}  {job:9s} {time.time() - t0:6.1f} s  {row}", flush=True)


def middles(rows):
    """-> what gives the median of a figure of a job, over the rounds in which it did not fail"""
    return lambda job, name: runs.median([r[name] for r in whole(rows, job)])


def whole(rows, job):
    return [r for r in rows if r["job"] == job and "fatal" not in r]


def table(name, title, bars, d, notes=lambda rows: []):
    """Prints the table and `notes` below it; -> whether every bar holds and nothing failed"""
    rows = d.get(name, [])
    rounds = len({r["round"] for r in rows})
    print(f"\n## {title}: {rounds} round{'s' if rounds != 1 else ''}, medians; {os.cpu_count()} processors, load {report.num(os.getloadavg()[0])}\n")
    holds = figures.print_bars(bars(rows))
    for note in notes(rows):
        print(f"\n{note}")
    faults = {}
    for r in rows:
        if fault := r.get("fatal") or r.get("torn"):
            faults.setdefault(r["job"], []).append(fault)
    if faults:
        print(f"\nWhat failed: {faults}.")
    print(f"\n{'Every bar holds.' if holds and not faults else 'Not every bar holds.'}" + ("" if rounds >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds and not faults
