"""As much of WebSocket as a client needs, with nothing but the standard library."""

import base64
import os
import socket
import struct
from urllib.parse import urlsplit


class Socket:
    """A connection to a hub, which masks no frame, and may send a message in several. Pings are answered."""

    def __init__(self, url):
        at = urlsplit(url)
        self.link, self.data = socket.create_connection((at.hostname, at.port or 9442), 5), b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall("\r\n".join((
            "GET /baton HTTP/1.1", f"Host: {at.netloc}", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: baton.v1", "", "")).encode())
        while b"\r\n\r\n" not in self.data:
            if not (more := self.link.recv(4096)):
                raise OSError("the hub ended the connection")
            self.data += more
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        self.status, waits = int(head.split()[1]), [line[12:] for line in head.lower().split(b"\r\n") if line.startswith(b"retry-after:")]
        self.wait = int(waits[0]) if waits else 0
        self.kind, self.parts = 1, b""  # Of the message that is coming.

    def send(self, data, kind=1):
        mask, length = os.urandom(4), len(data)
        size = bytes([128 | length]) if length < 126 else bytes([254]) + struct.pack(">H", length)
        self.link.sendall(bytes([128 | kind]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def read(self):
        """The messages that have come, as (kind, payload); the last kind is None when the connection has ended."""
        more = self.link.recv(65536)
        self.data += more
        while len(self.data) > 1:
            size, at = self.data[1] & 127, 2
            if size > 125:
                at = 4 if size == 126 else 10
                size = int.from_bytes(self.data[2:at], "big") if len(self.data) >= at else 1 << 62
            if len(self.data) < at + size:
                break
            first, payload, self.data = self.data[0], self.data[at:at + size], self.data[at + size:]
            if first & 8:  # A close, a ping or a pong may stand between the parts of a message.
                if first & 15 == 9:
                    self.send(payload, 10)
                yield first & 15, payload
                continue
            self.kind, self.parts = first & 15 or self.kind, self.parts + payload
            if first & 128:
                whole, self.parts = self.parts, b""
                yield self.kind, whole
        if not more:
            yield None, b""
