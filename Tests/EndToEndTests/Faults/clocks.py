# deploy/test: tier 2, judges Sources/Kernel/BatonKernel/HubClock.swift Sources/Kernel/BatonKernel/State Sources/Platform/Stores/StateStore.
"""The wall clock of the shipped hub's machine is set by years while it runs and between two runs: no press counts twice for it.

libfaketime changes the wall clock that the hub reads and leaves the monotonic one alone, as setting a real clock does.
"""

import calendar
import glob
import os
import sqlite3
import subprocess
import sys
import time
import unittest

from Support.hubs import Home, Hub, main, wait
from Support.remote import Remote

DEVICE = "cl0ckR3mote"
DAY_MS = 86_400_000


def library():
    """Where the package faketime keeps what is loaded before a program."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    return found[0] if found else None


class ClockedHome(Home):
    """A home whose programs see a wall clock that can be set."""

    def __init__(self):
        super().__init__()
        self.setting = f"{self.folder}/setting"
        self.started = []
        self.set_clock("+0")

    def set_clock(self, shift):
        """A program reads this file at each look at the clock, so it is replaced in one step."""
        with open(self.setting + ".new", "w", encoding="ascii") as file:
            file.write(f"{shift}\n")
        os.rename(self.setting + ".new", self.setting)

    def start(self, *words, **options):
        environment = {
            **self.environment, "LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": self.setting, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1", "NO_FAKE_STAT": "1",
        }
        # libfaketime changes the environment of the first program that loads it, and Swift finds its arguments
        # beside an unchanged one. So env loads it first; it has the number of the program that takes its place.
        process = subprocess.Popen(["/usr/bin/env", *words], env=environment, stdin=subprocess.DEVNULL, **options)
        self.started.append(process.pid)
        return process

    def close(self):
        super().close()
        for name in ("faketime_shm_", "sem.faketime_sem_"):
            for pid in self.started:
                if os.path.exists(f"/dev/shm/{name}{pid}"):
                    os.remove(f"/dev/shm/{name}{pid}")


class Clocks(unittest.TestCase):
    def setUp(self):
        self.home = ClockedHome()
        self.addCleanup(self.home.close)
        self.hub = None
        self.addCleanup(lambda: self.hub and self.hub.kill())
        self.start()

    def start(self):
        if self.hub:
            self.hub.kill()
        self.hub = Hub(self.home, "--audio", "null")

    def press(self):
        """The same presses each time: what became of them, how loud it is, and how many lists there are."""
        with Remote(self.home.socket, DEVICE) as remote:
            step = remote.ask("vol.step", {"d": 3}, "step-1")
            made = remote.ask("pl.create", {"name": "Sunday"}, "list-1")
            self.assertTrue(step["ok"] and made["ok"], (step, made))
            lists = remote.ask("pl.list")["d"]
            return (step.get("why"), made.get("why")), remote.sections["vol"]["level"], len(lists["rows"])

    def wall_ms(self):
        with Remote(self.home.socket, "watcher1") as remote:
            return remote.ask("hub.info")["d"]["wallMs"]

    def first_press(self):
        why, level, lists = self.press()
        self.assertEqual((why, lists), ((None, None), 1))
        return level

    def assert_known(self, level, when):
        self.assertEqual(self.press(), (("dup", "dup"), level, 1), when)

    def test_forwards_and_backwards(self):
        """A clock that is set by 400 days, either way, frees no key, and neither does a restart under it."""
        level = self.first_press()
        began_ms = self.wall_ms()
        for shift in ("+400d", "-400d"):
            self.home.set_clock(shift)
            self.assertAlmostEqual(self.wall_ms(), began_ms + int(shift[:-1]) * DAY_MS, delta=DAY_MS, msg="The clock was not set.")
            self.assert_known(level, f"with the clock at {shift}")
            self.hub.stop()
            self.start()
            self.assert_known(level, f"started with the clock at {shift}")
            self.hub.kill()
            self.start()
            self.assert_known(level, f"killed with the clock at {shift}")
        self.home.set_clock("+0")
        self.assert_known(level, "with the clock set right again")

    def test_life_ends(self):
        """After ten minutes of the kernel's clock the keys are free, whatever the wall clock says; a reboot frees none."""
        level = self.first_press()
        self.home.set_clock("-400d")
        self.hub.stop()
        self.edit("clock_boot = 'another'", "boot = 'another'")
        self.start()
        self.assert_known(level, "after a reboot")
        self.hub.stop()
        # As if the hub had been away for ten minutes of the same life of the kernel.
        self.edit("clock_kernel_ms = clock_kernel_ms - 600001", "kernel_ms = kernel_ms - 600001")
        self.start()
        why, now, lists = self.press()
        self.assertEqual((why, now, lists), ((None, None), level + 3, 2))

    def test_summer_time(self):
        """A recording of each day is 23 hours later where clocks are put forward in between, and 25 where they are put back."""
        self.home.environment["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"
        for number, (year, month, day, hour, hours) in enumerate([(2027, 3, 27, 19, 23), (2027, 6, 1, 18, 24), (2027, 10, 30, 18, 25)]):
            self.home.set_clock(f"{calendar.timegm((year, month, day, hour, 0, 0)) - int(time.time()):+d}")
            self.start()
            with Remote(self.home.socket, DEVICE) as remote:
                def record(at, remote=remote, **more):
                    self.assertTrue(remote.ask("radio.record", {"uri": "radio:station/1", "at": at, "for": 1_000, **more}, f"r-{at}")["ok"])

                self.assertTrue(remote.ask("radio.edit", {"add": [{"title": "Harbour", "url": "http://127.0.0.1:1/"}]}, f"add-{number}")["ok"])
                at = self.wall_ms()
                record(at, every="day")
                wait("its end", lambda at=at: self.wall_ms() > at + 1_000)
                # libfaketime moves the timers of the loop, too, so another recording has the hub look at its plan.
                record(at + 3_600_000)
                rows = self.hub.section("radio")["rec"]
                self.assertEqual((rows[0]["at"] - at, rows[0]["end"] - rows[0]["at"]), (hours * 3_600_000, 1_000))
                for row in rows:
                    self.assertTrue(remote.ask("radio.record", {"stop": row["id"]}, f"stop-{row['id']}")["ok"])

    def edit(self, journal, library_clock):
        folder = f"{self.home.folder}/state/baton"
        for name, table, change in (("state.db", "journal", journal), ("library.db", "answer_clock", library_clock)):
            file = sqlite3.connect(f"{folder}/{name}")
            with file:
                file.execute(f"UPDATE {table} SET {change}")
            file.close()


if __name__ == "__main__":
    if not library():
        print("clocks.py: skipped, for there is no libfaketime here")
        sys.exit(77)
    main()
