"""What commands notice while tracks are fetched to be kept: a hundred albums of a server whose files come from nginx.

The reference is the same hub while nothing is fetched. Both are measured in turns: a limit of what may be kept that is reached stops
the fetching, and a larger one lets it go on where it was. The hub fetches as fast as it does by itself (`keep_rate`), and the server,
the hub and the one who asks share this machine's processors, so what the server has to do for the fetching counts too. A cell is the
median of the rounds."""
import os, statistics, tempfile, time

import figures
import library
import memory
import report
import runs
import servers
import upstreams

ALBUMS, TRACKS, TURNS, COMMANDS = 100, 10, 4, 500
LIMIT = 20 << 30


def keeping(target, how=""):
    """p99 of `volume` while a hundred albums are fetched and while they are not, in turns; what fetching them holds."""
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        os.chmod(folder, 0o755)
        track = f"{folder}/track.flac"
        with open(track, "wb") as f:
            f.write(os.urandom(4 << 20))
        os.chmod(track, 0o644)
        with upstreams.cloud({f"t{number:04}": track for number in range(ALBUMS * TRACKS)}, how) as port, servers.hub(target, loft=servers.local(port)) as server:
            asker, owner, pid = library.Asker(server), library.Owner(server), server.procs[0][1].pid
            rows = asker.ask("lib.browse", {"node": "loft:shelf/album", "limit": 1})[1]["d"]["rows"]
            asker.volume(count=100)
            idle, busy, came, took, base = [], [], 0, 0, memory.rollup(pid)["Rss"]
            idle += asker.volume(count=COMMANDS)
            asker.ask("keep.set", {"uri": rows[0]["uri"], "on": True})
            for _ in range(TURNS):
                until_more(asker)
                before, t0 = kept(asker)["bytes"], time.monotonic()
                busy += asker.volume(count=COMMANDS)
                after = kept(asker)
                came, took = came + after["bytes"] - before, took + time.monotonic() - t0
                if after["bytes"] == before or after["rows"][0]["whole"] == after["rows"][0]["tracks"]:
                    raise RuntimeError("nothing was fetched while the commands were, or all of it was there")
                grown = memory.rollup(pid)["Rss"] - base
                owner.ask("keep.limit", {"bytes": 1})
                until_quiet(asker)
                idle += asker.volume(count=COMMANDS)
                owner.ask("keep.limit", {"bytes": LIMIT})
            asker.ask("keep.set", {"uri": rows[0]["uri"], "on": False})
    p99 = lambda values: sorted(values)[int(.99 * (len(values) - 1) + .5)]
    return {"idle": p99(idle), "busy": p99(busy), "slowest": max(busy), "kib": grown, "rate": came / took / 1e6,
            "middle": statistics.median(busy), "idle_middle": statistics.median(idle)}


def kept(asker):
    return asker.ask("keep.list", {})[1]["d"]


def until(holds, what, limit=60):
    end = time.monotonic() + limit
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(.05)


def until_more(asker):
    start = kept(asker)["bytes"]
    until(lambda: kept(asker)["bytes"] > start, "nothing was fetched")


def until_quiet(asker):
    """Until nothing has come for half a second."""
    last = [None]
    def same():
        time.sleep(.5)
        now, before = kept(asker)["bytes"], last[0]
        last[0] = now
        return now == before
    until(same, "the fetching did not stop")


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
