"""What stands around a hub under test: pages, feeds and stations, served here, and servers of music, which its adapter brings up.

The pages of `web` in a scenario are served at two addresses of this machine: `$web`, which a person names, and `$other`. A page is a text, or

    {"sound": SECONDS}              silence as MP3
    {"station": [[TITLE, MS], …]}   endless silence as MP3 with these titles, the same for all who listen
    {"goes": URL}                   a redirect
    {"status": N}                   a refusal; with "text" a sentence
    {"text": TEXT, "headers": {…}, "waits": MS}
"""

import http.server
import json
import os
import threading
import time
import urllib.request

from runner.failing import Skips
from runner.music import put
from runner.pattern import fill
from runner.websocket import dial, request

# One frame of MPEG 1 layer 3: 128 kbit/s, 44,100 Hz, one channel, silent. What stands behind its side information is not played.
HEAD, FRAME, FRAME_S = b"\xff\xfb\x90\xc4", 417, 1152 / 44100
MARK = b"BTFRAME"
# So many frames stand between two titles, and so many are sent at once to a new listener.
BETWEEN, BURST = 10, 76
TYPES = {"xml": "application/rss+xml", "m3u": "audio/x-mpegurl", "mp3": "audio/mpeg", "json": "application/json", "png": "image/png"}


def frame(number):
    """A frame that can be told from all others."""
    mark = MARK + number.to_bytes(6, "big")
    return HEAD + bytes(FRAME - len(HEAD) - len(mark)) + mark


def frames(data):
    """The numbers of the frames in a file, in their order."""
    return [int.from_bytes(part[:6], "big") for part in data.split(MARK)[1:]]


def before_again(numbers):
    """The last frame before those that come again, as a station sends them to whoever is new: what was kept when the hub was killed."""
    return next((before for before, after in zip(numbers, numbers[1:]) if after <= before), numbers[-1] if numbers else 0)


def title_at(titles, seconds):
    left = seconds * 1000 % sum(ms for _, ms in titles)
    for title, ms in titles:
        if left < ms:
            return title
        left -= ms
    return titles[-1][0]


class Web:
    """The pages of one scenario, and what was asked of them."""

    def __init__(self, pages):
        self.pages, self.asked, self.began = dict(pages), [], time.monotonic()
        self.servers = [Server((host, 0), self) for host in ("127.0.0.1", "127.0.0.2")]
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        own, other = (f"http://{server.server_address[0]}:{server.server_address[1]}" for server in self.servers)
        self.variables = {"web": own, "other": other}

    def requests(self, path, at):
        """How often a path was asked for at one of the two addresses, and by which headers last."""
        found = [headers for server, asked, headers in list(self.asked) if asked == path and server is self.servers[at == "other"]]
        return {"n": len(found), "headers": found[-1] if found else {}}

    def close(self):
        self.pages.clear()
        for server in self.servers:
            server.shutdown()
            server.server_close()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, web):
        self.web = web
        super().__init__(address, Page)


class Page(http.server.BaseHTTPRequestHandler):
    """One request for a page."""

    def do_GET(self):
        web = self.server.web
        path = self.path.partition("?")[0]
        web.asked.append((self.server, path, {name.lower(): value for name, value in self.headers.items()}))
        page = fill(web.pages.get(path, {"status": 404}), web.variables)
        page = {"text": page} if isinstance(page, str) else page
        time.sleep(page.get("waits", 0) / 1000)
        if "station" in page:
            return self.station(web, path, page["station"])
        if "goes" in page:
            return self.answer(302, b"", {"Location": page["goes"]})
        body = page.get("text", "").encode()
        if "sound" in page:
            body = b"".join(frame(number) for number in range(round(page["sound"] / FRAME_S)))
        kind = {"Content-Type": TYPES.get(path.rpartition(".")[2], "text/plain")}
        return self.answer(page.get("status", 200), body, {**kind, **page.get("headers", {})})

    do_HEAD = do_GET

    def answer(self, status, body, headers):
        first = self.headers.get("Range", "").removeprefix("bytes=").partition("-")[0]
        if status == 200 and first.isdigit():
            status, headers = 206, {**headers, "Content-Range": f"bytes {first}-{len(body) - 1}/{len(body)}"}
            body = body[int(first):]
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body)), "Accept-Ranges": "bytes"}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def station(self, web, path, titles):
        """Sends what the station sends from now on, until its page is another one."""
        own, is_titled = web.pages.get(path), self.headers.get("Icy-MetaData") == "1"
        self.send_response(200)
        for name, value in {"Content-Type": "audio/mpeg", "icy-name": "A station", **({"icy-metaint": str(BETWEEN * FRAME)} if is_titled else {})}.items():
            self.send_header(name, value)
        self.end_headers()
        number, told, sent = max(0, int((time.monotonic() - web.began) / FRAME_S) - BURST), None, 0
        try:
            while web.pages.get(path) is own and self.command == "GET":
                if number * FRAME_S > time.monotonic() - web.began:
                    time.sleep(FRAME_S)
                    continue
                self.wfile.write(frame(number))
                number, sent = number + 1, sent + 1
                if is_titled and sent % BETWEEN == 0:
                    title = title_at(titles, number * FRAME_S)
                    text = b"" if title == told else f"StreamTitle='{title}';".encode()
                    told, size = title, -(-len(text) // 16)
                    self.wfile.write(bytes([size]) + text.ljust(16 * size, b"\0"))
        except OSError:
            pass

    def log_message(self, *_):
        pass


class Stream:
    """One listener of an endless answer of the hub."""

    def __init__(self, link):
        self.link = link
        self.data, self.has_ended, self.lock = b"", False, threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while more := self.link.recv(65536):
                with self.lock:
                    self.data += more
        except OSError:
            pass
        self.has_ended = True

    def seen(self):
        """What has come until now: how much sound, and which titles in their order."""
        with self.lock:
            head, _, rest = self.data.partition(b"\r\n\r\n")
        lines = [line.partition(":") for line in head.decode(errors="replace").split("\r\n")[1:]]
        headers = {name.strip().lower(): value.strip() for name, _, value in lines}
        status = int((head.split(b" ") + [b"0", b"0"])[1] or 0)
        titles, sound, every = [], 0, int(headers.get("icy-metaint", 0))
        while every and len(rest) > every:
            sound, size = sound + every, rest[every] * 16
            text = rest[every + 1:every + 1 + size].rstrip(b"\0").decode(errors="replace")
            titles += [text] if text else []
            rest = rest[every + 1 + size:]
        return {"status": status, "headers": headers, "bytes": sound + len(rest), "titles": titles, "ended": self.has_ended}


class Around:
    """Verbs of a `Live` world beyond the hub itself."""

    def do_web(self, step, path_of, page):
        self.hub.web.pages[path_of] = page
        return self.note("web", step, path=path_of)

    def do_asked(self, step, path_of, at):
        return self.note("asked", step, path=path_of, seen=self.hub.web.requests(path_of, at))

    def do_server(self, step, name, asked):
        """What a server of the adapter answers; README.md has the words."""
        body = json.dumps({"server": name, **asked}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.hub.ready["control"], body, method="POST"), timeout=30) as answer:
            return self.note("server", step, name=name, seen=json.loads(answer.read()))

    def do_written(self, step, text):
        """In how many files that the hub has written a text stands, and whether it has said it to people."""
        with open(f"{self.hub.folder}/stderr", "rb") as said:
            is_told = text.encode() in said.read()
        files = [path for path in within(f"{self.hub.folder}/state") if text.encode() in contents(path)]
        return self.note("written", step, seen={"files": len(files), "names": [os.path.basename(path) for path in files], "log": is_told})

    def do_recorded(self, step):
        """The frames in all recordings together, in the order in which they were sent."""
        if "recordings" not in self.hub.ready:
            raise Skips("the adapter does not say where recordings lie")
        found = {path: frames(contents(path)) for path in within(self.hub.ready["recordings"])}
        order = [number for _, numbers in sorted((numbers[0], numbers) for numbers in found.values() if numbers) for number in numbers]
        return self.note("recorded", step, seen={
            "files": sum(map(bool, found.values())), "frames": len(order), "gaps": sum(after - before > 1 for before, after in zip(order, order[1:])),
            "twice": len(order) - len(set(order)), "last": max(order, default=0), "until": max(map(before_again, found.values()), default=0), "names": sorted(os.path.basename(path) for path, numbers in found.items() if numbers)})

    def do_stream(self, step, name, path_of, headers, channel):
        address = self.address(channel)
        link = dial(address)
        link.sendall(request(address, [tuple(pair) for pair in headers], path_of, None, "GET", b""))
        self.streams[name] = Stream(link)
        return self.note("stream", step, name=name, path=path_of)

    def do_spoil(self, step):
        """One byte in the middle of each copy on the hub's disk is another one from now on."""
        if "copies" not in self.hub.ready:
            raise Skips("the adapter does not say where copies lie")
        for path in within(self.hub.ready["copies"]):
            if data := contents(path):
                middle = len(data) // 2
                with open(path, "r+b") as file:
                    file.seek(middle)
                    file.write(bytes([data[middle] ^ 255]))
        return self.note("spoil", step)

    def do_heard(self, step, name):
        return self.note("heard", step, seen=self.streams[name].seen())


def within(folder):
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)


def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def described(folder, servers, variables):
    """The servers that an adapter is asked for, as a file; their music is made here."""
    servers = fill(servers, variables)
    for name, server in servers.items():
        for file, content in server.get("music", {}).items():
            put(f"{folder}/servers/{name}/{file}", content)
    path = f"{folder}/servers.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump({name: {**server, "folder": f"{folder}/servers/{name}"} for name, server in servers.items()}, file)
    return path
