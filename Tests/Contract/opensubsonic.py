#!/usr/bin/python3
"""An OpenSubsonic server written from the protocol's documentation and from what Navidrome answers; it is not Navidrome.

It stands in for what no server that runs here can show: tokens and API keys, extensions, `timeOffset`, timed lyrics, saved queues,
similar songs, podcasts, and faults. Its library is small and fixed, its songs are WAV tones, and all state is in memory.

    opensubsonic.py [--base /music] [--accepts token,plain,apiKey] [--without extension-or-method ...]

Once it listens, one line of JSON says its port. `GET /control/requests` lists what was asked, `POST /control` takes
{"fault": {"method": ..., "kind": ..., "times": ...}} or changes the settings. It runs until it gets SIGTERM.

Suites import it: `with OpenSubsonic(accepts=["token"]) as server: server.url`.
"""

import argparse
import hashlib
import http.server
import json
import sys
import threading
import time
import urllib.parse
from email.utils import formatdate

from opensubsonic_methods import EXTENSIONS, KEY, PASSWORD, PLAIN, USER, Failed, Library, Methods, tone, transcoded

SOUNDS = {"stream", "download", "getCoverArt"}
# A PNG of one pixel, and not a square one, so that a test knows it again.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Stand-in"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        self.take(url, urllib.parse.parse_qs(url.query, keep_blank_values=True))

    do_HEAD = do_GET

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/control":
            self.server.control(json.loads(body))
            self.send_json({})
            return
        ask = urllib.parse.parse_qs(body.decode(), keep_blank_values=True)
        self.take(url, {**urllib.parse.parse_qs(url.query), **ask})

    def take(self, url, ask):
        server = self.server
        if url.path == "/control/requests":
            self.send_json(server.requests)
            return
        if url.path == "/radio":
            self.send(200, "audio/wav", tone(700, 1))
            return
        prefix = f"{server.settings['base']}/rest/"
        method = url.path.removeprefix(prefix).removesuffix(".view")
        if not url.path.startswith(prefix):
            self.send(404, "text/plain", b"404 page not found")
            return
        server.note(method, self, ask, url.query)
        fault = server.fault(method)
        if fault:
            self.fail(fault)
            return
        try:
            self.answer(method, ask)
        except Failed as failed:
            self.refuse(failed.code, str(failed))
        except BrokenPipeError:
            self.close_connection = True

    def date_time_string(self, timestamp=None):
        return formatdate(time.time() + self.server.settings["ahead"], usegmt=True)

    def answer(self, method, ask):
        server = self.server
        if method in PLAIN:
            self.send(PLAIN[method], "text/plain", b"This endpoint is not implemented, but may be in future releases")
            return
        if method in server.settings["without"] or not (hasattr(server.methods, method) or method in SOUNDS | {"getOpenSubsonicExtensions"}):
            self.send(404, "text/plain", b"404 page not found")
            return
        if method == "getOpenSubsonicExtensions":
            known = [{"name": name, "versions": versions} for name, versions in EXTENSIONS.items() if name not in server.settings["without"]]
            self.envelope({"openSubsonicExtensions": known})
            return
        self.log_in(ask)
        if method in SOUNDS:
            self.sound(method, ask)
        else:
            self.envelope(getattr(server.methods, method)(ask))

    def log_in(self, ask):
        accepts = self.server.settings["accepts"]
        if "apiKey" in ask:
            if "u" in ask:
                raise Failed(43, "Multiple conflicting authentication mechanisms provided")
            if "apiKey" not in accepts:
                raise Failed(42, "Provided authentication mechanism not supported")
            if ask["apiKey"] != [KEY]:
                raise Failed(44, f"Invalid API key {ask['apiKey'][0]}")
            return
        if not {"u", "v", "c"} <= ask.keys():
            raise Failed(10, "Required parameter is missing")
        right = ask["u"] == [USER]
        if "t" in ask:
            if "token" not in accepts:
                raise Failed(self.server.settings["refusal"], "Token authentication not supported for LDAP users")
            salt = ask.get("s", [""])[0]
            # Each salt is used once.
            right = right and ask["t"] == [hashlib.md5((PASSWORD + salt).encode()).hexdigest()] and len(salt) >= 6
            right = right and not (salt in self.server.salts or self.server.salts.add(salt))
        else:
            if "plain" not in accepts:
                raise Failed(42, "Provided authentication mechanism not supported")
            word = ask.get("p", [""])[0]
            right = right and (bytes.fromhex(word[4:]).decode() if word.startswith("enc:") else word) == PASSWORD
        if not right:
            # A careless server repeats what it was sent.
            raise Failed(40, f"Wrong username or password: {PASSWORD}")

    def sound(self, method, ask):
        library = self.server.library
        id = ask.get("id", [""])[0]
        if method == "getCoverArt":
            if id not in library.albums:
                raise Failed(70, "Artwork not found")
            self.send(200, "image/png", PICTURE)
            return
        if id not in library.songs:
            raise Failed(70, "The requested data was not found")
        pitch, seconds = library.sounds[id]
        if method == "stream":
            library.streams[id] = library.streams.get(id, 0) + 1
        form = ask.get("format", ["raw"])[0]
        if method == "download" or form == "raw":
            self.send_ranged("audio/wav", tone(pitch, seconds))
            return
        offset = int(ask.get("timeOffset", ["0"])[0])
        if offset and "transcodeOffset" in self.server.settings["without"]:
            raise Failed(0, "Unsupported parameter 'timeOffset'")
        # As it is made, so nothing says how long it will be.
        self.send_response(200)
        self.send_header("Content-Type", "audio/mpeg")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(transcoded(int(ask["maxBitRate"][0]), seconds, offset))

    def send_ranged(self, kind, body):
        asked = self.headers.get("Range")
        if not asked or "ranges" in self.server.settings["without"]:
            self.send(200, kind, body)
            return
        first, _, last = asked.removeprefix("bytes=").partition("-")
        start, end = int(first), int(last) if last else len(body) - 1
        if start >= len(body):
            self.send(416, "text/plain", b"", [("Content-Range", f"bytes */{len(body)}")])
            return
        part = body[start : end + 1]
        self.send(206, kind, part, [("Content-Range", f"bytes {start}-{start + len(part) - 1}/{len(body)}")])

    def fail(self, kind):
        if kind == "huge":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(1 << 30))
            self.end_headers()
            self.close_connection = True
            try:
                for _ in range(1 << 14):
                    self.wfile.write(b" " * (1 << 16))
            except OSError:
                pass
        elif kind == "short":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b'{"subsonic-response":{"status":"ok"')
            self.close_connection = True
        elif kind == "loop":
            self.send(302, "text/plain", b"", [("Location", self.path)])
        elif kind == "elsewhere":
            self.send(302, "text/plain", b"", [("Location", f"http://127.0.0.2:{self.server.server_port}{self.path}")])
        elif kind == "page":
            self.send(200, "text/html", b"<html>Welcome</html>")
        elif kind == "xml":
            self.send(200, "text/xml", b'<subsonic-response status="ok" version="1.16.1"/>')
        elif kind == "busy":
            self.send(429, "text/plain", b"Too many requests", [("Retry-After", "1")])
        elif kind == "down":
            self.send(503, "text/plain", b"Down")
        elif kind == "text":
            self.refuse(0, "Media file not found")
        elif kind == "drop":
            # Done, and the answer is lost.
            self.close_connection = True
        else:
            raise AssertionError(f"There is no fault called {kind}.")

    def refuse(self, code, message):
        self.send_json({"subsonic-response": {**self.head, "status": "failed", "error": {"code": code, "message": message}}})

    def envelope(self, content):
        self.send_json({"subsonic-response": {**self.head, "status": "ok", **content}})

    @property
    def head(self):
        return {"version": "1.16.1", "type": "stand-in", "serverVersion": "1", "openSubsonic": True}

    def send_json(self, content):
        self.send(200, "application/json", json.dumps(content).encode())

    def send(self, status, kind, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class OpenSubsonic(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, accepts=("token", "plain", "apiKey"), base="", without=(), refusal=41, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.settings = {"accepts": list(accepts), "base": base, "without": list(without), "refusal": refusal, "ahead": 0}
        self.library = Library()
        self.methods = Methods(self.library, self.settings)
        self.requests, self.salts, self.faults = [], set(), {}
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_port}{base}"

    def handle_error(self, *_):
        pass

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def note(self, method, request, ask, query):
        with self.lock:
            self.requests.append(
                {
                    "method": method, "verb": request.command, "ask": {name: list(values) for name, values in ask.items()}, "query": query,
                    "range": request.headers.get("Range"), "atMs": int(time.time() * 1000),
                }
            )

    def fault(self, method):
        """The fault of this request; a method that is done although its answer is lost is done here. `*` is each method but those of sounds."""
        with self.lock:
            name = method if method in self.faults or method in SOUNDS else "*"
            kind, times = self.faults.get(name, (None, 0))
            if not times:
                return None
            self.faults[name] = (kind, times - 1)
        if kind == "drop" and hasattr(self.methods, method):
            getattr(self.methods, method)(self.requests[-1]["ask"])
        return kind

    def control(self, order):
        if "fault" in order:
            fault = order.pop("fault")
            self.faults[fault["method"]] = (fault["kind"], fault.get("times", 1))
        for id, change in order.pop("songs", {}).items():
            self.library.songs[id].update(change)
        for id, row in order.pop("lists", {}).items():
            self.library.lists[id] = {"name": id, "comment": "", "public": False, "songs": [], **row}
        self.settings.update(order)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--base", default="")
    options.add_argument("--accepts", default="token,plain,apiKey")
    options.add_argument("--refusal", type=int, default=41)
    options.add_argument("--without", nargs="*", default=[])
    words = options.parse_args()
    with OpenSubsonic(words.accepts.split(","), words.base, words.without, words.refusal) as server:
        print(json.dumps({"port": server.server_port}), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
