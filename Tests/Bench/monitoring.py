"""What watching and completing cost: the time that `/metrics` takes of the hub's loop while 1,000 remotes are connected, and the time of a
completion in a library of 100,000 tracks.

What a request takes of the loop is the processor time of its thread, which the kernel counts to the nanosecond, less that of requests for
`/healthz` over the same connection. Completions are processes, from their start to their end."""
import contextlib, json, os, subprocess, time

import library
import runs
import targets as T

BATCH = 20
SESSIONS, LOOKS, TRACKS, COMPLETIONS = 1000, 400, 100_000, 60
LOOP_BAR_MS, COMPLETION_BAR_MS = 1.0, 150
PARTS = ("figures", "completion")


def with_settings(target, text):
    return {**target, "files": {**target["files"], "batond.conf": text + target["files"]["batond.conf"]}}


def asked(connection, path):
    """-> ms, bytes"""
    t0 = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    took = (time.perf_counter() - t0) * 1e3
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {body[:200]}")
    return took, len(body)


def loop_ms(pid):
    """The processor time of the hub's first thread, which is that of its loop."""
    with open(f"/proc/{pid}/task/{pid}/schedstat") as f:
        return int(f.read().split()[0]) / 1e6


def session(server, number):
    chan = T.Chan({"path": "/baton", "subprotocol": "baton.v1"}, server.port, 60)
    chan.send(json.dumps({"t": "hello", "core": "1.0", "view": "watch", "client": {"id": f"bench-{number:06d}", "run": "r"}}))
    return chan


def figures_of(target, sessions):
    """Both kinds of requests in turns, so that whatever else the machine does falls on both."""
    with T.Server(with_settings(target, "metrics = admins\n"), track=runs.media()[0]) as server:
        server.wait_ready()
        path = os.path.join(server.dir, "hub.sock")
        remotes = []
        for number in range(sessions):
            remotes.append(session(server, number))
        deadline = time.monotonic() + 60
        with contextlib.closing(library.UnixHTTP(path)) as connection:
            while True:
                connection.request("GET", "/metrics")
                text = connection.getresponse().read().decode()
                known = next((float(line.split()[-1]) for line in text.splitlines() if line.startswith("baton_sessions ")), 0)
                if known >= sessions:
                    break
                if time.monotonic() > deadline:
                    raise TimeoutError(f"only {known} of {sessions} remotes are connected")
            pid, waits, worked = server.procs[0][1].pid, {"/metrics": [], "/healthz": []}, {"/metrics": [], "/healthz": []}
            for _ in range(LOOKS // BATCH):
                for path in waits:
                    before = loop_ms(pid)
                    for _ in range(BATCH):
                        took, size = asked(connection, path)
                        waits[path].append(took)
                    worked[path].append((loop_ms(pid) - before) / BATCH)
                    if path == "/metrics":
                        bytes_told = size
        for remote in remotes:
            remote.s.close()
        slow = library.slow_callbacks(server)
    return {"waits": library.quantiles(waits["/metrics"]), "rest": library.quantiles(waits["/healthz"]), "bytes": bytes_told, "slow": slow,
            "loop": library.quantiles([a - b for a, b in zip(worked["/metrics"], worked["/healthz"], strict=True)])}


def completion_of(target, tracks):
    root = library.make_library(tracks)
    library.warm(root)
    with T.Server(library.without_music(target), track=runs.media()[0]) as server:
        server.wait_ready()
        owner = library.Owner(server)
        t0 = time.monotonic()
        owner.ask("lib.folder", {"path": root, "on": True})
        owner.until_there(t0, tracks)
        library.until_idle(server.procs[0][1].pid)
        environment = {**T.PLAIN_ENVIRONMENT, "BATON_SOCKET": os.path.join(server.dir, "hub.sock"), "HOME": server.dir, "XDG_STATE_HOME": server.dir,
                       "XDG_CONFIG_HOME": server.dir}
        took, found = [], []
        for number in range(COMPLETIONS):
            word = library.WORDS[number % len(library.WORDS)][:2 + number % 4]
            t0 = time.perf_counter()
            ended = subprocess.run([f"{T.BATON_BIN}/baton", "complete", "--", "play", word], env=environment, capture_output=True, text=True, check=True)
            took.append((time.perf_counter() - t0) * 1e3)
            found.append(sum(not line.startswith("/\t") and line != "/" for line in ended.stdout.splitlines()))
    return {"completion": library.quantiles(took), "found": min(found)}


def run(target, rounds, parts):
    d = runs.load()
    d["monitoring"] = []
    runs.save(d)
    for _ in range(rounds):
        row = {}
        if "figures" in parts:
            row.update(figures_of(target, SESSIONS))
        if "completion" in parts:
            row.update(completion_of(target, TRACKS))
        runs.add("monitoring", row)


def table(d):
    rows = d.get("monitoring", [])
    if not rows:
        print("Nothing was measured.")
        return False
    middle = lambda *path: sorted(value(row, path) for row in rows)[len(rows) // 2]
    print("| what | ours | bar |  |\n|---|---:|---:|---|")
    holds = []
    if "loop" in rows[0]:
        for part, name in (("p50", "p50"), ("max", "the worst of batches")):
            ms = middle("loop", part)
            holds.append(ms <= LOOP_BAR_MS)
            print(f"| `/metrics` with {SESSIONS:,} sessions, time of the loop, {name} | {ms:.3f} ms | {LOOP_BAR_MS:g} ms | {'pass' if holds[-1] else 'FAIL'} |")
    if "completion" in rows[0]:
        holds.append(middle("completion", "p95") <= COMPLETION_BAR_MS and middle("found") > 0)
        print(f"| completing an item of {TRACKS:,}, p95 | {middle('completion', 'p95'):.1f} ms | {COMPLETION_BAR_MS} ms | {'pass' if holds[-1] else 'FAIL'} |")
    print()
    if "loop" in rows[0]:
        slow = [line for row in rows for line in row["slow"]]
        print(f"{middle('bytes'):,} bytes of figures, {middle('waits', 'p50'):.3f} ms to the answer (p50), of `/healthz` {middle('rest', 'p50'):.3f} ms. Callbacks over 5 ms: {'; '.join(slow) or 'none'}.")
    if "completion" in rows[0]:
        print(f"p50 of a completion {middle('completion', 'p50'):.1f} ms, the slowest {middle('completion', 'max'):.1f} ms.")
    return all(holds)


def value(row, path):
    for part in path:
        row = row[part]
    return row
