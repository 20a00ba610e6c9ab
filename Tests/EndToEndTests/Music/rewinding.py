# deploy/test: tier 2, judges Sources/Features/Radio/BatonRadio/Stations Sources/Platform/Stores/StreamRing.
"""Going back in the radio: the tone of a station climbs with time, so what is heard says when it was sent.

A real icecast2 and a real stream of HLS, fed by ffmpeg; a sound server whose sink plays into nothing, and a recorder of it."""

import functools
import http.server
import json
import os
import threading
import time

from Music.radio import Icecast
from Support.hubs import Hub, HubCase, binaries, main, wait
from Support.recording import RATE, is_silent, pitch, record
from Support.suite import slow

# Hertz at the beginning, and how many more each second.
FIRST, CLIMB = 300, 10
CHIRP = f"aevalsrc=exprs='0.5*sin(2*PI*({FIRST}*t+{CLIMB / 2}*t*t))':s=44100"
WINDOW = 0.4


class Pieces:
    """A live stream of HLS that ffmpeg writes and a thread serves."""

    def __init__(self, home):
        self.folder = f"{home.folder}/pieces"
        os.mkdir(self.folder)
        handler = functools.partial(Quiet, directory=self.folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.source = home.start(
            "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-f", "lavfi", "-i", CHIRP, "-c:a", "aac", "-b:a", "96k", "-f", "hls",
            "-hls_time", "1", "-hls_list_size", "5", "-hls_flags", "delete_segments", f"{self.folder}/live.m3u8")
        self.url = f"http://127.0.0.1:{self.server.server_port}/live.m3u8"

    def close(self):
        self.source.kill()
        self.source.wait()
        self.server.shutdown()
        self.server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Rewinding(HubCase):
    """One hub, and stations that climb, for all tests."""

    flags = ("--audio", "pulse/room")

    @classmethod
    def prepare(cls):
        record(cls)
        cls.icecast = Icecast(cls.home)
        cls.addClassCleanup(cls.icecast.close)
        cls.icecast.feed("climb.mp3", source=CHIRP)
        cls.pieces = Pieces(cls.home)
        cls.addClassCleanup(cls.pieces.close)

    def setUp(self):
        self.home.baton("radio", "add", "Climber", self.icecast.url("climb.mp3"))
        self.home.baton("radio", "add", "Pieces", self.pieces.url)
        self.home.baton("volume", "100")

    def tearDown(self):
        self.home.baton("stop")

    def sent(self):
        """When what is heard now was sent, in seconds of the station, less when it is heard, in seconds of the recorder."""
        def tone():
            start = self.recorder.now
            sound = self.recorder.heard(start, int(WINDOW * RATE))
            return None if is_silent(sound) else (pitch(sound) - FIRST) / CLIMB - start / RATE
        return wait("a tone", tone)

    def line(self):
        return self.home.status()["tl"]

    def buffer(self, seconds):
        """Waits until so much of the station is kept."""
        def kept():
            answer = json.loads(self.home.baton("radio", "titles", "--json"))
            return answer.get("to", 0) - answer.get("from", 0) > seconds * 1000
        wait(f"{seconds} s that are kept", kept, seconds + 15)

    def titles(self, *station):
        return json.loads(self.home.baton("radio", "titles", *station, "--json"))["titles"]

    def say(self, mount, title):
        self.icecast.title(mount, title)
        self.home.reaches(title, lambda said: said.get("now", {}).get("streamTitle") == title)

    def moves(self, *words, by, within=2.5, soon=lambda: None):
        """What a command does to the moment that is heard. `soon` looks at what is over before the sound has been examined."""
        before = self.sent()
        self.home.baton(*words)
        soon()
        wait(f"{words} heard", lambda: abs(self.sent() - before - by) < within)

    def test_a_back(self):
        """BT-RAD-020 BT-RAD-023. What is heard after going back was sent so long before, with its title; live is what is sent now."""
        self.home.baton("radio", "play", "Climber")
        self.say("climb.mp3", "Anna - Eins")
        self.assertNotIn("behindMs", self.line())
        wait("some past", lambda: self.line().get("pastMs", 0) > 0)
        begun = self.sent()
        self.buffer(14)
        said = time.monotonic()
        self.say("climb.mp3", "Bert - Zwei")
        # Further back than this title began, also on a machine that is busy.
        seconds = 10 + round(time.monotonic() - said)
        self.moves("radio", "back", f"{seconds}s", by=-seconds, soon=lambda: self.home.reaches(
            "the title of then", lambda said: said["now"].get("streamTitle") == "Anna - Eins"))
        behind = self.line()["behindMs"]
        self.assertGreaterEqual(behind, 10_000)
        self.assertIn("behind live", self.home.baton("status"))
        self.moves("seek", "+4", by=4)
        self.assertAlmostEqual(self.line()["behindMs"], behind - 4000, delta=2500)
        # Live begins with a few seconds that were received before, so that it is heard at once.
        self.moves("radio", "live", by=seconds - 5, within=4)
        self.assertNotIn("behindMs", self.line())
        self.assertAlmostEqual(self.sent(), begun, delta=4)

    def test_b_pause_and_kill(self):
        """BT-RAD-022 BT-RAD-024. A pause keeps its place, and so does a hub that is killed: its titles have the same numbers."""
        self.home.baton("radio", "play", "Climber")
        self.say("climb.mp3", "Carl - Drei")
        wait("its past", lambda: self.line().get("pastMs"))
        before = self.sent()
        self.home.baton("pause")
        paused = self.recorder.now
        self.assertIn("behindMs", self.line())
        self.recorder.heard(paused, 3 * RATE)
        lasted = (self.recorder.now - paused) / RATE
        self.home.baton("play")
        wait("the place of the pause", lambda: -lasted - 1.5 < self.sent() - before < 1.5 - lasted)
        numbers = {row["title"]: row["n"] for row in self.titles()}
        wait("what was just heard is kept", lambda: self.hub.section("tl")["st"] == "playing")

        kept = self.sent() + self.recorder.now / RATE
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.addClassCleanup(self.hub.kill)
        again = {row["title"]: row["n"] for row in self.titles("Climber")}
        self.assertEqual({title: again.get(title) for title in numbers}, numbers)
        line = self.line()
        self.assertEqual((line["st"], "behindMs" in line), ("paused", True))
        self.home.baton("play")
        heard = self.sent() + self.recorder.now / RATE
        # The place is written every five seconds.
        self.assertTrue(-7 < heard - kept < 4, heard - kept)

    def test_c_title(self):
        """A title is gone back to by its row, and heard from its beginning."""
        self.home.baton("radio", "play", "Climber")
        self.say("climb.mp3", "Dora - Vier")
        # A song of a few seconds, so that it is seen to play again.
        self.recorder.heard(self.recorder.now, 5 * RATE)
        self.say("climb.mp3", "Emil - Fünf")
        rows = self.home.baton("radio", "titles").splitlines()
        self.assertTrue("Emil - Fünf" in rows[0] and "on air" in rows[0] and "Dora - Vier" in rows[1], rows)
        self.home.baton("radio", "titles", "--play", "2")
        self.home.reaches("the title", lambda said: said["now"].get("streamTitle") == "Dora - Vier")
        refused = self.home.run(f"{binaries()}/baton", "radio", "titles", "--play", "99")
        self.assertIn("no number 99", refused.stderr)

    # Only slowly: pieces are joined before they reach what going back reads.
    @slow
    def test_d_pieces(self):
        """A station of HLS goes back, too."""
        self.home.baton("radio", "play", "Pieces")
        self.buffer(9)
        self.moves("radio", "back", "6s", by=-6)


if __name__ == "__main__":
    main("/usr/bin/icecast2", "/usr/bin/ffmpeg", "/usr/bin/pulseaudio", "/usr/bin/parec")
