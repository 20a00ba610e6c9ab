"""A slow network that loses packets, as TCP and TLS see it: nothing vanishes, but what was lost comes late, and all behind it waits."""

import asyncio
import random
import threading


class LossyRelay:
    """Passes bytes on to `target`. Each piece takes `delay` seconds; with the chance `loss` it is lost, and sent again after a time that doubles."""

    def __init__(self, target, delay=0.3, loss=0.2, seed=1):
        self.target, self.delay, self.loss, self.random = target, delay, loss, random.Random(seed)
        self.writers, self.lost, self.passed = set(), 0, 0
        self.loop, started = asyncio.new_event_loop(), threading.Event()
        self.thread = threading.Thread(target=self.run, args=(started,), daemon=True)
        self.thread.start()
        started.wait(10)

    def run(self, started):
        async def listen():
            self.flowing = asyncio.Event()
            self.flowing.set()
            self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
            self.port = self.server.sockets[0].getsockname()[1]
            started.set()
        self.loop.run_until_complete(listen())
        self.loop.run_forever()

    def close(self):
        def end():
            self.server.close()
            self.abort()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.call_later(0.05, self.loop.stop)
        self.loop.call_soon_threadsafe(end)
        self.thread.join(10)
        self.loop.close()

    def cut(self):
        """Ends every connection, without a word to either side."""
        self.loop.call_soon_threadsafe(self.abort)

    def hold(self):
        """Nothing arrives any more, and neither side is told."""
        self.loop.call_soon_threadsafe(self.flowing.clear)

    def go(self):
        """What was held arrives now."""
        self.loop.call_soon_threadsafe(self.flowing.set)

    def abort(self):
        for writer in list(self.writers):
            writer.transport.abort()

    async def accept(self, reader, writer):
        host, _, port = self.target.rpartition(":")
        hub_reader, hub_writer = await asyncio.open_connection(host, int(port))
        self.writers |= {writer, hub_writer}
        await asyncio.gather(self.carry(reader, hub_writer), self.carry(hub_reader, writer))
        self.writers -= {writer, hub_writer}

    async def carry(self, reader, writer):
        """Pieces keep their order: one that was lost holds up those behind it."""
        pieces = asyncio.Queue()

        async def deliver():
            while True:
                due, data = await pieces.get()
                await asyncio.sleep(due - self.loop.time())
                await self.flowing.wait()
                if not data or writer.is_closing():
                    return writer.close()
                writer.write(data)
        delivering = asyncio.ensure_future(deliver())
        try:
            while data := await reader.read(1400):
                pieces.put_nowait((self.loop.time() + self.trip(), data))
        except OSError:
            pass
        pieces.put_nowait((self.loop.time() + self.delay, b""))
        await delivering

    def trip(self):
        seconds, again = self.delay, 2 * self.delay
        self.passed += 1
        while self.random.random() < self.loss:
            self.lost += 1
            seconds, again = seconds + again, 2 * again
        return seconds
