"""A project of a few jobs that were made up, and the runner in it."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import jobs
import judged
import passed

HERE = os.path.dirname(os.path.abspath(__file__))
# A suite in Python; {body} is the body of its one test.
SUITE = """{tier}
{head}
import os, sys, time, unittest
from Support.suite import main, not_possible, possible_if, slow
class Made(unittest.TestCase):
    def test_one(self):
        {body}
    {more}
main()
"""
TIER_1, TIER_2 = ("# deploy/test: tier {}, judges Sources/Core.".format(tier) for tier in (1, 2))
# A bundle of Swift tests: each folder that it is asked for does what the file beside its tests says.
BUNDLE = """#!/usr/bin/python3
import json, os, sys
folder = sys.argv[sys.argv.index("--filter") + 1].strip("^\\\\.")
stream = open(sys.argv[sys.argv.index("--event-stream-output-path") + 1], "w")
def event(kind, sign="", text="", **members):
    said = [{"symbol": sign, "text": text}] if sign else []
    stream.write(json.dumps({"kind": "event", "payload": {"kind": kind, "messages": said, **members}}) + "\\n")
def test(number, sign, text="Test over"):
    name = f"{folder}.Suite/t{number}()"
    stream.write(json.dumps({"kind": "test", "payload": {"kind": "function", "id": name, "displayName": f"test {number}"}}) + "\\n")
    if sign == "skip": return event("testSkipped", sign, text, testID=name)
    if sign == "fail": event("issueRecorded", sign, "Expectation failed: 1 == 2", testID=name)
    event("testEnded", sign, text, testID=name)
    return 1 if sign == "fail" else 0
exec(open(f"Tests/{folder}/acts.swift").read() if os.path.exists(f"Tests/{folder}/acts.swift") else "sys.exit(0)")
"""
PASSES = "pass"
FAILS = "self.fail('as it should')"
# Fails the first time, since it leaves a file then.
FLAKY = "self.assertTrue(os.path.exists(__file__ + '.seen') or open(__file__ + '.seen', 'w').close())"
LEDGER = "# Ledger\n\n| job | test | commit | count | suspected cause |\n| --- | --- | --- | --- | --- |\n"


class Project:
    """A folder with jobs that were made up."""

    def __init__(self, test):
        self.folder = tempfile.mkdtemp(prefix="baton-runner-")
        test.addCleanup(shutil.rmtree, self.folder)
        self.targets = []
        self.write("Tests/FLAKY.md", LEDGER)
        self.write("Sources/Core/Core.swift", "// The sources.")
        self.write(".build/debug/batonPackageTests.xctest", BUNDLE, 0o755)

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            file.write(text)

    def suite(self, name, body, head="", more="", tier=TIER_1):
        self.write(f"Tests/EndToEndTests/Made/{name}", SUITE.format(body=body, head=head, more=more, tier=tier))

    def script(self, name, text):
        self.write(f"Tests/EndToEndTests/Made/{name}", text, 0o755)

    def swift(self, name, acts):
        self.write(f"Tests/{name}/acts.swift", acts)
        self.targets.append(f'.testTarget(name: "{name}", dependencies: ["Core"]),\n')
        self.write("Package.swift", 'targets: [.target(name: "Core", path: "Sources/Core"),\n' + "".join(self.targets) + "]")

    def record(self, seconds=1, without=()):
        """Tests/passed as if each job had passed."""
        home = os.getcwd()
        os.chdir(self.folder)
        try:
            judged.digest.cache_clear()
            judged.imported.cache_clear()
            every, _ = jobs.find()
            rows = passed.Passed(every).contents
            self.write(passed.PATH, "".join(f"{name} {seconds} {rows[name]}\n" for name in sorted(rows) if name not in without))
        finally:
            os.chdir(home)

    def recorded(self):
        """The names in Tests/passed."""
        with open(f"{self.folder}/{passed.PATH}") as file:
            return [line.split()[0] for line in file]

    def command(self, *words, patience=30):
        return ["/usr/bin/python3", HERE, "--root", self.folder, "--patience", str(patience), *words]

    def run(self, *words, patience=30, is_recorded=True, **environment):
        """Runs all of it, and gives back the code and what was printed. Each job has passed before, unless it is said otherwise."""
        if is_recorded:
            self.record()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("BATON_")}
        ended = subprocess.run(
            self.command(*words, patience=patience), env={**clean, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        return ended.returncode, ended.stdout

    def times(self):
        with open(f"{self.folder}/.build/times.tsv") as file:
            return [line.rstrip("\n").split("\t") for line in file]


class RunnerCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.project = Project(self)

    def outcomes(self):
        """Outcome, skips and repetition of each attempt, in the order of their names."""
        return sorted((row[0], row[3], row[4], row[5]) for row in self.project.times()[1:])

    def counts(self, said):
        """The last line that CI reads; it stands alone."""
        found = re.findall(r"^(?:\w[\w/]*: )?(\d+) passed, (\d+) failed, (\d+) skipped$", said, re.M)
        self.assertEqual(len(found), 1, said)
        return tuple(map(int, found[0]))
