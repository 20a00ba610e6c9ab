"""A remote that stays with one hub: it comes back when a connection breaks, and sends each press so that it counts once."""

import asyncio
import json
import random
import secrets
import time
from collections.abc import AsyncIterator
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException

from . import closing
from .answers import Answer, Message
from .clock import now_us
from .commands import DEFAULT_TTL_MS, Command
from .conversation import Conversation, Held
from .dialing import AnotherKey, Dial, Link, check_refusal, dial
from .errors import BatonError, Ended, NoAnswer, NotTheHub
from .following import FollowedQueue
from .pairing import Credentials, unb64
from .queue_mirror import QueueMirror
from .skipping import QuickNext
from .state import Playing

_STABLE_S = 10


class Remote:
    """Use it as `async with Remote(url) as remote:`, or call `stay()` in a task of your own.

    `view` is `watch`, `remote` or `full`. `client_id` is random, made once and kept by the caller, since
    keys count per id. `credentials` is the result of `pair`, for a hub that asks who this is.
    """

    def __init__(self, url: str, *, view: str = "remote", name: str = "Python remote", app: str = "baton_remote/1", client_id: str | None = None,
                 credentials: Credentials | None = None, room: str | None = None, connect: Dial | None = None) -> None:
        self.url = url
        self._connect: Dial = connect or (lambda: dial(url, unb64(self.held.credentials.pin) if self.held.credentials else None))
        self.held = Held(view, name, app, client_id or secrets.token_urlsafe(8), credentials, room)
        self.queue = FollowedQueue(self.held.queue, self.held.state, self.subscribe, self.command)
        self._current: Conversation | None = None
        self._sending, self._connected = asyncio.Lock(), asyncio.Event()
        self._listeners: set[asyncio.Event] = set()
        self._ended: BatonError | None = None
        self._is_leaving = False
        self._ready_at = float("inf")
        self._staying: asyncio.Task[int] | None = None
        # BT-PRO-008: 8 changes of volume a second from a watch, 15 from other remotes.
        self._volume_gap = 1 / (7.5 if view == "watch" else 14)
        self._volume_wanted: tuple[int, int] | None = None  # A level, and when it was pressed.
        self._volume_task: asyncio.Task[Answer] | None = None
        self._quick_next = QuickNext(lambda parameters, pressed_us: self._press("next", parameters, pressed_us), self._look)

    # Life

    async def __aenter__(self) -> "Remote":
        self._staying = asyncio.create_task(self.stay())
        # How it ended is kept in `_ended`, and raised by the next command.
        self._staying.add_done_callback(lambda task: task.cancelled() or task.exception())
        await self.connected()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()
        if self._staying:
            self._staying.cancel()
            await asyncio.wait({self._staying})

    async def stay(self) -> int:
        """Connects, and comes back, until the hub says that there is no use: gives back that close code."""
        tries = 0
        try:
            while True:
                self._ready_at, code, least = float("inf"), None, 0.0
                try:
                    async with self._connect() as link:
                        code = await self._converse(link)
                except AnotherKey as error:
                    raise NotTheHub("This is not the hub that this device was paired with: its key is another one.") from error
                except (OSError, TimeoutError, WebSocketException) as error:
                    least = check_refusal(error)
                if code is not None and closing.advice(code) is not closing.Advice.RETRY:
                    raise Ended(code, self.held.last_error or closing.sentence(code))
                if self._is_leaving:
                    return 1000
                tries = 0 if time.monotonic() - self._ready_at > _STABLE_S else tries
                await asyncio.sleep(least + closing.pause(code, tries, random.random()))
                tries += 1
        except Ended as ended:
            self._end(ended)
            return ended.code
        except BatonError as error:
            self._end(error)
            raise

    async def connected(self) -> None:
        """Waits until the hub's state is here; raises when the hub ends the connection for good."""
        await self._connected.wait()
        if self._ended:
            raise self._ended

    async def leave(self) -> None:
        """Ends the connection politely; no other one is made."""
        self._is_leaving = True
        self.queue.stop()
        if self._current:
            await self._current.end()

    @property
    def is_connected(self) -> bool:
        """Whether the hub's state is current."""
        return self._current is not None and self._current.is_ready and not self.held.state.is_behind

    def has(self, profile: str) -> bool:
        """Whether the hub has this profile of the protocol, such as `library`."""
        return self.held.state.has(profile)

    @property
    def ending(self) -> str | None:
        """Why no further connection is made, as a sentence."""
        return str(self._ended) if self._ended else None

    async def _converse(self, link: Link) -> int | None:
        self._current = Conversation(self.held, link, self._changed)
        try:
            return await self._current.run()
        finally:
            self._current = None
            await self._changed("left")

    async def _changed(self, what: str) -> None:
        if what == "ready":
            self._ready_at = time.monotonic()
            self.held.commands.connected()
            self.queue.connected()
            self._connected.set()
            await self._send_due()
        elif what == "due":
            await self._send_due()
        elif what == "queue" or what == "state" and not self.has("history"):
            self.queue.changed()
        for listener in self._listeners:
            listener.set()

    def _end(self, error: BatonError) -> None:
        self._ended = error
        self.held.commands.fail(error)
        for event in (self._connected, *self._listeners):
            event.set()

    # Commands

    async def command(self, method: str, /, *, ttl_ms: int = DEFAULT_TTL_MS, to_room: str | None = None, **parameters: Any) -> Answer:
        """One command: waits for its one answer, over as many connections as that takes within its time to live."""
        return await self._press(method, parameters, now_us(), ttl_ms, to_room)

    async def _press(self, method: str, parameters: Message, pressed_us: int, ttl_ms: int = DEFAULT_TTL_MS, room: str | None = None) -> Answer:
        if self._ended:
            raise self._ended
        command = Command(method, parameters, ttl_ms, pressed_us, asyncio.get_running_loop().create_future(), room)
        self.held.commands.add(command, now_us())
        try:
            async with asyncio.timeout(ttl_ms / 1000 - (now_us() - pressed_us) / 1e6):
                await self._send_due()
                return await command.answer
        except TimeoutError:
            await self._doubt(command)
            why = "The hub did not answer in time." if command.is_in_doubt else "The hub could not be reached in time, and nothing was done."
            raise NoAnswer(why) from None
        finally:
            command.answer.cancel()

    async def _doubt(self, command: Command) -> None:
        """When nothing has come since a command was sent, the connection is dead, and another one is made."""
        if self._current and command.sent_us is not None and self._current.heard_us < command.sent_us:
            await self._current.end(1001)

    async def subscribe(self, **what: Any) -> Answer:
        """Changes what this connection follows (`sub`). `queue` is better opened by `queue.open()`."""
        return await self.command("sub", **what)

    async def _send_due(self) -> None:
        async with self._sending:
            conversation = self._current
            if conversation is None or not conversation.is_ready:
                return
            for command in self.held.commands.due(now_us()):
                now = now_us()
                if self._is_too_late(command, now):
                    self.held.commands.settle(command, Answer(ok=True, outcome="noop", why="moved"))
                    continue
                frame = command.frame(self.held.commands.send(command, now), now, self.held.clock.hub_us(now), self.held.view)
                try:
                    await conversation.link.send(json.dumps(frame, separators=(",", ":"), ensure_ascii=False))
                except ConnectionClosed:
                    return  # It is sent again on the next connection.

    def _is_too_late(self, command: Command, now: int) -> bool:
        """A press that was never sent, made before the current entry became current, meant another entry (BT-SEC-004)."""
        since, hub = (self.held.state.sections.get("now") or {}).get("sinceUs"), self.held.clock.hub_us(now)
        age = now - command.made_us
        is_skip = command.method in ("next", "prev") and not command.was_sent and age > 100_000
        return is_skip and since is not None and hub is not None and hub - age < since

    # The usual commands

    @property
    def playing(self) -> Playing:
        """What plays now; ask as often as you draw, nothing is sent."""
        return self.held.state.playing(self.held.clock, now_us())

    @property
    def rows(self) -> QueueMirror:
        """The copy of the queue, while `queue` is open."""
        return self.held.queue

    async def changes(self) -> AsyncIterator[Playing]:
        """The state now, and after each change of it or of the queue. Changes in quick succession are one."""
        listener = asyncio.Event()
        self._listeners.add(listener)
        try:
            while not self._ended:
                yield self.playing
                await listener.wait()
                listener.clear()
        finally:
            self._listeners.discard(listener)

    async def skip(self, method: str = "next") -> Answer:
        """`next` or `prev`, guarded by the entry that is on the screen. Each of several quick `next` counts."""
        if method == "next":
            return await self._quick_next.next()
        entry = self.playing.entry
        guard: dict[str, Any] = {"from": entry} if entry else {}
        return await self.command(method, **guard)

    def _look(self) -> tuple[str | None, str | None]:
        """The current entry, and the one to which a `next` that the hub has not put off leads."""
        queue = self.held.state.sections.get("queue") or {}
        return self.playing.entry, None if self.held.commands.is_put_off("next", now_us()) else queue.get("next")

    async def toggle(self) -> Answer:
        """Says how it shall be, so that two people do not undo each other."""
        return await self.command("toggle", want="paused" if self.playing.is_playing else "playing")

    async def set_volume(self, level: int) -> Answer:
        """For a slider: a newer level replaces one that is not on its way, and both get the newer one's answer."""
        self._volume_wanted = level, now_us()
        self.held.commands.outdo("vol.set", None, now_us())
        if self._volume_task is None or self._volume_task.done():
            self._volume_task = asyncio.create_task(self._send_volume())
        return await asyncio.shield(self._volume_task)

    async def _send_volume(self) -> Answer:
        answer = Answer(ok=False)
        while self._volume_wanted is not None:
            (level, pressed_us), self._volume_wanted = self._volume_wanted, None
            try:
                answer, _ = await asyncio.gather(self._press("vol.set", {"level": level}, pressed_us), asyncio.sleep(self._volume_gap))
            except NoAnswer:
                if self._volume_wanted is None:
                    raise
        return answer

    async def play_first(self, words: str) -> Answer:
        """Searches, and plays the first item that is found."""
        answer = Answer(ok=False)
        async for answer in self.search(words, limit=1):
            for row in answer.data.get("rows", []):
                return await self.command("play", uri=row.get("places", [row["uri"]])[0])
        return answer

    async def search(self, words: str, **parameters: Any) -> AsyncIterator[Answer]:
        """The pages of a search: first what is on the hub's machine, then what servers answer. `joined` of a page names rows of
        earlier pages that have more `places` now."""
        cursor: dict[str, Any] = {}
        while True:
            answer = await self.command("lib.search", q=words, **parameters, **cursor)
            yield answer
            if "cursor" not in answer.data:
                return
            cursor = {"cursor": answer.data["cursor"]}
