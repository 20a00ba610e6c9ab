"""A hub to try a remote on: the small hub of Core with some music in its queue, and what to say to it first."""

import argparse
import json
import signal
import socket
import sys

from runner import small
from runner.failing import Absent
from runner.websocket import dial, request

ALL = "demo:album/all"
# What a new remote says: who it is, and two presses.
MESSAGES = [
    {"t": "hello", "core": "1.0", "view": "remote", "client": {"id": "my-remote-1"}},
    {"t": "cmd", "id": 1, "m": "play"},
    {"t": "cmd", "id": 2, "m": "vol.set", "p": {"level": 40}},
]
PORT = 9442


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def fill(address):
    """Puts the music of the demonstration into the queue."""
    body = json.dumps({"t": "cmd", "id": 1, "m": "queue.add", "k": "demo-room", "p": {"uris": [ALL]}}).encode()
    with dial(address) as link:
        link.sendall(request(address, (), "/baton/cmd", None, "POST", body))
        while link.recv(65536):
            pass


def text(address):
    """What people are told."""
    lines = [f"A hub of Baton Core 1.0 with a demo room is at ws://{address}/baton, for programs on this machine.",
             "It plays six tracks without a sound, and needs no pairing code: Core has none.", "",
             "Open a WebSocket there with the subprotocol baton.v1, and send:", ""]
    lines += [json.dumps(message, separators=(",", ":")) for message in MESSAGES]
    return "\n".join(lines + ["", f"curl http://{address}/baton/state shows what a remote sees. Ctrl-C ends it."])


def main():
    parser = argparse.ArgumentParser(description="Starts a small hub to try a remote on, and says how to begin.")
    parser.add_argument("--playground", action="store_true", help="this")
    parser.add_argument("--port", type=int, help=f"the port; otherwise {PORT}, or another one where that is taken")
    parser.add_argument("--origin", action="append", default=[], metavar="ORIGIN", help="a web page that may use the hub, such as http://localhost:8000")
    asked = parser.parse_args()
    port = asked.port if asked.port is not None else PORT if is_free(PORT) else 0
    try:
        child, address = small.start("--port", str(port), "--name", "Playground", *(word for origin in asked.origin for word in ("--origin", origin)))
    except Absent as absent:
        print(f"the playground does not start: {absent}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda number, _: child.terminate())
    try:
        fill(address)
        print(text(address), flush=True)
        return child.wait()
    except KeyboardInterrupt:
        child.wait()
        return 0
    finally:
        child.terminate()


if __name__ == "__main__":
    sys.exit(main())
