"""Just enough of RFC 6455 to say exactly what a test wants said, right or wrong.

A `Link` owns one socket, over TCP, TLS or a unix socket, and never blocks: `feed` reads what is there and
gives back whole frames. It knows nothing of the companion protocol; `Framing` is shared with the proxy.
"""

import base64
import hashlib
import os
import socket
import ssl
import struct

from runner import device

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PATH, SUBPROTOCOL = "/companion/v1", "baton.v1"
# Seconds until a hub that says nothing is given up. How soon it has to answer is for scenarios to say.
LIMIT = 20


def encode(payload, opcode=TEXT, final=True, masked=True, claim=None):
    """One frame as bytes; `claim` announces another length than what follows."""
    count = len(payload) if claim is None else claim
    head = bytes([(0x80 if final else 0) | opcode])
    mask = 0x80 if masked else 0
    if count < 126:
        head += bytes([mask | count])
    elif count < 65536:
        head += bytes([mask | 126]) + struct.pack(">H", count)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", count)
    if not masked:
        return head + payload
    key = os.urandom(4)
    return head + key + unmask(payload, key)


def unmask(data, key):
    count = len(data)
    stream = (key * (count // 4 + 1))[:count]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(count, "big") if count else b""


class Framing:
    """Cuts a stream of bytes into frames, and joins fragments into messages."""

    def __init__(self):
        self.rest = b""
        self.parts = None

    def feed(self, data):
        """Frames as (opcode, payload, raw bytes); a fragmented message comes as one, with all its bytes."""
        self.rest += data
        while True:
            taken = self.take()
            if taken is None:
                return
            final, opcode, payload, raw = taken
            if opcode >= 8:
                yield opcode, payload, raw
            elif opcode == 0 and self.parts is not None:
                first, collected, bytes_ = self.parts
                self.parts = (first, collected + payload, bytes_ + raw)
            else:
                self.parts = (opcode, payload, raw)
            if opcode < 8 and final and self.parts is not None:
                done, self.parts = self.parts, None
                yield done

    def take(self):
        data = self.rest
        if len(data) < 2:
            return None
        count, at = data[1] & 0x7F, 2
        wide = {126: (">H", 2), 127: (">Q", 8)}.get(count)
        if wide:
            if len(data) < at + wide[1]:
                return None
            count, at = struct.unpack_from(wide[0], data, at)[0], at + wide[1]
        key = b""
        if data[1] & 0x80:
            key, at = data[at:at + 4], at + 4
        if len(data) < at + count:
            return None
        payload = data[at:at + count]
        raw, self.rest = data[:at + count], data[at + count:]
        return bool(data[0] & 0x80), data[0] & 15, unmask(payload, key) if key else payload, raw


def dial(address, limit=LIMIT):
    """A connected socket: `unix:/path`, `host:port`, or by TLS `tls:host:port`."""
    if address.startswith("unix:"):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.settimeout(limit)
        link.connect(address[5:])
        return link
    is_secure, address = address.startswith("tls:"), address.removeprefix("tls:")
    host, _, port = address.rpartition(":")
    link = socket.create_connection((host.strip("[]"), int(port)), timeout=limit)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return device.context().wrap_socket(link) if is_secure else link


def request(address, headers=(), path=PATH, subprotocol=SUBPROTOCOL, method="GET", body=b""):
    """The head of an upgrade, or with another method or no subprotocol of a plain request."""
    host = "localhost" if address.startswith("unix:") else address.removeprefix("tls:")
    usual = [("Host", host)]
    if subprotocol is not None:
        usual += [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                  ("Sec-WebSocket-Key", base64.b64encode(os.urandom(16)).decode())]
        if subprotocol:
            usual.append(("Sec-WebSocket-Protocol", subprotocol))
    else:
        usual += [("Connection", "close"), ("Content-Length", str(len(body)))] if body or method != "GET" else [("Connection", "close")]
    replaced = {name.lower() for name, _ in headers}
    lines = [f"{method} {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in usual if name.lower() not in replaced]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(lines + ["", ""]).encode() + body


def accept(key):
    return base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()


def head_of(data):
    """Status and headers of an HTTP answer's head."""
    lines = data.decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1])
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return status, headers


class Refused(Exception):
    """The upgrade was answered by something else than 101."""

    def __init__(self, status, headers, body):
        super().__init__(f"HTTP {status}")
        self.status, self.headers, self.body = status, headers, body


class Link:
    """One WebSocket to a hub."""

    def __init__(self, address, headers=(), subprotocol=SUBPROTOCOL, path=PATH, limit=LIMIT):
        self.socket = dial(address, limit)
        self.framing = Framing()
        self.is_open, self.answers_pings = True, True
        self.is_secure = address.startswith("tls:")
        self.pin = device.key_hash(self.socket) if self.is_secure else None
        self.socket.sendall(request(address, headers, path, subprotocol))
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.socket.recv(65536)
            if not more:
                break
            data += more
        head, _, rest = data.partition(b"\r\n\r\n")
        if not head:
            raise Refused(0, {}, b"")
        status, answered = head_of(head)
        if status != 101:
            # The sentence of a refusal may come behind its head.
            wanted = int(answered.get("content-length", 0))
            while len(rest) < wanted and (more := self.socket.recv(65536)):
                rest += more
            self.socket.close()
            raise Refused(status, answered, rest)
        self.headers = answered
        self.early = rest
        self.socket.setblocking(False)

    def fileno(self):
        return self.socket.fileno()

    @property
    def has_more(self):
        """Whether something is to be read that the socket itself does not show."""
        return bool(self.early) or self.is_secure and self.is_open and self.socket.pending() > 0

    def send(self, payload, opcode=TEXT, **how):
        self.write(encode(payload, opcode, **how))

    def write(self, data):
        if not self.is_open:
            return
        self.socket.setblocking(True)
        self.socket.settimeout(5)
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # The hub has closed: what it said before that is still to be read.
        finally:
            if self.is_open:
                self.socket.setblocking(False)

    def read(self):
        """What has come: frames, and at the end of the line one (None, b"")."""
        data, self.early = self.early, b""
        try:
            more = self.socket.recv(1 << 18)
            if not more:
                self.is_open = False
            data += more
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        except OSError:
            self.is_open = False
        for opcode, payload, _ in self.framing.feed(data):
            if opcode == PING and self.answers_pings:
                self.send(payload, PONG)
            yield opcode, payload
        if not self.is_open and self.socket.fileno() >= 0:
            self.socket.close()
            yield None, b""

    def cut(self):
        """Ends it without a word, as a lost network does."""
        self.is_open = False
        self.socket.close()
