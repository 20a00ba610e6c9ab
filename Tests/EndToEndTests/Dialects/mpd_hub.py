# deploy/test: tier 2, first Lines.test_first, judges Sources/Dialects/MPD Sources/Platform/Stores/LibraryStore/Songs.
# deploy/test: judges Sources/Platform/SocketServer/LineServer.
# deploy/test: waits, for it mostly asks two small servers.
"""A hub answers the lines that Debian's mpd is asked over the same library as that does, but for the differences in `Support/mpdknown.py`."""

import contextlib
import os
import random
import unittest

from Dialects.Support.mpdhub import MpdHub
from Dialects.Support.mpdknown import ABSENT, KNOWN, OURS, differ, unknown
from Dialects.Support.mpdmaking import Maker
from Dialects.Support.mpdmusic import library
from Dialects.Support.mpdpair import Pair
from Dialects.Support.mpdscript import read
from Dialects.Support.mpdserver import Mpd
from Support.hubs import Home, main

LINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support/mpdlines.txt")
MADE = 2000
# Groups that are asked always, with 300 lines.
FIRST = ("connection", "quotes", "about", "lists", "arguments", "queue")


class HubLines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as opened:
            home = Home()
            opened.callback(home.close)
            music = library(home.music)
            mpd = Mpd(music)
            opened.callback(mpd.close)
            hub = MpdHub(music)
            opened.callback(hub.close)
            cls.pair = Pair(mpd, hub, differ)
            cls.addClassCleanup(opened.pop_all().close)

    def assertAgree(self, groups, lines):
        asked = self.pair.asked
        found = unknown(self.pair.differences(groups))
        self.assertEqual(found, [], "\n" + "\n".join(map(str, found)))
        self.assertGreaterEqual(self.pair.asked - asked, lines)


class Lines(HubLines):
    def test_first(self):
        """Lines and arguments are read, and refused, as by mpd."""
        self.assertAgree([group for group in read(LINES) if group.name.startswith(FIRST)], 300)

    def test_written(self):
        """All written lines get the same answer of both."""
        self.assertAgree([group for group in read(LINES) if not group.name.startswith(FIRST)], 400)

    def test_made(self):
        """So does each of the lines that a seed makes."""
        seed = int(os.environ.get("BATON_SEED") or random.randrange(1 << 31))
        with self.subTest(BATON_SEED=seed):
            # What only one of them does to a queue would show in the lines that follow.
            self.assertAgree(Maker(seed, without=ABSENT).groups(MADE), MADE)

    def test_reasons(self):
        """Each difference that stays has its reason."""
        self.assertTrue(all(rule.reason.endswith(".") for rule in (*KNOWN, *OURS)))


if __name__ == "__main__":
    main("mpd", "ffmpeg")
