# deploy/test: tier 2, judges Sources/Dialects/MPD/Sessions Sources/Features/DialectAccess Sources/Programs/batond/Protocols.
# deploy/test: waits, for it mostly asks small programs.
"""Programs of MPD on another machine come in by a password only, with its role, and a machine that guesses is locked out.

The hub is on host A of two that are made for it. The suite and its programs are on host B.
"""

import os
import subprocess
import unittest

import mpd

from Support.fixtures import make, metadata
from Support.hubs import NOT_POSSIBLE, Home, Hub, binaries, main, wait
from Support.twohosts import TwoHosts
from ports import free_port

SECRET, WEAK = "open the north window", "only look at the garden"


class Elsewhere(unittest.TestCase):
    def setUp(self):
        self.hosts = TwoHosts()
        self.addCleanup(self.hosts.close)
        self.home = Home()
        self.addCleanup(self.home.close)
        make(f"{self.home.music}/Dawn.flac", "-f", "lavfi", "-i", "sine=duration=60", *metadata(title="Dawn", artist="Band"))
        self.port = free_port()
        with self.hosts.on_the_hubs_machine():
            self.hub = Hub(self.home, "--audio", "null", "--mpd", str(self.port), "--mpd-listen", self.hosts.address["A"])
        self.addCleanup(self.hub.kill)
        wait("the socket file of MPD", lambda: os.path.exists(f"{self.home.folder}/run/baton/mpd.sock"))
        self.home.baton("scan", "--wait")
        self.password("add", "phone", SECRET)
        self.password("add", "wall", WEAK, "--role", "listener")

    def password(self, verb, name, typed="", *words):
        ended = subprocess.run(
            [f"{binaries()}/baton", "mpd", "password", verb, name, *words], env=self.home.environment, input=f"{typed}\n",
            capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def client(self, password=None):
        client = mpd.MPDClient()
        client.timeout = 20
        client.connect(self.hosts.address["A"], self.port)
        self.addCleanup(client.disconnect)
        if password:
            client.password(password)
        return client

    def refuses(self, code, act, *words):
        with self.assertRaises(mpd.CommandError) as refused:
            act(*words)
        self.assertTrue(str(refused.exception).startswith(f"[{code}@0]"), refused.exception)

    def test_passwords(self):
        """Without a password nothing is seen; a listener's sees and presses nothing; a remote's steers, until it is removed."""
        stranger = self.client()
        for act in (stranger.status, stranger.playlistinfo, stranger.play, stranger.idle, stranger.listall):
            self.refuses(4, act)
        self.assertIn("password", stranger.commands())
        self.assertNotIn("status", stranger.commands())
        self.assertNotIn("MPD", self.home.baton("people"))
        wall = self.client(WEAK)
        self.assertEqual(wall.status()["state"], "stop")
        for act in (wall.play, wall.clear, wall.update):
            self.refuses(4, act)
        self.refuses(4, wall.sticker_set, "song", "Dawn.flac", "mood", "calm")
        phone = self.client(SECRET)
        phone.add("Dawn.flac")
        phone.play()
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")
        self.refuses(4, phone.update)
        self.refuses(4, phone.config)
        self.refuses(4, phone.add, "/etc/passwd")
        self.refuses(4, phone.add, "file:///etc/passwd")
        self.refuses(50, phone.add, "../Dawn.flac")
        self.refuses(50, phone.listfiles, "..")
        self.assertRegex(self.home.baton("mpd"), r"phone\s+remote")
        self.password("remove", "phone")
        with self.assertRaises((mpd.ConnectionError, OSError)):
            phone.status()
        self.refuses(3, self.client().password, SECRET)
        self.assertEqual(wall.status()["state"], "play")

    def test_guesses(self):
        """After five wrong passwords a right one is refused too, also to another connection; this machine's programs go on."""
        guesser = self.client()
        for guess in range(5):
            self.refuses(3, guesser.password, f"guess {guess}")
        self.refuses(3, guesser.password, SECRET)
        self.refuses(3, self.client().password, SECRET)
        near = mpd.MPDClient()
        near.connect(f"{self.home.folder}/run/baton/mpd.sock", 0)
        self.addCleanup(near.disconnect)
        self.assertEqual(near.status()["state"], "stop")

    def test_strangers(self):
        """Strangers have few connections, and no list of theirs becomes long."""
        strangers = [self.client() for _ in range(32)]
        with self.assertRaises((mpd.ConnectionError, OSError)):
            self.client()
        listing = strangers[0]
        listing._sock.sendall(b"command_list_begin\n" + b"find artist x\n" * 4000)
        with self.assertRaises((mpd.ConnectionError, OSError)):
            listing.ping()
        strangers[1].ping()


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("mpd_elsewhere.py: only root can make network namespaces")
        raise SystemExit(NOT_POSSIBLE)
    main("ffmpeg")
