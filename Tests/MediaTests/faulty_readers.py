#!/usr/bin/python3
"""Readers that misbehave, for the tests of the pool that uses them. The first argument names the fault."""

import os
import struct
import sys
import time

manner = sys.argv[1]


def exactly(count):
    data = b""
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            sys.exit(0)
        data += piece
    return data


def paths():
    (size,) = struct.unpack("<I", exactly(4))
    body = exactly(size)
    (count,) = struct.unpack_from("<H", body, 1)
    at, found = 3, []
    for _ in range(count):
        (length,) = struct.unpack_from("<I", body, at)
        found.append(body[at + 4 : at + 4 + length].decode())
        at += 4 + length
    return found


def say(body):
    os.write(1, struct.pack("<I", len(body)) + body)


def empty():
    """As a reader says that a file is empty."""
    say(b"\4\3\0\0\0\0")


if manner == "gone":
    sys.exit(0)
while True:
    asked = paths()
    for path in asked:
        if "bad" not in path:
            empty()
        elif manner == "dies":
            os.kill(os.getpid(), 11)
        elif manner == "hangs":
            time.sleep(600)
        elif manner == "dribbles":
            while True:
                os.write(1, b"\xff\xff\x1f\0")
                time.sleep(0.01)
        elif manner == "boasts":
            os.write(1, struct.pack("<I", 0xFFFFFFFF) + b"x" * 1000)
        elif manner == "babbles":
            say(os.urandom(200))
        elif manner == "pours":
            while True:
                os.write(1, struct.pack("<I", 2 << 20) + b"\1" + b"\0" * 60000)
        elif manner == "flatters":
            say(b"\2" + struct.pack("<QBIII", 1, 1, 5, 5, 0))
    if manner == "repeats":
        for _ in range(50):
            empty()
