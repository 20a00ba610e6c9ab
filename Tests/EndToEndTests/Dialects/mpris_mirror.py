# deploy/test: tier 2, judges Sources/Programs/baton/Desktop Sources/Dialects/MPRIS/BusPlayer Sources/Platform/DesktopBus.
# deploy/test: waits, for it mostly asks small programs.
"""`baton mpris`: the rooms of a hub without a desktop, as players on this one."""

import os
import urllib.parse

from Dialects.Support.desktop import Bus, Desktop, mirror, songs
from Support.hubs import Hub, HubCase, main, wait


class Mirror(HubCase):
    # As a service, which has no session bus.
    flags = ("--audio", "null", "--no-mpris")

    @classmethod
    def prepare(cls):
        cls.bus = Bus(cls.home)
        cls.addClassCleanup(cls.bus.end)
        cls.desktop = Desktop(cls.home, cls.bus)
        songs(cls.home.music, covered=True)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("scan", "--wait")

    def setUp(self):
        self.home.baton("play", self.home.music)
        self.home.reaches("it plays the first", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Song 1")

    def mirrored(self, *words, players=("baton.main",)):
        program = mirror(self.home, *words)
        self.addCleanup(program.wait)
        self.addCleanup(program.terminate)
        wait("the players", lambda: self.desktop.players() == list(players))
        return program

    def title(self):
        return self.home.status()["now"]["title"]

    def test_steering(self):
        """What playerctl presses the hub does, and what others do playerctl sees."""
        self.mirrored()
        desktop = self.desktop
        wait("what plays", lambda: desktop.playerctl("metadata", "--format", "{{status}} {{title}}") == "Playing Song 1")
        presses = [self.home.start("/usr/bin/playerctl", "--player=baton.main", "next") for _ in range(2)]
        for press in presses:
            self.assertEqual(press.wait(20), 0)
        self.assertEqual(self.title(), "Song 3")
        desktop.playerctl("pause")
        self.assertEqual(self.home.status()["tl"]["st"], "paused")
        desktop.playerctl("position", "20")
        self.assertEqual(desktop.playerctl("position"), "20.000000")
        desktop.playerctl("volume", "0.2")
        self.assertEqual(self.home.status()["vol"]["level"], 20)
        self.home.baton("next")
        wait("the next song", lambda: desktop.playerctl("metadata", "title") == "Song 4")

    def test_tracks(self):
        """The queue around what plays is there, also when it changes elsewhere."""
        self.mirrored()
        player = self.desktop.player()
        wait("the queue", lambda: len(player.paths) == 4)
        self.home.baton("add", f"{self.home.music}/2.flac")
        wait("the new row", lambda: len(player.paths) == 5)
        player.tracks.GoTo(player.paths[-1])
        self.assertEqual(self.title(), "Song 2")

    def test_cover(self):
        """Pictures of the hub are files here."""
        self.mirrored()
        player = self.desktop.player()
        wait("the cover", lambda: "mpris:artUrl" in player["Metadata"])
        path = urllib.parse.unquote(str(player["Metadata"]["mpris:artUrl"]).removeprefix("file://"))
        with open(path, "rb") as file:
            self.assertEqual(file.read(3), b"\xff\xd8\xff")

    def test_rooms(self):
        """All rooms are there, or the one that is named."""
        self.mirrored()
        self.home.baton("rooms", "create", "Loft")
        wait("its player", lambda: self.desktop.players() == ["baton.loft", "baton.main"])
        self.home.baton("rooms", "delete", "Loft", "--yes")
        wait("it is gone", lambda: self.desktop.players() == ["baton.main"])

    def test_one(self):
        """One room alone."""
        self.home.baton("rooms", "create", "Attic")
        self.addCleanup(self.home.baton, "rooms", "delete", "Attic", "--yes")
        self.mirrored("--room", "Attic", players=("baton.attic",))

    def test_quit(self):
        """Quit ends the mirror, and Raise opens the page."""
        opened = f"{self.home.folder}/opened"
        folder = f"{self.home.folder}/bin"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/xdg-open", "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(f'#!/bin/sh\necho "$1" > {opened}\n')
        self.home.environment["PATH"] = f"{folder}:/usr/bin:/bin"
        program = self.mirrored()
        player = self.desktop.player()
        player.root.Raise()
        wait("the page", lambda: os.path.exists(opened) and os.path.getsize(opened) > len(self.hub.page))
        with open(opened) as file:
            self.assertEqual(file.read().strip(), f"{self.hub.page}/")
        player.root.Quit()
        self.assertEqual(program.wait(20), 0)
        self.assertEqual(self.desktop.players(), [])

    def test_restart(self):
        """A hub that starts again keeps its players, and one that stays away has none."""
        self.mirrored()
        self.hub.stop()
        wait("the player has gone", lambda: self.desktop.players() == [])
        type(self).hub = Hub(self.home, *self.flags)
        wait("the player is back", lambda: self.desktop.players() == ["baton.main"])
        self.desktop.playerctl("play")
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")


if __name__ == "__main__":
    main("playerctl", "dbus-daemon", "dbus-monitor", "ffmpeg")
