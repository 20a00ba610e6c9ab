# deploy/test: tier 1, judges Sources/Kernel/BatonKernel/State Sources/Platform/Stores/StateStore Sources/Platform/SQLite.
# deploy/test: once, for nothing may be lost on a full disk, not even with bad luck.
"""The disk of the shipped hub fills up while it plays, and has room again."""

import os
import resource
import subprocess
import unittest

from Faults.killed import DEVICE, FLAGS, make_music
from Support.hubs import Home, Hub, main, wait
from Support.remote import Remote
from Support.suite import possible_if


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.data = f"{self.home.folder}/state/baton"
        os.mkdir(self.data, 0o700)
        self.files = make_music(self.home, 1)
        self.hub = None
        self.addCleanup(lambda: self.hub and self.hub.kill())

    def start(self):
        self.hub = Hub(self.home, *FLAGS)
        # The hub answers before its stores are open, and what it has last are the dialects.
        with Remote(self.home.socket, "owner") as owner:
            wait("all stores are open", lambda: len(owner.ask("dialect.list")["d"]["list"]) == 2)

    def live_through(self, fill, make_room):
        self.start()
        with Remote(self.hub.port, DEVICE) as remote:
            self.assertTrue(remote.ask("queue.add", {"uris": self.files * 20}, "fill-1")["ok"])
            self.assertTrue(remote.ask("play", key="play-1")["ok"])
            wait("it plays", lambda: remote.ask("queue.get")["ok"] and remote.sections["tl"]["st"] == "playing")
            before = remote.rows()
            fill()
            refused, key = self.add_until_refused(remote)
            self.change_until_refused(remote)
            kept = remote.rows()
            self.assertEqual((refused["err"]["code"], refused["err"]["retry"]), ("unavailable", 1))
            self.assertIn(self.data, refused["err"]["msg"])
            was = remote.position_ms()
            wait("it plays on", lambda: remote.ask("queue.get")["ok"] and remote.position_ms() > was + 300)
            self.assertEqual(remote.sections["tl"]["st"], "playing")
            wait("the owner is told", lambda: remote.ask("queue.get")["ok"] and remote.sections["hub"]["problems"])
            for method, parameters in [("next", {}), ("mode.set", {"repeat": True}), ("queue.remove", {"ids": [before[0][0]]})]:
                answer = remote.ask(method, parameters, f"not-{method.replace('.', '-')}")
                self.assertEqual(answer.get("err", {}).get("code"), "unavailable", answer)
            self.assertEqual(remote.rows(), kept, "what was refused changed the queue")

            make_room()
            answer = remote.ask("queue.add", {"uris": self.files * 50}, key)
            self.assertTrue(answer["ok"] and answer.get("why") != "dup", answer)
            self.until_forgotten(remote)
            rows = remote.rows()
            self.assertEqual(len(rows), len(kept) + 50)
        self.hub.kill()
        self.start()
        with Remote(self.hub.port, DEVICE) as remote:
            self.assertEqual(remote.rows(), rows)
            self.assertEqual(remote.ask("queue.add", {"uris": self.files * 50}, key)["why"], "dup")

    def until_forgotten(self, remote):
        def is_forgotten():
            return remote.ask("queue.get")["ok"] and not remote.sections["hub"].get("problems")
        try:
            wait("the trouble is forgotten", is_forgotten)
        except AssertionError as late:
            raise AssertionError(f"{late}: {remote.sections['hub']['problems']}, {Hub.text(self.hub.log)}") from None

    def add_until_refused(self, remote):
        """A log that is used again has some room left."""
        for number in range(200):
            answer = remote.ask("queue.add", {"uris": self.files * 50}, f"add-{number}")
            if not answer["ok"]:
                return answer, f"add-{number}"
        return self.fail("nothing was refused")

    def change_until_refused(self, remote):
        """Where a long change has no room, the shortest may still have some."""
        for number in range(200):
            if not remote.ask("mode.set", {"repeat": number % 2 == 0}, f"mode-{number}")["ok"]:
                return
        self.fail("nothing short was refused")

    @possible_if(os.geteuid() == 0, "only root can mount a small disk")
    def test_full(self):
        """On a full disk what changes is refused with a sentence, music plays on, and with room all is well again."""
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "baton-test", self.data], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.data], check=True)
        ballast = f"{self.data}/ballast"

        def fill():
            with open(ballast, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(b"x" * 4096)
                except OSError:
                    pass
        self.live_through(fill, lambda: os.remove(ballast))

    def test_limit(self):
        """A limit on the size of its files is survived in the same way."""
        log = f"{self.data}/state.db-wal"

        def limit(size):
            resource.prlimit(self.hub.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        self.live_through(lambda: limit(os.path.getsize(log) + 6000), lambda: limit(resource.RLIM_INFINITY))


if __name__ == "__main__":
    main("ffmpeg", "mount")
