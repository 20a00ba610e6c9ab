# deploy/test: tier 2, judges Sources/Features/Servers/ServerConnectors/Subsonic Sources/Features/Books/BatonBooks Sources/Features/Servers/BatonServers/Delivery.
# deploy/test: judges Tests/Contract/opensubsonic.py.
# deploy/test: waits, mostly for a server that comes back.
"""Bookmarks of a Subsonic account as places: what a room hears of a spoken song is bookmarked, and where other players of the person left one
is gone on with.

The server is our stand-in (Tests/Contract/opensubsonic.py). A phone of the same account is played by the suite, which changes the server's rows.
"""

import functools
import json
import time

import opensubsonic
from opensubsonic_methods import PASSWORD, RATE, USER, tone
from Support.hubs import Hub, HubCase, binaries, main, wait

SECONDS = 900
CHAPTERS = 8
PATIENCE = 90


@functools.cache
def quiet(_, seconds):
    """Silence, which is made faster than a tone is."""
    whole = RATE * 2 * seconds
    head = bytearray(tone(1, 0))
    head[4:8], head[40:44] = (whole + 36).to_bytes(4, "little"), whole.to_bytes(4, "little")
    return bytes(head) + bytes(whole)


class Bookmarks(HubCase):
    """A chapter for each test, so that none finds what another has left."""

    @classmethod
    def prepare(cls):
        opensubsonic.tone = quiet
        cls.server = cls.enterClassContext(opensubsonic.OpenSubsonic())
        cls.library = cls.server.library
        for number in range(1, CHAPTERS + 1):
            song = {**cls.library.songs["so-7"], "id": f"sp-{number}", "title": f"Tide {number}", "type": "audiobook", "duration": SECONDS}
            cls.library.songs[song["id"]] = {**song, "size": 44 + RATE * 2 * SECONDS}
            cls.library.sounds[song["id"]] = (1, SECONDS)
        cls.home.secret("password", PASSWORD)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # One that was left before this hub knew the account.
        cls.library.bookmarks["sp-8"] = cls.mark(610)
        cls.home.baton("source", "add", "den", "subsonic", cls.server.url, "--user", USER, "--password-file", f"{cls.home.folder}/password")

    @classmethod
    def mark(cls, seconds, at=0):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + cls.server.settings["ahead"] + at))
        return {"position": seconds * 1000, "comment": "Phone", "created": moment, "changed": moment}

    def setUp(self):
        self.addCleanup(self.back)

    def tearDown(self):
        self.home.run(f"{binaries()}/baton", "stop")

    def begin_hub(self):
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)

    # ---- The server

    def away(self):
        """From now on no request of the hub is answered but for sound."""
        self.server.control({"fault": {"method": "*", "kind": "down", "times": 1_000_000}})

    def back(self):
        if self.server.faults.pop("*", None):
            wait("it is back", lambda: self.home.run(f"{binaries()}/baton", "source", "test", "den").returncode == 0, PATIENCE)

    def there(self, number):
        """The seconds of the bookmark of a chapter; `None` where it has none."""
        row = self.library.bookmarks.get(f"sp-{number}")
        return row and row["position"] // 1000

    def reaches(self, number, at, within=30):
        wait(f"the bookmark of {number} at {at} s", lambda: self.there(number) is not None and at <= self.there(number) < at + within, PATIENCE)

    def phone(self, number, seconds, at=0):
        """Another player of the same account was there, so many seconds from now."""
        self.library.bookmarks[f"sp-{number}"] = self.mark(seconds, at)

    # ---- The hub

    def play(self, number):
        uri = f"den:track/sp-{number}"
        self.home.baton("play", uri)
        return self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["uri"] == uri)

    def seek(self, seconds):
        self.home.baton("seek", str(seconds))

    def place(self, number):
        """The place of a chapter and its side places, in seconds."""
        row, = json.loads(self.home.baton("progress", f"den:track/sp-{number}", "--json"))["rows"]
        return ["end" if place.get("fin") else place["posMs"] // 1000 for place in [row["place"], *row.get("sides", [])]]

    def waiting(self, number):
        """How many places are still to be told of a chapter."""
        notes = json.loads(self.home.baton("source", "pending", "den", "--json"))["notes"]
        return sum(note["what"] == "progress" and note["uri"] == f"den:track/sp-{number}" for note in notes)

    # ---- Told

    def test_told(self):
        """A pause and a seek are bookmarked in the name of the room."""
        room = self.hub.section("rooms")["list"][0]["name"]
        self.play(1)
        self.seek(200)
        self.reaches(1, 200)
        self.home.baton("pause")
        paused = self.home.status()["tl"]["posMs"] // 1000
        self.reaches(1, paused, 1)
        self.assertEqual(self.library.bookmarks["sp-1"]["comment"], room)

    def test_end(self):
        """What was heard to its end has no bookmark, and what is begun again has one again."""
        self.play(2)
        self.seek(300)
        self.reaches(2, 300)
        self.seek(SECONDS - 3)
        wait("no bookmark", lambda: self.there(2) is None, PATIENCE)
        wait("it is finished", lambda: self.place(2)[0] == "end", PATIENCE)
        self.play(2)
        self.seek(100)
        self.reaches(2, 100)

    def test_by_hand(self):
        """What is finished or begun anew by hand has no bookmark."""
        for word in ("finish", "reset"):
            self.play(3)
            self.seek(300)
            self.reaches(3, 300)
            self.home.baton("stop")
            self.home.baton("progress", word, "den:track/sp-3")
            wait(f"no bookmark after {word}", lambda: self.there(3) is None, PATIENCE)

    def test_away(self):
        """BT-PLC-010. While the server is away the newest place is kept, over a kill of the hub, and bookmarked when the server is back."""
        self.play(4)
        self.seek(200)
        self.reaches(4, 200)
        self.home.baton("pause")
        wait("nothing waits", lambda: not self.waiting(4), PATIENCE)
        self.away()
        self.seek(400)
        self.seek(500)
        wait("the last one waits", lambda: self.place(4)[0] == 500 and self.waiting(4), PATIENCE)
        self.hub.kill()
        self.begin_hub()
        self.assertTrue(self.waiting(4))
        self.assertIn(self.there(4), range(200, 230))
        self.back()
        self.reaches(4, 500, 1)
        wait("nothing waits any more", lambda: not self.waiting(4), PATIENCE)

    # ---- Elsewhere

    def test_known_before(self):
        """Where a phone left a chapter before the account was added, a room begins."""
        wait("it is known", lambda: self.home.run(f"{binaries()}/baton", "progress", "den:track/sp-8").stdout.startswith("Tide 8: 10:10"), PATIENCE)
        self.assertGreater(self.play(8)["tl"]["posMs"], 570_000)

    def changed_elsewhere(self, number, at):
        """A room and a phone go on from the same place while the server is away from the room; `at` says when the phone did."""
        self.play(number)
        self.seek(100)
        self.home.baton("pause")
        self.reaches(number, 100)
        wait("nothing waits", lambda: not self.waiting(number), PATIENCE)
        self.away()
        self.seek(300)
        wait("it waits", lambda: self.place(number)[0] == 300 and self.waiting(number), PATIENCE)
        self.phone(number, 700, at)
        self.back()
        wait("it was decided", lambda: not self.waiting(number), PATIENCE)

    def test_later_there(self):
        """BT-PLC-011. Of two places that follow the same one the later counts, here the phone's. The room's is kept beside it, and is restored."""
        self.changed_elsewhere(5, +60)
        self.assertEqual((self.place(5), self.there(5)), ([700, 300], 700))
        self.home.baton("progress", "restore", "1", "den:track/sp-5")
        self.reaches(5, 300, 1)

    def test_later_here(self):
        """BT-PLC-011. The room was there later, although not as far, and the clock of the server is a day ahead."""
        self.server.settings["ahead"] = 86_400
        self.addCleanup(lambda: self.server.settings.update(ahead=0))
        self.changed_elsewhere(6, -60)
        self.assertEqual((self.place(6), self.there(6)), ([300, 700], 300))

    def test_without(self):
        """A server that knows no bookmarks keeps no places: they are kept here, and nothing waits for it."""
        self.server.settings["without"] = ["getBookmarks", "createBookmark", "deleteBookmark"]
        self.addCleanup(lambda: self.server.settings.update(without=[]))
        self.play(7)
        self.seek(300)
        self.home.baton("pause")
        wait("the place is kept", lambda: 300 <= self.place(7)[0] < 330, PATIENCE)
        wait("nothing waits", lambda: not self.waiting(7), PATIENCE)
        self.assertIsNone(self.there(7))


if __name__ == "__main__":
    main("ffmpeg")
