"""What listens where a hub is expected and is none, for tests of the kit: what each does, and the reason that the kit must give."""

import contextlib
import json
import re
import socket
import threading
import time

from runner.websocket import PING, TEXT, accept, encode

# Seconds within which there is a verdict on a hub that is none.
LIMIT = 40


class Impostor:
    """Something that listens where a hub is expected."""

    def __init__(self, serve):
        self.serve, self.listener = serve, socket.create_server(("127.0.0.1", 0))
        self.address = f"ws://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        with contextlib.suppress(OSError):
            while True:
                link, _ = self.listener.accept()
                threading.Thread(target=self.one, args=(link,), daemon=True).start()

    def one(self, link):
        with contextlib.suppress(OSError), link:
            self.serve(link)


def upgraded(link):
    """Reads the head of an upgrade, and agrees to it."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += link.recv(4096)
    key = re.search(rb"(?i)sec-websocket-key: *(\S+)", data)[1].decode()
    link.sendall(f"HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: baton.v1\r\nSec-WebSocket-Accept: {accept(key)}\r\n\r\n".encode())


def never(link):
    time.sleep(LIMIT)


def at_once(link):
    link.close()


def garbage(link):
    while True:
        link.sendall(bytes(range(256)) * 16)


def endless_head(link):
    link.sendall(b"HTTP/1.1 101 Yes\r\n")
    while True:
        link.sendall(b"X-More: and more\r\n" * 100)


def garbage_behind(link):
    upgraded(link)
    link.sendall(b"\xff\xfe\xfd" * 1000)
    time.sleep(LIMIT)


def endless_frames(link):
    upgraded(link)
    while True:
        link.sendall(encode(b'{"t":"state","rev":1,"s":{}}', TEXT, masked=False) * 100)


def endless_pings(link):
    upgraded(link)
    while True:
        link.sendall(encode(b"", PING, masked=False) * 1000)


def endless_message(link):
    upgraded(link)
    link.sendall(b"\x81\x7f" + (1 << 40).to_bytes(8, "big"))
    while True:
        link.sendall(b" " * 65536)


def another_protocol(link):
    link.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    time.sleep(LIMIT)


def another_server(link):
    link.recv(4096)
    link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello")


def no_json(link):
    upgraded(link)
    link.sendall(encode(b"welcome!", TEXT, masked=False))
    time.sleep(LIMIT)


def strange_greeting(link):
    upgraded(link)
    for message in ({"t": "welcome", "features": 7}, {"t": "state", "full": 1, "rev": "one", "s": {"queue": []}}):
        link.sendall(encode(json.dumps(message).encode(), TEXT, masked=False))
    time.sleep(LIMIT)


IMPOSTORS = {
    never: "was not answered in time", at_once: "ended before the upgrade was answered", garbage: "is no hub: the head", endless_head: "more than 64 KiB",
    garbage_behind: "which WebSocket does not know", endless_frames: "no welcome", endless_pings: "no welcome", endless_message: "bytes is announced",
    another_protocol: "SSH-2.0", another_server: "HTTP 200: Hello", no_json: "which is no message", strange_greeting: "welcome of its greeting is not as Core has it",
}
