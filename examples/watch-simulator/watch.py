#!/usr/bin/python3
"""A watch that exists only on paper, with the troubles of a real one; it prints what an hour costs.

A watch speaks through a phone: one message is on its way at a time, each takes 250 to 2000 ms, a
push that was not delivered when a newer one came is forgotten (the newest wins), and the watch sleeps
for minutes, during which nothing reaches it. This stands in for both: a `Remote` (../python/baton_remote, by the link beside this file)
with the view `watch`, a relay that behaves like that, and a counter of bytes.

    watch.py --url ws://127.0.0.1:9442/baton --presses 20 --sleep 4
    watch.py --script                presses from standard input, as the runner gives them
"""

import argparse
import asyncio
import json
import random
import sys

sys.dont_write_bytecode = True
import websockets  # noqa: E402
from baton_remote import NoAnswer, Remote, dial  # noqa: E402
from baton_remote.script import from_input  # noqa: E402

BUDGETS = {"track change": 320, "play, pause, seek": 80, "volume": 64, "reply": 96, "reply with a track": 300, "sign of life": 64, "command": 96}


class Meter:
    """Bytes of payload, by what they were for."""

    def __init__(self):
        self.sizes = {}

    def count(self, text, from_watch):
        message = json.loads(text)
        self.sizes.setdefault(self.kind(message, from_watch), []).append(len(text.encode()))

    @staticmethod
    def kind(message, from_watch):
        names = set(message.get("s") or ())
        if from_watch:
            return {"cmd": "command", "hello": "connecting", "time": "clock"}.get(message["t"], "other")
        if message["t"] == "res":
            return "reply with a track" if "n" in names else "reply with state" if names else "reply"
        if message["t"] == "state" and not message.get("full"):
            return "track change" if "n" in names else {frozenset("l"): "play, pause, seek", frozenset("v"): "volume", frozenset(): "sign of life"}.get(frozenset(names), "several")
        return {"welcome": "connecting", "state": "connecting", "time": "clock"}.get(message["t"], "other")

    def table(self):
        yield f"{'':22}{'messages':>9}{'median':>8}{'most':>6}{'budget':>8}{'bytes':>8}"
        for kind, sizes in sorted(self.sizes.items()):
            yield f"{kind:22}{len(sizes):9}{sorted(sizes)[len(sizes) // 2]:8}{max(sizes):6}{BUDGETS.get(kind, ''):>8}{sum(sizes):8}"
        yield f"{'together':22}{sum(map(len, self.sizes.values())):9}{'':22}{sum(map(sum, self.sizes.values())):8}"

    def over(self):
        return [f"{kind}: {max(sizes)} bytes, and {BUDGETS[kind]} are the budget"
                for kind, sizes in self.sizes.items() if kind in BUDGETS and max(sizes) > BUDGETS[kind] and kind != "reply with state"]


class Relay:
    """The phone between the watch and the hub, as the watch sees it: slow, one at a time, newest wins."""

    def __init__(self, url, meter, latency_ms, seed):
        self.url, self.meter, self.latency_ms = url, meter, latency_ms
        self.random = random.Random(seed)
        self.is_awake = asyncio.Event()
        self.is_awake.set()
        self.one = asyncio.Lock()

    def __call__(self):
        return self

    async def __aenter__(self):
        self.link = await dial(self.url)
        self.inbox, self.fault = asyncio.Queue(), None
        self.reading = asyncio.ensure_future(self.read())
        return self

    async def __aexit__(self, *_):
        self.reading.cancel()
        await self.link.close()

    async def trip(self):
        """One message on its way; the next waits until it has arrived."""
        async with self.one:
            await asyncio.sleep(self.random.uniform(*self.latency_ms) / 1000)

    async def send(self, text):
        self.meter.count(text, True)
        await self.trip()
        await self.link.send(text)

    async def read(self):
        try:
            while True:
                text = await self.link.recv()
                if not self.is_awake.is_set():
                    self.forget_states(text)
                self.inbox.put_nowait(text)
        except websockets.exceptions.ConnectionClosed as closed:
            self.inbox.put_nowait(closed)

    def forget_states(self, newer):
        """Of pushes that could not be delivered only the newest is; the watch finds the hole by `from`."""
        if json.loads(newer)["t"] != "state":
            return
        waiting = [self.inbox.get_nowait() for _ in range(self.inbox.qsize())]
        for text in waiting:
            if isinstance(text, Exception) or json.loads(text)["t"] != "state":
                self.inbox.put_nowait(text)

    async def recv(self):
        text = await self.inbox.get()
        if isinstance(text, Exception):
            raise text
        await self.is_awake.wait()
        await self.trip()
        self.meter.count(text, False)
        return text

    async def close(self, code=1000):
        await self.link.close(code)

    def suspend(self):
        self.is_awake.clear()

    def resume(self):
        self.is_awake.set()


async def wear(remote, relay, presses, sleep_s):
    """Someone with a watch: looks, presses, turns the crown, lets the arm sink, looks again."""
    chosen = random.Random(1)
    await remote.connected()
    for number in range(presses):
        kind = chosen.choice(["next", "pause", "play", "crown"])
        try:
            if kind == "crown":
                for level in range(20, 32):
                    turned = asyncio.create_task(remote.set_volume(level))
                    await asyncio.sleep(0.05)
                await turned
            else:
                entry = remote.playing.entry
                await remote.command(kind, ttl_ms=20000, **({"from": entry} if kind == "next" and entry else {}))
        except NoAnswer:
            print(f"no answer to {kind} in time")
        if sleep_s and number == presses // 2:
            relay.suspend()
            await asyncio.sleep(sleep_s)
            relay.resume()
    await asyncio.sleep(1)


async def main(asked):
    meter = Meter()
    low, _, high = asked.latency.partition("-")
    relay = Relay(asked.url, meter, (float(low), float(high or low)), asked.seed)
    remote = Remote(asked.url, view="watch", name="Watch on paper", client_id="watch-on-paper", connect=relay)
    staying = asyncio.ensure_future(remote.stay())
    using = asyncio.ensure_future(from_input(remote) if asked.script else wear(remote, relay, asked.presses, asked.sleep))
    await asyncio.wait([staying, using], return_when=asyncio.FIRST_COMPLETED)
    if not using.done():
        print(json.dumps({"ended": staying.result()}), flush=True)
        using.cancel()
        return 1
    using.result()
    await remote.leave()
    staying.cancel()
    if asked.script:
        return 0
    print("\n".join(meter.table()))
    for sentence in meter.over():
        print("OVER", sentence)
    return 1 if meter.over() else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A watch on paper: slow, forgetful, and counting bytes.")
    parser.add_argument("--url", default="ws://127.0.0.1:9442/baton")
    parser.add_argument("--view", default="watch", help="there is only this one")
    parser.add_argument("--latency", default="250-2000", metavar="MS-MS", help="how long a message takes")
    parser.add_argument("--presses", type=int, default=20)
    parser.add_argument("--sleep", type=float, default=120, metavar="SECONDS", help="how long the watch sleeps in the middle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--script", action="store_true")
    try:
        sys.exit(asyncio.run(main(parser.parse_args())))
    except KeyboardInterrupt:
        print()
