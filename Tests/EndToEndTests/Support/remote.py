"""A remote written from the protocol's text: it keeps its copy of the state, and asks one thing after another."""

import json
import os
import time

from runner.websocket import encode
from Support.rawpeer import RawPeer


# Commands that make a secret need a command key.
SECRETS = {"pair.open", "dev.rotate", "user.signup", "user.signin", "user.guest", "listen.link", "hub.ticket"}


class Gone(Exception):
    """The connection ended, or said nothing for too long."""


class Remote:
    def __init__(self, port, name, run=None, view="full", headers=(), **greeting):
        """`port` as RawPeer takes it. `name` is the device: keys are counted for it, whatever connection they come by."""
        self.sections, self.revision, self.number = {}, 0, 0
        try:
            self.peer = RawPeer(port).upgrade(*headers)
            client = {"id": name, "run": run or os.urandom(6).hex(), "name": name}
            self.say(t="hello", core="1.0", view=view, client=client, t1=0, **greeting)
            self.welcome = self.hear()
            self.offset = self.welcome["t3"] - time.monotonic() * 1e6
            self.hear()
        except (OSError, EOFError, AssertionError) as ended:
            raise Gone(ended) from None

    def close(self):
        self.peer.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def hub_us(self):
        """The hub's clock, as far as one sample on one machine tells."""
        return time.monotonic() * 1e6 + self.offset

    def say(self, **message):
        try:
            self.peer.say(encode(json.dumps(message).encode()))
        except OSError as ended:
            raise Gone(ended) from None

    def hear(self):
        """The next message; what it says about the state is kept."""
        while True:
            try:
                opcode, payload = self.peer.hear()
            except (OSError, EOFError) as ended:
                raise Gone(ended) from None
            if opcode == 8:
                raise Gone(payload)
            if opcode == 9:
                self.peer.say(encode(payload, opcode=10))
            if opcode == 1:
                message = json.loads(payload)
                if message["t"] == "state":
                    self.keep(message)
                return message

    def keep(self, state):
        if state.get("full"):
            self.sections = {}
        elif state["from"] != self.revision and self.revision:
            raise AssertionError(f"a state from {state['from']} came to who had {self.revision}")
        self.revision = state["rev"]
        for name, value in state["s"].items():
            if value is None:
                self.sections.pop(name, None)
            else:
                self.sections[name] = value

    def send(self, method, parameters=None, key=None, room=None):
        self.number += 1
        key = key or (os.urandom(6).hex() if method in SECRETS else None)
        self.say(t="cmd", id=self.number, m=method, p=parameters or {}, **({"k": key} if key else {}), **({"room": room} if room else {}))
        return self.number

    def answer(self, number):
        while True:
            message = self.hear()
            if message["t"] == "res" and message["id"] == number:
                return message

    def ask(self, method, parameters=None, key=None, room=None):
        return self.answer(self.send(method, parameters, key, room))

    def rows(self):
        """The whole queue: entry and uri, in order."""
        found = []
        while True:
            page = self.ask("queue.get", {"from": len(found), "n": 100})["d"]
            found += [(row["entry"], row["uri"]) for row in page["rows"]]
            if len(found) >= page["len"]:
                return found

    def position_ms(self):
        """Where the line stands now; nothing when no entry is current."""
        line = self.sections["tl"]
        return line["posMs"] + max(0, self.hub_us() - line["atUs"]) * line["rate"] / 1e6 if "entry" in line else None
