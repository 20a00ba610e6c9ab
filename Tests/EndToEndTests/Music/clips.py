#!/usr/bin/python3
# deploy/test: alone, for a recording keeps time with the clock on the wall.
"""A session of clips as it is heard: its loop repeats to the sample, and another scene takes over at the loop's end without a gap."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from hubs import main  # noqa: E402
from recording import RATE, level, np, record  # noqa: E402
from sessions import Sessions  # noqa: E402


class Heard(Sessions):
    flags = ("--audio", "pulse/room")

    @classmethod
    def prepare(cls):
        record(cls)

    def test_loop(self):
        # They are short, since the recording lasts as long as they do.
        self.home.baton("clips", "start", "driving", "techno", "2/4", "200", "bpm", "--name", "Night")
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


if __name__ == "__main__":
    main("pulseaudio", "pactl", "parec")
