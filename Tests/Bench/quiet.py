"""What stands still costs nothing: a room without a speaker that plays, and `baton status`, from its start to its end.

The room is measured against a minute of the same hub at rest. `baton status` and `baton --help` are run in turns, so that whatever else the machine
does falls on both; with `--before FOLDER` the same verbs of an older build too."""
import contextlib, json, os, signal, statistics, subprocess, tempfile, time, wave

import targets as T

RUNS, SECONDS, REST = 100, 60, 35
SHARE_BAR, WAKES_BAR, STATUS_BAR_MS = 0.001, 2, 12
SAMPLES = 8000


def long_track(path):
    with wave.open(path, "wb") as file:
        file.setnchannels(1), file.setsampwidth(1), file.setframerate(SAMPLES)
        file.writeframes(b"\x80" * SAMPLES * 1800)


def figures(pid):
    """Of each thread: seconds of processor time, and how often it went to sleep."""
    found = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/schedstat") as times, open(f"/proc/{pid}/task/{task}/status") as status:
            slept = next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
            found[task] = (int(times.read().split()[0]) / 1e9, slept)
    return found


def rates(pid, seconds):
    """Of all threads together, a second. What threads did that ended meanwhile is not known."""
    before, began = figures(pid), time.monotonic()
    time.sleep(seconds)
    after, passed = figures(pid), time.monotonic() - began
    spent = [tuple(now - then for now, then in zip(after[task], before.get(task, (0, 0)), strict=True)) for task in after]
    return sum(busy for busy, _ in spent) / passed, sum(slept for _, slept in spent) / passed


def took_ms(environment, folder, verb):
    t0 = time.perf_counter()
    subprocess.run([f"{folder}/baton", verb], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - t0) * 1e3


def measure(before=None, count=RUNS, seconds=SECONDS):
    with tempfile.TemporaryDirectory(prefix="baton-quiet-", dir="/tmp") as home:
        os.mkdir(f"{home}/music"), os.mkdir(f"{home}/run", 0o700)
        long_track(f"{home}/music/long.wav")
        environment = {**T.PLAIN_ENVIRONMENT, "HOME": home, "XDG_RUNTIME_DIR": f"{home}/run", "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}
        # Not silent as a whole, or it would decode to find what is broken.
        hub = subprocess.Popen([f"{T.BATON_BIN}/batond", "--no-discovery", "--no-demo", "--listen", "127.0.0.1:0", "--audio", "auto", "--music", f"{home}/music"],
                               env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            def baton(*words):
                return subprocess.run([f"{T.BATON_BIN}/baton", *words], env=environment, capture_output=True, text=True, timeout=60, check=False)
            deadline = time.monotonic() + 30
            while baton("status").returncode and time.monotonic() < deadline:
                time.sleep(0.1)
            row = {"status": [], "help": [], "old_status": []}
            for _ in range(count):
                row["help"].append(took_ms(environment, T.BATON_BIN, "--help"))
                row["status"].append(took_ms(environment, T.BATON_BIN, "status"))
                if before:
                    row["old_status"].append(took_ms(environment, before, "status"))
            row = {name: statistics.mean(values) for name, values in row.items() if values}
            baton("rooms", "create", "Quiet", "--output", "null")
            # Half a minute after the last client has gone the hub has given its memory back, and is at rest.
            time.sleep(REST)
            resting = rates(hub.pid, seconds)
            baton("--room", "quiet", "play", f"{home}/music/long.wav")
            state = json.loads(baton("--room", "quiet", "status", "--json").stdout)["tl"]["st"]
            if state != "playing":
                raise RuntimeError(f"the room does not play: {state}")
            time.sleep(REST)
            playing = rates(hub.pid, seconds)
            row.update(share=playing[0] - resting[0], wakes=playing[1] - resting[1], resting_wakes=resting[1])
        finally:
            hub.send_signal(signal.SIGTERM)
            hub.wait(20)
    print(json.dumps(row), flush=True)
    return row


def table(row):
    bars = [("a room without a speaker, playing: share of a core", row["share"] * 100, SHARE_BAR * 100, "%", 3),
            ("the same: wake-ups a second", row["wakes"], WAKES_BAR, "", 2), ("`baton status`, mean", row["status"], STATUS_BAR_MS, " ms", 1)]
    print("| what | ours | bar |  |\n|---|---:|---:|---|")
    for what, value, bar, unit, digits in bars:
        print(f"| {what} | {value:.{digits}f}{unit} | {bar:g}{unit} | {'pass' if value <= bar else 'FAIL'} |")
    old = f", {row['old_status'] / row['status']:.2f} times as long before" if "old_status" in row else ""
    print(f"\n`baton --help` {row['help']:.1f} ms, so `baton status` is {row['status'] / row['help']:.2f} times that{old}. At rest the hub wakes {row['resting_wakes']:.2f} times a second.")
    return all(value <= bar for _, value, bar, _, _ in bars)
