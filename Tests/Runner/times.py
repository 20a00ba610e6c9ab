"""`.build/times.tsv`: a line for each step and each attempt at a job, written as it ends; and the slowest of them."""

import dataclasses

PATH = ".build/times.tsv"
HEAD = ("job", "tier", "seconds", "outcome", "skips", "repetition")
SHOWN = 20


@dataclasses.dataclass(frozen=True)
class Time:
    job: str
    # A step (packages, a build) has none.
    tier: int | None
    seconds: float
    outcome: str
    skips: int = 0
    repetition: int = 0

    def __str__(self):
        return "\t".join((self.job, str(self.tier or "-"), f"{self.seconds:.1f}", self.outcome, str(self.skips), str(self.repetition)))


class Times:
    def __init__(self):
        self.rows = []
        with open(PATH, "w", encoding="utf-8") as file:
            file.write("\t".join(HEAD) + "\n")

    def add(self, time):
        self.rows.append(time)
        with open(PATH, "a", encoding="utf-8") as file:
            file.write(f"{time}\n")

    def slowest(self):
        rows = sorted(self.rows, key=lambda row: -row.seconds)[:SHOWN]
        return [f"{row.seconds:7.0f} s  {row.job}{', repeated' if row.repetition else ''}{'' if row.outcome == 'passed' else f', {row.outcome}'}" for row in rows]
