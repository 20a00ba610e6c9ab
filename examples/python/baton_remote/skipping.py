"""Quick presses of `next`, so that each counts and none leads further than the person meant (Guards of core/5, BT-RTY-018)."""

import asyncio
from collections.abc import Awaitable, Callable

from .answers import Answer, Message
from .clock import now_us

_MOST = 100
_MOVED = Answer(ok=True, outcome="noop", why="moved")


class QuickNext:
    """The second press, before the answer to the first, names the entry that the first one leads to; further ones are kept back, and
    made as one press when all before them were applied.

    `press` sends one with its parameters and the moment of the press. `look` gives the current entry and the one behind it, where it is known.
    """

    def __init__(self, press: Callable[[Message, int], Awaitable[Answer]], look: Callable[[], tuple[str | None, str | None]]) -> None:
        self._press, self._look = press, look
        # Guards of presses without an answer; "" for several presses in one.
        self._open: list[str | None] = []
        self._kept: list[tuple[int, asyncio.Future[Answer]]] = []
        self._task: asyncio.Task[None] | None = None

    async def next(self) -> Answer:
        """One press, and its answer."""
        entry, following = self._look()
        if self._open:
            if self._open != [entry] or following is None:
                answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
                self._kept.append((now_us(), answer))
                return await answer
            entry = following
        return await self._send({"from": entry} if entry else {}, now_us(), entry)

    async def _send(self, parameters: Message, pressed_us: int, guard: str | None) -> Answer:
        self._open.append(guard)
        answer: Answer | None = None
        try:
            answer = await self._press(parameters, pressed_us)
            return answer
        finally:
            self._open.remove(guard)
            self._answered(answer)

    def _answered(self, answer: Answer | None) -> None:
        is_applied, entry = answer is not None and answer.outcome == "applied", self._look()[0]
        if is_applied and self._open:
            return
        kept, self._kept = self._kept, []
        if is_applied and entry and kept:
            self._task = asyncio.create_task(self._send_kept(kept, entry))
        else:
            self._tell(kept, _MOVED)

    async def _send_kept(self, kept: list[tuple[int, "asyncio.Future[Answer]"]], entry: str) -> None:
        try:
            self._tell(kept, await self._send({"from": entry, "n": min(len(kept), _MOST)}, kept[0][0], ""))
        except Exception as error:
            for _, answer in kept:
                if not answer.done():
                    answer.set_exception(error)

    @staticmethod
    def _tell(kept: list[tuple[int, "asyncio.Future[Answer]"]], result: Answer) -> None:
        for _, answer in kept:
            if not answer.done():
                answer.set_result(result)
