"""A desktop for tests of players: a session bus of its own in a home, and the programs that people have on one."""

import os
import subprocess

import dbus
import dbus.bus

from Support.fixtures import make, metadata
from Support.hubs import binaries, wait

PLAYER, TRACKS, LISTS = (f"org.mpris.MediaPlayer2.{name}" for name in ("Player", "TrackList", "Playlists"))
ROOT = "org.mpris.MediaPlayer2"
PROPERTIES = "org.freedesktop.DBus.Properties"
# The policy of a session, without the services that one would start.
POLICY = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""


class Bus:
    """The session bus of a home. Programs that are started in the home afterwards are on it."""

    def __init__(self, home):
        self.home = home
        self.socket = f"{home.folder}/run/bus"
        self.address = f"unix:path={self.socket}"
        # playerctl looks at both buses, and finds nothing where one is missing.
        home.environment.update(DBUS_SESSION_BUS_ADDRESS=self.address, DBUS_SYSTEM_BUS_ADDRESS=self.address)
        with open(f"{home.folder}/session.conf", "w") as file:
            file.write(POLICY.format(socket=self.socket))
        self.process = None
        self.start()

    def start(self):
        if os.path.exists(self.socket):
            os.remove(self.socket)
        self.process = self.home.start(
            "/usr/bin/dbus-daemon", f"--config-file={self.home.folder}/session.conf", "--nofork", "--nopidfile", stderr=subprocess.DEVNULL)
        wait("the session bus", lambda: os.path.exists(self.socket))

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def connect(self):
        """A connection by python3-dbus, which nothing of ours has a part in."""
        return dbus.bus.BusConnection(self.address)


class Desktop:
    """What a person does on the desktop of a home."""

    def __init__(self, home, bus):
        self.home, self.bus = home, bus

    def playerctl(self, *words, player="baton.main"):
        ended = self.home.run("/usr/bin/playerctl", f"--player={player}", *words)
        if ended.returncode != 0:
            raise AssertionError(f"playerctl {' '.join(words)} ended with {ended.returncode}: {ended.stderr}")
        return ended.stdout.strip()

    def players(self):
        return sorted(set(self.home.run("/usr/bin/playerctl", "--list-all").stdout.split()))

    def player(self, room="main"):
        return Player(self.bus.connect(), f"{ROOT}.baton.{room}")


class Player:
    """A player by python3-dbus."""

    def __init__(self, bus, name):
        self.thing = bus.get_object(name, "/org/mpris/MediaPlayer2")
        self.properties = dbus.Interface(self.thing, PROPERTIES)
        self.root, self.player, self.tracks, self.lists = (
            dbus.Interface(self.thing, name) for name in (ROOT, PLAYER, TRACKS, LISTS))

    def __getitem__(self, name):
        return self.properties.Get(PLAYER, name)

    def __setitem__(self, name, value):
        self.properties.Set(PLAYER, name, value)

    @property
    def title(self):
        return str(self["Metadata"].get("xesam:title", ""))

    @property
    def paths(self):
        return self.properties.Get(TRACKS, "Tracks")


def songs(folder, count=4, covered=False):
    """Songs of a minute, each with its number as its title."""
    for number in range(1, count + 1):
        words = ["-f", "lavfi", "-i", f"sine=frequency={200 * number}:duration=60"]
        if covered:
            words += ["-f", "lavfi", "-i", "color=c=teal:s=600x600:d=1", "-map", "0:a", "-map", "1:v", "-frames:v", "1", "-c:v", "png",
                      "-disposition:v", "attached_pic"]
        make(f"{folder}/{number}.flac", *words, *metadata(title=f"Song {number}", artist="Band", album="Album", track=number))


def mirror(home, *words):
    """`baton mpris`, which the caller ends."""
    return home.start(f"{binaries()}/baton", "mpris", *words, stdout=subprocess.DEVNULL)
