#!/usr/bin/python3
# deploy/test: tier 2, judges Sources/Platform/Player Sources/Core/BatonCore/Listening Sources/Hub/BatonHub/Commands/Listening.
# deploy/test: records, for what others do at the time can tear the sound that is recorded.
"""Long listening, as it is heard: where a sleep timer ends, how a fade goes and comes back, what resuming plays again, and double speed.

What plays is a tone that climbs, so each moment of a recording says which second of the book it is."""

import json
import os
import sys
import time
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from fixtures import lavfi, make  # noqa: E402
from hubs import IS_SLOW, HubCase, main, wait  # noqa: E402
from recording import RATE, Climb, is_silent, level, np, pitch, record  # noqa: E402

CHAPTER_S, CHAPTERS, FULL = 5, 3, 0.5
TALE, LONG = Climb(), Climb(a_second=100)


class Sleeping(HubCase):
    """One hub and one recorder; a book of three chapters, a long one, and a steady tone."""

    # Conditions are asked for over HTTP until they hold.
    flags = ("--audio", "pulse/room", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        record(cls)
        marks = f"{cls.home.folder}/chapters.txt"
        with open(marks, "w", encoding="utf-8") as file:
            file.write(";FFMETADATA1\n" + "".join(
                f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n * CHAPTER_S}\nEND={(n + 1) * CHAPTER_S}\ntitle=Chapter {n + 1}\n" for n in range(CHAPTERS)))
        music = cls.home.music
        cls.tale = make(f"{music}/tale.mka", "-f", "lavfi", "-i", TALE.source(CHAPTER_S * CHAPTERS), "-i", marks, "-map_chapters", "1", "-c:a", "flac")
        cls.long = make(f"{music}/long.mka", "-f", "lavfi", "-i", LONG.source(60), "-i", marks, "-map_chapters", "1", "-c:a", "flac")
        cls.tone = lavfi(f"{music}/tone.flac", f"aevalsrc=exprs='{FULL}*sin(2*PI*440*t)':s={RATE}:d=120")

    def setUp(self):
        self.home.baton("volume", "100")

    def tearDown(self):
        self.home.baton("mode", "speed", "1")
        self.home.baton("stop")
        self.recorder.until("silence", is_silent, window=0.3)

    def ask(self, method, **parameters):
        asked = {"t": "cmd", "id": 1, "m": method, "k": os.urandom(8).hex(), "p": parameters}
        request = urllib.request.Request(f"{self.hub.page}/companion/v1/cmd", json.dumps(asked).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            said = json.load(answer)
        self.assertEqual(said.get("ok"), 1, said)

    def section(self, name):
        return self.hub.section(name) or {}

    def load(self, path):
        """The file is loaded, its chapters are known, and nothing is heard."""
        self.home.baton("play", path)
        self.recorder.until("a tone", lambda sound: level(sound) > 0.02)
        if path != self.tone:
            wait("its chapters", lambda: self.section("book"))
        self.ask("pause")
        self.silence()

    def silence(self):
        """Waits for it; the sample where it was seen."""
        return self.recorder.until("silence", is_silent, window=0.3)

    def until_place(self, climb, second):
        """Waits until that second of the tone is heard."""
        def is_there(sound):
            return level(sound) > 0.02 and (climb.place(sound) or 0) >= second
        return self.recorder.until(f"second {second}", is_there, window=0.02)

    def attempts(self, measure):
        """What is wrong with the hub is wrong each time; what the machine's load tears out of a recording is so once. `measure` says what is wrong."""
        faults = []
        for _ in range(3):
            faults.append(measure())
            if faults[-1] is None:
                return
        self.fail("; ".join(faults))

    def test_chapter(self):
        """BT-SLP-003. However late a stop is set, the chapter is heard to its end and nothing of the next one, which is heard when play is pressed."""
        self.load(self.tale)
        for left_ms in (1500, 800, 500, 300, 200, 100) if IS_SLOW else (800, 200):
            with self.subTest(left_ms=left_ms):
                self.attempts(lambda left_ms=left_ms: self.end_of_chapter(left_ms))
        self.attempts(lambda: self.end_of_chapter(1000))
        self.ask("play")
        self.until_place(TALE, CHAPTER_S + 1)

    def end_of_chapter(self, left_ms):
        """What is wrong with the end of a chapter, where a timer is set so long before."""
        self.ask("pause")
        self.ask("seek", posMs=CHAPTER_S * 1000 - left_ms - 600)
        start = self.silence()
        self.ask("play")
        self.until_place(TALE, CHAPTER_S - left_ms / 1000)
        self.ask("sleep.set", end="chapter")
        wait("it has fallen asleep", lambda: self.section("tl")["st"] in ("paused", "stopped"))
        sound = self.recorder.heard(start, self.silence() - start)
        # Where the machine was too slow, the press came in another chapter, and that one is heard to its end.
        line, ended = self.section("tl"), TALE.last_place(sound)
        stands = line["posMs"] / 1000 if line["st"] == "paused" else CHAPTER_S * CHAPTERS
        is_right = stands % CHAPTER_S == 0 and stands - 0.02 <= ended <= stands + 0.005
        return None if is_right else f"heard to second {ended:.4f}, and the room stands at {line}"

    def test_press_in_fade(self):
        """BT-SLP-005. The sound grows quieter, the volume stays, and any press brings the sound back and gives ten minutes more."""
        self.load(self.tone)
        self.ask("play")
        volume = self.section("vol")
        self.attempts(self.press_in_fade)
        self.assertEqual(self.section("vol"), volume)
        self.ask("sleep.clear")

    def press_in_fade(self):
        self.recorder.until("the whole tone", lambda sound: level(sound) > 0.97 * FULL)
        self.ask("sleep.set", end="time", ms=5000, fadeMs=4000)
        self.recorder.until("some of it", lambda sound: 0.02 < level(sound) < FULL / 2)
        self.ask("play")
        self.recorder.until("the whole tone again", lambda sound: level(sound) > 0.97 * FULL)
        left_ms = self.section("sleep").get("leftMs", 0)
        # The quiet moment may have been none of the fade.
        return None if left_ms > 590_000 else f"{left_ms} ms are left after the press"

    def test_end_of_fade(self):
        """BT-SLP-004. A fade never grows louder, ends in silence, and what it took away is played again, as loud as before."""
        self.load(self.long)
        self.attempts(self.end_of_fade)

    def end_of_fade(self):
        self.ask("pause")
        self.ask("seek", posMs=1000)
        start = self.silence()
        self.ask("play")
        self.recorder.until("a tone", lambda sound: level(sound) > 0.02)
        self.ask("sleep.set", end="time", ms=4000, fadeMs=3000)
        wait("it has fallen asleep", lambda: self.section("tl")["st"] == "paused")
        end, block = self.silence(), RATE // 10
        sound = self.recorder.heard(start, end - start)
        levels = [level(sound[at:at + block]) for at in range(0, len(sound) - block, block)]
        loud = max(range(len(levels)), key=lambda at: levels[at] > 0.95 * FULL and at)
        back = self.section("tl")["posMs"] / 1000
        self.ask("play")
        heard = self.recorder.until("it goes on", lambda sound: level(sound) > 0.02)
        again = self.recorder.heard(end, heard + RATE // 2 - end)
        onset = int(np.argmax(np.abs(again) > 0.02))
        if any(after > before * 1.02 + 0.001 for before, after in zip(levels[loud:], levels[loud + 1:])):
            return f"it grew louder: {[round(float(one), 3) for one in levels[loud:]]}"
        if abs(LONG.first_place(again) - back) > 0.05:
            return f"it goes on at {LONG.first_place(again)} and not at {back}"
        # The last moment before the fade was at full level, and it is heard at full level now.
        after = level(again[onset + block // 2:onset + block])
        return None if after > 0.95 * FULL else f"it goes on at the level {after}"

    def test_resumed(self):
        """BT-BOK-003. A short pause takes nothing back, one of more than ten seconds takes three; the tone says so."""
        self.load(self.long)
        for lasts, back in ((1, 0), (11, 3)):
            with self.subTest(pause=lasts):
                self.attempts(lambda lasts=lasts, back=back: self.resumed(lasts, back))

    def resumed(self, lasts, back):
        self.ask("pause")
        self.ask("seek", posMs=1000)
        start = self.silence()
        self.ask("play")
        self.until_place(LONG, 6)
        paused = time.monotonic()
        self.ask("pause")
        end = self.silence()
        left = LONG.last_place(self.recorder.heard(start, end - start))
        # The length of the pause is what is tried.
        wait("the pause is over", lambda: time.monotonic() > paused + lasts)
        self.ask("play")
        heard = self.recorder.until("it goes on", lambda sound: level(sound) > 0.02)
        again = LONG.first_place(self.recorder.heard(end, heard + RATE // 2 - end))
        # What the sound server still held when it was paused is not heard, and counts as heard.
        return None if abs(left - again - back) < 0.6 else f"from second {left} back to {again}"

    def test_double_speed(self):
        """Twice as fast is twice as fast, to three in a thousand, and 440 Hz stay 440 Hz."""
        self.load(self.long)
        self.home.baton("mode", "speed", "2")
        self.attempts(self.double_speed)
        self.home.baton("mode", "speed", "1")
        self.load(self.tone)
        self.home.baton("mode", "speed", "2")
        self.ask("play")
        self.recorder.until("the tone", lambda sound: level(sound) > 0.9 * FULL)
        self.attempts(self.pitch_of_tone)

    def double_speed(self):
        self.ask("seek", posMs=5000)
        self.silence()
        self.ask("play")
        # By then the first pieces that were joined are over.
        start = self.until_place(LONG, 10)
        sound = self.recorder.heard(start, 8 * RATE)
        self.ask("pause")
        # Pieces are joined where they fit, so a single moment may be some ms off.
        places = [self.place_of(sound[at:at + RATE // 2]) for at in (0, 7 * RATE)]
        speed = (places[1] - places[0]) / 7
        return None if abs(speed / 2 - 1) <= 0.003 else f"the speed is {speed}"

    def pitch_of_tone(self):
        hertz = pitch(self.recorder.next(2))
        return None if abs(hertz - 440) <= 1 else f"{hertz} Hz"

    @staticmethod
    def place_of(sound):
        """The mean of many short pieces, whose own middle lies at the middle of all."""
        step = RATE // 50
        # Where a piece is silent, its place is nowhere.
        return float(np.mean([LONG.place(sound[at:at + step]) or 0 for at in range(0, len(sound) - step + 1, step)]))


if __name__ == "__main__":
    main("/usr/bin/ffmpeg", "/usr/bin/pulseaudio", "/usr/bin/parec")
