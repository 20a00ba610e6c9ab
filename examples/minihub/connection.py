"""One WebSocket connection: greeting, messages, the pace of states, limits, and the end: chapters 3 and 4 of the text.

Frames are read and written by the `websockets` library; this file decides what they say.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from commands import NAME, ROLES, SAFE, answer_to, check_names, check_values, integer, many, members, perform, text, word
from effects import refuse
from hub import SECTIONS, VIEWS, Caller, Hub
from player import clock
from wire import BINARY_FRAME, CORE, FIRST_FRAME, HUB_FRAME, LARGEST, LIMITS, Bucket, Closing, Faults, Refusal, cut, demand, read, write

Message = dict[str, Any]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def pace(value: Any, at: str) -> None:
    many(integer(20, 120_000), 2, 2)(value, at)
    demand(value[0] <= value[1], refuse("pace is the least and the most time, in this order.", at))


# Seconds of silence after which a client is pinged, and after which it is gone.
SILENCE, SILENCE_WATCH = (20, 45), (60, 150)
TYPES = ("hello", "cmd", "sub", "cancel", "sync", "time", "bye")
STAMP, ID, NAMES, WORDS = integer(-LARGEST, LARGEST), integer(1, 2**31 - 1), many(text(1, 64), 0, 64), many(text(1, 32), 0, 32)
CLIENT = {"id": text(4, 64, NAME), "run": text(1, 32, NAME), "name": text(0, 128), "app": text(0, 64)}
RESUME = {"epoch": text(1, 32, NAME), "rev": SAFE, "rooms": NAMES, "sections": NAMES}
HELLO = {"core": text(1, 16), "view": text(0, 64), "caps": WORDS, "features": WORDS, "rooms": NAMES, "role": word(*ROLES), "locale": text(0, 35),
         "t1": STAMP, "client": members(CLIENT, "id"), "resume": members(RESUME, *RESUME)}  # fmt: skip
SUB = {"rooms": NAMES, "sections": NAMES, "pace": pace}


class Connection:
    """A client. Until `welcome` it has no view."""

    def __init__(self, hub: Hub, streams: Streams, caller: Caller, all: set["Connection"]) -> None:
        self.hub, self.caller, self.all = hub, caller, all
        self.reader, self.writer = streams
        self.frames = ServerProtocol(state=State.OPEN, max_size=max(BINARY_FRAME, LIMITS["client-frame"]))
        self.view, self.run_name = "", None
        self.followed: tuple[str, ...] = ()
        self.least = self.most = self.part_since = self.state_at = self.refused_until = 0.0
        self.rev = self.last_id = 0
        self.kind, self.parts = Opcode.TEXT, list[bytes]()
        self.opened = self.heard = self.pinged = self.said = self.written = time.monotonic()
        rate, burst = LIMITS["command-rate"], LIMITS["command-burst"]
        self.commands, self.messages = Bucket(rate, burst), Bucket(max(100, rate), max(500, burst))
        self.malformed, self.hasty, self.delayed = Faults(2, 60), Faults(200, 10), Faults(200, 10)

    # The life of a connection

    async def run(self) -> None:
        """Reads frames until the end. After the close frame it reads a little more, so that the other side gets that."""
        self.beating, unread = asyncio.create_task(self._beat()), HUB_FRAME
        with suppress(ConnectionError):
            while unread > 0 and (data := await self.reader.read(HUB_FRAME)):
                self.heard = time.monotonic()
                self.frames.receive_data(data)
                try:
                    for event in self.frames.events_received() if self.frames.state is State.OPEN else ():
                        await self._admit(event)
                except Closing as closing:
                    self.close(closing.code, closing.why)
                self._flush()
                unread -= len(data) if self.frames.state is not State.OPEN else 0
                self.part_since = (self.part_since or self.heard) if self.parts or self.frames.reader.buffer else 0
        self.writer.close()

    async def _beat(self) -> None:
        """Looks many times a second what is due: a state, a sign of life, a ping, or the end of one who is too slow. What is over is cut 2 s later."""
        unsent = 0
        while self.frames.state is State.OPEN and not self.writer.is_closing():
            now, before, unsent = time.monotonic(), unsent, self.writer.transport.get_write_buffer_size()
            ping, end = SILENCE_WATCH if self.caller.watch else SILENCE
            self.written = now if unsent < before or not unsent else self.written
            if (not self.view and now > self.opened + 5) or now > (self.part_since or now) + 10:
                self.close(4408, "hello, or the rest of a message, came too slowly.")
            elif now > self.written + 10 or now > self.heard + end:
                self.writer.transport.abort()
            elif now > max(self.heard, self.pinged) + ping:
                self.pinged = now
                self.frames.send_ping(b"")
                self._flush()
            elif self.view and not unsent and (now > self.said + self.most or (now > self.state_at + self.least and self.hub.since(self.rev, self.followed))):
                self.send_news()
            await asyncio.sleep(0.005)
        await asyncio.sleep(2)
        self.writer.transport.abort()

    async def _admit(self, frame: Event) -> None:
        """Takes a frame, later where frames come too fast, and acts when a message is whole."""
        assert isinstance(frame, Frame)
        while wait := self.messages.take(time.monotonic(), 1 + len(frame.data) // 8192):
            self.delayed.add(time.monotonic(), 4429)
            await asyncio.sleep(wait + 0.001)
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self.kind, self.parts = frame.opcode, []
        elif frame.opcode is not Opcode.CONT:
            return
        self.parts.append(bytes(frame.data))
        most = BINARY_FRAME if self.kind is Opcode.BINARY else LIMITS["client-frame"] if self.view else FIRST_FRAME
        demand(sum(map(len, self.parts)) <= most, Closing(1009, "A message is too long."))
        if frame.fin:
            await asyncio.sleep(0)  # Others have their turn between two messages of one.
            whole, self.parts = b"".join(self.parts), []
            self._receive(whole, clock())

    def close(self, code: int, why: str) -> None:
        if self.frames.state is State.OPEN:
            self.frames.send_close(code, why)
            self._flush()

    # Sending

    def _flush(self) -> None:
        """Writes what the library has for the socket; empty bytes stand for the end."""
        for data in self.frames.data_to_send() if not self.writer.is_closing() else ():
            with suppress(OSError):
                self.writer.write(data) if data else self.writer.write_eof()

    def send(self, message: Message) -> None:
        if self.frames.state is State.OPEN:
            self.frames.send_text(write(message).encode())
            self._flush()
            self.said = time.monotonic()
            if self.writer.transport.get_write_buffer_size() > HUB_FRAME:
                self.close(4430, "The client reads too slowly.")

    def send_error(self, refusal: Refusal) -> None:
        self.send({"t": "err", "err": refusal.error})

    def send_whole(self) -> None:
        """Everything that the client follows."""
        self._take_news()
        self.send({"t": "state", "full": 1, "rev": self.rev, "room": self.hub.room.id, "s": self.hub.whole(self.followed)})

    def send_news(self) -> None:
        self.send({"t": "state", "rev": self.hub.revision} | self._take_news())

    def _take_news(self) -> Message:
        """What has changed since the client was told last. It has everything then."""
        news = {"from": self.rev, "s": self.hub.since(self.rev, self.followed)}
        self.rev, self.state_at = self.hub.revision, time.monotonic()
        return news

    # Receiving

    def _receive(self, data: bytes, rx: int) -> None:
        if self.kind is Opcode.BINARY:
            demand(self.view, Closing(4400, "A binary frame came before welcome."))
            return
        try:
            message = read(data.decode())
            kind = message.get("t")
            text(1, 64)(kind, "/t")
            demand(self.view or kind in ("hello", "bye"), Closing(4400, "The first message is hello."))
            demand(kind in TYPES, Refusal("unknown_type", f"There is no message of type “{kind}”."))
            getattr(self, f"on_{kind}")(message, rx)
        except UnicodeDecodeError:
            raise Closing(1007, "A text is not UTF-8.") from None
        except Refusal as refusal:
            if not self.view:
                raise Closing(4400, str(refusal)[:100]) from None
            if refusal.malformed:
                self.malformed.add(time.monotonic(), 4400)
            self.send_error(refusal)

    def on_hello(self, hello: Message, rx: int) -> None:
        demand(not self.view, refuse("hello was said before.", "/t"))
        core = hello.get("core")
        if core is None or (isinstance(core, str) and core.split(".")[0] != CORE.split(".")[0]):
            self.send_error(Refusal("unsupported_version", f"This hub speaks Core {CORE}; client or hub needs an update.", core=CORE))
            raise Closing(4406, f"This hub speaks Core {CORE}.")
        check_values(hello, HELLO, "view", "client")
        hub, client = self.hub, hello["client"]
        self.view = hello["view"] if hello["view"] in VIEWS else "remote"
        self.followed, pace = VIEWS[self.view]
        self.least, self.most = (ms / 1000 for ms in pace)
        role = min(self.caller.role, hello.get("role", self.caller.role), key=ROLES.index)
        self.caller = self.caller._replace(role=role, client=client["id"], name=cut(client.get("name", ""), 128), watch=self.view == "watch")
        self.run_name = client.get("run")
        for other in self.all - {self}:
            if self.run_name and (other.caller.principal, other.run_name) == (self.caller.principal, self.run_name):
                other.close(4409, "A newer connection of this client has replaced this one.")
        granted = {"sess": secrets.token_hex(4), "epoch": hub.epoch, "boot": hub.boot, "role": role, "caps": [], "pace": pace}
        said = {name: hello[name] for name in ("t1",) if name in hello} | ({"view": self.view} if hello["view"] != self.view else {})
        self.send({"t": "welcome", "core": CORE, "features": []} | granted | said | {"t2": rx, "t3": clock()})
        try:
            self._check_rooms(hello.get("rooms", []))
        except Refusal as refusal:
            self.send_error(refusal)
        self._send_first(hello.get("resume"))

    def _send_first(self, resume: Message | None) -> None:
        """The first state: what is newer than the copy that the client holds, or everything."""
        hub = self.hub
        if not resume or resume["epoch"] != hub.epoch or resume["rev"] > hub.revision or resume["rooms"] != [hub.room.id]:
            return self.send_whole()
        self.rev = resume["rev"]
        news = self._take_news()
        news["s"] |= hub.whole(name for name in self.followed if name not in resume["sections"])
        self.send({"t": "state", "rev": hub.revision, "room": hub.room.id} | news)

    def _check_rooms(self, rooms: list[str]) -> None:
        demand(len(rooms) <= 1, Refusal("unsupported", "This hub has one room.", at="/rooms/1"))
        demand(not rooms or rooms[0] == self.hub.room.id, Refusal("not_found", "There is no such room.", at="/rooms/0"))

    def _take_turn(self, id: int | None = None) -> bool:
        """Refuses a command whose number did not grow, or that came too soon; any other has its turn."""
        demand(id is None or id > self.last_id, Refusal("id_reuse", "id must grow with each command.", at="/id"))
        self.last_id = id or self.last_id
        if wait := self.commands.take(now := time.monotonic()):
            if now < self.refused_until:
                self.hasty.add(now, 4429)
            self.refused_until = now + wait
            raise Refusal("rate_limited", "Too many commands were sent in a short time.", afterMs=int(wait * 1000) + 1)
        return True

    def _reply(self, message: Message, rx: int, act: Callable[[], Message]) -> None:
        """Answers what was asked with a number, once the state that belongs to it was told: inside the answer to a watch."""
        ID(id := message.get("id"), "/id")
        answer = answer_to(id, lambda: act() if self._take_turn(id) else {})
        if answer.get("st") == "applied" and self.rev < self.hub.revision:
            if self.caller.watch and answer.get("why") != "dup":
                answer |= self._take_news()
            else:
                self.send_news()
        times = {"rx": rx, "tx": clock()}
        self.send(answer | ({name: us // 1000 % 2**31 for name, us in times.items()} if self.caller.watch else times))

    def on_cmd(self, message: Message, rx: int) -> None:
        self._reply(message, rx, lambda: perform(self.hub, message, self.caller))

    def on_sub(self, message: Message, rx: int) -> None:
        def follow() -> Message:
            check_names(message, "t", "id", *SUB)
            check_values(message, SUB)
            self._check_rooms(message.get("rooms", []))
            self.followed = tuple(name for name in SECTIONS if name in message.get("sections", self.followed))
            self.least, self.most = (ms / 1000 for ms in message.get("pace", (self.least * 1000, self.most * 1000)))
            self.send_whole()
            return {"st": "applied", "rev": self.rev}

        self._reply(message, rx, follow)

    def on_cancel(self, message: Message, rx: int) -> None:
        """Skips it: a command of this hub is answered before the next message is read."""
        check_names(message, "t", "id")
        ID(message.get("id"), "/id")

    def on_sync(self, message: Message, rx: int) -> None:
        self._take_turn()
        self.send_whole()

    def on_time(self, message: Message, rx: int) -> None:
        STAMP(t1 := message.get("t1"), "/t1")
        self.send({"t": "time", "t1": t1, "t2": rx, "t3": clock()})

    def on_bye(self, message: Message, rx: int) -> None:
        raise Closing(1000, "Goodbye.")
