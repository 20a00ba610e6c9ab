# deploy/test: tier 2, judges Sources/Kernel/BatonKernel/SourceLanes/StreamRecovery.swift Sources/Kernel/BatonKernel/SourceLanes/SourceHealth.swift.
# deploy/test: judges Sources/Kernel/BatonKernel/SourceLanes/SteadyBytes.swift Sources/Features/Servers/ServerConnectors/ChadMusic Tests/Contract/chadmusic.py.
# deploy/test: waits, mostly for a server to send as slowly as it does.
"""Servers that die, stall and come back while their music is heard, and while it is looked for.

Two Chad Music servers of ours (Tests/Contract/chadmusic.py) and the hub's own folder. Each place has the same tone at a loudness of
its own, so what comes out of the hub's pipe says which place was heard, and whether the tone was torn.
"""

import json

from chadmusic import Library, Running
from Support.fixtures import lavfi, metadata
from Support.hubs import HubCase, main, wait
from Support.recording import RATE, Tape, level, torn
from Support.remote import Remote

HERTZ = 441.3
LOUD, SOFT = 0.5, 0.25


def tone(path, amplitude, seconds, *words):
    return lavfi(path, f"aevalsrc=exprs='{amplitude}*sin(2*PI*{HERTZ}*t)':s={RATE}:d={seconds}", *words)


class Watcher(Remote):
    """Keeps every state of the music that it was told."""

    def keep(self, state):
        super().keep(state)
        self.states = [*getattr(self, "states", []), self.sections["tl"]["st"]]


class Outages(HubCase):
    """One hub and its places: the folder, `loft` and `shed`."""

    # Where each track is besides the loft, and how many seconds long it is.
    TRACKS = {"Near": ("home", 5), "Far": ("shed", 5), "Back": (None, 5), "Slow": ("home", 9)}

    @classmethod
    def prepare(cls):
        cls.tape = Tape(cls.home)
        cls.flags = (*cls.flags, *cls.tape.flags)
        albums = {"loft": [], "shed": []}

        def album(place, title, suffix, amplitude, seconds):
            # The server has no search of tracks: they are found in albums whose titles match.
            file = tone(f"{cls.home.folder}/{place}/{title}{suffix}", amplitude, seconds)
            track = {"id": f"t-{title.lower()}", "no": 1, "title": title, "duration": seconds, "file": file}
            albums[place].append({"id": title.lower(), "title": title, "artist": "Weir", "tracks": [track]})
        for title, (other, seconds) in cls.TRACKS.items():
            album("loft", title, ".wav", LOUD, seconds)
            if other == "shed":
                album("shed", title, ".flac", SOFT, seconds)
            elif other:
                tone(f"{cls.home.music}/{title}.flac", SOFT, seconds, *metadata(title=title, artist="Weir", album=title, track=1, disc=1))
        cls.loft, cls.shed = (Running(Library(albums[place])) for place in ("loft", "shed"))
        for server in (cls.loft, cls.shed):
            server.start()
            cls.addClassCleanup(server.stop)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, server in (("loft", cls.loft), ("shed", cls.shed)):
            key = cls.home.secret(f"{name}.key", server.key)
            cls.home.baton("source", "add", name, "chadmusic", server.url, "--api-key-file", key)
            cls.home.baton("source", "sync", name)
        cls.tape.prepare()

    def setUp(self):
        self.revive()
        self.loft.state.behaviour.rate = self.loft.state.behaviour.hold = "0"

    def revive(self):
        if not self.loft.servers:
            self.loft.start(self.loft.state.ports["port"])
        # The hub asks by itself only after a pause.
        self.home.baton("source", "test", "loft")

    def found(self, title):
        """The row of a track once it has all its places."""
        count = 1 if self.TRACKS[title][0] is None else 2

        def whole():
            rows = json.loads(self.home.baton("search", title, "--json"))["rows"]
            rows = [row for row in rows if row["title"] == title and "loft:" in json.dumps(row)]
            return [row for row in rows if len(row.get("places", [row["uri"]])) == count]
        return wait(f"{title} at {count} places", whole)[0]

    def place(self, title, source):
        row = self.found(title)
        return next(uri for uri in row.get("places", [row["uri"]]) if uri.startswith(f"{source}:"))

    # ---- What is heard

    def goes_on(self, title, loudness, outage, rate=130_000, hold=None, **how):
        """A track whose server has an outage near its beginning is one tone to its last sample. `rate` is half as fast again as is heard,
        so that a part is held when the server dies. It sends no more than `hold` bytes, by default half of them, so that a part is missing
        then, however late that is."""
        uri, seconds = self.place(title, "loft"), self.TRACKS[title][1]
        self.loft.state.behaviour.rate, self.loft.state.behaviour.hold = str(rate), str(seconds * RATE if hold is None else hold)
        sound = self.tape.play(uri, meanwhile=outage, **how)
        self.assertEqual(len(sound), seconds * RATE)
        self.assertIsNone(torn(sound, HERTZ, seconds))
        levels = [level(sound[:RATE]), level(sound[-RATE:])]
        self.assertLess(max(abs(one - other) for one, other in zip(levels, (LOUD, loudness))), 0.01, levels)

    def test_local(self):
        """A server dies in the middle of a track that is in the folder too: that goes on without silence."""
        self.goes_on("Near", SOFT, self.loft.stop)

    def test_server(self):
        """The same where the other place is another server."""
        self.goes_on("Far", SOFT, self.loft.stop)

    def test_back(self):
        """A server that is back at once goes on where it stopped."""
        def restart():
            self.loft.stop()
            self.loft.state.behaviour.hold = "0"
            self.loft.start(self.loft.state.ports["port"])
        self.goes_on("Back", LOUD, restart)

    def test_stall(self):
        """A server that stops sending and closes nothing is left before its sound has run out."""
        with Watcher(self.hub.port, "watcher", rooms=[self.tape.status()["room"]]) as watcher:
            # Two thirds are sent at once, and the rest never.
            self.goes_on("Slow", SOFT, None, rate=0, hold=6 * RATE * 2, in_time=True)
            # What was told before comes before the answer.
            watcher.ask("queue.get", {"from": 0, "n": 1})
            states = watcher.states[watcher.states.index("playing"):]
        self.assertEqual(set(states), {"playing", "stopped"})

    # ---- What is found

    def test_away(self):
        """A server that is down is still searched and browsed, its rows are marked, and the queue passes over them by name."""
        self.home.baton("source", "sync", "loft")
        wait("all rows of the server are known", lambda: "reading" not in self.home.baton("source"))
        back, near = self.place("Back", "loft"), self.found("Near")["uri"]
        album = "loft:album/back"

        def rows(*words):
            return json.loads(self.home.baton(*words, "--json"))["rows"]
        titles = wait("the album", lambda: [row["title"] for row in rows("browse", album)])
        self.loft.stop()
        away = wait("a row that is away", lambda: [row for row in rows("search", "Back") if row["uri"] == back and row.get("away")])
        self.assertEqual(away[0]["title"], "Back")
        shown = wait("the album is away", lambda: [row for row in rows("browse", album) if row.get("away")])
        self.assertEqual([row["title"] for row in shown], titles)
        self.home.baton("queue", "clear")
        self.home.baton("queue", "add", back, near)
        self.home.baton("play")
        status = self.home.reaches("what can be played", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Near")
        self.assertIn("“Back” was passed over", json.dumps(status, ensure_ascii=False))
        self.home.baton("stop")
        self.home.baton("queue", "clear")
        self.home.baton("play", back, near)
        self.home.reaches("the second of both", lambda status: status["tl"]["st"] == "playing" and status["now"]["title"] == "Near")
        self.home.baton("stop")


if __name__ == "__main__":
    main("ffmpeg")
