"""A library that does whatever a test wants: it stands between the page and a real hub, answers what concerns the library
itself, and lets everything else through. For what a real library does not do on request: to be slow, to be huge, to refuse,
to have titles of 4,000 characters and pictures that do not arrive."""

import json
import re
import socket
import struct
import threading
import urllib.parse
import zlib

from runner.websocket import encode

OURS = re.compile(r"^(lib|pl|fav|rate|art|source)\.|^hub\.scan$|^queue\.(save|continue)$")


def picture(width, height, colour):
    """A PNG of one colour."""
    return encoded(width, height, (b"\0" + bytes(colour) * width) * height)


def encoded(width, height, lines):
    """A PNG of lines that each begin with the filter 0."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b"")


def colour(name):
    return [80 + zlib.crc32(name.encode() + bytes([part])) % 150 for part in range(3)]


def entry_name(number):
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return "q" + digits


def cut(link):
    """Ends a connection that another thread may be reading from."""
    try:
        link.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    link.close()


class Refusal(Exception):
    """A code and a sentence."""


class Shelf:
    """What there is: rows by their names, lists, and marks."""

    def __init__(self):
        self.rows, self.inside, self.lists, self.deleted, self.folders = {}, {}, {}, {}, [{"path": "/srv/music", "n": 0}]
        self.rev, self.lists_rev, self.scan, self.made = 1, 1, None, 0
        # Folders that the hub found by itself, with how many files of music are in each.
        self.is_there, self.asked, self.missing_art, self.found = True, [], set(), []
        # Folders inside of others, or a refusal.
        self.tree = {
            "/": [{"path": "/srv", "n": 1203}, {"path": "/media", "n": 0}],
            "/srv": [{"path": "/srv/A folder with a name that is much longer than a phone is wide"}, {"path": "/srv/albums", "n": 1200},
                     {"path": "/srv/music", "n": 3}]}
        # Pictures that are not square: how wide and how high, as a proportion.
        self.shapes = {}
        # While this is not set, nothing is answered.
        self.may_answer = threading.Event()
        self.may_answer.set()
        # Lyrics by the track, a refusal, or None where a track has none.
        self.words = {}
        # Files by their paths, as a person names them.
        self.paths, self.busy = {}, 0
        for name in ("albums", "artists", "tracks", "favourites", "recent", "most", "added"):
            self.inside[f"lib:shelf/{name}"] = []
            self.rows[f"lib:shelf/{name}"] = {"uri": f"lib:shelf/{name}", "kind": "shelf", "title": name.capitalize()}

    def album(self, title, artist, year, tracks, uris=None, art=True):
        number = len(self.inside["lib:shelf/albums"]) + 1
        uri, name = f"lib:album/{number}", f"art{number}"
        picture = {"art": name} if art else {}
        self.rows[uri] = {"uri": uri, "kind": "album", "title": title, "albumArtist": artist, "year": year, "n": len(tracks), **picture}
        self.inside[uri], self.inside["lib:shelf/albums"] = [], self.inside["lib:shelf/albums"] + [uri]
        for place, track in enumerate(tracks):
            there = uris[place % len(uris)] if uris else f"lib:track/{number:08x}{place:08x}"
            self.rows[there] = {
                "uri": there, "kind": "track", "title": track, "artists": [artist], "album": title, "track": place + 1, "durMs": 60000 + 1000 * place, **picture}
            self.inside[uri].append(there)
            self.inside["lib:shelf/tracks"].append(there)
        self.folders[0]["n"] = len(self.inside["lib:shelf/tracks"])
        return uri

    def artist(self, name, albums):
        uri = f"lib:artist/{len(self.inside['lib:shelf/artists']) + 1}"
        self.rows[uri] = {"uri": uri, "kind": "artist", "title": name, "n": sum(len(self.inside[album]) for album in albums)}
        self.inside[uri], self.inside["lib:shelf/artists"] = albums, self.inside["lib:shelf/artists"] + [uri]
        return uri

    def paint(self, name, width, height):
        """The picture of this name, as a PNG."""
        return picture(width, height, colour(name))

    def sections(self):
        if not self.is_there:
            return {}
        counts = {"tracks": len(self.inside["lib:shelf/tracks"]), "albums": len(self.inside["lib:shelf/albums"]), "artists": 1}
        return {"lib": {"rev": self.rev, **counts, **({"scan": self.scan} if self.scan else {})}, "pl": {"rev": self.lists_rev, "n": len(self.lists)}}

    # MARK: Commands

    def waits(self, method, p):
        """Whether later commands are answered before this one."""
        return False

    def answer(self, method, p):
        if not self.is_there:
            raise Refusal("unknown_command", "There is no command of this name.")
        self.asked.append((method, p))
        self.may_answer.wait(20)
        if self.busy > 0:
            self.busy -= 1
            raise Refusal("rate_limited", "That was too much at once.")
        does = getattr(self, "do_" + method.replace(".", "_"), None)
        if not does:
            raise Refusal("unknown_command", f"There is no {method} here.")
        return does(p)

    @staticmethod
    def page(rows, p):
        first = int(p.get("cursor") or p.get("from") or 0)
        limit = p.get("limit", 80)
        found = {"rows": rows[first:first + limit], "total": len(rows)}
        return {**found, **({"cursor": str(first + limit)} if first + limit < len(rows) else {})}

    def do_lib_search(self, p):
        words = p["q"].lower().split()
        if not words:
            raise Refusal("bad_request", "There is nothing to look for.")
        said = lambda row: " ".join([row["title"], *row.get("artists", [])]).lower()
        hits = [row for row in self.rows.values() if row["kind"] != "shelf" and all(word in said(row) for word in words)]
        return self.page(hits, p)

    def do_lib_browse(self, p):
        node = p.get("node")
        if node is None:
            return self.page([row for row in self.rows.values() if row["kind"] == "shelf"], p)
        if node not in self.inside:
            raise Refusal("not_found", "There is no such place.")
        found = self.page([self.rows[uri] for uri in self.inside[node]], p)
        return {**found, "node": self.rows[node]}

    def do_lib_folders(self, p):
        if "in" in p:
            inside = self.tree.get(p["in"], [])
            if isinstance(inside, Refusal):
                raise inside
            return {"folders": self.folders, "inside": inside}
        return {"folders": self.folders, "found": self.found, "report": {"seen": 3, "read": 3, "moved": 0, "gone": 0, "failed": 1, "tookMs": 1200, "done": 1, "problems": ["/srv/music/bad.flac is no music."]}}

    def do_lib_folder(self, p):
        self.folders = [folder for folder in self.folders if folder["path"] != p["path"]]
        if p["on"]:
            self.folders.append({"path": p["path"], "n": 0})

    def do_hub_scan(self, _):
        self.scan = {"done": 0, "total": 100}

    def do_fav_set(self, p):
        if p["uri"] not in self.rows:
            raise Refusal("not_found", "There is no such item.")
        self.rows[p["uri"]].pop("fav", None)
        if p["on"]:
            self.rows[p["uri"]]["fav"] = 1
        self.inside["lib:shelf/favourites"] = [uri for uri, row in self.rows.items() if row.get("fav")]

    def do_rate_set(self, p):
        self.rows[p["uri"]]["stars"] = p["stars"]

    def do_lib_history(self, _):
        return {"rows": [{**row, "room": "main", "atMs": 1} for row in self.rows.values() if row.get("plays")]}

    def do_lib_item(self, p):
        if p["uri"] not in self.rows:
            raise Refusal("not_found", "There is no such item.")
        words = self.words.get(p["uri"], {"timed": 1, "lines": [[200, "Standing in the shadows"], [600, "At the end of my bed"]]})
        if isinstance(words, Refusal) and p.get("lyrics"):
            raise words
        return {"item": self.rows[p["uri"]], **({"lyrics": words} if p.get("lyrics") and words else {})}

    # MARK: Lists

    def listed(self, item):
        return {key: item[key] for key in ("id", "name", "rev", "n", "durMs", "undo", "smart", "rule") if key in item}

    def of(self, name):
        if name not in self.lists:
            raise Refusal("not_found", "There is no such list.")
        return self.lists[name]

    def count(self, item):
        item.update(n=len(item["rows"]), durMs=sum(self.rows[uri].get("durMs", 0) for _, uri in item["rows"]), rev=item["rev"] + 1)
        self.lists_rev += 1
        return {"id": item["id"], "rev": item["rev"]}

    def places(self, uris):
        tracks = [track for uri in uris for track in self.inside.get(self.paths.get(uri, uri), [self.paths.get(uri, uri)])]
        if missing := [track for track in tracks if track not in self.rows]:
            raise Refusal("not_found", f"There is no {missing[0]}.")
        self.made += len(tracks)
        return [(entry_name(self.made - len(tracks) + at), uri) for at, uri in enumerate(tracks)]

    def do_pl_list(self, _):
        return {"rev": self.lists_rev, "rows": [self.listed(item) for item in self.lists.values()]}

    def do_pl_get(self, p):
        item, first = self.of(p["id"]), p.get("from", 0)
        rows = [{**self.rows[uri], "e": entry} for entry, uri in item["rows"][first:first + p.get("n", 100)]]
        return {"list": self.listed(item), "from": first, "rows": rows}

    def do_pl_create(self, p):
        name = f"l{len(self.lists) + 1}"
        for uri in p.get("uris", []):
            self.rows.setdefault(uri, {"uri": uri, "kind": "track", "title": uri.rsplit("/", 1)[-1]})
        self.lists[name] = {"id": name, "name": p["name"], "rev": 0, "rows": self.places(p.get("uris", []))}
        if "rule" in p:
            self.lists[name].update(smart=1, rule=p["rule"])
        return self.count(self.lists[name])

    def do_pl_delete(self, p):
        self.of(p["id"])
        self.deleted[p["id"]] = self.lists.pop(p["id"])
        self.lists_rev += 1

    def do_pl_restore(self, p):
        self.lists[p["id"]] = self.deleted.pop(p["id"])
        self.lists_rev += 1

    def do_pl_edit(self, p):
        item = self.of(p["id"])
        before = {entry for entry, _ in item["rows"]}
        for op in p["ops"]:
            self.edit(item, op)
        return {**self.count(item), "ids": [entry for entry, _ in item["rows"] if entry not in before]}

    def edit(self, item, op):
        rows, before = item["rows"], list(item["rows"])
        ids = op.get("move") or op.get("remove") or []
        if "undo" in op:
            item["rows"], item["undo"] = item.get("before", rows), None
            item.pop("undo")
            return
        for field in ("name", "rule"):
            if field in op:
                item[field] = op[field]
                return
        if "add" in op:
            item["rows"] = rows + self.places(op["add"])
            return
        taken = [row for row in rows if row[0] in ids]
        rows = [row for row in rows if row[0] not in ids]
        if "move" in op:
            place = 0 if op["after"] is None else [entry for entry, _ in rows].index(op["after"]) + 1
            rows[place:place] = taken
        item.update(rows=rows, before=before, undo="move" if "move" in op else "remove")


# A document of the stand-in's origin that does nothing and asks for nothing.
STILL = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: 31\r\n\r\n<link rel='icon' href='data:,'>"


# The sections of Core.
CORE = ("now", "tl", "vol", "modes", "queue", "hub", "n", "l", "v", "m", "r", "x")


class StandIn:
    def __init__(self, port, shelf, sources=None):
        self.target, self.shelf, self.sources, self.art = port, shelf, sources, {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.page = f"http://127.0.0.1:{self.port}"
        # Of each connection: its socket, a lock for what is sent there, and the revision that was told last.
        self.pages = []
        # The commands of all pages, and conditions for messages of which each refuses one.
        self.heard, self.refuses = [], []
        # Whether the hub says that it has no profile at all.
        self.is_bare = False
        # How many rows of a queue are in an answer.
        self.most_rows = 1000
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    @staticmethod
    def head(peer):
        text = b""
        while b"\r\n\r\n" not in text:
            piece = peer.recv(65536)
            if not piece:
                raise EOFError
            text += piece
        head, _, rest = text.partition(b"\r\n\r\n")
        return head.decode("latin-1"), rest

    def serve(self, near):
        try:
            head, rest = self.head(near)
            path = head.split(" ", 2)[1]
            if path.startswith("/art/"):
                near.sendall(self.pictured(path))
            elif path == "/still":
                near.sendall(STILL)
            elif (own := self.sources and self.sources(path)):
                near.sendall(own)
            else:
                self.carry(near, head, rest)
        except (OSError, EOFError):
            pass
        finally:
            near.close()

    def pictured(self, path):
        parsed = urllib.parse.urlsplit(path)
        name, size = parsed.path.rsplit("/", 1)[1], dict(urllib.parse.parse_qsl(parsed.query))
        wide, high = self.shelf.shapes.get(name, (1, 1))
        # One measure alone keeps the picture's shape.
        width = int(size["w"]) if "w" in size else int(size["h"]) * wide // high
        height = int(size["h"]) if "h" in size else int(size["w"]) * high // wide
        self.art.setdefault(name, []).append((width, height))
        if name in self.shelf.missing_art:
            return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        body = self.shelf.paint(name, width, height)
        return b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body

    def carry(self, near, head, rest):
        far = socket.create_connection(("127.0.0.1", self.target), timeout=10)
        far.settimeout(None)
        is_socket = "upgrade: websocket" in head.lower()
        if not is_socket:
            head = re.sub(r"(?im)^connection:[^\r\n]*\r?\n?", "", head + "\r\n").rstrip("\r\n") + "\r\nConnection: close"
        far.sendall(head.encode("latin-1") + b"\r\n\r\n" + rest)
        if not is_socket:
            if (length := re.search(r"(?im)^content-length: *(\d+)", head)):
                left = int(length[1]) - len(rest)
                while left > 0:
                    piece = near.recv(min(left, 65536))
                    left -= len(piece)
                    far.sendall(piece)
            while (piece := far.recv(65536)):
                near.sendall(piece)
            far.close()
            return
        told, rest = self.head(far)
        near.sendall(told.encode("latin-1") + b"\r\n\r\n")
        page = {"socket": near, "lock": threading.Lock(), "rev": None, "room": None, "isNew": True}
        self.pages.append(page)
        threading.Thread(target=self.down, args=(far, rest, page), daemon=True).start()
        try:
            self.up(near, far, page)
        finally:
            self.pages.remove(page)
            # Closing alone would leave the connection open as long as the other thread reads from it, and each of
            # those counts against what the hub allows one address.
            cut(far)

    # MARK: Frames

    @staticmethod
    def frames(peer, rest=b""):
        data = bytearray(rest)

        def need(count):
            while len(data) < count:
                piece = peer.recv(65536)
                if not piece:
                    raise EOFError
                data.extend(piece)
        while True:
            need(2)
            opcode, length, is_masked, at = data[0] & 15, data[1] & 127, data[1] >> 7, 2
            if length > 125:
                width = 2 if length == 126 else 8
                need(at + width)
                length, at = int.from_bytes(data[at:at + width], "big"), at + width
            need(at + 4 * is_masked + length)
            mask, at = bytes(data[at:at + 4 * is_masked]), at + 4 * is_masked
            body = bytes(data[at:at + length])
            del data[:at + length]
            if is_masked and body:
                key = (mask * (length // 4 + 1))[:length]
                body = (int.from_bytes(body, "big") ^ int.from_bytes(key, "big")).to_bytes(length, "big")
            yield opcode, body

    @staticmethod
    def bare(opcode, body):
        size = len(body)
        length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big") if size < 65536 else b"\x7f" + size.to_bytes(8, "big")
        return bytes([0x80 | opcode]) + length + body

    def say(self, page, message, opcode=1):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        try:
            with page["lock"]:
                page["socket"].sendall(self.bare(opcode, body))
        except OSError:
            pass

    def up(self, near, far, page):
        for opcode, body in self.frames(near):
            message = json.loads(body) if opcode == 1 else {}
            if message.get("t") == "cmd":
                self.heard.append(message)
            if no := next((refuses for refuses in self.refuses if refuses(message)), None):
                self.refuses.remove(no)
                self.say(page, {"t": "res", "id": message["id"], "ok": 0, "err": {"code": "unavailable", "msg": "Not now."}})
            elif message.get("t") == "cmd" and OURS.search(message["m"]):
                if self.shelf.waits(message["m"], message.get("p", {})):
                    threading.Thread(target=self.reply, args=(page, message), daemon=True).start()
                else:
                    self.reply(page, message)
            else:
                far.sendall(encode(body, opcode=opcode))

    def reply(self, page, message):
        answer = {"t": "res", "id": message["id"], "ok": 1, "st": "applied"}
        try:
            d = self.shelf.answer(message["m"], message.get("p", {}))
            answer.update({"d": d} if d else {})
        except Refusal as no:
            wait = {"afterMs": 20, "retry": 1} if no.args[0] == "rate_limited" else {}
            answer = {"t": "res", "id": message["id"], "ok": 0, "err": {"code": no.args[0], "msg": no.args[1], **wait}}
        self.say(page, answer)
        if not re.search(r"\.(get|list|search|browse|folders|item)$", message["m"]):
            self.tell()

    def down(self, far, rest, page):
        try:
            for opcode, body in self.frames(far, rest):
                if opcode == 1 and body.startswith(b'{"t":"welcome"') and (self.is_bare or not self.shelf.is_there):
                    message = json.loads(body)
                    left = [one for one in message["features"] if one.partition("@")[0] not in ("library", "playlists")]
                    body = json.dumps({**message, "features": [] if self.is_bare else left}).encode()
                elif opcode == 1 and body.startswith(b'{"t":"state"'):
                    message = json.loads(body)
                    page["rev"], page["room"] = message["rev"], message.get("room")
                    self.pictures(message["s"])
                    if page["isNew"] or message.get("full"):
                        page["isNew"] = False
                        message["s"].update(self.shelf.sections())
                    if self.is_bare:
                        message["s"] = {name: value for name, value in message["s"].items() if name in CORE}
                    elif not self.shelf.is_there:
                        # The hub behind this one has a library of its own.
                        for section in ("lib", "pl"):
                            message["s"].pop(section, None)
                    body = json.dumps(message).encode()
                elif opcode == 1 and body.startswith(b'{"t":"res"'):
                    message = json.loads(body)
                    page["rev"] = message.get("rev", page["rev"])
                    self.pictures(message.get("s", {}))
                    rows = (message.get("d") or {}).get("rows", [])
                    if any("entry" in row for row in rows):
                        del rows[self.most_rows:]
                    for row in rows:
                        row.update({"art": {"id": art}} if "entry" in row and (art := self.shelf.rows.get(row.get("uri"), {}).get("art")) else {})
                    body = json.dumps(message).encode()
                self.say(page, body, opcode)
        except (OSError, EOFError):
            try:
                page["socket"].shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def pictures(self, s):
        """What plays has a picture, as its row says."""
        now, watch = s.get("now"), s.get("n")
        row = self.shelf.rows.get((now or {}).get("uri"))
        if row and row.get("art"):
            now["art"] = {"id": row["art"], "w": 600, "h": 600, "colours": ["#%02x%02x%02x" % tuple(colour(row["art"])), "#102030"]}
        if watch:
            row = next((row for row in self.shelf.rows.values() if row["title"] == watch.get("t") and row.get("art")), None)
            if row:
                watch.update(c=row["art"], k="%02x%02x%02x" % tuple(colour(row["art"])))

    def tell(self):
        """What the sections say now goes to every page."""
        for page in list(self.pages):
            if page["rev"] is not None:
                self.say(page, {"t": "state", "rev": page["rev"], "from": page["rev"], "s": self.shelf.sections()})


def share(case):
    """One stand-in for all tests of a class, which give it their own `shelf`: its address is an origin, for which a browser keeps what
    it has loaded."""
    case.stand = StandIn(case.hub.port, None)
    case.addClassCleanup(case.stand.close)
    # Before the stand-in closes, so that the page asks for nothing that is gone.
    case.addClassCleanup(case.page.leave)
