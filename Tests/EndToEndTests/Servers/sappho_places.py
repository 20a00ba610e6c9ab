# deploy/test: tier 2, judges Sources/Features/Servers/ServerConnectors/Sappho Sources/Features/Books/BatonBooks Sources/Features/Servers/BatonServers/Delivery.
# deploy/test: judges Tests/Contract/sappho.py.
"""Places in books at a Sappho server: what a room hears is told there, and what other devices of the person leave there is gone on with.

The server is ours (Tests/Contract/sappho.py). A phone of the same user is played by the suite, which changes the server's rows.
"""

import json

from sappho import Running
from sappho_books import book, moment
from Support.fixtures import make, metadata
from Support.hubs import Hub, HubCase, binaries, main, wait

SECONDS = 1800
BOOKS = 8
PATIENCE = 90


class Places(HubCase):
    """A book for each test, so that none finds what another has left."""

    @classmethod
    def prepare(cls):
        sound = ["-f", "lavfi", "-i", f"anullsrc=r=8000:cl=mono:d={SECONDS}", "-b:a", "8k"]
        path = make(f"{cls.home.folder}/books/book.mp3", *sound, *metadata(title="Tide", artist="Weir"))
        books = [book(number, f"Tide {number}", "Weir", files=[path], duration=SECONDS) for number in range(1, BOOKS + 1)]
        cls.sappho = cls.enterClassContext(Running(books))
        cls.home.secret("key", cls.sappho.key())

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("source", "add", "loft", "sappho", cls.sappho.url, "--api-key-file", f"{cls.home.folder}/key")
        cls.shelf, cls.anna = cls.sappho.state.shelf, cls.sappho.state.users.rows["anna"]
        wait("the hub listens", lambda: cls.sappho.state.sockets.open, PATIENCE)

    def setUp(self):
        self.addCleanup(self.back)

    def tearDown(self):
        self.home.run(f"{binaries()}/baton", "stop")

    def begin_hub(self):
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)

    # ---- The server

    def away(self):
        """From now on no request of the hub is answered."""
        self.sappho.state.behaviour.fault = "status503"

    def back(self):
        if self.sappho.state.behaviour.fault:
            self.sappho.state.behaviour.fault = ""
            self.home.run(f"{binaries()}/baton", "source", "test", "loft")

    def there(self, number):
        """The seconds that the server keeps for a book; `None` where it keeps no place, "end" where that was finished."""
        row = self.shelf.places.get((self.anna["id"], number))
        return row and ("end" if row["completed"] else row["position"])

    def live(self, number):
        """What a device does with a book, and as what it is shown."""
        row = self.shelf.live.get((self.anna["id"], number))
        return row and (row["state"], row["client"]["name"], row["client"]["platform"])

    def reaches(self, number, at, within=30):
        wait(f"the server has {at} s of book {number}", lambda: isinstance(self.there(number), int) and at <= self.there(number) < at + within, PATIENCE)

    def phone(self, number, position, at=0, **more):
        """Another device of the same user was there, so many seconds from now."""
        with self.sappho.state.lock:
            self.shelf.report(self.anna, number, {"position": position, "state": "paused", "clientInfo": {"name": "Phone", "platform": "iOS"}, **more})
            self.shelf.places[self.anna["id"], number]["updated_at"] = moment(self.sappho.state.now() + at)

    # ---- The hub

    def play(self, number):
        self.home.baton("play", f"loft:book/{number}")
        return self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["uri"] == f"loft:book/{number}")

    def seek(self, seconds):
        self.home.baton("seek", str(seconds))

    def progress(self, number):
        """The place and the side places of a book, in seconds, with the device of each."""
        row, = json.loads(self.home.baton("progress", f"loft:book/{number}", "--json"))["rows"]
        def shown(place):
            return "end" if place.get("fin") else place["posMs"] // 1000, place.get("dev")
        return shown(row["place"]), [shown(side) for side in row.get("sides", [])]

    # ---- Told

    def test_told(self):
        """BT-PLC-010. A room is shown as it plays, pauses, seeks and stops, by its name; positions are whole seconds."""
        room = self.hub.section("rooms")["list"][0]["name"]
        self.home.baton("mode", "speed", "3")
        self.addCleanup(self.home.run, f"{binaries()}/baton", "mode", "speed", "1")
        self.play(1)
        # With no press of anyone, after 20 s of the book.
        self.reaches(1, 20)
        self.assertEqual(self.live(1), ("playing", room, "Baton"))
        self.home.baton("pause")
        wait("it is paused there", lambda: self.live(1) and self.live(1)[0] == "paused", PATIENCE)
        paused = self.home.status()["tl"]["posMs"]
        wait("that place is there", lambda: self.there(1) == paused // 1000, PATIENCE)
        self.seek(600)
        self.reaches(1, 600, 1)
        self.home.baton("play")
        wait("it plays there", lambda: self.seek(900) or self.live(1)[0] == "playing", PATIENCE, 1)
        self.home.baton("stop")
        wait("nothing plays there", lambda: self.live(1) is None, PATIENCE)
        self.reaches(1, 900, 60)
        self.assertIsInstance(self.there(1), int)
        bodies = [seen["body"] for seen in self.sappho.state.seen if seen["method"] == "POST" and seen["path"].endswith("/1/progress")]
        self.assertTrue(bodies and all(isinstance(body["position"], int) for body in bodies), bodies)

    def test_end(self):
        """The end is told as finished, and a book that is begun again has a place again."""
        self.play(2)
        self.seek(SECONDS - 3)
        wait("it is finished there", lambda: self.there(2) == "end", PATIENCE)
        self.assertEqual(self.shelf.places[self.anna["id"], 2]["position"], 0)
        self.play(2)
        self.seek(300)
        self.reaches(2, 300)

    def test_by_hand(self):
        """What is finished and begun anew by hand is so at the server, which keeps a finished book finished until it is deleted."""
        self.play(3)
        self.seek(400)
        self.reaches(3, 400)
        self.home.baton("stop")
        self.home.baton("progress", "finish", "loft:book/3")
        wait("it is finished there", lambda: self.there(3) == "end", PATIENCE)
        self.home.baton("progress", "reset", "loft:book/3")
        wait("it has no place there", lambda: self.there(3) is None, PATIENCE)

    # ---- Away

    def test_away(self):
        """BT-PLC-010. While the server is away the newest place of a book is kept, over a kill of the hub, and told when the server is back."""
        self.play(4)
        self.seek(200)
        self.reaches(4, 200)
        self.away()
        self.seek(500)
        self.seek(1000)
        self.home.baton("pause")
        paused = self.home.status()["tl"]["posMs"] // 1000
        wait("the last one waits", lambda: self.is_noted(4, paused), PATIENCE)
        self.hub.kill()
        self.begin_hub()
        self.assertTrue(self.is_noted(4, paused))
        self.assertIn(self.there(4), range(200, 230))
        self.back()
        self.reaches(4, paused, 1)
        wait("nothing waits", lambda: not self.waiting(4), PATIENCE)

    def waiting(self, number):
        """When the places were noted that are still to be told of a book, the oldest first."""
        notes = json.loads(self.home.baton("source", "pending", "loft", "--json"))["notes"]
        return [note["atMs"] for note in notes if note["what"] == "progress" and note["uri"] == f"loft:book/{number}"]

    def is_noted(self, number, seconds):
        """The place is there, and waits to be told."""
        row, = json.loads(self.home.baton("progress", f"loft:book/{number}", "--json"))["rows"]
        return row["place"]["posMs"] // 1000 == seconds and self.waiting(number)[-1:] == [row["place"]["atMs"]]

    # ---- Elsewhere

    def test_gone_on_with(self):
        """Where a phone has left a book, a room begins."""
        self.phone(5, 1200)
        wait("it is known", lambda: self.home.run(f"{binaries()}/baton", "progress", "loft:book/5").stdout.startswith("Tide 5: 20:00"), PATIENCE)
        status = self.play(5)
        self.assertGreater(status["tl"]["posMs"], 1_150_000)
        self.seek(1500)
        self.reaches(5, 1500)
        self.assertEqual(self.progress(5)[1], [])

    def changed_elsewhere(self, number, at):
        """A room and a phone go on from the same place while the server is away from the room; `at` says when the phone did."""
        self.play(number)
        self.seek(100)
        self.home.baton("pause")
        self.reaches(number, 100)
        wait("nothing waits", lambda: not self.waiting(number), PATIENCE)
        self.away()
        self.seek(300)
        wait("it waits", lambda: self.is_noted(number, 300), PATIENCE)
        self.phone(number, 900, at)
        self.back()
        wait("it was decided", lambda: not self.waiting(number), PATIENCE)

    def test_later_there(self):
        """BT-PLC-011. Of two places that follow the same one the later counts: here the phone's. The room's is kept beside it, and is restored."""
        self.changed_elsewhere(6, +60)
        place, sides = self.progress(6)
        self.assertEqual((place, [side[0] for side in sides]), ((900, "Phone"), [300]))
        self.assertEqual(self.there(6), 900)
        self.assertIn("5:00", self.home.baton("progress", "loft:book/6"))
        self.home.baton("progress", "restore", "1", "loft:book/6")
        self.reaches(6, 300, 1)
        self.assertEqual(self.progress(6)[0][0], 300)

    def test_later_here(self):
        """BT-PLC-011. The room was there later, although not as far: the phone's place is kept beside, and its time is told by the clock of the server."""
        # A clock that is a day ahead would have the phone win.
        self.sappho.state.behaviour.ahead = "86400"
        self.addCleanup(vars(self.sappho.state.behaviour).update, ahead="0")
        self.changed_elsewhere(7, -60)
        place, sides = self.progress(7)
        self.assertEqual((place[0], sides), (300, [(900, "Phone")]))
        self.assertEqual(self.there(7), 300)


if __name__ == "__main__":
    main("ffmpeg")
