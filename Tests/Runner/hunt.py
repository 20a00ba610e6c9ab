"""Repeats one job under load, to see whether luck has a part in it: `deploy/test --hunt JOB`."""

import contextlib
import subprocess
import sys

from closing import say, show_log
from run_job import run_job
from verdict import judge

TIMES = 20
LOOPS = 2
# Ends by itself when the run that started it is gone.
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1_000_000): pass"


@contextlib.contextmanager
def load():
    loops = [subprocess.Popen([sys.executable, "-c", LOOP], stdin=subprocess.DEVNULL, process_group=0) for _ in range(LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


async def hunt(job, patience, is_strict, times=TIMES):
    """Runs the job so often beside busy loops, says how often it failed, and gives back the exit code."""
    failed = []
    say(f"{job.name} is run {times} times beside {LOOPS} busy loops")
    with load():
        for number in range(1, times + 1):
            run = await run_job(job, f".build/hunt/{number:02}", patience)
            verdict = judge(job, run, is_strict)
            say(f"{job.name} {number} of {times}: {verdict.outcome} in {run.seconds:.0f} s")
            if verdict.is_failure:
                failed.append((run, verdict))
    for run, verdict in failed:
        show_log(f"{job.name} FAILED: {verdict.why}", run)
    for run, verdict in failed:
        say(f"FAILED: {verdict.why}; {run.log}" + "".join(f"\n    {test}" for test in verdict.counts.failed))
    say(f"{job.name} failed {len(failed)} of {times} times")
    say(f"{times - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0
