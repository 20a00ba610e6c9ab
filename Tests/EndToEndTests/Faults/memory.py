# deploy/test: tier 2, judges Sources/Kernel/BatonKernel/State/MemoryRelease.swift Sources/Platform/Processes/ProcessMemory Sources/Platform/SocketServer/WebServer.
# deploy/test: judges Sources/Dialects/Companion/Sessions.
# deploy/test: waits, mostly for idle threads and returned memory.
"""What a hub keeps of those who came and went: no thread, no descriptor, and next to no memory. BT-CMD-006

The counts are those of the kernel, for the shipped hub; what it tells of itself goes with them."""

import json
import os
import time

from Music import music
from runner.websocket import encode
from Support.hubs import main
from Support.rawpeer import RawPeer

ROOMS, WATCHERS, VISITS = 12, 800, 3
# A thread that has nothing to do ends after ten seconds, freed memory goes back after twenty; a reader of files stays longest.
IDLE_S, SETTLED_S = 12, 90
MOST_KIB = 2048


class Memory(music.Music):
    flags = ("--audio", "null", "--limit-command-rate", "10000", "--limit-command-burst", "10000")

    def counts(self):
        """-> (threads, descriptors)"""
        pid = self.hub.process.pid
        return len(os.listdir(f"/proc/{pid}/task")), len(os.listdir(f"/proc/{pid}/fd"))

    def own_kib(self):
        """What lies in no file."""
        with open(f"/proc/{self.hub.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

    def at_rest(self):
        """The counts, once they have not fallen for longer than anything idle is kept."""
        lowest, since = self.counts(), time.monotonic()

        def is_still():
            nonlocal lowest, since
            now = self.counts()
            if any(a < b for a, b in zip(now, lowest)):
                lowest, since = tuple(map(min, now, lowest)), time.monotonic()
            return time.monotonic() - since > IDLE_S
        self.until("threads and descriptors come to rest", is_still, limit=SETTLED_S)
        return lowest

    def are_gone(self, before):
        self.until(f"no more threads and descriptors than {before}", lambda: all(a <= b for a, b in zip(self.counts(), before)), limit=SETTLED_S)

    def state(self, query=""):
        return json.loads(self.http(f"/baton/state{query}")[2])["s"]["tl"]["st"]

    def begin_paused(self):
        """A hub whose player is there, with a track that is paused."""
        self.track = self.tone("song.flac", seconds=30)
        self.begin()
        self.scanned(least=1)
        self.ask("play", {"uri": self.track})
        self.until("it plays", lambda: self.state() == "playing")
        self.ask("pause")

    def room(self, number):
        """A room that is made, plays and is deleted."""
        made = self.ask("room.create", {"name": f"Room {number}", "output": "null"})["d"]["room"]
        play = {"t": "cmd", "id": 1, "m": "play", "k": f"play-{number}", "room": made, "p": {"uri": self.track}}
        self.assertTrue(json.loads(self.http("/baton/cmd", json.dumps(play))[2]).get("ok"))
        self.until("the room plays", lambda: self.state(f"?room={made}") == "playing")
        self.ask("room.delete", {"room": made})

    def visit(self, turn):
        """So many come at once, each with a name of its own, and go without a word."""
        links = [RawPeer(self.hub.port).upgrade() for _ in range(WATCHERS)]
        for number, peer in enumerate(links):
            hello = {"t": "hello", "core": "1.0", "view": "full", "client": {"id": f"watcher-{turn}-{number}"}}
            peer.say(encode(json.dumps(hello).encode()))
        for peer in links:
            while json.loads(peer.hear()[1])["t"] != "state":
                pass
        for peer in links:
            peer.socket.close()
        self.until("no other client is connected", lambda: self.ask("hub.info")["d"].get("connections", 0) == 0)

    def test_no_thread_of_swift(self):
        """A hub that has looked for music everywhere and found none has woken no pool of Swift's: its threads come and go by themselves."""
        self.begin()
        self.until("it has looked", lambda: self.ask("lib.folders")["d"].get("report", {}).get("done"), limit=60)
        self.at_rest()
        names = []
        for task in os.listdir(f"/proc/{self.hub.process.pid}/task"):
            with open(f"/proc/{self.hub.process.pid}/task/{task}/comm", encoding="ascii") as name:
                names.append(name.read().strip())
        self.assertEqual([name for name in names if "qos" in name], [])
        self.assertLessEqual(len(names), 3, names)

    def test_rooms_leave_nothing(self):
        """Rooms that were made, played and deleted leave no thread, no descriptor and no player behind."""
        self.begin_paused()
        self.room(0)
        before = self.at_rest()
        for number in range(ROOMS):
            self.room(number + 1)
        self.are_gone(before)
        told = self.ask("hub.info")["d"]["house"]["memory"]
        self.assertEqual((told["player"]["handles"], told["hub"]["rooms"], told["hub"]["playersLeaving"]), (1, 1, 0))

    def test_watchers_leave_nothing(self):
        """After many watchers have come and gone three times, their memory is returned and no descriptor is left."""
        self.begin_paused()
        self.visit(0)
        before = self.at_rest()
        self.until("the first watchers' memory went back", lambda: self.ask("hub.info")["d"]["house"]["memory"]["hub"]["sessions"] == 0)
        own = self.own_kib()
        for turn in range(VISITS):
            self.visit(turn + 1)
        self.are_gone(before)
        self.until("the watchers' memory went back", lambda: self.own_kib() - own < MOST_KIB, limit=SETTLED_S)


if __name__ == "__main__":
    main()
