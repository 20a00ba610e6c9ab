# deploy/test: tier 2, first Itself.test_planted, judges Tests/EndToEndTests/Dialects/Support.
# deploy/test: waits, for it mostly asks two small servers.
"""Debian's mpd as the judge of a server that speaks its protocol: both are asked the same lines over one library, and say the same.

`other` starts the server that is judged. Until there is one of ours it is a second mpd, whose ids and versions are others, so what is shown here is
that the oracle itself is right: it finds no difference where there is none, and each one that is planted.
"""

import contextlib
import os
import random
import unittest

from Dialects.Support.mpddiffer import PERMITTED, Differ
from Dialects.Support.mpdmaking import Maker
from Dialects.Support.mpdmusic import library
from Dialects.Support.mpdpair import Pair
from Dialects.Support.mpdpeer import Answer
from Dialects.Support.mpdplanted import PLANTED, Planted
from Dialects.Support.mpdscript import read
from Dialects.Support.mpdserver import Mpd
from Support.hubs import Home, main

LINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support/mpdlines.txt")
WRITTEN, MADE = 400, 2000
# Commands that no line has. `kill` ends the server.
UNASKED = {"kill"}


def other(music):
    """The server that is judged."""
    server = Mpd(music)
    with server.peer() as peer:
        for line in ("add Cellar", "add top.mp3", "clear", "save before", "rm before"):
            peer.ask(line)
    return server


class OracleCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as opened:
            home = Home()
            opened.callback(home.close)
            music = library(home.music)
            cls.mpd = Mpd(music)
            opened.callback(cls.mpd.close)
            cls.other = other(music)
            opened.callback(cls.other.close)
            cls.pair = Pair(cls.mpd, cls.other)
            cls.addClassCleanup(opened.pop_all().close)

    def assertAgree(self, groups, lines):
        asked, answered = self.pair.asked, self.pair.answered
        found = self.pair.differences(groups)
        self.assertEqual(found, [], "\n" + "\n".join(map(str, found)))
        self.assertGreaterEqual(self.pair.asked - asked, lines)
        # Lists of commands have one answer.
        self.assertGreater(self.pair.answered - answered, lines * 0.8)


class Lines(OracleCase):
    def test_written(self):
        """Each written line gets the same answer of both."""
        self.assertAgree(read(LINES), WRITTEN)

    def test_made(self):
        """So does each of the lines that a seed makes."""
        seed = int(os.environ.get("BATON_SEED") or random.randrange(1 << 31))
        with self.subTest(BATON_SEED=seed):
            self.assertAgree(Maker(seed).groups(MADE), MADE)

    def test_every_command(self):
        """The written lines have each command that mpd names, and the made ones most of them."""
        with self.mpd.peer() as peer:
            named = {value for _, value in peer.ask("commands").pairs}
        written = set().union(*(group.commands for group in read(LINES)))
        self.assertEqual(named - written, UNASKED)
        made = set().union(*(group.commands for group in Maker(1).groups(MADE)))
        self.assertGreater(len(named & made), 80)


class Itself(OracleCase):
    def test_planted(self):
        """Each planted difference is found, in the answer that has it, and nothing else."""
        groups = {group.name: group for group in read(LINES)}
        for fault in PLANTED:
            with self.subTest(fault=fault.name):
                found = Pair(self.mpd, Planted(self.other, fault)).of_group(groups[fault.group])
                self.assertTrue(found, "it was not found")
                self.assertEqual({difference.line for difference in found}, {fault.found_at})

    def test_permitted(self):
        """Each rule is needed by the lines that are asked or by values that differ here, and permits no more than it says."""
        self.assertTrue(all(rule.reason.endswith(".") for rule in PERMITTED))
        for rule in PERMITTED:
            command = rule.commands[0] if rule.commands else "status"
            near, far = {
                "near": (("10", "12"), ("10", "99")), "left out": (("1", "2"), None), "numbered": (("5", "8"), None),
                "in any order": (("ab", "ba"), ("ab", "cb"))}[rule.how.partition(":")[0]]
            with self.subTest(rule=rule.name):
                self.assertIsNone(self.difference(command, rule.name, *near))
                if far:
                    self.assertIsNotNone(self.difference(command, rule.name, *far))
                self.assertIsNotNone(self.difference(command, rule.name, *near, permitted=[one for one in PERMITTED if one != rule]))

    @staticmethod
    def difference(command, name, one, other, permitted=PERMITTED):
        answers = [Answer([(name, part) for part in ([value] if value.isdigit() else value)], "OK") for value in (one, other)]
        return Differ(permitted).difference(command, *answers)

    def test_numbers(self):
        """Ids that are given in another order are a difference, however they are written."""
        def says(*ids):
            return Answer([("Id", each) for each in ids], "OK")
        self.assertIsNone(Differ().difference("playlistinfo", says("4", "7", "4"), says("1", "2", "1")))
        self.assertIsNotNone(Differ().difference("playlistinfo", says("4", "7", "4"), says("1", "2", "2")))
        self.assertIsNotNone(Differ().difference("playlistinfo", says("4", "7"), says("1")))

    def test_seeds(self):
        """A seed makes the same lines each time, and another one others."""
        self.assertEqual(Maker(7).groups(100), Maker(7).groups(100))
        self.assertNotEqual(Maker(7).groups(100), Maker(8).groups(100))


if __name__ == "__main__":
    main("mpd", "ffmpeg")
