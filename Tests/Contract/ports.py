"""Ports for servers that have to be told one, since they neither choose it themselves nor take an open socket."""

import random
import socket


def free_port():
    """Below those that the system gives to connections (32768 and up): one of these may be gone before the server has it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
