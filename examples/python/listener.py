#!/usr/bin/python3
"""Plays what a room plays, in time with it, by mpv: a listening device in less than 200 lines.

    listener.py [URL] [MPV OPTIONS...]      such as: listener.py ws://127.0.0.1:9442 --audio-device=pulse/kitchen

`in_step.py` decides when an item begins and what is done about a difference; it is a link to the vectors of the protocol, and a program of
your own may copy it. What is here asks the hub, and tells mpv.
"""

import asyncio
import contextlib
import json
import os
import signal
import statistics
import sys
import tempfile
import time
import urllib.parse
from typing import Any

import in_step
from baton_remote import BatonError, Remote

LEAD_US = 300_000
SETTLE_US = 900_000


def now_us() -> int:
    """This machine's steady clock."""
    return time.monotonic_ns() // 1000


class Player:
    """One mpv, spoken to over its socket."""

    def __init__(self) -> None:
        self.numbers = 0
        self.waiting: dict[int, asyncio.Future[Any]] = {}

    async def start(self, options: list[str]) -> None:
        """`audio-pts` is where the sound is that leaves the device; `time-pos` is off by tens of milliseconds."""
        path = f"{tempfile.mkdtemp()}/mpv"
        self.process = await asyncio.create_subprocess_exec(
            "mpv", "--idle", "--no-video", "--no-terminal", "--no-config", "--pause", "--audio-pitch-correction=no", "--volume=50",
            "--gapless-audio=weak", "--hr-seek=yes", "--cache=yes", f"--input-ipc-server={path}", *options)
        while not os.path.exists(path):
            await asyncio.sleep(0.02)
        self.reader, self.writer = await asyncio.open_unix_connection(path)
        self.reading = asyncio.create_task(self.read())

    async def read(self) -> None:
        while line := await self.reader.readline():
            said = json.loads(line)
            future = self.waiting.pop(said.get("request_id", 0), None)
            if future and not future.done():
                future.set_result(said.get("data"))

    async def ask(self, *words: Any) -> Any:
        """One command, and what mpv answers; None where it cannot."""
        self.numbers += 1
        self.waiting[self.numbers] = future = asyncio.get_running_loop().create_future()
        self.writer.write(json.dumps({"command": words, "request_id": self.numbers}).encode() + b"\n")
        return await future

    async def position(self) -> tuple[int, float] | None:
        """A moment, and where the sound was then in microseconds."""
        before = now_us()
        seconds = await self.ask("get_property", "audio-pts")
        return None if seconds is None else ((before + now_us()) // 2, seconds * 1e6)


class Listener:
    """Keeps one player where one room is."""

    def __init__(self, remote: Remote, player: Player, web: str) -> None:
        self.remote, self.player, self.web = remote, player, web
        self.rule, self.clock, self.taken = in_step.StepRule(), in_step.AudioClock(), 0
        self.line: dict[str, Any] | None = None
        self.loaded: str | None = None
        self.urls: dict[str, str] = {}
        self.moved = 0
        self.drift: float | None = None

    def hub_us(self) -> int:
        """The hub's clock; the remote has asked for it."""
        now = now_us()
        hub = self.remote.held.clock.hub_us(now)
        if hub is not None and now - self.taken > 1_000_000:
            self.taken = now
            self.clock.take(hub - now, 300, now)
        return self.clock.hub(now) or now

    async def ask(self) -> None:
        """Says how it goes; learns where the room is heard, and where two entries can be had."""
        following = (self.remote.held.state.sections.get("queue") or {}).get("next")
        report = {} if self.drift is None else {"driftUs": round(self.drift), "starts": self.rule.new_starts}
        wanted = {self.remote.playing.entry, following} - {None}
        media = {} if wanted <= set(self.urls) else {"media": True}
        answer = await self.remote.command("listen.here", **report, **media)
        line = answer.data.get("line") if answer.ok else None
        if not answer.ok:
            print(answer.sentence, flush=True)
        for item in answer.data.get("items", []):
            if "url" not in item:
                print(item["msg"], flush=True)
            self.urls[item["entry"]] = self.web + item["url"] if "url" in item else ""
        was = self.line
        self.line = line and {**line, "posUs": line["posUs"], "atUs": line["atUs"], "rate": line["rate"]}
        if line is None or line["rate"] != 1000:
            await self.player.ask("set_property", "pause", True)
        elif was is None or was["rate"] != 1000 or self.loaded != line["entry"]:
            await self.begin()

    async def begin(self) -> None:
        """Makes the entry ready where the room will be, and lets it go then."""
        line, hub = self.line, self.hub_us()
        plan = line and self.urls.get(line["entry"]) and in_step.start(line, hub, LEAD_US if self.loaded == line["entry"] else 3 * LEAD_US)
        if not line or not plan:
            return
        position, due = plan
        self.rule.speed, self.drift = 1000, None
        await self.player.ask("set_property", "pause", True)
        await self.player.ask("set_property", "speed", 1)
        if self.loaded == line["entry"]:
            await self.player.ask("seek", position / 1000, "absolute+exact")
        else:
            await self.player.ask("loadfile", self.urls[line["entry"]], "replace", f"start={position / 1000}")
            self.loaded = line["entry"]
        await asyncio.sleep(max(0, due - self.hub_us()) / 1e6)
        await self.player.ask("set_property", "pause", False)
        self.moved = now_us()

    async def correct(self) -> None:
        """Measures five times, and does what the rule says."""
        line = self.line
        if not line or line["rate"] != 1000 or self.loaded != line["entry"] or now_us() - self.moved < SETTLE_US:
            return
        found = []
        for _ in range(5):
            heard = await self.player.position()
            if heard:
                moment, position = heard
                found.append(position - in_step.position(line, self.hub_us() - (now_us() - moment)))
            await asyncio.sleep(0.05)
        if len(found) < 5:
            return
        self.drift = statistics.median(found)
        step = self.rule.step(self.drift, True, now_us())
        if step == "start":
            await self.begin()
        elif step:
            await self.player.ask("set_property", "speed", step / 1000)
            self.moved = now_us() - SETTLE_US // 2

    async def run(self) -> None:
        """For ever; a hub that is away comes back."""
        while True:
            with contextlib.suppress(BatonError):
                await self.ask()
            for _ in range(2):
                await self.correct()
                await asyncio.sleep(0.2)


async def main() -> None:
    words = sys.argv[1:]
    url = words.pop(0) if words and not words[0].startswith("--") else "ws://127.0.0.1:9442"
    web = urllib.parse.urlunsplit(("http", urllib.parse.urlsplit(url).netloc, "", "", ""))
    player = Player()
    await player.start(words)
    try:
        async with Remote(url, view="remote", name="Listener in Python") as remote:
            ending = asyncio.Event()
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ending.set)
            running = asyncio.create_task(Listener(remote, player, web).run())
            await asyncio.wait({running, asyncio.create_task(ending.wait())}, return_when=asyncio.FIRST_COMPLETED)
            running.cancel()
            with contextlib.suppress(BatonError):
                await remote.command("listen.here", on=False)
    finally:
        player.process.terminate()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
