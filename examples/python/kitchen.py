#!/usr/bin/python3
"""A remote of 40 lines: shows what plays and what comes next; each Enter is a press, such as `next`, `pause` or `vol 40`.

    kitchen.py [URL]
"""

import asyncio
import sys

from baton_remote import BatonError, Remote
from baton_remote.script import perform


async def show(remote: Remote) -> None:
    rows = await remote.queue.open()
    async for playing in remote.changes():
        after = rows.entries[rows.entries.index(playing.entry) + 1:] if playing.entry in rows.entries else []
        following = rows.rows.get(after[0], {}).get("title", "…") if after else "nothing"
        print(f"{playing.title or 'Nothing is playing'} at {playing.level} %, then {following}", flush=True)


async def press(remote: Remote) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            answer = await perform(remote, line.split())
            print(answer.outcome if answer.ok else answer.sentence, flush=True)
        except BatonError as problem:
            print(problem, flush=True)


async def main() -> None:
    async with Remote(*sys.argv[1:2] or ["ws://127.0.0.1:9442"], name="Kitchen") as remote:
        showing = asyncio.create_task(show(remote))
        await press(remote)
        showing.cancel()


if __name__ == "__main__":
    asyncio.run(main())
