# deploy/test: tier 2.
# deploy/test: judges Sources/Features/Making/MusicWorkers Sources/Features/Making/BatonMaking Sources/Platform/Processes/WorkerPrograms examples/worker.
"""Music from prompts, made by programs: it is queued at once, shown while it is made, played when it is ready, and made once.

One worker is examples/worker/tones.py behind bubblewrap; the other does what its prompt says, slowly or badly."""

import json
import os
import unittest
import urllib.request

from Support.hubs import Home, Hub, main, wait

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TONES = os.path.normpath(os.path.join(HERE, "../../examples/worker/tones.py"))
ABC = TONES.replace("tones.py", "abc.py")

# Does what the first word of the prompt says. What it did is written down, a line each time.
STEERED = """#!/usr/bin/python3
import json, os, sys, time, wave
request = json.loads(sys.stdin.readline())
word = request["prompt"].split()[0]
with open(os.path.dirname(os.path.abspath(__file__)) + "/runs", "a") as file:
    file.write(f"{word} {os.getpid()}\\n")
def say(**members): print(json.dumps(members), flush=True)
here = os.path.dirname(os.path.abspath(__file__))
if word == "bad": say(error="There is no sound font."); sys.exit(1)
if word == "noise": sys.stdout.buffer.write(b"\\xff{]\\n" * 100); sys.exit(0)
if word == "empty": say(artifact={"path": "none.wav", "durationMs": 5}); sys.exit(0)
percent = 0
while word == "held" and not os.path.exists(here + "/release"):
    percent = min(percent + 1, 90)
    say(progress=percent / 100, message="holding")
    time.sleep(0.05)
with wave.open("sound.wav", "wb") as file:
    file.setnchannels(1); file.setsampwidth(2); file.setframerate(8000); file.writeframes(b"\\1\\0" * 8000 * 20)
say(artifact={"path": "sound.wav", "durationMs": 20000, "title": "Held " + request["seed"]})
"""


class Imagining(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.work = f"{self.home.folder}/worker"
        os.mkdir(self.work)
        with open(f"{self.work}/steered.py", "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(STEERED)
        self.config = f"{self.home.folder}/batond.conf"
        with open(self.config, "w") as file:
            file.write(f"[worker tones]\nprogram = {TONES}\n[worker abc]\nprogram = {ABC}\n[worker steered]\nprogram = {self.work}/steered.py\nsandbox = off\n")
        self.begin()

    def begin(self):
        self.hub = Hub(self.home, "--audio", "null", "--config", self.config)
        self.addCleanup(self.hub.kill)

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def job(self, sentence, condition, at=0):
        def found():
            rows = self.jobs()
            return len(rows) > at and condition(rows[at]) and rows[at]
        return wait(sentence, found)

    def queue(self):
        return json.loads(self.home.baton("queue", "--json"))["rows"]

    def runs(self):
        try:
            with open(f"{self.work}/runs") as file:
                return file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []

    def release(self):
        with open(f"{self.work}/release", "w"):
            pass

    def imagine(self, *words):
        self.home.baton("imagine", *words, "--worker", "steered")

    @unittest.skipUnless(os.access("/usr/bin/bwrap", os.X_OK), "there is no bubblewrap here")
    def test_tones(self):
        """A piece of the sample worker, behind bubblewrap, plays as soon as it is ready, under the entry that it had."""
        self.home.baton("imagine", "slow piano /duration 10 /seed 11", "--worker", "tones", "--play")
        row = self.queue()[0]
        self.assertEqual((row["kind"], row["title"]), ("generation", "slow piano"))
        status = self.home.reaches("the piece plays", lambda status: (status.get("tl") or {}).get("st") == "playing", 60)
        self.assertEqual((status["now"]["title"], status["now"]["uri"]), ("Slow Piano", row["uri"]))
        self.assertEqual(self.queue()[0]["entry"], row["entry"])
        job = self.job("it is ready", lambda job: job["st"] == "ready")
        self.assertAlmostEqual(job["dur"], 10000, delta=1500)
        folder = f"{self.home.folder}/state/baton/generated/{job['job']}"
        with open(f"{folder}/metadata.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["request"]["seed"], "11")

    @unittest.skipUnless(
        all(map(os.path.exists, ("/usr/bin/bwrap", "/usr/bin/abc2midi", "/usr/bin/fluidsynth", "/usr/share/sounds/sf2"))),
        "there is no bubblewrap, abc2midi, fluidsynth or sound font here")
    def test_tune(self):
        """The sample worker that has other programs play its tune works behind bubblewrap, too."""
        self.home.baton("imagine", "a tune /duration 20 /seed 3", "--worker", "abc", "--no-queue")
        job = self.job("it is ready", lambda job: job["st"] in ("ready", "failed"))
        self.assertEqual((job["st"], job.get("msg")), ("ready", None))
        self.assertAlmostEqual(job["dur"], 20000, delta=6000)

    @unittest.skipUnless(os.path.exists("/usr/share/sounds/sf2"), "there is no sound font here")
    def test_composed(self):
        """The composer in the hub makes a piece without any setting, and it plays."""
        self.home.baton("compose", "slow piano for rain /duration 10 /seed 11", "--play")
        row = self.queue()[0]
        status = self.home.reaches("the piece plays", lambda status: (status.get("tl") or {}).get("st") == "playing", 60)
        self.assertEqual((status["now"]["uri"], self.queue()[0]["entry"]), (row["uri"], row["entry"]))
        job = self.job("it is ready", lambda job: job["st"] == "ready" and job["worker"] == "composer")
        self.assertEqual(status["now"]["title"], job["title"])
        names = os.listdir(f"{self.home.folder}/state/baton/generated/{job['job']}")
        self.assertLessEqual({"sound.flac", "score.mid", "metadata.json"}, set(names))
        found = json.loads(self.home.baton("search", job["title"].split()[0], "--json"))["rows"]
        self.assertIn(row["uri"], [one["uri"] for one in found])

    def test_turns(self):
        """One piece at a time is made; progress is shown; a skipped one is passed over, and one that is taken out is not made."""
        self.imagine("held one")
        self.imagine("held two")
        self.job("progress", lambda job: job["st"] == "running" and job["pct"] >= 3 and job["msg"] == "holding", 1)
        self.assertEqual(self.jobs()[0]["st"], "submitting")
        wait("all see it", lambda: [row["st"] for row in self.hub.section("jobs")["jobs"]] == ["submitting", "running"])
        pid = int(self.runs()[0].split()[1])
        self.home.baton("queue", "remove", "1")
        self.job("the first was cancelled", lambda job: job["st"] == "cancelled", 1)
        wait("its program has ended", lambda: not os.path.exists(f"/proc/{pid}"))
        self.job("the second is made", lambda job: job["st"] == "running")
        self.release()
        ready = self.job("the second is ready", lambda job: job["st"] == "ready")
        self.assertEqual([row["title"] for row in self.queue()], [ready["title"]])
        self.home.baton("play")
        self.home.reaches("it plays", lambda status: (status.get("tl") or {}).get("st") == "playing")

    def test_killed(self):
        """After the hub was killed the job is made anew, under its id and its entry."""
        self.imagine("held one", "--next")
        self.job("it is made", lambda job: job["st"] == "running")
        before = (self.queue()[0]["entry"], self.queue()[0]["uri"])
        self.hub.kill()
        self.begin()
        self.job("it is made again", lambda job: job["st"] == "running")
        self.release()
        self.job("it is ready", lambda job: job["st"] == "ready")
        self.assertEqual((self.queue()[0]["entry"], self.queue()[0]["uri"]), before)
        self.assertEqual(len(self.jobs()), 1)

    def test_failures(self):
        """What a worker does wrong is a sentence, and the piece can be made anew; what was typed wrong is shown with its place."""
        for word, part in (("bad", "no sound font"), ("noise", "made nothing"), ("empty", "none.wav")):
            self.imagine(word)
            job = self.job(word, lambda job: job["st"] == "failed")
            self.assertIn(part, job["msg"])
        os.rename(f"{self.work}/steered.py", f"{self.work}/hidden.py")
        self.imagine("held")
        self.job("no program", lambda job: job["st"] == "failed" and "steered.py" in job["msg"])
        os.rename(f"{self.work}/hidden.py", f"{self.work}/steered.py")
        self.release()
        self.home.baton("jobs", "retry", "1")
        self.job("made anew", lambda job: job["st"] == "ready")
        said = self.home.run(f"{os.path.dirname(self.hub.process.args[0])}/baton", "imagine", "rain /duration 9999")
        self.assertEqual(said.returncode, 2)
        self.assertIn("seconds from 10 to 180", said.stderr)
        self.assertIn("     ^^^^^^^^^^^^^^", said.stderr)

    def test_typed(self):
        """Settings hold for what follows, presets have names, and earlier prompts are there after a kill of the hub."""
        self.assertIn("no settings", self.home.baton("imagine", "/show"))
        self.assertIn("/duration 10 /seed 5", self.home.baton("imagine", "/duration 10 /seed 5"))
        self.home.baton("presets", "save", "Sunday", "held waltz")
        self.home.baton("imagine", "--preset", "sunday", "--no-queue", "--worker", "steered")
        # Earlier prompts are kept after the answer, and read after what was to be kept before.
        self.home.baton("prompts")
        self.hub.kill()
        self.begin()
        said = self.home.baton("prompts")
        self.assertIn("/duration 10 /seed 5", said)
        self.assertIn("held waltz", said)
        self.assertIn("Slow rain", self.home.baton("presets"))
        self.home.baton("prompts", "forget", "1")
        self.assertNotIn("held waltz", self.home.baton("prompts"))
        self.assertIn("no settings", self.home.baton("imagine", "/reset"))
        self.assertIn("/duration N", self.home.baton("imagine", "/help"))

    def test_once(self):
        """The same press that arrives twice makes one job and one entry, also over a kill of the hub."""
        body = {"t": "cmd", "id": 1, "m": "job.start", "k": "press-0001", "p": {"kind": "generation", "text": "held", "worker": "steered"}}

        def press():
            request = urllib.request.Request(
                f"{self.hub.page}/baton/cmd", json.dumps(body).encode(), {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        first = press()
        again = press()
        self.assertEqual((first["d"], first["queue"]["ids"]), (again["d"], again["queue"]["ids"]))
        self.hub.kill()
        self.begin()
        self.assertEqual(press()["d"], first["d"])
        self.assertEqual((len(self.jobs()), len(self.queue())), (1, 1))


if __name__ == "__main__":
    main()
