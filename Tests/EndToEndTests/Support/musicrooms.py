"""Hubs with an account at the MusicRoom server of the tests."""

import json
import os
import sys

from Support.fixtures import lavfi
from Support.hubs import HubCase, binaries, wait

try:
    from musicroom import Running, Track
except ImportError:
    print(f"{os.path.basename(sys.argv[0])}: skipped, for there is no python3-aiohttp here")
    sys.exit(77)

PASSWORD = "tide and time"
TITLES = ("Low Water", "Slack Water", "High Water")


class MusicRoomCase(HubCase):
    """One hub, and one server of three tones of a minute."""

    seconds = 60

    @classmethod
    def prepare(cls):
        cls.server = cls.enterClassContext(Running(cls.tracks()))
        cls.home.secret("password", PASSWORD)

    @classmethod
    def tracks(cls):
        folder = f"{cls.home.folder}/server"
        return [
            Track(lavfi(f"{folder}/{place} {title}.flac", f"sine=frequency={300 + 100 * place}:duration={cls.seconds}"), float(cls.seconds), title, "Weir")
            for place, title in enumerate(TITLES)]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.add("loft")

    @classmethod
    def add(cls, name, *words):
        return cls.home.baton("source", "add", name, "musicroom", cls.server.url, "--user", "anna", "--password-file", f"{cls.home.folder}/password", *words)

    def refused(self, *words):
        """What is said where a command is refused."""
        ended = self.home.run(f"{binaries()}/baton", *words)
        self.assertNotEqual(ended.returncode, 0, ended.stdout)
        return ended.stderr

    @property
    def room(self):
        return self.server.room()

    def joined(self):
        return json.loads(self.home.baton("join", "--json"))

    def queue(self):
        return [row["title"] for row in json.loads(self.home.baton("queue", "--json"))["rows"]]

    def is_in_step(self, within=300):
        """The hub is heard where the server's room is."""
        def near():
            now = self.joined()
            return "driftMs" in now and abs(now["driftMs"]) <= within and self.home.status()["tl"]["st"] == "playing" and now
        return wait("the rooms are together", near)
