"""Tiers, what is due, and Tests/passed: cases of runner_tests.py."""

import os

import choice
import jobs
import passed
from made import FAILS, FLAKY, PASSES, TIER_1, TIER_2, RunnerCase


class Tiers(RunnerCase):
    # Each notes that it ran, and with what.
    NOTES = "print('ran', *sys.argv[1:], os.environ.get('BATON_FIRST'), file=open(__file__ + '.ran', 'a'))"

    def note(self, name):
        """What the suite noted since it was last asked, or nothing."""
        path = f"{self.project.folder}/Tests/EndToEndTests/Made/{name}.ran"
        if not os.path.exists(path):
            return ""
        with open(path) as file:
            said = file.read().strip()
        os.remove(path)
        return said

    def test_tiers(self):
        """Of a suite of tier 2 whose contents have passed a usual run has the first tests only; with --all it is whole."""
        self.project.suite("usual.py", self.NOTES)
        self.project.suite("a.py", self.NOTES, tier=TIER_2)
        self.project.suite("b.py", self.NOTES, head="# deploy/test: first Made.test_one.", more=f"def test_two(self): {self.NOTES}", tier=TIER_2)
        self.project.swift("BatonCoreTests", "test(1, 'pass'); print(*[os.environ[name] for name in ('BATON_SEED', 'BATON_SEEDS')])")
        code, said = self.project.run("--day", "702")
        self.assertEqual((code, self.counts(said)), (0, (3, 0, 0)), said)
        self.assertEqual((self.note("usual.py"), self.note("a.py"), self.note("b.py")), ("ran None", "", "ran Made.test_one 1"))
        self.assertIn("BATON_SEED=14040 BATON_SEEDS=20 in the environment repeats the seeds of this run", said)
        with open(f"{self.project.folder}/.build/jobs/BatonCoreTests.log") as log:
            self.assertEqual(log.read(), "14040 20\n")
        self.project.swift("BatonCoreTests", "test(1, 'pass'); sys.exit('BATON_SEEDS' in os.environ)")
        code, said = self.project.run("--all", "--day", "702")
        self.assertEqual((code, self.counts(said)), (0, (5, 0, 0)), said)
        self.assertEqual(self.note("b.py"), "ran None\nran None")

    def test_due(self):
        """A job of tier 2 is run whole when its own contents, what it imports or what it judges differ, and not when texts or names do."""
        self.project.suite("a.py", self.NOTES, tier=TIER_2)
        self.project.suite("b.py", self.NOTES, tier=TIER_2.replace("Core", "Web"), head="from Support.made import value")
        self.project.write("Tests/EndToEndTests/Support/made.py", "value = 1\n")
        self.project.write("Sources/Web/page.js", "1\n")
        self.project.record()

        def due(path, text):
            self.project.write(path, text)
            code, said = self.project.run("--day", "2", is_recorded=False)
            ran = [name for name in ("a.py", "b.py") if self.note(name)]
            # A run of nothing is a run as well.
            self.assertEqual((code, self.counts(said)[1]), (0, 0), said)
            self.project.record()
            return ran
        self.assertEqual(due("Sources/Core/README.md", "A text.\n"), [])
        self.assertEqual(due("Sources/Core/Core.swift", "// Other sources."), ["a.py"])
        self.assertEqual(due("Sources/Web/page.js", "2\n"), ["b.py"])
        self.assertEqual(due("Tests/EndToEndTests/Support/made.py", "value = 2\n"), ["b.py"])
        os.rename(f"{self.project.folder}/Sources/Web/page.js", f"{self.project.folder}/Sources/Web/pages.js")
        self.assertEqual(due("Sources/Core/README.md", "Another text.\n"), [])

    def test_too_much_is_due(self):
        """Where more is due than a run has time for, or nothing was ever recorded, it is refused, and nothing is run."""
        for number in range(5):
            self.project.suite(f"{number}.py", self.NOTES, tier=TIER_2)
        code, said = self.project.run(is_recorded=False)
        self.assertEqual((code, self.counts(said)), (1, (0, 1, 0)), said)
        self.assertIn("run deploy/test --all --record first: 5 jobs of tier 2 never passed", said)
        self.assertEqual(self.note("0.py"), "")
        self.assertEqual(self.project.run("--only-look", is_recorded=False)[0], 1)
        self.project.record(seconds=120)
        self.project.write("Sources/Core/Core.swift", "// Other sources.")
        self.assertIn("600 s of work and more than 240", self.project.run(is_recorded=False)[1])
        code, said = self.project.run("--due", is_recorded=False)
        self.assertEqual((code, self.counts(said)), (0, (5, 0, 0)), said)

    def test_recorded(self):
        """What passed whole is recorded with --record, and what failed or skipped is forgotten; a job whose contents passed is not due."""
        self.project.suite("good.py", PASSES, tier=TIER_2)
        self.project.suite("bad.py", FAILS)
        self.project.suite("part.py", PASSES, more="@unittest.skip('no tool')\n    def test_two(self): pass")
        code, said = self.project.run("--all", "--record")
        self.assertEqual((code, self.project.recorded()), (1, ["good.py"]), said)
        code, said = self.project.run("--due", "--record", is_recorded=False)
        self.assertEqual([row[0] for row in self.outcomes()], ["bad.py", "part.py"], said)
        self.project.suite("bad.py", PASSES)
        code, said = self.project.run("bad.py", "--record", is_recorded=False)
        self.assertEqual((code, self.counts(said), self.project.recorded()), (0, (1, 0, 0), ["bad.py", "good.py"]), said)
        code, said = self.project.run("gone.py", is_recorded=False)
        self.assertEqual((code, "there is no job gone.py" in said), (1, True), said)

    def test_belied(self):
        """A job that fails with contents that Tests/passed knows as passed is a sentence; one with other contents is not repeated."""
        self.project.suite("bad.py", FAILS)
        self.project.suite("odd.py", FLAKY)
        code, said = self.project.run(is_recorded=True)
        self.assertEqual((code, self.counts(said)), (1, (1, 1, 0)), said)
        self.assertIn("Tests/passed says that bad.py passed with the contents that are there now, and it failed", said)
        os.remove(f"{self.project.folder}/Tests/EndToEndTests/Made/odd.py.seen")
        self.project.record(without=("bad.py", "odd.py"))
        code, said = self.project.run(is_recorded=False)
        self.assertEqual((code, self.counts(said)), (1, (0, 2, 0)), said)
        self.assertEqual([row[3] for row in self.outcomes()], ["0", "0"], "neither is repeated")
        self.assertNotIn("Tests/passed says", said)

    def test_bad_rows(self):
        """A line of Tests/passed that is no row, and one with an unknown job, are sentences, and the run fails."""
        self.project.suite("good.py", PASSES)
        self.project.record()
        self.project.write(passed.PATH, f"good.py 3\ngone.py 3 {'0' * 64}\n")
        code, said = self.project.run(is_recorded=False)
        self.assertEqual((code, self.counts(said)), (1, (1, 2, 0)), said)
        self.assertIn("Line 1 of Tests/passed is no row", said)
        self.assertIn('Line 2 of Tests/passed names the job "gone.py", and there is none of that name: remove the line.', said)

    def test_bad_heads(self):
        """A suite without a tier or with first tests in tier 1, and a job that judges no file or one that is missing, fail the run."""
        self.project.suite("none.py", PASSES, tier="# deploy/test: judges Sources/Core.")
        self.project.suite("both.py", PASSES, tier=f"{TIER_1[:-1]}, first Made.test_one.")
        self.project.suite("blind.py", PASSES, tier="# deploy/test: tier 1.")
        self.project.suite("gone.py", PASSES, tier="# deploy/test: tier 1, judges Sources/Gone.")
        self.project.write("Tests/BatonCoreTests/acts.swift", "test(1, 'pass')")
        code, said = self.project.run()
        self.assertEqual((code, self.counts(said)), (1, (1, 5, 0)), said)
        for sentence in (
                "none.py names no tier: write", "both.py is of tier 1, so each run has all of it", "blind.py judges no file: name the sources",
                "gone.py judges Sources/Gone, and there is none", "Tests/BatonCoreTests judges no file: name it as a test target"):
            self.assertIn(sentence, said)

    def test_week(self):
        """In seven days each job of tier 2 has its turn, and slow ones never have."""
        every = [jobs.Job(f"{number}.py", tier=2, is_slow=number % 5 == 0) for number in range(30)]
        days = [choice.in_turn(every, day) for day in range(700, 707)]
        self.assertEqual(sorted(job.name for day in days for job in day), sorted(job.name for job in every if not job.is_slow))
        self.assertLessEqual(max(map(len, days)) - min(map(len, days)), 1)
