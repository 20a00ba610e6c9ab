# deploy/test: tier 2, first Alone Reading, alone, since what else runs would stretch the rest before it is counted.
# deploy/test: judges Tests/Bench/instructions.json Tests/Bench/hub.json Package.swift Sources/Core/BatonCore Sources/Wire Sources/Seams.
# deploy/test: judges Sources/Kernel Sources/Features Sources/Assembly Sources/Dialects/Companion Sources/Platform/EventLoop Sources/Platform/SocketServer/WebServer.
# deploy/test: judges Sources/Platform/Stores/StateStore Sources/Platform/SQLite Sources/Platform/Player Sources/Programs/batond.
"""Instructions of a command are no more than those of instructions.json, which deploy/bench instructions --record writes."""

import os
import unittest
from unittest import mock

import callgrind
import instructions
import targets
from Support.suite import main, not_possible

HERE = os.path.dirname(os.path.abspath(__file__))

# Two functions that call a third one, which calls itself no other; and a root that is reached by an entry.
DUMP = """
fn=(1) main
0 5
cfn=(2) entry
calls=10 0
0 1040
cfn=(3) shared
calls=1 0
0 100

fn=(2)
0 20
+1 20
cfn=(4) root
calls=10 4
* 1000

fn=(4)
7 400
cfn=(3)
calls=6 0
+2 600

fn=(3)
0 700
"""


class Reading(unittest.TestCase):
    def setUp(self):
        self.profile = callgrind.Profile([])
        self.profile.read(DUMP.splitlines())

    def test_a_function_costs_what_its_callers_paid(self):
        self.assertEqual(self.profile.inclusive("^(entry|root)$"), 1040)
        self.assertEqual(self.profile.inclusive("^root$"), 1000)
        self.assertEqual(self.profile.inclusive("^nobody$"), 0)

    def test_what_is_called_from_elsewhere_too_is_shared_out(self):
        found = self.profile.below("^root$")
        self.assertEqual(found["root"], (1000, 400))
        self.assertAlmostEqual(found["shared"][0], 600)
        self.assertNotIn("main", found)

    def test_a_little_above_a_figure_is_allowed_and_more_is_named(self):
        recorded = {"0": {"vol.set": 10_000}}
        self.assertEqual(instructions.complaints(recorded, {0: {"vol.set": 10_100}}), [])
        sentence, = instructions.complaints(recorded, {0: {"vol.set": 10_101}})
        self.assertIn("vol.set with 0 watchers takes 10,101 instructions, 1.0% more than the 10,000", sentence)
        watched = {"100": {"pause": 10_000}}
        self.assertEqual(instructions.complaints(watched, {100: {"pause": 10_500}}), [])
        self.assertEqual(len(instructions.complaints(watched, {100: {"pause": 10_501}})), 1)
        self.assertIn("no figure", instructions.complaints(recorded, {0: {"pause": 1}})[0])

    def test_a_figure_above_its_bar_is_counted_by_a_second_hub_too_and_the_lower_one_counts(self):
        recorded, asked = {"0": {"next": 10_000, "pause": 10_000}}, []

        def counted(*figures):
            del asked[:]
            left = list(figures)
            with mock.patch.object(instructions, "counts", lambda *_: asked.append(1) or left.pop(0)):
                return instructions.counts_again(None, 0, recorded)

        self.assertEqual(counted({"next": 10_100, "pause": 9_000}), {"next": 10_100, "pause": 9_000})
        self.assertEqual(len(asked), 1)
        self.assertEqual(counted({"next": 10_200, "pause": 9_000}, {"next": 10_050, "pause": 9_100}), {"next": 10_050, "pause": 9_000})
        self.assertEqual(counted({"next": 10_200, "pause": 9_000}, {"next": 10_300, "pause": 9_000})["next"], 10_200)

    def test_figures_of_other_libraries_are_not_compared(self):
        made = {"compiler": "Swift 6", "libc6": "2.36-9"}
        instructions.comparable(made, {**made, "more": "1"})
        with self.assertRaisesRegex(instructions.NotPossible, 'libc6 is "2.41-1" here and was "2.36-9"'):
            instructions.comparable(made, {**made, "libc6": "2.41-1"})


class Counted(unittest.TestCase):
    def judge(self, watchers):
        try:
            instructions.possible()
            recorded = instructions.load()
            instructions.comparable(recorded["madeWith"], instructions.made_with())
        except instructions.NotPossible as reason:
            not_possible(str(reason))
        found = {watchers: instructions.counts_again(targets.all_targets()["hub"], watchers, recorded["figures"])}
        print(found)
        faults = instructions.complaints(recorded["figures"], found)
        self.assertFalse(faults, "\n".join(faults))


class Alone(Counted):
    def test_no_command_takes_more_instructions_than_recorded(self):
        self.judge(0)


class Watched(Counted):
    def test_no_command_takes_more_instructions_than_recorded_while_others_are_told(self):
        self.judge(100)


if __name__ == "__main__":
    main()
