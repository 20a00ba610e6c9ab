# deploy/test: tier 1, judges Tests/Runner.
# deploy/test: waits, once, for luck has no part in it.
"""The runner itself: what it makes of jobs that pass, fail, pass the second time, are killed, hang, skip, or say more than they did.

Each test makes a project of a few jobs and runs the runner in it."""

import ast
import glob
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import closing
import jobs
import judged
import lanes
import passed
import plumbing
from made import FAILS, FLAKY, LEDGER, PASSES, TIER_1, TIER_2, RunnerCase
from module_cases import Modules  # noqa: F401
from Support.suite import main
from tier_cases import Tiers  # noqa: F401

HERE = os.path.dirname(os.path.abspath(__file__))


class Endings(RunnerCase):
    def test_passing(self):
        """When all pass the code is 0, and the tests of Swift and of suites are counted."""
        self.project.suite("good.py", PASSES, more="def test_two(self): pass")
        self.project.script("good.sh", f"#!/bin/bash\n{TIER_1}\nexit 0\n")
        self.project.swift("BatonCoreTests", "test(1, 'pass'); test(2, 'pass')")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (0, (5, 0, 0)), said)
        self.assertEqual(self.project.times()[0], ["job", "tier", "seconds", "outcome", "skips", "repetition"])
        self.assertEqual(self.outcomes(), [(name, "passed", "0", "0") for name in ("BatonCoreTests", "good.py", "good.sh")])
        self.assertIn("the slowest of 3", said)

    def test_failing(self):
        """A failure stops nothing, is repeated once, and is named with its test and the last 200 lines of its log."""
        self.project.suite("bad.py", "[print('line', n) for n in range(500)]; " + FAILS)
        self.project.suite("good.py", PASSES, head="# deploy/test: alone, for a reason.")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (1, 1, 0)), said)
        self.assertEqual(self.outcomes(), [("bad.py", "failed", "0", "0"), ("bad.py", "failed", "0", "1"), ("good.py", "passed", "0", "0")])
        self.assertIn("deploy/test: FAILED bad.py: code 1, also when it was repeated alone\ndeploy/test:     Made.test_one\n", said)
        self.assertIn("line 499\n", said)
        self.assertNotIn("line 200\n", said)

    def test_flaky(self):
        """A job that passes when it is repeated is named with both logs and its row for the ledger, and the run passes."""
        self.project.suite("odd.py", FLAKY)
        self.project.suite("other.py", FLAKY)
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (0, (2, 0, 0)), said)
        self.assertIn("deploy/test: FLAKY odd.py: it failed (.build/jobs/odd.py.log) and passed when it was repeated alone (.build/jobs/again/odd.py.log)", said)
        self.assertIn("| odd.py | Made.test_one | unknown | 1 | ", said)
        self.assertIn("AssertionError", said)

    def test_many_flaky(self):
        """More than two flaky jobs fail the run."""
        for name in ("one.py", "two.py", "three.py"):
            self.project.suite(name, FLAKY)
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (3, 3, 0)), said)

    def test_never_repeated(self):
        """A job in which luck has no part, one that died by a signal, and one that hung are not repeated; a hung one shows where."""
        self.project.swift("BatonCoreTests", "sys.exit(test(1, 'fail') or test(2, 'pass'))")
        self.project.swift("RadioTests", "test(1, 'pass'); stream.flush(); os.abort()")
        self.project.suite("exploits.py", FAILS, head="# deploy/test: waits, once, for an exploit must never work.")
        self.project.suite("hangs.py", "print('here it hangs', flush=True); time.sleep(60)")
        self.project.suite("killed.py", "os.kill(os.getpid(), 9)")
        code, said = self.project.run(patience=4)
        self.assertEqual((code, self.counts(said)), (1, (1, 5, 0)), said)
        self.assertEqual(self.outcomes(), [
            ("BatonCoreTests", "failed", "0", "0"), ("RadioTests", "signal", "0", "0"), ("exploits.py", "failed", "0", "0"),
            ("hangs.py", "hung", "0", "0"), ("killed.py", "signal", "0", "0")])
        for sentence in (
                "Expectation failed: 1 == 2", "    BatonCoreTests.Suite: test 1", "RadioTests: it died by SIGABRT", "killed.py: it died by SIGKILL",
                "hangs.py: it was ended after 4 s", "here it hangs\n", "in test_one\n"):
            self.assertIn(sentence, said)

    def test_lying(self):
        """A job that says it passed, and ran no test or had one that failed, has failed."""
        self.project.script("silent.py", f"#!/usr/bin/python3\n{TIER_1}\nprint('Ran 5 tests', 'OK')\n")
        self.project.suite("none.py", PASSES, more="test_one = slow(test_one)")
        self.project.swift("BatonCoreTests", "sys.exit(0)")
        self.project.swift("RadioTests", "test(1, 'fail')")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (0, 4, 0)), said)
        self.assertEqual([row[1] for row in self.outcomes()], ["failed"] * 5, "only none.py is repeated, since its code said so")
        self.assertEqual(said.count("FAILED silent.py: its code is 0, and yet no test ran"), 1)
        self.assertIn("no test was chosen", said)

    def test_filter(self):
        """With a filter only Swift tests run, and one that matches nothing is a failure."""
        self.project.suite("bad.py", FAILS)
        self.project.swift("BatonCoreTests", "test(1, 'pass')")
        code, said = self.project.run("--filter", "^BatonCoreTests\\.")
        self.assertEqual((code, self.counts(said)), (0, (1, 0, 0)), said)
        code, said = self.project.run("--filter", "^NoTests\\.")
        self.assertEqual((code, self.counts(said)), (1, (0, 1, 0)), said)


class Skips(RunnerCase):
    def test_skipped(self):
        """Skips count with their reason, in Python and in Swift; with BATON_NO_SKIP=1 each is a failure, which is not repeated."""
        self.project.suite("part.py", PASSES, more="@unittest.skip('no tool')\n    def test_two(self): pass")
        self.project.script("whole.py", f"#!/usr/bin/python3\n{TIER_1}\nprint('skipped, for there is no sox here')\nexit(77)\n")
        self.project.swift("RadioTests", "test(1, 'pass'); test(2, 'skip', 'Test \"two\" skipped: no sound')")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (0, (2, 0, 3)), said)
        self.assertEqual(self.outcomes(), [("RadioTests", "passed", "1", "0"), ("part.py", "passed", "1", "0"), ("whole.py", "skipped", "1", "0")])
        for sentence in ("skipped: part.py: Made.test_two: no tool", "skipped: whole.py: skipped, for there is no sox here", "two\" skipped: no sound"):
            self.assertIn(sentence, said)
        code, said = self.project.run(BATON_NO_SKIP="1")
        self.assertEqual((code, self.counts(said)), (1, (2, 3, 0)), said)
        self.assertEqual([row[1::2] for row in self.outcomes()], [("failed", "0")] * 3)

    def test_not_possible(self):
        """What the machine does not allow counts apart, with its reason, and is no failure with BATON_NO_SKIP=1."""
        self.project.suite("part.py", PASSES, more="@possible_if(False, 'only root can mount')\n    def test_two(self): pass")
        self.project.suite("whole.py", "not_possible('no namespaces')")
        code, said = self.project.run(BATON_NO_SKIP="1")
        self.assertEqual((code, self.counts(said)), (0, (1, 0, 0)), said)
        self.assertEqual([row[1] for row in self.outcomes()], ["passed", "impossible"])
        self.assertIn("not possible here: part.py: Made.test_two: only root can mount", said)
        self.assertIn("not possible here: whole.py: Made.test_one: no namespaces", said)

    def test_slow(self):
        """A slow test and a slow suite are not there, and no skip either, unless they are asked for."""
        self.project.suite("part.py", PASSES, more="@slow\n    def test_two(self): pass")
        self.project.suite("whole.py", PASSES, head="# deploy/test: alone, slow, for it takes minutes.", tier=TIER_2)
        code, said = self.project.run(BATON_NO_SKIP="1")
        self.assertEqual((code, self.counts(said), len(self.outcomes())), (0, (1, 0, 0), 1), said)
        code, said = self.project.run(BATON_SLOW="1")
        self.assertEqual((code, self.counts(said)), (0, (3, 0, 0)), said)
        self.assertEqual([row[1] for row in sorted(self.project.times()[1:])], ["1", "2"])


class Ledger(RunnerCase):
    def test_known(self):
        """A job that stands in the ledger is not repeated; its row is shown with one more."""
        self.project.suite("odd.py", FLAKY)
        self.project.write("Tests/FLAKY.md", LEDGER + "| odd.py | Made.test_one | 1a2b3c4 | 2 | a race of the hub |\n")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (0, 1, 0)), said)
        self.assertEqual(self.outcomes(), [("odd.py", "failed", "0", "0")])
        self.assertIn("odd.py stands in Tests/FLAKY.md, so it is not repeated", said)
        self.assertIn("| odd.py | Made.test_one | unknown | 3 | a race of the hub |", said)

    def test_unknown(self):
        """A row with an unknown job, and a line that is no row, are sentences, and the run fails although all tests pass."""
        self.project.suite("good.py", PASSES)
        self.project.write("Tests/FLAKY.md", LEDGER + "| gone.py | A.test | 1a2b3c4 | 1 | ? |\n| good.py | twice | 1a2b3c4 |\n")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (1, 2, 0)), said)
        self.assertIn('Line 5 of Tests/FLAKY.md names the job "gone.py", and there is none of that name: correct or remove the line.', said)
        self.assertIn("Line 6 of Tests/FLAKY.md is no row", said)


class Heads(RunnerCase):
    def test_unreadable(self):
        """A head with an unknown word or two lanes, a suite that cannot be run, and two of one name are sentences, and the run fails."""
        self.project.suite("typo.py", PASSES, head="# deploy/test: wait, for a reason.")
        self.project.suite("two.py", PASSES, head="# deploy/test: waits, alone, for a reason.")
        self.project.write("Tests/EndToEndTests/Made/plain.sh", "exit 0\n")
        self.project.suite("same.py", PASSES)
        self.project.suite("../Else/same.py", PASSES)
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (2, 4, 0)), said)
        for sentence in ("begins with none of tier 1,", "names more than one of waits,", "plain.sh cannot be run: chmod +x it.", "Two suites are called same.py."):
            self.assertIn(sentence, said)

    def test_skips(self):
        """No suite skips a test because it takes long, and none raises a skip by hand: Support/suite.py has words for either."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(f"{HERE}/../..")
        found = []
        for path in jobs.paths_of_suites():
            with open(path, encoding="utf-8") as file:
                found += [f"{path}:{number}" for number, line in enumerate(file, 1) if re.search(r"\bskip\w*\(.*IS_SLOW|\bskipTest\(|\bSkipTest\b", line)]
        self.assertEqual([place for place in found if "Tests/Runner/" not in place], [])

    def test_tables(self):
        """Each folder and suite that a table of the runner names is there."""
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(f"{HERE}/../..")
        every, faults = jobs.find()
        self.assertEqual(faults, [])
        self.assertEqual(passed.Passed(every).faults, [])
        names = {job.name for job in every}
        tables = (*jobs.WAITING, *jobs.DETERMINISTIC, *jobs.QUICK, *jobs.FIRST, *jobs.OWN, *jobs.JUDGES, *lanes.LONGEST)
        self.assertEqual([name for name in tables if name not in names], [])
        self.assertEqual({job.lane for job in every} - {lane.name for lane in lanes.LANES}, set())

    def test_first(self):
        """Each test that a head names as a first one is there."""
        for job in self.every():
            if job.path.endswith(".py"):
                with open(job.path, encoding="utf-8") as file:
                    cases = {node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                             for node in ast.parse(file.read()).body if isinstance(node, ast.ClassDef)}
                for name in job.first:
                    case, _, test = name.partition(".")
                    self.assertTrue(case in cases and (not test or test in cases[case]), f"{job.path}: {name}")
        for folder, names in jobs.FIRST.items():
            text = "".join(Path(path).read_text(encoding="utf-8") for path in glob.glob(f"Tests/{folder}/*.swift"))
            self.assertEqual([name for name in names if f"@Test func {name.rpartition('/')[2]}" not in text], [])

    def test_judged(self):
        """A folder of Swift tests judges its targets to the bottom, the tools of the tests alone, and no suite."""
        every = {job.name: job for job in self.every()}
        self.assertTrue({"Sources/Features/Radio/BatonRadio", "Sources/Core/BatonCore", "Tests/Harness"} <= set(every["RadioTests"].judges))
        self.assertNotIn("Sources/Assembly/BatonHub", every["RadioTests"].judges, "the hub is a tool of Tests/Harness there")
        self.assertIn("Sources/Web/PageEmbedder", every["WebRemoteTests"].judges)
        self.assertIn("Protocol/commands", every["BatonHubTests"].judges, "its commands are written from there")
        self.assertFalse([path for path in judged.paths(every["EndToEndTests"]) if path.endswith(".py")])
        self.assertIn("Tests/EndToEndTests/Support/pagecase.py", judged.paths(every["page_queue.py"]))

    def every(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(f"{HERE}/../..")
        return jobs.find()[0]


class Running(RunnerCase):
    def until(self, condition):
        deadline = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def child(self):
        with open(f"{self.project.folder}/child") as file:
            return int(file.read())

    def ends(self, process):
        """Until it runs no more; it may still have to be collected by its parent."""
        def state():
            try:
                with open(f"/proc/{process}/stat") as file:
                    return file.read().split()[2]
            except OSError:
                return "Z"
        self.until(lambda: state() == "Z")

    def test_lanes(self):
        """Recorders run three abreast, those with a browser one at a time, and what measures alone; busy ones give way."""
        # Notes when it began and ended, and waits until so many of its lane have begun.
        body = ("log = open('marks', 'a'); name, least = os.path.basename(__file__).split('-')[:2]; "
                "print('begin', name, os.nice(0), file=log, flush=True); "
                "[time.sleep(0.01) for _ in iter(lambda: open('marks').read().count(f'begin {name} ') >= int(least), True)]; "
                "print('end', name, 0, file=log, flush=True)")
        for lane, least, count in (("busy", 2, 3), ("records", 3, 4), ("browser", 1, 2), ("alone", 1, 2)):
            for number in range(count):
                self.project.suite(f"{lane}-{least}-{number}.py", body, head="" if lane == "busy" else f"# deploy/test: {lane}, for a reason.")
        code, said = self.project.run()
        self.assertEqual(code, 0, said)
        most, running, beside_alone, nice = {}, [], 0, {}
        with open(f"{self.project.folder}/marks") as file:
            for line in file:
                act, name, level = line.split()
                if act == "begin":
                    running.append(name)
                    nice.setdefault(name, int(level))
                    most[name] = max(most.get(name, 0), running.count(name))
                    if "alone" in running:
                        beside_alone = max(beside_alone, len(running) - 1)
                else:
                    running.remove(name)
        self.assertEqual((most, beside_alone), ({"busy": 2, "records": 3, "browser": 1, "alone": 1}, 0))
        own = os.nice(0)
        self.assertEqual(nice, {"busy": min(own + 10, 19), "records": own, "browser": own, "alone": own})

    def test_steps(self):
        """A step that failed fails the run with its last lines; jobs run all the same, unless none can."""
        self.project.suite("good.py", PASSES)
        self.project.write(".build/lint.log", "F401 unused import\n")
        self.project.write(".build/steps.tsv", "packages\t1\t0\t.build/none.log\nlint\t2\t1\t.build/lint.log\n")
        code, said = self.project.run("--steps", ".build/steps.tsv")
        self.assertEqual((code, self.counts(said)), (1, (1, 1, 0)), said)
        self.assertIn("F401 unused import\n", said)
        self.assertIn("deploy/test: FAILED lint (code 1)\n", said)
        self.assertEqual(self.project.times()[1:3], [["packages", "-", "1.0", "passed", "0", "0"], ["lint", "-", "2.0", "failed", "0", "0"]])
        code, said = self.project.run("--steps", ".build/steps.tsv", "--only-close")
        self.assertEqual((code, self.counts(said)), (1, (0, 1, 0)), said)

    def test_interrupted(self):
        """A run that is interrupted ends its jobs and their children."""
        self.project.suite("long.py", "import subprocess; open('child', 'w').write(str(subprocess.Popen(['sleep', '60']).pid)); time.sleep(60)")
        for number in (signal.SIGINT, signal.SIGTERM):
            path = f"{self.project.folder}/child"
            # A shell has what it starts in the background ignore SIGINT.
            runner = subprocess.Popen(["env", "--default-signal=INT", *self.project.command()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            self.addCleanup(runner.stdout.close)
            self.until(lambda: os.path.exists(path) and os.path.getsize(path))
            child = self.child()
            os.remove(path)
            runner.send_signal(number)
            self.assertEqual(runner.wait(30), 130)
            self.assertIn("interrupted", runner.stdout.read())
            self.ends(child)

    def test_left(self):
        """What a job leaves running is ended with it."""
        self.project.suite("leaves.py", "import subprocess; open('child', 'w').write(str(subprocess.Popen(['sleep', '60']).pid))")
        self.project.run()
        self.ends(self.child())


class Hunts(RunnerCase):
    def test_hunt(self):
        """A job is repeated under load, and how often it failed is said with the logs."""
        self.project.suite("odd.py", FLAKY)
        code, said = self.project.run("--hunt", "odd.py", "--times", "3")
        self.assertEqual(code, 1, said)
        self.assertIn("odd.py failed 1 of 3 times\n", said)
        self.assertIn("FAILED: code 1; .build/hunt/01/odd.py.log\n    Made.test_one\n", said)
        self.assertTrue(re.search(r"^deploy/test: 2 passed, 1 failed$", said, re.M), said)
        code, said = self.project.run("--hunt", "odd.py", "--times", "2")
        self.assertEqual((code, "failed 0 of 2 times" in said), (0, True), said)

    def test_unknown(self):
        """An unknown job is a sentence."""
        code, said = self.project.run("--hunt", "gone.py", "--only-look")
        self.assertEqual((code, "there is no job gone.py" in said), (2, True), said)


class Shown(unittest.TestCase):
    def test_tail(self):
        """Of a log the last 200 lines are shown, and of a line so much that it can be read."""
        with tempfile.NamedTemporaryFile("w") as file:
            file.writelines(f"{number} {'x' * 5000}\n" for number in range(300))
            file.flush()
            lines = closing.tail(file.name).splitlines()
        self.assertEqual((len(lines), lines[0][:4], max(map(len, lines))), (200, "100 ", closing.COLUMNS))


class Counts(unittest.TestCase):
    def test_groups(self):
        """A file counts where it says a command again, also once its feature holds it, and nowhere else."""
        wire, hub = "Sources/Wire/BatonWire", "Sources/Assembly/BatonHub"
        for path, group in ((f"{wire}/Answers/QueuePage+Wire.swift", "codecs of answers"), (f"{wire}/JSON/Fields.swift", None),
                            (f"{hub}/Commands/Visit.swift", "handlers"), (f"{hub}/Rooms/LiveRoom.swift", None),
                            ("Sources/Features/Users/UserCommands.swift", "handlers")):
            self.assertEqual(plumbing.group_of(path), group, path)


class Presses(unittest.TestCase):
    """Suites press what a page shows in one step: an element that is found first may be drawn anew before it is clicked."""

    @staticmethod
    def begins_with(node):
        """The name with which a chain of calls begins."""
        while not isinstance(node, ast.Name):
            node = getattr(node, "func", getattr(node, "value", None))
            if node is None:
                return ""
        return node.id

    def found(self, text):
        """The lines of a program that click an element in a second step. A pointer of the browser may click where it is."""
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
        return [call.lineno for call in calls if call.func.attr == "click" and not call.args and self.begins_with(call) not in ("ActionChains", "actions")]

    def test_rule(self):
        """Each way to click what was found before is seen, and no other."""
        for text in ("page.find('a').click()", "button.click()", "page.wait('it', lambda: rows())[0].click()", "[b for b in rows()][0].click()"):
            self.assertEqual(self.found(text), [1], text)
        for text in ("page.click('a', 'More')", "ActionChains(driver).move_to_element(bar).click().perform()", "page.run('a.click()')"):
            self.assertEqual(self.found(text), [], text)

    def test_suites(self):
        """No suite presses in two steps."""
        paths = glob.glob(os.path.join(HERE, "../EndToEndTests/**/*.py"), recursive=True)
        self.assertGreater(len(paths), 100)
        for path in paths:
            # It has the one press for the pointer itself, which looks again.
            if os.path.basename(path) == "browser.py":
                continue
            with open(path, encoding="utf-8") as file:
                lines = self.found(file.read())
            self.assertEqual(lines, [], f"{os.path.relpath(path)} finds an element and clicks it in a second step in these lines. "
                             "Write page.click(selector, text), which does both in one step inside of the page.")


if __name__ == "__main__":
    main()
