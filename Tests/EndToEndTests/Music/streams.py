# deploy/test: tier 2, judges Sources/Features/Library/BatonLibrary/WebAddresses Sources/Platform/HTTPClient Sources/Platform/Player Sources/Dialects/Companion/HTTP.
"""Tracks of other servers, read by the hub: for its player and, by /media, for those who hear them elsewhere.

The servers are threads of this program on loopback: one without ranges, one that sends slowly or breaks off, one that redirects.
The hub is asked over its unix socket; what its player hears is what it writes into a file."""

import array
import http.server
import json
import os
import sys
import threading
import time

from Support.fixtures import lavfi
from Support.hubs import main, wait
from Support.rawpeer import reach
from Support.steered import Steered

STREAMS = 16


class Server(http.server.ThreadingHTTPServer):
    """Files of a folder. The first part of a path says how: plain (no ranges), ranges, slow, to (a redirect)."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.asked = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server_port}/{path}"

    def handle_error(self, request, client_address):
        """A client that leaves in the middle is no error."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append((self.path, dict(self.headers)))
        how, _, name = self.path.lstrip("/").partition("/")
        if how == "to":
            self.send_response(302)
            self.send_header("Location", name.replace("http:/", "http://").replace(":///", "://"))
            self.send_header("Content-Length", "0")
            return self.end_headers()
        path = f"{self.server.folder}/{name}"
        if not os.path.exists(path):
            return self.send_error(404)
        size = os.path.getsize(path)
        start = 0
        if how == "ranges" and self.headers.get("Range"):
            start = int(self.headers["Range"].removeprefix("bytes=").split("-")[0])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(size - start))
        self.end_headers()
        with open(path, "rb") as file:
            file.seek(start)
            while piece := file.read(65_536):
                self.wfile.write(piece)
                if how == "slow":
                    time.sleep(0.02)

    def log_message(self, *_):
        pass


class Streams(Steered):
    """A home with a hub, and a server with a tone in it."""

    def setUp(self):
        super().setUp()
        self.folder = f"{self.home.folder}/served"
        os.mkdir(self.folder)
        self.server = Server(self.folder)
        self.addCleanup(self.server.shutdown)

    def tone(self, name, *how, seconds=4.0):
        return lavfi(f"{self.folder}/{name}", f"sine=f=440:r=44100:d={seconds}", *how)

    def media(self, url):
        return self.ask("lib.item", {"uri": url, "media": True})["d"]["media"]["url"]

    def memory_mib(self):
        with open(f"/proc/{self.hub.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("RssAnon"))


class ByHand(Streams):
    def test_ranges(self):
        """A browser gets any part of a track, whether its server has ranges or not, and sees neither server nor address."""
        self.begin("--audio", "null")
        with open(self.tone("one.wav"), "rb") as file:
            stored = file.read()
        for how in ("plain", "ranges"):
            url = self.media(self.server.url(f"{how}/one.wav"))
            self.assertNotIn(str(self.server.server_port), url)
            status, headers, body = self.http(url)
            self.assertEqual((status, body == stored, headers["accept-ranges"]), (200, True, "bytes"), how)
            for asked, expected in (("bytes=0-9", stored[:10]), ("bytes=-7", stored[-7:]), ("bytes=300000-300009", stored[300_000:300_010])):
                status, _, body = self.http(url, headers={"Range": asked})
                self.assertEqual((status, body), (206, expected), (how, asked))

    def test_many(self):
        """Sixteen tracks on their way at once cost little memory, and commands are answered meanwhile."""
        self.begin("--audio", "null")
        path = self.tone("large.wav", seconds=1)
        os.truncate(path, 40 << 20)
        url = self.media(self.server.url("ranges/large.wav"))
        self.http(url, headers={"Range": "bytes=0-9"})
        before = self.memory_mib()
        links = []
        for _ in range(STREAMS):
            link = reach(self.home.socket)
            self.addCleanup(link.close)
            link.settimeout(60)
            link.sendall(f"GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            links.append(link)
        for turn in range(20):
            for link in links:
                self.assertTrue(link.recv(65_536))
            self.ask("vol.set", {"level": 20 + turn})
        grown = self.memory_mib() - before
        print(f"    {STREAMS} streams: {grown:.1f} MiB more", file=sys.stderr)
        self.assertLess(grown, STREAMS + 8)


class Heard(Streams):
    def test_seek_without_ranges(self):
        """A track of a server without ranges is moved in, and heard to its end."""
        self.begin("--audio", "null")
        self.tone("one.flac", seconds=60)
        self.ask("play", {"uri": self.server.url("plain/one.flac")})
        self.home.reaches("it plays", lambda now: now["tl"]["st"] == "playing")
        self.ask("seek", {"posMs": 58_000})
        self.home.reaches("its end", lambda now: now["tl"]["st"] == "stopped")

    def test_gapless(self):
        """A file, a track of a server with ranges and one without follow each other to the sample."""
        out = f"{self.home.folder}/out.raw"
        whole = self.tone("whole.flac", seconds=3)
        for index, place in enumerate((self.home.music, self.folder, self.folder)):
            made = f"{place}/{index}.flac"
            ended = self.home.run("/usr/bin/sox", whole, made, "trim", f"{index * 44_100}s", "44100s")
            self.assertEqual(ended.returncode, 0, ended.stderr)
        self.begin("--audio", f"pcm:{out}", "--start-level", "100", "--start-max", "100")
        self.ask("queue.add", {"uris": [f"{self.home.music}/0.flac", self.server.url("ranges/1.flac"), self.server.url("plain/2.flac")]})
        self.ask("play")
        wait("three seconds of sound", lambda: os.path.exists(out) and os.path.getsize(out) >= 3 * 44_100 * 2)
        self.home.reaches("the end", lambda now: now["tl"]["st"] == "stopped")
        raw = f"{self.home.folder}/whole.raw"
        self.assertEqual(self.home.run("/usr/bin/sox", whole, "-t", "raw", raw).returncode, 0)
        with open(out, "rb") as heard, open(raw, "rb") as good:
            self.assertEqual(array.array("h", heard.read()), array.array("h", good.read()))


class Addresses(Streams):
    def test_redirect(self):
        """A redirect to this machine is not followed, until the owner allows the host."""
        other = Server(self.folder)
        self.addCleanup(other.shutdown)
        self.tone("one.wav")
        url = self.server.url("to/" + other.url("ranges/one.wav"))
        self.begin("--audio", "null")
        self.ask("play", {"uri": url})
        self.home.reaches("the reason", lambda now: "may not be called from here" in json.dumps(now))
        self.assertEqual(other.asked, [])
        self.assertEqual(self.hub.stop(), 0)
        self.begin("--audio", "null", "--allow-host", f"127.0.0.1:{other.server_port}")
        self.ask("play", {"uri": url})
        self.home.reaches("it plays", lambda now: now["tl"]["st"] == "playing")
        self.assertTrue(other.asked)


if __name__ == "__main__":
    main("ffmpeg", "sox")
