"""What a composed piece costs: baton-composer beside `fluidsynth -ni -F` on the score that it wrote, with the same font.

Both run one after the other in each round; a cell is the median of the rounds."""
import json, os, resource, statistics, subprocess, tempfile, time

import runs

FONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"
# Lively enough to have all eight parts.
PROMPT, SEED = "upbeat pop", "1"
LENGTHS = (60, 180)
CPU_BAR, PACE_BAR = 1.3, 15


def timed(command, **more):
    """CPU seconds and seconds of a command, and what it printed."""
    before, t0 = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, check=True, capture_output=True, **more)
    took, after = time.monotonic() - t0, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, took, done.stdout


def measure(program, seconds):
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        request = json.dumps({"prompt": PROMPT, "seed": SEED, "durationS": seconds, "soundfont": FONT}).encode()
        ours, took, said = timed([program], input=request, env={"BATON_JOB_DIR": folder, "PATH": "/usr/bin:/bin"})
        assert "artifact" in json.loads(said.splitlines()[-1]), said[-300:]
        with open(f"{folder}/metadata.json", encoding="utf-8") as file:
            parts = len(json.load(file)["plan"]["theme"]["instrumentation"])
        theirs, their_time, _ = timed(["fluidsynth", "-ni", "-F", f"{folder}/plain.wav", FONT, f"{folder}/score.mid"])
    return {"seconds": seconds, "parts": parts, "cpu": ours, "took": took, "their_cpu": theirs, "their_time": their_time}


def run(rounds):
    d = runs.load()
    d["composing"] = []
    program = os.path.join(os.environ["BATON_BIN"], "baton-composer")
    for _ in range(rounds):
        for seconds in LENGTHS:
            d["composing"].append(measure(program, seconds))
            runs.save(d)


def table(d):
    print("| piece | CPU beside fluidsynth | bar | times real time | bar |  |\n|---|---:|---:|---:|---:|---|")
    holds = bool(d.get("composing"))
    for seconds in LENGTHS:
        rows = [row for row in d.get("composing", []) if row["seconds"] == seconds]
        if not rows:
            holds = False
            continue
        ratio = statistics.median(row["cpu"] / row["their_cpu"] for row in rows)
        pace = statistics.median(seconds / row["took"] for row in rows)
        good = ratio <= CPU_BAR and pace >= PACE_BAR and rows[0]["parts"] == 8
        holds = holds and good
        print(f"| {seconds} s, {rows[0]['parts']} parts | {ratio:.2f}x ({statistics.median(row['cpu'] for row in rows):.2f} s) | {CPU_BAR}x"
              f" | {pace:.1f}x | {PACE_BAR}x | {'pass' if good else 'FAIL'} |")
    return holds
