"""What a station's buffer costs: connections and processor for several rooms, callbacks of the loop and waits for the disk while it is
written, and a past of two hours."""
import os, time

import library
from radiobench import stations

ROOMS, TURNS, SECONDS = 4, 2, 12
# What a hub does once, after its start and after its first play, is no room's; and a room that has just begun is asked more often where it
# is than one that plays on.
SETTLING_S, BEGUN_S = 15, 6
WRITING_S = 120
# Threads of libmpv and of what it decodes with, by the beginnings of their names.
PLAYERS = ("mpv", "av:", "ao/", "demux")
# What waits for the disk itself.
WAITS = "fsync,fdatasync,sync_file_range,syncfs,sync,msync"


# ---------------------------------------------------------------- several rooms
def without_players(pid):
    """CPU time of a hub without that of its players' threads, in ms, and the names of the other threads. The whole is the process's own
    clock, which keeps what threads have used that ended meanwhile."""
    # The clock of another process, as clock_getcpuclockid(3) makes it.
    total, names = time.clock_gettime_ns(~pid << 3 | 2), set()
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm") as name, open(f"/proc/{pid}/task/{task}/schedstat") as stat:
                name = name.read().strip()
                if name.startswith(PLAYERS):
                    total -= int(stat.read().split()[0])
                else:
                    names.add(name)
        except OSError:
            continue  # It has ended.
    return total / 1e6, names


def a_second(pid):
    """ms of processor a second, over some seconds"""
    before, t0 = without_players(pid)[0], time.monotonic()
    time.sleep(SECONDS)
    return (without_players(pid)[0] - before) / (time.monotonic() - t0)


def rooms(target):
    """One station in one room and in four, in turns, while they play on."""
    with stations.on_air() as icecast, stations.tuned(target) as (_, tuner):
        uri = tuner.add(icecast.url(stations.HARBOUR))[0]
        more = [tuner.room(f"Room {number}") for number in range(2, ROOMS + 1)]
        tuner.play(uri)
        time.sleep(SETTLING_S)
        one, four, connections = [], [], 0
        for _ in range(TURNS):
            time.sleep(BEGUN_S)
            one.append(a_second(tuner.pid))
            for room in more:
                tuner.play(uri, room)
            time.sleep(BEGUN_S)
            four.append(a_second(tuner.pid))
            connections = max(connections, icecast.listeners(stations.HARBOUR))
            for room in more:
                tuner.stop(room)
        names = sorted(without_players(tuner.pid)[1])
    return {"one": sum(one) / TURNS, "four": sum(four) / TURNS, "connections": connections, "threads": names}


# ---------------------------------------------------------------- writing
def waits(server):
    """The calls until now, a line for each, with the file's path"""
    with open(f"{server.dir}/waits") as lines:
        return [line for line in lines if "sync" in line and "resumed" not in line]


def writing(target):
    """Two minutes of a station while the volume changes. strace looks only at the calls that are counted."""
    argv = {name: ["strace", "-f", "-y", "--seccomp-bpf", "-e", f"trace={WAITS}", "-o", "{dir}/waits", *words] for name, words in target["argv"].items()}
    with stations.on_air() as icecast, stations.tuned({**target, "argv": argv}) as (server, tuner):
        uri, asker = tuner.add(icecast.url(stations.HARBOUR))[0], library.Asker(server)
        asker.volume(seconds=2)
        tuner.play(uri)
        # The first wait for the disk is that of the beginning.
        asker.volume(seconds=10)
        begun, before, slow, took = time.monotonic(), len(waits(server)), len(library.slow_callbacks(server)), []
        while time.monotonic() - begun < WRITING_S:
            took += asker.volume(count=20)
            time.sleep(.4)
        calls, slow = waits(server)[before:], library.slow_callbacks(server)[slow:]
    of_ring = [line for line in calls if ".past" in line]
    return {"a_minute": len(of_ring) * 60 / WRITING_S, "others": len(calls) - len(of_ring), "slowest": max(took), "slow": slow,
            "answers": library.quantiles(took)}
