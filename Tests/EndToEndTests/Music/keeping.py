# deploy/test: tier 2, judges Sources/Features/Copies/BatonCopies Sources/Platform/Stores/KeptStore Sources/Core/BatonCore/Keeping.
# deploy/test: judges Sources/Features/Servers/ServerConnectors/Subsonic Tests/Contract/supysonic.py.
# deploy/test: waits, mostly for a server that is slow, hangs or is away.
"""What people keep plays while its server is away: a real Subsonic server (supysonic) behind a proxy that is slow, cut or gone."""

import glob
import json
import os
import selectors
import signal
import socket
import subprocess
import threading
import time

from Support.fixtures import make, metadata
from Support.hubs import Hub, HubCase, binaries, main, wait
from Support.recording import RATE, Tape, torn
from supysonic import PASSWORD, USER, Supysonic

HERTZ = 441.3
SECONDS = 4.5
# Every sample stands as it is, so that a tone is as large as music.
LARGE = ("-compression_level", "0", "-lpc_type", "none", "-min_prediction_order", "0", "-max_prediction_order", "0")


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Proxy:
    """Carries bytes to a server and back. It can be slow, and it can break all its connections and take no more."""

    def __init__(self, port):
        self.server = port
        self.rate = None
        self.is_cut = False
        self.links = []
        # A connection that is being made during a cut ends with it, too.
        self.lock = threading.Lock()
        self.ear = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.ear.getsockname()[1]}"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                near, _ = self.ear.accept()
            except OSError:
                return
            with self.lock:
                try:
                    far = None if self.is_cut else socket.create_connection(("127.0.0.1", self.server))
                except OSError:
                    far = None
                if not far:
                    near.close()
                    continue
                self.links += [near, far]
            threading.Thread(target=self.carry, args=(near, far), daemon=True).start()

    def carry(self, near, far):
        with selectors.DefaultSelector() as ready, near, far:
            ready.register(near, selectors.EVENT_READ, far)
            ready.register(far, selectors.EVENT_READ, near)
            while True:
                for key, _ in ready.select():
                    try:
                        piece = key.fileobj.recv(8192)
                        if not piece:
                            return
                        key.data.sendall(piece)
                    except OSError:
                        return
                    if key.fileobj is far and self.rate:
                        time.sleep(len(piece) / self.rate)

    def cut(self):
        with self.lock:
            self.is_cut = True
            for link in self.links:
                try:
                    link.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            self.links = []

    def mend(self):
        self.is_cut = False

    def close(self):
        self.cut()
        self.ear.close()


class Keeping(HubCase):
    """One hub whose only music is a server's, in the order of the tests' names."""

    flags = ("--audio", "null", "--no-prefer-kept")

    @classmethod
    def prepare(cls):
        cls.tape = Tape(cls.home)
        cls.flags = (*cls.flags, *cls.tape.flags)
        tone = f"aevalsrc=exprs='0.5*sin(2*PI*{HERTZ}*t)':s={RATE}:d={SECONDS}"

        def music(folder):
            for number, (start, end) in enumerate([(0, RATE + 1234), (RATE + 1234, 3 * RATE + 777), (3 * RATE + 777, int(SECONDS * RATE))]):
                make(f"{folder}/weir/part{number}.flac", "-f", "lavfi", "-i", f"{tone},atrim=start_sample={start}:end_sample={end},asetpts=N/SR/TB",
                     *metadata(title=f"Part {number}", artist="Weir", album="Parts", track=str(number)))
            make(f"{folder}/weir/whole/whole.flac", "-f", "lavfi", "-i", tone, *LARGE, *metadata(title="Whole", artist="Weir", album="Whole Tone"))

            make(f"{folder}/weir/other/other.flac", "-f", "lavfi", "-i", tone, *metadata(title="Stray", artist="Weir", album="Stray"))

        cls.subsonic = Supysonic(f"{cls.home.folder}/supysonic", version="debian", make=music)
        cls.enterClassContext(cls.subsonic)
        cls.proxy = Proxy(cls.subsonic.port)
        cls.addClassCleanup(cls.proxy.close)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        password = cls.home.secret("password", PASSWORD)
        cls.home.baton("source", "add", "attic", "subsonic", cls.proxy.url, "--user", USER, "--password-file", password)
        wait("the rows of the server", lambda: (cls.hub.section("src") or {"list": [{}]})["list"][0].get("mirror", {}).get("atMs"))
        cls.uris = {row["title"]: row["uri"] for row in cls.rows("search", "weir") + cls.rows("search", "part") + cls.rows("search", "whole")}

    @classmethod
    def rows(cls, *words):
        return json.loads(cls.home.baton(*words, "--json"))["rows"]

    def kept(self):
        return json.loads(self.home.baton("keep", "list", "--json"))

    def files(self):
        return sorted(glob.glob(f"{self.home.folder}/state/**/kept/*", recursive=True))

    def look(self):
        """Asks the hub to look at its server now."""
        self.home.run(f"{binaries()}/baton", "source", "test", "attic")

    def album(self, title):
        return next(row["uri"] for row in self.rows("search", title, "--kind", "album") if row["title"] == title)

    def assertWhole(self, *queue, **how):
        """The tracks of a queue join to one tone, to the sample."""
        self.assertIsNone(torn(self.tape.play(*queue, **how), HERTZ, SECONDS))

    def tearDown(self):
        if self.proxy.is_cut:
            self.proxy.mend()
            self.look()

    # ---- Kept

    def test_1_album(self):
        """An album is fetched whole, its rows say so, and its copies are the server's own files."""
        said = self.home.baton("keep", self.album("Parts"), self.album("Whole Tone"), "--wait")
        self.assertIn("3 of 3", said)
        self.assertNotIn("Now: ", said, "nothing is fetched any more")
        self.assertEqual([row["whole"] for row in self.kept()["rows"]], [3, 1])
        self.assertEqual({row["kept"] for row in self.rows("search", "part", "--kind", "track")}, {100})
        served = {content(path) for path in glob.glob(f"{self.subsonic.music}/**/*.flac", recursive=True)}
        self.assertLessEqual({content(path) for path in self.files()}, served)
        self.assertEqual(len(self.files()), 4)

    def test_2_takes_over(self):
        """A track that plays from its server goes on from the kept copy without a gap when the server dies."""
        # So slow that it cannot have come whole when the server dies.
        self.proxy.rate = 150_000
        self.addCleanup(setattr, self.proxy, "rate", None)
        self.assertWhole(self.uris["Whole"], meanwhile=self.proxy.cut)

    def test_3_away(self):
        """With the server gone, kept tracks are shown, found and played one behind the other without a gap, and only they are available."""
        self.proxy.cut()
        self.look()
        rows = self.rows("search", "part", "--kind", "track")
        self.assertTrue(rows and not any(row.get("away") for row in rows), rows)
        wait("the other is away", lambda: [row.get("away") for row in self.rows("search", "stray", "--kind", "track")] == [1])
        self.assertEqual(self.rows("search", "stray", "--kind", "track", "--available"), [])
        titles = {row["title"] for row in self.rows("browse", "attic", "newest", "--available")}
        self.assertEqual(titles, {"Parts", "Whole Tone"})
        self.assertWhole(self.uris["Part 0"], self.uris["Part 1"], self.uris["Part 2"])

    def test_3_hung(self):
        """A server that is stopped holds up nothing: kept tracks play, known ones are queued, all else is refused, until it goes on."""
        def state():
            return self.hub.section("src")["list"][0]["state"]

        def soon(*words):
            # Far less than a call to a server may take.
            return self.home.run(f"{binaries()}/baton", *words, limit=10)
        wait("the server is there", lambda: state() == "ok")
        stray = self.rows("search", "stray", "--kind", "track")[0]["uri"]
        server = self.subsonic.process.pid
        os.kill(server, signal.SIGSTOP)
        self.addCleanup(os.kill, server, signal.SIGCONT)
        for _ in range(3):
            ended = soon("play", "attic:album/of-which-nothing-is-known")
            self.assertIn("has been away since", ended.stderr)
        self.assertEqual(state(), "down")
        self.home.baton("queue", "clear")
        for words in (("queue", "add", stray), ("queue", "add", self.album("Whole Tone")), ("browse",), ("browse", "attic", "newest")):
            self.assertEqual(soon(*words).returncode, 0, words)
        self.assertEqual(self.home.status()["queue"]["len"], 2)
        self.assertWhole(self.uris["Part 0"], self.uris["Part 1"], self.uris["Part 2"])
        os.kill(server, signal.SIGCONT)
        self.look()
        wait("the server is there again", lambda: state() == "ok")
        self.home.baton("play", stray)
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Stray")
        self.home.baton("stop")

    def test_4_changed(self):
        """A copy that was changed on the disk is fetched anew."""
        path = self.files()[0]
        good = content(path)
        with open(path, "r+b") as file:
            file.seek(100)
            file.write(b"changed")
        self.assertEqual(self.hub.stop(), 0)
        type(self).hub = Hub(self.home, *self.flags)
        wait("all of it is whole", lambda: (self.hub.section("keep") or {"whole": 0})["whole"] == 4)
        self.assertEqual(content(path), good)

    def test_5_playlist(self):
        """A kept playlist follows its edits."""
        self.home.baton("keep", "drop", "1", "2")
        wait("nothing is left", lambda: not self.files())
        self.home.baton("playlist", "create", "Evening")
        self.home.baton("playlist", "add", "Evening", self.uris["Part 0"], self.uris["Part 1"])
        self.home.baton("keep", "Evening", "--wait")
        self.assertEqual(len(self.files()), 2)
        self.home.baton("playlist", "add", "Evening", self.uris["Part 2"])
        wait("the third track", lambda: (self.hub.section("keep") or {})["whole"] == 3)
        self.home.baton("playlist", "remove", "Evening", "1")
        wait("the first is gone", lambda: len(self.files()) == 2)
        self.home.baton("keep", "drop", "Evening")

    def test_6_limit(self):
        """The limit stops keeping with a sentence, and more of it lets it go on."""
        self.home.baton("keep", "limit", "1K")
        said = self.home.run(f"{binaries()}/baton", "keep", self.album("Parts"), "--wait")
        self.assertIn("fit", said.stdout + said.stderr)
        self.assertEqual(self.files(), [])
        self.home.baton("keep", "limit", "1G")
        wait("all of it", lambda: (self.hub.section("keep") or {})["whole"] == 3)

    def test_7_full_disk(self):
        """A full disk stops keeping with a sentence and not playing, and with room it goes on."""
        self.home.baton("keep", "drop", "1")
        folder = f"{self.home.folder}/state/baton/kept"
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k,mode=700", "baton-test", folder], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        self.home.baton("keep", self.album("Whole Tone"))
        wait("the sentence", lambda: "disk is full" in (self.hub.section("keep") or {}).get("msg", ""))
        self.assertEqual(self.files(), [])
        self.assertIn("disk is full", self.home.run(f"{binaries()}/baton", "doctor").stdout)
        self.home.baton("play", self.uris["Part 0"], self.uris["Part 1"])
        self.home.reaches("it plays on", lambda status: status["tl"]["st"] == "playing" and status["queue"]["idx"] == 1)
        self.home.baton("stop")
        subprocess.run(["mount", "-o", "remount,size=8m", folder], check=True)
        self.home.baton("keep", "limit", "2G")
        wait("all of it", lambda: (self.hub.section("keep") or {})["whole"] == 1)

    def test_8_heard(self):
        """What was heard is played again while its server is away, until newer copies take its place; what is kept stays."""
        stray = self.rows("search", "stray", "--kind", "track")[0]["uri"]
        cache = f"{self.home.folder}/state/baton/cache"
        before = set(os.listdir(cache))
        self.home.baton("play", stray)
        wait("its copy", lambda: [name for name in set(os.listdir(cache)) - before if not name.endswith(".part")])
        self.home.baton("stop")
        self.proxy.cut()
        self.look()
        self.assertEqual([row.get("away") for row in self.rows("search", "stray", "--kind", "track", "--available")], [None])
        self.home.baton("play", stray)
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Stray")
        self.home.reaches("its end", lambda status: status["tl"]["st"] == "stopped" and "problem" not in status)


if __name__ == "__main__":
    main("ffmpeg", "supysonic-server", "mount")
