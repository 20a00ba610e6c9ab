# deploy/test: tier 2, judges Sources/Platform/Stores/Backups Sources/Features/Admin/BatonAdmin/BackupRoutes Sources/Platform/SQLite.
# deploy/test: waits, mostly for hubs that start and end.
"""Backups of the shipped hub while it plays, and what becomes of them."""

import os
import resource
import stat
import subprocess
import tarfile
import unittest

from Faults.killed import make_music
from Support.hubs import Home, Hub, binaries, main, wait
from Support.suite import possible_if


class Backups(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.files = make_music(self.home, 3)
        self.data, self.file = f"{self.home.folder}/state/baton", f"{self.home.folder}/saved.baton"
        self.hub = None
        self.addCleanup(lambda: self.hub and self.hub.kill())

    def start(self):
        if self.hub:
            self.hub.kill()
        self.hub = Hub(self.home, "--audio", "null", "--data", self.data)
        return self.hub

    def fails(self, *words, code=1):
        ended = self.home.run(f"{binaries()}/baton", *words)
        self.assertEqual(ended.returncode, code, ended.stderr + ended.stdout)
        return ended.stderr

    def titles(self):
        return [line for line in self.home.baton("queue").split("\n") if line.strip()]

    def playing(self):
        self.start()
        self.home.baton("playlist", "create", "Evening")
        self.home.baton("queue", "add", *self.files[:2])
        self.home.baton("play")
        self.home.reaches("it plays", lambda now: now["tl"]["st"] == "playing")

    def test_round(self):
        """A backup of a hub that plays is only its owner's to read, and a restore brings queue and playlists back into the same process."""
        self.playing()
        process = self.hub.process.pid
        before = self.titles()
        said = self.home.baton("backup", self.file)
        self.assertIn("no keys and no passwords", said)
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assertEqual(self.home.status()["tl"]["st"], "playing")
        self.assertFalse(os.path.exists(f"{self.data}/backup.part"))
        with tarfile.open(self.file) as archive:
            names = archive.getnames()
        self.assertLess({"baton-backup.json", "state.db", "library.db", "sources.db", "users.db", "hub-id"}, set(names))
        self.assertFalse([name for name in names if name.startswith("keys")], names)

        self.home.baton("queue", "add", self.files[2])
        self.home.baton("playlist", "delete", "Evening", "--yes")
        self.assertNotEqual(self.titles(), before)
        self.assertIn("--yes", self.fails("restore", self.file, code=2))
        said = self.home.baton("restore", self.file, "--yes")
        self.assertIn("Test hub", said)
        wait("the hub has the data of the backup", lambda: self.queue_or_none() == before)
        self.assertIsNone(self.hub.process.poll())
        self.assertEqual(self.hub.process.pid, process)
        self.assertIn("Evening", self.home.baton("playlist"))
        wait("the hub knows that it has started", lambda: not os.path.exists(f"{self.data}/restored"))
        self.assertTrue(os.path.exists(f"{self.data}/replaced/state.db"))
        self.hub.stop()
        self.start()
        self.assertEqual(self.titles(), before)

    def queue_or_none(self):
        ended = self.home.run(f"{binaries()}/baton", "queue")
        return [line for line in ended.stdout.split("\n") if line.strip()] if ended.returncode == 0 else None

    def test_secrets(self):
        """Keys are in a backup only where they were asked for, and a fresh hub becomes the old one with them."""
        self.playing()
        self.home.baton("backup", self.file, "--with-secrets")
        with tarfile.open(self.file) as archive:
            self.assertIn("keys/hub.key", archive.getnames())
        with open(f"{self.data}/keys/hub.key", "rb") as file:
            key = file.read()
        before = self.titles()
        self.hub.stop()
        self.data = f"{self.home.folder}/state/other"
        self.start()
        self.assertIn("another hub", self.fails("restore", self.file, "--yes"))
        with open(f"{self.data}/keys/hub.key", "rb") as file:
            self.assertNotEqual(file.read(), key)
        self.home.baton("restore", self.file, "--yes", "--other-hub")
        wait("the hub has the data of the backup", lambda: self.queue_or_none() == before)
        with open(f"{self.data}/keys/hub.key", "rb") as file:
            self.assertEqual(file.read(), key)

    def test_refused(self):
        """Damaged, cut and foreign files are refused with a sentence, and the hub plays on with what it has."""
        self.playing()
        self.home.baton("backup", self.file)
        before = self.titles()
        with open(self.file, "rb") as file:
            whole = file.read()
        for name, content, sentence in [
                ("cut", whole[:len(whole) // 2], "too early"), ("changed", whole[:9000] + b"\xff" * 9 + whole[9009:], "damaged"),
                ("foreign", b"no backup at all\n" * 100, "damaged"), ("empty", b"", "too early")]:
            path = f"{self.home.folder}/{name}"
            with open(path, "wb") as file:
                file.write(content)
            self.assertIn(sentence, self.fails("restore", path, "--yes"), name)
        self.assertEqual(self.titles(), before)
        self.assertEqual(self.home.status()["tl"]["st"], "playing")
        self.assertFalse([name for name in os.listdir(self.data) if name.startswith("restore")])
        self.assertIn("cannot be read", self.fails("restore", f"{self.home.folder}/missing", "--yes", code=2))
        self.assertIn("own machine", self.fails("backup", f"{self.home.folder}/x", "--hub", self.hub.page, code=2))

    def test_stopped(self):
        """Where no hub runs, batond takes a backup over; where one does, it says so."""
        self.playing()
        before = self.titles()
        self.home.baton("backup", self.file)
        words = [f"{binaries()}/batond", "--data", self.data, "--restore", self.file]
        ended = self.home.run(*words)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("Another hub", ended.stderr)
        self.hub.stop()
        with open(f"{self.data}/state.db", "wb") as file:
            file.write(b"nothing of use")
        ended = self.home.run(*words)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.start()
        self.assertEqual(self.titles(), before)

    def test_stop_while_it_starts_again(self):
        """A hub that is asked to end right after a restore ends, and the next one has the data of the backup."""
        self.playing()
        self.home.baton("backup", self.file)
        before = self.titles()
        self.home.baton("queue", "add", self.files[2])
        self.home.baton("restore", self.file, "--yes")
        self.hub.stop()
        self.start()
        self.assertEqual(self.titles(), before)

    def test_full(self):
        """Where the file does not fit, a sentence says so and nothing of it is left."""
        self.playing()
        ended = subprocess.run(
            [f"{binaries()}/baton", "backup", self.file], env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)))
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn("was not written", ended.stderr)
        self.assertFalse([name for name in os.listdir(self.home.folder) if "saved" in name])
        self.assertEqual(self.home.status()["tl"]["st"], "playing")

    @possible_if(os.geteuid() == 0, "only root can mount a small disk")
    def test_full_data(self):
        """A hub whose own disk has no room for the copy says how much it needs."""
        os.mkdir(self.data, 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "baton-test", self.data], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.data], check=True)
        self.playing()
        self.assertIn("Free some space", self.fails("backup", self.file))
        self.assertFalse([name for name in os.listdir(self.home.folder) if "saved" in name])
        self.assertFalse(os.path.exists(f"{self.data}/backup.part"))
        self.hub.stop()


if __name__ == "__main__":
    main("ffmpeg", "mount")
