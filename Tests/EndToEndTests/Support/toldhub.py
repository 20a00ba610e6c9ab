"""A hub of one room that greets and keeps the time by itself, and answers presses only as a test tells it to."""

import contextlib
import json
import queue
import socket
import struct
import threading
import time

from runner.websocket import CLOSE, PING, PONG, TEXT, Framing, accept, encode


class ToldHub:
    """`command` gives the presses that come, one by one. Its clock is far from this machine's, and after the greeting all its samples are impossible."""

    AHEAD_US = 5_000_000_000

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = "ws://127.0.0.1:{}".format(self.server.getsockname()[1])
        self.commands, self.hellos, self.link = queue.Queue(), queue.Queue(), None
        self.revision, self.entry, self.has_next, self.is_deaf = 0, 0, True, False
        self.writing = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def close(self):
        self.server.close()
        self.end()

    # What a test says.

    def command(self, limit=8):
        """The next press."""
        try:
            return self.commands.get(timeout=limit)
        except queue.Empty:
            raise AssertionError(f"no press came within {limit} s") from None

    def silence(self, seconds):
        """What came although nothing should."""
        time.sleep(seconds)
        return [self.commands.get() for _ in range(self.commands.qsize())]

    def apply(self, command, **more):
        """A success; a skip also changes what is current, where its guard is."""
        if command["m"] == "next":
            if command["p"]["from"] != f"e{self.entry}":
                return self.say({"t": "res", "id": command["id"], "ok": 1, "st": "noop", "why": "moved"})
            self.entry += command["p"].get("n", 1)
            if self.view == "watch":
                more |= {"from": self.revision, "s": self.sections()}
            self.revision += 1
            if self.view != "watch":
                self.say({"t": "state", "from": self.revision - 1, "rev": self.revision, "s": self.sections()})
        return self.say({"t": "res", "id": command["id"], "ok": 1, "st": "applied", "rev": self.revision, **more})

    def refuse(self, command, code, **error):
        self.say({"t": "res", "id": command["id"], "ok": 0, "err": {"code": code, "retry": 1, "msg": "No.", **error}})

    def end(self, code=None):
        """Ends the connection, with a close code or without a word."""
        with contextlib.suppress(OSError, AttributeError):
            if code:
                self.write(struct.pack(">H", code), CLOSE)
            else:
                self.link.shutdown(socket.SHUT_RDWR)

    @staticmethod
    def now_us():
        return time.monotonic_ns() // 1000 + ToldHub.AHEAD_US

    # What it says by itself.

    def sections(self):
        if self.view == "watch":
            return {"n": {"i": f"e{self.entry}", "t": "Song"}, "l": [0, 0, 0], "v": [50, 0]}
        following = {"next": f"e{self.entry + 1}"} if self.has_next else {}
        return {"now": {"entry": f"e{self.entry}", "kind": "track", "sinceUs": self.now_us()}, "vol": {"level": 50, "mute": False, "range": [0, 100]},
                "queue": {"rev": 1, "len": 0, **following}}

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.link, _ = self.server.accept()
                with contextlib.suppress(OSError):
                    self.converse(self.link)
                self.link.close()

    def converse(self, link):
        head = b""
        while b"\r\n\r\n" not in head:
            head += link.recv(4096)
        key = head.partition(b"Sec-WebSocket-Key: ")[2].partition(b"\r\n")[0].decode()
        link.sendall(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept(key)}\r\n"
                     "Sec-WebSocket-Protocol: baton.v1\r\n\r\n".encode())
        framing = Framing()
        while more := link.recv(65536):
            for opcode, payload, _ in framing.feed(more):
                if opcode == CLOSE:
                    return
                if opcode == PING:
                    self.write(payload, PONG)
                if opcode == TEXT:
                    self.hear(json.loads(payload))

    def hear(self, message):
        kind, now = message["t"], self.now_us()
        if kind == "hello":
            self.view = message["view"]
            self.hellos.put(message)
            self.say({"t": "welcome", "core": "1.0", "features": [], "sess": "s", "epoch": "e", "boot": "b", "role": "remote", "caps": [],
                      "pace": [50, 20000], "t1": message["t1"], "t2": now, "t3": now})
        if kind == "hello" or kind == "sync" and not self.is_deaf:
            self.say({"t": "state", "full": 1, "rev": self.revision, "room": "main", "s": self.sections()})
        if kind == "time":
            self.say({"t": "time", "t1": message["t1"], "t2": now + 60_000_000, "t3": now + 90_000_000})
        if kind == "sub" or message.get("m") == "queue.get":
            self.apply({"id": message["id"], "m": ""}, d={"rev": 1, "len": 0, "from": 0, "rows": []})
        elif kind == "cmd":
            self.commands.put({**message, "at": time.monotonic()})

    def say(self, message):
        self.write(json.dumps(message).encode(), TEXT)

    def write(self, payload, opcode):
        with self.writing, contextlib.suppress(OSError):
            self.link.sendall(encode(payload, opcode, masked=False))
