#!/usr/bin/python3
"""Just enough of DNS-SD over multicast DNS to find hubs on a network, and to stand on it as one.

`mdns.py SECONDS` prints what was found as JSON. It asks as a one-shot querier does (RFC 6762, 5.1), from a port of its own, so that it
needs no daemon and disturbs none.
"""

import contextlib
import fcntl
import json
import os
import select
import socket
import struct
import sys
import threading
import time

GROUP = ("224.0.0.251", 5353)
SERVICE = "_baton._tcp.local"
PTR, TXT, SRV, A = 12, 16, 33, 1


def encoded(name):
    """A name whose first label may hold dots."""
    return b"".join(bytes([len(label)]) + label for label in (part.encode() for part in (name if isinstance(name, list) else name.split(".")))) + b"\0"


def labels(data, at):
    """The labels of a name, and where it ends."""
    found, end = [], None
    for _ in range(128):
        count = data[at]
        if count >= 0xC0:
            end, at = end or at + 2, (count & 0x3F) << 8 | data[at + 1]
        elif count == 0:
            return found, end or at + 1
        else:
            found.append(data[at + 1:at + 1 + count].decode(errors="replace"))
            at += 1 + count
    raise ValueError("a name without end")


def records(data):
    """Name, type and value of each record of an answer."""
    questions, *counts = struct.unpack_from(">4H", data, 4)
    at = 12
    for _ in range(questions):
        at = labels(data, at)[1] + 4
    for _ in range(sum(counts)):
        name, at = labels(data, at)
        kind, _, _, size = struct.unpack_from(">HHIH", data, at)
        at += 10
        if kind == PTR:
            yield name, kind, labels(data, at)[0]
        elif kind == SRV:
            yield name, kind, struct.unpack_from(">H", data, at + 4)[0]
        elif kind == TXT:
            yield name, kind, strings(data[at:at + size])
        at += size


def strings(data):
    found = []
    while data:
        found.append(data[1:1 + data[0]].decode(errors="replace"))
        data = data[1 + data[0]:]
    return [text for text in found if text]


def addresses():
    """The IPv4 addresses of this machine's interfaces."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        for _, name in socket.if_nameindex():
            try:
                yield socket.inet_ntoa(fcntl.ioctl(asker, 0x8915, struct.pack("256s", name.encode()[:15]))[20:24])
            except OSError:
                continue


def asking(address):
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    link.bind((address, 0))
    return link


def find(seconds, homes=None):
    """What is published in the networks of these addresses of ours: name, port and record of each instance that told all of it."""
    links, known, deadline, again = [asking(address) for address in homes or addresses()], {}, time.monotonic() + seconds, 0
    while (now := time.monotonic()) < deadline:
        if now >= again:
            again = now + 0.5
            asked = [(SERVICE, PTR)] + [(list(name), kind) for name, has in known.items() for kind in (SRV, TXT) if kind not in has]
            question = struct.pack(">6H", 1, 0, len(asked), 0, 0, 0) + b"".join(encoded(name) + struct.pack(">2H", kind, 1) for name, kind in asked)
            for link in links:
                with contextlib.suppress(OSError):  # An interface with no network behind it.
                    link.sendto(question, GROUP)
        for link in select.select(links, [], [], min(again, deadline) - now if min(again, deadline) > now else 0)[0]:
            for name, kind, value in records(link.recv(9000)):
                if kind == PTR and ".".join(name).lower() == SERVICE:
                    known.setdefault(tuple(value), {})
                elif kind in (SRV, TXT) and ".".join(name[1:]).lower() == SERVICE:
                    known.setdefault(tuple(name), {})[kind] = value
    for link in links:
        link.close()
    return [{"name": name[0], "port": has[SRV], "txt": has[TXT]} for name, has in known.items() if {SRV, TXT} <= set(has)]


class Published:
    """One instance on this machine's own network, the loopback, until it is closed."""

    HOME = "127.0.0.1"

    def __init__(self, name, port, txt):
        instance = encoded([name, *SERVICE.split(".")])
        text = b"".join(bytes([len(one.encode())]) + one.encode() for one in txt)
        host = encoded("runner.local")
        self.answer = b"".join((
            self.record(encoded(SERVICE), PTR, instance), self.record(instance, SRV, struct.pack(">3H", 0, 0, port) + host),
            self.record(instance, TXT, text), self.record(host, A, socket.inet_aton(self.HOME))))
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            self.link.setsockopt(socket.SOL_SOCKET, option, 1)
        self.link.bind(("", GROUP[1]))
        home = socket.inet_aton(self.HOME)
        self.link.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP[0]) + home)
        self.link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, home)
        self.end, self.stop = os.pipe()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    @staticmethod
    def record(name, kind, value):
        return name + struct.pack(">HHIH", kind, 1, 10, len(value)) + value

    def serve(self):
        while self.end not in (ready := select.select([self.link, self.end], [], [])[0]) and ready:
            data, sender = self.link.recvfrom(9000)
            number, flags, questions = struct.unpack_from(">3H", data) if len(data) >= 12 else (0, 0x8000, 0)
            if flags & 0x8000 or b"\x06_baton" not in data:
                continue
            # A one-shot querier reads its own question again in the answer; all others hear it by multicast.
            is_own = sender[1] != GROUP[1]
            asked = data[12:labels(data, 12)[1] + 4] if questions else b""
            head = struct.pack(">6H", number if is_own else 0, 0x8400, 1 if is_own and asked else 0, 4, 0, 0)
            self.link.sendto(head + (asked if is_own else b"") + self.answer, sender if is_own else GROUP)

    def close(self):
        os.write(self.stop, b"x")
        self.thread.join()
        for descriptor in (self.end, self.stop):
            os.close(descriptor)
        self.link.close()


if __name__ == "__main__":
    print(json.dumps(find(float(sys.argv[1]))))
