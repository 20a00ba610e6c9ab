"""A bad network on demand, between a client and a hub: usable alone.

Knows WebSocket frames and the type of a message, and nothing else of the protocol, so it can cut
exactly between a command and its answer. Faults are words, given as arguments or as lines on standard
input while it runs; the table in faults.py says what each does. What passed, or did not, can be written to a
trace, which is how the runner sees what a client really said.
"""

import argparse
import asyncio
import json
import sys
import time

from runner.faults import FAULTS, Faults
from runner.line import Line
from runner.websocket import CLOSE, TEXT


class Proxy:
    def __init__(self, target, trace=None, seed=1):
        self.target = target
        self.faults = Faults(seed)
        self.lines, self.count = set(), 0
        self.bent, self.shared = None, {"starts": 0, "queue": 0}
        self.waiting, self.front, self.is_fresh, self.place = {}, None, False, None
        self.trace = open(trace, "w", encoding="utf-8") if trace else None

    async def accept(self, reader, writer):
        self.count += 1
        if self.faults.refuses:
            return self.refuse(reader, writer)
        if self.faults.status:
            return await self.answer(reader, writer, self.faults.status)
        try:
            hub = await (asyncio.open_unix_connection(self.target[5:]) if self.target.startswith("unix:")
                         else asyncio.open_connection(*self.target.rsplit(":", 1)))
        except OSError:
            return self.refuse(reader, writer)
        line = Line(self, self.count, (reader, writer), hub)
        self.lines.add(line)
        self.note(line, "proxy", "fresh" if self.is_fresh else "began")
        self.is_fresh = False
        try:
            await line.run()
        finally:
            self.lines.discard(line)

    def refuse(self, reader, writer):
        """Cuts a connection that is not passed on. That the client has tried is evidence all the same."""
        self.note(Line(self, self.count, (reader, writer), (None, None)), "proxy", "refused")
        writer.transport.abort()

    async def answer(self, reader, writer, status):
        """Answers an upgrade by something else than 101."""
        await reader.readuntil(b"\r\n\r\n")
        wait, text = 2 if status in (429, 503) else 0, b"The runner answers so.\n"
        head = f"HTTP/1.1 {status} No\r\nContent-Length: {len(text)}\r\nConnection: close\r\n" + (f"Retry-After: {wait}\r\n" if wait else "")
        # Before the answer: a client waits from the moment that it has it.
        self.note(Line(self, self.count, (reader, writer), (None, None)), "proxy", "answered", more={"status": status, "wait": wait})
        head = self.bent.bend_answer(head.encode()) if self.bent else head.encode()
        writer.write(head + b"\r\n" + text)
        await writer.drain()
        writer.close()

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

    def note(self, line, side, fate, opcode=None, payload=b"", more=None):
        if not self.trace:
            return
        entry = {"us": time.monotonic_ns() // 1000, "line": line.number, "side": side, "fate": fate, **(more or {})}
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
        lines = set(self.lines)
        if name == "hang":
            for line in lines:
                line.stuck_until = time.monotonic() + float(rest[0]) / 1000
        elif name == "halfopen":
            for line in lines:
                line.stuck_until = float("inf")
        elif name == "cutall":
            for line in lines:
                line.abort()
        elif name == "close":
            for line in lines:
                line.close_with(int(rest[0]))
        elif name == "fresh":
            self.is_fresh = True
        elif name == "key" and self.front:
            from runner.mutated import shown
            self.front.load_cert_chain(*shown(rest[0], files=True))
        elif name == "to" and self.place:
            self.place[0] = ":".join(rest)
        elif name == "clear":
            self.faults.clear()
        elif not self.faults.set(name, *rest):
            raise ValueError(f"there is no fault {name}")


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
    target, place = asked.to, None
    if target.startswith("tls:"):
        from runner.device import context
        from runner.mutated import tunnel
        place = [target[4:]]
        target = f"127.0.0.1:{await tunnel(lambda: place[0], inner=context())}"
    proxy = Proxy(target, asked.trace, asked.seed)
    proxy.place = place
    if asked.bend:
        from runner.faulty_clients import CLIENTS
        proxy.bent = CLIENTS[asked.bend]
    proxy.faults.network = asked.fault
    proxy.faults.clear()
    host, _, port = asked.listen.rpartition(":")
    server = await asyncio.start_server(proxy.accept, host, int(port))
    address = server.sockets[0].getsockname()
    ready = {"ready": 1, "tcp": f"{address[0]}:{address[1]}"}
    if asked.key:
        from runner.mutated import shown, tunnel
        proxy.front = shown(asked.key)
        ready["tls"] = f"127.0.0.1:{await tunnel(lambda: ready['tcp'], outer=proxy.front)}"
    print(json.dumps(ready), flush=True)
    await commands(proxy)


def main():
    table = "\n".join(f"  {word:25} {sentence}" for word, sentence in FAULTS.items())
    parser = argparse.ArgumentParser(
        description="A bad network between a client and a hub.", epilog="faults:\n" + table, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", default="127.0.0.1:0", metavar="HOST:PORT", help="where clients connect; port 0 is one that is free")
    parser.add_argument("--to", default="127.0.0.1:9442", metavar="HOST:PORT|unix:PATH", help="where the hub is; tls:HOST:PORT for its TLS port")
    parser.add_argument("--key", metavar="FILE", help="listen by TLS too, and show the key in this file")
    parser.add_argument("--fault", action="append", default=[], metavar="WORD", help="a fault from the start; again for more")
    parser.add_argument("--trace", metavar="FILE", help="what passed and what did not, one JSON object a line")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another N has other chances")
    parser.add_argument("--bend", metavar="NAME", help="break one rule for the client (faulty_clients.py), which shows that the judge of clients sees it")
    try:
        asyncio.run(serve(parser.parse_args()))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        sys.exit(f"the proxy cannot listen, or write its trace: {error}")


if __name__ == "__main__":
    main()
