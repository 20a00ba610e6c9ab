# deploy/test: tier 2, judges Sources/Features/Making/BatonMaking Sources/Core/BatonCore/Generation Sources/Platform/Player.
# deploy/test: waits, mostly for music to be made.
"""Made music as it comes out of a pipe: a loop of clips repeats to the sample, another scene takes over at the loop's end without a gap,
and so does the next piece at the end of the one before."""

import json
import subprocess

from Support.hubs import main, wait
from Support.recording import Tape, np
from Support.sessions import Sessions

# As music is made.
MADE_RATE, CHANNELS = 44_100, 2


class Heard(Sessions):
    @classmethod
    def prepare(cls):
        cls.tape = Tape(cls.home, is_first_room=True)
        cls.flags = cls.tape.flags

    def setUp(self):
        self.tape.prepare()

    def test_scenes(self):
        self.home.baton("clips", "start", "driving", "techno", "2/4", "200", "bpm", "--name", "Night")
        self.home.baton("clips", "add", "rhythm", "--bars", "1")
        self.home.baton("clips", "add", "bass", "--bars", "2")
        self.home.baton("clips", "add", "harmony", "--scene", "2", "--bars", "2")
        self.mixed(1, 2)
        seconds = self.mixed(2, 1)
        self.home.baton("clips", "scene", "1", "--play")
        rounds = self.frames(self.tape.next(CHANNELS * int((2 * seconds + 0.5) * MADE_RATE)))
        length = self.period(rounds, seconds)

        self.home.baton("clips", "scene", "2")
        # The player has some rounds of the first scene on their way.
        sound = np.concatenate((rounds, self.frames(self.tape.next(CHANNELS * int((4 * seconds + 4) * MADE_RATE)))))
        changes = np.flatnonzero(np.any(sound[length:] != sound[:-length], axis=1)) + length
        self.assertGreater(len(changes), 0, "the scene has not changed")
        change = int(changes[0])
        begin = change // length * length
        self.assertLess(change - begin, MADE_RATE // 50, "the scenes do not change where the loop ends")
        self.assertEqual(self.period(sound[begin:], seconds), length)
        status = json.loads(self.home.baton("status", "--json"))
        self.assertIn("Night: Scene 2", json.dumps(status))
        self.home.baton("stop")

    def test_pieces(self):
        """A piece that is made while the one before plays follows it without a gap, sample for sample."""
        self.home.baton("compose", "techno 140 bpm /duration 10", "--play")
        first = self.jobs()[0]["uri"]
        begun = self.tape.next(CHANNELS * 1000)
        self.home.baton("compose", "funk 120 bpm /duration 10", "--next")
        paths = [self.ready(first), self.ready(self.jobs()[0]["uri"])]
        made = np.concatenate([self.decoded(path) for path in paths])
        sound = self.frames(np.concatenate((begun, self.tape.rest())))
        self.assertEqual(len(sound), len(made))
        # Decoders round differently, by one.
        self.assertLessEqual(int(np.max(np.abs(sound.astype(int) - made))), 1)

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def ready(self, uri):
        """The path of the sound of a piece, once it is made."""
        job = wait("the piece is made", lambda: next((job for job in self.jobs() if job["uri"] == uri and job["st"] == "ready"), None), 60)
        return f"{self.home.folder}/state/baton/generated/{job['job']}/sound.flac"

    @staticmethod
    def decoded(path):
        made = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"], capture_output=True, check=True)
        return Heard.frames(np.frombuffer(made.stdout, dtype="<i2"))

    @staticmethod
    def frames(samples):
        return samples.reshape(-1, CHANNELS)

    def period(self, sound, seconds):
        """After how many samples it repeats. The length that is told is rounded to a millisecond."""
        about = int(round(seconds * MADE_RATE))
        half = about // 2
        found = [length for length in range(about - 60, about + 61) if np.array_equal(sound[:half], sound[length:length + half])]
        self.assertEqual(len(found), 1, "it does not repeat")
        return found[0]


if __name__ == "__main__":
    main("ffmpeg")
