#!/usr/bin/python3
"""A whole remote in one file: Python's standard library and python3-websockets.

    steady.py                      what is playing, until you stop it
    steady.py next                 one press; also play, pause, prev, vol 40, mute, unmute, add PATH-OR-URL
    steady.py --url ws://127.0.0.1:9442/companion/v1 --profile watch

Copy it and make it yours. `Remote` keeps a mirror of the hub, comes back when the connection breaks,
and sends a press whose answer was lost once more with the same key. The comments name the rules of
Protocol/spec.md that each part keeps.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import sys
import time

import websockets

STOP_CODES = {1000, 1002, 1003, 1007, 1009, 4400, 4401, 4403, 4406, 4409}
WAIT_AT_LEAST = {1012: 1, 1013: 5, 4429: 10, 4430: 10}
BACKOFF = (0.25, 0.5, 1, 2, 4, 8)
COUNTS_TWICE = {"next", "prev", "seek", "seekBy", "vol.step", "queue.add", "queue.clear", "queue.replace"}
STABLE_S = 10


def now_us():
    return time.monotonic_ns() // 1000


class Clock:
    """The hub's clock as seen from here (BT-CLK-006, BT-CLK-007)."""

    def __init__(self):
        self.samples = []

    def add(self, t1, t2, t3, t4):
        trip = (t4 - t1) - (t3 - t2)
        if t4 >= t1 and trip >= 0:
            self.samples = (self.samples + [(((t2 - t1) + (t3 - t4)) // 2, trip, t4)])[-8:]

    def hub_us(self):
        """The hub's microsecond now, or nothing while it is unknown."""
        now = now_us()
        best = min(self.samples, key=lambda s: s[1] / 2 + (now - s[2]) * 50e-6, default=None)
        return now + best[0] if best else None


class Press:
    """One command until it is answered; it keeps its key over every connection."""

    def __init__(self, method, parameters, ttl_ms):
        self.method, self.parameters, self.ttl_ms = method, parameters, ttl_ms
        self.key = secrets.token_urlsafe(9)[:12] if method in COUNTS_TWICE or "uri" in parameters else None
        self.pressed_us = now_us()
        self.answer = asyncio.get_running_loop().create_future()

    @property
    def is_wanted(self):
        return now_us() - self.pressed_us < self.ttl_ms * 1000


class Remote:
    def __init__(self, url, profile="remote", name="Python remote", client_id=None, connect=None, volumes_a_second=None):
        self.url, self.profile, self.name = url, profile, name
        self.client_id, self.run_id = client_id or secrets.token_urlsafe(8), secrets.token_urlsafe(6)
        self.connect = connect or (lambda: websockets.connect(url, subprotocols=["baton.v1"], compression=None, ping_interval=None, open_timeout=5))
        self.sections, self.rev, self.room, self.epoch, self.boot = {}, 0, None, None, None
        self.pace = [50, 20000]
        self.clock, self.link, self.number = Clock(), None, 0
        self.unanswered, self.waiting = {}, []
        self.on_change = lambda: None
        # BT-PRO-008: 8 a second from a wrist, 15 from elsewhere.
        self.volume_gap = 1 / (volumes_a_second or (7.5 if profile == "watch" else 14))
        self.volume_wanted, self.volume_task = None, None

    # Life

    async def stay(self):
        """Connects, and comes back, until the hub says that there is no use (BT-CLS-*)."""
        tries = 0
        while True:
            began, code = time.monotonic(), None
            try:
                async with self.connect() as link:
                    code = await self.converse(link)
            except (OSError, asyncio.TimeoutError, websockets.exceptions.WebSocketException) as error:
                code = getattr(getattr(error, "rcvd", None), "code", None)
            self.leave()
            if code in STOP_CODES:
                return code
            tries = 0 if time.monotonic() - began > STABLE_S else tries
            await asyncio.sleep(max(WAIT_AT_LEAST.get(code, 0), BACKOFF[min(tries, 5)] * random.uniform(0.5, 1)))
            tries += 1

    def leave(self):
        """What was asked and not answered is asked again on the next connection (BT-RTY-007)."""
        self.link = None
        self.waiting = list(self.unanswered.values()) + self.waiting
        self.unanswered = {}
        self.on_change()

    async def converse(self, link):
        await link.send(json.dumps(self.hello()))
        clock = asyncio.ensure_future(self.ask_time(link))
        try:
            while True:
                # BT-SLO-003: that much silence is the end.
                text = await asyncio.wait_for(link.recv(), 2 * self.pace[1] / 1000 + 5)
                await self.take(json.loads(text), link)
        except websockets.exceptions.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None
        finally:
            clock.cancel()

    def hello(self):
        hello = {"t": "hello", "v": [1], "profile": self.profile, "caps": [], "t1": now_us(),
                 "client": {"id": self.client_id, "run": self.run_id, "name": self.name, "app": "steady.py/1"}}
        if self.epoch:
            hello["resume"] = {"epoch": self.epoch, "rev": self.rev, "rooms": [self.room], "sections": list(self.sections)}
        return hello

    async def ask_time(self, link):
        """Four times after connecting, then now and then (BT-CLK-007)."""
        for pause in [0.1, 0.2, 0.3, 0.5]:
            await asyncio.sleep(pause)
            await link.send(json.dumps({"t": "time", "t1": now_us()}))
        while True:
            await asyncio.sleep(60 if self.profile == "watch" else 10)
            await link.send(json.dumps({"t": "time", "t1": now_us()}))

    # Hearing

    async def take(self, message, link):
        t4, kind = now_us(), message.get("t")
        if kind == "welcome":
            if message["epoch"] != self.epoch:
                self.sections, self.rev = {}, 0
            if message["boot"] != self.boot:  # BT-CLK-002
                self.clock = Clock()
            self.epoch, self.boot, self.pace = message["epoch"], message["boot"], message["pace"]
            self.clock.add(message["t1"], message["t2"], message["t3"], t4)
        elif kind == "state":
            await self.apply(message, link)
        elif kind == "res":
            if "s" in message:
                await self.apply(message, link)
            press = self.unanswered.pop(message["id"], None)
            if press and not press.answer.done():
                press.answer.set_result(message)
        elif kind == "time":
            self.clock.add(message["t1"], message["t2"], message["t3"], t4)
        # Everything else is from a newer hub, or not for us (BT-HS-009).

    async def apply(self, message, link):
        if message.get("full"):
            self.sections = {}
        elif message["from"] != self.rev:  # BT-STA-007: a frame is missing.
            return await link.send('{"t":"sync"}')
        for name, value in message["s"].items():
            if value is None:
                self.sections.pop(name, None)
            else:
                self.sections[name] = value
        self.rev, self.room = message["rev"], message.get("room", self.room)
        if self.link is None:
            self.link, self.number = link, 0
            await self.send_waiting()
        self.on_change()

    # Pressing

    async def press(self, method, ttl_ms=5000, **parameters):
        """One press: waits for its one answer, over as many connections as that takes while it is wanted."""
        press = Press(method, parameters, ttl_ms)
        self.waiting.append(press)
        await self.send_waiting()
        return await asyncio.wait_for(press.answer, ttl_ms / 1000)

    async def send_waiting(self):
        while self.link and self.waiting:
            press = self.waiting.pop(0)
            if not press.is_wanted or press.answer.done():
                continue
            self.number += 1
            command = {"t": "cmd", "id": self.number, "m": press.method}
            if press.key:
                command["k"] = press.key
            if press.ttl_ms != 5000:
                command["ttl"] = press.ttl_ms
            hub_us = self.clock.hub_us()
            if hub_us and now_us() - press.pressed_us > 500_000:  # Said again: the hub may know how old it is.
                command["ct"] = (hub_us - (now_us() - press.pressed_us)) // 1000
            if press.parameters:
                command["p"] = press.parameters
            self.unanswered[self.number] = press
            try:
                await self.link.send(json.dumps(command, separators=(",", ":"), ensure_ascii=False))
            except websockets.exceptions.ConnectionClosed:
                return  # leave() will ask again.

    def turn_volume(self, level):
        """For a wheel: a newer level replaces one that was not sent yet."""
        self.volume_wanted = level
        if self.volume_task is None or self.volume_task.done():
            self.volume_task = asyncio.ensure_future(self.send_volume())
        return self.volume_task

    async def send_volume(self):
        answer = None
        while self.volume_wanted is not None:
            level, self.volume_wanted = self.volume_wanted, None
            sent = asyncio.ensure_future(self.press("vol.set", level=level))
            await asyncio.sleep(self.volume_gap)
            answer = await sent
        return answer

    # Showing

    @property
    def entry(self):
        return (self.sections.get("now") or {}).get("entry") or (self.sections.get("n") or {}).get("i")

    def shown(self):
        """What a screen would show, from either kind of sections."""
        now, tl = self.sections.get("now") or {}, self.sections.get("tl") or {}
        n, l, v = self.sections.get("n") or {}, self.sections.get("l") or [0, 0, 0], self.sections.get("v")
        level = self.sections["vol"]["level"] if "vol" in self.sections else v[0] if v else None
        rate = tl.get("rate", l[2])
        return {"connected": self.link is not None, "title": now.get("title") or n.get("t"), "artist": (now.get("artists") or [n.get("a")])[0],
                "level": level, "playing": rate > 0, "positionMs": self.position_ms(), "entry": self.entry}

    def position_ms(self):
        """Where it is (BT-CLK-001)."""
        tl, l = self.sections.get("tl"), self.sections.get("l") or [0, 0, 0]
        at, position, rate = (tl["atUs"], tl["posMs"], tl["rate"]) if tl else (l[1] * 1000, l[0], l[2])
        hub = self.clock.hub_us()
        moved = max(0, hub - at) * rate // 1_000_000 if hub else 0
        length = (self.sections.get("now") or {}).get("durMs") or (self.sections.get("n") or {}).get("d", 0) * 1000
        return min(position + moved, length) if length else position + moved


async def perform(remote, words):
    """A press as people type it."""
    verb, *rest = words
    if verb in ("next", "prev"):
        return await remote.press(verb, **({"from": remote.entry} if remote.entry else {}))
    if verb in ("play", "pause", "stop"):
        return await remote.press(verb)
    if verb == "vol":
        return await remote.turn_volume(int(rest[0]))
    if verb in ("mute", "unmute"):
        return await remote.press("vol.mute", on=verb == "mute")
    if verb == "add":
        return await remote.press("queue.add", uris=rest)
    raise SystemExit(f"steady.py: there is no “{verb}”; there are play, pause, stop, next, prev, vol N, mute, unmute, add URI")


async def from_input(remote):
    """A press a line, each answered by a line of JSON; for programs and tests."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    pressing = set()

    async def one(words):
        try:
            answer = await perform(remote, words)
        except asyncio.TimeoutError:
            answer = {"ok": 0, "err": {"code": "timeout", "retry": 1, "msg": "The hub did not answer in time."}}
        print(json.dumps({"press": " ".join(words), "answer": answer}), flush=True)
    while line := (await reader.readline()).decode():
        if line.strip() == "quit":
            break
        if line.strip() == "show":
            print(json.dumps({"shown": remote.shown()}), flush=True)
            continue
        task = asyncio.ensure_future(one(line.split()))
        pressing.add(task)
        task.add_done_callback(pressing.discard)
    await asyncio.gather(*pressing)


def display(remote):
    shown = remote.shown()
    seconds = shown["positionMs"] // 1000
    text = "not connected" if not shown["connected"] else f"{shown['title'] or 'Nothing is playing'}" + (f" · {shown['artist']}" if shown["artist"] else "")
    print(f"\r\033[K{'▶' if shown['playing'] else '⏸'} {text}  {seconds // 60}:{seconds % 60:02}  {shown['level']}%", end="", flush=True)


def known_id():
    """Random, made once and kept: keys count per id."""
    folder = os.path.join(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "baton-remote")
    path = os.path.join(folder, "client-id")
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        os.makedirs(folder, exist_ok=True)
        made = secrets.token_urlsafe(8)
        with open(path, "w", encoding="ascii") as file:
            file.write(made)
        return made


async def main(asked):
    remote = Remote(asked.url, asked.profile, client_id=known_id())
    staying = asyncio.ensure_future(remote.stay())

    async def use():
        if asked.script:
            return await from_input(remote)
        if asked.words:
            answer = await perform(remote, asked.words)
            print(answer["st"] if answer["ok"] else answer["err"]["msg"])
            return 0 if answer["ok"] else 1
        while True:
            display(remote)
            await asyncio.sleep(0.5)
    using = asyncio.ensure_future(use())
    await asyncio.wait([staying, using], return_when=asyncio.FIRST_COMPLETED)
    if not using.done():
        print(json.dumps({"ended": staying.result()}), flush=True)
        using.cancel()
        return 1
    if remote.link:
        await remote.link.close()
    staying.cancel()
    return using.result() or 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A remote for a Baton hub.")
    parser.add_argument("--url", default="ws://127.0.0.1:9442/companion/v1")
    parser.add_argument("--profile", choices=["watch", "remote", "full"], default="remote")
    parser.add_argument("--script", action="store_true", help="presses from standard input, a line each, answers as JSON")
    parser.add_argument("words", nargs="*")
    try:
        sys.exit(asyncio.run(main(parser.parse_args())))
    except asyncio.TimeoutError:
        sys.exit("steady.py: no hub answered in time")
    except KeyboardInterrupt:
        print()
