# deploy/test: tier 2, judges Sources/Features/Servers/ServerConnectors/Sappho Tests/Contract/sappho.py.
"""Audiobooks of a Sappho server: signing in, browsing, searching, playing, and what is changed there from here.

The server is ours (Tests/Contract/sappho.py); `sappho_contract.py` compares it with what the real one was seen to do.
"""

import glob
import json
import os

from sappho import Running
from sappho_books import book, small
from sappho_users import ANNA, CARL, CODE, DORA
from Support.fixtures import make, metadata
from Support.hubs import Hub, HubCase, binaries, main, wait

SECONDS = 60


class Books(HubCase):
    @classmethod
    def prepare(cls):
        sound = ["-f", "lavfi", "-i", f"sine=frequency=300:duration={SECONDS}"]
        path = make(f"{cls.home.folder}/books/low.mp3", *sound, *metadata(title="Low Water", artist="Weir"))
        books = small()
        for one in books:
            one.update(files=[path], duration=SECONDS)
        cls.sappho = cls.enterClassContext(Running(books))
        for name, text in [("key", cls.sappho.key()), ("anna", ANNA[1]), ("carl", CARL[1]), ("dora", DORA[1])]:
            cls.home.secret(name, text)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.add("loft", "--api-key-file", f"{cls.home.folder}/key")

    def setUp(self):
        vars(self.sappho.state.behaviour).update(ahead="0", fault="", at="/")

    @classmethod
    def try_adding(cls, name, *words):
        return cls.home.run(f"{binaries()}/baton", "source", "add", name, "sappho", cls.sappho.url, *words)

    @classmethod
    def add(cls, name, *words):
        added = cls.try_adding(name, *words)
        if added.returncode:
            raise AssertionError(added.stderr)
        return added.stdout

    def titles(self, *words):
        return [row["title"] for row in json.loads(self.home.baton(*words, "--json"))["rows"]]

    def section(self, name):
        return next(row for row in self.hub.section("src")["list"] if row["name"] == name)

    # ---- Signing in

    def test_code(self):
        """BT-SRC-011. A code is asked for; with it the hub gets a key of its own, which it keeps in the place of the password, over a kill too."""
        refused = self.try_adding("attic", "--user", CARL[0], "--password-file", f"{self.home.folder}/carl")
        self.assertIn("asks for the code of your authenticator", refused.stderr)
        self.assertIn("To add attic: ", refused.stderr)
        self.assertNotIn("trial", refused.stderr)
        self.assertNotIn("attic", self.home.baton("source"))
        self.add("attic", "--user", CARL[0], "--password-file", f"{self.home.folder}/carl", "--code", CODE)
        with open(f"{self.home.folder}/state/baton/sources/attic.secret") as file:
            kept = file.read()
        self.assertIn("api_key = sapho_", kept)
        self.assertNotIn(CARL[1], kept)
        type(self).hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        self.sappho.state.behaviour.ahead = str(400 * 86400)
        self.home.baton("source", "test", "attic")
        self.home.baton("source", "remove", "--yes", "attic")
        for path in glob.glob(f"{self.home.folder}/state/**", recursive=True):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    self.assertFalse(CARL[1].encode() in file.read(), path)

    def test_later(self):
        """BT-SRC-011. A code that was wrong is given again, alone, for an account that is kept."""
        refused = self.try_adding("attic", "--user", CARL[0], "--password-file", f"{self.home.folder}/carl", "--code", "000000")
        self.assertIn("does not accept this code", refused.stderr)
        self.home.baton("source", "set", "attic", "--code", CODE)
        self.assertEqual(self.section("attic")["state"], "ok")
        self.home.baton("source", "remove", "--yes", "attic")

    def test_refusals(self):
        """A first password, a key that was taken back, and a server that is something else: what to do is said, and nothing is kept."""
        asked = self.try_adding("attic", "--user", DORA[0], "--password-file", f"{self.home.folder}/dora")
        self.assertIn("choose another password", asked.stderr)
        self.home.secret("gone", "sapho_gone")
        self.assertIn("does not accept the API key", self.try_adding("attic", "--api-key-file", f"{self.home.folder}/gone").stderr)
        self.sappho.state.behaviour.fault = "page"
        self.assertIn("not JSON", self.try_adding("attic", "--api-key-file", f"{self.home.folder}/key").stderr)
        self.assertNotIn("attic", self.home.baton("source"))

    def test_password(self):
        """A password is enough for a user without a second factor, also when the week of a token is over."""
        self.add("attic", "--user", ANNA[0], "--password-file", f"{self.home.folder}/anna")
        self.sappho.state.behaviour.ahead = str(8 * 86400)
        self.assertEqual(self.titles("browse", "attic", "series"), ["Hills/Valleys", "The Tide"])
        self.home.baton("source", "remove", "--yes", "attic")

    # ---- Finding

    def test_shelves(self):
        """Home lists, series, authors, genres and collections are browsed by their names; a search is narrowed by author and series."""
        self.assertEqual(len(self.titles("browse", "loft")), 12)
        self.assertEqual(self.titles("browse", "loft", "series", "The Tide"), ["Low Water", "Slack Water", "High Water"])
        self.assertEqual(self.titles("browse", "loft", "authors", "Kestrel"), ["Lost", "Two Halves", "Unmeasured"])
        self.assertEqual(self.titles("browse", "loft", "genres", "History"), ["Moss", "Stone"])
        found = json.loads(self.home.baton("search", "author:weir slack", "--json"))["rows"]
        self.assertEqual([(row["title"], row["kind"], row["series"], row["narrators"]) for row in found], [("Slack Water", "book", "The Tide", ["Ida Holm"])])

    def test_told(self):
        """Recaps, statistics, the way to administration, and that part one plays alone, are told where they are browsed."""
        self.sappho.state.shelf.keep_place(1, 4, 1000)
        self.assertEqual(self.home.baton("browse", "loft", "recaps", "Stone"), "What happened in Stone.\n")
        self.assertIn("Listened for", self.home.baton("browse", "loft", "account", "statistics"))
        self.assertIn(self.sappho.url, self.home.baton("browse", "loft", "account", "administration"))
        self.assertIn("Only part one plays", self.home.baton("browse", "loft:book/6"))

    # ---- Playing

    def test_play(self):
        """A book plays, also near its end, from a server that refuses each range beyond it."""
        self.sappho.state.seen.clear()
        self.home.baton("play", "loft:book/1")
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["kind"] == "book")
        self.home.baton("seek", str(SECONDS - 2))
        self.home.reaches("its end is heard", lambda status: status["tl"]["st"] != "playing")
        self.home.baton("stop")
        ranges = [seen["range"] for seen in self.sappho.state.seen if seen["path"].endswith("/stream")]
        self.assertTrue(ranges and all(text.endswith("-") for text in ranges), ranges)

    # ---- Kept

    def test_kept(self):
        """A series is kept with all its books, and its copies play, with their chapters, while the server is away."""
        series = next(row for row in json.loads(self.home.baton("browse", "loft", "series", "--json"))["rows"] if row["title"] == "The Tide")
        self.home.baton("keep", series["uri"])
        kept = lambda: json.loads(self.home.baton("keep", "--json"))["rows"]
        wait("its three books", lambda: [(row["title"], row.get("whole")) for row in kept()] == [("The Tide", 3)])
        self.sappho.state.behaviour.fault = "status503"
        self.sappho.state.seen.clear()
        self.home.baton("play", "loft:book/2")
        self.home.reaches("the copy plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Slack Water")
        self.home.baton("seek", str(SECONDS - 2))
        self.home.reaches("its end is heard", lambda status: status["tl"]["st"] != "playing")
        self.assertNotIn("/stream", "".join(seen["path"] for seen in self.sappho.state.seen))
        self.home.baton("keep", "drop", series["uri"])
        wait("no copies", lambda: kept() == [])

    # ---- Elsewhere

    def test_elsewhere(self):
        """BT-QUE-029. What another device of the person plays is offered as soon as it plays, and gone on with here at its position."""
        shelf, users = self.sappho.state.shelf, self.sappho.state.users.rows
        wait("the hub listens", lambda: self.sappho.state.sockets.open)
        self.assertNotIn("continue", self.section("loft"))
        shelf.report(users["bert"], 5, {"position": 33})
        shelf.report(users["anna"], 2, {"position": 21, "clientInfo": {"name": "Phone", "platform": "iOS"}})
        wait("it is offered", lambda: self.section("loft").get("continue", {}).get("title") == "Slack Water")
        self.assertEqual(self.section("loft")["continue"]["ms"], 21000)
        self.home.baton("queue", "continue", "loft")
        self.home.reaches("it plays here", lambda status: status["now"]["uri"] == "loft:book/2" and status["tl"]["st"] == "playing")
        self.home.baton("stop")
        self.assertIn("keeps no queue", self.home.run(f"{binaries()}/baton", "queue", "save", "loft").stderr)
        shelf.report(users["anna"], 2, {"position": 40, "state": "stopped", "clientInfo": {"name": "Phone", "platform": "iOS"}})
        wait("nothing is offered", lambda: "continue" not in self.section("loft"))

    def test_new_books(self):
        """A book that comes to the server is in the hub's copy of its rows without being asked for; a connection that broke is opened again."""
        wait("a copy is there", lambda: self.section("loft").get("mirror", {}).get("atMs"))
        rows = self.section("loft")["mirror"]["rows"]
        self.sappho.state.shelf.add(book(90, "Ebb", "Weir"))
        self.addCleanup(self.sappho.state.shelf.books.pop, 90)
        sockets = self.sappho.state.sockets
        wait("the hub listens", lambda: sockets.open)
        broken = sockets.open[0]
        broken.handler.connection.shutdown(2)
        wait("it listens again", lambda: sockets.open and sockets.open[0] is not broken)
        self.sappho.state.library_says("library.add", 90)
        wait("it is copied", lambda: self.section("loft")["mirror"]["rows"] > rows)

    # ---- Changing

    def test_marks(self):
        """Favourites and stars reach the server, also those that were given while it was away."""
        shelf, behaviour = self.sappho.state.shelf, self.sappho.state.behaviour
        behaviour.fault = "status503"
        self.home.baton("fav", "on", "loft:book/2")
        self.home.baton("rate", "4", "loft:book/2")
        behaviour.fault = ""
        self.home.baton("source", "test", "loft")
        wait("both are there", lambda: (1, 2) in shelf.favourites and shelf.ratings.get((1, 2), {}).get("rating") == 4)
        self.assertEqual(self.titles("browse", "loft", "favourites"), ["Slack Water"])

    def test_collections(self):
        """A collection is made and edited as a playlist is."""
        self.home.baton("playlist", "create", "Sea", "loft:book/1", "--to", "loft")
        uri = json.loads(self.home.baton("browse", "loft", "collections", "--json"))["rows"][0]["uri"]
        self.home.baton("playlist", "add", uri, "loft:book/4", "loft:book/2")
        self.home.baton("playlist", "move", uri, "3", "1")
        self.home.baton("playlist", "remove", uri, "2")
        self.home.baton("playlist", "rename", uri, "Coast")
        made = list(self.sappho.state.shelf.collections.values())
        self.assertEqual([(one["name"], one["books"]) for one in made], [("Coast", [2, 4])])
        self.home.baton("playlist", "delete", "--yes", uri)
        self.assertEqual(self.sappho.state.shelf.collections, {})


if __name__ == "__main__":
    main("ffmpeg")
