"""The client's part of a conversation, played against a hub."""

import json
import secrets
import time

from conversations.chosen import Chosen
from conversations.connection import Connection
from conversations.files import head, payload, whole
from runner.failing import Fails
from runner.websocket import CLOSE, PING, PONG, TEXT, accept, dial, encode, head_of

PATIENCE_S = 5
OPCODES = {"text": TEXT, "more": 0, "binary": 2, "ping": PING, "pong": PONG, "close": CLOSE}


class Followed(Connection):
    """One connection to the hub, with what the client knows of it."""

    def __init__(self, address):
        super().__init__(dial(address), is_client=True)
        self.copy, self.rev, self.has_more = {}, None, False

    def next_frame(self, deadline, wanted):
        # A hub that says other things without end is given up, too.
        if time.monotonic() > deadline:
            raise Fails(f"the hub says other things where it was to say {wanted}")
        while not self.frames:
            if not self.fill(deadline - time.monotonic()) or (self.is_over and not self.frames):
                raise Fails(f"{'the hub ended the connection' if self.is_over else 'nothing came'} where it was to say {wanted}")
        return self.frames.pop(0)


class WithHub:
    """One conversation with a hub that is in the state which its header asks for."""

    def __init__(self, conversation, address, items):
        self.conversation, self.address = conversation, address
        self.chosen, self.connections = Chosen(conversation.header), {}
        for kind, length in (("client", 11), ("run", 4), ("key", 8)):
            for value in self.chosen.values.get(kind, ()):
                self.chosen.set(kind, value, secrets.token_urlsafe(16)[:length])
        for recorded, actual in zip(self.chosen.values.get("item", ()), items):
            self.chosen.set("item", recorded, actual)

    def play(self):
        """Plays it to its end. A fault is told with the line at which it was found."""
        try:
            self.go()
        finally:
            for one in self.connections.values():
                one.cut()

    def go(self):
        lines = self.lines()
        began, slipped = time.monotonic(), -lines[0]["at"] / 1000
        for line in lines:
            if line["by"] == "hub":
                self.hear(line, began + slipped + line["at"] / 1000)
                # What the hub says later than it was recorded moves what follows.
                slipped = max(slipped, time.monotonic() - began - line["at"] / 1000)
            elif not line.get("lost"):
                time.sleep(max(0, began + slipped + line["at"] / 1000 - time.monotonic()))
                self.say(line)

    def lines(self):
        """Lines of the client as they are, so that parts are sent as parts; those of the hub with their parts joined."""
        before = set(self.conversation.header.get("before", ()))
        return sorted([line for line in self.conversation.lines if line["by"] in ("client", "network") and line.get("on", 1) not in before] +
                      [line for line in whole(self.conversation.lines) if line["by"] == "hub" and line.get("on", 1) not in before], key=lambda line: line["n"])

    def say(self, line):
        number = line.get("on", 1)
        if line["frame"] == "request":
            self.connections[number] = Followed(self.address)
            self.connections[number].send(self.request(line["text"]))
        elif line["frame"] == "cut":
            self.connections[number].cut()
        else:
            data = payload(line)
            if line["frame"] == "text" and "fin" not in line and line.get("text", "").startswith("{"):
                data = self.filled(line["text"]).encode()
            self.connections[number].send(encode(data, OPCODES[line["frame"]], final="fin" not in line))

    def filled(self, text):
        try:
            return self.chosen.filled(text)
        except ValueError:
            return text  # It is no JSON, and is sent to be refused.

    def request(self, text):
        """The request with the address of this hub, and with the length that its body has now."""
        first, fields, body = head(text)
        body = self.filled(body)
        for recorded, actual in self.chosen.met.get("client", {}).items():
            first = first.replace(f"client={recorded}", f"client={actual}")
        fields["host"] = "localhost" if self.address.startswith("unix:") else self.address.removeprefix("tls:")
        if "content-length" in fields:
            fields["content-length"] = str(len(body.encode()))
        names = {name.lower(): name for name in (field.partition(":")[0] for field in text.partition("\r\n\r\n")[0].split("\r\n")[1:])}
        return "\r\n".join([first, *(f"{names[name]}: {value}" for name, value in fields.items()), "", body]).encode()

    # What the hub says

    def hear(self, line, due):
        one, deadline = self.connections[line.get("on", 1)], max(due, time.monotonic()) + PATIENCE_S
        try:
            getattr(self, line["frame"])(line, one, deadline)
        except Fails as fault:
            raise Fails(f"at {line['at']} ms, where the hub says {line.get('text', line['frame']).partition(chr(13))[0][:200]}: {fault}") from None

    def answer(self, line, one, deadline):
        first, fields, body = head(line["text"])
        while b"\r\n\r\n" not in one.data and one.fill(deadline - time.monotonic()):
            pass
        status, answered = head_of(one.data.partition(b"\r\n\r\n")[0] or b"HTTP/1.1 0")
        if status != int(first.split()[1]):
            raise Fails(f"the hub answered with {status}")
        if status == 101:
            wish = (accept(self.asked_key(line)), fields["sec-websocket-protocol"])
            if (answered.get("sec-websocket-accept"), answered.get("sec-websocket-protocol")) != wish:
                raise Fails("the upgrade was not accepted as RFC 6455 says")
            return one.upgrade()
        while not one.is_over and one.fill(deadline - time.monotonic()):
            pass
        found = one.data.partition(b"\r\n\r\n")[2].decode(errors="replace")
        missing = {"allow", "retry-after"} & set(fields) - set(answered)
        if missing:
            raise Fails(f"the answer has no {', '.join(sorted(missing))}")
        if body.startswith("{"):
            return self.chosen.meet(json.loads(body), self.read(found), line)
        return None

    def asked_key(self, line):
        mine = [one for one in self.conversation.lines if one["frame"] == "request" and one.get("on", 1) == line.get("on", 1)]
        return head(mine[-1]["text"])[1]["sec-websocket-key"]

    @staticmethod
    def read(text):
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Fails(f"{text[:200]!r} came, which is no object of JSON")
        # The recorded hub never waits for data. One that does is to play all the same.
        sections = value.get("s") if isinstance(value.get("s"), dict) else {}
        if (sections.get("tl") or {}).get("st") == "buffering":
            sections["tl"] |= {"st": "playing", "rate": 1000}
        if (sections.get("l") or ())[3:] == [1]:
            sections["l"] = [*sections["l"][:2], 1000]
        return value

    def text(self, line, one, deadline):
        recorded = json.loads(line["text"])
        while True:
            if recorded["t"] == "state" and one.has_more and self.is_reached(recorded, one, line):
                one.has_more = False
                return
            try:
                opcode, content = one.next_frame(deadline, recorded["t"])
            except Fails:
                if recorded["t"] == "state" and one.has_more:
                    self.chosen.meet(recorded, {**one.last, "s": one.copy}, line)
                raise
            if opcode == PONG:
                continue
            if opcode == CLOSE:
                raise Fails(f"the hub closed with {int.from_bytes(content[:2], 'big')} {content[2:].decode(errors='replace')}")
            actual = self.read(content.decode(errors="replace"))
            if actual.get("t") == "state":
                self.keep(actual, one)
            elif recorded["t"] != "state":
                self.chosen.meet(recorded, actual, line)
                if "s" in actual:
                    self.keep(actual, one)
                one.has_more = False
                return
            else:
                raise Fails(f"{content[:300].decode(errors='replace')} came")
            if recorded["t"] == "state" and recorded.get("full", 0) > actual.get("full", 0):
                raise Fails("the state is not whole")

    def keep(self, actual, one):
        """The copy that a client has. A hub may say in two states what was recorded in one."""
        if actual.get("full"):
            one.copy = {}
        elif one.rev is not None and actual.get("from") != one.rev:
            raise Fails(f"a state goes on from {actual.get('from')}, and the one before it led to {one.rev}")
        one.copy |= actual["s"]
        one.rev, one.last, one.has_more = actual["rev"], actual, True

    def is_reached(self, recorded, one, line):
        """Whether the copy is as the recorded state makes it."""
        try:
            self.chosen.meet(recorded, {**one.last, "s": one.copy}, line)
        except Fails:
            return False
        return True

    def binary(self, line, one, deadline):
        opcode, content = one.next_frame(deadline, "a binary frame")
        if (opcode, content) != (2, payload(line)):
            raise Fails(f"{content[:40].hex()} came")

    def ping(self, line, one, deadline):
        """A ping of the hub is answered whenever it comes."""

    def pong(self, line, one, deadline):
        earlier = []
        while (frame := one.next_frame(deadline, "a pong"))[0] != PONG:
            earlier.append(frame)
        one.frames[:0] = earlier
        if frame[1] != payload(line):
            raise Fails(f"the pong has {frame[1]!r}")

    def close(self, line, one, deadline):
        while True:
            opcode, content = one.next_frame(deadline, f"the close code {line['code']}")
            if opcode == CLOSE:
                break
        code = int.from_bytes(content[:2], "big")
        if code != line["code"]:
            raise Fails(f"the hub closed with {code} {content[2:].decode(errors='replace')}")
        one.send(encode(content[:2], CLOSE))

    def cut(self, line, one, deadline):
        while not one.is_over and one.fill(deadline - time.monotonic()):
            pass
        if not one.is_over:
            raise Fails("the hub did not end the connection")
