# deploy/test: tier 2, judges Sources/Features/Joining/BatonJoining/MusicRoom Tests/Contract/musicroom.py.
"""A MusicRoom server as a source: signing in, browsing, searching, playing, and a server that lies.

The server is ours (Tests/Contract/musicroom.py), written from contracts 1; its guesses are marked there.
"""

import glob
import json
import os

from Support.hubs import IS_SLOW, binaries, main, wait
from Support.musicrooms import PASSWORD, TITLES, MusicRoomCase, Running


class Source(MusicRoomCase):
    def tearDown(self):
        self.server.server.behaviour.__init__()

    def titles(self, *words):
        return [row["title"] for row in json.loads(self.home.baton(*words, "--json"))["rows"]]

    def test_session(self):
        """The session is kept in the place of the password, sent as a cookie with each request, and the password is nowhere."""
        with open(f"{self.home.folder}/state/baton/sources/loft.secret") as file:
            kept = file.read()
        self.assertIn(f"api_key = {next(iter(self.server.server.sessions))[:8]}"[:10], kept)
        for path in glob.glob(f"{self.home.folder}/state/**", recursive=True):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    self.assertFalse(PASSWORD.encode() in file.read(), path)
        self.server.server.seen.clear()
        self.home.baton("browse", "loft", "mine")
        self.assertTrue(self.server.server.seen)
        for seen in self.server.server.seen:
            self.assertIn(seen["cookie"], self.server.server.sessions)
            self.assertTrue(seen["agent"].startswith("Baton/"))

    def test_wrong(self):
        """A wrong password is said, and nothing is kept."""
        self.home.secret("wrong", "no such word")
        said = self.refused("source", "add", "attic", "musicroom", self.server.url, "--user", "anna", "--password-file", f"{self.home.folder}/wrong")
        self.assertIn("does not accept the user name or the password", said)
        self.assertNotIn("attic", self.home.baton("source"))

    def test_browse(self):
        """The library, playlists by their ids, and rooms are browsed; a search finds titles and file names."""
        self.server.server.playlists = [
            {"id": "p1", "name": "Tides", "description": "", "ownerId": 1, "isPublic": False, "shareToken": None,
             "trackIds": [track.id for track in list(self.server.server.tracks.values())[::-1]] + ["sha256:gone"], "createdAt": 0, "updatedAt": 0},
            {"id": "p2", "name": "Bert's", "description": "", "ownerId": 2, "ownerName": "bert", "isPublic": True, "shareToken": None,
             "trackIds": [], "createdAt": 0, "updatedAt": 0}]
        self.assertEqual(self.titles("browse", "loft"), ["Library", "My playlists", "Shared playlists", "Rooms"])
        self.assertEqual(self.titles("browse", "loft", "library"), list(TITLES))
        self.assertEqual(self.titles("browse", "loft", "mine", "Tides"), list(TITLES)[::-1])
        self.assertEqual(self.titles("browse", "loft", "shared"), ["Bert's"])
        self.assertEqual(self.titles("browse", "loft", "rooms"), ["Main", "Side room"])
        self.assertEqual(self.titles("search", "slack", "--source", "loft"), ["Slack Water"])
        self.assertEqual(self.titles("search", "2 high flac", "--source", "loft"), ["High Water"])

    def test_play(self):
        """A track plays in a queue of ours beside others, read by ranges with the cookie."""
        self.server.server.seen.clear()
        uri = json.loads(self.home.baton("browse", "loft", "library", "--json"))["rows"][1]["uri"]
        self.home.baton("play", uri)
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Slack Water")
        self.home.baton("seek", "0:50")
        self.home.reaches("it plays on", lambda status: status["positionMs"] > 51_000)
        self.home.baton("stop")
        files = [seen for seen in self.server.server.seen if "/api/tracks/" in seen["path"]]
        self.assertTrue(files)
        self.assertTrue(all("sha256%3A" in seen["path"] and seen["cookie"] for seen in files), files)

    def test_session_ends(self):
        """A session that the server ends asks to sign in again, and signing in again is enough."""
        self.server.server.sessions.clear()
        self.assertIn("Sign in again: baton source set loft", self.refused("browse", "loft", "mine"))
        self.home.baton("source", "set", "loft", "--user", "anna", "--password-file", f"{self.home.folder}/password")
        self.home.baton("browse", "loft", "mine")

    def test_redirect(self):
        """A redirect elsewhere is not followed, and neither the cookie nor the password gets there."""
        with Running([], users=()) as other:
            for prefix in ("/api/playlists", "/api/auth", "/api/tracks", "/api/channels"):
                self.server.server.behaviour.redirect[prefix] = other.url + "/api/steal"
            self.assertIn("redirects", self.refused("browse", "loft", "mine"))
            self.refused("join", "loft")
            self.refused("source", "add", "attic", "musicroom", self.server.url, "--user", "anna", "--password-file", f"{self.home.folder}/password")
            self.assertEqual(other.server.seen, [])

    def test_large(self):
        """A library of 20,000 tracks, and of 100,000 with BATON_SLOW=1, is browsed and searched, and other commands do not wait for it."""
        count = 100_000 if IS_SLOW else 20_000
        rows = [{"id": f"sha256:{number:064x}", "filename": f"{number}.flac", "title": f"Song {number}", "artist": f"Artist {number % 997}",
                 "album": None, "duration": 180.5, "available": True} for number in range(count)]
        self.server.server.behaviour.body["/api/library"] = json.dumps(rows).encode()
        self.add("wide")
        browsed = wait("its rows", lambda: self.asked("browse", "wide", "library", "--json"))
        self.assertEqual((browsed["total"], browsed["rows"][3]["title"]), (count, "Song 3"))
        self.assertEqual(self.titles("search", f"song {count - 1}", "--source", "wide"), [f"Song {count - 1}"])
        self.home.baton("source", "remove", "--yes", "wide")

    def asked(self, *words):
        """What is answered; nothing while a server's list is still read."""
        ended = self.home.run(f"{binaries()}/baton", *words)
        return json.loads(ended.stdout) if ended.returncode == 0 else None

    def test_huge(self):
        """A list of 50 MB is refused with a sentence, and the hub goes on."""
        self.server.server.behaviour.body["/api/playlists"] = b"[" + b" " * (50 << 20) + b"]"
        said = self.refused("browse", "loft", "mine")
        self.assertTrue("MB" in said or "bytes" in said or "large" in said, said)
        self.server.server.behaviour.body["/api/playlists"] = b'{"mine": 7, "shared": [{"id": {}}, {"id": "x", "trackIds": [1, {}]}]}'
        self.assertEqual(self.titles("browse", "loft", "shared"), ["x"])


if __name__ == "__main__":
    main("ffmpeg")
