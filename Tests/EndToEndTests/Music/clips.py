#!/usr/bin/python3
# deploy/test: alone, for a recording keeps time with the clock on the wall.
"""A session of clips as it is heard: its loop repeats to the sample, and another scene takes over at the loop's end without a gap."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from hubs import HubCase, main, wait  # noqa: E402
from recording import RATE, level, np, record  # noqa: E402


class Clips(HubCase):
    flags = ("--audio", "pulse/room")

    @classmethod
    def prepare(cls):
        record(cls)

    def session(self):
        return json.loads(self.home.baton("clips", "show", "--json"))["sessions"][0]

    def mixed(self, scene, count):
        """The length of a scene's loop in seconds, once all of its clips are in it."""
        def is_mixed():
            session = self.session()
            clips = [clip for clip in session["clips"] if clip["scene"] == scene]
            return len(clips) == count and all(clip["st"] == "ready" for clip in clips) and session["scenes"][scene - 1].get("dur")
        wait(f"the loop of scene {scene}", is_mixed, limit=40)
        return self.session()["scenes"][scene - 1]["dur"] / 1000

    def test_loop(self):
        self.home.baton("clips", "start", "driving", "techno", "--name", "Night")
        self.home.baton("clips", "add", "rhythm", "--bars", "1")
        self.home.baton("clips", "add", "bass", "--bars", "2")
        self.home.baton("clips", "add", "harmony", "--scene", "2", "--bars", "2")
        self.mixed(1, 2)
        length = self.mixed(2, 1)
        self.home.baton("volume", "70")
        self.home.baton("clips", "scene", "1", "--play")
        self.recorder.until("the loop", lambda sound: level(sound) > 0.01)
        rounds = self.recorder.next(3 * length + 0.5)
        # The length that is told is rounded to a millisecond, and the sink has another rate than the file.
        first = self.period(rounds, length)
        self.assertLessEqual(abs(self.period(rounds[first:], length) - first), 1, "the second round is longer or shorter than the first")

        self.home.baton("clips", "scene", "2")
        self.recorder.next(length + 1)
        other = self.recorder.next(2 * length + 0.2)
        self.period(other, length)
        self.assertLess(self.likeness(other, rounds, first), 0.9, "the scene has not changed")
        status = json.loads(self.home.baton("status", "--json"))
        self.assertIn("Night: Scene 2", json.dumps(status))

    def period(self, sound, length):
        """After how many samples it repeats, near this length in seconds."""
        about = int(round(length * RATE))
        likeness, samples = max((self.likeness(sound, sound[at:], RATE), at) for at in range(about - 60, about + 61))
        self.assertGreater(likeness, 0.98, "it does not repeat")
        return samples

    def likeness(self, one, other, count):
        return float(np.corrcoef(one[:count], other[:count])[0, 1])


if __name__ == "__main__":
    main("pulseaudio", "pactl", "parec")
