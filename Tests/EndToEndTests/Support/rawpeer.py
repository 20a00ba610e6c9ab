"""A WebSocket peer that says exactly what it is told to, right or wrong, over a plain socket."""

import os
import socket
import struct


def request(path="/companion/v1", headers=()):
    names = {name.lower() for name, _ in headers}
    usual = [
        ("Host", "127.0.0.1"), ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Protocol", "baton.v1"),
    ]
    lines = [f"GET {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in usual if name.lower() not in names]
    return "\r\n".join(lines + [f"{name}: {value}" for name, value in headers] + ["", ""]).encode()


def frame(payload, opcode=1, final=True, masked=True, claim=None):
    """One frame; `claim` announces another length than what follows."""
    count = len(payload) if claim is None else claim
    head = bytes([(0x80 if final else 0) | opcode])
    mask = 0x80 if masked else 0
    if count < 126:
        head += bytes([mask | count])
    elif count < 65_536:
        head += bytes([mask | 126]) + struct.pack(">H", count)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", count)
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


HELLO = b'{"t":"hello","v":[1],"profile":"full","client":{"id":"k3Jr0vYx2mQ","name":"A peer","app":"peer/1"}}'


def reach(place):
    """A connection to a port on this machine, or to the path of a socket."""
    if isinstance(place, int):
        return socket.create_connection(("127.0.0.1", place))
    link = socket.socket(socket.AF_UNIX)
    link.connect(place)
    return link


class RawPeer:
    def __init__(self, port):
        """By a port on this machine, the path of a socket, or over a socket that leads there."""
        self.socket = port if isinstance(port, socket.socket) else reach(port)
        self.socket.settimeout(60)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, data):
        self.socket.sendall(data)

    def answer(self):
        """The head of an HTTP answer."""
        while b"\r\n\r\n" not in self.rest:
            more = self.socket.recv(65_536)
            if not more:
                break
            self.rest += more
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        return head.decode(errors="replace")

    def upgrade(self, *headers):
        self.say(request(headers=headers))
        head = self.answer()
        if not head.startswith("HTTP/1.1 101"):
            raise AssertionError(f"no WebSocket: {head}")
        return self

    def greet(self):
        self.upgrade().say(frame(HELLO))
        while True:
            opcode, payload = self.hear()
            if opcode == 1 and b'"t":"state"' in payload:
                return self

    def take(self, count):
        while len(self.rest) < count:
            more = self.socket.recv(65_536)
            if not more:
                raise EOFError
            self.rest += more
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def hear(self):
        """The next frame: its opcode and its payload."""
        head = self.take(2)
        count = head[1] & 0x7F
        if count == 126:
            count = struct.unpack(">H", self.take(2))[0]
        elif count == 127:
            count = struct.unpack(">Q", self.take(8))[0]
        return head[0] & 15, self.take(count)

    def ending(self):
        """The close code that the hub gives, or nothing when it only cuts the line."""
        try:
            while True:
                opcode, payload = self.hear()
                if opcode == 8:
                    return struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None
        except (EOFError, ConnectionError):
            return None
