"""One measurement each: a server is started, asked, timed and stopped; what was found is a plain dict.

Knows how to measure and where results are kept; which server is measured how often is decided in
bench.py and figures.py, and what a server understands is written in targets.py."""
import json, os, statistics, subprocess, tempfile, time

import targets as T

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, os.environ.get("RESULTS", "results.json"))
MEDIA = os.path.join(tempfile.gettempdir(), f"baton-bench-media-{os.getuid()}")
# A header is not sound: more than any WAV header must have come before a byte counts as PCM.
HEADER = 128


def load():
    try:
        with open(RESULTS) as f:
            return json.load(f)
    except FileNotFoundError:
        return {"rounds": [], "idle": [], "cold": [], "libmpv": [], "figures": []}


def add(table, row):
    """Adds one row to the results, so that an interrupted run keeps what it found."""
    d = load()
    d.setdefault(table, []).append(row)
    save(d)


def save(d):
    with open(RESULTS + ".new", "w") as f:
        json.dump(d, f, indent=0)
    os.replace(RESULTS + ".new", RESULTS)


def make(*goals):
    subprocess.run(["make", "-s", "-C", HERE, *goals], check=True)


def media():
    """A 15-minute FLAC to play and a raw stream for Snapcast, made once."""
    os.makedirs(MEDIA + "/music", exist_ok=True)
    track, pcm = MEDIA + "/music/long.flac", MEDIA + "/stream.pcm"
    ffmpeg = ["ffmpeg", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i"]
    made = {
        track: ["sine=f=330:d=900:r=44100", "-ac", "2", "-sample_fmt", "s16", "-c:a", "flac", "-metadata", "title=Long",
                "-metadata", "artist=Bench", "-metadata", "album=Bench", "-f", "flac"],
        pcm: ["sine=f=330:d=240:r=48000", "-ac", "2", "-f", "s16le"],
    }
    for path, how in made.items():
        if not os.path.exists(path):
            subprocess.run(ffmpeg + how + [path + ".new"], check=True)
            os.rename(path + ".new", path)
    return track, pcm


def quantile(values, p):
    values = sorted(x for x in values if x >= 0)
    return round(values[int(p * (len(values) - 1) + .5)], 1) if values else None


def shrink(row):
    """Arrays of samples become their percentiles; the list of threads stays."""
    for k in [k for k, v in row.items() if isinstance(v, list) and k != "threads"]:
        v = row[k]
        row[k] = {"n": sum(x >= 0 for x in v), "p50": quantile(v, .5), "p95": quantile(v, .95), "p99": quantile(v, .99), "max": quantile(v, 1)}
    return row


def cpu_busy():
    with open("/proc/stat") as f:
        v = [int(x) for x in f.readline().split()[1:9]]
    return sum(v) - v[3] - v[4], sum(v)


def series(target, phases, **how):
    """Starts the server, gets it playing and runs the load client's phases."""
    b0, t0 = cpu_busy(), time.time()
    track, pcm = media()
    try:
        with T.Server(target, track=track, raw_pcm=pcm, **how) as s:
            s.prepare()
            rows = [shrink(r) for r in s.fan(phases, limit=600)]
    except Exception as e:
        rows = [{"fatal": repr(e)[:200]}]
    b1 = cpu_busy()
    return {"at": round(t0), "secs": round(time.time() - t0, 1), "load1": os.getloadavg()[0],
            "machine_busy": round((b1[0] - b0[0]) / max(1, b1[1] - b0[1]), 3), "rows": rows}


def watchers(target, counts, gap_us, limit, storm=None):
    """The phases that add watchers step by step: `counts` says how many commands of each kind at which size."""
    window = target.get("connect_window", 64)
    phases, before = ["hold 0.3"], 0
    for level, count in sorted(counts.items()):
        if level:
            if level > 4:   # the controller takes its place in the middle of the watchers
                phases += [f"grow {(before + level) // 2} {window} 60", "recon"]
            phases.append(f"grow {level} {window} 60")
            before = level
        phases += [f"cmds {kind} {count // 2 * 2} {gap_us} {limit}" for kind in target["kinds"]]
        if storm and level == storm:
            phases.append(f"storm {storm} 30")
    return phases


def rest(target, state, secs, sizes=(0, 100)):
    """CPU and wakeups at rest, with each of these numbers of watchers."""
    track, pcm = media()
    mode = "paused" if state == "paused" and "paused" in target.get("mode_vars", {}) else "run"
    try:
        with T.Server(target, mode=mode, track=track, raw_pcm=pcm) as s:
            s.prepare()
            if state == "paused" and target.get("pause"):
                s.script("pause")
            window = target.get("connect_window", 64)
            phases = [p for n in sizes for p in ([f"grow {n} {window} 20"] if n else []) + ["sleep 1500", f"hold {secs}"]]
            rows = s.fan(phases)
        rows = [r for r in rows if r.get("phase") == "hold" or "fatal" in r]
    except Exception as e:
        rows = [{"fatal": repr(e)[:200]}]
    return {"state": state, "rows": rows}


def cold_start(target):
    """Process start -> first answered command, in a new data folder."""
    track, pcm = media()
    try:
        first = dict(list(target["argv"].items())[:1])
        with T.Server({**target, "argv": first}, track=track, raw_pcm=pcm) as s:
            return {"ready_ms": round(s.wait_ready() * 1e3, 2)}
    except Exception as e:
        return {"fatal": repr(e)[:200]}


def first_audio(target, up_secs=0):
    """'play' sent -> first PCM byte out of a pipe, by a server that has answered for `up_secs`."""
    track, _ = media()
    try:
        with T.Server(target, mode="audio", track=track) as s:
            fd = os.open(s.fifo, os.O_RDONLY | os.O_NONBLOCK)
            try:
                ready = s.wait_ready()
                ch = s.chan()
                steps = [(w, s.sub(t)) for w, t in target["prepare"]]
                i = max(j for j, x in enumerate(steps) if x[0] == "send")    # the last thing sent is 'play'
                ch.script(steps[:i])
                time.sleep(up_secs)
                t0 = time.monotonic()
                ch.send(steps[i][1].replace("{id}", "99999"))
                got = 0
                while time.monotonic() - t0 < 15:
                    try:
                        got += len(os.read(fd, 65536))
                        if got > HEADER:
                            t1 = time.monotonic()
                            ch.close()
                            return {"play_to_audio_ms": round((t1 - t0) * 1e3, 2), "start_to_audio_ms": round((ready + t1 - t0) * 1e3, 2)}
                    except BlockingIOError:
                        pass
                    time.sleep(0.0002)
                return {"play_to_audio_ms": None, "fatal": "no sound within 15 s"}
            finally:
                os.close(fd)
    except Exception as e:
        return {"fatal": repr(e)[:200]}


def libmpv(sound):
    """libmpv with no server around it: into a pipe (first sound), or into nothing (calls and rest)."""
    track, _ = media()
    make("mpv")
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as tmp:
        fifo = tmp + "/pcm"
        os.mkfifo(fifo)
        argv = [T.BUILD + "/floor_mpv", track] + ([fifo] if sound else [])
        return json.loads(subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=False).stdout)


def median(values):
    values = [x for x in values if x is not None]
    return statistics.median(values) if values else None
