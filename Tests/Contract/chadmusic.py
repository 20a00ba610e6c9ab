#!/usr/bin/python3
"""A Chad Music server for tests, written from what is publicly known of the real one, which could not be had.

Names of its fields are guesses, so `shape` chooses among several. As a program it serves a small made-up library on a free port
of 127.0.0.1, or the one in the JSON file that is named (`Library`), and prints `{"port": N, "other": M}`. It ends with the
process that started it. `other` is the same server under another name and asks for no key.

`/control?name=value` changes how it behaves (`Behaviour`), `/seen` tells which requests came.
"""
import argparse, hashlib, http.server, json, os, re, signal, socket, struct, sys, threading, time, urllib.parse

sys.dont_write_bytecode = True
from contractserver import ContractServer  # noqa: E402

CATEGORIES = ["artist", "year", "album", "publisher", "country", "genre", "type", "status"]
MESSAGES = {"error": "The parrot is no more.", "status": "error"}


class Behaviour:
    """How requests are answered; text, as `/control` gets it."""

    def __init__(self):
        self.key = "chad-key-1"
        self.base = ""
        self.shape = "plain"  # plain, aliases, words
        self.ranges = "1"
        self.length = "1"  # 0: files end with the connection
        self.pages = "1"  # 0: offset and limit are not known
        self.values = "1"  # 0: nor are questions for the albums of one value
        self.urls = "encoded"  # encoded, plain, absolute, elsewhere, query, based, upwards
        self.fault = ""  # what happens to the requests below
        self.delay = "0"  # seconds before the answers below
        self.at = "/"  # the beginning of the paths that have the fault or the delay
        self.rate = "0"  # bytes of a file in a second; 0: as fast as they are taken
        self.hold = "0"  # after so many bytes of a file nothing more is sent; 0: all is sent
        self.kinds = ".flac,.mp3,.ogg"  # how the names of uploads end
        self.most = "1000000"  # bytes of an upload
        self.room = ""  # bytes after which an upload finds the disk full
        self.pause = "0"  # seconds between pieces of an upload


class Library:
    """Albums with tracks: `{"albums": [{"id", "title", "artist", "year", "genre", "tracks": [{"id", "title", "duration", "file"}]}]}`.

    A track's `file` is a path on this machine; without one it has made-up bytes."""

    def __init__(self, albums):
        self.albums = albums
        self.files = {}
        for album in albums:
            album.setdefault("year", 2000)
            for number, track in enumerate(album["tracks"], 1):
                track.setdefault("no", number)
                suffix = os.path.splitext(track.get("file", "x.flac"))[1]
                path = "files/%s/%s/%02d %s%s" % (album["artist"], album["title"], track["no"], track["title"], suffix)
                track["path"] = path.lower()
                self.files[track["path"]] = track
            album["cover"] = "/covers/%s.png" % album["id"]

    @classmethod
    def small(cls, count=24):
        artists = ["Kestrel", "Ästrid & Co", "Low/Tide"]
        genres = ["Ambient", "Drone"]
        albums = []
        for n in range(count):
            tracks = [
                {"id": str((1 << 60) + n * 10 + i), "title": "Tone %d.%d" % (n, i), "duration": 200 + i, "size": 300_000 + n}
                for i in range(1, 4)
            ]
            albums.append({
                "id": "a-%d" % n, "title": "Harbour %d" % n, "artist": artists[n % 3], "year": 1990 + n % 10,
                "genre": genres[n % 2], "publisher": "Pier", "country": "NO", "type": "album", "status": "official", "tracks": tracks,
            })
        albums[0]["tracks"][0]["title"] = "100% Low Tide?"
        return cls(albums)

    @classmethod
    def read(cls, path):
        with open(path) as file:
            return cls(json.load(file)["albums"])

    def content(self, track):
        if "file" in track:
            with open(track["file"], "rb") as file:
                return file.read()
        seed = int(track["id"]) % 251
        return bytes((i * 7 + seed) % 251 for i in range(track["size"]))


class Server(ContractServer):
    def __init__(self, state, asks_for_key, port=0):
        self.asks_for_key = asks_for_key
        super().__init__(state, Handler, port)


class State:
    def __init__(self, library):
        self.library = library
        self.behaviour = Behaviour()
        self.seen = []
        self.uploads = {}
        # How much has come of the newest upload.
        self.begun = 0
        self.rescans = 0
        self.lock = threading.Lock()
        self.ports = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Small answers wait for no acknowledgement.
    disable_nagle_algorithm = True
    wbufsize = 64 * 1024

    def log_message(self, *_):
        pass

    @property
    def state(self):
        return self.server.state

    @property
    def how(self):
        return self.state.behaviour

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        query = {name: values[0] for name, values in urllib.parse.parse_qs(url.query, keep_blank_values=True).items()}
        if not url.path.endswith("/api/upload"):
            self.rfile.read(int(self.headers.get("content-length") or 0))
        if url.path == "/control":
            for name, value in query.items():
                setattr(self.how, name, value)
            return self.send({})
        if url.path == "/seen":
            with self.state.lock:
                return self.send({"requests": self.state.seen, "rescans": self.state.rescans, "uploads": self.state.uploads})
        with self.state.lock:
            self.state.seen.append({
                "method": self.command, "path": self.path, "key": self.headers.get("authorization", ""),
                "range": self.headers.get("range", ""), "other": not self.server.asks_for_key, "filename": self.headers.get("x-filename", ""),
            })
        if not url.path.startswith(self.how.base):
            return self.send({"error": "not below the base"}, 404)
        path = url.path[len(self.how.base):]
        if path.startswith(self.how.at):
            time.sleep(float(self.how.delay))
        if self.how.fault and path.startswith(self.how.at):
            return getattr(self, "fault_" + self.how.fault.rstrip("0123456789"))(path)
        if self.server.asks_for_key and self.headers.get("authorization") != "Bearer " + self.how.key:
            return self.send({"error": "no valid key: " + self.headers.get("authorization", "")}, 401)
        self.route(path, query)

    do_GET = do_HEAD = do_POST = do_PUT = answer

    def route(self, path, query):
        parts = path.strip("/").split("/")
        if path == "/api/stats":
            albums = self.state.library.albums
            return self.send({"albums": len(albums), "tracks": sum(len(album["tracks"]) for album in albums), "artists": 3, "duration": 1})
        if path == "/api/rescan" and self.command == "POST":
            self.state.rescans += 1
            return self.send({"status": "started"})
        if path == "/api/upload" and self.command == "PUT":
            return self.upload()
        if path == "/api/cat":
            return self.send(self.category_list())
        if parts[:2] == ["api", "cat"] and len(parts) == 3 and parts[2] in CATEGORIES:
            return self.send(self.category(parts[2], query))
        if parts[:2] == ["api", "album"] and len(parts) == 4 and parts[3] == "tracks":
            wanted = urllib.parse.unquote(parts[2])
            for album in self.state.library.albums:
                if album["id"] == wanted:
                    return self.send(self.listed("tracks", [self.track(album, track) for track in album["tracks"]]))
            return self.send({"error": "no such album"}, 404)
        if parts[0] == "covers":
            return self.send_bytes(b"\x89PNG\r\n\x1a\n" + path.encode(), "image/png")
        track = self.state.library.files.get(urllib.parse.unquote(path.lstrip("/")))
        if track:
            return self.send_file(self.state.library.content(track))
        self.send({"error": "nothing here"}, 404)

    # ---- Lists

    def category_list(self):
        if self.how.shape == "aliases":
            return [{"name": name, "title": name.title()} for name in CATEGORIES]
        if self.how.shape == "words":
            return {name: len(self.values(name)) for name in CATEGORIES}
        return CATEGORIES

    def values(self, category):
        counts = {}
        for album in self.state.library.albums:
            counts[album.get(category)] = counts.get(album.get(category), 0) + 1
        return sorted(((value, count) for value, count in counts.items() if value is not None), key=lambda pair: str(pair[0]))

    def category(self, name, query):
        words = query.get("filter", "").lower()
        if name == "album":
            albums = self.state.library.albums
            for category in CATEGORIES:
                if category in query and self.how.values == "1":
                    albums = [album for album in albums if str(album.get(category)) == query[category]]
            rows = [album for album in albums if words in (album["title"] + " " + album["artist"]).lower()]
            shown = lambda rows: [self.album(album) for album in rows]
        else:
            rows = [(value, count) for value, count in self.values(name) if words in str(value).lower()]
            shown = lambda rows: [self.value(value, count) for value, count in rows]
        total = len(rows)
        if self.how.pages == "1":
            offset = int(query.get("offset", 0))
            rows = rows[offset:offset + int(query.get("limit", 1 << 30))]
        return self.listed(name, shown(rows), total)

    def listed(self, name, rows, total=None):
        if self.how.shape == "aliases":
            return {"items": rows, "total": len(rows) if total is None else total}
        if self.how.shape == "words":
            return {name: rows}
        return rows

    def value(self, value, count):
        if self.how.shape == "aliases":
            return {"name": value, "albums": count, "extra": {"unknown": [None]}}
        if self.how.shape == "words":
            return str(value)
        return {"item": value, "count": count}

    def album(self, album):
        row = {name: album[name] for name in ["id", "artist", "year", "publisher", "country", "genre", "type", "status", "cover"] if name in album}
        row["title" if self.how.shape == "aliases" else "album"] = album["title"]
        row["track_count"] = len(album["tracks"])
        row["total_duration"] = sum(track["duration"] for track in album["tracks"])
        return row

    def track(self, album, track):
        # Servers in Lisp write large numbers as they are.
        number = int(track["id"]) if track["id"].isdigit() else track["id"]
        row = {"id": number, "title": track["title"], "artist": album["artist"], "album": album["title"], "cover": album["cover"]}
        if self.how.shape == "aliases":
            row.update(track=str(track["no"]), disc=1, duration=float(track["duration"]), year="%d-05-01" % album["year"])
        elif self.how.shape == "words":
            row.update(track="%d/3" % track["no"], part_of_set="1/2", duration="%d:%02d" % divmod(track["duration"], 60), year=album["year"])
        else:
            row.update(no=track["no"], part_of_set=1, duration=track["duration"], year=album["year"], bit_rate=900)
        name, value = self.url(track["path"])
        row[name] = value
        return row

    def url(self, path):
        quoted = "/" + urllib.parse.quote(path)
        origin = "http://127.0.0.1:%d" % self.state.ports["port"]
        return {
            "encoded": ("url", quoted),
            "plain": ("path", "/" + path),
            "based": ("stream", self.how.base + quoted),
            "absolute": ("url", origin + self.how.base + quoted),
            "elsewhere": ("url", "http://127.0.0.1:%d%s" % (self.state.ports["other"], quoted)),
            "query": ("url", quoted + "?token=abc"),
            "upwards": ("path", "/files/../../etc/passwd"),
        }[self.how.urls]

    # ---- Files and uploads

    def send_file(self, content):
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("range", ""))
        if wanted and self.how.ranges == "1":
            start, end = int(wanted[1]), min(int(wanted[2] or len(content) - 1), len(content) - 1)
            if start >= len(content):
                return self.send_bytes(b"", "audio/flac", 416, [("content-range", "bytes */%d" % len(content))])
            part = [("content-range", "bytes %d-%d/%d" % (start, end, len(content)))]
            return self.send_bytes(content[start:end + 1], "audio/flac", 206, part)
        if self.how.length == "1":
            return self.send_bytes(content, "audio/flac")
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "audio/flac")
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def handle_expect_100(self):
        """A file that is refused for its name or its length is not asked for."""
        if self.path.endswith("/api/upload") and self.refused(int(self.headers.get("content-length") or 0)):
            return False
        return super().handle_expect_100()

    def refused(self, length):
        name = urllib.parse.unquote(self.headers.get("x-filename", ""))
        why = (
            (400, "Unsupported kind of file") if not name.endswith(tuple(self.how.kinds.split(","))) else
            (409, "The file exists") if name in self.state.uploads else
            (413, "At most %s bytes" % self.how.most) if length > int(self.how.most) else None)
        if why:
            self.close_connection = True
            self.send({"status": "error", "message": why[1]}, why[0])
        return why

    def pieces(self):
        """The body of the request, with a length or in chunks."""
        if self.headers.get("transfer-encoding") != "chunked":
            left = int(self.headers.get("content-length") or 0)
            while left and (piece := self.rfile.read(min(left, 65536))):
                left -= len(piece)
                yield piece
            if left:
                raise ConnectionError("the file ended too early")
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def upload(self):
        length, hashed = 0, hashlib.sha256()
        if self.refused(length):
            return None
        for piece in self.pieces():
            length += len(piece)
            hashed.update(piece)
            self.state.begun = length
            time.sleep(float(self.how.pause))
            if self.refused(length):
                return None
            if self.how.room and length > int(self.how.room):
                self.send({"status": "error", "message": "The disk is full"}, 507)
                return self.end_early()
        self.state.uploads[urllib.parse.unquote(self.headers["x-filename"])] = {"bytes": length, "sha256": hashed.hexdigest()}
        return self.send({"status": "imported", "tracks_added": 1, "albums_updated": 2})

    def end_early(self):
        """Reads what is still on its way: to close before that would take the answer away from who sends it."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_WR)
        while self.rfile.read(65536):
            pass

    def send(self, value, status=200):
        self.send_bytes(json.dumps(value).encode(), "application/json", status)

    def send_bytes(self, body, kind, status=200, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.write(body, kind)

    def write(self, body, kind):
        if not kind.startswith("audio/") or (self.how.rate, self.how.hold) == ("0", "0"):
            return self.wfile.write(body)
        step = 8192
        for start in range(0, len(body), step):
            while 0 < int(self.how.hold) <= start:
                self.wfile.flush()
                time.sleep(0.05)
            self.wfile.write(body[start:start + step])
            self.wfile.flush()
            if self.how.rate != "0":
                time.sleep(step / int(self.how.rate))

    # ---- Faults

    def fault_huge(self, path):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(1 << 30))
        self.end_headers()
        self.wfile.write(b'["')
        for _ in range(1 << 14):
            self.wfile.write(b"x" * 65536)

    def redirect(self, location):
        self.send_response(302)
        self.send_header("location", location)
        self.send_header("content-length", "0")
        self.end_headers()

    def fault_redirects(self, path):
        self.redirect(self.path)

    def fault_elsewhere(self, path):
        if not self.server.asks_for_key:
            return self.route(path, {})
        self.redirect("http://127.0.0.1:%d%s" % (self.state.ports["other"], self.path))

    def fault_short(self, path):
        """Announces more than it sends."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "audio/flac")
        self.send_header("content-length", "500000")
        self.end_headers()
        self.wfile.write(b"x" * 1000)

    def fault_json(self, path):
        self.send({"status": "error", "message": "The file is lost.\nAsk for " + self.headers.get("authorization", "")})

    def fault_lost(self, path):
        self.send({"status": "error", "message": "The file\nis lost"})

    def fault_status(self, path):
        self.send_bytes(b"Sorry, not now", "text/plain", int(self.how.fault[6:]), [("retry-after", "7")])

    def fault_missing(self, path):
        self.send({})

    def fault_nested(self, path):
        self.send_bytes(b"[" * 100_000 + b"]" * 100_000, "application/json")

    def fault_hangs(self, path):
        time.sleep(3600)


class Running:
    """The server in this process, for suites: `with Running(Library.small()) as server`."""

    def __init__(self, library):
        self.state = State(library)
        self.servers = []

    def start(self, port=0):
        for name in ["port", "other"]:
            server = Server(self.state, name == "port", port if name == "port" else self.state.ports.get("other", 0))
            self.state.ports[name] = server.server_address[1]
            self.servers.append(server)
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def stop(self):
        """At once, in the midst of whatever it sends."""
        for server in self.servers:
            server.shutdown()
            server.server_close()
            for connection in list(server.connections):
                try:
                    # As when the process is killed: what was not read by then is not acknowledged.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.servers = []

    @property
    def url(self):
        return "http://127.0.0.1:%d%s" % (self.state.ports["port"], self.state.behaviour.base)

    @property
    def key(self):
        return self.state.behaviour.key

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", nargs="?", help="a JSON file; otherwise a made-up library is served")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    running = Running(Library.read(options.library) if options.library else Library.small()).start(options.port)
    print(json.dumps(running.state.ports), flush=True)
    parent = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    while os.getppid() == parent:
        time.sleep(0.2)


if __name__ == "__main__":
    main()
