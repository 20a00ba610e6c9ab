# deploy/test: tier 2, first Kills Cuts.test_cuts.
# deploy/test: judges Sources/Kernel/BatonKernel/State Sources/Platform/Stores/StateStore Sources/Platform/SQLite Sources/Kernel/BatonKernel/State/WorkHold.swift.
# deploy/test: waits, once, mostly for hubs to start again.
"""The shipped hub is killed and cut off at random moments, and nothing that was answered is lost or done twice. One that crashed at
its last starts holds its work back.

BATON_SEED=N repeats a run; what a run did is told when it fails.
"""

import os
import random
import signal
import sys
import threading
import unittest
import urllib.error
import urllib.request

from Support.edits import Script
from Support.faults import FaultyPair
from Support.fixtures import lavfi
from Support.hubs import IS_SLOW, Home, Hub, binaries, main, wait
from Support.remote import Gone, Remote
from Support.suite import IS_FIRST

SEED = int(os.environ.get("BATON_SEED") or random.SystemRandom().randrange(2**32))
DEVICE = "k1llerR3mote"
# The script is quicker than a person, and what the hub allows a person is tested elsewhere.
FLAGS = ["--audio", "null", "--limit-command-rate", "100000", "--limit-command-burst", "100000"]


def make_music(home, count, folder=None):
    """Tones longer than the test."""
    folder = folder or home.music
    return [lavfi(f"{folder}/{number}.flac", f"sine=frequency={200 + 50 * number}:sample_rate=8000:duration=900") for number in range(count)]


class Killing(unittest.TestCase):
    """One home, and a hub in it that is killed and started again."""

    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.random = random.Random(SEED)
        self.hub = None
        self.addCleanup(lambda: self.hub and self.hub.kill())

    def start(self):
        self.hub = Hub(self.home, *FLAGS)

    def run(self, result=None):
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) > before:
            print(f"{self.id()}: BATON_SEED={SEED}", file=sys.stderr)


class Kills(Killing):
    # Over the socket, where rooms may be made.
    COUNT = 100 if IS_SLOW else 5 if IS_FIRST else 15

    def test_kills(self):
        """After a kill at any moment all that was answered is there, and what was not is done once when it is sent again."""
        # Beside the music folder: what lies in it has another name once it has been read, and that comes any moment.
        script = Script(self.random, make_music(self.home, 6, f"{self.home.folder}/beside"))
        for number in range(self.COUNT):
            self.start()
            path = FaultyPair(self.home.socket)
            with Remote(path.near, DEVICE) as remote:
                script.come_back(remote)
                # Long enough for the position to be written, and longer. Nothing that moves it is on its way then.
                if number % 10 == 4:
                    script.listen(remote, 5.5)
                    self.hub.process.kill()
                    script.lose(remote)
                else:
                    # At least one answer is lost for certain.
                    down = 0 if number == 1 else self.random.randrange(100)
                    self.edit_until_killed(script, remote, path, down, by_clock=number % 2 == 0)
            path.close()
            self.hub.kill()
        self.start()
        with Remote(self.home.socket, DEVICE) as remote:
            script.come_back(remote)
        print(f"    {self.COUNT} kills among {script.count} commands; {script.unanswered_count} were unanswered, of which "
              f"{script.dup_count} had been done; {script.position_count} positions were compared", file=sys.stderr)
        self.assertGreater(script.unanswered_count, 0, "no kill came between a command and its answer")
        self.assertGreater(script.position_count, 0, "no position could be compared")

    def edit_until_killed(self, script, remote, path, down, by_clock):
        """By the clock a kill may come anywhere; otherwise it comes while a command is carried out, and the answer is lost behind `down` bytes."""
        def strike():
            self.hub.process.kill()
            path.cut()
        killer = threading.Timer(self.random.uniform(0, 0.3) if by_clock else 60, self.hub.process.kill)
        killer.start()
        left = self.random.randrange(30)
        try:
            while by_clock or left:
                script.edit(remote)
                left -= 1
            path.fail(down=down, silently=True)
            script.edit(remote, strike)
        except Gone:
            script.lose(remote)
        finally:
            killer.cancel()
            killer.join()


class Cuts(Killing):
    COUNT = 1000 if IS_SLOW else 30 if IS_FIRST else 100

    def test_cuts(self):
        """A connection cut between press and answer, and the hub killed in every tenth: skips counted are skips asked."""
        files = make_music(self.home, 1)
        self.start()
        with Remote(self.hub.port, DEVICE) as remote:
            for batch in range(0, self.COUNT + 1, 250):
                remote.ask("queue.add", {"uris": files * min(250, self.COUNT + 1 - batch)}, f"fill-{batch}")
            remote.ask("play")
        cut = kills = 0
        for press in range(self.COUNT):
            is_killed = press % 10 == 0
            cut += self.press_and_cut(f"skip-{press}", is_killed)
            if is_killed:
                kills += 1
                self.hub.kill()
                self.start()
            self.press_again(f"skip-{press}", press + 1)
        self.assertEqual((cut, kills), (self.COUNT, self.COUNT // 10))
        with Remote(self.hub.port, DEVICE) as remote:
            self.assertEqual(remote.sections["queue"]["idx"], self.COUNT)

    def press_and_cut(self, key, is_killed):
        """Whether the press stayed without its answer."""
        path = FaultyPair(self.hub.port)
        try:
            remote = Remote(path.near, DEVICE, run="the-same-run")
            is_silent = self.random.random() < 0.2
            if is_silent:
                remote.peer.socket.settimeout(0.1)
            if self.random.random() < 0.5:
                path.fail(up=self.random.randrange(0, 60), silently=is_silent)
            else:
                path.fail(down=self.random.randrange(0, 300), silently=is_silent)
            if self.random.random() < 0.2:
                path.throttle(7, 0.0005)
            if is_killed:
                killer = threading.Timer(self.random.uniform(0, 0.004), self.hub.process.kill)
                killer.start()
                self.addCleanup(killer.join)
            try:
                remote.ask("next", key=key)
                return False
            except Gone:
                return True
        finally:
            path.close()

    def press_again(self, key, expected):
        with Remote(self.hub.port, DEVICE, run="the-same-run") as remote:
            answer = remote.ask("next", key=key)
            self.assertTrue(answer["ok"], answer)
            self.assertEqual(remote.sections["queue"]["idx"], expected, answer)

    def test_slow_path(self):
        """A path that lets seven bytes through at a time loses nothing."""
        self.start()
        path = FaultyPair(self.hub.port)
        self.addCleanup(path.close)
        path.throttle(7, 0.0002)
        with Remote(path.near, DEVICE) as remote:
            for level in range(5):
                self.assertEqual(remote.ask("vol.set", {"level": level})["st"], "applied")
                self.assertEqual(remote.sections["vol"]["level"], level)


class Crashes(Killing):
    def end_by(self, *numbers):
        for number in numbers:
            self.start()
            self.end_by_now(number)

    def end_by_now(self, number):
        self.hub.process.send_signal(number)
        self.assertEqual(self.hub.process.wait(60), -number, "the signal is what ends it")
        self.hub.kill()

    def end_in_order(self):
        self.assertEqual(self.hub.stop(), 0)
        self.hub.kill()

    def held(self):
        with Remote(self.home.socket, DEVICE) as remote:
            return remote.sections["hub"].get("held")

    def problems(self):
        """What keeps the hub from its work, once it has started."""
        def answer():
            try:
                return urllib.request.urlopen(f"{self.hub.page}/healthz").read().decode()
            except urllib.error.HTTPError as ill:
                return ill.read().decode()
        return wait("it has started", lambda: (said := answer()) and "still starting" not in said and said)

    def test_crashes(self):
        """BT-HLD-001: After two crashes soon after a start the work waits, over restarts, until a person has it go on."""
        self.start()
        self.home.baton("play", *make_music(self.home, 1))
        self.home.reaches("it plays", lambda said: said["tl"]["st"] == "playing")
        self.end_by_now(signal.SIGSEGV)
        self.end_by(signal.SIGABRT)
        self.start()
        held = self.held()
        self.assertEqual((held["crashes"], held["signal"]), (2, "SIGABRT"))
        self.assertIn("baton hub resume", self.home.baton("status"))
        self.assertIn(self.home.status()["tl"]["st"], ("paused", "stopped"), "no position is kept yet of a track that had just begun")
        self.assertIn("baton hub resume", self.home.run(f"{binaries()}/baton", "doctor").stdout)
        self.assertIn("baton hub resume", Hub.text(self.hub.log))
        self.assertNotEqual(self.problems(), "ok")
        self.home.baton("play")
        self.home.reaches("a command is carried out", lambda said: said["tl"]["st"] == "playing")
        self.end_in_order()

        self.start()
        self.assertEqual(self.held(), held)
        self.assertIn("goes on", self.home.baton("hub", "resume"))
        self.assertIsNone(self.held())
        self.assertIn("holds nothing back", self.home.baton("hub", "resume"))
        self.end_by_now(signal.SIGSEGV)
        self.start()
        self.assertIsNone(self.held(), "one crash after that is the first")

    def test_kills(self):
        """Neither SIGKILL nor a file of crashes that is damaged or cannot be opened keeps the hub from its work."""
        notes = f"{self.home.folder}/state/baton/crashes"
        self.end_by(signal.SIGKILL, signal.SIGKILL)
        with open(notes, "wb") as file:
            file.write(b"SIGSEGV 5 5\nSIGSEGV 5" + bytes(range(256)) * 10)
        self.start()
        self.assertIsNone(self.held())
        self.end_in_order()
        self.assertEqual(os.path.getsize(notes), 0, "an end in order forgets")
        os.remove(notes)
        os.mkdir(notes)
        self.start()
        self.assertIsNone(self.held())
        self.assertIn("crashes are not counted", Hub.text(self.hub.log))


if __name__ == "__main__":
    main("ffmpeg")
