#!/usr/bin/python3
"""A bad network on demand, between a client and a hub: usable alone.

Knows WebSocket frames and the type of a message, and nothing else of the protocol, so it can cut
exactly between a command and its answer. Faults are words, given as arguments or as lines on standard
input while it runs; the table FAULTS says what each does. What passed, or did not, can be written to a
trace, which is how the runner sees what a client really said.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from websocket import CLOSE, TEXT, Framing, encode  # noqa: E402

FAULTS = {
    "delay:LOW-HIGH": "every frame takes so many ms longer, at random between the two, and keeps its place",
    "drop:SIDE:TYPE[:N]": "the next N (1) messages of this type from this side, client or hub, vanish",
    "cut:TYPE[:N]": "after the next message of this type from a client has reached the hub, and before anything more comes back, the line is cut; N times (1)",
    "hang:MS": "the connections that are open pass nothing for so long, and neither side is told",
    "halfopen": "the connections that are open now pass nothing any more, and neither side is told",
    "throttle:BYTES": "the hub's side passes so many bytes a second",
    "reorder:TYPE": "the next message of this type waits until another connection's has overtaken it, at most 2 s",
    "cutall": "every connection is cut now",
    "close:CODE": "every client is told a close code, as if by its hub, and cut",
    "refuse": "new connections are cut at once",
    "clear": "all faults end, and new connections pass",
}
SETTLE = 0.15  # What a hub needs to take a command in, before its answer is thrown away.


class Faults:
    """What is wrong at the moment."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.clear()

    def clear(self):
        self.delay = (0, 0)
        self.drops, self.cuts, self.reorders = {}, {}, {}
        self.rate = None
        self.refuses = False

    def take(self, table, key):
        if table.get(key, 0) <= 0:
            return False
        table[key] -= 1
        return True

    def pause(self):
        return self.random.uniform(*self.delay) / 1000


class Line:
    """One client's connection and the hub's end of it."""

    def __init__(self, proxy, number, client, hub):
        self.proxy, self.number = proxy, number
        self.client, self.hub = client, hub
        self.is_muted = self.is_dead = False
        self.own = {}
        self.stuck_until = 0

    async def run(self):
        ways = [asyncio.ensure_future(self.carry("client", self.client[0], self.hub[1])),
                asyncio.ensure_future(self.carry("hub", self.hub[0], self.client[1]))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        if not self.is_dead:
            await asyncio.wait(ways, timeout=1)
        for way in ways:
            way.cancel()
        self.abort()
        self.proxy.note(self, "proxy", "ended")

    def abort(self):
        self.is_dead = True
        for _, writer in (self.client, self.hub):
            if writer.transport:
                writer.transport.abort()

    def close_with(self, code):
        payload = code.to_bytes(2, "big")
        self.is_muted = True
        self.client[1].write(encode(payload, CLOSE, masked=False))
        self.proxy.note(self, "hub", "passed", CLOSE, payload)
        asyncio.get_running_loop().call_later(0.3, self.abort)

    async def carry(self, side, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            framing = Framing()
            while data := await reader.read(65536):
                for opcode, payload, raw in framing.feed(data):
                    await self.frame(side, opcode, payload, raw, writer)
            writer.write_eof()
        except (ConnectionError, asyncio.IncompleteReadError, OSError):
            pass

    async def frame(self, side, opcode, payload, raw, writer):
        if side == "client" and opcode == TEXT and self.proxy.bend:
            for bent in self.proxy.bend(json.loads(payload), self.own, self.proxy.shared) or []:
                text = json.dumps(bent, ensure_ascii=False, separators=(",", ":")).encode()
                await self.pass_on(side, opcode, text, encode(text), writer)
            return
        await self.pass_on(side, opcode, payload, raw, writer)

    async def pass_on(self, side, opcode, payload, raw, writer):
        faults, kind = self.proxy.faults, type_of(opcode, payload)
        if pause := faults.pause():
            await asyncio.sleep(pause)
        while (left := self.stuck_until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.5))
        if self.is_muted or self.is_dead or faults.take(faults.drops, (side, kind)):
            return self.proxy.note(self, side, "dropped", opcode, payload)
        if side == "client":
            await self.proxy.overtaken(self, kind)
        elif faults.rate:
            await asyncio.sleep(len(raw) / faults.rate)
        writer.write(raw)
        self.proxy.note(self, side, "passed", opcode, payload)
        await writer.drain()
        if side == "client" and faults.take(faults.cuts, kind):
            self.is_muted = True
            await asyncio.sleep(SETTLE)
            self.proxy.note(self, "proxy", "cut")
            self.abort()


class Proxy:
    def __init__(self, target, trace=None, seed=1):
        self.target = target
        self.faults = Faults(seed)
        self.lines, self.count = set(), 0
        self.bend, self.shared = None, {}
        self.waiting = {}
        self.trace = open(trace, "w", encoding="utf-8") if trace else None

    async def accept(self, reader, writer):
        if self.faults.refuses:
            return writer.transport.abort()
        self.count += 1
        try:
            hub = await (asyncio.open_unix_connection(self.target[5:]) if self.target.startswith("unix:")
                         else asyncio.open_connection(*self.target.rsplit(":", 1)))
        except OSError:
            return writer.transport.abort()
        line = Line(self, self.count, (reader, writer), hub)
        self.lines.add(line)
        self.note(line, "proxy", "began")
        try:
            await line.run()
        finally:
            self.lines.discard(line)

    async def overtaken(self, line, kind):
        """Holds a message until one of the same type has passed on another line."""
        waiter = self.waiting.get(kind)
        if waiter and waiter[0] is not line:
            # This one overtakes; the other may go once this one has had time to arrive.
            self.waiting.pop(kind)
            asyncio.get_running_loop().call_later(0.05, waiter[1].set)
        elif self.faults.take(self.faults.reorders, kind):
            event = asyncio.Event()
            self.waiting[kind] = (line, event)
            try:
                await asyncio.wait_for(event.wait(), 2)
            except asyncio.TimeoutError:
                self.waiting.pop(kind, None)

    def note(self, line, side, fate, opcode=None, payload=b""):
        if not self.trace:
            return
        entry = {"us": time.monotonic_ns() // 1000, "line": line.number, "side": side, "fate": fate}
        if opcode == TEXT:
            entry["text"] = payload.decode(errors="replace")
        elif opcode == CLOSE and len(payload) >= 2:
            entry["code"] = int.from_bytes(payload[:2], "big")
        elif opcode is not None:
            entry["op"] = opcode
        self.trace.write(json.dumps(entry) + "\n")
        self.trace.flush()

    def obey(self, word):
        """Makes one fault so; a word that is none is an error."""
        name, *rest = word.strip().split(":")
        faults = self.faults
        if name == "delay":
            low, _, high = rest[0].partition("-")
            faults.delay = (float(low), float(high or low))
        elif name == "drop":
            faults.drops[(rest[0], rest[1])] = int(rest[2]) if len(rest) > 2 else 1
        elif name == "cut":
            faults.cuts[rest[0]] = int(rest[1]) if len(rest) > 1 else 1
        elif name == "reorder":
            faults.reorders[rest[0]] = 1
        elif name == "throttle":
            faults.rate = float(rest[0])
        elif name == "hang":
            for line in self.lines:
                line.stuck_until = time.monotonic() + float(rest[0]) / 1000
        elif name == "halfopen":
            for line in self.lines:
                line.stuck_until = float("inf")
        elif name == "cutall":
            for line in set(self.lines):
                line.abort()
        elif name == "close":
            for line in set(self.lines):
                line.close_with(int(rest[0]))
        elif name == "refuse":
            faults.refuses = True
        elif name == "clear":
            faults.clear()
        else:
            raise ValueError(f"there is no fault {name}")


def type_of(opcode, payload):
    if opcode != TEXT:
        return None
    try:
        return json.loads(payload).get("t")
    except (ValueError, AttributeError):
        return None


async def commands(proxy):
    """Faults from standard input, a word a line; its end leaves things as they are."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        try:
            proxy.obey(line.decode())
            print(json.dumps({"done": line.decode().strip()}), flush=True)
        except (ValueError, IndexError) as error:
            print(json.dumps({"error": str(error)}), flush=True)
    await asyncio.Event().wait()


async def serve(asked):
    proxy = Proxy(asked.to, asked.trace, asked.seed)
    if asked.bend:
        from mutations import CLIENTS
        proxy.bend = CLIENTS[asked.bend].bend_client
    for word in asked.fault:
        proxy.obey(word)
    host, _, port = asked.listen.rpartition(":")
    server = await asyncio.start_server(proxy.accept, host, int(port))
    address = server.sockets[0].getsockname()
    print(json.dumps({"ready": 1, "tcp": f"{address[0]}:{address[1]}"}), flush=True)
    await commands(proxy)


def main():
    table = "\n".join(f"  {word:20} {sentence}" for word, sentence in FAULTS.items())
    parser = argparse.ArgumentParser(
        description="A bad network between a client and a hub.", epilog="faults:\n" + table, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", default="127.0.0.1:0", metavar="HOST:PORT")
    parser.add_argument("--to", default="127.0.0.1:9442", metavar="HOST:PORT|unix:PATH", help="where the hub is")
    parser.add_argument("--fault", action="append", default=[], metavar="WORD", help="a fault from the start; again for more")
    parser.add_argument("--trace", metavar="FILE", help="what passed and what did not, one JSON object a line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bend", metavar="NAME", help="break one rule for the client (mutations.py), which shows that the judge of clients sees it")
    try:
        asyncio.run(serve(parser.parse_args()))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
