# deploy/test: tier 2, judges Sources/Wire/BatonProtocol Sources/Wire/BatonWire Sources/Kernel/BatonKernel/Door.
"""Every command with parameters made at random, as admin and as guest: each gets one answer, the hub never ends, and it can
start again from what they left.

BATON_SLOW=1 takes ten minutes; BATON_FUZZ_SEED repeats a run."""

import collections
import os
import time

from Support.fixtures import make, metadata
from Support.generated import Commands, Definitions
from Support.hubs import IS_SLOW, Hub, HubCase, main
from Support.remote import Gone, Remote

SECONDS = 600 if IS_SLOW else 8
# Commands on their way at a time on one connection; the hub allows 64.
AHEAD = 8
BECOMES = {"user.guest", "user.signin", "user.signup"}
SHELVES = ("favourites", "recent", "albums", "artists", "playlists", "stations", "books", "random")


class AnyCommands(HubCase):
    flags = (
        "--audio", "null", "--signup", "open", "--guests", "guest", "--limit-command-rate", "100000",
        "--limit-command-burst", "100000")

    @classmethod
    def prepare(cls):
        for number, title in enumerate(("Low Tide", "High Tide", "Neap")):
            make(
                f"{cls.home.music}/album/{number}.flac", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=20",
                *metadata(title=title, artist="Tides", album="Water", track=str(number + 1)), "-c:a", "flac")
        # Lists that name each other and themselves.
        for name, other in (("one", "two"), ("two", "one"), ("self", "self")):
            with open(f"{cls.home.music}/{name}.m3u", "w", encoding="utf-8") as file:
                file.write(f"album/0.flac\n{other}.m3u\nalbum\n.\n")

    def setUp(self):
        self.seed = int(os.environ.get("BATON_FUZZ_SEED", time.time_ns() % 1_000_000))
        print(f"    seed {self.seed}", flush=True)
        self.token = None
        self.answers, self.last = collections.Counter(), collections.deque(maxlen=40)

    def connect(self, role):
        name = f"{role}-{time.monotonic_ns() % 10**12}"
        if role == "admin":
            return Remote(self.home.socket, name)
        with Remote(self.hub.port, f"door-{name}"[:32]) as door:
            answer = door.ask("user.guest", {"name": "Visitor"})
            if answer["ok"]:
                self.token = answer["d"]["token"]
        # The hub has no place for one more guest: an earlier one goes on, or nobody, if its session has ended.
        return Remote(self.hub.port, name, user=self.token)

    def pour(self, commands, role, until):
        """Commands by one connection, some ahead of their answers, until the time is over."""
        with self.connect(role) as remote:
            open_ones = {}
            commands.learn(remote.sections)
            while time.monotonic() < until:
                while len(open_ones) < AHEAD and time.monotonic() < until:
                    method, parameters = commands.next()
                    key = os.urandom(6).hex() if commands.random.random() < 0.9 else None
                    open_ones[remote.send(method, parameters, key=key)] = method
                    self.last.append((role, method, parameters))
                    if method in BECOMES:
                        # The rest of the time would be spent with that user's role.
                        until = 0
                self.take(remote, commands, role, open_ones)
            # Each one is answered; nothing is answered twice.
            while open_ones:
                self.take(remote, commands, role, open_ones)

    def take(self, remote, commands, role, open_ones):
        message = remote.hear()
        if message["t"] == "state":
            commands.learn(message["s"])
        if message["t"] != "res":
            return
        method = open_ones.pop(message["id"])
        commands.learn([message.get("d"), message.get("queue")], family=method.partition(".")[0])
        code = "ok" if message["ok"] else message["err"]["code"]
        self.answers[role, method, code] += 1
        self.assertNotEqual(code, "internal", (method, message))

    def test_any_commands(self):
        """Commands as admin and as guest, from all definitions: the hub answers each and lives, also after a kill."""
        uris = [f"lib:shelf/{name}" for name in SHELVES]
        folders = [self.home.music, f"{self.home.music}/album", self.home.folder + "/nowhere"]
        commands = Commands(Definitions(), self.seed, folders, uris)
        ends = time.monotonic() + SECONDS
        round_number = 0
        while time.monotonic() < ends:
            role = ("admin", "guest")[round_number % 2]
            round_number += 1
            try:
                self.pour(commands, role, min(ends, time.monotonic() + 2))
            except Gone as gone:
                # A command may have ended the session of the connection that sent it.
                print(f"    {role}: {gone}", flush=True)
            self.assertIsNone(self.hub.process.poll(), f"seed {self.seed}: the hub ended after {list(self.last)}: {Hub.text(self.hub.log)[-4000:]}")
        self.report(commands)
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        with Remote(self.home.socket, "after-0001") as after:
            self.assertTrue(after.ask("hub.info")["ok"])
            self.assertIn(after.ask("play")["ok"], (True, False))

    def report(self, commands):
        total = collections.Counter()
        for (role, _, code), count in self.answers.items():
            total[role, code == "ok"] += count
        for role in ("admin", "guest"):
            sent = total[role, True] + total[role, False]
            print(f"    {role}: {sent} commands, {100 * total[role, True] // max(sent, 1)} % succeeded", flush=True)
        good = {method for (_, method, code) in self.answers if code == "ok"}
        print(f"    never succeeded: {' '.join(sorted(set(commands.definitions.commands) - good))}", flush=True)
        # Noise that is refused at the door would show nothing.
        sent = total["admin", True] + total["admin", False]
        self.assertGreater(total["admin", True] * 5, sent)


if __name__ == "__main__":
    main("ffmpeg")
