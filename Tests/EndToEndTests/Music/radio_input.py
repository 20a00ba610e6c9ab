# deploy/test: tier 2, judges Sources/Features/Radio/BatonRadio/Stations Sources/Platform/Stores/StreamRing.
"""Stations and pictures that a server sends in bad faith, or changes in the middle: a sentence at most, and everything else goes on."""

import http.server
import json
import os
import threading
import time
import urllib.error
import urllib.request

from Support.fixtures import make
from Support.hubs import HubCase, binaries, main, wait

GIGABYTE = 1 << 30
# What a pipe, a socket and one answer may hold besides the 4 MiB that are read of a picture.
MOST_SENT = 32 << 20
HOSTILE = b"""<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script><text>&a;</text></svg>"""


class Server(http.server.ThreadingHTTPServer):
    """Pictures, and stations that send the files they are told to, one after the other and as fast as they are heard."""

    daemon_threads = True

    def __init__(self, pictures, stations):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pictures, self.stations = pictures, stations
        self.sent, self.asked = {}, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, piece):
        self.wfile.write(piece)
        self.server.sent[self.path] = self.server.sent.get(self.path, 0) + len(piece)

    def do_GET(self):
        self.server.asked.append(self.path)
        name = self.path.strip("/")
        try:
            if name in self.server.stations:
                self.station(*self.server.stations[name])
            elif name == "endless.png":
                self.endless()
            elif name in self.server.pictures:
                kind, content = self.server.pictures[name]
                self.answer(kind, len(content))
                self.send(content)
            else:
                self.send_error(404)
        except OSError:
            pass  # The hub has left.

    def answer(self, kind, length=None):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def endless(self):
        self.answer("image/png", GIGABYTE)
        self.send(b"\x89PNG\r\n\x1a\n")
        for _ in range(GIGABYTE >> 16):
            self.send(bytes(1 << 16))

    def station(self, kind, *files):
        self.answer(kind)
        for content in files:
            for start in range(0, len(content), 4_000):
                self.send(content[start:start + 4_000])
                time.sleep(0.02)
        while True:
            self.send(files[-1])
            time.sleep(1)


class Input(HubCase):
    """One hub and one server for all tests."""

    flags = ("--audio", "null", "--allow-host", "127.0.0.1")

    @classmethod
    def prepare(cls):
        folder = f"{cls.home.folder}/made"

        def sound(name, hertz, rate, channels, *words):
            path = make(f"{folder}/{name}", "-f", "lavfi", "-i", f"sine=f={hertz}:r={rate}:d=4", "-ac", str(channels), *words)
            with open(path, "rb") as file:
                return file.read()

        mp3 = sound("first.mp3", 440, 44_100, 2, "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0")
        slow = sound("second.mp3", 550, 22_050, 1, "-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0")
        aac = sound("third.aac", 660, 48_000, 2, "-c:a", "aac", "-f", "adts")
        ogg = [sound(f"{codec}.ogg", 440, 48_000, 2, "-c:a", codec) for codec in ("libvorbis", "libopus", "flac")]
        with open(make(f"{folder}/logo.png", "-f", "lavfi", "-i", "testsrc=s=200x100", "-frames:v", "1"), "rb") as file:
            logo = file.read()
        cls.server = Server(
            {"logo.png": ("image/png", logo), "cut.png": ("image/png", logo[:200]), "hostile.svg": ("image/svg+xml", HOSTILE),
             "page.png": ("text/html", b"<!doctype html><script>alert(1)</script>"), "empty.png": ("image/png", b"")},
            {"rate": ("audio/mpeg", mp3, slow, mp3), "codec": ("audio/mpeg", mp3, aac, mp3), "chain": ("application/ogg", *ogg),
             "noise": ("audio/mpeg", mp3, os.urandom(200_000), mp3), "good": ("audio/mpeg", mp3 * 20)})
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)

    def add(self, stations):
        path = f"{self.home.folder}/stations.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"name": name, "url": self.server.url(url), "favicon": self.server.url(picture)} for name, url, picture in stations], file)
        self.home.baton("radio", "import", path)
        return {row["title"]: row for row in json.loads(self.home.baton("radio", "--json"))["stations"]}

    def picture(self, row):
        """The code and the bytes of a station's picture."""
        try:
            with urllib.request.urlopen(f"{self.hub.page}/art/{row['art']}?w=64&h=64", timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read()

    def test_pictures(self):
        """A station's picture is made small; what is none, is hostile or has no end is refused, and not read to its end."""
        names = ["logo.png", "cut.png", "hostile.svg", "page.png", "empty.png", "none.png", "endless.png"]
        rows = self.add([(name, f"stream/{name}", name) for name in names])
        answers = {name: self.picture(rows[name]) for name in names}
        code, body = answers.pop("logo.png")
        self.assertEqual((code, body[:2]), (200, b"\xff\xd8"))
        for name, (code, body) in answers.items():
            self.assertIn(code, (404, 502, 503, 504), name)
            self.assertNotIn(b"root:", body)
        # A busy machine may give the first request up before its server was asked.
        wait("the endless picture", lambda: "/endless.png" in self.server.asked or not self.picture(rows["endless.png"]))
        self.assertLess(self.server.sent.get("/endless.png", 0), MOST_SENT)
        self.assertEqual(self.picture(rows["logo.png"])[0], 200)

    def test_changes(self):
        """A stream that changes its rate, its codec, or turns into noise in its middle ends neither the hub nor the next station."""
        rows = self.add([(name, name, "none.png") for name in ("rate", "codec", "chain", "noise", "good")])
        for name in ("rate", "codec", "chain", "noise"):
            self.home.baton("radio", "play", rows[name]["uri"])
            self.home.reaches(name, lambda said: said["tl"]["st"] == "playing")
            whole = sum(len(content) for content in self.server.stations[name][1:])
            wait(f"all of {name}", lambda name=name, whole=whole: self.server.sent[f"/{name}"] >= whole)
        self.home.baton("radio", "play", rows["good"]["uri"])
        self.home.reaches("the next station", lambda said: said["tl"]["st"] == "playing" and said["now"]["title"] == "good")
        ended = self.home.run(f"{binaries()}/baton", "doctor")
        self.assertNotIn("crash", ended.stdout.lower())


if __name__ == "__main__":
    main("/usr/bin/ffmpeg")
