# deploy/test: tier 2, first Books.test_found Books.test_played.
# deploy/test: judges Sources/Features/Library/BatonLibrary/Local/Books Sources/Core/BatonCore/Listening Sources/Programs/baton-reader.
# deploy/test: waits, mostly for books that are spoken, scanned and played.
"""Books that espeak-ng speaks and mutagen tags: found by their folders and tags, played as one, with bad files among them."""

import array
import json
import os
import shutil
import subprocess
import urllib.request

from mutagen.id3 import CHAP, ID3, MVIN, MVNM, TCOM, TIT2, TRCK
from mutagen.mp4 import MP4

from Support.fixtures import FFMPEG, KEPT
from Support.hubs import HubCase, binaries, main, wait

CHAPTERS = ["The wizard was born on the island of Gont", "A dark hand took him by the shoulder", "And he came home over the open sea"]


def spoken(number, suffix):
    """A chapter that is read aloud, made once."""
    path = f"{KEPT}/chapter-{number}{suffix}"
    if not os.path.exists(path):
        os.makedirs(KEPT, exist_ok=True)
        new = f"{KEPT}/chapter-{number}-{os.getpid()}"
        subprocess.run(["espeak-ng", "-s", "260", "-w", f"{new}.wav", CHAPTERS[number]], check=True)
        subprocess.run([*FFMPEG, "-i", f"{new}.wav", "-ar", "22050", f"{new}{suffix}"], check=True)
        os.remove(f"{new}.wav")
        os.rename(f"{new}{suffix}", path)
    return path


def samples(path):
    """All of a file, decoded alone."""
    raw = subprocess.run([*FFMPEG, "-i", path, "-f", "s16le", "-ac", "1", "-ar", "22050", "-"], capture_output=True, check=True).stdout
    return array.array("h", raw)


class Books(HubCase):
    # Conditions are asked for over HTTP until they hold.
    flags = ("--audio", "null", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        cls.shelf = f"{cls.home.folder}/books"
        cls.music = cls.home.music
        cls.make_parts("Ursula/Earthsea/01 - A Wizard")
        cls.make_whole(f"{cls.shelf}/Ursula/Earthsea/02 - Tombs/whole.m4b")
        cls.make_whole(f"{cls.music}/loose.m4b", title="Loose", series="")
        tagged = MP4(shutil.copyfile(spoken(0, ".m4a"), f"{cls.music}/marked.m4a"))
        tagged["stik"], tagged["\xa9nam"] = [2], ["Marked"]
        tagged.save()
        shutil.copyfile(spoken(0, ".m4a"), f"{cls.music}/song.m4a")

    @classmethod
    def make_parts(cls, folder, count=3, more=()):
        path = f"{cls.shelf}/{folder}"
        os.makedirs(path, exist_ok=True)
        for number in range(count):
            part = shutil.copyfile(spoken(number % 3, ".mp3"), f"{path}/{number + 1:02}.mp3")
            tags = ID3()
            for frame in (TIT2(text=f"Chapter {number + 1}"), TRCK(text=f"{number + 1}"), TCOM(text="Rob Inglis"), *more):
                tags.add(frame)
            tags.save(part)
        return path

    @staticmethod
    def make_whole(path, title="The Tombs of Atuan", series="Earthsea"):
        """One file with three chapters, and what only Apple's names say of it."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        marks = f"{path}.txt"
        with open(marks, "w", encoding="utf-8") as file:
            file.write(";FFMETADATA1\n" + "".join(
                f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={n * 500}\nEND={n * 500 + 500}\ntitle=Chapter {n + 1}\n" for n in range(3)))
        subprocess.run([*FFMPEG, "-i", spoken(1, ".m4a"), "-i", marks, "-map_metadata", "1", "-c", "copy", "-f", "mp4", path], check=True)
        os.remove(marks)
        tags = MP4(path)
        tags["\xa9alb"], tags["\xa9ART"], tags["\xa9nrt"] = [title], ["Ursula K. Le Guin"], ["Jenny Sterlin"]
        if series:
            tags["\xa9mvn"], tags["\xa9mvi"] = [series], [2]
        tags.save()

    def setUp(self):
        self.home.baton("library", "add", "--books", self.shelf)
        self.home.baton("scan", "--wait")

    def browse(self, node):
        return self.ask("lib.browse", node=node)["rows"]

    def ask(self, command, **parameters):
        asked = {"t": "cmd", "id": 1, "m": command, "p": parameters}
        request = urllib.request.Request(f"{self.hub.page}/baton/cmd", json.dumps(asked).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["d"]

    def book(self, title):
        found = [row for row in self.browse("lib:shelf/books") if row["title"] == title]
        self.assertEqual(len(found), 1, f"{title} among the books")
        return found[0]

    def test_found(self):
        """Folders, composers, Apple's names and stik say what a book is, who reads it and where it stands in its series. BT-BOK-020"""
        wizard, tombs = self.book("A Wizard"), self.book("The Tombs of Atuan")
        self.assertEqual((wizard["artists"], wizard["narrators"], wizard["series"], wizard["number"]), (["Ursula"], ["Rob Inglis"], "Earthsea", "1"))
        self.assertEqual((tombs["artists"], tombs["narrators"]), (["Ursula K. Le Guin"], ["Jenny Sterlin"]))
        self.assertEqual((tombs["series"], tombs["number"]), ("Earthsea", "2"))
        self.assertEqual({row["kind"] for row in (wizard, tombs, self.book("Loose"), self.book("Marked"))}, {"book"})
        self.assertEqual([row["title"] for row in self.browse("lib:shelf/tracks")], ["song"])
        series = self.browse("lib:shelf/series")
        self.assertEqual([row["title"] for row in self.browse(series[0]["uri"])], ["A Wizard", "The Tombs of Atuan"])
        self.assertIn("The Tombs of Atuan", self.home.baton("search", "sterlin", "tombs"))
        chapters = [(c["title"]) for c in self.ask("lib.item", uri=tombs["uri"])["chapters"]]
        self.assertEqual(chapters, ["Chapter 1", "Chapter 2", "Chapter 3"])

    def test_played(self):
        """Three files are one entry: one length, one time line, chapters over the whole, and a seek into the last of them."""
        wizard = self.book("A Wizard")
        length = sum(len(samples(spoken(n, ".mp3"))) for n in range(3)) * 1000 // 22050
        self.assertAlmostEqual(wizard["durMs"], length, delta=3)
        self.home.baton("play", wizard["uri"])
        wait("the book that plays", lambda: (self.hub.section("now") or {}).get("title") == "A Wizard")
        self.assertEqual(self.hub.section("queue")["len"], 1)
        book = wait("its chapters", lambda: self.hub.section("book"))
        self.assertEqual((book["n"], book["title"]), (3, "Chapter 1"))
        self.home.baton("chapters", "3")
        wait("the last chapter", lambda: self.hub.section("book")["title"] == "Chapter 3")
        wait("the end of the book", lambda: self.hub.section("tl")["st"] == "stopped")
        # The next one of its series is up next until it is begun or finished, as here a second book of two seconds. BT-NXT-001
        up_next = lambda: [row["title"] for row in self.browse("place:shelf/next")]
        wait("the next book", lambda: up_next() == ["The Tombs of Atuan"])
        self.assertIn("The Tombs of Atuan", self.home.baton("browse", "next"))
        self.assertRegex(self.home.baton("browse", "books", "1"), "“.+” holds nothing else. To play it: baton browse books 1 --play")
        self.assertIn("A Wizard", self.home.baton("browse", "again"))
        tombs = self.book("The Tombs of Atuan")
        self.ask("progress.report", uri=tombs["uri"], posMs=1100, session="phone")
        self.assertEqual(up_next(), [])
        self.assertEqual(self.browse("place:shelf/again")[0]["title"], "The Tombs of Atuan")

    def test_discs(self):
        """Folders of discs are parts of one book: played over their joint, found again by the next scan, and added to. BT-BOK-021"""
        for disc in ("CD 1", "CD2"):
            self.make_parts(f"Bea/Two Discs/{disc}", count=2)
        self.home.baton("scan", "--wait")
        book = self.book("Two Discs")
        chapters = self.ask("lib.item", uri=book["uri"])["chapters"]
        self.assertEqual([chapter["title"] for chapter in chapters], ["Chapter 1", "Chapter 2"] * 2)
        self.home.baton("play", f"{self.shelf}/Bea")
        wait("the book that plays", lambda: (self.hub.section("now") or {}).get("title") == "Two Discs")
        self.assertEqual(self.hub.section("queue")["len"], 1)
        self.home.baton("chapters", "2")
        wait("the first chapter of the second disc", lambda: (self.hub.section("book") or {}).get("i") == 3)
        self.home.baton("pause")
        self.home.baton("seek", str((chapters[3]["startMs"] + 100) / 1000))
        wait("its last chapter", lambda: self.hub.section("book")["i"] == 4)
        self.assertNotRegex(self.home.baton("scan", "--wait"), r"\d read")
        self.make_parts("Bea/Two Discs/CD10", count=1)
        wait("a longer book", lambda: self.book("Two Discs")["durMs"] > book["durMs"])
        longer = self.book("Two Discs")
        self.assertEqual((longer["uri"], len(self.ask("lib.item", uri=book["uri"])["chapters"])), (book["uri"], 5))
        self.assertEqual(self.ask("progress.list", uri=book["uri"])["rows"][0]["place"]["posMs"], chapters[3]["startMs"] + 100)
        shutil.rmtree(f"{self.shelf}/Bea/Two Discs/CD 1")
        wait("a shorter book", lambda: len(self.ask("lib.item", uri=book["uri"])["chapters"]) == 3)
        wait("it is the same book", lambda: [row["uri"] for row in self.browse("lib:shelf/books") if row["title"] == "Two Discs"] == [book["uri"]])
        shutil.rmtree(f"{self.shelf}/Bea")

    def test_changed(self):
        """A part that goes is missed in a sentence, the book stays the same item, and comes back whole. BT-BOK-021"""
        folder = self.make_parts("Ann/Long Tale", more=(MVNM(text="Tales"), MVIN(text="7")))
        self.home.baton("scan", "--wait")
        before = self.book("Long Tale")
        self.assertEqual((before["series"], before["number"]), ("Tales", "7"))
        os.rename(f"{folder}/02.mp3", f"{self.home.folder}/away.mp3")
        wait("a shorter book", lambda: self.book("Long Tale")["durMs"] < before["durMs"])
        self.assertEqual(self.book("Long Tale")["uri"], before["uri"])
        scanned = self.home.run(f"{binaries()}/baton", "scan", "--wait")
        self.assertIn("of its numbered files 2 is missing", scanned.stdout + scanned.stderr)
        os.rename(f"{folder}/01.mp3", f"{self.home.folder}/away1.mp3")
        wait("one part", lambda: "chapters" not in self.ask("lib.item", uri=before["uri"]))
        for name, back in (("away.mp3", "02.mp3"), ("away1.mp3", "01.mp3")):
            os.rename(f"{self.home.folder}/{name}", f"{folder}/{back}")
        wait("the whole book", lambda: self.book("Long Tale")["durMs"] == before["durMs"])
        self.assertEqual(self.book("Long Tale")["uri"], before["uri"])

    def test_bad(self):
        """What is no sound is said and left out; chapters that overlap, and thousands of them, leave a book that plays."""
        folder = self.make_parts("Bad/Odd", count=2)
        with open(f"{folder}/03.mp3", "wb") as file:
            file.write(b"This is no sound. " * 100)
        many = self.make_parts("Bad/Many", count=1) + "/01.mp3"
        tags = ID3(many)
        for number in range(10_000):
            tags.add(CHAP(element_id=f"c{number}", start_time=number // 10, end_time=number // 10 + 500,
                          sub_frames=[TIT2(text=f"Mark {number}")]))
        tags.save(many)
        scanned = self.home.run(f"{binaries()}/baton", "scan", "--wait")
        said = scanned.stdout + scanned.stderr
        self.assertIn("03.mp3", said)
        self.assertIn("The chapters of “Many” overlap", said)
        self.assertEqual([c["title"] for c in self.ask("lib.item", uri=self.book("Odd")["uri"])["chapters"]], ["Chapter 1", "Chapter 2"])
        self.home.baton("play", self.book("Many")["uri"])
        wait("the book of many chapters", lambda: self.home.baton("status", "--format", "{state} {title}") == "playing Many\n")
        shutil.rmtree(f"{self.shelf}/Bad")

    def test_folder_played(self):
        """A folder with books in it is queued book by book, and a file that is named itself is that file."""
        self.home.baton("play", f"{self.shelf}/Ursula")
        wait("two books", lambda: self.hub.section("queue")["len"] == 2)
        self.home.baton("play", f"{self.shelf}/Ursula/Earthsea/01 - A Wizard/02.mp3")
        wait("one file", lambda: self.hub.section("now").get("kind") == "track")


if __name__ == "__main__":
    main("espeak-ng", "ffmpeg")
