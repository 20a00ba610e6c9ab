# deploy/test: tier 2, first Steering.test_playerctl, judges Sources/Dialects/MPRIS Sources/Platform/DesktopBus.
# deploy/test: waits, for it mostly asks small programs.
"""The rooms of a hub as players on its own desktop, steered by playerctl and python3-dbus."""

import os
import re
import unittest
import urllib.parse

import dbus

from Dialects.Support.desktop import LISTS, PLAYER, Bus, Desktop, songs
from Support.hubs import Home, Hub, HubCase, main, wait


class DesktopCase(HubCase):
    covered = False

    @classmethod
    def prepare(cls):
        cls.bus = Bus(cls.home)
        cls.addClassCleanup(cls.bus.end)
        cls.desktop = Desktop(cls.home, cls.bus)
        songs(cls.home.music, covered=cls.covered)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("scan", "--wait")

    def setUp(self):
        self.home.baton("play", self.home.music)
        self.home.baton("mode", "repeat", "off")
        self.home.reaches("it plays the first", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Song 1")
        self.player = self.desktop.player()

    def title(self):
        return self.home.status()["now"]["title"]


class Steering(DesktopCase):
    def test_playerctl(self):
        """playerctl sees what plays, and what it presses the hub does."""
        desktop = self.desktop
        self.assertEqual(desktop.players(), ["baton.main"])
        self.assertEqual(desktop.playerctl("metadata", "--format", "{{status}} {{artist}} {{title}} {{mpris:length}}"), "Playing Band Song 1 60000000")
        desktop.playerctl("next")
        self.assertEqual(self.title(), "Song 2")
        desktop.playerctl("position", "30")
        self.assertAlmostEqual(float(desktop.playerctl("position")), 30, delta=5)
        desktop.playerctl("previous")
        desktop.playerctl("pause")
        self.assertEqual((self.title(), self.home.status()["tl"]["st"]), ("Song 1", "paused"))
        desktop.playerctl("next")
        self.assertEqual((self.title(), desktop.playerctl("status") == "Playing"), ("Song 2", False))
        desktop.playerctl("volume", "0.25")
        self.assertEqual(self.home.status()["vol"]["level"], 25)
        desktop.playerctl("loop", "Playlist")
        self.assertIs(self.home.status()["modes"]["repeat"], True)
        desktop.playerctl("stop")
        self.assertEqual(desktop.playerctl("status"), "Stopped")

    def test_quick(self):
        """Two programs that press next at once skip two entries."""
        presses = [self.home.start("/usr/bin/playerctl", "--player=baton.main", "next") for _ in range(2)]
        for press in presses:
            self.assertEqual(press.wait(20), 0)
        self.assertEqual(self.title(), "Song 3")

    def test_position(self):
        """SetPosition is for the track that it names, within it; Seek beyond the end is the next one."""
        path = self.player["Metadata"]["mpris:trackid"]
        for track, position in ((path, -1), (path, 61_000_000), ("/org/mpris/MediaPlayer2/TrackList/NoTrack", 9_000_000), ("/a", 9_000_000)):
            self.player.player.SetPosition(track, position)
            self.assertLess(self.player["Position"], 8_000_000)
        self.player.player.SetPosition(path, 40_000_000)
        self.assertGreaterEqual(self.player["Position"], 40_000_000)
        self.player.player.Seek(-60_000_000)
        self.assertLess(self.player["Position"], 8_000_000)
        self.player.player.Seek(61_000_000)
        self.assertEqual(self.player.title, "Song 2")
        self.player.player.SetPosition(path, 10_000_000)
        self.assertLess(self.player["Position"], 8_000_000)

    def test_signals(self):
        """Playing on sends nothing, a jump sends Seeked, and a change sends its values without the position."""
        with open(f"{self.home.folder}/monitor", "w") as said:
            monitor = self.home.start("/usr/bin/dbus-monitor", "--session", "path=/org/mpris/MediaPlayer2,type=signal", stdout=said)
        self.addCleanup(monitor.wait)
        self.addCleanup(monitor.terminate)

        def heard():
            with open(f"{self.home.folder}/monitor") as said:
                return said.read()
        for level in range(10, 40):
            self.player["Volume"] = level / 100
            if "0.3" in heard():
                break
        wait("the monitor listens", lambda: "Volume" in heard())
        self.assertNotIn("Seeked", heard())
        self.home.baton("seek", "0:45")
        wait("the jump", lambda: "Seeked" in heard())
        self.home.baton("next")
        wait("the next song", lambda: "Song 2" in heard())
        self.assertNotIn('"Position"', heard())
        self.assertEqual(len(re.findall("member=Seeked", heard())), 1)

    def test_wrong(self):
        """Wrong types, unknown names and schemes are errors by name, and leave the room as it is."""
        before = self.home.status()["queue"]["rev"]
        calls = [
            lambda: self.player.properties.Set(PLAYER, "Volume", "loud"), lambda: self.player.properties.Set(PLAYER, "Position", dbus.Int64(1)),
            lambda: self.player.properties.Set(PLAYER, "LoopStatus", "Twice"), lambda: self.player.properties.Get(PLAYER, "Nothing"),
            lambda: self.player.properties.GetAll("org.example.Other"), lambda: self.player.player.OpenUri("gopher://hole"),
            lambda: self.player.player.OpenUri("file:///etc/passwd"), self.player.player.Fly,
            lambda: self.player.thing.Seek("x", dbus_interface=PLAYER, signature="s"),
            lambda: self.player.lists.GetPlaylists(dbus.UInt32(0), dbus.UInt32(1), "Colour", False),
        ]
        for call in calls:
            with self.assertRaises(dbus.DBusException) as refused:
                call()
            self.assertIn("org.freedesktop.DBus.Error.", refused.exception.get_dbus_name())
        self.assertEqual(self.home.status()["queue"]["rev"], before)

    def test_tracks(self):
        """The list of tracks is the queue: tracks are added behind one, gone to and removed."""
        first = self.player.paths
        self.assertEqual([str(facts["xesam:title"]) for facts in self.player.tracks.GetTracksMetadata(first)], [f"Song {n}" for n in range(1, 5)])
        self.player.tracks.AddTrack(f"file://{self.home.music}/4.flac", first[0], False)
        added = self.player.paths
        self.assertEqual((len(added), added[0], added[2:]), (5, first[0], first[1:]))
        self.player.tracks.GoTo(added[1])
        self.assertEqual(self.title(), "Song 4")
        self.player.tracks.RemoveTrack(added[2])
        self.assertEqual(self.player.paths, [path for path in added if path != added[2]])
        self.player.player.OpenUri(f"file://{self.home.music}/2.flac")
        self.assertEqual((self.title(), self.home.status()["tl"]["st"]), ("Song 2", "playing"))

    def test_playlists(self):
        """Playlists are listed, activated, and told when they get another name."""
        self.home.baton("playlist", "create", "Mornings", f"{self.home.music}/3.flac")
        wait("it is counted", lambda: self.player.properties.Get(LISTS, "PlaylistCount") == 1)
        [(path, name, _)] = self.player.lists.GetPlaylists(0, 10, "Alphabetical", False)
        self.assertEqual(name, "Mornings")
        self.player.lists.ActivatePlaylist(path)
        self.home.reaches("its song plays", lambda status: status["now"]["title"] == "Song 3")
        self.home.baton("playlist", "rename", "Mornings", "Evenings")
        wait("its other name", lambda: self.player.lists.GetPlaylists(0, 10, "Alphabetical", False)[0][1] == "Evenings")
        self.home.baton("playlist", "delete", "Evenings", "--yes")


class Coming(DesktopCase):
    covered = True

    def test_bus(self):
        """The session bus may end and come again, and the players with it."""
        self.bus.end()
        self.home.baton("next")
        self.bus.start()
        wait("the player is back", lambda: self.desktop.players() == ["baton.main"])
        self.assertEqual(self.desktop.playerctl("metadata", "title"), "Song 2")

    def test_rooms(self):
        """Each room is a player, which comes and goes with it."""
        self.home.baton("rooms", "create", "Kitchen Two")
        wait("its player", lambda: "baton.kitchen_two" in self.desktop.players())
        self.assertEqual(self.desktop.player("kitchen_two").properties.Get("org.mpris.MediaPlayer2", "Identity"), "Kitchen Two (Baton)")
        self.home.baton("rooms", "delete", "Kitchen Two", "--yes")
        wait("it is gone", lambda: self.desktop.players() == ["baton.main"])

    def test_cover(self):
        """The cover is a file that only its user reads, without an end that grows."""
        wait("the cover", lambda: "mpris:artUrl" in self.player["Metadata"])
        url = str(self.player["Metadata"]["mpris:artUrl"])
        path = urllib.parse.unquote(url.removeprefix("file://"))
        self.assertTrue(path.startswith(f"{self.home.folder}/.cache/baton/art/"))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)


class Switched(unittest.TestCase):
    def test_off(self):
        """`mpris = no` shows nothing."""
        home = Home()
        self.addCleanup(home.close)
        bus = Bus(home)
        self.addCleanup(bus.end)
        hub = Hub(home, "--audio", "null", "--no-mpris")
        self.addCleanup(hub.kill)
        self.assertEqual(Desktop(home, bus).players(), [])
        self.assertEqual(hub.stop(), 0)


if __name__ == "__main__":
    main("playerctl", "dbus-daemon", "dbus-monitor", "ffmpeg")
