"""What commands notice while tracks are fetched to be kept: a hundred albums of a server whose files come from nginx.

The reference is the same hub before, in the same round. A cell is the median of the rounds."""
import os, statistics, tempfile, time

import figures
import library
import memory
import report
import runs
import servers
import upstreams

ALBUMS, TRACKS, COMMANDS = 100, 10, 400


def keeping(target):
    """p99 of `volume` before anything is kept and while a hundred albums are fetched; what a fetched track costs."""
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        os.chmod(folder, 0o755)
        track = f"{folder}/track.flac"
        with open(track, "wb") as f:
            f.write(os.urandom(4 << 20))
        os.chmod(track, 0o644)
        with upstreams.cloud({f"t{number:04}": track for number in range(ALBUMS * TRACKS)}) as port, servers.hub(target, loft=servers.local(port)) as server:
            asker, pid = library.Asker(server), server.procs[0][1].pid
            rows = asker.ask("lib.browse", {"node": "loft:shelf/album", "limit": 1})[1]["d"]["rows"]
            asker.volume(count=100)
            idle, base = asker.volume(count=COMMANDS), memory.rollup(pid)["Rss"]
            asker.ask("keep.set", {"uri": rows[0]["uri"], "on": True})
            until(asker, lambda kept: kept["bytes"] > 0)
            before, t0 = kept(asker), time.monotonic()
            busy = asker.volume(count=COMMANDS)
            after, took = kept(asker), time.monotonic() - t0
            if after["rows"][0]["whole"] == after["rows"][0]["tracks"]:
                raise RuntimeError("all of it was there before the commands were")
            grown = memory.rollup(pid)["Rss"] - base
            asker.ask("keep.set", {"uri": rows[0]["uri"], "on": False})
    p99 = lambda values: sorted(values)[int(.99 * (len(values) - 1) + .5)]
    return {"idle": p99(idle), "busy": p99(busy), "slowest": max(busy), "kib": grown, "rate": (after["bytes"] - before["bytes"]) / took / 1e6,
            "middle": statistics.median(busy)}


def kept(asker):
    return asker.ask("keep.list", {})[1]["d"]


def until(asker, holds, limit=60):
    end = time.monotonic() + limit
    while not holds(kept(asker)):
        if time.monotonic() > end:
            raise TimeoutError("nothing was fetched")
        time.sleep(.05)


def run(ours, targets, rounds):
    d = runs.load()
    d["keeping"] = []
    runs.save(d)
    for number in range(rounds):
        t0 = time.time()
        try:
            row = keeping(targets[ours])
        except Exception as e:
            row = {"fatal": repr(e)[:200]}
        runs.add("keeping", {"round": number, **row})
        print(f"round {number + 1} of {rounds}  {time.time() - t0:6.1f} s  {row}", flush=True)


def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("keeping", [])
    good = [row for row in rows if "fatal" not in row]
    middle = lambda name: runs.median([row[name] for row in good])
    print(f"\n## Keeping: {len(rows)} round{'s' if len(rows) != 1 else ''}, medians; {os.cpu_count()} processors, load {report.num(os.getloadavg()[0])}\n")
    holds = figures.print_bars([
        (f"{ALBUMS} albums are fetched: volume → answer, p99", "ms", middle("busy"), "idle", middle("idle"), "times", 1.2),
    ])
    fatal = [row["fatal"] for row in rows if "fatal" in row]
    if fatal:
        print(f"\nWhat failed: {fatal}.")
    print(f"\n{'Every bar holds.' if holds and not fatal else 'Not every bar holds.'}" + ("" if len(rows) >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds and not fatal
