"""How soon what a worker has made can be played, and how soon the process of a cancelled job is gone.

The worker over HTTP is a server of a few lines here, which says "succeeded" when it is told to: what is timed begins with the poll that
hears it. The other two are a program behind no sandbox and the composer in the hub."""
import contextlib, json, os, statistics, tempfile, threading, time

import library
import runs
import targets as T
from Support.answering import Handler, Server

PLAYABLE_BAR, GONE_BAR = 300, 200
HOLDING = """#!/bin/sh
read request
echo '{"progress":0.5,"message":"holding"}'
exec sleep 600
"""


class Worker(Server):
    """One job after the other; each is done when `finish` was called."""
    def __init__(self, folder):
        self.folder, self.done, self.heard, self.number = folder, threading.Event(), 0.0, 0
        worker = self

        class Making(Handler):
            def do_GET(self):
                path = f"{worker.folder}/{worker.number}.wav"
                if self.path == "/health":
                    self.say({"status": "ok", "extensions": ["key"]})
                elif self.path.startswith("/status/"):
                    is_done = worker.done.is_set()
                    if is_done and not worker.heard:
                        worker.heard = time.perf_counter()
                    self.say({"job_id": self.path[8:], "state": "succeeded" if is_done else "running", "progress": .5, "message": "noise"})
                else:
                    self.say({"job_id": self.path[10:], "artifact_path": path, "metadata": {}})

            def do_POST(self):
                self.body()
                worker.number += 1
                self.say({"job_id": f"job-{worker.number}", "state": "queued", "progress": 0})

            def say(self, answer):
                self.answer(200, json.dumps(answer).encode())
        super().__init__(Making)

    def finish(self):
        # Three minutes of stereo, as large as what a worker makes.
        with open(f"{self.folder}/{self.number}.wav", "wb") as f:
            size = 180 * 44100 * 4
            head = b"RIFF" + (size + 36).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little") + bytes([1, 0, 2, 0])
            f.write(head + (44100).to_bytes(4, "little") + (176400).to_bytes(4, "little") + bytes([4, 0, 16, 0]) + b"data" + size.to_bytes(4, "little"))
            f.truncate(size + 44)
        self.done.set()


@contextlib.contextmanager
def holding(target, folder, more=""):
    """-> a hub with a worker that holds each piece until it is cancelled"""
    with open(f"{folder}/hold.sh", "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as f:
        f.write(HOLDING)
    conf = target["files"]["batond.conf"] + f"\n[worker holding]\nprogram = {folder}/hold.sh\nsandbox = off\n{more}"
    with T.Server({**target, "files": {**target["files"], "batond.conf": conf}}, track=runs.media()[0]) as server:
        server.wait_ready()
        yield server


def start(asker, text, worker, number):
    return asker.ask("job.start", {"kind": "generation", "text": text, "worker": worker, "at": "none"}, key=f"bench-{worker}-{number}")[1]["d"]["job"]


def row(asker, job):
    return next(row for row in asker.ask("job.list", {})[1]["d"]["jobs"] if row["job"] == job)


def until(holds, what, limit=60):
    end = time.monotonic() + limit
    while not (value := holds()):
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(.002)
    return value


def playable(asker, worker, number):
    """ms from the poll that heard of the end to a job that is ready."""
    worker.done.clear()
    worker.heard = 0.0
    job = start(asker, "noise", "studio", number)
    until(lambda: row(asker, job)["st"] == "running", "the job was not begun")
    worker.finish()
    until(lambda: row(asker, job)["st"] == "ready", "the piece did not come")
    return (time.perf_counter() - worker.heard) * 1e3


def children(pid, name):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{entry}/stat") as f:
            comm, rest = f.read().rsplit(")", 1)
            if int(rest.split()[1]) == pid and comm.split("(", 1)[1] == name:
                found.append(int(entry))
    return found


def gone(asker, pid, text, worker, name, number):
    """ms from the press to a process that is no more."""
    job = start(asker, text, worker, number)
    process = until(lambda: children(pid, name), "the program was not started")[0]
    until(lambda: row(asker, job)["st"] == "running", "the job was not begun")
    t0 = time.perf_counter()
    asker.ask("job.cancel", {"job": job})
    until(lambda: not os.path.exists(f"/proc/{process}"), "the process did not end")
    return (time.perf_counter() - t0) * 1e3


def run(target, rounds):
    d = runs.load()
    d["workers"] = []
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        worker = Worker(folder)
        with holding(target, folder, f"[worker studio]\nurl = {worker.url}\nartifact_map = {folder}:{folder}\n") as server:
            asker, pid = library.Asker(server), server.procs[0][1].pid
            for number in range(rounds * 4):
                d["workers"].append({
                    "playable": playable(asker, worker, number), "program": gone(asker, pid, "noise", "holding", "sleep", number),
                    "composer": gone(asker, pid, "techno /duration 180", "composer", "baton-composer", number)})
                runs.save(d)


def table(d):
    rows = d.get("workers", [])
    print("| what | median | slowest | bar |  |\n|---|---:|---:|---:|---|")
    holds = bool(rows)
    for what, name, bar in (("the worker's poll to a piece that can be played", "playable", PLAYABLE_BAR), ("cancel to a program that is gone", "program", GONE_BAR),
                            ("cancel to the composer that is gone", "composer", GONE_BAR)):
        times = [row[name] for row in rows] or [float("inf")]
        good = statistics.median(times) <= bar
        holds = holds and good
        print(f"| {what} | {statistics.median(times):.0f} ms | {max(times):.0f} ms | {bar} ms | {'pass' if good else 'FAIL'} |")
    return holds
