"""A peer that goes on without end: how much of it a hub takes after it has decided to close."""

import socket
import time

from runner.websocket import PING, encode

# Frames that are right by themselves, so that it is the hub's decision alone that ends their reading.
PIECE = encode(b"x" * 125, PING) * 500


def poured(link, head, most, seconds):
    """Writes `head` and then up to `most` bytes more, reads nothing, and tells what was taken, and whether and when the line was cut."""
    began, taken, data = time.monotonic(), 0, memoryview(PIECE)
    link.settimeout(seconds)
    cut = False
    try:
        link.sendall(head)
        while taken < most and time.monotonic() - began < seconds:
            taken += link.send(data[taken % len(data):])
    except (TimeoutError, socket.timeout):
        pass
    except OSError:
        cut = True
    return {"taken": taken, "cut": cut, "ms": int((time.monotonic() - began) * 1000)}
