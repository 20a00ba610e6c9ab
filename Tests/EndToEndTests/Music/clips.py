#!/usr/bin/python3
# deploy/test: tier 2, judges Sources/Hub/BatonHub/Sources/Generating Sources/Core/BatonCore/Generation Sources/Platform/Player.
# deploy/test: records, for a recording keeps time with the clock on the wall.
"""Made music as it is heard: a loop of clips repeats to the sample, another scene takes over at the loop's end without a gap, and so does
the next piece at the end of the one before."""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from hubs import main, wait  # noqa: E402
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

    def test_pieces(self):
        """A piece that is made while the one before plays follows it without a gap, sample for sample."""
        # A gap in the hub shows each time; one that the machine's load tears shows once.
        reports = []
        for turn in range(3):
            reports.append(self.gap(f"techno 140 bpm /duration 10 /seed {turn}", f"funk 120 bpm /duration 10 /seed {turn}"))
            if reports[-1] is None:
                return
        self.fail("; ".join(reports))

    LAST_S = 3

    def gap(self, first, second):
        """What is wrong with the join of two pieces; nothing, if they are one sound."""
        self.home.baton("volume", "70")
        self.home.baton("stop")
        self.home.baton("compose", first, "--play")
        uri = self.jobs()[0]["uri"]

        def plays(status):
            return (status.get("tl") or {}).get("st") == "playing" and status["now"]["uri"] == uri
        self.home.reaches("the first piece plays", plays, 60)
        self.home.baton("pause")
        self.home.baton("compose", second, "--next")
        paths = [self.ready(uri), self.ready(self.jobs()[0]["uri"])]
        before, after = map(self.decoded, paths)
        self.home.baton("seek", f"0:{10 - self.LAST_S:02}")
        start = self.recorder.now
        self.home.baton("play")
        self.home.reaches("the second piece plays", lambda status: status["now"]["uri"] != uri)
        sound = self.recorder.heard(start, self.recorder.now - start + 3 * RATE)
        self.home.baton("stop")
        ends = [before[-2 * RATE:-RATE], after[:RATE]]
        places = [self.place(end, sound) for end in ends]
        apart = places[1] - places[0] - 2 * RATE
        alike = [round(self.likeness(end, sound[place:], RATE), 3) for end, place in zip(ends, places)]
        return None if abs(apart) <= 1 and min(alike) > 0.98 else f"the second piece begins {apart} samples late; likeness {alike}"

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def ready(self, uri):
        """The path of the sound of a piece, once it is made."""
        job = wait("the piece is made", lambda: next((job for job in self.jobs() if job["uri"] == uri and job["st"] == "ready"), None), 60)
        return f"{self.home.folder}/state/baton/generated/{job['job']}/sound.flac"

    @staticmethod
    def decoded(path):
        """As the recorder hears it: one channel, at its rate."""
        made = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"], capture_output=True, check=True)
        return np.frombuffer(made.stdout, dtype="<f4")

    @staticmethod
    def place(part, sound):
        """Where in the sound it is heard, to the sample: where both are most alike, however loud they are."""
        size = 1 << (len(part) + len(sound)).bit_length()
        shared = np.fft.irfft(np.fft.rfft(sound, size) * np.conj(np.fft.rfft(part, size)), size)[:len(sound) - len(part) + 1]
        energy = np.concatenate(([0], np.cumsum(sound**2)))
        return int(np.argmax(shared / np.sqrt(energy[len(part):] - energy[:-len(part)] + 1e-3)))

    def period(self, sound, length):
        """After how many samples it repeats, near this length in seconds."""
        about = int(round(length * RATE))
        likeness, samples = max((self.likeness(sound, sound[at:], RATE // 2), at) for at in range(about - 60, about + 61))
        self.assertGreater(likeness, 0.98, "it does not repeat")
        return samples

    def likeness(self, one, other, count):
        return float(np.corrcoef(one[:count], other[:count])[0, 1])


if __name__ == "__main__":
    main("pulseaudio", "pactl", "parec", "ffmpeg")
