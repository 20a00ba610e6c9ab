"""One job as a process group of its own: started, limited in time, and ended with all its children."""

import asyncio
import dataclasses
import os
import signal
import time

import modules

BUNDLE = ".build/debug/batonPackageTests.xctest"
# How long a job that is told to end has for it.
GRACE_S = 10


@dataclasses.dataclass(frozen=True)
class Run:
    """How the process ended, and where it said what. A code below zero is a signal."""

    code: int
    seconds: float
    is_hung: bool
    log: str
    # The event stream of Swift tests, or what the main program of a suite wrote down.
    report: str


def command(job, report):
    """The bundle of Swift tests is started directly, since swift test holds a lock that keeps all others out."""
    if job.path:
        return [*modules.words(job.path), *(job.first if job.is_limited else ())]
    return [
        BUNDLE, "--testing-library", "swift-testing", "--filter", job.matching,
        "--event-stream-output-path", report, "--event-stream-version", "0", *(["--no-parallel"] if job.is_serial else [])]


def tell(group, number):
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        pass


async def end(process):
    """Ends a process that still runs, and whatever it has left in its group."""
    if process.returncode is None:
        tell(process.pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), GRACE_S)
        except TimeoutError:
            pass
        finally:
            tell(process.pid, signal.SIGKILL)
    tell(process.pid, signal.SIGKILL)
    await process.wait()


async def run_job(job, folder, patience, nice=0, seeds=None):
    """Runs the job and leaves its log and its report in `folder`. Ends it when it takes longer than `patience` seconds.

    `seeds` are variables for the tests of Swift, where the same numbers repeat a run."""
    os.makedirs(folder, exist_ok=True)
    log, report = (os.path.join(folder, f"{job.name}.{kind}") for kind in ("log", "report"))
    for old in (log, report):
        if os.path.exists(old):
            os.remove(old)
    environment = {
        **os.environ, **modules.environment("."), "BATON_REPORT": os.path.abspath(report),
        "SWIFT_BACKTRACE": "enable=yes,color=no,limit=24,registers=none,images=none", **({} if job.path else seeds or {})}
    environment.pop("BATON_FIRST", None)
    if job.is_limited:
        environment["BATON_FIRST"] = "1"
    words = [*(["nice", "-n", str(nice)] if nice else []), *command(job, report)]
    began, is_hung = time.monotonic(), False
    with open(log, "wb") as file:
        try:
            # A group, and no session of its own: the kernel weighs `nice` within a session only.
            process = await asyncio.create_subprocess_exec(
                *words, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=file, stderr=file, process_group=0)
        except OSError as fault:
            file.write(f"{words[0]} cannot be started: {fault.strerror}.\n".encode())
            return Run(127, 0, False, log, report)
        try:
            await asyncio.wait_for(process.wait(), job.patience or patience)
        except TimeoutError:
            is_hung = True
        finally:
            await end(process)
    return Run(process.returncode, time.monotonic() - began, is_hung, log, report)
