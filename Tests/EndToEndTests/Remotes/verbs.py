# deploy/test: tier 2, judges Sources/Programs/baton/Verbs Sources/Programs/baton/Output Sources/Programs/baton/Playlists.
"""The library's verbs of the shipped satellite, beside a library that refuses, is busy and loses things on request."""

import json
import os
import socket

from Support.hubs import Home, HubCase, binaries, main
from Support.standin import Refusal, Shelf, StandIn

KID_A = ["Everything in Its Right Place", "Kid A", "The National Anthem", "How to Disappear Completely"]


class Verbs(HubCase):
    flags = ("--audio", "null", "--demo", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.reaches("the album", lambda status: status["queue"]["len"] > 0)
        cls.album = json.loads(cls.home.baton("queue", "--json"))["rows"]

    def setUp(self):
        album = self.album
        self.shelf = Shelf()
        self.shelf.album("Morning Pieces", "The House Band", 1999, [row["title"] for row in album], [row["uri"] for row in album])
        self.shelf.album("Kid A", "Radiohead", 2000, KID_A)
        self.shelf.paths = {f"{self.home.folder}/Kid A/{n}.flac": uri for n, uri in enumerate(self.shelf.inside["lib:album/2"], 1)}
        self.shelf.do_pl_create({"name": "Sunday", "uris": ["lib:album/2"]})
        self.stand = StandIn(self.hub.port, self.shelf)
        self.addCleanup(self.stand.close)

    def run_baton(self, *words):
        return self.home.run(f"{binaries()}/baton", "--hub", f"ws://127.0.0.1:{self.stand.port}/baton", *words)

    def baton(self, *words):
        ended = self.run_baton(*words)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_silent_hub(self):
        """A hub that does not answer at its socket is named as that, and not as missing."""
        home = Home()
        self.addCleanup(home.close)
        os.makedirs(os.path.dirname(home.socket))
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(home.socket)
            silent.listen()
            ended = home.run(f"{binaries()}/baton", "--timeout", "1", "status")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn(home.socket, ended.stderr)
        self.assertNotIn("No hub", ended.stderr)

    def titles(self, *words):
        return [row["title"] for row in json.loads(self.baton(*words, "--json"))["rows"]]

    def refused(self, *words, code=1):
        ended = self.run_baton(*words)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stderr

    def test_control_characters(self):
        """A terminal does not obey text of the hub, and JSON keeps it."""
        self.shelf.album("Night\x1b[2Jfall\x9b", "Ann\nother", 2001, ["Dusk\x1b]0;x\x07"])
        shown = self.baton("search", "night")
        self.assertIn("Night\\u001b[2Jfall\\u009b\tAnn\\u000aother", shown)
        self.assertNotIn("\x1b", shown)
        rows = json.loads(self.baton("search", "night", "--json"))["rows"]
        self.assertIn("Night\x1b[2Jfall\x9b", [row["title"] for row in rows])

    def test_search(self):
        """Rows are numbered, a number plays or adds its row, and more than a screenful says so."""
        self.assertTrue(self.baton("search", "kid", "a").startswith("1\tKid A\tRadiohead – 2000\talbum, 4 tracks"))
        self.assertIn("Nothing is called “zz”", self.baton("search", "zz"))
        self.baton("search", "lamps", "--play", "1")
        self.home.reaches("it plays", lambda status: status["now"]["title"] == "Lamps On")
        self.assertEqual(self.baton("search", "stairs", "--add"), "Added 1 entry.\n")
        self.assertIn("no number 7", self.refused("search", "stairs", "--play", "7"))
        self.assertIn("one of --play, --add and --next", self.refused("search", "x", "--play", "--add", code=2))
        self.assertIn("no kind “song”", self.refused("search", "x", "--kind", "song", code=2))
        self.shelf.album("All of it", "Various", 2001, [f"Bit {n}" for n in range(250)])
        ended = self.run_baton("search", "bit")
        self.assertEqual((ended.stdout.count("\n"), ended.stderr), (80, "baton: 170 more with --all.\n"))
        self.assertEqual(self.baton("search", "bit", "--all").count("\n"), 250)
        self.baton("pause")

    def test_browse(self):
        """A way of words: shelves, numbers, titles."""
        self.assertEqual(self.titles("browse", "albums"), ["Morning Pieces", "Kid A"])
        for way in ("2", "kid a", "Kid A"):
            self.assertEqual(self.titles("browse", "albums", way), KID_A)
        self.assertIn("no “Amnesiac” there", self.refused("browse", "albums", "Amnesiac"))
        self.assertIn("There is no “nowhere” there", self.refused("browse", "nowhere"))

    def test_random(self):
        """A draw from the library says of how many it is one."""
        rows = [self.shelf.rows[uri] for uri in self.shelf.inside["lib:album/2"]]
        self.shelf.do_lib_browse = lambda p: {"rows": rows, "total": 500}
        ended = self.run_baton("browse", "lib:shelf/random")
        self.assertEqual((ended.stdout.count("\n"), ended.stderr), (4, "baton: These are 4 of 500, drawn anew each time.\n"))

    def test_lists(self):
        """Places count from 1, and every edit names entries by their ids."""
        self.baton("playlist", "move", "sunday", "4", "1")
        self.assertEqual(self.titles("playlist", "show", "l1"), [KID_A[3], *KID_A[:3]])
        self.baton("playlist", "remove", "Sunday", "1", "2")
        self.assertEqual(self.titles("playlist", "show", "Sunday"), KID_A[1:3])
        self.assertIn("it has 2", self.refused("playlist", "remove", "Sunday", "9"))
        self.baton("playlist", "create", "Of tonight", "--queue")
        self.baton("playlist", "rename", "Of tonight", "Sunday")
        self.assertIn("Name one by its id: Sunday (l1), Sunday (l2)", self.refused("playlist", "show", "Sunday"))
        self.baton("playlist", "delete", "--yes", "l2")
        self.assertIn("There is no playlist “l2”", self.refused("playlist", "show", "l2"))
        self.assertIn("It can: list, show", self.refused("playlist", "frobnicate", code=2))

    def test_carried(self):
        """A list goes out and comes back the same, in both forms, also when the hub is busy."""
        for form in ("m3u8", "jspf"):
            file = f"{self.home.folder}/out.{form}"
            self.baton("playlist", "export", "Sunday", file)
            self.shelf.busy = 3
            self.baton("playlist", "import", file, "--name", form)
            self.assertEqual(self.titles("playlist", "show", form), KID_A, form)
        self.assertIn("does not say what form", self.refused("playlist", "export", "Sunday", "/tmp/list", code=2))

    def test_import(self):
        """Relative paths count from the list; what is elsewhere is found by its name; what is nowhere is named; nothing else is lost."""
        os.makedirs(f"{self.home.folder}/Kid A/lists", exist_ok=True)
        file = f"{self.home.folder}/Kid A/lists/mixed.m3u8"
        known = [f"{self.home.folder}/Kid A/lists/../{n}.flac" for n in (1, 2)]
        self.shelf.paths.update({path: self.shelf.paths[f"{self.home.folder}/Kid A/{n}.flac"] for n, path in enumerate(known, 1)})
        with open(file, "w", encoding="utf-8") as text:
            text.write("#EXTM3U\n../2.flac\n#EXTINF:9,Nobody - Nothing\ngone.mp3\n../1.flac\n#EXTINF:62,Radiohead - The National Anthem\n/elsewhere/x.mp3\nhttp://radio.example/\n")
        ended = self.run_baton("playlist", "import", file)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.titles("playlist", "show", "mixed"), [KID_A[1], KID_A[0], KID_A[2]])
        self.assertEqual(ended.stderr, "baton: not found: Nobody – Nothing\nbaton: not found: http://radio.example/\n")
        self.assertIn("has 3 tracks. 2 could not be found", ended.stdout)
        with open(file, "w", encoding="utf-8") as text:
            text.write("gone.mp3\n")
        before = len(self.shelf.lists)
        self.assertIn("None of the 1 entries", self.refused("playlist", "import", file))
        for count, said in ((150, "None of the first 100 entries"), (10_001, "has 10001 entries")):
            with open(file, "w", encoding="utf-8") as text:
                text.writelines(f"gone-{number}.mp3\n" for number in range(count))
            self.assertIn(said, self.refused("playlist", "import", file))
        self.assertEqual(len(self.shelf.lists), before, "A list of nothing stayed behind.")

    def test_marks(self):
        """What plays is loved and rated; without anything playing an item has to be named; a no is the hub's sentence."""
        track = self.shelf.inside["lib:album/2"][1]
        self.baton("fav", "on", track)
        self.baton("rate", "4", track)
        self.assertEqual((self.shelf.rows[track]["fav"], self.shelf.rows[track]["stars"]), (1, 4))
        self.baton("search", "lamps", "--play")
        self.assertEqual(self.baton("fav"), "“Lamps On” is a favourite.\n")
        self.baton("pause")
        self.assertIn("from 0 to 5", self.refused("rate", "6", code=2))
        self.assertIn("no such item", self.refused("fav", "off", "lib:track/none"))

        def refuse(_):
            raise Refusal("forbidden", "Marks are for others.")
        self.shelf.do_rate_set = refuse
        self.assertIn("Marks are for others.", self.refused("rate", "1", track))

    def test_lyrics(self):
        """All the words, or each line when it is sung."""
        words = "Standing in the shadows\nAt the end of my bed\n"
        self.assertEqual(self.baton("lyrics", self.shelf.inside["lib:album/2"][1]), words)
        self.baton("search", "lamps", "--play")
        self.assertEqual(self.baton("lyrics", "--follow"), words)
        self.baton("pause")

    def test_scan(self):
        """Without a terminal a scan says how far it is in lines, and at the end what could not be read."""
        ended = self.run_baton("scan")
        self.assertEqual(ended.stdout, "Scanned: 3 files, 3 read, 1 could not be read, in 1.2 s.\n")
        self.assertIn("bad.flac is no music", ended.stderr)
        self.assertIn("/srv/music\t7 tracks", self.baton("library"))

    def test_without(self):
        """What a hub lacks is said in a sentence."""
        self.shelf.is_there = False
        for words in (("search", "x"), ("browse",), ("library",), ("scan",), ("history",)):
            self.assertIn("This hub has no music library.", self.refused(*words))
        self.assertIn("This hub keeps no playlists.", self.refused("playlist"))


if __name__ == "__main__":
    main()
