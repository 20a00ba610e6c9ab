"""The last part of what a run prints: the slowest jobs, each failure with its last lines, and how all of it went."""

TAIL_LINES = 200
COLUMNS = 400
MOST_FLAKY = 2


def say(text):
    print(f"deploy/test: {text}", flush=True)


def tail(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return "".join(line[:COLUMNS].rstrip("\n") + "\n" for line in file.readlines()[-TAIL_LINES:])
    except OSError:
        return ""


def show_log(title, run):
    say(f"{title}; the last {TAIL_LINES} lines of {run.log}:")
    print(tail(run.log), flush=True)


class Closing:
    """What happened in a run. `attempts` are those that count, one for each job; `flaky` are pairs of attempts."""

    def __init__(self, times):
        self.times = times
        self.steps = []
        self.faults = []
        self.attempts = []
        # Sentences about jobs that failed, beside their failure.
        self.belied = []
        self.flaky = []
        # Rows for the ledger, of jobs that were repeated or already stand there.
        self.rows = []

    @property
    def failed(self):
        return [attempt for attempt in self.attempts if attempt.verdict.is_failure]

    @property
    def failed_steps(self):
        return [step for step in self.steps if step.code]

    def counts(self):
        every = [attempt.verdict.counts for attempt in self.attempts]
        failed = sum(attempt.verdict.failures for attempt in self.attempts) + len(self.failed_steps) + len(self.faults)
        if len(self.flaky) > MOST_FLAKY:
            failed += len(self.flaky)
        return sum(one.passed for one in every), failed, sum(len(one.skipped) for one in every)

    def show(self, seconds):
        """Prints all of it, and gives back the exit code."""
        say(f"the slowest of {len(self.times.rows)}, which are in .build/times.tsv:")
        print("\n".join(self.times.slowest()), flush=True)
        self.show_logs()
        for attempt in self.attempts:
            for word in ("skipped", "impossible"):
                for test, reason in getattr(attempt.verdict.counts, word):
                    of = "" if test == attempt.job.name else f"{test}: "
                    say(f"{'not possible here' if word == 'impossible' else word}: {attempt.job.name}: {of}{reason}")
        for sentence in (*self.faults, *self.belied):
            say(sentence)
        for step in self.failed_steps:
            say(f"FAILED {step.name} (code {step.code})")
        for attempt in self.failed:
            say(f"FAILED {attempt.job.name}: {attempt.verdict.why}{', also when it was repeated alone' if attempt.is_repeated else ''}")
            for test in attempt.verdict.counts.failed:
                say(f"    {test}")
        for first, second in self.flaky:
            say(f"FLAKY {first.job.name}: it failed ({first.run.log}) and passed when it was repeated alone ({second.run.log})")
        if self.rows:
            say("rows for Tests/FLAKY.md; commit them, each with the cause that you suspect:")
            print("\n".join(map(str, self.rows)), flush=True)
        if len(self.flaky) > MOST_FLAKY:
            say(f"FAILED: {len(self.flaky)} jobs are flaky, and more than {MOST_FLAKY} fail a run")
        passed, failed, skipped = self.counts()
        flaky = f", {len(self.flaky)} only when repeated," if self.flaky else ""
        say(f"{'FAILED' if failed else 'everything passed'}{flaky} in {seconds:.0f} s")
        say(f"{passed} passed, {failed} failed, {skipped} skipped")
        return 1 if failed else 0

    def show_logs(self):
        for step in self.failed_steps:
            say(f"{step.name} FAILED (code {step.code}); its last {TAIL_LINES} lines:")
            print(tail(step.log), flush=True)
        for attempt in self.failed:
            for sentence in attempt.verdict.counts.said:
                print(sentence[:COLUMNS])
            show_log(f"{attempt.job.name} FAILED: {attempt.verdict.why}", attempt.run)
        for first, second in self.flaky:
            for sentence in first.verdict.counts.said:
                print(sentence[:COLUMNS])
            show_log(f"{first.job.name} failed ({first.verdict.why})", first.run)
            show_log(f"{first.job.name} passed when it was repeated alone", second.run)
