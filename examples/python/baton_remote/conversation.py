"""One connection to a hub, from `hello` to its end."""

import asyncio
import contextlib
import hmac
import json
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from websockets.exceptions import ConnectionClosed

from . import closing
from .answers import CORE, Message
from .clock import Clock, now_us
from .commands import CommandBook
from .dialing import Link, hub_key
from .errors import NotTheHub
from .joining import Joining
from .pairing import Credentials, b64, binding, proof, unb64
from .queue_mirror import QueueMirror
from .state import StateMirror

_TIME_AFTER_S = (0.0, 0.25, 0.5, 1.0)  # BT-CLK-007: four samples after connecting.
_WELCOME_S = 8
_SYNC_S, _SYNCS = 5.0, 3  # BT-STA-018


@dataclass
class Held:
    """What outlives a connection: who this client is, and its copies."""

    view: str
    name: str
    app: str
    client_id: str
    credentials: Credentials | None
    room: str | None
    run_id: str = field(default_factory=lambda: secrets.token_urlsafe(6))
    state: StateMirror = field(default_factory=StateMirror)
    clock: Clock = field(default_factory=Clock)
    commands: CommandBook = field(default_factory=CommandBook)
    queue: QueueMirror = field(default_factory=QueueMirror)
    #: Pairs when the hub asks who this is; `credentials` follow from it.
    joining: Joining | None = None
    last_error: str | None = None


class Conversation:
    """Says hello, proves who it is where it is asked to, keeps the copies current, and asks for the time."""

    def __init__(self, held: Held, link: Link, changed: Callable[[str], Awaitable[None]]) -> None:
        self.held, self.link, self._changed = held, link, changed
        #: The first state has come: commands may be sent.
        self.is_ready = False
        self._hello, self._challenge, self._hub_proof = "", "", b""
        self._silence_s: float = _WELCOME_S
        self.heard_us = self._time_us = self._sync_us = now_us()
        self._questions = self._syncs = 0
        self._is_welcome = False
        self._sync_s = _SYNC_S

    async def run(self) -> int | None:
        """Ends with the hub's close code, or None when the connection was lost."""
        self._hello = json.dumps(self._greeting(), separators=(",", ":"), ensure_ascii=False)
        await self.link.send(self._hello)
        hearing = self._listen()
        try:
            while True:
                # The task is kept while nothing comes: a cancelled recv could lose a message.
                await asyncio.wait({hearing}, timeout=max(0.0, self._wait_s()))
                if hearing.done():
                    text = hearing.result()
                    hearing = self._listen()
                    self.heard_us = now_us()
                    await self._take(text)
                elif now_us() - self.heard_us > self._silence_s * 1e6:
                    return await self._give_up()
                if not await self._ask():
                    return await self._give_up()
        except ConnectionClosed as closed:
            # The answer to our own close says nothing of what the hub wants.
            return closed.rcvd.code if closed.rcvd and closed.rcvd_then_sent else None
        finally:
            hearing.cancel()

    async def end(self, code: int = 1000) -> None:
        """Closes the connection; one that does not answer is left after a moment."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.link.close(code), 1.5)

    async def _give_up(self) -> int | None:
        """The same where this client comes back, whatever the hub says to that."""
        await self.end(1001)
        return None

    def _listen(self) -> "asyncio.Task[str | bytes]":
        hearing = asyncio.ensure_future(self.link.recv())
        # Its end is looked at here too, for the case that the conversation ends before it.
        hearing.add_done_callback(lambda task: task.cancelled() or task.exception())
        return hearing

    def _greeting(self) -> Message:
        held = self.held
        hello: Message = {
            "t": "hello", "core": CORE, "view": held.view, "t1": now_us(),
            "client": {"id": held.client_id, "run": held.run_id, "name": held.name, "app": held.app}}
        if held.room:
            hello["rooms"] = [held.room]
        if resume := held.state.resume:
            hello["resume"] = resume
        return hello

    # What it asks by itself.

    def _wait_s(self) -> float:
        now = now_us()
        due = self.heard_us + self._silence_s * 1e6
        if self.is_ready:
            due = min(due, self._time_us, self.held.commands.next_us or due)
        if self._is_welcome and self.held.state.is_behind:
            due = min(due, self._sync_us)
        return (due - now) / 1e6

    async def _ask(self) -> bool:
        """False when the whole state was asked for in vain."""
        now = now_us()
        if self.is_ready and 0 < self.held.commands.next_us <= now:
            await self._changed("due")
        if self.is_ready and now >= self._time_us:
            later = 60.0 if self.held.view == "watch" else 10.0
            if self._questions < len(_TIME_AFTER_S) - 1:
                later = _TIME_AFTER_S[self._questions + 1] - _TIME_AFTER_S[self._questions]
            self._questions += 1
            self._time_us = now + int(later * 1e6)
            await self.link.send(json.dumps({"t": "time", "t1": now}))
        if self._is_welcome and self.held.state.is_behind and now >= self._sync_us:
            if self._syncs == _SYNCS:
                self.held.state.drop()
                return False
            self._syncs += 1
            self._sync_us = now + int(self._sync_s * 1e6)
            await self.link.send('{"t":"sync"}')
        return True

    async def _join(self, message: Message) -> None:
        """One step of a pairing; after the last one this device proves itself on the same connection (BT-PAIR-003)."""
        joining = self.held.joining
        if joining is None:
            return
        answer = joining.begin(message, hub_key(self.link)) if message["t"] == "challenge" else joining.take(message)
        if answer:
            return await self.link.send(json.dumps(answer))
        self.held.credentials, self.held.joining = joining.credentials, None
        await self._identify(self._challenge)

    async def _identify(self, challenge: str) -> None:
        """Shows the key of this device, and notes the proof that the hub has to show (BT-HS-012)."""
        kept, spki = self.held.credentials, hub_key(self.link)
        if not kept or spki is None:
            raise NotTheHub("This device is not paired with this hub. Pair it: baton-remote pair wss://HOST:9443")
        nonce = secrets.token_bytes(16)
        about = (unb64(kept.key), binding(spki), self._hello.encode(), challenge.encode(), nonce)
        self._hub_proof = proof(b"hub", *about)
        await self.link.send(json.dumps(
            {"t": "auth", "m": "device", "dev": kept.dev, "nonce": b64(nonce), "mac": b64(proof(b"client", *about))}))

    # What it hears.

    async def _take(self, text: str | bytes) -> None:
        t4 = now_us()
        if isinstance(text, bytes):
            return  # A piece of a picture; without the cap "art" there is none for us.
        try:
            message: Message = json.loads(text)
        except (ValueError, RecursionError):
            message = {}
        kind = message.get("t") if isinstance(message, dict) else None
        if self.held.joining and kind in ("challenge", "pair", "err"):
            self._challenge = text if kind == "challenge" else self._challenge
            await self._join(message)
        elif kind == "challenge":
            await self._identify(text)
        elif kind == "welcome":
            self._welcome(message, t4)
        elif kind == "time":
            self.held.clock.add(message["t1"], message["t2"], message["t3"], t4)
        elif kind == "state":
            await self._apply(message)
        elif kind == "res":
            if "s" in message:
                await self._apply(message)
            self.held.commands.take(message, t4)
        elif kind == "q":
            if message.get("room", self.held.state.room) == self.held.state.room:
                self.held.queue.hear(message)
                await self._changed("queue")
        elif kind == "err":
            self.held.last_error = message["err"]["msg"]
        # Everything else cannot be read, is from a newer hub, or not for us (BT-HS-009).

    def _welcome(self, message: Message, t4: int) -> None:
        held, self._is_welcome = self.held, True
        if held.credentials and not (self._hub_proof and hmac.compare_digest(unb64(message.get("mac", "")), self._hub_proof)):
            raise NotTheHub("The hub could not show that it is the one this device was paired with.")
        if held.state.welcome(message):
            held.clock.forget()
        held.clock.add(message["t1"], message["t2"], message["t3"], t4)
        self._silence_s, self._sync_s = closing.silence(message["pace"][1]), max(_SYNC_S, message["pace"][0] / 1000)

    async def _apply(self, message: Message) -> None:
        was_behind = self.held.state.is_behind
        if not self.held.state.take(message):
            if not was_behind:
                self._sync_us, self._syncs = now_us(), 0  # Asked for at once, and again only when nothing comes (BT-STA-007).
            return
        if not self.is_ready:
            self.is_ready, self._time_us = True, now_us()
            await self._changed("ready")
        await self._changed("state")
