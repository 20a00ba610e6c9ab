"""How a job ended: from its code and what it reported of its tests. In doubt it has failed."""

import dataclasses
import signal

import reports

SKIPPED, NOT_POSSIBLE = 77, 78
FAILURES = ("failed", "signal", "hung")


@dataclasses.dataclass
class Verdict:
    # passed, failed, signal, hung, skipped or impossible.
    outcome: str
    counts: reports.Counts
    # For people, where it is no success.
    why: str = ""
    # Whether another attempt could end otherwise: tests failed, and nothing else is wrong.
    may_be_luck: bool = False

    @property
    def is_failure(self):
        return self.outcome in FAILURES

    @property
    def failures(self):
        """How many tests failed. A job that failed counts as one at least."""
        return max(1, len(self.counts.failed)) if self.is_failure else 0


def last_line(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if line.strip()]
    return lines[-1] if lines else "it gave no reason"


def signal_of(code):
    """The signal by which a process died, or by which a shell says that its child did."""
    number = -code if code < 0 else code - 128
    try:
        return signal.Signals(number).name if number > 0 else None
    except ValueError:
        return None


def judge(job, run, is_strict):
    """`is_strict` makes a failure of each skipped test."""
    verdict = by_code(job, run)
    skipped = verdict.counts.skipped
    if is_strict and skipped:
        said = "; ".join(f"{test} ({reason})" for test, reason in skipped)
        counts = dataclasses.replace(verdict.counts, failed=[*verdict.counts.failed, *(test for test, _ in skipped)], skipped=[])
        why = f"{verdict.why}; " if verdict.why else ""
        return Verdict(
            verdict.outcome if verdict.is_failure else "failed", counts,
            f"{why}with BATON_NO_SKIP=1 a skipped test is a failure, and {len(skipped)} skipped: {said}")
    return verdict


def by_code(job, run):
    counts = read(job, run)
    died = signal_of(run.code)
    if run.is_hung:
        return Verdict("hung", counts, f"it was ended after {run.seconds:.0f} s, which is the limit of a job")
    if died:
        return Verdict("signal", counts, f"it died by {died}")
    if job.path and run.code == SKIPPED:
        counts.skipped.append((job.name, last_line(run.log)))
        return Verdict("skipped", counts)
    if job.path and run.code == NOT_POSSIBLE:
        if not counts.impossible:
            counts.impossible.append((job.name, last_line(run.log)))
        return Verdict("impossible", counts)
    if run.code:
        return Verdict("failed", counts, f"code {run.code}", may_be_luck=True)
    if not job.counts_tests:
        counts.passed = 1
    if counts.failed:
        return Verdict("failed", counts, "its code is 0, and yet tests failed")
    if not counts.total:
        return Verdict("failed", counts, "its code is 0, and yet no test ran")
    return Verdict("passed", counts)


def read(job, run):
    if not job.path:
        return reports.of_swift(run.report)
    return reports.of_suite(run.report) or reports.Counts()
