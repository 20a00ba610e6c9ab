# deploy/test: tier 2, first Clients.test_mpc Clients.test_python, judges Sources/Dialects/MPD Sources/Programs/batond/Protocols.
# deploy/test: waits, for it mostly asks small programs.
"""Programs of Debian that know mpd alone steer a hub: mpc, python3-mpd and ncmpc."""

import json
import os
import socket
import subprocess
import threading

import mpd

from Remotes.top import Tmux
from Support.fixtures import make, metadata
from Support.hubs import HubCase, binaries, main, wait
from ports import free_port

TITLES = ("Dawn", "Noon", "Dusk", "Night")


class Clients(HubCase):
    @classmethod
    def prepare(cls):
        cls.port = free_port()
        cls.flags = ("--audio", "null", "--mpd", str(cls.port), "--start-level", "40", "--start-max", "60", "--ceiling", "60")
        for number, title in enumerate(TITLES, 1):
            make(f"{cls.home.music}/Band/{title}.flac", "-f", "lavfi", "-i", f"sine=frequency={200 * number}:duration=60",
                 *metadata(title=title, artist="Band", album="Album", track=number))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.socket = f"{cls.home.folder}/run/baton/mpd.sock"
        wait("the socket file of MPD", lambda: os.path.exists(cls.socket))
        cls.home.baton("scan", "--wait")

    def setUp(self):
        for words in (("clear",), ("repeat", "off"), ("single", "off"), ("consume", "off"), ("random", "off"), ("volume", "40")):
            self.mpc(*words)

    def mpc(self, *words, host="127.0.0.1"):
        ended = self.home.run("/usr/bin/mpc", "-h", host, "-p", str(self.port), *words)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), words)
        return ended.stdout

    def client(self):
        client = mpd.MPDClient()
        client.timeout = 20
        client.connect("127.0.0.1", self.port)
        self.addCleanup(client.disconnect)
        return client

    def playing(self):
        status = self.home.status()
        return status["now"]["title"], status["tl"]["st"]

    def test_mpc(self):
        """mpc finds, queues, plays, skips and saves, and sees what it has led to."""
        self.assertEqual(self.mpc("listall").splitlines(), [f"Band/{title}.flac" for title in TITLES])
        self.assertEqual(self.mpc("search", "title", "OO").splitlines(), ["Band/Noon.flac"])
        self.assertEqual(self.mpc("list", "album", "artist", "Band").splitlines(), ["Album"])
        self.mpc("add", "Band")
        self.assertEqual(self.mpc("playlist", "-f", "%title%").splitlines(), list(TITLES))
        self.mpc("play", "2")
        self.home.reaches("it plays the second", lambda status: status["now"]["title"] == "Noon" and status["tl"]["st"] == "playing")
        self.mpc("next")
        self.assertEqual(self.mpc("current", "-f", "%title%"), "Dusk\n")
        self.mpc("prev")
        self.assertEqual(self.playing()[0], "Noon")
        self.mpc("seek", "30")
        self.assertRegex(self.mpc("status", "%currenttime%/%totaltime%"), r"0:3\d/1:00")
        self.mpc("toggle")
        self.assertEqual(self.playing(), ("Noon", "paused"))
        # Above the ceiling of the room it is as loud as the room may be.
        self.mpc("volume", "90")
        self.assertEqual((self.home.status()["vol"]["level"], self.mpc("volume")), (60, "volume: 60%\n"))
        for mode in ("repeat", "random", "single", "consume"):
            self.mpc(mode, "on")
        modes = self.home.status()["modes"]
        self.assertEqual((modes["repeat"], modes["shuffle"], modes["single"], modes["consume"]), (True, True, "on", "on"))
        self.mpc("random", "off")
        self.mpc("save", "evening")
        self.addCleanup(self.mpc, "rm", "evening")
        self.mpc("del", "1")
        self.mpc("move", "1", "3")
        self.assertEqual(self.mpc("playlist", "-f", "%title%").splitlines(), ["Dusk", "Night", "Noon"])
        self.mpc("clear")
        self.mpc("load", "evening")
        self.assertEqual(self.mpc("playlist", "-f", "%title%").splitlines(), list(TITLES))
        self.mpc("sticker", "Band/Dusk.flac", "set", "rating", "8")
        self.assertEqual(self.mpc("sticker", "Band/Dusk.flac", "get", "rating"), "rating=8\n")
        self.mpc("update", "--wait", host=self.socket)

    def test_idle(self):
        """mpc that waits hears what another remote has done."""
        self.mpc("add", "Band")
        waiting = self.home.start("/usr/bin/mpc", "-h", "127.0.0.1", "-p", str(self.port), "idle", "mixer", stdout=subprocess.PIPE, text=True)
        self.addCleanup(waiting.kill)
        wait("mpc is connected", lambda: any(
            program["command"] == "idle" for program in self.programs()))
        self.home.baton("volume", "30")
        self.assertEqual(waiting.communicate(timeout=20)[0], "mixer\n")

    def programs(self):
        rows = json.loads(self.home.baton("mpd", "--json"))["list"]
        return next(row for row in rows if row["dialect"] == "mpd")["programs"]

    def test_python(self):
        """python3-mpd sends lists of commands, reads pictures and waits for events."""
        client = self.client()
        self.assertEqual(client.mpd_version, "0.24.0")
        client.command_list_ok_begin()
        client.clear()
        for title in TITLES:
            client.add(f"Band/{title}.flac")
        client.play(1)
        client.status()
        answers = client.command_list_end()
        self.assertEqual(answers[-1]["playlistlength"], "4")
        self.assertEqual(client.currentsong()["title"], "Noon")
        version = client.status()["playlist"]
        client.deleteid(client.playlistinfo(3)[0]["id"])
        self.assertEqual((client.plchanges(version), client.status()["playlistlength"]), ([], "3"))
        self.assertEqual([song["title"] for song in client.search("(title contains 'us')")], ["Dusk"])
        self.assertEqual(client.count("artist", "Band")["songs"], "4")
        with self.assertRaises(mpd.CommandError) as refused:
            client.add("nowhere")
        self.assertIn("[50@0] {add} No such directory", str(refused.exception))
        told = []
        waiting = threading.Thread(target=lambda: told.extend(client.idle("playlist")))
        waiting.start()
        wait("it waits", lambda: any(program["command"] == "idle" for program in self.programs()))
        self.mpc("add", "Band/Night.flac")
        waiting.join(20)
        self.assertEqual(told, ["playlist"])
        client.pause(1)
        self.assertEqual((client.status()["state"], self.playing()[1]), ("pause", "paused"))

    def test_history(self):
        """What a program has done stands in the history, and one undo takes back a whole list."""
        client = self.client()
        self.mpc("add", "Band")
        songs = client.playlistinfo()[1:]
        client.command_list_ok_begin()
        for song in songs:
            client.deleteid(song["id"])
        client.command_list_end()
        self.assertEqual(client.status()["playlistlength"], "1")
        self.home.baton("queue", "undo")
        self.assertEqual(client.status()["playlistlength"], "4")

    def test_people(self):
        """`baton mpd` and doctor say where programs reach the hub, and who is connected."""
        client = self.client()
        client.ping()
        self.assertTrue(any(program["address"] == "127.0.0.1" and program["command"] == "ping" for program in self.programs()))
        self.assertIn(f"127.0.0.1:{self.port}", self.home.baton("mpd"))
        self.assertRegex(self.home.run(f"{binaries()}/baton", "doctor").stdout, rf"mpd +.* connected at 127.0.0.1:{self.port}")

    def test_switch(self):
        """Switched off it takes no program, also after a restart, and a browser that is led there learns nothing."""
        with socket.create_connection(("127.0.0.1", self.port)) as browser:
            browser.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nclear\nplay\n")
            browser.settimeout(10)
            said = b""
            while piece := browser.recv(4096):
                said += piece
        self.assertEqual(said, b"OK MPD 0.24.0\n")
        client = self.client()
        self.home.baton("mpd", "off")
        self.addCleanup(self.home.baton, "mpd", "on")
        with self.assertRaises((mpd.ConnectionError, OSError)):
            client.status()
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", self.port)).close()
        self.home.baton("mpd", "on")
        self.mpc("status")

    def test_ncmpc(self):
        """ncmpc on a terminal shows the queue, and its keys steer the room."""
        self.mpc("add", "Band")
        self.mpc("play", "1")
        screen = Tmux(self, 100, 30)
        screen.tmux("send-keys", f"ncmpc --host 127.0.0.1 --port {self.port}", "Enter")
        for title in TITLES:
            screen.until(title)
        screen.tmux("send-keys", ">")
        self.home.reaches("the next one", lambda status: status["now"]["title"] == "Noon")
        screen.tmux("send-keys", "P")
        self.home.reaches("paused", lambda status: status["tl"]["st"] == "paused")
        screen.tmux("send-keys", "q")
        screen.until("ready>")


if __name__ == "__main__":
    main("mpc", "ncmpc", "tmux", "ffmpeg")
