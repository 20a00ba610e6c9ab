#!/usr/bin/python3
"""Recordings of the radio: a real icecast2 is recorded by the hub, and beside it by curl. The files joined are the bytes that curl has."""

import glob
import json
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "Support")]
from hubs import Hub, HubCase, binaries, main, wait  # noqa: E402
from radio import Icecast  # noqa: E402

SECOND = 16_000


def content(path):
    with open(path, "rb") as file:
        return file.read()


def sound(path):
    """The content without the tag before it."""
    whole = content(path)
    if not whole.startswith(b"ID3"):
        return whole
    size = 0
    for byte in whole[6:10]:
        size = size << 7 | byte
    return whole[10 + size:]


class Recordings(HubCase):
    """One hub and one icecast2 for all tests."""

    @classmethod
    def prepare(cls):
        cls.icecast = Icecast.with_stations(cls)

    def setUp(self):
        self.home.baton("radio", "add", "Harbour FM", self.icecast.url("harbour.mp3"))
        self.home.baton("radio", "add", "Nordlicht", self.icecast.url("nord.ogg"))

    def tearDown(self):
        for row in self.rows():
            self.home.baton("radio", "record", "cancel", str(row["id"]))

    def rows(self):
        return json.loads(self.home.baton("radio", "record", "list", "--json"))["recordings"]

    def song(self, title):
        wait(f"the song {title}", lambda: [row.get("song") for row in self.rows()] == [title], 20)

    def files(self, station):
        """In the order in which they were begun."""
        found = glob.glob(f"{self.home.music}/Recordings/{station}/*/*")
        return sorted(found, key=lambda path: os.stat(path).st_mtime_ns)

    def beside(self, mount):
        """Plain curl on the same mount."""
        path = f"{self.home.folder}/{mount}.curl"
        process = self.home.start("/usr/bin/curl", "-sN", "-o", path, self.icecast.url(mount))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait("curl's sound", lambda: os.path.exists(path) and os.stat(path).st_size > 0)
        return path

    def test_a_songs(self):
        """BT-RAD-011. Each song is a file of its own between frames, and all of them joined are what curl has."""
        plain = self.beside("harbour.mp3")
        self.icecast.title("harbour.mp3", "Anna - Eins")
        self.home.baton("radio", "record", "start", "Harbour")
        self.song("Anna - Eins")
        for title in ("Bert - Zwei", "Carl/../Drei"):
            self.icecast.title("harbour.mp3", title)
            self.song(title)
        self.home.baton("radio", "record", "stop")
        wait("the last name", lambda: not glob.glob(f"{self.home.music}/Recordings/*/*/*.part"))

        files = self.files("Harbour FM")
        names = [os.path.basename(path) for path in files]
        self.assertEqual(names[-2:], ["Bert - Zwei.mp3", "Carl-..-Drei (part).mp3"])
        self.assertIn("(part)", names[0])
        joined = b"".join(sound(path) for path in files)
        wait("the rest at curl", lambda: joined[-SECOND:] in content(plain))
        self.assertIn(joined, content(plain))
        for path in files[1:]:
            self.assertEqual(sound(path)[0], 0xFF)
            self.assertEqual(sound(path)[1] & 0xE0, 0xE0)
        tags = json.loads(self.home.run(
            "/usr/bin/ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", files[-2]).stdout)["format"]["tags"]
        self.assertEqual((tags["artist"], tags["title"], tags["album"]), ("Bert", "Zwei", "Harbour FM"))
        wait("the song in the library", lambda: "Zwei" in self.home.run(f"{binaries()}/baton", "search", "Zwei").stdout)

    def test_b_ogg(self):
        """A recording of Ogg is the stream, behind the head that a decoder needs."""
        self.home.baton("radio", "record", "start", "Nordlicht")
        self.song("Nordlicht")
        wait("some sound", lambda: sum(os.stat(path).st_size for path in self.files("Nordlicht")) > 30_000)
        self.home.baton("radio", "record", "stop")
        wait("its name", lambda: [path for path in self.files("Nordlicht") if path.endswith("(part).ogg")])
        path = self.files("Nordlicht")[0]
        ended = self.home.run("/usr/bin/ffmpeg", "-v", "error", "-i", path, "-f", "null", "-")
        self.assertEqual((ended.returncode, content(path)[:4]), (0, b"OggS"))

    def test_c_times(self):
        """A recording at a time waits for it, is kept, and is cancelled by its number."""
        said = self.home.baton("radio", "record", "at", "20:00", "Harbour", "--for", "2h", "--every", "day")
        self.assertIn("every day", said)
        row = self.rows()[0]
        self.assertEqual((row["state"], row["every"], row["end"] - row["at"]), ("due", "day", 7_200_000))
        self.assertIn("recorded already", self.home.baton("radio", "record", "at", "20:00", "Harbour", "--for", "2h", "--every", "day"))
        refused = self.home.run(f"{binaries()}/baton", "radio", "record", "at", "25:00", "Harbour", "--for", "2h")
        self.assertIn("is no time", refused.stderr)

    def test_d_end(self):
        """A recording with a length ends by itself."""
        self.home.baton("radio", "record", "start", "Harbour", "--for", "2s")
        wait("its end", lambda: not self.rows(), 20)

    def test_e_killed(self):
        """BT-RAD-012. A hub that is killed loses no more than a second, names what it had, and goes on recording."""
        plain = self.beside("harbour.mp3")
        self.icecast.title("harbour.mp3", "Dora - Vier")
        self.home.baton("radio", "record", "start", "Harbour")
        self.song("Dora - Vier")
        part = glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Dora - Vier*.part")[0]
        begun = os.stat(part).st_size
        wait("some seconds", lambda: os.stat(part).st_size > begun + 2 * SECOND, 20)
        heard = content(plain)
        type(self).hub.kill()
        written = sound(part)
        wait("the rest at curl", lambda: written in content(plain))
        self.assertGreater(content(plain).index(written) + len(written), len(heard) - SECOND)

        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        wait("its name", lambda: glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Dora - Vier* (part).mp3"))
        self.assertEqual(sound(glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Dora - Vier* (part).mp3")[0]), written)
        wait("the recording again", lambda: [row["state"] for row in self.rows()] == ["on"] and self.rows()[0].get("song"), 20)


if __name__ == "__main__":
    main("/usr/bin/icecast2", "/usr/bin/ffmpeg", "/usr/bin/curl")
