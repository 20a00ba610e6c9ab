"""Just enough of RFC 6455 to say exactly what a test wants said, right or wrong.

A `Link` owns one socket, over TCP, TLS or a unix socket, and never blocks: `feed` reads what is there and
gives back whole frames. It knows nothing of the protocol; `Framing` is shared with the proxy.
"""

import base64
import hashlib
import os
import socket
import ssl
import struct
import time

from runner import device

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
OPCODES = {0, TEXT, BINARY, CLOSE, PING, PONG}
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PATH, SUBPROTOCOL = "/baton", "baton.v1"
# Seconds until a hub that says nothing is given up. How soon it has to answer is for scenarios to say.
LIMIT = 20
# No hub says more at once: a frame has at most 64 KiB, and heads are short.
MOST_HEAD, MOST_MESSAGE = 1 << 16, 1 << 24


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


class Broken(OSError):
    """What came is no HTTP, or no WebSocket: a sentence says why."""


class AnotherKey(OSError):
    """The machine is not the hub that this device was paired with."""


class Framing:
    """Cuts a stream of bytes into frames, and joins fragments into messages. A strict one takes nothing that no hub may say."""

    def __init__(self, is_strict=False):
        self.rest, self.is_strict = b"", is_strict
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
                if self.is_strict and len(collected) > MOST_MESSAGE:
                    raise Broken(f"a message in pieces has more than {MOST_MESSAGE >> 20} MiB")
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
        if self.is_strict and (data[0] & 0x70 or data[0] & 15 not in OPCODES):
            raise Broken(f"a frame begins with {data[:4].hex()}, which WebSocket does not know")
        if self.is_strict and count > MOST_MESSAGE:
            raise Broken(f"a frame of {count} bytes is announced")
        key = b""
        if data[1] & 0x80:
            key, at = data[at:at + 4], at + 4
        if len(data) < at + count:
            return None
        payload = data[at:at + count]
        raw, self.rest = data[:at + count], data[at + count:]
        return bool(data[0] & 0x80), data[0] & 15, unmask(payload, key) if key else payload, raw


def dial(address, limit=LIMIT, log=None):
    """A connected socket: `unix:/path`, `host:port`, or by TLS `tls:host:port`, whose keys are written into the file `log`."""
    if address.startswith("unix:"):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.settimeout(limit)
        link.connect(address[5:])
        return link
    is_secure, address = address.startswith("tls:"), address.removeprefix("tls:")
    host, _, port = address.rpartition(":")
    link = socket.create_connection((host.strip("[]"), int(port)), timeout=limit)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return device.context(log=log).wrap_socket(link) if is_secure else link


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
    first = lines[0].split(" ", 2)
    if len(first) < 2 or not first[0].startswith("HTTP/1.") or not (len(first[1]) == 3 and first[1].isdecimal()):
        raise Broken(f"it answered {lines[0][:60]!r}, which is no HTTP/1.1")
    status = int(first[1])
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

    def sentence(self):
        """What happened, for people."""
        if not self.status:
            return "the connection was ended before the upgrade was answered"
        said = self.body[:160].decode(errors="replace").strip()
        return f"the upgrade at {PATH} was answered by HTTP {self.status}" + (f": {said}" if said else "")


class Link:
    """One WebSocket to a hub."""

    def __init__(self, address, headers=(), subprotocol=SUBPROTOCOL, path=PATH, limit=LIMIT, pin=None, log=None):
        self.socket = dial(address, limit, log)
        self.framing = Framing(is_strict=True)
        self.is_open, self.is_read, self.answers_pings = True, True, True
        self.is_secure = address.startswith("tls:")
        self.pin = device.key_hash(self.socket) if self.is_secure else None
        if pin and self.pin != pin:
            # Before any word of ours: not even what is asked for is for another machine.
            self.socket.close()
            raise AnotherKey("the machine shows another key than the hub")
        self.socket.sendall(request(address, headers, path, subprotocol))
        try:
            self.headers, self.early = self.upgraded(time.monotonic() + limit)
        except BaseException:
            self.socket.close()
            raise
        self.socket.setblocking(False)

    def upgraded(self, deadline):
        """The headers of the answer to an upgrade, and what came behind them."""
        data = b""
        while b"\r\n\r\n" not in data:
            if len(data) > MOST_HEAD:
                raise Broken(f"the head of the answer has more than {MOST_HEAD >> 10} KiB, and begins with {data[:40]!r}")
            more = self.more(deadline, "the upgrade was not answered in time" + (f", and {data[:60]!r} came" if data else ""))
            if not more:
                break
            data += more
        head, _, rest = data.partition(b"\r\n\r\n")
        if not head:
            raise Refused(0, {}, b"")
        status, answered = head_of(head)
        if status != 101:
            # The sentence of a refusal may come behind its head.
            length = answered.get("content-length", "0")
            wanted = min(int(length) if length.isdecimal() else 0, MOST_HEAD)
            while len(rest) < wanted and (more := self.more(deadline, "the body of a refusal did not come in time")):
                rest += more
            raise Refused(status, answered, rest)
        return answered, rest

    def more(self, deadline, sentence):
        left = deadline - time.monotonic()
        try:
            if left > 0:
                self.socket.settimeout(left)
                return self.socket.recv(65536)
        except TimeoutError:
            pass
        raise TimeoutError(sentence)

    def fileno(self):
        return self.socket.fileno()

    @property
    def has_more(self):
        """Whether something is to be read that the socket itself does not show."""
        return bool(self.early) or self.is_secure and self.is_open and self.socket.pending() > 0

    def send(self, payload, opcode=TEXT, **how):
        self.write(encode(payload, opcode, **how))

    def write(self, data):
        if not self.is_open or not self.is_read:
            return
        self.socket.setblocking(True)
        self.socket.settimeout(5)
        try:
            self.socket.sendall(data)
        except OSError:
            self.is_read = False  # The hub has closed, or reads no more: what it said before that is still to be read.
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
        why = b""
        try:
            for opcode, payload, _ in self.framing.feed(data):
                if opcode == PING and self.answers_pings:
                    self.send(payload, PONG)
                yield opcode, payload
        except Broken as broken:
            self.is_open, why = False, str(broken).encode()
        if not self.is_open and self.socket.fileno() >= 0:
            self.socket.close()
            yield None, why

    def cut(self):
        """Ends it without a word, as a lost network does."""
        self.is_open = False
        self.socket.close()
