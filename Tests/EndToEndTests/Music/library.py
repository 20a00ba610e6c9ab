# deploy/test: tier 2.
# deploy/test: judges Sources/Features/Library/BatonLibrary/Local Sources/Features/Library/BatonLibrary/PlaylistShelf Sources/Platform/Stores/LibraryStore Sources/Programs/baton-reader.
"""A tagged library on the command line, with the shipped programs: found, browsed, played, loved, ordered, carried out and in.

The files are made by ffmpeg: three albums in three formats, one with a cover and timed words beside it.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
import urllib.request

from Support.fixtures import lavfi, metadata
from Support.hubs import Hub, HubCase, binaries, main, wait

ALBUMS = {
    "Kid A": ("Radiohead", 2000, "Electronica", "flac", ["Everything in Its Right Place", "Kid A", "The National Anthem"]),
    "Ágætis byrjun": ("Sigur Rós", 1999, "Post-Rock", "mp3", ["Svefn-g-englar", "Starálfur"]),
    "Solo Piano": ("Chilly Gonzales", 2004, "Classical", "ogg", ["Gogol", "Manifesto"]),
}


def make(root):
    """The files, and where they are by title."""
    paths = {}
    for album, (artist, year, genre, suffix, titles) in ALBUMS.items():
        folder = f"{root}/{artist} - {album}"
        for track, title in enumerate(titles, 1):
            path = paths[title] = f"{folder}/{track:02d}.{suffix}"
            tags = metadata(title=title, artist=artist, album=album, date=year, genre=genre, track=f"{track}/{len(titles)}")
            if suffix == "ogg":
                tags += metadata(composer="Jason Beck", label="Gentle Threat")
            lavfi(path, f"sine=frequency={220 + 40 * len(paths)}:duration=3", *tags)
    lavfi(f"{root}/Radiohead - Kid A/cover.jpg", "color=c=orange:s=300x300", "-frames:v", "1")
    with open(f"{root}/Radiohead - Kid A/02.lrc", "w", encoding="utf-8") as file:
        file.write("[00:00.20]Standing in the shadows\n[00:00.60]At the end of my bed\n")
    with open(f"{root}/mix.m3u8", "w", encoding="utf-8") as file:
        file.write("#EXTM3U\nChilly Gonzales - Solo Piano/01.ogg\n./nowhere/../Radiohead - Kid A/02.flac\nmissing.flac\n")
    return paths


class Libraries(HubCase):
    flags = ("--audio", "null", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        cls.paths = make(cls.home.music)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.baton("scan", "--wait")
        wait("all of it", lambda: len(cls.rows("search", "a", "--kind", "track", "--all")) >= 4)

    @classmethod
    def baton(cls, *words):
        return cls.home.baton(*words)

    @classmethod
    def rows(cls, *words):
        return json.loads(cls.baton(*words, "--json"))["rows"]

    def titles(self, *words):
        return [row["title"] for row in self.rows(*words)]

    def uri(self, title):
        return next(row["uri"] for row in self.rows("search", title, "--kind", "track") if row["title"] == title)

    def test_playlist_files(self):
        """A playlist file in the music becomes a playlist, which follows the file and goes with it."""
        self.assertEqual(self.titles("playlist", "show", "mix"), ["Gogol", "Kid A"])
        path = f"{self.home.music}/mix.m3u8"
        with open(path, "a", encoding="utf-8") as file:
            file.write("Radiohead - Kid A/01.flac\n")
        wait("the list is filled anew", lambda: self.titles("playlist", "show", "mix")[2:] == ["Everything in Its Right Place"])
        os.remove(path)
        wait("the list is gone", lambda: "mix" not in [row["name"] for row in self.rows("playlist")])

    def test_search(self):
        """Every word may be a beginning, without case and accents; a row is played by its number."""
        self.assertEqual(self.titles("search", "kid", "a", "--kind", "track")[0], "Kid A", "What is called so comes before what stands on it.")
        self.assertIn("Svefn-g-englar", self.titles("search", "sigur", "ros", "--kind", "track"))
        self.assertIn("Starálfur", self.titles("search", "staralf"))
        self.assertEqual(self.rows("search", "solo", "--kind", "album")[0]["title"], "Solo Piano")
        self.assertIn("Nothing is called “zzzz”", self.baton("search", "zzzz"))
        self.baton("search", "gogol", "--play")
        self.home.reaches("it plays", lambda status: status["now"]["title"] == "Gogol" and status["tl"]["st"] == "playing")
        self.baton("search", "kid", "a", "--kind", "album", "--add")
        self.home.reaches("an album more", lambda status: status["queue"]["len"] == 4)
        self.baton("pause")

    def test_browse(self):
        """Shelves, an album by its name and by its number, and its tracks in their order."""
        self.assertIn("lib:shelf/albums", [row["uri"] for row in self.rows("browse")])
        self.assertEqual(set(self.titles("browse", "albums")), set(ALBUMS))
        self.assertEqual(self.titles("browse", "albums", "Kid A"), ALBUMS["Kid A"][4])
        place = self.titles("browse", "albums").index("Solo Piano") + 1
        self.assertEqual(self.titles("browse", "albums", str(place)), ALBUMS["Solo Piano"][4])
        self.assertEqual(set(self.titles("browse", "artists")), {album[0] for album in ALBUMS.values()})
        self.assertEqual(self.titles("browse", "composers", "Jason Beck"), ALBUMS["Solo Piano"][4])
        self.assertEqual(self.titles("browse", "labels", "gentle threat"), ["Solo Piano"])
        self.assertEqual(self.titles("browse", "years"), ["2004", "2000", "1999"])
        self.assertEqual(self.titles("browse", "years", "2000"), ["Kid A"])
        self.baton("rate", "5", self.uri("Gogol"))
        self.assertEqual(self.titles("browse", "artists", "Chilly Gonzales", "top"), ["Gogol"])
        self.assertEqual(self.titles("browse", "artists", "Chilly Gonzales", "similar"), [])
        self.baton("rate", "0", self.uri("Gogol"))
        self.baton("browse", "albums", "Kid A", "--all", "--play")
        self.home.reaches("the album", lambda status: status["queue"]["len"] == 3 and status["now"]["title"] == ALBUMS["Kid A"][4][0])
        self.baton("pause")

    def test_marks(self):
        """A favourite and its stars are in rows and shelves, and stay when the file gets another name."""
        uri = self.rows("search", "manifesto", "--kind", "track")[0]["uri"]
        self.baton("fav", "on", uri)
        self.baton("rate", "4", uri)
        row = self.rows("search", "manifesto", "--kind", "track")[0]
        self.assertEqual((row["fav"], row["stars"]), (1, 4))
        self.assertIn("Manifesto", self.titles("browse", "favourites"))
        moved = os.path.dirname(self.paths["Manifesto"]) + "/renamed.ogg"
        os.rename(self.paths["Manifesto"], moved)
        self.paths["Manifesto"] = moved
        self.baton("scan", "--wait")
        row = self.rows("search", "manifesto", "--kind", "track")[0]
        self.assertEqual((row["uri"], row["fav"], row["stars"]), (uri, 1, 4))
        self.baton("fav", "off", uri)
        self.assertNotIn("fav", self.rows("search", "manifesto", "--kind", "track")[0])

    def test_playlists(self):
        """A list is made, ordered, taken back, played; it goes out in two forms, and comes back the same."""
        self.baton("playlist", "create", "Evening", *[self.uri(title) for title in ("Gogol", "Kid A", "Starálfur")])
        self.assertEqual(self.titles("playlist", "show", "evening"), ["Gogol", "Kid A", "Starálfur"])
        self.baton("playlist", "move", "Evening", "3", "1")
        self.assertEqual(self.titles("playlist", "show", "Evening"), ["Starálfur", "Gogol", "Kid A"])
        self.baton("playlist", "remove", "Evening", "2")
        self.baton("playlist", "undo", "Evening")
        self.assertEqual(self.titles("playlist", "show", "Evening"), ["Starálfur", "Gogol", "Kid A"])
        for form in ("m3u8", "jspf"):
            file = f"{self.home.folder}/out.{form}"
            self.baton("playlist", "export", "Evening", file)
            self.baton("playlist", "import", file, "--name", form)
            self.assertEqual(self.titles("playlist", "show", form), ["Starálfur", "Gogol", "Kid A"], form)
            self.baton("playlist", "delete", "--yes", form)
        self.baton("playlist", "play", "Evening", "2")
        self.home.reaches("its second", lambda status: status["now"]["title"] == "Gogol" and status["queue"]["len"] == 3)
        self.baton("pause")
        self.baton("playlist", "rename", "Evening", "Night")
        self.baton("playlist", "delete", "--yes", "night")
        self.assertNotIn("Night", self.baton("playlist"))

    def test_import(self):
        """Of a list of another program: relative paths count from the list, what moved is found by its name, the rest is named."""
        # Outside of the music, where the library would make a list of the same name of it.
        folder = tempfile.mkdtemp(dir=self.home.folder)
        near, far = (os.path.relpath(self.paths[title], folder) for title in ("Kid A", "Gogol"))
        with open(f"{folder}/mixed.m3u8", "w", encoding="utf-8") as file:
            file.write(f"#EXTM3U\n{near}\n#EXTINF:3,Sigur Rós - Starálfur\n/somewhere/else/star.mp3\n#EXTINF:9,Nobody - Nothing\ngone.mp3\n{far}\n")
        done = json.loads(self.baton("playlist", "import", f"{folder}/mixed.m3u8", "--json"))
        self.assertEqual((done["added"], done["missing"]), (3, ["Nobody – Nothing"]))
        rows = self.rows("playlist", "show", "mixed")
        self.assertEqual([row["uri"] for row in rows], [self.uri(title) for title in ("Kid A", "Starálfur", "Gogol")])
        self.baton("playlist", "delete", "--yes", "mixed")

    def test_paths(self):
        """A path of a file that the library has stands for the library's own track, in a queue and in a playlist."""
        title = "Svefn-g-englar"
        path, uri = self.paths[title], self.uri(title)
        self.baton("rate", "3", uri)
        self.baton("play", path)
        self.home.reaches("the library's own", lambda status: status["now"]["uri"] == uri and status["now"]["artists"] == ["Sigur Rós"])
        self.baton("pause")
        self.baton("playlist", "create", "By path", path)
        self.assertEqual([(row["uri"], row["stars"]) for row in self.rows("playlist", "show", "By path")], [(uri, 3)])
        self.baton("playlist", "delete", "--yes", "By path")

    def test_smart(self):
        """A list that fills itself."""
        self.baton("playlist", "smart", "Old", "year<=2000", "--order", "title")
        self.assertEqual(set(self.titles("playlist", "show", "Old")), {*ALBUMS["Kid A"][4], *ALBUMS["Ágætis byrjun"][4]})
        self.baton("playlist", "delete", "--yes", "Old")

    def test_history(self):
        """What was heard to its half is in the history."""
        self.baton("search", "svefn", "--play")
        wait("it was heard", lambda: "Svefn-g-englar" in self.titles("history"))
        self.assertIn("Svefn-g-englar", self.titles("browse", "recent"))

    def test_lyrics(self):
        """Words beside the file, and each line when it is sung."""
        uri = self.rows("search", "kid", "a", "--kind", "track")[0]["uri"]
        self.assertEqual(self.baton("lyrics", uri), "Standing in the shadows\nAt the end of my bed\n")
        self.baton("search", "kid", "a", "--kind", "track", "--play")
        self.assertEqual(self.baton("lyrics", "--follow"), "Standing in the shadows\nAt the end of my bed\n")

    def test_art(self):
        """A cover at the size that is asked for, forever."""
        row = next(row for row in self.rows("browse", "albums") if row["title"] == "Kid A")
        with urllib.request.urlopen(f"{self.hub.page}/art/{row['art']}?w=64&h=64", timeout=60) as answer:
            self.assertIn("immutable", answer.headers["cache-control"])
            body = answer.read()
        self.assertTrue(body.startswith(b"\xff\xd8"), "a JPEG, unless something else is asked for")
        self.home.baton("search", "kid", "a", "--kind", "track", "--play")
        self.home.reaches("its picture", lambda status: status["now"].get("art", {}).get("id") == row["art"])
        self.home.baton("pause")

    def test_folders(self):
        """A folder is added, read, and taken out; what is not there is said."""
        more = f"{self.home.folder}/more"
        os.makedirs(more)
        shutil.copy(self.paths["Gogol"], f"{more}/copy.ogg")
        lavfi(f"{more}/x.flac", "sine=duration=1", *metadata(title="Elsewhere"))
        with open(f"{more}/bad.flac", "wb") as file:
            file.write(b"fLaC" + b"\0" * 64)
        self.baton("library", "add", more)
        self.baton("scan", "--wait")
        self.assertEqual(self.titles("search", "elsewhere"), ["Elsewhere"])
        self.assertIn("bad.flac", json.dumps(json.loads(self.baton("library", "--json"))["report"]["problems"]))
        self.assertIn(more, self.baton("library"))
        self.baton("library", "remove", "--yes", more)
        wait("it is gone", lambda: self.titles("search", "elsewhere") == [])
        self.assertNotIn(more, self.baton("library"))

    def test_scan(self):
        """A scan with nothing new says so, and counts."""
        self.assertRegex(self.baton("scan", "--wait"), r"Scanned: \d+ files")


class Again(HubCase):
    """What people made outlives the hub."""

    flags = Libraries.flags

    @classmethod
    def prepare(cls):
        make(cls.home.music)

    def test_restart(self):
        """Marks and lists are there when the hub comes back, and a shelf that an earlier version took for a favourite does no harm."""
        self.home.baton("scan", "--wait")
        find = lambda: json.loads(self.home.baton("search", "gogol", "--kind", "track", "--json"))["rows"]
        uri = wait("it is found", find)[0]["uri"]
        self.home.baton("rate", "5", uri)
        self.home.baton("playlist", "create", "Kept", uri)
        self.home.baton("fav", "on", uri)
        self.home.baton("keep", "favourites")
        refused = self.home.run(f"{binaries()}/baton", "fav", "on", "lib:shelf/favourites")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("“Favourites” is a shelf, which cannot be marked: mark what is on it.", refused.stderr)
        type(self).hub.stop()
        with contextlib.closing(sqlite3.connect(f"{self.home.folder}/state/baton/library.db")) as library, library:
            library.execute("INSERT INTO item (uri, kind, title, artists, album, album_artist, disc, track, year, favourite_ms)"
                            " VALUES ('lib:shelf/favourites', 'shelf', 'Favourites', '', '', '', 0, 0, 0, 1 << 41)")
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(type(self).hub.kill)
        row = wait("it is found again", find)[0]
        self.assertEqual((row["uri"], row["stars"]), (uri, 5))
        self.assertIn("Kept", self.home.baton("playlist"))
        self.assertIn("The shelf “Favourites” is among the favourites, where a shelf cannot be", type(self).hub.text(type(self).hub.log))
        self.home.baton("play", "lib:shelf/favourites")
        self.home.reaches("its only track", lambda status: status["now"]["title"] == "Gogol" and status["queue"]["len"] == 1)
        self.home.baton("fav", "off", "lib:shelf/favourites")
        shown = json.loads(self.home.baton("browse", "favourites", "--json"))["rows"]
        self.assertEqual([row["uri"] for row in shown], [uri])


if __name__ == "__main__":
    main("ffmpeg")
