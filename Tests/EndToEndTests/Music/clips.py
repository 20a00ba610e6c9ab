#!/usr/bin/python3
# deploy/test: alone, for a recording keeps time with the clock on the wall.
"""A session of clips as it is heard: its loop repeats to the sample, and another scene takes over at the loop's end without a gap. What is killed
while a clip is made leaves no half file and no second clip."""

import json
import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from hubs import Hub, HubCase, main, wait  # noqa: E402
from recording import RATE, level, np, record  # noqa: E402


class Sessions(HubCase):
    def session(self):
        return json.loads(self.home.baton("clips", "show", "--json"))["sessions"][0]

    def mixed(self, scene, count):
        """The length of a scene's loop in seconds, once all of its clips are in it."""
        def is_mixed():
            session = self.session()
            clips = [clip for clip in session["clips"] if clip["scene"] == scene]
            return [clip.get("heard") for clip in clips] == [1] * count
        wait(f"the loop of scene {scene}", is_mixed, limit=40)
        return self.session()["scenes"][scene - 1]["dur"] / 1000


class Heard(Sessions):
    flags = ("--audio", "pulse/room")

    @classmethod
    def prepare(cls):
        record(cls)

    def test_loop(self):
        # They are short, since the recording lasts as long as they do.
        self.home.baton("clips", "start", "driving", "techno", "200", "bpm", "--name", "Night")
        self.home.baton("clips", "add", "rhythm", "--bars", "1")
        self.home.baton("clips", "add", "bass", "--bars", "2")
        self.home.baton("clips", "add", "harmony", "--scene", "2", "--bars", "2")
        self.mixed(1, 2)
        length = self.mixed(2, 1)
        self.home.baton("volume", "70")
        self.home.baton("clips", "scene", "1", "--play")
        self.recorder.until("the loop", lambda sound: level(sound) > 0.01)
        rounds = self.recorder.next(2 * length + 0.6)
        # The length that is told is rounded to a millisecond, and the sink has another rate than the file.
        first = self.period(rounds, length)
        self.assertLessEqual(abs(self.period(rounds[first:], length) - first), 1, "the second round is longer or shorter than the first")

        self.home.baton("clips", "scene", "2")
        self.recorder.next(length + 0.3)
        other = self.recorder.next(length + 0.6)
        self.period(other, length)
        self.assertLess(self.likeness(other, rounds, first), 0.9, "the scene has not changed")
        status = json.loads(self.home.baton("status", "--json"))
        self.assertIn("Night: Scene 2", json.dumps(status))

    def period(self, sound, length):
        """After how many samples it repeats, near this length in seconds."""
        about = int(round(length * RATE))
        likeness, samples = max((self.likeness(sound, sound[at:], RATE // 2), at) for at in range(about - 60, about + 61))
        self.assertGreater(likeness, 0.98, "it does not repeat")
        return samples

    def likeness(self, one, other, count):
        return float(np.corrcoef(one[:count], other[:count])[0, 1])


class Killed(Sessions):
    def composer(self):
        """The process that makes a clip now."""
        hub = self.hub.process.pid
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    words = file.read().rsplit(")", 1)
            except (OSError, ValueError):
                continue
            if len(words) == 2 and words[0].endswith("(baton-composer") and int(words[1].split()[1]) == hub:
                return int(name)
        return None

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def files(self, job):
        folder = f"{self.home.folder}/state/baton/generated/{job}"
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

    def test_composer(self):
        """A composer that is killed leaves a sentence and no file; taken up again, the session gets its clip."""
        self.home.baton("clips", "start", "slow", "piano", "120", "bpm")
        self.home.baton("clips", "add", "harmony", "--bars", "32")
        os.kill(wait("the clip is made", self.composer), signal.SIGKILL)
        wait("it has failed", lambda: self.jobs()[0]["st"] == "failed")
        self.assertIn("signal 9", self.jobs()[0]["msg"])
        job = self.jobs()[0]["job"]
        wait("its files are gone", lambda: not self.files(job))
        self.home.baton("clips", "resume")
        self.mixed(1, 1)
        self.assertEqual([row["job"] for row in self.jobs()], [job])
        self.assertEqual(self.files(job), ["cover.png", "metadata.json", "score.mid", "sound.flac"])

    def test_hub(self):
        """A hub that is killed while a clip is made goes on with it: one clip, whole, and in the loop."""
        self.home.baton("clips", "start", "techno", "120", "bpm")
        before = len(self.jobs())
        self.home.baton("clips", "add", "rhythm", "--bars", "32")
        wait("the clip is made", self.composer)
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        self.assertAlmostEqual(self.mixed(1, 1), 32 * 4 * 60 / 120, delta=0.01)
        self.assertEqual(len(self.jobs()), before + 1)
        self.assertEqual(self.files(self.jobs()[0]["job"]), ["cover.png", "metadata.json", "score.mid", "sound.flac"])


if __name__ == "__main__":
    main("pulseaudio", "pactl", "parec")
