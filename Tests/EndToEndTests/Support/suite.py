"""What a suite in Python says of itself: which of its tests are chosen, what is not possible here, and how many passed.

A test that is not chosen (`slow`, `chosen_if`) is not there at all: it neither runs nor counts as skipped. One that this machine cannot
run, whatever is installed (`possible_if`, `not_possible`), counts as that, with its reason. Any other skip says that something is
missing that could be installed, and is a failure with BATON_NO_SKIP=1. Tests/Runner reads the report.
"""

import faulthandler
import json
import os
import shutil
import signal
import sys
import unittest

IS_SLOW = os.environ.get("BATON_SLOW", "0") not in ("", "0")
# Only the first tests of this suite are run (`first` in its head), and each is as short as shows its promise.
IS_FIRST = os.environ.get("BATON_FIRST") == "1" and not IS_SLOW
SKIPPED = 77
# What the suite needs is the machine's to give, and no package brings it.
NOT_POSSIBLE = 78
_NOT_POSSIBLE = "not possible here: "


def chosen_if(condition):
    """Keeps a test or a class of tests only if they are asked for."""
    return lambda test: test if condition else None


# For what takes long: it is there with BATON_SLOW=1 only.
slow = chosen_if(IS_SLOW)


def possible_if(condition, reason):
    """Keeps a test or a class of tests from running where the machine does not allow it."""
    return unittest.skipUnless(condition, _NOT_POSSIBLE + reason)


def not_possible(reason):
    """Ends a test, or the preparation of a class, for what shows only while it runs."""
    raise unittest.SkipTest(_NOT_POSSIBLE + reason)


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def report(self):
        """The members that Tests/Runner/reports.py reads."""
        skipped = [(name_of(test), reason) for test, reason in self.skipped]
        return {
            "passed": self.passed + len(self.expectedFailures),
            "failed": [name_of(test) for test, _ in self.failures + self.errors] + [name_of(test) for test in self.unexpectedSuccesses],
            "skipped": [pair for pair in skipped if not pair[1].startswith(_NOT_POSSIBLE)],
            "impossible": [(test, reason.removeprefix(_NOT_POSSIBLE)) for test, reason in skipped if reason.startswith(_NOT_POSSIBLE)],
        }


class Runner(unittest.TextTestRunner):
    resultclass = Result


def name_of(test):
    return test.id().removeprefix("__main__.")


def main(*tools):
    """Runs the suite and ends the program; 77 says that it was skipped because this machine lacks a tool."""
    # Not for the programs that the suite starts.
    path = os.environ.pop("BATON_REPORT", None)
    name = os.path.basename(sys.argv[0])
    missing = [tool for tool in tools if not shutil.which(tool, path="/usr/bin:/bin")]
    if missing:
        print(f"{name}: skipped, for there is no {', '.join(missing)} here")
        sys.exit(SKIPPED)
    # A suite that takes too long is told to end, and says where it was.
    faulthandler.register(signal.SIGTERM, chain=True)
    result = unittest.main(testRunner=Runner, verbosity=2, exit=False).result
    report = result.report()
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(report, file)
    if not result.wasSuccessful():
        sys.exit(1)
    if report["impossible"] and not report["passed"] and not report["skipped"]:
        print(f"{name}: not possible here, for {report['impossible'][-1][1]}")
        sys.exit(NOT_POSSIBLE)
    if not any(report.values()):
        print(f"{name}: no test was chosen{'' if IS_SLOW else '; some are with BATON_SLOW=1'}")
        sys.exit(1)
    sys.exit(0)
