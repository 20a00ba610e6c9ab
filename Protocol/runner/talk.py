"""A conversation with a hub, typed by hand: what a line says is sent, and what the hub says is shown.

    python3 baton-check.pyz talk                           a small hub with a demo room, for this conversation
    python3 baton-check.pyz talk ws://127.0.0.1:9442       one that runs

Lines are `pause`, `vol.set {"level":40}`, or a message of your own, which begins with `{`. Ctrl-D ends it.
"""

import argparse
import json
import os
import secrets
import select
import sys
import time

from runner import device as devices, small
from runner.failing import Absent, Unfit
from runner.playground import fill
from runner.running import addresses, pair
from runner.websocket import CLOSE, TEXT, AnotherKey, Broken, Link, Refused
from runner.world import as_json

GUARDED = {"next": "from", "prev": "from", "seek": "entry", "seekBy": "entry"}
PATIENCE = 5


class Talk:
    """One connection. What is sent is shown behind `>`, what comes behind `<`."""

    def __init__(self, address, view, device):
        self.link = Link(address, pin=device.pin if device else None)
        self.exchange = devices.Exchange(self.link.pin) if self.link.pin else None
        self.device, self.number, self.entry, self.unanswered, self.is_greeted = device, 0, None, set(), False
        self.say({"t": "hello", "core": "1.0", "view": view, "client": {"id": "talk-" + secrets.token_hex(4), "name": "Talk"}})

    def say(self, message):
        payload = as_json(message).encode()
        if self.exchange:
            self.exchange.sent(payload)
        if message.get("t") in ("cmd", "sub") and isinstance(message.get("id"), int):
            self.unanswered.add(message["id"])
            self.number = max(self.number, message["id"])
        self.said = time.monotonic()
        print(">", payload.decode(), flush=True)
        self.link.send(payload)

    def type(self, line):
        """A message, or the name of a command with its parameters as JSON."""
        name, _, rest = line.partition(" ")
        try:
            if line.startswith("{"):
                return self.say(json.loads(line))
            parameters = json.loads(rest or "{}")
        except ValueError as error:
            return print(f"this is no JSON: {error}", file=sys.stderr)
        if name in GUARDED and self.entry:
            parameters = {GUARDED[name]: self.entry, **parameters}
        return self.say({"t": "cmd", "id": self.number + 1, "m": name, "k": secrets.token_hex(4), **({"p": parameters} if parameters else {})})

    def hear(self, payload):
        print("<", payload.decode(errors="replace"), flush=True)
        if self.exchange:
            self.exchange.heard(payload)
        try:
            message = dict(json.loads(payload))
        except (ValueError, TypeError):
            return
        sections = message.get("s") or {}
        for name, member in (("tl", "entry"), ("n", "i")):
            if name in sections:
                self.entry = (sections[name] or {}).get(member)
        self.is_greeted |= message.get("t") == "state"
        self.unanswered.discard(message.get("id"))
        if message.get("t") == "challenge" and self.device:
            self.say(self.exchange.auth(self.device)[0])

    def run(self, lines):
        """Until the hub ends it, or the last line has its answer."""
        typed, deadline, is_over = b"", None, False
        while self.link.is_open and not (is_over and (time.monotonic() > deadline or self.is_greeted and not typed and not self.unanswered)):
            # What is typed is sent once the hub has said what is so, also by the answer before, since it may mean that.
            if b"\n" in typed and self.is_greeted and (not self.unanswered or time.monotonic() - self.said > 1):
                line, _, typed = typed.partition(b"\n")
                if line.strip():
                    self.type(line.decode(errors="replace").strip())
                if is_over:
                    deadline = time.monotonic() + PATIENCE
                continue
            found = select.select([self.link, *([] if is_over else [lines])], [], [], 0 if self.link.has_more else 0.1)[0]
            if lines in found:
                data = os.read(lines.fileno(), 65536)
                typed += data
                if not data:
                    is_over, deadline, typed = True, time.monotonic() + PATIENCE, typed + b"\n"
            if self.link in found or self.link.has_more:
                for opcode, payload in self.link.read():
                    if opcode == TEXT:
                        self.hear(payload)
                    elif opcode == CLOSE:
                        return f"the hub ended the connection with {int.from_bytes(payload[:2], 'big')} {payload[2:].decode(errors='replace')}".rstrip()
        return None if is_over else "the connection has ended"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hub", nargs="?", metavar="URL", help="ws://HOST:9442, wss://HOST:9443 or unix:/PATH; without it a small hub is started")
    parser.add_argument("--view", default="remote", help="remote, full or watch")
    parser.add_argument("--device", metavar="FILE", help="by TLS: where this machine's pairing is kept")
    parser.add_argument("--code", metavar="DIGITS", help="by TLS, once: the six digits that the hub shows")
    asked = parser.parse_args()
    child = None
    try:
        if asked.hub:
            found = addresses([asked.hub])
            if not found:
                raise Unfit(f"{asked.hub} is no address: write ws://HOST:9442, wss://HOST:9443 or unix:/PATH")
            device = devices.load(asked.device) if asked.device else None
            if asked.code:
                device = pair(found, asked.code)
                if asked.device:
                    devices.keep(asked.device, device)
            elif "tls" in found and device is None:
                raise Unfit("by TLS the hub asks for a device that is paired: give --code DIGITS, the six that it shows, and --device FILE to stay paired")
            address = next(iter(found.values()))
        else:
            (child, address), device = small.start("--port", "0", "--name", "Playground"), None
            fill(address)
        return Talk(address, asked.view, device).run(sys.stdin)
    except Refused as refused:
        return f"at {asked.hub} is no hub: {refused.sentence()}"
    except (Absent, Unfit, Broken, AnotherKey) as error:
        return str(error)
    except OSError as error:
        return f"there is no connection to {asked.hub}: {error}"
    except KeyboardInterrupt:
        return 0
    finally:
        if child:
            child.terminate()
            child.wait()


if __name__ == "__main__":
    sys.exit(main())
