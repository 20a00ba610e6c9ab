# deploy/test: tier 1, judges Sources/Platform/Player.
# deploy/test: records, for a recording keeps time with the clock on the wall.
"""What is really heard: a sound server's null sink is recorded while the hub is steered.

The recording alone is the witness. It shows how loud, how silent, and where in a track. Nothing is measured by a clock but the
recorder's own. That two tracks of one album join without a gap is shown by the samples that the hub writes to a pipe.
"""

import unittest

from Support.fixtures import kept, lavfi, make
from Support.hubs import Home, Hub, HubCase, main
from Support.recording import RATE, Recorder, SoundServer, Tape, is_silent, level, np, pitch, record, torn


class WhatIsHeard(HubCase):
    """One hub and one recorder. Each ten seconds of the track have a tone of their own."""

    flags = ("--audio", "pulse/room")
    AMPLITUDE = 0.5

    @classmethod
    def prepare(cls):
        record(cls)
        cls.tape = Tape(cls.home)
        cls.flags = (*cls.flags, *cls.tape.flags)
        cls.steps = lavfi(f"{cls.home.music}/steps.flac", f"aevalsrc=exprs='{cls.AMPLITUDE}*sin(2*PI*t*(400+100*floor(t/10)))':s={RATE}:d=60")

    def play(self, path, at=60):
        self.home.baton("volume", str(at))
        self.home.baton("play", path)
        self.home.reaches("playing", lambda status: status["tl"]["st"] == "playing")
        self.recorder.until("a tone", lambda sound: level(sound) > 0.01)

    def is_heard(self, sound, hertz, at):
        return abs(pitch(sound) - hertz) < 2 and abs(level(sound) / (self.AMPLITUDE * (at / 100) ** 3) - 1) < 0.03

    def assertHeard(self, hertz, at, seconds=0.5):
        """A tone at a volume: comes, as what was on its way has been heard, and stays. Gives back its level."""
        last = []

        def comes(sound):
            last[:] = [round(pitch(sound), 1), round(level(sound), 4)]
            return self.is_heard(sound, hertz, at)
        try:
            self.recorder.until(f"{hertz} Hz at volume {at}", comes)
        except AssertionError as late:
            raise AssertionError(f"{late}; heard last: {last[0]} Hz, {last[1]}") from None
        sound = self.recorder.next(seconds)
        self.assertTrue(self.is_heard(sound, hertz, at), f"{pitch(sound)} Hz at {level(sound)}, not {hertz} Hz at volume {at}")
        return level(sound)

    def assertSilent(self, why, seconds=0.5):
        self.recorder.until(f"silence, since {why}", is_silent)
        self.assertTrue(is_silent(self.recorder.next(seconds)), f"{why}, and yet something is heard")

    def test_level(self):
        """The level follows the cube of the volume, and muted is silence."""
        self.play(self.steps, at=60)
        loud = self.assertHeard(400, at=60)
        self.home.baton("volume", "30")
        soft = self.assertHeard(400, at=30)
        self.assertAlmostEqual(loud / soft, 8, delta=0.3)
        self.home.baton("volume", "+10")
        self.assertHeard(400, at=40)
        self.home.baton("mute", "on")
        self.assertSilent("muted")
        self.home.baton("mute", "off")
        self.assertHeard(400, at=40)
        self.home.baton("volume", "0")
        self.assertSilent("at volume 0")
        self.home.baton("stop")

    def test_silence(self):
        """Paused and stopped are silence, and playing on is the same tone."""
        self.play(self.steps)
        for _ in range(2):
            self.home.baton("pause")
            self.assertSilent("paused", seconds=1)
            self.home.baton("play")
            self.assertHeard(400, at=60)
        self.home.baton("stop")
        self.assertSilent("stopped")

    def test_seek(self):
        """A seek is heard where it was asked for, in each way of asking."""
        self.play(self.steps)
        for words, hertz in [("0:35", 700), ("+10", 800), ("-25", 600), ("90%", 900), ("0:11", 500)]:
            self.home.baton("seek", words)
            self.assertHeard(hertz, at=60, seconds=0.3)
        self.home.baton("stop")

    def test_position(self):
        """A position is exact: sought to a second before a change of tone, the change is heard a second later."""
        self.play(self.steps)
        self.home.baton("pause")
        self.home.baton("seek", "0:29")
        start = self.recorder.until("silence", is_silent, window=0.3)
        self.home.baton("play")
        seen = self.recorder.until("the tone before the change", lambda sound: level(sound) > 0.05)
        sound = self.recorder.heard(start, seen - start + 2 * RATE)
        onset = int(np.argmax(np.abs(sound) > 0.02))
        block = RATE // 100
        pitches = [self.pitch_of(sound[at:at + block]) for at in range(onset + block, onset + 2 * RATE - block, block // 4)]
        change = next(index for index, hertz in enumerate(pitches) if hertz > 650)
        heard = (block + change * block // 4 + block / 2) / RATE
        self.assertTrue(all(580 < hertz < 620 for hertz in pitches[:change - 4]), "something else than the tone before the change")
        self.assertAlmostEqual(heard, 1.0, delta=0.03)
        self.home.baton("stop")

    @staticmethod
    def pitch_of(sound):
        """Good enough for a hundredth of a second: half the sign changes."""
        signs = np.flatnonzero(np.diff(np.signbit(sound)))
        return (len(signs) - 1) / 2 * RATE / (signs[-1] - signs[0]) if len(signs) > 2 else 0.0

    def test_join(self):
        """Two tracks cut from one tone join without a gap, sample for sample."""
        hertz, halves = 441.3, [f"{self.home.music}/join-{half}.flac" for half in "ab"]
        whole = kept(".wav", "-f", "lavfi", "-i", f"aevalsrc=exprs='0.5*sin(2*PI*{hertz}*t)':s={RATE}:d=5")
        # Cut where no period ends.
        cut = 2 * RATE + 1234
        for half, trim in zip(halves, [f"end_sample={cut}", f"start_sample={cut}"]):
            make(half, "-i", whole, "-af", f"atrim={trim},asetpts=N/SR/TB", "-c:a", "flac")
        self.assertIsNone(torn(self.tape.play(*halves), hertz, 5))


class WithoutASoundCard(unittest.TestCase):
    """No device is no reason to stop."""

    def test_recovery(self):
        """Without a device the hub plays on and says so; when one comes it is heard, whatever becomes of it."""
        home = Home()
        self.addCleanup(home.close)
        tone = lavfi(f"{home.music}/tone.flac", f"sine=frequency=500:sample_rate={RATE}:duration=300")
        hub = Hub(home, "--audio", "auto")
        self.addCleanup(hub.kill)

        def problems(status):
            return [problem["msg"] for problem in status["hub"].get("problems", [])]

        home.baton("play", tone)
        troubled = home.reaches("a sentence about the sound", lambda status: any("heard" in sentence for sentence in problems(status)))
        home.reaches("playing on", lambda status: status["tl"]["st"] == "playing" and status["positionMs"] > troubled["positionMs"] + 500)
        for _ in range(2):
            server = SoundServer(home)
            self.addCleanup(server.close)
            recorder = Recorder(home)
            recorder.until("the tone", lambda sound: abs(pitch(sound) - 500) < 10 and level(sound) > 0.0005)
            recorder.close()
            home.reaches("no more complaint", lambda status: not problems(status))
            server.close()
            home.reaches("the sentence again", lambda status: any("heard" in sentence for sentence in problems(status)))
            home.reaches("playing on", lambda status: status["tl"]["st"] == "playing")
        self.assertEqual(hub.stop(), 0)


if __name__ == "__main__":
    main("pulseaudio", "pactl", "parec", "ffmpeg")
