"""The run of the parts of radio and kept music, and their table."""
import os, random, time

import figures
import keeping
import report
import runs
from radiobench import away, buffer, past, sound

JOBS = {
    "sound0": lambda target: sound.first_sound(target, 0), "sound40": lambda target: sound.first_sound(target, 40),
    "back": past.back, "rooms": buffer.rooms, "writing": buffer.writing, "keeping": keeping.keeping, "away": away.away,
}


def run(target, rounds, only=None):
    d = runs.load()
    d["radio"] = []
    runs.save(d)
    for number in range(rounds):
        todo = [job for job in JOBS if not only or job in only]
        random.Random(time.time()).shuffle(todo)
        for job in todo:
            t0 = time.time()
            try:
                row = JOBS[job](target)
            except Exception as e:
                row = {"fatal": repr(e)[:200]}
            runs.add("radio", {"round": number, "job": job, **row})
            print(f"round {number + 1} of {rounds}  {job:8s} {time.time() - t0:6.1f} s  {row}", flush=True)


def bars(rows):
    """-> [(what, unit, ours, its reference, the reference's value, kind of bar, limit)]"""
    middle = lambda job, name: runs.median([r[name] for r in rows if r["job"] == job and "fatal" not in r])
    slow = [len(r["slow"]) for r in rows if r["job"] == "writing" and "fatal" not in r]
    return [
        ("play of a station 40 ms away → first PCM byte", "ms", middle("sound40", "ours"), "libmpv", middle("sound40", "reference"), "times", 1.1),
        ("play of a station 0 ms away → first PCM byte", "ms", middle("sound0", "ours"), "libmpv", middle("sound0", "reference"), "above", 8),
        ("back 10 minutes → first PCM byte of then", "ms", middle("back", "ms"), "–", None, "at most", 300),
        ("2 h of 128 kbit/s: disk", "MiB", middle("back", "disk"), "–", None, "at most", 115),
        ("2 h of 128 kbit/s: memory above an empty buffer", "MiB", middle("back", "memory"), "–", None, "at most", 4),
        (f"a station in {buffer.ROOMS} rooms: connections to it", "", middle("rooms", "connections"), "–", None, "at most", 1),
        (f"a station in {buffer.ROOMS} rooms: processor without the players, a second", "ms", middle("rooms", "four"), "one room", middle("rooms", "one"), "times", 1.2),
        ("writing the buffer: callbacks of the loop over 5 ms", "", max(slow, default=None), "–", None, "at most", 0),
        ("writing the buffer: slowest answer, a bound for any callback", "ms", middle("writing", "slowest"), "–", None, "at most", 5),
        ("writing the buffer: fsync a minute", "", middle("writing", "a_minute"), "–", None, "at most", 2),
        (f"{keeping.ALBUMS} albums are fetched: volume → answer, p99", "ms", middle("keeping", "busy"), "idle", middle("keeping", "idle"), "times", 1.2),
        ("server gone, copy kept: longest silence in the sound", "ms", middle("away", "gap"), "–", None, "at most", 1),
    ]


def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("radio", [])
    rounds = len({r["round"] for r in rows})
    print(f"\n## Radio and kept music: {rounds} round{'s' if rounds != 1 else ''}, medians; {os.cpu_count()} processors, load {report.num(os.getloadavg()[0])}\n")
    holds = figures.print_bars(bars(rows))
    faults = {}
    for r in rows:
        fault = r.get("fatal") or r.get("torn")
        if fault:
            faults.setdefault(r["job"], []).append(fault)
    slow = [line for r in rows for line in r.get("slow", [])]
    if slow:
        print(f"\nCallbacks over 5 ms: {'; '.join(slow)}.")
    if faults:
        print(f"\nWhat failed: {faults}.")
    print(f"\n{'Every bar holds.' if holds and not faults else 'Not every bar holds.'}" + ("" if rounds >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds and not faults
