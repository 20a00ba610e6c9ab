"""Commands until they are answered: their ids, their keys, and when one is sent again (BT-RTY-*)."""

import asyncio
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from .answers import Answer, Message
from .clock import now_us
from .state import short_ms

# Classes G and K of the specification: sent twice without a key, they could count twice.
_KEYED = frozenset((
    "book.chapter", "clips.add", "clips.continue", "clips.start", "dev.rotate", "gen.again", "gen.steer", "gen.vary", "hub.ticket", "job.start",
    "listen.link", "listen.only", "mark.add", "next", "pair.open", "pl.create", "pl.delete", "pl.edit", "pl.restore", "prev", "progress.restore",
    "queue.add", "queue.clear", "queue.continue", "queue.replace", "queue.shuffle", "queue.undo", "radio.back", "radio.live", "radio.play",
    "room.create", "room.move", "seek", "seekBy", "user.guest", "user.signin", "user.signup", "vol.step"))
DEFAULT_TTL_MS = 5000
# Refusals after which a command waits as long as the hub asks (BT-RTY-018).
_PUT_OFF = ("rate_limited", "busy")
# Commands of which only the newest counts in a room, by what they change.
_SUBJECTS = {"vol.set": "level", "play": "playing", "pause": "playing", "toggle": "playing", "stop": "playing"}
_OUTDONE = Answer(ok=True, outcome="noop", why="newer")


def needs_key(method: str, parameters: Message) -> bool:
    """Whether a command must carry a key (BT-RTY-001)."""
    return method in _KEYED or method == "play" and "uri" in parameters


@dataclass(eq=False)
class Command:
    """One command. It keeps its key over all connections."""

    method: str
    parameters: Message
    ttl_ms: int
    pressed_us: int
    answer: "asyncio.Future[Answer]"
    room: str | None = None
    key: str | None = field(init=False)
    sent_us: int | None = None  # None: not sent yet on this connection.
    was_sent: bool = False
    #: It was sent, and whether the hub did it is not known.
    is_in_doubt: bool = False
    #: A newer one of its subject was made.
    is_outdone: bool = False
    not_before_us: int = 0
    #: Later than `pressed_us` where presses waited to be one.
    made_us: int = field(default_factory=now_us)

    def __post_init__(self) -> None:
        self.key = secrets.token_urlsafe(9)[:12] if needs_key(self.method, self.parameters) else None

    def is_wanted(self, now: int) -> bool:
        """Whether its answer is still waited for, by our own clock (BT-RTY-013)."""
        return not self.answer.done() and now - self.pressed_us <= self.ttl_ms * 1000

    def frame(self, number: int, now: int, hub_us: int | None, view: str = "remote") -> Message:
        """The message that is sent. `ct` is computed anew from a sample of this connection's boot."""
        if self.method == "sub":
            return {"t": "sub", "id": number, **self.parameters}
        frame: Message = {"t": "cmd", "id": number, "m": self.method}
        if self.key:
            frame["k"] = self.key
        if self.room:
            frame["room"] = self.room
        if self.ttl_ms != DEFAULT_TTL_MS:
            frame["ttl"] = self.ttl_ms
        # A fresh command needs no age; leaving it out saves bytes on a watch.
        if hub_us is not None and now - self.pressed_us > 500_000:
            pressed = hub_us - (now - self.pressed_us)
            frame["ct"] = short_ms(pressed) if view == "watch" else pressed // 1000
        if self.parameters:
            frame["p"] = self.parameters
        return frame


class CommandBook:
    """All commands without an answer, in the order in which they were pressed."""

    def __init__(self) -> None:
        self._open: list[Command] = []
        self._asked: dict[int, Command] = {}
        self._number = 0

    def add(self, command: Command, now: int) -> None:
        """A new command, or a `sub`; both take their ids from one sequence."""
        self.outdo(command.method, command.room, now)
        self._open.append(command)

    def outdo(self, method: str, room: str | None, now: int) -> None:
        """A newer command is made: drops older ones of its subject that the hub has put off, and levels that are not on their way."""
        subject = _SUBJECTS.get(method)
        for command in self._open if subject else []:
            if command.room == room and _SUBJECTS.get(command.method) == subject:
                command.is_outdone = True
                if command.sent_us is None and (method == "vol.set" or now < command.not_before_us):
                    self.settle(command, _OUTDONE)

    def is_put_off(self, method: str, now: int) -> bool:
        """Whether such a command waits because the hub has asked for it."""
        return any(command.method == method and command.sent_us is None and now < command.not_before_us for command in self._open)

    def connected(self) -> None:
        """Ids begin anew with each connection; what has no answer is sent again with its key (BT-RTY-007)."""
        self._number, self._asked = 0, {}
        for command in self._open:
            command.sent_us = None

    def due(self, now: int) -> Iterator[Command]:
        """Commands that were not sent yet on this connection."""
        self._open = [command for command in self._open if command.is_wanted(now)]
        for command in list(self._open):
            if command.sent_us is None and command.is_outdone and command.method == "vol.set":
                self.settle(command, _OUTDONE)
            elif command.sent_us is None and now >= command.not_before_us:
                yield command

    def send(self, command: Command, now: int) -> int:
        """Notes a sending; gives back the id of it."""
        self._number += 1
        self._asked[self._number] = command
        command.sent_us, command.was_sent, command.is_in_doubt = now, True, True
        return self._number

    @property
    def next_us(self) -> int:
        """When a command that the hub has asked to wait is sent again; 0 while there is none."""
        return min((command.not_before_us for command in self._open if command.sent_us is None and command.not_before_us), default=0)

    def take(self, message: Message, now: int) -> None:
        """A `res` has come. The first answer counts, whichever sending it belongs to. Where the hub is too busy and asks to wait, the
        command is sent again if it is still wanted then, and no newer one of its subject was made."""
        command = self._asked.pop(message["id"], None)
        if command is None:
            return
        error = message.get("err", {})
        wait_us = error.get("afterMs", 0) * 1000 if error.get("code") in _PUT_OFF else 0
        if not wait_us or not command.is_wanted(now + wait_us):
            self.settle(command, Answer.of(message))
        elif command.is_outdone:
            self.settle(command, _OUTDONE)
        else:
            command.sent_us, command.not_before_us, command.is_in_doubt = None, now + wait_us, False

    def settle(self, command: Command, answer: Answer) -> None:
        """Ends a command."""
        self._open = [other for other in self._open if other is not command]
        if not command.answer.done():
            command.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """No further connection is made: each command that waits ends with this error."""
        for command in self._open:
            if not command.answer.done():
                command.answer.set_exception(error)
        self._open = []
