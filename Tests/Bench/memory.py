"""What a process holds at a moment, as the kernel counts it and as the hub itself tells it by subsystem."""
import os, statistics, time

import library

MIB = 1024  # The kernel counts in KiB.


def rollup(pid):
    """KiB by kind: Rss, Pss, Private_Dirty, Anonymous and the others of smaps_rollup."""
    with open(f"/proc/{pid}/smaps_rollup") as f:
        next(f)
        return {line.split(":")[0]: int(line.split()[1]) for line in f}


def children(pid):
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[1] == str(pid):
                    found.append(int(name))
        except (OSError, IndexError):
            continue  # None, or gone meanwhile.
    return found


def threads(pid):
    names = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm") as f:
                names.append(f.read().strip())
        except OSError:
            continue
    return names


def descriptors(pid):
    """Where each open descriptor leads, without the numbers of sockets and pipes."""
    found = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{name}").split("[")[0])
        except OSError:
            continue
    return found


def told(owner):
    """What the hub says of its own memory, flat; nothing from a hub that says nothing of it."""
    parts = owner.ask("hub.info")["d"]["house"].get("memory", {})
    return {f"{part}.{name}": value for part, values in parts.items() for name, value in values.items()}


def sample(pid, owner=None):
    kernel = rollup(pid)
    readers = children(pid)
    row = {"rss": kernel["Rss"], "pss": kernel["Pss"], "dirty": kernel["Private_Dirty"], "anonymous": kernel["Anonymous"],
           "threads": len(threads(pid)), "fds": len(descriptors(pid)), "readers": len(readers)}
    return {**row, "told": told(owner)} if owner else row


def until_settled(pid, steady=15, limit=150):
    """Threads and readers with nothing to do end after some seconds, one after the other: until none did for a while."""
    end, since, before = time.monotonic() + limit, time.monotonic(), None
    while time.monotonic() < end:
        now = (len(threads(pid)), len(children(pid)))
        if now != before:
            since, before = time.monotonic(), now
        if time.monotonic() - since >= steady:
            return
        time.sleep(.5)


def at_rest(pid, owner, limit=60, count=5):
    """Medians of several moments, once next to nothing is done any more."""
    library.until_idle(pid, limit)
    until_settled(pid)
    rows = []
    for _ in range(count):
        rows.append(sample(pid))
        time.sleep(1)
    row = {name: statistics.median(r[name] for r in rows) for name in rows[0]}
    row = {**row, "names": sorted(threads(pid)), "open": sorted(descriptors(pid))}
    return {**row, "told": told(owner)}   # Last, since asking costs a thread.


def difference(before, after):
    """What is there now that was not, and the other way round: names with how many more."""
    names = sorted(set(before) | set(after))
    return {n: after.count(n) - before.count(n) for n in names if after.count(n) != before.count(n)}
