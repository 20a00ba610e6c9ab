# deploy/test: tier 2, judges Sources/Platform/Player Sources/Core/BatonCore/Listening Sources/Features/Books/BatonBooks.
# deploy/test: records, for a recording keeps time with the clock on the wall.
"""Long listening, as it is heard: where a sleep timer ends, how a fade goes and comes back, what resuming plays again, and double speed.

What plays is a tone that climbs, so each moment of a recording says which second of the book it is. A busy machine can tear silence into
a recording; nothing that is judged here is changed by that. Double speed is judged by what comes out of a pipe, which is never torn."""

import json
import os
import time
import urllib.request

from Support.fixtures import lavfi, make
from Support.hubs import IS_SLOW, HubCase, main, wait
from Support.recording import RATE, Climb, Tape, is_silent, level, np, pieces, pitch, record

CHAPTER_S, CHAPTERS, FULL = 5, 3, 0.5
TALE, LONG = Climb(), Climb(a_second=100)


class Sleeping(HubCase):
    """One hub and one recorder; a book of three chapters, a long one, and a steady tone."""

    # Conditions are asked for over HTTP until they hold.
    flags = ("--audio", "pulse/room", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        record(cls)
        cls.tape = Tape(cls.home)
        cls.flags = (*cls.flags, *cls.tape.flags)
        marks = f"{cls.home.folder}/chapters.txt"
        with open(marks, "w", encoding="utf-8") as file:
            file.write(";FFMETADATA1\n" + "".join(
                f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n * CHAPTER_S}\nEND={(n + 1) * CHAPTER_S}\ntitle=Chapter {n + 1}\n" for n in range(CHAPTERS)))
        music = cls.home.music
        cls.tale = make(f"{music}/tale.mka", "-f", "lavfi", "-i", TALE.source(CHAPTER_S * CHAPTERS), "-i", marks, "-map_chapters", "1", "-c:a", "flac")
        cls.long = make(f"{music}/long.mka", "-f", "lavfi", "-i", LONG.source(60), "-i", marks, "-map_chapters", "1", "-c:a", "flac")
        cls.brief = make(f"{music}/brief.flac", "-f", "lavfi", "-i", LONG.source(20), "-c:a", "flac")
        cls.tone = lavfi(f"{music}/tone.flac", f"aevalsrc=exprs='{FULL}*sin(2*PI*440*t)':s={RATE}:d=120")

    def setUp(self):
        self.home.baton("volume", "100")

    def tearDown(self):
        self.home.baton("stop")
        self.recorder.until("silence", is_silent, window=0.3)

    def ask(self, method, **parameters):
        asked = {"t": "cmd", "id": 1, "m": method, "k": os.urandom(8).hex(), "p": parameters}
        request = urllib.request.Request(f"{self.hub.page}/baton/cmd", json.dumps(asked).encode())
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

    def test_chapter(self):
        """BT-SLP-003. However late a stop is set, the chapter is heard to its end and nothing of the next one, which is heard when play is pressed."""
        self.load(self.tale)
        for left_ms in (1500, 800, 500, 300, 200, 100) if IS_SLOW else (800, 200):
            with self.subTest(left_ms=left_ms):
                self.end_of_chapter(left_ms)
        self.end_of_chapter(1000)
        self.ask("play")
        self.until_place(TALE, CHAPTER_S + 1)

    def end_of_chapter(self, left_ms):
        """The timer is set so long before the end."""
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
        self.assertTrue(is_right, f"heard to second {ended:.4f}, and the room stands at {line}")

    @staticmethod
    def is_faint(sound):
        """Sound that a fade has made less, and not a part that is missing."""
        whole = pieces(sound)
        return len(whole) == 1 and whole[0][1] - whole[0][0] > 0.95 * len(sound) and level(sound) < FULL / 2

    def test_press_in_fade(self):
        """BT-SLP-005. The sound grows quieter, the volume stays, and any press brings the sound back and gives ten minutes more."""
        self.load(self.tone)
        self.ask("play")
        volume = self.section("vol")
        self.recorder.until("the whole tone", lambda sound: level(sound) > 0.97 * FULL)
        self.ask("sleep.set", end="time", ms=5000, fadeMs=4000)
        self.recorder.until("some of it", self.is_faint)
        self.ask("play")
        self.recorder.until("the whole tone again", lambda sound: level(sound) > 0.97 * FULL)
        self.assertGreater(self.section("sleep").get("leftMs", 0), 590_000)
        self.assertEqual(self.section("vol"), volume)
        self.ask("sleep.clear")

    def test_end_of_fade(self):
        """BT-SLP-004. A fade never grows louder, ends in silence, and what it took away is played again, as loud as before."""
        self.load(self.long)
        self.ask("pause")
        self.ask("seek", posMs=1000)
        start = self.silence()
        self.ask("play")
        self.recorder.until("a tone", lambda sound: level(sound) > 0.02)
        self.ask("sleep.set", end="time", ms=4000, fadeMs=3000)
        wait("it has fallen asleep", lambda: self.section("tl")["st"] == "paused")
        end, block = self.silence(), RATE // 10
        sound = self.recorder.heard(start, end - start)
        # The largest sample of each tenth of a second that is whole.
        levels = [float(np.max(np.abs(sound[at:at + block]))) for first, last in pieces(sound) for at in range(first, last - block, block)]
        loud = max(at for at, one in enumerate(levels) if one > 0.95 * FULL)
        grown = [after for before, after in zip(levels[loud:], levels[loud + 1:]) if after > before * 1.02 + 0.001]
        self.assertEqual(grown, [], [round(one, 3) for one in levels[loud:]])
        self.assertGreater(len(levels) - loud, 5, "it did not fade")
        back = self.section("tl")["posMs"] / 1000
        self.ask("play")
        heard = self.recorder.until("it goes on", lambda sound: level(sound) > 0.02)
        again = self.recorder.heard(end, heard + RATE // 2 - end)
        self.assertLess(abs(LONG.first_place(again) - back), 0.05)
        # The last moment before the fade was at full level, and it is heard at full level now.
        self.assertGreater(float(np.max(np.abs(again[pieces(again)[0][0]:][:block]))), 0.95 * FULL)

    def test_resumed(self):
        """BT-BOK-003. A short pause takes nothing back, one of more than ten seconds takes three; the tone says so."""
        self.load(self.long)
        for lasts, back in ((1, 0), (11, 3)):
            with self.subTest(pause=lasts):
                self.resumed(lasts, back)

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
        self.assertLess(abs(left - again - back), 0.6, f"from second {left} back to {again}")

    def test_double_speed(self):
        """Twice as fast is twice as fast, to three in a thousand, and 440 Hz stay 440 Hz."""
        self.tape.prepare()
        self.home.baton(*self.tape.room, "mode", "speed", "2")
        sound = self.tape.play(self.brief)
        # Pieces are joined where they fit, so a single moment may be some ms off. The first that were joined are left out.
        places = [self.place_of(sound[at:at + RATE // 2]) for at in (2 * RATE, 9 * RATE)]
        self.assertLess(abs((places[1] - places[0]) / 14 - 1), 0.003, places)
        tone = self.tape.play(self.tone)[RATE:3 * RATE]
        self.assertLess(abs(pitch(tone) - 440), 1)

    @staticmethod
    def place_of(sound):
        """The mean of many short pieces, whose own middle lies at the middle of all."""
        step = RATE // 50
        return float(np.mean([LONG.place(sound[at:at + step]) for at in range(0, len(sound) - step + 1, step)]))


if __name__ == "__main__":
    main("/usr/bin/ffmpeg", "/usr/bin/pulseaudio", "/usr/bin/parec")
