# deploy/test: tier 2, judges Sources/Features/Servers/ServerConnectors/Subsonic Tests/Contract Sources/Kernel/BatonKernel/SourceLanes/Sources+Stations.swift.
# deploy/test: judges Sources/Features/Radio/BatonRadio/Stations.
# deploy/test: waits
"""Stations that a Subsonic server keeps are heard as the hub's own: one connection for all rooms, a past to go back in, titles to save, recordings.

The server is a real one (supysonic), and so is the station (icecast2, fed by ffmpeg)."""

import glob
import json
import os

from Music.radio import Icecast
from Support.hubs import Hub, HubCase, binaries, main, wait
from supysonic import PASSWORD, USER, Supysonic


class ServerStations(HubCase):
    """One hub, one server and one station for all tests."""

    @classmethod
    def prepare(cls):
        cls.icecast = Icecast(cls.home)
        cls.addClassCleanup(cls.icecast.close)
        cls.icecast.feed("harbour.mp3")
        cls.subsonic = cls.enterClassContext(Supysonic(f"{cls.home.folder}/supysonic", version="debian", make=os.mkdir))
        # What a server names is heard on this machine only where its owner allows that.
        cls.flags = ("--audio", "null", "--allow-host", f"127.0.0.1:{cls.icecast.port}")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.secret("password", PASSWORD)
        cls.home.baton("source", "add", "attic", "subsonic", cls.subsonic.url, "--user", USER, "--password-file", f"{cls.home.folder}/password")
        cls.home.baton("radio", "add", "Harbour FM", cls.icecast.url("harbour.mp3"), "--source", "attic")
        cls.uri = json.loads(cls.home.baton("browse", "attic", "stations", "--json"))["rows"][0]["uri"]

    def plays(self, *room):
        return wait("the station", lambda: json.loads(self.home.baton(*room, "status", "--json"))["tl"]["st"] == "playing")

    def say(self, title):
        self.icecast.title("harbour.mp3", title)
        self.home.reaches(title, lambda said: said.get("now", {}).get("streamTitle") == title)

    def titles(self, *station):
        return json.loads(self.home.baton("radio", "titles", *station, "--json"))["titles"]

    def has_past(self):
        answer = json.loads(self.home.baton("radio", "titles", "--json"))
        return answer.get("to", 0) - answer.get("from", 0) > 8_000

    def test_a_shared(self):
        """BT-RAD-031. Two rooms that hear it share one connection, also with the hub's own station at the same address."""
        self.home.baton("rooms", "create", "Kitchen")
        self.addCleanup(self.home.baton, "rooms", "delete", "--yes", "Kitchen")
        self.home.baton("radio", "add", "The same", self.icecast.url("harbour.mp3"))
        self.home.baton("play", self.uri)
        self.plays()
        for station in (["play", self.uri], ["radio", "play", "The same"]):
            self.home.baton("--room", "Kitchen", *station)
            self.plays("--room", "Kitchen")
            self.assertEqual(self.icecast.listeners("harbour.mp3"), 1)

    def test_b_past(self):
        """BT-RAD-031. It is gone back in, and its titles are listed and saved, also by its URI after the hub was killed."""
        self.home.baton("play", self.uri)
        self.plays()
        for title in ("Anna - Eins", "Bert - Zwei", "Carl - Drei"):
            self.say(title)
        self.assertEqual([row["title"] for row in self.titles()][-3:], ["Anna - Eins", "Bert - Zwei", "Carl - Drei"])
        self.assertIn("“Bert - Zwei” is saved.", self.home.baton("radio", "save", "2"))
        wait("its file", lambda: glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Bert - Zwei.mp3"))
        wait("some past", self.has_past)
        self.home.baton("radio", "back", "5s")
        self.home.reaches("the sound of then", lambda said: said["tl"]["st"] == "playing" and said["tl"].get("behindMs", 0) >= 5_000)

        numbers = {row["title"]: row["n"] for row in self.titles()}
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        wait("the server", lambda: self.home.run(f"{binaries()}/baton", "radio", "titles", self.uri).returncode == 0)
        again = {row["title"]: row["n"] for row in self.titles(self.uri)}
        self.assertEqual({title: again.get(title) for title in numbers}, numbers)
        self.assertTrue(next(row for row in self.titles(self.uri) if row["title"] == "Bert - Zwei").get("saved"))
        row = [row["title"] for row in reversed(self.titles(self.uri))].index("Anna - Eins") + 1
        self.assertIn("“Anna - Eins” is saved.", self.home.baton("radio", "save", str(row), self.uri))

    def test_c_recorded(self):
        """BT-RAD-032. It is recorded by its URI, song by song, by the connection that the rooms hear, and goes on after the hub was killed."""
        self.home.baton("play", self.uri)
        self.plays()
        self.home.baton("radio", "record", "start", self.uri)
        for title in ("Dora - Vier", "Emil - Fünf"):
            self.icecast.title("harbour.mp3", title)
            wait(title, lambda title=title: self.recorded().get("song") == title)
        self.assertEqual((self.recorded()["uri"], self.recorded()["title"]), (self.uri, "Harbour FM"))
        self.assertEqual(self.icecast.listeners("harbour.mp3"), 1)
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        wait("the recording again", lambda: self.recorded().get("song") == "Emil - Fünf")
        self.icecast.title("harbour.mp3", "Fritz - Sechs")
        wait("the next song", lambda: self.recorded().get("song") == "Fritz - Sechs")
        files = glob.glob(f"{self.home.music}/Recordings/Harbour FM/*/Emil - Fünf*")
        self.assertEqual([os.path.basename(path) for path in files], ["Emil - Fünf (part).mp3"])

    def recorded(self):
        """The only recording, once a hub that was started has read its plan."""
        return (json.loads(self.home.baton("radio", "record", "list", "--json"))["recordings"] or [{}])[0]


if __name__ == "__main__":
    main("/usr/bin/icecast2", "/usr/bin/ffmpeg", "/usr/bin/supysonic-server")
