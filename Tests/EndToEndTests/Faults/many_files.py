# deploy/test: tier 2, judges Sources/Features/Library/BatonLibrary/Local Sources/Platform/Stores/LibraryStore/Scanning Sources/Platform/Disk.
"""Twenty thousand files in one folder (two hundred thousand with --slow), more folders than the system watches, and more
changes at once than it queues."""

import os
import shutil
import signal
import sys
import time

from Music import music
from Support.hubs import IS_SLOW, Hub, main

COUNT = 200_000 if IS_SLOW else 20_000
BROKEN = 1_000
# Names of one file: ext4 knows no more than 65,000.
MOST_NAMES = 60_000
# What one track may cost in memory while it is scanned, and what a hub may take beside.
BYTES_EACH, MIB_ASIDE = 1_000, 45


class ManyFiles(music.Music):
    def memory_mib(self):
        """Without the pages of programs and libraries: how many of those count depends on what else is on the machine."""
        with open(f"/proc/{self.hub.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("RssAnon"))

    def said(self):
        return Hub.text(self.hub.log)

    def test_one_folder(self):
        """A folder of twenty thousand files is read completely: unreadable ones are counted, and the first are named."""
        tone = seed = self.tone("seed.flac", seconds=0.1)
        folder = f"{self.home.music}/All of it"
        os.mkdir(folder)
        for number in range(COUNT):
            piece = f"{folder}/{number:06} Piece.flac"
            if number % MOST_NAMES:
                os.link(seed, piece)
            else:
                seed = shutil.copy(seed, piece)
        os.unlink(tone)
        for number in range(BROKEN):
            open(f"{folder}/{number:06} Nothing.flac", "wb").close()
        self.begin()
        before, slowest = self.memory_mib(), 0.0
        most = before

        def is_over():
            nonlocal slowest, most
            began = time.monotonic()
            self.ask("vol.set", {"level": 20 + self.number % 20})
            slowest, most = max(slowest, time.monotonic() - began), max(most, self.memory_mib())
            report = self.ask("lib.folders")["d"].get("report", {})
            return report.get("done") and report
        report = self.until("the scan is over", is_over, limit=600 if IS_SLOW else 240)
        print(f"    {report['seen']} in one folder within {report['tookMs'] / 1000:.1f} s, at most {most - before:.0f} MiB more, "
              f"slowest answer {slowest * 1000:.0f} ms", file=sys.stderr)
        self.assertEqual((report["seen"], report["failed"]), (COUNT + BROKEN, BROKEN))
        self.assertEqual(self.ask("lib.browse", {"node": "lib:shelf/tracks", "limit": 1})["d"].get("total"), COUNT)
        self.assertLessEqual(len(report["problems"]), 100)
        self.assertTrue(all("is empty" in sentence for sentence in report["problems"]), report["problems"])
        self.assertLess(most - before, MIB_ASIDE + COUNT * BYTES_EACH / 2**20)
        # A person is told how many there are beside those that are named.
        self.assertIn(f"{BROKEN:,}".replace(",", ""), self.home.baton("scan", "--wait").replace(",", "").replace("\u202f", ""))

    def test_more_folders_than_are_watched(self):
        """Where the system watches no more folders that is said in a sentence, and what changes there is found all the same."""
        for number in range(12):
            self.tone(f"{number:02}/song.flac", title=f"Song {number}", hertz=300 + number)
        self.begin_with_watches(6)
        self.scanned(least=12)
        said = self.until("the sentence", lambda: [line for line in self.said().splitlines() if "max_user_watches" in line])
        self.assertEqual(len(said), 1, "it is said once")
        self.assertIn("sysctl", said[0])
        for number in range(12):
            self.tone(f"{number:02}/new.flac", title=f"Novelty {number:02}", hertz=800 + number)
        self.ask("hub.scan")
        self.until("all are found", lambda: all(self.found(f"novelty {number:02}") for number in range(12)))

    def begin_with_watches(self, most):
        """A hub among whose rights is to watch so many folders and no more."""
        wrapper = f"{self.home.folder}/start"
        with open(wrapper, "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\necho {most} >/proc/sys/user/max_inotify_watches || exit 9\nexec "$@"\n')
        os.chmod(wrapper, 0o755)
        start = self.home.start

        def confined(*words, **options):
            return start("unshare", "--user", "--map-root-user", wrapper, *words, **options)
        self.home.start = confined
        try:
            return self.begin()
        finally:
            self.home.start = start

    def test_more_changes_than_are_remembered(self):
        """When so much happens at once that the system forgets some of it, everything is looked at again and nothing is missed."""
        seed = self.tone("seed.flac", seconds=0.1, title="Seed")
        for name in ("a", "b"):
            os.mkdir(f"{self.home.music}/{name}")
        hub = self.begin()
        self.scanned(least=1)
        hub.process.send_signal(signal.SIGSTOP)
        with open("/proc/sys/fs/inotify/max_queued_events", encoding="ascii") as file:
            most = int(file.read())
        for number in range(most + 100):
            os.link(seed, f"{self.home.music}/a/{number}.flac")
        for number in range(most + 100):
            os.unlink(f"{self.home.music}/a/{number}.flac")
        # The hub is not notified of this one.
        self.tone("b/last.flac", title="Unheard of", hertz=999)
        hub.process.send_signal(signal.SIGCONT)
        self.until("it is found all the same", lambda: self.found("unheard"))


if __name__ == "__main__":
    main("ffmpeg", "unshare")
