"""All servers that scenarios ask for and batond has a connector for: those of subsonic.py, the worker of worker.py, and in the repository of Baton
those of Tests/Contract, for what OpenSubsonic does not have: rooms, uploads, what other devices play, and second factors.

    python3 -m runner.adapters.servers FILE SOCKET      the servers of FILE, for the hub that listens at the unix socket
"""

import hashlib
import importlib
import json
import socket
import sys

from runner.adapters import subsonic
from runner.adapters.worker import Studio

# The second factor that scenarios give.
CODE = "246810"


def found(name):
    """A module of Tests/Contract, where it can be imported."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def songs(asked):
    """The music of a server: file, path, seconds, title and artist of each."""
    for file, content in asked.get("music", {}).items():
        told = content if isinstance(content, dict) else {"seconds": content}
        yield file, f"{asked['folder']}/{file}", told["seconds"], told.get("title", file.rpartition(".")[0]), told.get("artist", "Unknown")


class Rooms:
    """A MusicRoom server, whose room the runner sets."""

    def __init__(self, asked, hub, module):
        self.hub, self.tracks, self.room = hub, {}, "main"
        for file, path, seconds, title, artist in songs(asked):
            self.tracks[file] = track = module.Track(path, seconds, title, artist)
            # It is made of the first bytes, which are the same in all silence.
            track.id = "sha256:" + hashlib.sha256(file.encode()).hexdigest()
        self.running = module.Running(list(self.tracks.values()))
        self.server = self.running.server
        self.server.rooms["mirror"] = module.Room(self.server, "mirror", "Mirror", list(self.tracks.values()))
        (user, password), = self.server.users.items()
        self.account = {"kind": "musicroom", "url": self.running.url, "user": user, "password": password}

    def obey(self, word):
        async def obeyed():
            room = self.server.rooms[self.room]
            if word["do"] == "room":
                self.room = word["room"]
                room = self.server.rooms[self.room]
                if word.get("same"):
                    self.server.hubs = [self.hub()]
                else:
                    room.queue, room.index = [self.tracks[file] for file in word["files"]], 0
                    room.paused_at = None if word["playing"] else 0.0
                    room.put(word["ms"] / 1000)
                await room.tell(with_queue=True)
            elif word["do"] in ("deaf", "up"):
                self.server.behaviour.ignores = word["do"] == "deaf"
            elif word["do"] != "told":
                return {"error": f"this server knows no {word['do']}"}
            file = next((name for name, track in self.tracks.items() if track is room.track), None)
            return {"room": {"file": file, "ms": round(room.position() * 1000), "playing": room.paused_at is None}}
        return self.running.do(obeyed())


class Uploads:
    """A Chad Music server, which takes files."""

    def __init__(self, asked, _, module):
        tracks = [{"id": str(number), "title": title, "duration": seconds, "file": path} for number, (_, path, seconds, title, _) in enumerate(songs(asked), 1)]
        self.running = module.Running(module.Library([{"id": "a-1", "title": "One", "artist": "Ann", "tracks": tracks}])).start()
        self.running.state.behaviour.kinds = ".wav"
        self.account = {"kind": "chadmusic", "url": self.running.url, "apiKey": self.running.key}

    def obey(self, word):
        if word["do"] == "down":
            self.running.stop()
        elif word["do"] == "up":
            self.running.start(self.running.state.ports["port"])
        elif word["do"] != "told":
            return {"error": f"this server knows no {word['do']}"}
        return {"uploads": {file: told["bytes"] for file, told in self.running.state.uploads.items()}}


class Listening:
    """A Sappho server, which knows what other devices play and may want a second factor."""

    def __init__(self, asked, _, module, users, books):
        self.numbers = {file: number for number, (file, *_) in enumerate(songs(asked), 1)}
        self.running = module.Running([books.book(self.numbers[file], title, artist, duration=seconds, files=[path], file_path=path)
                                       for file, path, seconds, title, artist in songs(asked)]).start()
        self.state = self.running.state
        self.state.users.code = CODE
        self.user, password = users.CARL if "asks" in asked else users.ANNA
        self.account = {"kind": "sappho", "url": self.running.url, "user": self.user, "password": password}

    def obey(self, word):
        if word["do"] != "plays":
            return {"error": f"this server knows no {word['do']}"}
        place = {"position": word["ms"] / 1000, "state": "playing", "clientInfo": {"name": "Phone", "platform": "Android"}}
        return self.state.shelf.report(self.state.users.rows[self.user], self.numbers[word["file"]], place)


def brought(asked, hub):
    """A server that OpenSubsonic is not enough for, or nothing."""
    can = set(asked.get("can", ()))
    if asked.get("is") == "worker":
        return Studio()
    for is_asked, one, *names in (("rooms" in can, Rooms, "musicroom"), ("upload" in can, Uploads, "chadmusic"),
                                  ("sessions" in can or "asks" in asked, Listening, "sappho", "sappho_users", "sappho_books")):
        modules = [found(name) for name in names] if is_asked else []
        if modules and all(modules):
            return one(asked, hub, *modules)
    return None


def hub_at(path):
    """The id of the hub that listens there, for a room that plays what comes from it."""
    ask = json.dumps({"t": "cmd", "id": 1, "m": "hub.info"})
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        link.sendall(f"POST /baton/cmd HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(ask)}\r\n\r\n{ask}".encode())
        return json.loads(b"".join(iter(lambda: link.recv(65536), b"")).partition(b"\r\n\r\n")[2])["d"]["id"]


def main():
    path, at = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        asked = json.load(file)
    others = {name: brought(one, lambda: hub_at(at)) for name, one in asked.items()}
    subsonic.serve(path, {name: one for name, one in others.items() if one})


if __name__ == "__main__":
    main()
