"""A hub of ours over a library, reached by the socket file of MPD, whose programs are admins as the clients of the other server are."""

import shutil

from Dialects.Support.mpdpeer import Peer
from Support.hubs import Home, Hub, wait
from ports import free_port


class MpdHub:
    """A running hub that knows all of the music in a folder. Its room is as loud as the other server's, and its files are its own."""

    def __init__(self, music):
        self.home, self.hub = Home(), None
        try:
            self.port = free_port()
            self.socket = f"{self.home.folder}/run/baton/mpd.sock"
            shutil.rmtree(self.home.music)
            shutil.copytree(music, self.home.music)
            self.hub = Hub(
                self.home, "--audio", "null", "--mpd", str(self.port), "--start-level", "100", "--start-max", "100")
            wait("the hub listens to MPD", self.has_started)
            wait("the hub knows its music", lambda: self.value("stats", "songs") == "14" and self.value("status", "updating_db") is None)
        except BaseException:
            self.close()
            raise

    def has_started(self):
        """A socket file is there a moment before it is listened to."""
        try:
            self.peer().close()
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        return True

    def value(self, line, name):
        with self.peer() as peer:
            return peer.value(line, name)

    def peer(self):
        return Peer(self.socket)

    def said(self):
        return self.hub.text(self.hub.log)[-2000:]

    def close(self):
        if self.hub:
            self.hub.stop()
            self.hub.kill()
        self.home.close()
