# deploy/test: tier 2, judges Sources/Kernel/BatonKernel/SourceLanes/Searching Sources/Core/BatonCore/Search Sources/Features/Servers/ServerConnectors/Subsonic.
# deploy/test: judges Sources/Features/Servers/ServerConnectors/ChadMusic Tests/Contract.
# deploy/test: waits, mostly for servers that are slow or away.
"""One search over this machine and two servers, rule by rule: what comes first and what later, what folds and what is kept apart.

The Subsonic server is a real one (supysonic). The Chad Music server is ours (Tests/Contract/chadmusic.py).
"""

import json

from chadmusic import Library, Running
from Support.fixtures import make, metadata
from Support.hubs import Hub, HubCase, main, wait
from Support.steered import Steered
from supysonic import PASSWORD, USER, Supysonic

KEY = "chad-key-of-the-suite"


def song(folder, artist, album, title, track, suffix="flac"):
    words = metadata(title=title, artist=artist, album_artist=artist, album=album, track=track)
    make(f"{folder}/{artist}/{album}/{title}.{suffix}", "-f", "lavfi", "-i", "sine=frequency=300:duration=8", *words)


class OneSearch(HubCase):
    """Three places have "Harbour"; "Pane" is on both servers; each server has one song of its own."""

    number = commands = 0
    http = Steered.http

    def ask(self, method, params=None):
        type(self).commands += 1
        return Steered.ask(self, method, params, key=f"search{self.commands}")

    @classmethod
    def prepare(cls):
        song(cls.home.music, "Kestrel", "Low Tide", "Harbour", 1)

        def music(folder):
            song(folder, "Kestrel", "Low Tide", "Harbour", 1)
            song(folder, "Kestrel", "Low Tide", "Tidemark", 2)
            song(folder, "Merle Ash", "Pane Glass", "Pane", 1, "mp3")

        cls.attic = Supysonic(f"{cls.home.folder}/supysonic", version="debian", make=music)
        cls.enterClassContext(cls.attic)
        cls.loft = cls.chad_music([
            {"id": "tide", "title": "Low Tide", "artist": "Kestrel", "tracks": [
                {"id": "t-1", "title": "Harbour", "duration": 8, "size": 1000}, {"id": "t-2", "no": 3, "title": "Shore", "duration": 8, "size": 1000}]},
            {"id": "glass", "title": "Pane Glass", "artist": "Merle Ash", "tracks": [{"id": "g-1", "title": "Pane", "duration": 8, "size": 1000}]},
        ])

    @classmethod
    def chad_music(cls, albums):
        server = Running(Library(albums))
        server.state.behaviour.key = KEY
        server.start()
        cls.addClassCleanup(server.stop)
        return server

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, text in [("password", PASSWORD), ("key", KEY)]:
            cls.home.secret(name, text)
        cls.home.baton("source", "add", "attic", "subsonic", cls.attic.url, "--user", USER, "--password-file", f"{cls.home.folder}/password")
        cls.home.baton("source", "add", "loft", "chadmusic", cls.loft.url, "--api-key-file", f"{cls.home.folder}/key")

    def setUp(self):
        # A hub takes 60 commands a second from one remote.
        wait("the file is found", lambda: self.page("harbour")["rows"], every=0.1)
        # What is noted of a server is found there, too, and it is searched in another way than the server.
        wait("all rows are noted", lambda: all(row.get("mirror", {}).get("atMs") for row in self.state()["src"]["list"]), every=0.1)

    def page(self, words, **more):
        return self.ask("lib.search", {"q": words, "kinds": ["track"], **more})["d"]

    def pages(self, words, **more):
        """The first page, and the one that waits for servers."""
        first = self.page(words, **more)
        return first, self.page(words, cursor=first["cursor"], **more)

    def state(self):
        return json.loads(self.http("/baton/state?view=full")[2])["s"]

    def uri(self, title, source):
        return next(row["uri"] for row in self.page(title, source=source)["rows"] if row["title"] == title)

    def test_first(self):
        """BT-FND-001 BT-FND-002 BT-FND-005: what is here comes without servers; a slow one is named; a row that folds moves nothing."""
        shed = self.chad_music([{"id": "sea", "title": "Sea", "artist": "Kestrel", "tracks": [{"id": "s-1", "title": "Harbour", "duration": 8}]}])
        # It answers whether it is there, so it is slow and not away, and none of its rows can be noted.
        shed.state.behaviour.at = "/api/cat"
        shed.state.behaviour.delay = "8"
        self.home.baton("source", "add", "shed", "chadmusic", shed.url, "--api-key-file", f"{self.home.folder}/key")
        self.addCleanup(self.home.baton, "source", "remove", "--yes", "shed")
        first, later = self.pages("harbour")
        self.assertEqual([row["uri"].split(":")[0] for row in first["rows"]], ["lib"])
        self.assertEqual(sorted(first["asked"]), ["attic", "loft", "shed"])
        self.assertEqual(later["missed"], ["shed"])
        self.assertEqual(later["rows"], [])
        here = first["rows"][0]["uri"]
        places = [here, *sorted(self.uri("Harbour", source) for source in ("attic", "loft"))]
        self.assertEqual([(row["uri"], [row["places"][0], *sorted(row["places"][1:])]) for row in later["joined"]], [(here, places)])

    def test_later(self):
        """BT-FND-003: rows of servers come behind, ranked among each other: a word in the title before one in the album."""
        first, later = self.pages("tide")
        self.assertEqual([row["title"] for row in first["rows"]], ["Harbour"])
        self.assertEqual([row["title"] for row in later["rows"]], ["Tidemark", "Shore"])
        self.assertNotIn("missed", later)

    def test_folded(self):
        """BT-FND-004 BT-FND-006: one row for both servers, without loss first; with unfold each place is one."""
        pane = [self.uri("Pane", "loft"), self.uri("Pane", "attic")]
        later = self.pages("pane")[1]
        self.assertEqual([row["places"] for row in later["rows"]], [pane])
        unfolded = self.pages("pane", unfold=True)[1]
        self.assertEqual(sorted(row["uri"] for row in unfolded["rows"]), sorted(pane))

    def test_split(self):
        """BT-FND-007: what was kept apart stays so over a restart, and is one row again when that is taken back."""
        pane = [self.uri("Pane", "loft"), self.uri("Pane", "attic")]
        self.ask("lib.split", {"uri": pane[0], "from": pane[1]})
        apart = lambda: sorted(row["uri"] for row in self.pages("pane")[1]["rows"]) == sorted(pane)
        self.assertTrue(apart())
        self.hub.stop()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        wait("both servers answer", lambda: [row["state"] for row in self.state().get("src", {"list": []})["list"]] == ["ok", "ok"])
        self.assertTrue(apart())
        self.ask("lib.split", {"uri": pane[0], "from": pane[1], "on": False})
        self.assertEqual(len(self.pages("pane")[1]["rows"]), 1)

    def test_marks(self):
        """BT-FND-008 BT-FND-009: a favourite reaches all places of a track, and an entry knows them."""
        joined = self.pages("harbour")[1]["joined"][0]
        self.ask("fav.set", {"uri": joined["uri"], "on": True})
        starred = lambda: [row["title"] for row in self.attic.ask("getStarred2")["starred2"].get("song", [])]
        wait("the server knows it", lambda: starred() == ["Harbour"])
        self.assertEqual(self.ask("lib.item", {"uri": joined["places"][1]})["d"]["item"]["fav"], 1)
        self.ask("queue.add", {"uris": [joined["uri"]]})
        rows = self.ask("queue.get")["d"]["rows"]
        self.assertEqual(rows[-1]["alt"], joined["places"][1:])
        self.ask("fav.set", {"uri": joined["uri"], "on": False})
        wait("the server has forgotten it", lambda: starred() == [])

    def test_pending(self):
        """A mark for a server that is away is shown with `pend`, counted in `src`, and gone from both when it has arrived."""
        uri = self.uri("Tidemark", "attic")
        self.attic.stop()
        self.ask("fav.set", {"uri": uri, "on": True})
        item = lambda: self.ask("lib.item", {"uri": uri})["d"]["item"]
        wait("the server is seen to be away", lambda: item().get("away"))
        self.assertEqual((item()["fav"], item()["pend"]), (1, 1))
        source = lambda: next(row for row in self.state()["src"]["list"] if row["name"] == "attic")
        wait("it is counted", lambda: source().get("pending") == 1)
        self.attic.start()
        self.ask("source.test", {"name": "attic"})
        wait("it has arrived", lambda: "pend" not in item() and "pending" not in source())
        self.assertEqual([row["title"] for row in self.attic.ask("getStarred2")["starred2"]["song"]], ["Tidemark"])
        self.ask("fav.set", {"uri": uri, "on": False})
        wait("the server has forgotten it", lambda: not self.attic.ask("getStarred2")["starred2"].get("song"))


if __name__ == "__main__":
    main("ffmpeg", "supysonic-server")
