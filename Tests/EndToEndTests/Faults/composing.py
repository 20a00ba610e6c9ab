# deploy/test: tier 2, judges Sources/Features/Making/BatonMaking Sources/Programs/baton-composer Sources/Platform/Stores/JobStore.
# deploy/test: waits, once, mostly for hubs to start again.
"""The hub, or its composer, is killed at every step of a piece: no prompt is lost, no job is there twice, and no file is half done."""

import json
import os
import signal
import subprocess
import unittest

from Support.hubs import Home, Hub, binaries, main, wait

# Passes on what the composer says, up to the line that is named in the file `step`; then the composer goes on, and is not heard.
HELD = """#!/usr/bin/python3
import os, subprocess, sys, time
here = os.path.dirname(os.path.abspath(__file__))
word = open(here + "/step").read()
composer = subprocess.Popen([COMPOSER, *sys.argv[1:]], stdout=subprocess.PIPE)
if not sys.argv[1:]:
    with open(here + "/runs", "a") as file: file.write(f"{os.getpid()}\\n")
for line in composer.stdout:
    if word and word.encode() in line and not sys.argv[1:]:
        open(here + "/held", "w").close()
        composer.stdout.read()
        time.sleep(600)
    os.write(1, line)
sys.exit(composer.wait())
"""
STEPS = ("composing", "playing the", "setting the loudness", "writing the files", "artifact")
FILES = ["cover.png", "metadata.json", "score.mid", "sound.flac"]


@unittest.skipUnless(os.path.exists("/usr/share/sounds/sf2"), "there is no sound font here")
class Killed(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.work = f"{self.home.folder}/composer"
        os.mkdir(self.work)
        with open(f"{self.work}/held.py", "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(HELD.replace("COMPOSER", repr(f"{binaries()}/baton-composer")))
        self.home.environment["BATON_COMPOSER"] = f"{self.work}/held.py"
        self.hold("")
        self.begin()
        self.addCleanup(self.end_composers)

    def begin(self):
        self.hub = Hub(self.home, "--audio", "null")
        self.addCleanup(self.hub.kill)

    def hold(self, word):
        with open(f"{self.work}/step", "w") as file:
            file.write(word)

    def runs(self):
        try:
            with open(f"{self.work}/runs") as file:
                return [int(line) for line in file]
        except FileNotFoundError:
            return []

    def end_composers(self):
        """Each has a process group of its own, which only a hub that lives ends."""
        for number in self.runs():
            try:
                os.killpg(number, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def held_at(self, step):
        """A piece whose composer is not heard from this step on."""
        self.hold(step)
        self.home.baton("compose", f"{step} /duration 10 /seed 3", "--add")
        wait(f"the composer is at {step}", lambda: os.path.exists(f"{self.work}/held"))
        os.remove(f"{self.work}/held")
        self.hold("")

    def is_whole(self, step, count):
        """The piece is ready, once, under its one entry; its sound is whole and nothing else is left."""
        wait(f"the piece is ready after {step}", lambda: self.jobs()[0]["st"] == "ready")
        jobs, queue = self.jobs(), json.loads(self.home.baton("queue", "--json"))["rows"]
        self.assertEqual((len(jobs), len(queue)), (count, count))
        self.assertEqual((queue[-1]["uri"], queue[-1]["durMs"]), (jobs[0]["uri"], 10_000))
        self.assertEqual(jobs[0]["prompt"] if "prompt" in jobs[0] else jobs[0]["title"], step)
        folder = f"{self.home.folder}/state/baton/generated/{jobs[0]['job']}"
        self.assertEqual(sorted(os.listdir(folder)), FILES)
        subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", f"{folder}/sound.flac", "-f", "null", "-"], check=True)

    def test_hub(self):
        """A hub that is killed at any step has the piece made once more, and the composer that it left behind spoils nothing."""
        for number, step in enumerate(STEPS, 1):
            self.held_at(step)
            self.hub.kill()
            self.begin()
            self.is_whole(step, number)
        self.assertEqual(len(self.runs()), 2 * len(STEPS))

    def test_composer(self):
        """A composer that is killed gives the piece a sentence, and the piece can be made anew under its entry."""
        for number, step in enumerate((STEPS[1], STEPS[-1]), 1):
            self.held_at(step)
            os.killpg(self.runs()[-1], signal.SIGKILL)
            wait("the job failed", lambda: self.jobs()[0]["st"] == "failed")
            self.assertIn("ended by signal 9", self.jobs()[0]["msg"])
            self.home.baton("jobs", "retry", "1")
            self.is_whole(step, number)


if __name__ == "__main__":
    main("ffmpeg")
