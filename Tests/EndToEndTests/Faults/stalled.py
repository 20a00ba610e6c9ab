# deploy/test: tier 2, judges Sources/Platform/SocketServer/WebServer Sources/Dialects/Companion/Sessions.
# deploy/test: alone, for others' answers and the hub's memory are measured.
"""Two hundred clients stop reading: each is closed in time, costs little until then, and does not affect other clients."""

import json
import os
import socket
import statistics
import sys
import time

from runner.websocket import encode
from Support.hubs import HubCase, main
from Support.rawpeer import RawPeer
from Support.remote import Remote

COUNT = 200
# What the protocol lets one connection hold, and the time it gives a full pipe.
KIB_EACH, SECONDS = 160, 10
# Memory is counted in pages: pages that the hub uses for the first time meanwhile, and gaps between blocks of its
# allocator, belong to no connection. Pages of files are not counted, since the system drops and reads them as it likes.
KIB_ASIDE = 8_000


class Stalled(HubCase):
    def connections(self):
        folder = f"/proc/{self.hub.process.pid}/fd"

        def is_socket(name):
            # One that was listed may be closed by now.
            try:
                return os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:
                return False
        return sum(map(is_socket, os.listdir(folder)))

    def memory_kib(self):
        with open(f"/proc/{self.hub.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

    def reader(self, number):
        """Greeted, and with so small a window that little fits into the pipe."""
        link = socket.socket()
        self.addCleanup(link.close)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(("127.0.0.1", self.hub.port))
        peer = RawPeer(link).upgrade()
        peer.say(encode(json.dumps({"t": "hello", "core": "1.0", "view": "full", "client": {"id": f"reader-{number}"}}).encode()))
        while b'"t":"state"' not in peer.hear()[1]:
            pass
        return peer

    def stall(self, peer, pages):
        """Asks for more than fits, and reads none of it."""
        for number in range(1, pages + 1):
            peer.say(encode(json.dumps({"t": "cmd", "id": number, "m": "queue.get", "p": {"n": 100}}).encode()))

    def change(self, remote, seconds, until=lambda: False):
        """Turns the volume fifteen times a second; gives back how long each answer took."""
        times, number, end = [], 0, time.monotonic() + seconds
        while time.monotonic() < end and not until():
            number += 1
            began = time.monotonic()
            self.assertTrue(remote.ask("vol.set", {"level": 20 + number % 20})["ok"])
            times.append(time.monotonic() - began)
            time.sleep(1 / 15)
        return times

    def test_stalled(self):
        """Readers that stop are closed with 4430 within ten seconds, and the others' answers stay quick."""
        before = self.connections()
        with Remote(self.hub.port, "the-controller") as remote:
            # Long names make long pages.
            uris = [f"http://127.0.0.1:9/{number:03}/{'a-long-way-to-a-song/' * 8}x.flac" for number in range(60)]
            answer = remote.ask("queue.add", {"uris": uris}, "fill-1")
            self.assertTrue(answer["ok"], answer)
            readers = [self.reader(number) for number in range(COUNT)]
            idle_kib = self.memory_kib()
            calm = self.change(remote, 1.5)
            # One half fills its pipe and stays there; the other asks until more is waiting than may.
            for number, reader in enumerate(readers):
                self.stall(reader, 4 if number % 2 else 12)
            began, peak_kib = time.monotonic(), 0

            def all_closed():
                nonlocal peak_kib
                peak_kib = max(peak_kib, self.memory_kib())
                return self.connections() <= before + 1
            busy = self.change(remote, SECONDS + 9, until=all_closed)
            took = time.monotonic() - began
            self.assertTrue(all_closed(), f"{self.connections() - before - 1} of {COUNT} are still there after {took:.0f} s")
            endings = [reader.ending() for reader in readers]
            self.assertTrue(remote.ask("vol.set", {"level": 7})["ok"])
        quick, slow = statistics.median(calm) * 1e3, statistics.median(busy) * 1e3
        print(f"    {COUNT} readers: closed within {took:.1f} s, {endings.count(4430)} saw 4430 and {endings.count(None)} a cut; at most "
              f"{peak_kib - idle_kib} KiB more; answers took {quick:.2f} ms before and {slow:.2f} ms meanwhile", file=sys.stderr)
        self.assertLessEqual(set(endings), {4430, None})
        self.assertGreater(took, SECONDS / 2, "the readers were given no time")
        # Two seconds for the hub to look; the rest is what a busy machine adds.
        self.assertLess(took, SECONDS + 8)
        self.assertLess(peak_kib - idle_kib, COUNT * KIB_EACH + KIB_ASIDE)
        # Far below what one full pipe would hold up, far above what a busy machine adds: the bench measures it.
        self.assertLess(slow, 3 * quick + 50)


if __name__ == "__main__":
    main()
