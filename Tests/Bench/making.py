"""What pieces in the making cost the hub: the answer to a press, a thousand jobs, two renders beside what plays, and the time from a press
to the first sound. What is heard is recorded from a sound server that plays into nothing."""
import contextlib, functools, os, sqlite3, tempfile, time

import library
import rounds
import runs
import targets as T
import worker_pieces
from Support.hubs import Home, Hub, binaries
from Support.recording import RATE, Recorder, SoundServer, is_silent
from radiobench import away

STARTS, TURNS, JOBS, PAGES = 40, 4, 1000, 200
REST_S, COMMANDS, PIECES = 20, 400, 3
TONE_S = 60


def middle(values):
    return runs.median(values)


def p99(values):
    return sorted(values)[int(.99 * (len(values) - 1) + .5)]


# ---------------------------------------------------------------- a press
def start(target):
    """ms of `job.start` and of `queue.add`, in turns. The worker holds the first piece, and the others wait."""
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder, worker_pieces.holding(target, folder) as server:
        asker, jobs, adds = library.Asker(server), [], []
        asker.volume(count=100)
        for turn in range(TURNS):
            made = []
            for number in range(STARTS):
                key = f"press-{turn}-{number}"
                took, answer = asker.ask("job.start", {"kind": "generation", "text": "slow piano for rain", "worker": "holding"}, key=f"{key}-job")
                made.append(answer["d"]["job"])
                jobs.append(took)
                adds.append(asker.ask("queue.add", {"uris": [server.vars["track"]]}, key=f"{key}-add")[0])
            for job in made:
                asker.ask("job.cancel", {"job": job})
    return {"press": middle(jobs), "add": middle(adds), "press_p99": p99(jobs), "add_p99": p99(adds)}


# ---------------------------------------------------------------- a thousand jobs
def seed(target, path):
    """A store with so many finished pieces, as the hub has made it."""
    with T.Server(target, track=runs.media()[0]) as server:
        server.wait_ready()
        library.Asker(server).ask("job.list", {})
        with contextlib.closing(sqlite3.connect(f"{server.dir}/data/gen.db")) as kept, contextlib.closing(sqlite3.connect(path)) as copy:
            kept.backup(copy)
    with contextlib.closing(sqlite3.connect(path)) as store, store:
        for number in range(JOBS):
            store.execute(
                "INSERT INTO job (id, worker, prompt, seconds, seed, mode, author, started_ms, plays, state, percent, ended_ms, sound, title, duration_ms,"
                " has_score, bytes, owner, kept, wish_steering) VALUES (?, 'composer', ?, 60, ?, 'track', 'Ana', ?, 0, 'ready', 100, ?, 'sound.flac', ?, 60000, 1, 4000000,"
                " 'Ana', 0, '')",
                (f"seeded-{number}", f"slow piano for rain {number}", str(number), 1.7e12 + number, 1.7e12 + number, f"Slow Rain {number}"))


def wakeups(pid):
    """How often each thread of a process has begun to wait"""
    found = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/status") as status:
            found[task] = next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
    return found


def a_second(pid):
    library.until_idle(pid)
    before, t0 = wakeups(pid), time.monotonic()
    time.sleep(REST_S)
    after, took = wakeups(pid), time.monotonic() - t0
    # A thread that has ended meanwhile takes its count with it, and woke up once to end.
    return sum(after[task] - before.get(task, 0) if task in after else 1 for task in before | after) / took


def asked(target, expected):
    """Wake-ups a second of a hub at rest that was asked for pages of its jobs, and ms of each page."""
    with T.Server(target, track=runs.media()[0]) as server:
        server.wait_ready()
        asker, took = library.Asker(server), []
        for number in range(PAGES):
            ms, answer = asker.ask("job.list", {"from": number * 7 % (JOBS - 100), "n": 100})
            if len(answer["d"]["jobs"]) != expected:
                raise RuntimeError(f"a page has {len(answer['d']['jobs'])} jobs")
            took.append(ms)
        asker.chan.close()
        return a_second(server.procs[0][1].pid), took


def jobs(target):
    """ms of a page of 100, and wake-ups a second at rest, beside a hub without jobs that was asked as often."""
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        store = f"{folder}/gen.db"
        seed(target, store)
        words = target["argv"]["server"]
        filled = {**target, "argv": {"server": ["sh", "-c", f'cp {store} {{dir}}/data/gen.db && exec "$@"', "sh", *words]}}
        without, _ = asked(target, 0)
        wakes, took = asked(filled, 100)
    return {"page": middle(took), "page_p99": p99(took), "rest": wakes, "rest_without": without, "added": max(0, round(wakes - without, 1))}


# ---------------------------------------------------------------- beside play
@contextlib.contextmanager
def heard(*more):
    """-> a home with a sound server, its recorder, and a hub that plays into it"""
    with contextlib.ExitStack() as stack:
        home = Home()
        stack.callback(home.close)
        stack.callback(SoundServer(home).close)
        recorder = Recorder(home)
        stack.callback(recorder.close)
        yield home, recorder, *[stack.enter_context(one(home)) for one in more]


def beside(target):
    """p99 of commands while two pieces are rendered, and while none is, in turns; slow callbacks; the longest silence in what plays."""
    def hub(home):
        heard_by = away.heard_by(target, home)
        conf = heard_by["files"]["batond.conf"] + f"\n[worker second]\nprogram = {binaries()}/baton-composer\nsandbox = off\n"
        return T.Server({**heard_by, "files": {**heard_by["files"], "batond.conf": conf}}, track=away.tone(TONE_S))
    with heard(hub) as (_, recorder, server):
        server.wait_ready()
        asker, idle, busy, number = library.Asker(server), [], [], 0
        asker.ask("vol.set", {"level": 100})
        asker.ask("play", {"uri": server.vars["track"]}, key="play")
        begun = recorder.until("sound", lambda sound: not is_silent(sound))
        commands(asker, 100)
        slow = len(library.slow_callbacks(server))
        for _ in range(TURNS):
            idle += commands(asker, COMMANDS)
            made = []
            for worker in ("composer", "second"):
                number += 1
                made.append(worker_pieces.start(asker, "techno /duration 180", worker, number))
            worker_pieces.until(lambda made=made: all(worker_pieces.row(asker, job)["st"] == "running" for job in made), "the pieces were not begun")
            busy += commands(asker, COMMANDS)
            if not all(worker_pieces.row(asker, job)["st"] == "running" for job in made):
                raise RuntimeError("a piece was ready before the commands were")
            for job in made:
                asker.ask("job.cancel", {"job": job})
        sound, slow = recorder.heard(begun, recorder.now - begun), library.slow_callbacks(server)[slow:]
    return {"idle": p99(idle), "busy": p99(busy), "idle_middle": middle(idle), "busy_middle": middle(busy), "slow": slow, "silence": away.longest_silence(sound)}


def commands(asker, count):
    """ms of each of so many changes of the volume, which is heard next to not at all"""
    took = []
    for number in range(count):
        took.append(asker.ask("vol.set", {"level": 99 + number % 2})[0])
        time.sleep(.005)
    return took


# ---------------------------------------------------------------- the first sound
def first(target):
    """Seconds from `baton compose --play` of a minute to the first sample that is heard, by the recorder's own clock."""
    def hub(home):
        return contextlib.closing(Closing(home))
    times = []
    with heard(hub) as (home, recorder, _):
        for number in range(PIECES):
            begun = recorder.until("silence", is_silent, window=.3)
            home.baton("compose", f"slow piano for rain /duration 60 /seed {number}", "--play")
            # The answer comes before the piece.
            end = recorder.until("sound", lambda sound: not is_silent(sound), limit=60)
            sound = recorder.heard(begun, end - begun)
            times.append(next(at for at, sample in enumerate(sound) if abs(sample) > 1.5 / 32768) / RATE)
            home.baton("stop")
    return {"s": middle(times), "slowest": max(times)}


class Closing(Hub):
    def __init__(self, home):
        super().__init__(home, "--audio", "pulse/room")
        home.baton("volume", "80")

    def close(self):
        self.stop()


# ---------------------------------------------------------------- the table
JOBS_OF = {"start": start, "jobs": jobs, "beside": beside, "first": first}


def run(target, times, only=None):
    rounds.run("making", {name: functools.partial(job, target) for name, job in JOBS_OF.items()}, times, only)


def bars(rows):
    middle = rounds.middles(rows)
    slow = [len(r["slow"]) for r in rounds.whole(rows, "beside")]
    return [
        ("job.start → answer, p50", "ms", middle("start", "press"), "queue.add", middle("start", "add"), "times", 1.5),
        (f"{JOBS:,} jobs: job.list, a page of 100", "ms", middle("jobs", "page"), "–", None, "at most", 3),
        (f"{JOBS:,} jobs: wake-ups a second added at rest", "", middle("jobs", "added"), "–", None, "at most", 0),
        ("two renders beside play: volume → answer, p99", "ms", middle("beside", "busy"), "idle", middle("beside", "idle"), "times", 1.2),
        ("two renders beside play: callbacks of the loop over 5 ms", "", max(slow, default=None), "–", None, "at most", 0),
        ("two renders beside play: longest silence in the sound", "ms", middle("beside", "silence"), "–", None, "at most", 1),
        ("baton compose --play of 60 s → first sound", "s", middle("first", "s"), "–", None, "at most", 4),
    ]


def notes(rows):
    slow = [line for r in rows for line in r.get("slow", [])]
    return [f"Callbacks over 5 ms: {'; '.join(slow)}."] if slow else []


def table(d):
    """Prints the table; -> whether every bar holds"""
    return rounds.table("making", "Pieces in the making", bars, d, notes)
