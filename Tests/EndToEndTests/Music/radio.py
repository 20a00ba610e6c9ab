# deploy/test: tier 2, first Radio.test_titles, judges Sources/Features/Radio/BatonRadio/Stations Sources/Platform/Stores/StreamRing.
"""Radio from a real icecast2 that ffmpeg feeds: kept, played, shared by rooms, with titles, and heard again after its source was gone."""

import base64
import glob
import json
import os
import pwd
import socket
import subprocess
import urllib.parse
import urllib.request
import xml.etree.ElementTree

from ports import free_port
from Support.fixtures import make, metadata
from Support.hubs import HubCase, binaries, main, wait

PASSWORD = "of-the-suite"


class Icecast:
    """icecast2 on loopback, and the sources that feed it."""

    def __init__(self, home):
        self.home = home
        self.port = free_port()
        self.sources = {}
        folder = f"{home.folder}/icecast"
        os.mkdir(folder, 0o777)
        os.chmod(folder, 0o777)
        os.chmod(home.folder, 0o755)
        # icecast2 does not run as root.
        owner = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" if os.geteuid() == 0 else ""
        if owner:
            os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
        with open(f"{folder}/icecast.xml", "w", encoding="utf-8") as file:
            file.write(f"""<icecast><location>here</location><admin>nobody@localhost</admin><limits><sources>8</sources><burst-size>32768</burst-size></limits>
<authentication><source-password>{PASSWORD}</source-password><admin-user>admin</admin-user><admin-password>{PASSWORD}</admin-password></authentication>
<hostname>localhost</hostname><listen-socket><port>{self.port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
<paths><basedir>/usr/share/icecast2</basedir><logdir>{folder}</logdir><webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot></paths>
<logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
<security><chroot>0</chroot>{owner}</security></icecast>""")
        self.process = self.start()
        try:
            wait("icecast2", self.is_up)
        except BaseException:
            self.close()
            raise

    def start(self):
        path = f"{self.home.folder}/icecast/icecast.xml"
        return self.home.start("/usr/bin/icecast2", "-c", path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_up(self, of=lambda status: True):
        """The same as `answers`. One in a hundred starts of icecast2 ends in a segmentation fault, and is followed by another one."""
        if self.process.poll() is not None:
            self.process = self.start()
        return self.answers(of)

    def answers(self, of=lambda status: True):
        """Whether its status is as asked for. While it starts it forgets or cuts a request now and then, which is asked again."""
        try:
            return of(self.status(within=5))
        except OSError:
            return False

    def url(self, mount):
        return f"http://127.0.0.1:{self.port}/{mount}"

    def get(self, path, within=60):
        request = urllib.request.Request(self.url(path))
        request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode())
        with urllib.request.urlopen(request, timeout=within) as answer:
            return answer.read()

    def status(self, within=60):
        found = xml.etree.ElementTree.fromstring(self.get("admin/stats", within))
        return {one.get("mount").lstrip("/"): int(one.findtext("listeners", "0")) for one in found.iter("source")}

    def listeners(self, mount):
        return self.status().get(mount, 0)

    def feed(self, mount, hertz=440, source=None):
        kind = ("libvorbis", "ogg", "application/ogg") if mount.endswith(".ogg") else ("libmp3lame", "mp3", "audio/mpeg")
        words = ("/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", source or f"sine=f={hertz}:r=44100",
                 "-c:a", kind[0], "-b:a", "128k", "-content_type", kind[2], "-ice_name", mount.split(".")[0].title(), "-f", kind[1],
                 f"icecast://source:{PASSWORD}@127.0.0.1:{self.port}/{mount}")

        self.sources[mount] = self.home.start(*words)

        def arrives():
            """A source that icecast2 refuses while it starts comes again, as the sources of stations do."""
            if self.sources[mount].poll() is not None:
                self.sources[mount] = self.home.start(*words)
            return self.is_up(lambda status: mount in status)
        wait(f"the source of {mount}", arrives, every=0.2)

    def comes(self, mount):
        """Waits until its source is there."""
        wait(f"the source of {mount}", lambda: self.answers(lambda status: mount in status))

    def chain(self, mount):
        """A source that sends one stream of Ogg after the other."""
        chain = Chain(self, mount)
        self.sources[mount] = chain
        return chain

    @classmethod
    def with_stations(cls, case):
        """One with two stations, for all tests of a case."""
        icecast = cls(case.home)
        case.addClassCleanup(icecast.close)
        icecast.feed("harbour.mp3", 440)
        icecast.feed("nord.ogg", 550)
        return icecast

    def starve(self, mount):
        source = self.sources.pop(mount)
        source.kill()
        source.wait()
        wait(f"the end of {mount}", lambda: self.answers(lambda status: mount not in status))

    def title(self, mount, text):
        self.get(f"admin/metadata?mount=/{mount}&mode=updinfo&charset=UTF-8&song={urllib.parse.quote(text)}")

    def close(self):
        for process in (*self.sources.values(), self.process):
            process.kill()
            process.wait()


class Chain:
    """A source by one connection, to which a new ffmpeg writes each song, with its comments."""

    def __init__(self, icecast, mount):
        self.home = icecast.home
        self.song = None
        secret = base64.b64encode(f"source:{PASSWORD}".encode()).decode()
        self.socket = socket.create_connection(("127.0.0.1", icecast.port), 10)
        self.socket.sendall(f"SOURCE /{mount} HTTP/1.0\r\nAuthorization: Basic {secret}\r\nContent-Type: application/ogg\r\n\r\n".encode())
        said = self.socket.recv(1000)
        if b"200" not in said:
            raise AssertionError(f"icecast2 refused the source of {mount}: {said}")

    def play(self, codec, hertz, **comments):
        """Ends the song before it."""
        self.kill()
        self.wait()
        said = [word for name, text in comments.items() for word in ("-metadata", f"{name}={text}")]
        self.song = self.home.start(
            "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", f"sine=f={hertz}:r=48000", "-c:a", codec, *said,
            "-page_duration", "200000", "-flush_packets", "1", "-f", "ogg", "-", stdout=self.socket.fileno())

    def kill(self):
        """It writes its last page."""
        if self.song:
            self.song.terminate()

    def wait(self):
        if self.song:
            self.song.wait()


class Radio(HubCase):
    """One hub and one icecast2 for all tests."""

    flags = ("--audio", "null")

    @classmethod
    def prepare(cls):
        cls.icecast = Icecast.with_stations(cls)
        make(f"{cls.home.music}/own.flac", "-f", "lavfi", "-i", "sine=d=3", *metadata(title="Sieben (Remaster)", artist="Jörg"))

    def stations(self):
        return json.loads(self.home.baton("radio", "--json"))["stations"]

    def setUp(self):
        for row in self.stations():
            self.home.baton("radio", "remove", "--yes", row["uri"])
        self.home.baton("stop")

    def keep(self):
        self.home.baton("radio", "add", "Harbour FM", self.icecast.url("harbour.mp3"))
        self.home.baton("radio", "add", "Nordlicht", self.icecast.url("nord.ogg"))
        self.home.baton("radio", "fav", "Harbour")
        self.home.baton("radio", "fav", "Nordlicht")

    def plays(self, title):
        return self.home.reaches(
            title, lambda said: said["tl"]["st"] == "playing" and said.get("now", {}).get("title") == title and said["now"]["kind"] == "station")

    def test_titles(self):
        """A station that is kept plays by its name, and says what it plays; a title that repeats is one title."""
        self.keep()
        self.icecast.title("harbour.mp3", "Anna - Eins")
        self.home.baton("radio", "play", "harbour")
        self.plays("Harbour FM")
        for title in ("Anna - Eins", "It's Löw"):
            self.icecast.title("harbour.mp3", title)
            self.home.reaches(title, lambda said, title=title: said.get("now", {}).get("streamTitle") == title)

    def test_chains(self):
        """Comments of Opus, FLAC and Vorbis in the streams of a chain are titles, as those of ICY are."""
        for codec in ("libopus", "flac"):
            mount = f"{codec}.ogg"
            chain = self.icecast.chain(mount)
            chain.play(codec, 440, artist="Jörg", title="Eins")
            self.icecast.comes(mount)
            self.home.baton("radio", "add", codec, self.icecast.url(mount))
            self.home.baton("radio", "play", codec)
            self.plays(codec)
            self.home.reaches("the first title", lambda said: said["now"].get("streamTitle") == "Jörg - Eins")
            chain.play(codec, 550, title="It's Zwei")
            self.home.reaches("the second title", lambda said: said["now"].get("streamTitle") == "It's Zwei" and said["tl"]["st"] == "playing")
        self.keep()
        self.icecast.title("nord.ogg", "Anna - Drei")
        self.home.baton("radio", "play", "Nordlicht")
        self.home.reaches("the title by icecast2", lambda said: said["now"].get("streamTitle") == "Anna - Drei")

    def test_own_copy(self):
        """The song that a station plays is found among all sources, and the own copy is played."""
        wait("the own music", lambda: "Sieben" in self.home.baton("search", "Sieben"))
        self.keep()
        self.icecast.title("harbour.mp3", "Jörg - Sieben (Radio Edit)")
        self.home.baton("radio", "play", "harbour")
        self.home.reaches("the title", lambda said: said.get("now", {}).get("streamTitle") == "Jörg - Sieben (Radio Edit)")
        self.assertIn("Sieben (Remaster)", self.home.baton("find"))
        wait("its row", lambda: "Jörg - Sieben" in self.home.baton("radio", "titles"))
        self.assertIn("Sieben (Remaster)", self.home.baton("find", "1"))
        refused = self.home.run(f"{binaries()}/baton", "find", "Jörg - Acht", "--play")
        self.assertIn("No source has “Jörg - Acht”", refused.stderr)
        self.home.baton("find", "--play")
        self.home.reaches("the own copy", lambda said: said["now"]["uri"].startswith("lib:track/") and said["now"]["title"] == "Sieben (Remaster)")

    def test_one_connection(self):
        """Two rooms that hear one station share one connection, and without them there is none."""
        self.keep()
        self.home.baton("rooms", "create", "Kitchen")
        self.addCleanup(self.home.baton, "rooms", "delete", "--yes", "Kitchen")
        self.home.baton("radio", "play", "1")
        self.plays("Harbour FM")
        self.home.baton("--room", "Kitchen", "radio", "play", "1")
        wait("the kitchen", lambda: json.loads(self.home.baton("--room", "Kitchen", "status", "--json"))["tl"]["st"] == "playing")
        self.assertEqual(self.icecast.listeners("harbour.mp3"), 1)
        self.home.baton("stop")
        self.home.baton("--room", "Kitchen", "stop")
        wait("no listener", lambda: self.icecast.listeners("harbour.mp3") == 0)

    def test_presets(self):
        """BT-RAD-004. Next in a room that plays a station is the next preset, in MP3 or in Ogg, and after the last the first."""
        self.keep()
        self.home.baton("radio", "play", "Harbour FM")
        for title in ("Harbour FM", "Nordlicht", "Harbour FM"):
            self.plays(title)
            self.home.baton("next")

    def test_source_gone(self):
        """A station whose source was gone goes on when it is back, and nothing has to be pressed."""
        self.keep()
        self.home.baton("radio", "play", "harbour")
        self.plays("Harbour FM")
        self.icecast.starve("harbour.mp3")
        self.icecast.feed("harbour.mp3", 440)
        wait("the hub as a listener", lambda: self.icecast.listeners("harbour.mp3") == 1)
        self.icecast.title("harbour.mp3", "Back again")
        self.home.reaches("the title after", lambda said: said["now"].get("streamTitle") == "Back again" and said["tl"]["st"] == "playing")

    def test_buffer(self):
        """What a station sends is kept on disk also while its room pauses, and the room goes on playing by the same connection."""
        self.keep()

        def kept():
            return sum(os.path.getsize(path) for path in glob.glob(f"{self.home.folder}/**/radio/*/*.past", recursive=True))

        self.home.baton("radio", "play", "harbour")
        self.plays("Harbour FM")
        wait("sound on disk", lambda: kept() > 0)
        self.home.baton("pause")
        before = kept()
        wait("sound on disk while paused", lambda: kept() > before + 32 * 1024)
        self.assertEqual(self.icecast.listeners("harbour.mp3"), 1)
        self.home.baton("play")
        self.plays("Harbour FM")

    def test_files(self):
        """Stations are written to a file and read from it, and a file that is no list is refused in a sentence."""
        self.keep()
        before = [(row["title"], row["url"]) for row in self.stations()]
        for name in ("stations.opml", "stations.m3u8"):
            path = f"{self.home.folder}/{name}"
            self.home.baton("radio", "export", path)
            for row in self.stations():
                self.home.baton("radio", "remove", "--yes", row["uri"])
            self.home.baton("radio", "import", path)
            self.assertEqual([(row["title"], row["url"]) for row in self.stations()], before)
        with open(f"{self.home.folder}/page.html", "w", encoding="utf-8") as file:
            file.write("<!doctype html><p>Our stations")
        refused = self.home.run(f"{binaries()}/baton", "radio", "import", f"{self.home.folder}/page.html")
        self.assertIn("it is a web page and no list of stations", refused.stderr)
        self.assertEqual(refused.returncode, 1)

    def test_no_station(self):
        """What is no station is said in words, and the hub goes on."""
        self.home.baton("radio", "add", "A page", self.icecast.url("status.xsl"))
        self.home.run(f"{binaries()}/baton", "radio", "play", "A page")
        wait("a sentence", lambda: "“A page” cannot be heard: This is a web page" in self.home.baton("status", "--format", "{problem}"))


if __name__ == "__main__":
    main("/usr/bin/icecast2", "/usr/bin/ffmpeg")
