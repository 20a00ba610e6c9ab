# deploy/test: tier 2, judges Sources/Features/Making/BatonMaking Sources/Core/BatonCore/Generation Sources/Programs/baton-composer.
# deploy/test: judges Sources/Platform/Stores/JobStore.
# deploy/test: waits, once, mostly for hubs to start again.
"""The hub, or its composer, is killed while a clip is made and while a scene is mixed: no clip is there twice, no loop is half done, and what
was lost is made again."""

import json
import os
import signal
import subprocess

from Support.hubs import Hub, main, wait
from Support.sessions import Sessions

FILES = ["cover.png", "metadata.json", "score.mid", "sound.flac"]
# A mix may be done before it is found. Each turn of a clip has the scene mixed anew.
TURNS = 20


class Killed(Sessions):
    def begin_again(self):
        """The next hub on the same data."""
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)

    def composers(self):
        """The composers of the hub, by the folders in which they work."""
        found = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    words = file.read().rsplit(")", 1)
                if words[0].endswith("(baton-composer") and int(words[1].split()[1]) == self.hub.process.pid:
                    found[os.readlink(f"/proc/{name}/cwd")] = int(name)
            except (OSError, ValueError, IndexError):
                continue
        return found

    def composer(self):
        return next(iter(self.composers().values()), None)

    def folder(self, name):
        return f"{self.home.folder}/state/baton/generated/{name}"

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def files(self, name):
        return sorted(os.listdir(self.folder(name))) if os.path.isdir(self.folder(name)) else []

    def test_composer(self):
        """A composer that is killed leaves a sentence and no file; taken up again, the session gets its clip."""
        self.home.baton("clips", "start", "slow", "piano", "200", "bpm")
        self.home.baton("clips", "add", "harmony", "--bars", "16")
        os.kill(wait("the clip is made", self.composer), signal.SIGKILL)
        wait("it has failed", lambda: self.jobs()[0]["st"] == "failed")
        self.assertIn("signal 9", self.jobs()[0]["msg"])
        job = self.jobs()[0]["job"]
        wait("its files are gone", lambda: not self.files(job))
        before = len(self.jobs())
        self.home.baton("clips", "resume")
        self.mixed(1, 1)
        self.assertEqual(len(self.jobs()), before)
        self.assertEqual(self.files(job), FILES)

    def test_hub(self):
        """A hub that is killed while a clip is made goes on with it: one clip, whole, and in the loop."""
        self.home.baton("clips", "start", "techno", "200", "bpm")
        before = len(self.jobs())
        self.home.baton("clips", "add", "rhythm", "--bars", "16")
        wait("the clip is made", self.composer)
        self.begin_again()
        self.assertAlmostEqual(self.mixed(1, 1), 16 * 4 * 60 / 200, delta=0.01)
        self.assertEqual(len(self.jobs()), before + 1)
        self.assertEqual(self.files(self.jobs()[0]["job"]), FILES)

    # ---- While a scene is mixed.
    def two_clips(self):
        """A new session with two clips that sound; its folder of the first scene."""
        self.home.baton("clips", "start", "techno", "200", "bpm")
        for layer in ("bass", "lead"):
            self.home.baton("clips", "add", layer, "--bars", "16")
        self.mixed(1, 2)
        return f"{self.session()['session']}-s1"

    def stopped_mix(self, scene):
        """A process that mixes the scene, stopped before it is done."""
        for turn in range(TURNS):
            self.home.baton("clips", "on" if turn % 2 else "off", "lead")
            wanted = [1, turn % 2]

            def found():
                number = self.composers().get(self.folder(scene))
                return number or ([clip.get("heard", 0) for clip in self.session()["clips"]] == wanted and -1)
            number = wait("the scene is mixed", found, every=0)
            if number < 0:
                continue
            try:
                os.kill(number, signal.SIGSTOP)
            except ProcessLookupError:
                continue
            if self.composers().get(self.folder(scene)) == number and not self.is_ended(number):
                return number, wanted
        self.fail(f"none of {TURNS} mixes was found while it was made")

    @staticmethod
    def is_ended(number):
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] in "ZX"

    def is_whole(self, scene, wanted):
        wait("the scene is mixed", lambda: [clip.get("heard", 0) for clip in self.session()["clips"]] == wanted)
        self.assertNotIn("msg", self.session()["scenes"][0])
        wait("nothing else is left", lambda: self.files(scene) == ["sound.flac"])
        self.plays(scene)

    def plays(self, scene):
        subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", f"{self.folder(scene)}/sound.flac", "-f", "null", "-"], check=True)

    def test_mixer(self):
        """A composer that is killed while it mixes leaves the loop before as it was and a sentence; taken up again, the session is mixed."""
        scene = self.two_clips()
        number, wanted = self.stopped_mix(scene)
        before = os.stat(f"{self.folder(scene)}/sound.flac").st_ino
        os.kill(number, signal.SIGKILL)
        wait("the scene says why", lambda: "signal 9" in self.session()["scenes"][0].get("msg", ""))
        self.assertIn("stays as it was", self.home.baton("clips", "show"))
        self.assertEqual(os.stat(f"{self.folder(scene)}/sound.flac").st_ino, before)
        self.plays(scene)
        self.home.baton("clips", "resume")
        self.is_whole(scene, wanted)

    def test_mixing_hub(self):
        """A hub that is killed while a scene is mixed has it mixed at its next start, also beside the composer that it left behind."""
        scene = self.two_clips()
        number, wanted = self.stopped_mix(scene)
        self.addCleanup(self.end, number)
        self.begin_again()
        os.kill(number, signal.SIGCONT)
        self.is_whole(scene, wanted)

    @staticmethod
    def end(number):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass


if __name__ == "__main__":
    main("ffmpeg")
