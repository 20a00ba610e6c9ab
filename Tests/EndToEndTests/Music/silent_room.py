# deploy/test: tier 2, judges Sources/Kernel/BatonKernel/Rooms Sources/Core/BatonCore/Rooms.
"""A room without a speaker: tracks follow each other by their real lengths, no player runs, and the hub sleeps in between.

With BATON_SLOW=1 a minute of it is measured against a minute of a hub at rest: 0.1 % of a core and 2 wake-ups a second at most.
"""

import itertools
import json
import os
import time

from Support.fixtures import lavfi
from Support.hubs import HubCase, main, wait
from Support.suite import slow

LENGTH = 3
TITLES = ("alpha", "beta", "gamma")
CORE_SHARE, WAKES = 0.001, 2


class SilentRoom(HubCase):
    # Not silent as a whole, or it would decode to find what is broken.
    flags = ("--audio", "auto")

    @classmethod
    def prepare(cls):
        for title in TITLES:
            lavfi(f"{cls.home.music}/{title}.flac", f"sine=frequency=300:duration={LENGTH}")
        lavfi(f"{cls.home.music}/long.flac", "sine=frequency=200:duration=300")

    def players(self):
        """Threads of libmpv."""
        folder = f"/proc/{self.hub.process.pid}/task"
        names = []
        for thread in os.listdir(folder):
            with open(f"{folder}/{thread}/comm", encoding="utf-8") as file:
                names.append(file.read().strip())
        return [name for name in names if name.startswith("mpv")]

    def figures(self):
        """Seconds of processor time, and how often the loop went to sleep."""
        folder = f"/proc/{self.hub.process.pid}"
        with open(f"{folder}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open(f"{folder}/task/{self.hub.process.pid}/status", encoding="utf-8") as file:
            slept = next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), slept

    def rates(self, seconds=60):
        """Of a core, and wake-ups a second."""
        (busy, slept), began = self.figures(), time.monotonic()
        time.sleep(seconds)
        now, wakes = self.figures()
        passed = time.monotonic() - began
        return (now - busy) / passed, (wakes - slept) / passed

    def found(self, title):
        """The track of the library, once it was scanned: its length is known from then on."""
        return wait(title, lambda: json.loads(self.home.baton("search", title, "--json"))["rows"])[0]["uri"]

    def test_lengths(self):
        """Three tracks take as long as they are, and no player is made for them."""
        self.home.baton("rooms", "create", "Quiet", "--output", "null")
        self.home.baton("--room", "quiet", "play", *map(self.found, TITLES))
        # By the clock of the hub: how soon this program sees a change says nothing of the room.
        begun = {}

        def ended():
            status = self.quiet()
            line = status["tl"]
            if line["st"] == "playing":
                begun.setdefault(status["now"]["title"], line["atUs"] - line["posMs"] * 1000)
            return line["st"] == "stopped" and begun and line["atUs"]
        end = wait("the end of the queue", ended, every=0.05)
        self.assertEqual(list(begun), list(TITLES))
        for before, after in itertools.pairwise([*begun.values(), end]):
            self.assertAlmostEqual((after - before) / 1e6, LENGTH, delta=0.5)
        self.assertEqual(self.players(), [])
        self.home.baton("play", self.found("long"))
        wait("a room with a speaker has a player", self.players)
        self.home.baton("stop")

    def quiet(self):
        return json.loads(self.home.baton("--room", "quiet", "status", "--json"))

    @slow
    def test_sleep(self):
        """While it plays, the hub needs next to nothing more than without."""
        self.home.baton("rooms", "create", "Calm", "--output", "null")
        long = self.found("long")
        time.sleep(35)
        idle = self.rates()
        self.home.baton("--room", "calm", "play", long)
        # By then the hub has given back the memory that the client needed.
        time.sleep(35)
        share, rate = (playing - resting for playing, resting in zip(self.rates(), idle, strict=True))
        print(f"a room without a speaker adds by playing: {share * 100:.3f} % of a core, {rate:.2f} wake-ups a second")
        self.assertLessEqual(share, CORE_SHARE)
        self.assertLessEqual(rate, WAKES)


if __name__ == "__main__":
    main("ffmpeg")
