"""Tests/passed: for each job the contents with which it passed last, and the seconds that it took; `--record` writes it."""

import dataclasses
import os
import re

import judged

PATH = "Tests/passed"
ROW = re.compile(r"(\S+) (\d+) ([0-9a-f]{64})")
# What a job is taken for that never passed.
UNKNOWN_S = 60


@dataclasses.dataclass(frozen=True)
class Row:
    seconds: int
    content: str


class Passed:
    def __init__(self, jobs):
        """Reads it, for these jobs. `faults` has a sentence for each line that cannot be one, and for each job that judges what is not there."""
        self.jobs = {job.name: job for job in jobs if job.tier}
        self.rows, self.faults, self.contents = {}, [], {}
        for job in self.jobs.values():
            # Now, since what is changed while a job runs must not count as passed.
            try:
                self.contents[job.name] = judged.content(job)
            except (judged.Missing, SyntaxError) as fault:
                self.faults.append(str(fault))
        if os.path.exists(PATH):
            with open(PATH, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    self.read(number, line.strip())

    def read(self, number, line):
        row = ROW.fullmatch(line)
        if not row:
            self.faults.append(f"Line {number} of {PATH} is no row: it needs the name of a job, seconds and a hash. deploy/test --all --record writes it.")
        elif row[1] not in self.jobs:
            self.faults.append(f"Line {number} of {PATH} names the job \"{row[1]}\", and there is none of that name: remove the line.")
        else:
            self.rows[row[1]] = Row(int(row[2]), row[3])

    def differs(self, job):
        """Whether it never passed with the contents that are there now."""
        row = self.rows.get(job.name)
        return not row or row.content != self.contents.get(job.name)

    def seconds(self, job):
        row = self.rows.get(job.name)
        return row.seconds if row else UNKNOWN_S

    def belied(self, attempts):
        """A sentence for each job that failed with the contents with which it has passed."""
        return [
            f"{PATH} says that {attempt.job.name} passed with the contents that are there now, and it failed: either luck had a part in it, or "
            "it judges more than its head names."
            for attempt in attempts if attempt.job.tier and attempt.verdict.is_failure and not self.differs(attempt.job)]

    def record(self, attempts):
        """Writes down those that passed whole, and forgets those that failed."""
        for attempt in attempts:
            job, verdict = attempt.job, attempt.verdict
            if job.name not in self.contents:
                continue
            if verdict.is_failure or verdict.counts.skipped:
                self.rows.pop(job.name, None)
            # A row whose contents are the same stays as it is, although no two runs take the same time.
            elif not job.is_limited and self.differs(job):
                self.rows[job.name] = Row(max(1, round(attempt.run.seconds)), self.contents[job.name])
        with open(PATH, "w", encoding="utf-8") as file:
            file.writelines(f"{name} {row.seconds} {row.content}\n" for name, row in sorted(self.rows.items()) if name in self.jobs)
