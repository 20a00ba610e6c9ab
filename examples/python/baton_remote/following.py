"""Keeps a QueueMirror current: opens the queue, and requests the rows that operations do not bring."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from .answers import Answer
from .errors import BatonError
from .queue_mirror import QueueMirror
from .state import StateMirror

_PAGE = 100


class FollowedQueue:
    """While it is open, `mirror` follows the hub's queue, over all connections."""

    def __init__(self, mirror: QueueMirror, state: StateMirror, subscribe: Callable[..., Awaitable[Answer]],
                 command: Callable[..., Awaitable[Answer]]) -> None:
        self.mirror, self._state, self._subscribe, self._command = mirror, state, subscribe, command
        self._task: asyncio.Task[None] | None = None
        self._wake, self._loaded, self._is_subscribed = asyncio.Event(), asyncio.Event(), False

    async def open(self) -> QueueMirror:
        """Ends when the whole queue is there."""
        if self._task is None:
            self._task = asyncio.create_task(self._follow())
            self._wake.set()
        await self._loaded.wait()
        return self.mirror

    async def close(self) -> None:
        """The hub sends no more operations."""
        if self._task:
            self.stop()
            if self._state.has("history"):
                await self._subscribe(queue=None)

    def stop(self) -> None:
        """The same without a word to the hub."""
        if self._task:
            self._task.cancel()
            self._task = None
            self._loaded.clear()
            self._is_subscribed = False
            self.mirror.forget()

    def connected(self) -> None:
        """A new connection begins with every queue closed."""
        self._is_subscribed = False
        self._wake.set()

    def changed(self) -> None:
        """Operations have come."""
        self._wake.set()

    async def _follow(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._state.features is None:
                continue  # Until the hub has said what it has.
            try:
                await self._load()
            except BatonError:
                continue  # The connection is away; its return wakes this loop.
            self._loaded.set()

    async def _load(self) -> None:
        if not self._state.has("history"):
            # The hub does not tell what changes in the queue, so it is read again.
            now = (self._state.sections.get("queue") or {}).get("rev")
            if self.mirror.revision != now:
                self.mirror.forget()
        elif not self._is_subscribed:
            self._is_subscribed = await self._take(self._subscribe(queue={"from": 0, "n": _PAGE}))
        while not self.mirror.is_whole:
            if not await self._take(self._command("queue.get", **{"from": len(self.mirror.entries), "n": _PAGE})):
                return
        while missing := self.mirror.without_texts[:_PAGE]:
            if not await self._take(self._command("queue.get", ids=missing)):
                return

    async def _take(self, asked: Awaitable[Answer]) -> bool:
        answer: Answer = await asked
        page: dict[str, Any] = answer.data
        if not answer.ok or "rows" not in page:
            return False
        self.mirror.take(page)
        return bool(page["rows"]) or page["len"] == 0
