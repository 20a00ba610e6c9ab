# deploy/test: tier 2, first Servers.test_join Servers.test_browse.
# deploy/test: judges Sources/Features/Servers/ServerConnectors/Subsonic Tests/Contract Sources/Features/Servers/ServerConnectors/ChadMusic Sources/Features/Servers/BatonServers/Queues.
# deploy/test: judges Sources/Features/Servers/BatonServers/Mirroring.
# deploy/test: waits, mostly for servers to start.
"""Music of this machine, of Subsonic servers and of a Chad Music server in one hub, and in one queue; lists and queues that servers keep.

One Subsonic server is a real one (supysonic), which keeps playlists and no queue; the one that keeps a queue is our stand-in
(Tests/Contract/opensubsonic.py), as is the Chad Music server (Tests/Contract/chadmusic.py). What is heard comes out of a pipe.
"""

import glob
import json
import os
import subprocess
import urllib.parse
import urllib.request

from chadmusic import Library, Running
from opensubsonic import OpenSubsonic
from opensubsonic_methods import PASSWORD as DEN_PASSWORD, USER as DEN_USER
from Support.fixtures import kept, make, metadata
from Support.hubs import Hub, HubCase, binaries, main
from Support.recording import RATE, Tape, torn
from supysonic import PASSWORD, USER, Supysonic

KEY = "chad-key-of-the-suite"
HERTZ = 441.3


def cuts():
    """One tone in three files, cut where no period ends."""
    whole = kept(".wav", "-f", "lavfi", "-i", f"aevalsrc=exprs='0.5*sin(2*PI*{HERTZ}*t)':s={RATE}:d=4.5")
    places = [0, RATE + 1234, 3 * RATE + 777, int(4.5 * RATE)]
    return [(whole, f"atrim=start_sample={start}:end_sample={end},asetpts=N/SR/TB") for start, end in zip(places, places[1:])]


class Servers(HubCase):
    """One hub with a folder and two servers, for all tests."""

    @classmethod
    def prepare(cls):
        cls.tape = Tape(cls.home)
        cls.flags = (*cls.flags, *cls.tape.flags)
        first, second, third = cuts()
        cls.local = make(f"{cls.home.music}/first.flac", "-i", first[0], "-af", first[1], *metadata(title="First Third", artist="Weir"))

        def music(folder):
            make(f"{folder}/weir/second.flac", "-i", second[0], "-af", second[1], *metadata(title="Second Third", artist="Weir", album="Tone"))

        cls.subsonic = Supysonic(f"{cls.home.folder}/supysonic", version="debian", make=music)
        cls.enterClassContext(cls.subsonic)
        cls.den = cls.enterClassContext(OpenSubsonic())
        files = f"{cls.home.folder}/chad"
        make(f"{files}/third.flac", "-i", third[0], "-af", third[1])
        cls.chad = Running(Library([
            {"id": "tone", "title": "Tone", "artist": "Weir", "tracks": [{"id": "t-3", "title": "Last Third", "duration": 2, "file": f"{files}/third.flac"}]},
        ]))
        cls.chad.state.behaviour.key = KEY
        cls.chad.start()
        cls.addClassCleanup(cls.chad.stop)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answers = []
        for name, text in [("password", PASSWORD), ("key", KEY), ("den", DEN_PASSWORD)]:
            cls.home.secret(name, text)
        cls.baton("source", "add", "attic", "subsonic", cls.subsonic.url, "--user", USER, "--password-file", f"{cls.home.folder}/password")
        cls.baton("source", "add", "den", "subsonic", cls.den.url, "--user", DEN_USER, "--password-file", f"{cls.home.folder}/den")
        cls.baton("source", "add", "loft", "chadmusic", cls.chad.url, "--api-key-file", f"{cls.home.folder}/key")

    @classmethod
    def baton(cls, *words):
        """The satellite; what it says is kept for the search for secrets."""
        said = cls.home.baton(*words)
        cls.answers.append(said)
        return said

    def found(self, words, source):
        """The uri of the one track of a source that a search finds."""
        rows = json.loads(self.baton("search", words, "--json"))["rows"]
        uris = [row["uri"] for row in rows if row.get("kind", "track") == "track" and row["uri"].startswith(source + ":")]
        self.assertEqual(len(uris), 1, rows)
        return uris[0]

    # ---- What is heard

    def test_join(self):
        """A file, a song of a Subsonic server and one of a Chad Music server are one tone, without a gap and to the sample."""
        queue = [self.local, self.found("second third", "attic"), "loft:track/t-3/tone"]
        self.assertIsNone(torn(self.tape.play(*queue), HERTZ, 4.5))

    # ---- What is shown

    def test_browse(self):
        """Shelves name their source, and one source is browsed by its name."""
        lines = [line.split("\t") for line in self.baton("browse").splitlines()]
        self.assertEqual({line[-1] for line in lines}, {"library", "radio", "podcast", "attic", "loft", "den"})
        shelves = json.loads(self.baton("browse", "attic", "--json"))["rows"]
        self.assertTrue(shelves and all(row["uri"].startswith("attic:shelf/") for row in shelves), shelves)
        artists = json.loads(self.baton("browse", "attic", "artists", "--json"))["rows"]
        self.assertIn("Weir", [row["title"] for row in artists])
        self.assertIn("Second Third", self.baton("browse", "attic", "newest", "Tone"))

    # ---- What servers keep

    def ask(self, method, **parameters):
        """The real server, without the hub."""
        words = urllib.parse.urlencode({"u": USER, "p": PASSWORD, "v": "1.12.0", "c": "suite", "f": "json", **parameters})
        with urllib.request.urlopen(f"{self.subsonic.url}/rest/{method}.view?{words}", timeout=60) as answer:
            return json.loads(answer.read())["subsonic-response"]

    def lists_there(self):
        """The playlists of the real server, as it says itself: name, comment and titles."""
        ask = self.ask
        rows = ask("getPlaylists")["playlists"].get("playlist", [])
        lists = [ask("getPlaylist", id=row["id"])["playlist"] for row in rows]
        return [(row["name"], row.get("comment", ""), [song["title"] for song in row.get("entry", [])]) for row in lists]

    def test_lists(self):
        """A list is copied to a real server, edited there in every way, left alone in another state, and deleted."""
        there, here = self.found("second third", "attic"), self.local
        self.baton("playlist", "create", "Walk", here, there)
        copied = json.loads(self.baton("playlist", "copy", "Walk", "--to", "attic", "--json"))
        self.assertEqual((copied["n"], copied["missed"], [item["title"] for item in copied["missing"]]), (1, 1, ["First Third"]))
        uri = copied["list"]
        self.assertEqual(self.lists_there(), [("Walk", "", ["Second Third"])])
        self.baton("playlist", "rename", uri, "Stroll")
        self.baton("playlist", "describe", uri, "For the park")
        self.baton("playlist", "add", uri, there, there)
        self.baton("playlist", "move", uri, "3", "1")
        self.baton("playlist", "remove", uri, "2")
        self.assertEqual(self.lists_there(), [("Stroll", "For the park", ["Second Third"] * 2)])
        shown = json.loads(self.baton("playlist", "show", uri, "--json"))
        self.assertEqual(len(shown["rows"]), 2)
        refused = self.home.run(f"{binaries()}/baton", "raw", json.dumps(
            {"t": "cmd", "id": 1, "m": "pl.edit", "k": "stale", "p": {"list": uri, "version": "another", "ops": [{"removeAt": [0]}]}}))
        self.assertIn("queue_conflict", refused.stdout)
        self.assertEqual(self.lists_there(), [("Stroll", "For the park", ["Second Third"] * 2)])
        self.baton("playlist", "delete", "--yes", uri)
        self.assertEqual(self.lists_there(), [])

    def stations_there(self):
        rows = self.ask("getInternetRadioStations")["internetRadioStations"].get("internetRadioStation", [])
        return [(row["name"], row["streamUrl"]) for row in rows]

    def test_stations(self):
        """BT-RAD-030. Stations of a real server are made, changed and removed there, and nothing else is removed so."""
        for name in ("Harbour FM", "The same again"):
            self.baton("radio", "add", name, "http://radio.example/harbour", "--source", "attic")
        self.assertEqual(self.stations_there(), [("Harbour FM", "http://radio.example/harbour")])
        uri = json.loads(self.baton("browse", "attic", "stations", "--json"))["rows"][0]["uri"]
        self.baton("radio", "edit", uri, "--name", "Quay FM", "--url", "http://radio.example/quay")
        self.assertEqual(self.stations_there(), [("Quay FM", "http://radio.example/quay")])
        self.baton("radio", "remove", "--yes", uri)
        self.assertEqual(self.stations_there(), [])
        song = self.found("second third", "attic")
        refused = self.home.run(f"{binaries()}/baton", "raw", json.dumps({"t": "cmd", "id": 1, "m": "radio.edit", "p": {"remove": song}}))
        self.assertIn("is no station", refused.stdout)
        refused = self.home.run(f"{binaries()}/baton", "radio", "add", "One", "http://radio.example/one", "--source", "loft")
        self.assertIn("keeps no stations that can be edited", refused.stderr)

    def source(self, name):
        return next(row for row in self.hub.section("src")["list"] if row["name"] == name)

    def test_queue(self):
        """A queue is saved at a server, another player's is gone on with at its position, and with sync_queue each change is told."""
        library = self.den.library
        first, second = "so-1", "so-2"
        uris = [f"den:track/{song}" for song in (first, second)]
        self.baton("queue", "clear")
        self.baton("queue", "add", uris[0], self.local, uris[1])
        saved = json.loads(self.baton("queue", "save", "den", "--json"))
        self.assertEqual(saved, {"saved": 2, "passed": 1})
        self.assertEqual(library.queue[:2], ([first, second], 0))
        self.assertNotIn("continue", self.source("den"))

        library.queue = ([second, first], 1, 400)
        self.baton("source", "test", "den")
        self.home.reaches("it is offered", lambda _: self.source("den").get("continue", {}).get("title") == library.songs[first]["title"])
        self.baton("queue", "continue", "den")
        status = self.home.reaches("it plays", lambda status: status["now"]["uri"] == uris[0])
        self.assertEqual(status["queue"]["len"], 2)
        self.baton("pause")
        self.home.reaches("nothing is offered", lambda _: "continue" not in self.source("den"))

        self.baton("source", "set", "den", "--option", "sync_queue=yes")
        self.baton("queue", "add", uris[1])
        self.home.reaches("the server has it", lambda _: library.queue and library.queue[0] == [second, first, second])
        self.baton("source", "set", "den", "--option", "sync_queue=no")
        self.baton("stop")
        self.baton("queue", "clear")

    # ---- Secrets

    def test_secrets(self):
        """No password and no key is in an answer, in the log, in a list of processes, or in a file that others may read."""
        secrets = [PASSWORD, KEY, PASSWORD.encode().hex()]
        for words in [("source", "--json"), ("source",), ("status", "--json"), ("doctor",), ("search", "third", "--json"), ("source", "pending", "loft")]:
            self.answers.append(self.home.run(f"{binaries()}/baton", *words).stdout)
        self.baton("play", self.found("second third", "attic"))
        self.baton("stop")
        processes = subprocess.run(["ps", "axww"], capture_output=True, text=True, check=False).stdout
        texts = [*self.answers, Hub.text(self.hub.log), Hub.text(self.hub.said), processes]
        for text in texts:
            for secret in secrets:
                self.assertFalse(secret in text, f"a secret is in: {text[:300]}")
        for path in glob.glob(f"{self.home.folder}/state/**", recursive=True) + glob.glob(f"{self.home.folder}/config/**", recursive=True):
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                content = file.read()
            held = [secret for secret in secrets if secret.encode() in content]
            if path.endswith(".secret"):
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o600, path)
            else:
                self.assertEqual(held, [], path)


if __name__ == "__main__":
    main("ffmpeg", "supysonic-server")
