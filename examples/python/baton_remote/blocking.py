"""The same remote for programs without asyncio: a thread of its own runs the event loop."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from .answers import Answer, Message
from .remote import Remote
from .state import Playing

T = TypeVar("T")


class BlockingRemote:
    """Use it as `with BlockingRemote(url) as remote:`. Its methods may be called from any thread, and return when the hub has answered.

    It takes the same words as `Remote`. `timeout` is how many seconds to wait for the first connection.
    """

    def __init__(self, url: str, *, timeout: float = 10, **options: Any) -> None:
        self._timeout = timeout
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="baton-remote", daemon=True)
        self._remote = Remote(url, **options)

    def __enter__(self) -> "BlockingRemote":
        self._thread.start()
        try:
            self._run(asyncio.wait_for(self._remote.__aenter__(), self._timeout))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._remote.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def command(self, method: str, /, **parameters: Any) -> Answer:
        """One command, and its answer."""
        return self._run(self._remote.command(method, **parameters))

    def skip(self, method: str = "next") -> Answer:
        """`next` or `prev`, guarded by the entry that plays."""
        return self._run(self._remote.skip(method))

    def toggle(self) -> Answer:
        """Plays, or pauses."""
        return self._run(self._remote.toggle())

    def set_volume(self, level: int) -> Answer:
        """A level from 0 to 100."""
        return self._run(self._remote.set_volume(level))

    def play_first(self, words: str) -> Answer:
        """Searches, and plays the first item that is found."""
        return self._run(self._remote.play_first(words))

    def queue(self) -> list[Message]:
        """The rows of the whole queue, in the order of play."""
        async def rows() -> list[Message]:
            mirror = await self._remote.queue.open()
            return [mirror.rows[entry] for entry in mirror.entries if entry in mirror.rows]
        return self._run(rows())

    @property
    def playing(self) -> Playing:
        """What plays now."""
        async def look() -> Playing:
            return self._remote.playing
        return self._run(look())
