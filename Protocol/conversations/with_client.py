"""The hub's part of a conversation, played against a client that is started for it, and a person who presses its buttons.

The client keeps the contract of ../MANUAL.md, “Judge a client”.
"""

import json
import os
import select
import shlex
import socket
import tempfile
import time

from conversations.chosen import Chosen
from conversations.connection import Connection
from conversations.files import head, payload, whole
from conversations.proof import HubSide
from conversations.with_hub import OPCODES
from runner.failing import Fails, Skips
from runner.pattern import matches
from runner.program import Program
from runner.websocket import CLOSE, PONG, TEXT, accept, encode

PATIENCE_S = 10
# To the hub a client that closes with one of these has said `bye`.
POLITE = (1000, 1001)


class WithClient:
    """One conversation with a client that begins as one that was never here."""

    def __init__(self, conversation, command, is_viewed=True):
        """`is_viewed`: the client may be asked for the view of the conversation."""
        self.conversation, self.command, self.is_viewed = conversation, shlex.split(command), is_viewed
        self.chosen, self.others = Chosen(conversation.header), set(conversation.header.get("others", ()))
        # The numbers of commands, and the client's clock, are the client's own.
        for kind, path in (("number", "id"), ("moment", "t1")):
            self.chosen.kinds[path] = kind
            self.chosen.met.setdefault(kind, {})
        self.chosen.values["number"], self.chosen.values["moment"] = self.said("id"), self.said("t1")
        self.one = self.client = self.clock = self.proof = None
        self.last, self.is_welcome, self.has_ended = time.monotonic(), False, False

    def said(self, name):
        """The values that the client gave a member of its messages when this was recorded."""
        return [content[name] for line in whole(self.conversation.lines) if line["frame"] == "text" and line["by"] == "client"
                for content in [json.loads(line["text"])] if name in content]

    def play(self):
        with tempfile.TemporaryDirectory(prefix="bt-") as home, socket.create_server(("127.0.0.1", 0)) as self.door:
            view = self.conversation.header.get("view")
            self.proof = HubSide(self.conversation.header["secrets"], home) if "secrets" in self.conversation.header else None
            url = f"{'wss' if self.proof else 'ws'}://127.0.0.1:{self.door.getsockname()[1]}/baton"
            words = [*self.command, "--url", url, *(["--view", view] if view and self.is_viewed else [])]
            self.client = Program(words, {**os.environ, "HOME": home, "XDG_STATE_HOME": home}, f"{home}/errors")
            try:
                self.go()
            finally:
                if self.one:
                    self.one.cut()
                if self.client.process.poll() is None:
                    self.client.end(2)

    def go(self):
        lines = self.lines()
        for place, line in enumerate(lines):
            if line["by"] != "client":
                # The pauses of the hub and the person are as they were, but for what the client has to wait for itself.
                before = lines[place - 1]["at"] if place else line["at"]
                self.pause((line["at"] - before) / 1000)
            try:
                getattr(self, f"{line['by']}_{line['frame']}")(line)
            except Fails as fault:
                raise Fails(f"at {line['at']} ms, {line['by']} {line['frame']} {line.get('text', '').partition(chr(13))[0][:160]}: {fault}") from None
            self.last = time.monotonic()
        if not self.has_ended:
            if not any(line["frame"] == "press" and line["text"] == "quit" for line in lines):
                self.client.say("quit")
            self.part()
            code = self.client.end(PATIENCE_S)
            if code != 0:
                raise Fails(f"the client ended with {code} after quit")

    def part(self):
        """Answers the client's goodbye, for which the conversation may have no line, until it has ended."""
        deadline = time.monotonic() + PATIENCE_S
        while self.client.process.poll() is None and time.monotonic() < deadline:
            self.pause(0.05)
            if self.one and not self.one.is_over and any(map(self.is_goodbye, self.one.frames)):
                self.close(POLITE[0].to_bytes(2, "big"))

    @staticmethod
    def is_goodbye(frame):
        opcode, content = frame
        if opcode == CLOSE:
            return int.from_bytes(content[:2], "big") in POLITE
        return opcode == TEXT and WithClient.read(content).get("t") == "bye"

    def lines(self):
        """Lines of the client with their parts joined; those of the hub as they are, so that parts are sent as parts."""
        return sorted([line for line in whole(self.conversation.lines) if line["by"] == "client" and self.counts(line)] +
                      [line for line in self.conversation.lines if line["by"] != "client" and self.counts(line)], key=lambda line: line["n"])

    def counts(self, line):
        if line["by"] in ("person", "network"):
            return line.get("on", 1) not in self.others
        # What a client asks about the time, and when, is its own choice.
        text = line.get("text", "")
        return line.get("on", 1) not in self.others and not text.startswith('{"t":"time"') and not (line["by"] == "hub" and line.get("lost"))

    def pause(self, seconds):
        """Waits, and answers meanwhile what has nothing to do with the conversation."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self.one and self.one.framing and not self.one.is_over:
                self.one.fill(left)
                self.answer_times()
            else:
                time.sleep(left)

    def answer_times(self):
        """Answers questions about the time, wherever they stand among what has come."""
        for frame in list(self.one.frames):
            if frame[0] == TEXT and self.is_welcome and b'"time"' in frame[1] and (asked := self.read(frame[1])).get("t") == "time":
                self.one.frames.remove(frame)
                self.send_text(json.dumps({"t": "time", "t1": asked["t1"], "t2": self.hub_us(), "t3": self.hub_us()}))

    def hub_us(self):
        begun, at = self.clock
        return begun + int((time.monotonic() - at) * 1e6)

    def send_text(self, text):
        self.one.send(encode(text.encode(), masked=False))

    @staticmethod
    def read(content):
        try:
            value = json.loads(content)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise Fails(f"the client said {content[:200]!r}, which is no object of JSON")
        return value

    # The client

    def client_request(self, line):
        least, most = line.get("least", 0) / 1000, line.get("most", 0) / 1000
        if not select.select([self.door], [], [], max(PATIENCE_S, most + 1))[0]:
            raise Fails(f"the client did not connect{self.client.last_words()}")
        waited = time.monotonic() - self.last
        # The clock of a test may be a little behind that of what it tests.
        if waited < least - 0.05 or (most and waited > most + 1):
            raise Fails(f"the client came after {waited:.2f} s, not after {least} to {most} s")
        # Each connection has numbers of its own, which may go on or begin anew.
        self.chosen.met["number"].clear()
        self.one, self.is_welcome = Connection(self.secured(self.door.accept()[0]), is_client=False), False
        deadline = time.monotonic() + PATIENCE_S
        while b"\r\n\r\n" not in self.one.data:
            if not self.one.fill(deadline - time.monotonic()) or self.one.is_over:
                raise Fails("the client sent no request")
        wished, _, _ = head(line["text"])
        first, self.asked, _ = head(self.one.data.decode("latin-1"))
        if first.split()[:2] != wished.split()[:2] or "baton.v1" not in self.asked.get("sec-websocket-protocol", ""):
            raise Fails(f"the client asked for {first!r}")

    def secured(self, link):
        """The connection, inside TLS where the lines are."""
        link.settimeout(PATIENCE_S)
        return self.proof.secured(link) if self.proof else link

    def client_text(self, line):
        deadline = time.monotonic() + PATIENCE_S
        while True:
            self.answer_times()
            # A pong may come at any time.
            said = [frame for frame in self.one.frames if frame[0] != PONG]
            if said:
                break
            if not self.one.fill(deadline - time.monotonic()):
                raise Fails(f"the client said nothing{self.client.last_words()}")
        (opcode, content), self.one.frames = said[0], said[1:]
        if self.is_goodbye((opcode, content)) and json.loads(line["text"])["t"] == "bye":
            return
        if opcode != TEXT:
            raise Fails(f"the client sent a frame of type {opcode}: {content[2:]!r}")
        recorded, said = json.loads(line["text"]), self.read(content)
        self.look_at_view(recorded, said)
        self.chosen.meet(recorded, said, line)
        if self.proof and not self.is_welcome:
            self.proof.judged(content.decode(), is_right=not line.get("wrong"))

    def look_at_view(self, recorded, said):
        """A conversation in one view is none for a client that asks for another one."""
        wanted, view = recorded.get("view"), said.get("view")
        if recorded["t"] == said.get("t") == "hello" and isinstance(view, str) and view != wanted and not self.is_viewed:
            raise Skips(f"it is in the view {wanted}, and this client asks for {view}: --view {wanted} asks for it, or --can view where it has several")

    def client_close(self, line):
        self.client_cut(line)

    def client_cut(self, line):
        deadline = time.monotonic() + line.get("most", PATIENCE_S * 1000) / 1000
        while not self.one.is_over and self.one.fill(deadline - time.monotonic()):
            self.answer_times()
        if not self.one.is_over:
            raise Fails("the client did not end the connection")
        self.one.cut()

    def client_ping(self, line):
        """A client sends a ping when it likes."""

    client_pong = client_ping

    # The hub

    def hub_answer(self, line):
        first, fields, body = head(line["text"])
        if " 101 " in first:
            fields["sec-websocket-accept"] = accept(self.asked["sec-websocket-key"])
        self.one.send("\r\n".join([first, *(f"{name}: {value}" for name, value in fields.items()), "", body]).encode())
        if " 101 " in first:
            self.one.upgrade()
        else:
            self.one.cut()

    def hub_text(self, line):
        text = line["text"]
        if "fin" not in line and text.startswith("{"):
            text = self.proof.answered(self.chosen.filled(text)) if self.proof and not self.is_welcome else self.chosen.filled(text)
            if text.startswith('{"t":"welcome"'):
                self.clock, self.is_welcome = (json.loads(text)["t3"], time.monotonic()), True
        self.one.send(encode(text.encode(), OPCODES[line["frame"]], final="fin" not in line, masked=False))

    hub_more = hub_text

    def hub_binary(self, line):
        self.one.send(encode(payload(line), OPCODES[line["frame"]], masked=False))

    hub_ping = hub_binary

    def hub_pong(self, line):
        """Pings of the client were answered when they came."""

    def hub_close(self, line):
        self.close(payload(line))

    def close(self, reason):
        self.one.send(encode(reason, CLOSE, masked=False))
        deadline = time.monotonic() + 1
        while not self.one.is_over and self.one.fill(deadline - time.monotonic()):
            pass
        self.one.cut()

    def hub_cut(self, line):
        self.one.cut()

    network_cut = hub_cut

    # The person

    def person_press(self, line):
        self.client.say(line["text"])

    def person_shown(self, line):
        """Asks until the client shows it."""
        wish, deadline, last = json.loads(line["text"]), time.monotonic() + PATIENCE_S, None
        while time.monotonic() < deadline:
            self.client.say("show")
            last = self.client.hear(lambda said: "shown" in said, PATIENCE_S, "what it shows")["shown"]
            if matches(wish, last):
                return
            self.pause(0.1)
        raise Fails(f"the client shows {last}")

    def person_told(self, line):
        """What the client says of a press, once it is answered."""
        wish = json.loads(line["text"])
        said = self.client.hear(lambda said: said.get("press") == wish["press"], PATIENCE_S, f"the answer to {wish['press']}")
        if not matches(wish, said):
            raise Fails(f"the client says {said}")

    def person_ended(self, line):
        wish = json.loads(line["text"])
        self.client.hear(lambda said: said.get("ended") == wish, PATIENCE_S, f"that it has ended with {wish}")
        self.has_ended = True
