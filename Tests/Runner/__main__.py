"""Runs every job, repeats once what may have failed by luck, and says how it went. deploy/test starts this when all is built."""

import argparse
import asyncio
import dataclasses
import os
import shutil
import signal
import sys
import time

sys.dont_write_bytecode = True
import choice  # noqa: E402
import hunt  # noqa: E402
import jobs  # noqa: E402
import lanes  # noqa: E402
import ledger  # noqa: E402
import steps  # noqa: E402
from closing import Closing, say  # noqa: E402
from passed import Passed  # noqa: E402
from run_job import Run, run_job  # noqa: E402
from times import Time, Times  # noqa: E402
from verdict import Verdict, judge  # noqa: E402

FOLDER = ".build/jobs"
SEED_NAMES = ("BATON_SEED", "BATON_SEEDS")
IS_SLOW = os.environ.get("BATON_SLOW", "0") not in ("", "0")
IS_STRICT = os.environ.get("BATON_NO_SKIP") == "1"


@dataclasses.dataclass(frozen=True)
class Attempt:
    job: jobs.Job
    run: Run
    verdict: Verdict
    is_repeated: bool = False


class Tests:
    """One run of all jobs."""

    def __init__(self, patience, known, passed, seeds, closing):
        self.patience = patience
        # The rows of the ledger, by job.
        self.known = known
        self.passed = passed
        self.seeds = seeds
        self.closing = closing
        # The last attempt at each job, by its name.
        self.last = {}

    async def attempt(self, job, nice=0, repetition=0):
        run = await run_job(job, f"{FOLDER}/again" if repetition else FOLDER, self.patience, nice, self.seeds)
        attempt = self.last[job.name] = Attempt(job, run, judge(job, run, IS_STRICT), bool(repetition))
        counts = attempt.verdict.counts
        self.closing.times.add(Time(job.name, job.tier, run.seconds, attempt.verdict.outcome, len(counts.skipped), repetition))
        outcome = f"FAILED ({attempt.verdict.why})" if attempt.verdict.is_failure else attempt.verdict.outcome
        say(f"{job.name}{' once more, alone,' if repetition else ''} {outcome}, {counts.passed} passed in {run.seconds:.0f} s")
        return attempt

    def may_repeat(self, attempt):
        """A job that never passed with the contents that are there now has no claim to luck."""
        job = attempt.job
        return attempt.verdict.may_be_luck and job.may_repeat and job.name not in self.known and not self.passed.differs(job)

    async def run(self, every):
        """Runs all of them, then those once more, alone, that may have failed by luck."""
        first = []

        async def one(job, nice):
            first.append(await self.attempt(job, nice))
        await lanes.run_all(every, one)
        for attempt in first:
            if not attempt.verdict.is_failure or not self.may_repeat(attempt):
                self.closing.attempts.append(attempt)
                if attempt.verdict.is_failure and attempt.job.name in self.known:
                    say(f"{attempt.job.name} stands in {ledger.PATH}, so it is not repeated")
                    self.closing.rows.append(ledger.row_for(attempt.job.name, attempt.verdict.counts.failed, self.known))
                continue
            second = await self.attempt(attempt.job, repetition=1)
            self.closing.attempts.append(second)
            if not second.verdict.is_failure:
                self.closing.flaky.append((attempt, second))
                self.closing.rows.append(ledger.row_for(attempt.job.name, attempt.verdict.counts.failed, self.known))


def seeds_of(options):
    """Variables for tests that try many seeds: the day of the commit says which is the first, so all runs of a commit try the same."""
    more = {} if options.all or IS_SLOW else {"BATON_SEEDS": str(choice.SEEDS)}
    return {"BATON_SEED": str(options.day * choice.SEEDS), **more} | {name: os.environ[name] for name in SEED_NAMES if name in os.environ}


def chosen(every, passed, options):
    """The jobs of this run."""
    if options.filter:
        return [jobs.Job("chosen", may_repeat=False, matching=options.filter)]
    if options.jobs:
        return choice.named(every, options.jobs)
    if options.due:
        return choice.due(every, passed)
    if options.all or IS_SLOW:
        return [job for job in every if IS_SLOW or not job.is_slow]
    return choice.tier_1(every, passed, options.day, say)


async def everything(options):
    began = time.monotonic() - options.seconds
    every, faults = jobs.find(fuzzes="BATON_FUZZ_SECONDS" in os.environ)
    passed = Passed(every)
    try:
        run = chosen(every, passed, options)
    except choice.Refused as fault:
        say(fault)
        say("0 passed, 1 failed, 0 skipped")
        return 1
    if options.only_look:
        return 0
    closing = Closing(Times())
    closing.steps = steps.read(options.steps)
    for step in closing.steps:
        closing.times.add(Time(step.name, None, step.seconds, "failed" if step.code else "passed"))
    known, faulty_rows = ledger.read({job.name for job in every})
    closing.faults = faults + passed.faults + faulty_rows
    for fault in closing.faults:
        say(fault)
    shutil.rmtree(FOLDER, ignore_errors=True)
    if not options.only_close:
        seeds = seeds_of(options)
        say(f"{' '.join(f'{name}={value}' for name, value in seeds.items())} in the environment repeats the seeds of this run")
        tests = Tests(options.patience, known, passed, seeds, closing)
        try:
            await tests.run(run)
            closing.belied = passed.belied(closing.attempts)
        finally:
            # Also what passed before a person interrupted a long run.
            if options.record:
                passed.record(tests.last.values())
    return closing.show(time.monotonic() - began)


async def hunted(options):
    every, _ = jobs.find()
    try:
        job, = choice.named(every, [options.hunt])
    except choice.Refused as fault:
        say(fault)
        return 2
    return 0 if options.only_look else await hunt.hunt(job, options.patience, IS_STRICT, options.times)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="deploy/test --help says what people need of it.")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."), help="the folder of the project")
    parser.add_argument("jobs", nargs="*", help="only these jobs, whole")
    parser.add_argument("--all", action="store_true", help="both tiers")
    parser.add_argument("--due", action="store_true", help="only the jobs that never passed with the contents that are there now")
    parser.add_argument("--record", action="store_true", help="writes those that passed into Tests/passed")
    parser.add_argument("--day", type=int, help="the day that chooses seeds and a part of tier 2; otherwise that of the commit")
    parser.add_argument("--filter", default="", help="only the Swift tests that match")
    parser.add_argument("--steps", help="the file in which deploy/test wrote down the steps before the tests")
    parser.add_argument("--seconds", type=float, default=0, help="how long those steps took")
    parser.add_argument("--only-close", action="store_true", help="no job is run, since a step failed without which none can be")
    parser.add_argument("--patience", type=float, default=7200 if IS_SLOW else 900, help="seconds that a job may take")
    parser.add_argument("--hunt", help="the job that is repeated under load")
    parser.add_argument("--times", type=int, default=hunt.TIMES, help="how often it is")
    parser.add_argument("--only-look", action="store_true", help="only says whether there is such a run")
    options = parser.parse_args()
    os.chdir(options.root)
    os.makedirs(".build", exist_ok=True)
    if options.day is None:
        options.day = choice.day_of_commit()
    # Each job is ended with all its children when the run is, by Ctrl-C or otherwise.
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, asyncio.current_task().cancel)
    return await (hunted(options) if options.hunt else everything(options))


try:
    sys.exit(asyncio.run(main()))
except (KeyboardInterrupt, asyncio.CancelledError):
    say("interrupted; what was running has been ended")
    sys.exit(130)
