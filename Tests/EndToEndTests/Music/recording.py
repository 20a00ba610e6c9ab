# deploy/test: tier 2, judges Sources/Features/Radio/BatonRadio/Stations Sources/Platform/Stores/Recordings Sources/Platform/Stores/StreamRing.
"""Recordings of the radio: a real icecast2 is recorded by the hub, and beside it by curl. The files joined are the bytes that curl has."""

import glob
import json
import os
import subprocess

from Music.radio import Icecast
from Support.hubs import Hub, HubCase, binaries, main, wait
from Support.suite import possible_if

SECOND = 16_000
# Between two titles of icecast2, and of MP3 with 128 kbit/s.
METAINT = 16_000
FRAME = 418


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
        wait(f"the song {title}", lambda: [row.get("song") for row in self.rows()] == [title])

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
        # The recording begins within what is on air: within the first song, or before the station has said its title.
        self.assertIn("(part)", names[0])
        self.assertTrue(all(name.startswith(("Harbour FM", "Anna - Eins")) for name in names[:-2]), names)
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

    def test_f_saved(self):
        """BT-RAD-025. A title that was heard is saved with the bytes that curl has, from frame to frame; so is one on air when it ends."""
        plain = self.beside("harbour.mp3")
        self.icecast.title("harbour.mp3", "Dora - Vier")
        self.home.baton("radio", "play", "Harbour")
        self.home.reaches("what plays already", lambda said: said.get("now", {}).get("streamTitle") == "Dora - Vier")
        for title in ("Emil - Fünf", "Fritz - Sechs", "Gerd - Sieben"):
            self.icecast.title("harbour.mp3", title)
            self.home.reaches(title, lambda said, title=title: said.get("now", {}).get("streamTitle") == title)
        self.assertIn("“Gerd - Sieben” is saved when it ends.", self.home.baton("radio", "save", "1"))
        self.assertIn("“Fritz - Sechs” is saved.", self.home.baton("radio", "save", "2"))
        self.assertIn("is saved already", self.home.baton("radio", "save", "2"))
        first = self.saved("Fritz - Sechs.mp3")
        self.icecast.title("harbour.mp3", "Hans - Acht")
        self.home.reaches("the end of the title", lambda said: said["now"].get("streamTitle") == "Hans - Acht")
        wait("the title that was on air", lambda: self.found("Gerd - Sieben.mp3"))
        joined = first + self.saved("Gerd - Sieben.mp3")
        wait("the rest at curl", lambda: joined[-SECOND:] in content(plain))
        # One ends where the other begins, and both do with a frame.
        self.assertIn(joined, content(plain))
        self.assertEqual([part[0] for part in (first, joined[len(first):])], [0xFF, 0xFF])
        tags = json.loads(self.home.run(
            "/usr/bin/ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json", self.found("Fritz - Sechs.mp3")[0]).stdout)["format"]["tags"]
        self.assertEqual((tags["artist"], tags["title"], tags["album"]), ("Fritz", "Sechs", "Harbour FM"))

        self.home.baton("stop")
        rows = json.loads(self.home.baton("radio", "titles", "Harbour", "--json"))["titles"]
        self.assertEqual([(row["title"], row.get("saved")) for row in rows[-3:]], [("Fritz - Sechs", 1), ("Gerd - Sieben", 1), ("Hans - Acht", None)])
        self.assertIn("“Emil - Fünf” is saved.", self.home.baton("radio", "save", "4", "Harbour"))
        before = self.saved("Emil - Fünf.mp3")
        self.assertIn(before + first, content(plain))

    def found(self, name):
        return glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/{name}")

    def saved(self, name):
        return sound(self.found(name)[0])

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

    def test_b_chain(self):
        """BT-RAD-011. Each stream of an Ogg chain is a file of its own, whole from its first page on, and all of them joined are what curl has."""
        chain = self.icecast.chain("chain.ogg")
        chain.play("libopus", 440, artist="Jörg", title="Eins")
        self.icecast.comes("chain.ogg")
        plain = self.beside("chain.ogg")
        self.home.baton("radio", "add", "Chain", self.icecast.url("chain.ogg"))
        self.home.baton("radio", "record", "start", "Chain")
        self.song("Jörg - Eins")
        for title in ("Zwei", "Drei"):
            chain.play("libopus", 550, artist="Jörg", title=title)
            self.song(f"Jörg - {title}")
        self.home.baton("radio", "record", "stop")
        wait("the last name", lambda: not glob.glob(f"{self.home.music}/Recordings/*/*/*.part"))
        files = self.files("Chain")
        self.assertEqual([os.path.basename(path) for path in files], ["Jörg - Eins (part).ogg", "Jörg - Zwei.ogg", "Jörg - Drei (part).ogg"])
        joined = b"".join(content(path) for path in files)
        wait("the rest at curl", lambda: joined[-1_000:] in content(plain))
        # The first file has the head before the place in the stream at which the recording was joined.
        self.assertIn(b"".join(content(path) for path in files[1:]), content(plain))
        for path in files:
            tags = json.loads(self.home.run(
                "/usr/bin/ffprobe", "-v", "error", "-show_entries", "stream_tags", "-of", "json", path).stdout)["streams"][0]["tags"]
            self.assertEqual((tags["artist"], tags["title"]), ("Jörg", os.path.basename(path).split(" - ")[1].split(" (")[0].split(".")[0]))

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
        wait("its end", lambda: not self.rows())

    @possible_if(os.geteuid() == 0, "only root can mount a small disk")
    def test_d_full_disk(self):
        """A full disk stops a recording with a sentence and not what plays, and with room it goes on by itself."""
        folder = f"{self.home.music}/Recordings"
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k,mode=755", "baton-test", folder], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        self.home.baton("radio", "play", "Harbour")
        self.home.reaches("it plays", lambda said: said["tl"]["st"] == "playing")
        self.home.baton("radio", "record", "start", "Harbour")
        wait("the sentence", lambda: any("disk is full" in row.get("problem", "") for row in self.rows()))
        self.assertIn("disk is full", self.home.baton("radio", "record", "list"))
        self.assertEqual(self.home.status()["tl"]["st"], "playing")
        subprocess.run(["mount", "-o", "remount,size=8m", folder], check=True)
        wait("the recording again", lambda: [row["state"] for row in self.rows()] == ["on"] and self.rows()[0].get("song"))
        self.home.baton("stop")

    def test_d_streamripper(self):
        """Beside streamripper on the same mount: we have each byte of its songs, and cut where it cuts, by a frame at most."""
        folder = f"{self.home.folder}/ripped"
        os.mkdir(folder)
        self.icecast.title("harbour.mp3", "Emil - Eins")
        self.home.baton("radio", "record", "start", "Harbour")
        self.song("Emil - Eins")
        part = glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Emil - Eins*.part")[0]
        wait("what streamripper puts before a song", lambda: os.stat(part).st_size > 4 * SECOND)
        other = self.home.start(
            "/usr/bin/streamripper", self.icecast.url("harbour.mp3"), "-d", folder, "-s", "-q", "--xs_padding=0:0", "--xs_silence_length=0", stdout=subprocess.DEVNULL)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        wait("its sound", lambda: [path for path in glob.glob(f"{folder}/**/*.mp3", recursive=True) if os.stat(path).st_size > SECOND])
        for title in ("Emil - Zwei", "Emil - Drei", "Emil - Vier"):
            before = len(glob.glob(f"{folder}/**/*.mp3", recursive=True))
            self.icecast.title("harbour.mp3", title)
            self.song(title)
            wait("its next song", lambda before=before: len(glob.glob(f"{folder}/**/*.mp3", recursive=True)) > before)
        other.terminate()
        other.wait()
        self.home.baton("radio", "record", "stop")
        wait("the last name", lambda: not glob.glob(f"{self.home.music}/Recordings/*/*/*.part"))

        joined, cuts = b"", {}
        for path in self.files("Harbour FM"):
            if "Emil" in path:
                cuts[os.path.basename(path)] = len(joined)
                joined += sound(path)
        apart = []
        for title in ("Emil - Zwei", "Emil - Drei"):
            theirs = sound(glob.glob(f"{folder}/*{title}.mp3")[0])
            self.assertEqual(joined.count(theirs), 1)
            apart.append(cuts[f"{title}.mp3"] - joined.index(theirs))
        # Each listener gets its titles at places of its own, METAINT bytes apart, and streamripper begins a song some seconds early.
        drift = (apart[1] - apart[0]) % METAINT
        self.assertLessEqual(min(drift, METAINT - drift), FRAME, apart)

    def test_e_killed(self):
        """BT-RAD-012. A hub that is killed loses no more than a second, names what it had, and goes on recording."""
        plain = self.beside("harbour.mp3")
        self.icecast.title("harbour.mp3", "Dora - Vier")
        self.home.baton("radio", "record", "start", "Harbour")
        self.song("Dora - Vier")
        part = glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Dora - Vier*.part")[0]
        begun = os.stat(part).st_size
        wait("some seconds", lambda: os.stat(part).st_size > begun + 2 * SECOND)
        heard = content(plain)
        type(self).hub.kill()
        written = sound(part)
        wait("the rest at curl", lambda: written in content(plain))
        self.assertGreater(content(plain).index(written) + len(written), len(heard) - SECOND)

        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        self.song("Dora - Vier")
        self.icecast.title("harbour.mp3", "Erna - Fünf")
        self.song("Erna - Fünf")
        # The song goes on in the file that it had, after its gap.
        files = glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Dora - Vier*")
        self.assertEqual([os.path.basename(path) for path in files], [os.path.basename(part).replace(".mp3.part", " (part).mp3")])
        whole = sound(files[0])
        self.assertTrue(whole.startswith(written))
        wait("the rest at curl", lambda: whole[len(written):] in content(plain))
        self.assertGreater(len(whole), len(written))

    def test_g_saving_killed(self):
        """BT-RAD-033. A title that is on air while it is saved is one file after the hub was killed, with all that was received of it."""
        plain = self.beside("harbour.mp3")
        self.home.baton("radio", "play", "Harbour")
        for title in ("Ida - Neun", "Jan - Zehn"):
            self.icecast.title("harbour.mp3", title)
            self.home.reaches(title, lambda said, title=title: said.get("now", {}).get("streamTitle") == title)
        self.assertIn("is saved when it ends", self.home.baton("radio", "save", "1"))
        wait("some of it", lambda: any(os.stat(path).st_size > SECOND for path in self.found("Jan - Zehn.mp3.part")))
        type(self).hub.kill()
        written = self.saved("Jan - Zehn.mp3.part")

        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        wait("its file", lambda: self.found("Jan - Zehn (part).mp3"))
        self.assertEqual(len(self.found("Jan - Zehn*")), 1)
        sound = self.saved("Jan - Zehn (part).mp3")
        self.assertTrue(sound.startswith(written))
        self.assertIn(sound, content(plain))
        rows = json.loads(self.home.baton("radio", "titles", "Harbour", "--json"))["titles"]
        self.assertEqual((rows[-1]["title"], rows[-1].get("saved")), ("Jan - Zehn", 1))
        self.home.baton("radio", "play", "Harbour")
        self.icecast.title("harbour.mp3", "Kurt - Elf")
        self.home.reaches("the next title", lambda said: said["now"].get("streamTitle") == "Kurt - Elf")
        self.assertEqual(len(self.found("Jan - Zehn*")), 1)
        self.home.baton("stop")


if __name__ == "__main__":
    main("/usr/bin/icecast2", "/usr/bin/ffmpeg", "/usr/bin/curl", "/usr/bin/streamripper")
