"""Tests/FLAKY.md: the jobs that once passed only when they were repeated. What stands there is not repeated a second time."""

import dataclasses
import os
import subprocess

PATH = "Tests/FLAKY.md"
HEAD = ("job", "test", "commit", "count", "suspected cause")


@dataclasses.dataclass(frozen=True)
class Row:
    job: str
    test: str
    commit: str
    count: int
    cause: str

    def __str__(self):
        return f"| {self.job} | {self.test} | {self.commit} | {self.count} | {self.cause} |"


def read(names):
    """The rows by job, and a sentence for each line that cannot be one. `names` are those of all jobs."""
    rows, faults = {}, []
    if not os.path.exists(PATH):
        return rows, [f"There is no {PATH}: restore it, with a head and no rows where no job is known to be flaky."]
    with open(PATH, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("|"):
                continue
            # A bar within a cell is written \|.
            cells = [cell.replace("\0", "|").strip() for cell in line.strip().strip("|").replace("\\|", "\0").split("|")]
            if tuple(cells) == HEAD or all(set(cell) <= set("-: ") for cell in cells):
                continue
            if len(cells) != len(HEAD) or not cells[3].isdecimal():
                faults.append(f"Line {number} of {PATH} is no row: it needs {', '.join(HEAD)}, and count is a number.")
            elif cells[0] not in names:
                faults.append(f"Line {number} of {PATH} names the job \"{cells[0]}\", and there is none of that name: correct or remove the line.")
            else:
                rows[cells[0]] = Row(*cells[:3], int(cells[3]), cells[4])
    return rows, faults


def commit():
    said = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def row_for(job, tests, known):
    """The row that a developer commits: a new one, or the old one with one more."""
    names = ", ".join(test.replace("|", "\\|") for test in tests[:3]) or "?"
    old = known.get(job)
    return Row(job, names, commit(), old.count + 1 if old else 1, old.cause if old else "to be found: suspect the product first")
