# deploy/test: tier 2.
# deploy/test: judges Sources/Core/BatonCore/Listening Sources/Features/Listening/BatonListening Sources/Programs/baton/Verbs/Listening.
# deploy/test: judges Sources/Platform/Stores/LibraryStore/Bookmarks.
"""Long listening as a person in a terminal has it: steps of other lengths in speech, speeds, and bookmarks that outlive a kill."""

import json

from Support.fixtures import make, metadata
from Support.hubs import Hub, HubCase, binaries, main

CHAPTERS = ";FFMETADATA1\n" + "".join(
    f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={n * 60_000}\nEND={(n + 1) * 60_000}\ntitle=Chapter {n + 1}\n" for n in range(3))


TITLES = {"tale.mka": "The *Tale*", "song.flac": "Song"}


class Listening(HubCase):
    """A home with a spoken file of three chapters and a song."""

    flags = ("--audio", "null")

    @classmethod
    def prepare(cls):
        marks = f"{cls.home.folder}/chapters.txt"
        with open(marks, "w", encoding="utf-8") as file:
            file.write(CHAPTERS)
        make(f"{cls.home.music}/tale.mka", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=180", "-i", marks, "-map_chapters", "1",
             *metadata(title="The *Tale*"), "-c:a", "flac")
        make(f"{cls.home.music}/song.flac", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=120", *metadata(title="Song"))

    def play(self, name):
        self.home.baton("play", f"{self.home.music}/{name}")
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == TITLES[name])
        self.home.baton("pause")

    def kill_and_begin(self):
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)

    def refused(self, *words):
        """What a command says that is refused."""
        ended = self.home.run(f"{binaries()}/baton", *words)
        self.assertNotEqual(ended.returncode, 0, ended.stdout)
        return ended.stderr

    def moves(self, *words):
        """By how many ms a command moves the position of a paused room."""
        before = self.home.status()["tl"]["posMs"]
        self.home.baton(*words)
        return self.home.status()["tl"]["posMs"] - before

    def test_steps(self):
        """Further in speech than in music, as the room says."""
        self.play("tale.mka")
        self.home.reaches("its chapters", lambda status: "book" in status)
        self.assertEqual((self.moves("skip"), self.moves("skip"), self.moves("skip", "back")), (30_000, 30_000, -15_000))
        self.assertIn("forward 45 s, back 10 s", self.home.baton("mode", "forward", "45", "back", "10"))
        self.assertEqual((self.moves("skip"), self.moves("skip", "back")), (45_000, -10_000))
        self.home.baton("mode", "forward", "30", "back", "15")
        self.play("song.flac")
        self.assertEqual((self.moves("skip"), self.moves("skip", "back")), (15_000, -15_000))
        self.assertIn("forward or back 1 to 600 seconds", self.refused("mode", "forward", "0"))

    def test_speeds(self):
        """Speech and music go at speeds of their own, also over a kill."""
        self.play("tale.mka")
        self.home.reaches("its chapters", lambda status: "book" in status)
        self.home.baton("mode", "speed", "2")
        self.play("song.flac")
        self.assertEqual(self.home.status()["modes"].get("speed", 1000), 1000)
        self.kill_and_begin()
        self.play("tale.mka")
        self.home.reaches("its own speed", lambda status: status["modes"]["speed"] == 2000)
        self.home.baton("mode", "speed", "1")

    def test_trim(self):
        """Two minutes of silence in a tale are passed over once they are found, positions stay those of the tale, and off brings them back."""
        path = f"{self.home.music}/pauses.m4a"
        make(path, "-f", "lavfi", "-i", "sine=f=300:r=8000:d=60", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=120", "-f", "lavfi", "-i",
             "sine=f=300:r=8000:d=120", "-i", f"{self.home.folder}/chapters.txt", "-filter_complex", "[0][1][2]concat=n=3:v=0:a=1[a]",
             "-map", "[a]", "-map_chapters", "3", *metadata(title="Pauses"), "-c:a", "aac")
        self.home.baton("play", path)
        self.home.reaches("its chapters", lambda status: status["now"]["title"] == "Pauses" and "book" in status)
        self.assertIn("trim on: silences are left out", self.home.baton("book", "trim", "on"))
        self.home.baton("seek", "0:50")
        # Ten seconds of sound lead to 1:00, and the next ones are behind 2:59.
        self.home.reaches("what is behind the silence", lambda status: status["tl"]["posMs"] >= 179_000, 60)
        self.home.baton("pause")
        self.home.baton("chapters", "1")
        self.assertEqual(self.home.status()["tl"]["posMs"], 0)
        self.home.baton("seek", "3:20")
        self.home.reaches("the place", lambda status: status["tl"]["posMs"] == 200_000 and status["now"]["durMs"] == 300_000)
        self.assertIn("trim off", self.home.baton("book", "trim", "off"))
        self.home.baton("play")
        self.home.reaches("it plays on there", lambda status: status["tl"]["st"] == "playing" and 195_000 <= status["tl"]["posMs"] < 260_000)
        self.assertIn("Write book, book voice on or off", self.refused("book", "trim", "maybe"))

    def test_bookmarks(self):
        """They are set, outlive a kill, are changed, deleted, restored, played and written."""
        self.play("tale.mka")
        self.home.reaches("its chapters", lambda status: "book" in status)
        self.home.baton("seek", "1:05")
        self.assertIn("The *Tale* at 1:05: who lit the lamp?", self.home.baton("bookmark", "who", "lit", "the", "lamp?"))
        self.kill_and_begin()
        mark, = json.loads(self.home.baton("bookmark", "list", "--json"))["bookmarks"]
        self.assertEqual((mark["posMs"], mark["chapter"], mark["note"]), (65_000, "Chapter 2", "who lit the lamp?"))
        number = str(mark["id"])
        self.home.baton("bookmark", "edit", number, "Anna", "did")
        self.home.baton("bookmark", "delete", "--yes", number)
        self.assertIn("No bookmark yet", self.home.baton("bookmark", "list"))
        self.assertIn("Anna did", self.home.baton("bookmark", "restore", number))
        self.play("song.flac")
        self.home.baton("bookmark", "play", number)
        self.home.reaches("the place", lambda status: status["now"]["title"] == "The *Tale*" and 65_000 <= status["tl"]["posMs"] < 80_000)
        written = f"{self.home.folder}/marks.md"
        self.home.baton("bookmark", "export", written)
        with open(written, encoding="utf-8") as file:
            self.assertIn("## The \\*Tale\\*\n\n- **1:05**, Chapter 2: Anna did\n", file.read())
        self.assertIn("no bookmark 999", self.refused("bookmark", "play", "999"))


if __name__ == "__main__":
    main()
