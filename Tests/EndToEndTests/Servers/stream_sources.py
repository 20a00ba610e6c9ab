# deploy/test: tier 2, judges Sources/Features/Listening/BatonListening Sources/Kernel/BatonKernel/SourceLanes/SteadyBytes.swift Sources/Features/Radio/BatonRadio/Stations.
"""A room without a speaker as an endless stream, of what is no file of the hub: a station of a real icecast2, and music of a server."""


from chadmusic import Library, Running
from Music.radio import Icecast
from Support.fixtures import lavfi
from Support.hubs import main, wait
from Support.roomstream import Radio, StreamCase

HERTZ = {"one": 300, "two": 600, "three": 900}


class Stations(StreamCase):
    @classmethod
    def prepare(cls):
        cls.icecast = Icecast.with_stations(cls)

    def hears(self, url, hertz):
        wait(f"{hertz} Hz", lambda: abs(self.pitch(url, 1) - hertz) < 20)

    def test_station(self):
        """A station is heard as it comes, with its titles; after a pause what comes then; and another station takes its place."""
        link = self.link()
        self.home.baton("play", self.icecast.url("harbour.mp3"))
        self.icecast.title("harbour.mp3", "Weir - Tide")
        radio = Radio(link["mp3"], titles=True)
        self.addCleanup(radio.close)
        wait("its title", lambda: radio.title() == "Weir - Tide")
        self.hears(link["mp3"], 440)
        self.hears(link["opus"], 440)
        self.home.baton("pause")
        wait("silence", lambda: self.pitch(link["mp3"], 1) < 50)
        self.home.baton("play")
        self.hears(link["mp3"], 440)
        self.home.baton("play", self.icecast.url("nord.ogg"))
        self.hears(link["mp3"], 550)

    def test_smooth(self):
        """Once a station is heard, no silence comes into it."""
        link = self.link()
        self.home.baton("play", self.icecast.url("harbour.mp3"))
        self.hears(link["mp3"], 440)
        self.assertAlmostEqual(self.pitch(link["mp3"], 6), 440, delta=3)


class Server(StreamCase):
    @classmethod
    def prepare(cls):
        files = {name: lavfi(f"{cls.home.folder}/{name}.wav", f"sine=frequency={hertz}:duration=40") for name, hertz in HERTZ.items()}
        tracks = [{"id": name, "no": at, "title": name, "duration": 40, "file": file} for at, (name, file) in enumerate(files.items(), 1)]
        cls.server = Running(Library([{"id": "album", "title": "Album", "artist": "Weir", "tracks": tracks}]))
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)

    def fetched(self):
        """Titles, in the order in which they were asked for."""
        return [seen["path"].removesuffix(".wav").split("%20")[-1] for seen in self.server.state.seen if seen["path"].endswith(".wav")]

    def test_server(self):
        """What plays is copied before what comes next, since nothing is encoded before its copy is whole; then the next is heard."""
        key = self.home.secret("loft.key", self.server.key)
        self.home.baton("source", "add", "loft", "chadmusic", self.server.url, "--api-key-file", key)
        self.home.baton("source", "sync", "loft")
        link = self.link()
        # A track comes in about three seconds, so that nothing is copied before the radio listens.
        self.server.state.behaviour.rate = "1200000"
        radio = Radio(link["mp3"])
        self.addCleanup(radio.close)
        self.home.baton("play", "--kind", "album", "Album")
        wait("the first is heard", lambda: abs(self.pitch(link["mp3"], 1) - HERTZ["one"]) < 20)
        self.server.state.behaviour.rate = "0"
        wait("all are copied", lambda: "three" in self.fetched())
        # The third is fetched for its copy alone.
        self.assertNotIn("one", self.fetched()[self.fetched().index("three"):], self.fetched())
        self.home.baton("next")
        wait("the second is heard", lambda: abs(self.pitch(link["mp3"], 1) - HERTZ["two"]) < 20)


if __name__ == "__main__":
    main("/usr/bin/ffmpeg", "/usr/bin/icecast2")
