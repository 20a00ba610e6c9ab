"""What others notice of 20 users who sign in at once: how soon their commands are answered, and how much memory the hub takes, beside
the same hub at rest.

Passwords are hashed one or two at a time, and a processor is left to all others; each hash holds 32 MiB."""
import json, statistics, tempfile, threading, time

import library
import runs
import targets as T

USERS, BURSTS, COMMANDS, PAUSE_S = 20, 4, 800, .004
ANSWER_BAR, MEMORY_BAR = 1.2, 80
PASSWORD = "a long sentence of words"


class Wire(library.Asker):
    """A remote of its own."""
    def __init__(self, server, name):
        self.chan, self.number = T.Chan({"path": "/baton", "subprotocol": "baton.v1"}, server.port, 60), 1000
        self.chan.send(json.dumps({"t": "hello", "core": "1.0", "view": "remote", "client": {"id": name, "run": "r"}}))

    def close(self):
        self.chan.s.close()


def sign(server, name, verb):
    """Over a connection of its own, as a browser does."""
    wire = Wire(server, f"bench-{name}-{verb}")
    try:
        wire.ask(f"user.{verb}", {"name": name, "password": PASSWORD})
    finally:
        wire.close()


def p99(values):
    return sorted(values)[int(.99 * (len(values) - 1) + .5)]


def waits(wire, until=lambda n: n >= COMMANDS):
    took = []
    while not until(len(took)):
        took.append(wire.ask("vol.set", {"level": 40 + len(took) % 2})[0])
        time.sleep(PAUSE_S)
    return took


def burst(server, wire):
    """-> ms of the answers to others while all users sign in at once, the most MiB of the hub, how long it took"""
    pid, most, t0 = server.procs[0][1].pid, [0], time.monotonic()
    threads = [threading.Thread(target=sign, args=(server, f"user{n}", "signin")) for n in range(USERS)]
    for thread in threads:
        thread.start()

    def is_over(_):
        most[0] = max(most[0], library.resident(pid) / 1024)
        return not any(thread.is_alive() for thread in threads)
    return waits(wire, is_over), most[0], time.monotonic() - t0


def round_of(target, state):
    """Sign-ups count against the limit of attempts of an address, so users are made by one hub and sign in at the next."""
    files = {**target["files"], "batond.conf": "signup = open\n" + target["files"]["batond.conf"]}
    with T.Server({**target, "files": files}, track=runs.media()[0], keep=state) as server:
        server.wait_ready()
        for n in range(USERS):
            sign(server, f"user{n}", "signup")
    with T.Server({**target, "files": files}, track=runs.media()[0], keep=state) as server:
        server.wait_ready()
        wire = Wire(server, "bench-other")
        waits(wire, lambda n: n >= 100)
        rest, busy, most, seconds = [], [], [], []
        before = library.resident(server.procs[0][1].pid) / 1024
        for _ in range(BURSTS):
            rest += waits(wire)
            took, memory, lasted = burst(server, wire)
            busy += took
            most.append(memory)
            seconds.append(lasted)
        rest += waits(wire)
        return {
            "rest": p99(rest), "busy": p99(busy), "rest p50": runs.quantile(rest, .5),
            "busy p50": runs.quantile(busy, .5), "memory": max(most) - before, "seconds": statistics.median(seconds), "count": len(busy)}


def run(target, rounds):
    d = runs.load()
    d["accounts"] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="baton-bench-") as state:
            d["accounts"].append(round_of(target, state))
        runs.save(d)


def table(d):
    rows = d.get("accounts", [])
    if not rows:
        print("Nothing was measured.")
        return False
    middle = {key: statistics.median(row[key] for row in rows) for key in rows[0]}
    print("| what | ours | at rest | ratio | bar |  |\n|---|---:|---:|---:|---:|---|")
    answers = middle["busy"] <= ANSWER_BAR * middle["rest"]
    memory = middle["memory"] <= MEMORY_BAR
    print(f"| p99 of others' commands while {USERS} users sign in | {middle['busy']:.2f} ms | {middle['rest']:.2f} ms "
          f"| {middle['busy'] / middle['rest']:.2f} | {ANSWER_BAR} | {'pass' if answers else 'FAIL'} |")
    print(f"| memory that sign-ins take | {middle['memory']:.0f} MiB | | | {MEMORY_BAR} MiB | {'pass' if memory else 'FAIL'} |")
    print(f"\np50 of others' commands {middle['busy p50']:.2f} and {middle['rest p50']:.2f} ms; {USERS} sign-ins take {middle['seconds']:.1f} s; "
          f"{middle['count']:.0f} commands beside them in a round.")
    return answers and memory
