# deploy/test: tier 2, judges Sources/Programs/baton/Desktop Sources/Dialects/MPRIS/BusPlayer Sources/Platform/DesktopBus.
# deploy/test: waits, for it mostly asks small programs.
"""KDE Connect on a phone steers the rooms that `baton mpris` shows on a desktop.

The desktop is on host B of two that are made for it, hub and phone are on host A. The phone is another desktop, since KDE Connect is a remote there too.
"""

import os
import unittest

from Dialects.Support.desktop import Desktop, mirror, songs
from Dialects.Support.kdeconnect import KDEConnect
from Support.hubs import NOT_POSSIBLE, Home, Hub, main, wait
from Support.twohosts import TwoHosts
from Support.unprivileged import RemoteAdmin

# The first room is named as its hub is.
FIRST, LOFT = "Test hub (Baton)", "Loft (Baton)"


class Phone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = TwoHosts()
        cls.addClassCleanup(cls.hosts.close)
        cls.home, phone_home = Home(), Home()
        cls.addClassCleanup(cls.home.close)
        cls.addClassCleanup(phone_home.close)
        songs(cls.home.music)
        with cls.hosts.on_the_hubs_machine():
            cls.hub = Hub(cls.home, "--audio", "null", "--tls", f"{cls.hosts.address['A']}:9443")
        cls.addClassCleanup(cls.hub.kill)
        cls.home.baton("scan", "--wait")
        cls.device = RemoteAdmin(cls.hub)
        cls.addClassCleanup(cls.device.close)
        there = KDEConnect(cls.device.home, "Desktop")
        cls.addClassCleanup(there.end)
        with cls.hosts.on_the_hubs_machine():
            here = KDEConnect(phone_home, "Phone")
        cls.addClassCleanup(here.end)
        cls.phone = here.pair(there)
        cls.desktop, cls.desktop_of_phone = Desktop(cls.device.home, there.bus), Desktop(phone_home, here.bus)

    def setUp(self):
        self.home.baton("play", self.home.music)
        self.reaches("playing", "Song 1")
        program = mirror(self.device.home, "--hub", self.device.address)
        self.addCleanup(self.phone.show, playerList=[])
        self.addCleanup(program.wait)
        self.addCleanup(program.terminate)
        self.phone.show(playerList=[FIRST], player=FIRST, title="Song 1", isPlaying=True)

    def reaches(self, state, title):
        self.home.reaches(f"{state} {title}", lambda status: (status["tl"]["st"], status["now"]["title"]) == (state, title))

    def test_shown(self):
        """The phone has the room under its name, with what plays, and follows what others do."""
        self.phone.show(artist="Band", album="Album", nowPlaying="Band - Song 1", length=60_000, canSeek=True)
        self.home.baton("next")
        self.phone.show(title="Song 2", isPlaying=True)
        self.home.baton("volume", "25")
        self.home.baton("pause")
        self.phone.show(volume=25, isPlaying=False)

    def test_play(self):
        """The button pauses the room and lets it play on."""
        self.phone.press("PlayPause")
        self.reaches("paused", "Song 1")
        self.phone.show(isPlaying=False)
        self.phone.press("PlayPause")
        self.reaches("playing", "Song 1")
        self.phone.show(isPlaying=True)

    def test_next(self):
        """A press goes on by one song, two quick ones by two, and back is back."""
        self.phone.press("Next")
        self.phone.show(title="Song 2")
        self.phone.press("PlayPause")
        self.reaches("paused", "Song 2")
        self.phone.press("Next")
        self.phone.press("Next")
        self.phone.show(title="Song 4")
        self.phone.press("Previous")
        self.phone.show(title="Song 3")
        self.phone.press("PlayPause")
        self.reaches("playing", "Song 3")

    def test_volume(self):
        """The room is as loud as the phone says, by the hundredth."""
        for level in (29, 58, 100, 0, 40):
            self.phone["volume"] = level
            self.home.reaches(f"{level} per cent", lambda status, level=level: status["vol"]["level"] == level)
        self.phone.show(volume=40)

    def test_position(self):
        """The phone moves the place in a song to where it says, and by as much as it says."""
        self.phone.press("Pause")
        self.phone.show(isPlaying=False)
        self.phone["position"] = 25_000
        wait("the place", lambda: self.desktop.playerctl("position") == "25.000000")
        self.phone.calls.seek(5_000_000)
        wait("further", lambda: self.desktop.playerctl("position") == "30.000000")
        self.phone.show(position=30_000)

    def test_keys(self):
        """On the phone's own desktop the room is a player, whose keys reach it."""
        [player] = self.desktop_of_phone.players()
        self.desktop_of_phone.playerctl("next", player=player)
        self.reaches("playing", "Song 2")
        self.desktop_of_phone.playerctl("pause", player=player)
        self.reaches("paused", "Song 2")
        wait("it follows", lambda: self.desktop_of_phone.playerctl("metadata", "--format", "{{status}} {{title}}", player=player) == "Paused Song 2")

    def test_rooms(self):
        """The phone has each room, and steers the one that is chosen."""
        self.home.baton("rooms", "create", "Loft")
        self.phone.show(playerList=[LOFT, FIRST], player=FIRST)
        self.home.baton("--room", "Loft", "play", self.home.music)
        self.phone["player"] = LOFT
        self.phone.show(title="Song 1", isPlaying=True)
        self.phone.press("Next")
        self.phone.show(title="Song 2")
        self.reaches("playing", "Song 1")
        self.home.baton("rooms", "delete", "Loft", "--yes")
        self.phone.show(playerList=[FIRST], player=FIRST, title="Song 1")


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("mpris_kdeconnect.py: only root can make network namespaces")
        raise SystemExit(NOT_POSSIBLE)
    main("kdeconnect-cli", "playerctl", "dbus-daemon", "ffmpeg")
