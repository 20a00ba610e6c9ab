"""A WebSocket peer that says exactly what it is told to, right or wrong, over a plain socket."""

import socket
import struct

from runner.websocket import CLOSE, TEXT, Framing, encode, request

HOST = "127.0.0.1"
HELLO = b'{"t":"hello","core":"1.0","view":"full","client":{"id":"k3Jr0vYx2mQ","name":"A peer","app":"peer/1"}}'


def reach(place):
    """A connection to a port on this machine, or to the path of a socket."""
    if isinstance(place, int):
        return socket.create_connection((HOST, place))
    link = socket.socket(socket.AF_UNIX)
    link.connect(place)
    return link


class RawPeer:
    def __init__(self, port):
        """By a port on this machine, the path of a socket, or over a socket that leads there."""
        self.socket = port if isinstance(port, socket.socket) else reach(port)
        self.socket.settimeout(60)
        self.framing = Framing()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, data):
        self.socket.sendall(data)

    def more(self):
        """Waits for bytes, and tells whether any came."""
        data = self.socket.recv(65_536)
        self.framing.rest += data
        return bool(data)

    def answer(self):
        """The head of an HTTP answer."""
        while b"\r\n\r\n" not in self.framing.rest and self.more():
            pass
        head, _, self.framing.rest = self.framing.rest.partition(b"\r\n\r\n")
        return head.decode(errors="replace")

    def upgrade(self, *headers):
        self.say(request(HOST, headers))
        head = self.answer()
        if not head.startswith("HTTP/1.1 101"):
            raise AssertionError(f"no WebSocket: {head}")
        return self

    def greet(self):
        self.upgrade().say(encode(HELLO))
        while True:
            opcode, payload = self.hear()
            if opcode == TEXT and b'"t":"state"' in payload:
                return self

    def hear(self):
        """The next frame: its opcode and its payload."""
        while (frame := self.framing.take()) is None:
            if not self.more():
                raise EOFError
        _, opcode, payload, _ = frame
        return opcode, payload

    def ending(self):
        """The close code that the hub gives, or nothing when it only cuts the line."""
        try:
            while True:
                opcode, payload = self.hear()
                if opcode == CLOSE:
                    return struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None
        except (EOFError, ConnectionError):
            return None
