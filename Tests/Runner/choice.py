"""Which jobs a run has. Tier 1 is in each; of tier 2 a run has those that are due and, in turn, a seventh of the others."""

import dataclasses
import subprocess

# So many days have a part of tier 2 each.
DAYS = 7
MOST_DUE_S = 240
SEEDS = 20
DAY_S = 24 * 3600


class Refused(Exception):
    """A run that cannot be had. Its text is a sentence."""


def day_of_commit():
    """The day on which the commit was made, so that a run can be repeated on any other day. 0 outside of a repository."""
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False).stdout.strip()
    return int(said) // DAY_S if said.isdecimal() else 0


def of_tier_2(every):
    return sorted((job for job in every if job.tier == 2 and not job.is_slow), key=lambda job: job.name)


def due(every, passed):
    """Those that never passed with the contents that are there now."""
    return [job for job in every if job.tier and not job.is_slow and passed.differs(job)]


def in_turn(every, day):
    return [job for number, job in enumerate(of_tier_2(every)) if number % DAYS == day % DAYS]


def limited(job):
    """Only its first tests."""
    return dataclasses.replace(job, is_limited=True, matching=f"^{job.name}\\.({'|'.join(job.first)})" if not job.path else "")


def tier_1(every, passed, day, say):
    """The jobs of a usual run. What is due of tier 2 may take so long only, by the times that are known."""
    waiting = [job for job in due(every, passed) if job.tier == 2]
    seconds = sum(map(passed.seconds, waiting))
    if seconds > MOST_DUE_S:
        raise Refused(f"run deploy/test --all --record first: {len(waiting)} jobs of tier 2 never passed with the contents that are there now, "
                      f"which is {seconds} s of work and more than {MOST_DUE_S}.")
    turn = in_turn(every, day)
    for title, jobs in (("since what they judge has changed", waiting), (f"as the part of day {day}", [job for job in turn if job not in waiting])):
        if jobs:
            say(f"of tier 2, {title}: {', '.join(job.name for job in jobs)}")
    whole = {job.name for job in (*waiting, *turn)}
    return [
        job if job.tier != 2 or job.name in whole else limited(job)
        for job in every if job.tier != 2 or job.name in whole or (job.first and not job.is_slow)]


def named(every, names):
    """The jobs of these names or paths."""
    found = []
    for name in names:
        one = [job for job in every if name in (job.name, job.path, f"Tests/{job.name}")]
        if not one:
            raise Refused(f"there is no job {name}; a job is a folder of Swift tests such as BatonCoreTests, or a suite such as hanging.py")
        found += one
    return found
