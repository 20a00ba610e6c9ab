"""One client's connection through proxy.py: what passes, when, and what is changed or lost on its way."""

import asyncio
import contextlib
import json
import time

from runner.websocket import BINARY, CLOSE, TEXT, Framing, encode

MOST_ON_ITS_WAY = 4096  # Frames of one side.
PATIENCE = 10  # Seconds until a client that was told a close code, and does not answer it, is cut.


class Line:
    """One client's connection and the hub's end of it."""

    def __init__(self, proxy, number, client, hub):
        self.proxy, self.number = proxy, number
        self.client, self.hub = client, hub
        self.is_muted = self.is_dead = self.is_told = self.is_cut = self.is_plain = False
        # The id of the command at whose answer the line is cut; nothing for a message without one, which any word of the hub answers.
        self.last = None
        # Commands by their ids, and for how long those were put off that a fault keeps from the hub.
        self.own, self.asked, self.limited = {}, {}, {}
        self.stuck_until = 0
        # What is on its way from each side. One that is not passed on any more is not taken in without end.
        self.ways = {side: asyncio.Queue(MOST_ON_ITS_WAY) for side in ("client", "hub")}

    async def run(self):
        ways = [asyncio.ensure_future(self.carry("client", self.client[0], self.hub[1])),
                asyncio.ensure_future(self.carry("hub", self.hub[0], self.client[1]))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        self.proxy.note(self, "proxy", "over")
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
        self.is_muted = self.is_told = True
        told = self.proxy.bent.bend_code(code) if self.proxy.bent else code
        self.client[1].write(encode(told.to_bytes(2, "big"), CLOSE, masked=False))
        self.proxy.note(self, "hub", "passed", CLOSE, payload)
        asyncio.get_running_loop().call_later(PATIENCE, self.abort)

    async def carry(self, side, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            if side == "client":
                self.is_plain = b"upgrade: websocket" not in head.lower()
                # What a request shows may be a secret, so a trace says only that there was one.
                self.proxy.note(self, side, "asked")
            while self.is_plain and (data := await reader.read(65536)):
                writer.write(data)
            await self.take_and_give(side, reader, writer)
            writer.write_eof()
        except (ConnectionError, asyncio.IncompleteReadError, OSError):
            pass

    async def take_and_give(self, side, reader, writer):
        """Until everything that this side says has been passed on, or the other side takes no more."""
        taking, giving = asyncio.ensure_future(self.take(side, reader)), asyncio.ensure_future(self.give(side, writer))
        try:
            await asyncio.wait([taking, giving], return_when=asyncio.FIRST_COMPLETED)
            if taking.done():
                taking.result()
            await giving
        finally:
            taking.cancel()
            giving.cancel()

    async def take(self, side, reader):
        """Takes in what this side says, each frame with the time at which it is due at the other end, after those before it."""
        framing, due, way = Framing(), 0.0, self.ways[side]
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                for opcode, payload, raw in framing.feed(data):
                    # A client is judged by what it had heard when it spoke, not by when that reached the hub.
                    spoken = time.monotonic_ns() // 1000
                    due = max(due, time.monotonic() + self.proxy.faults.pause())
                    for part, whole in self.frame(side, opcode, payload, raw):
                        await way.put((due, spoken, opcode, part, whole))
        await way.put(None)

    async def give(self, side, writer):
        """Passes on what was taken in, once it is due."""
        while frame := await self.ways[side].get():
            due, spoken, opcode, part, whole = frame
            if (left := due - time.monotonic()) > 0:
                await asyncio.sleep(left)
            await self.pass_on(side, spoken, opcode, part, whole, writer)

    def frame(self, side, opcode, payload, raw):
        """What this side said, changed by a fault, or by the rule that the client is to break: payload and bytes of each message."""
        bent, message = self.proxy.bent, read(opcode, payload)
        if side == "client":
            whole = bent and message and bent.bend_client(message, self.own, self.proxy.shared)
            if message and message.get("t") == "cmd":
                self.asked[message.get("id")] = message.get("m")
            return [(text, self.limit(text, data)) for text, data in parts(whole, payload, raw, masked=True)]
        whole = self.proxy.faults.changed(message, self.asked, self.limited) if message else None
        return parts(whole, payload, raw, masked=False)

    def limit(self, payload, raw):
        """The bytes that reach the hub of a command: where a fault refuses it, one that does nothing, and whose answer has the times of the hub's clock."""
        faults, message = self.proxy.faults, read(TEXT, payload) if self.proxy.faults.limits else None
        if not message or message.get("t") != "cmd" or not faults.take(faults.limits, message.get("m")):
            return raw
        self.limited[message["id"]] = faults.limit_ms
        return encode(json.dumps({"t": "cmd", "id": message["id"], "m": "x-runner.nothing"}).encode(), masked=True)

    def heard(self, opcode, payload, raw):
        """What a client hears that breaks a rule: another thing than what it was told."""
        bent, message = self.proxy.bent, read(opcode, payload)
        if not bent:
            return [raw]
        if opcode == BINARY:
            whole = bent.bend_binary(payload, self.own, self.proxy.shared)
            return [raw] if whole is None else [encode(one, BINARY, masked=False) for one in whole]
        whole = message and bent.bend_hub(message, self.own, self.proxy.shared)
        return [data for _, data in parts(whole, payload, raw, masked=False)]

    async def pass_on(self, side, spoken, opcode, payload, raw, writer):
        faults, kind = self.proxy.faults, type_of(opcode, payload)
        spoken = {"us": spoken} if side == "client" else None
        while (left := self.stuck_until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.5))
        is_whole = kind == "state" and (read(opcode, payload) or {}).get("full")
        if self.is_muted or self.is_dead or faults.take(faults.drops, (side, kind)) or (is_whole and faults.take(faults.drops, (side, "full"))):
            self.proxy.note(self, side, "dropped", opcode, payload, spoken)
            return self.cut_when_seen(side, opcode, payload)
        if side == "client":
            await self.proxy.overtaken(self, kind)
            message = read(opcode, payload) or {}
            if faults.take(faults.cuts, (kind,)) or faults.take(faults.cuts, (kind, message.get("m"))):
                self.is_muted = self.is_cut = True
                self.last = message.get("id")
        elif faults.rate:
            await asyncio.sleep(len(raw) / faults.rate)
        for data in self.heard(opcode, payload, raw) if side == "hub" else [raw]:
            writer.write(data)
        self.proxy.note(self, side, "passed", opcode, payload, spoken)
        await writer.drain()

    def cut_when_seen(self, side, opcode, payload):
        """Ends a line once what was thrown away shows that the other side has taken in what it was told."""
        if self.is_dead:
            return
        if side == "client" and self.is_told and opcode == CLOSE:
            self.abort()
        elif side == "hub" and self.is_cut:
            message = read(opcode, payload) or {}
            if self.last is None or (message.get("t"), message.get("id")) == ("res", self.last):
                self.proxy.note(self, "proxy", "cut")
                self.abort()


def read(opcode, payload):
    """The JSON object of a text frame, or nothing."""
    try:
        value = json.loads(payload) if opcode == TEXT else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def parts(whole, payload, raw, masked):
    """Payload and bytes of each message that goes on; nothing in `whole` says that this one does, as it is."""
    if whole is None:
        return [(payload, raw)]
    texts = [json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() for one in whole]
    return [(text, encode(text, masked=masked)) for text in texts]


def type_of(opcode, payload):
    return (read(opcode, payload) or {}).get("t")
