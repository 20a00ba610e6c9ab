# deploy/test: tier 2, judges Sources/Programs/baton/Desktop Sources/Dialects/MPRIS/BusPlayer Sources/Client/BatonClient.
# deploy/test: waits, for it mostly asks small programs.
"""`baton mpris` on a desktop whose hub is on another machine: it comes by TLS, with the key of its pairing and no more rights.

The hub is on host A of two that are made for it. The suite and its programs are on host B.
"""

import os
import unittest
import urllib.parse

import dbus

from Dialects.Support.desktop import ROOT, Bus, Desktop, mirror, songs
from Support.hubs import NOT_POSSIBLE, Home, Hub, main, wait
from Support.twohosts import TwoHosts
from Support.unprivileged import RemoteAdmin


class Elsewhere(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = TwoHosts()
        cls.addClassCleanup(cls.hosts.close)
        cls.hub_home = Home()
        cls.addClassCleanup(cls.hub_home.close)
        songs(cls.hub_home.music, covered=True)
        with cls.hosts.on_the_hubs_machine():
            cls.hub = Hub(cls.hub_home, "--audio", "null", "--tls", f"{cls.hosts.address['A']}:9443")
        cls.addClassCleanup(cls.hub.kill)
        cls.hub_home.baton("scan", "--wait")
        cls.device = RemoteAdmin(cls.hub)
        cls.addClassCleanup(cls.device.close)
        cls.bus = Bus(cls.device.home)
        cls.addClassCleanup(cls.bus.end)
        cls.desktop = Desktop(cls.device.home, cls.bus)

    def setUp(self):
        self.hub_home.baton("play", self.hub_home.music)
        self.hub_home.reaches("it plays the first", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Song 1")
        program = mirror(self.device.home, "--hub", self.device.address)
        self.addCleanup(program.wait)
        self.addCleanup(program.terminate)
        wait("the player", lambda: self.desktop.players() == ["baton.main"])

    def test_steering(self):
        """Two quick presses count twice, the position is that of the hub's clock, and the cover is a file of this machine."""
        self.desktop.playerctl("next")
        self.desktop.playerctl("next")
        self.assertEqual(self.hub_home.status()["now"]["title"], "Song 3")
        player = self.desktop.player()
        self.desktop.playerctl("pause")
        self.desktop.playerctl("position", "25")
        self.assertEqual(int(player["Position"]), 25_000_000)
        wait("the cover", lambda: "mpris:artUrl" in player["Metadata"])
        path = urllib.parse.unquote(str(player["Metadata"]["mpris:artUrl"]).removeprefix("file://"))
        self.assertTrue(path.startswith(self.device.home.folder) and os.path.getsize(path) > 0)

    def test_files(self):
        """Files of this machine are none of the hub's, so their scheme is not offered and they are refused."""
        player = self.desktop.player()
        self.assertNotIn("file", player.properties.Get(ROOT, "SupportedUriSchemes"))
        with self.assertRaises(dbus.DBusException) as refused:
            player.player.OpenUri("file:///etc/passwd")
        self.assertTrue(refused.exception.get_dbus_name().endswith("NotSupported"))

    def test_two(self):
        """A second mirror on the same desktop has a name of its own."""
        second = mirror(self.device.home, "--hub", self.device.address)
        self.addCleanup(second.wait)
        self.addCleanup(second.terminate)
        wait("both", lambda: len(self.desktop.players()) == 2)
        self.assertEqual(self.desktop.players(), ["baton.main", f"baton.main.instance{second.pid}"])


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("mpris_elsewhere.py: only root can make network namespaces")
        raise SystemExit(NOT_POSSIBLE)
    main("playerctl", "dbus-daemon", "ffmpeg")
