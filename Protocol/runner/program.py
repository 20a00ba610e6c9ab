"""A program under test that is spoken to in lines, and answers with an object in JSON on each."""

import collections
import contextlib
import json
import os
import select
import subprocess
import time

from runner.failing import Fails

# Bytes of a line of it.
MOST_LINE = 1 << 20
# What `end` gives back, in the place of a code, of a program that did not end by itself.
RUNS_ON = "did not end"


class Program:
    """A child that is spoken to in lines. What it does not do is a failure of `kind`."""

    def __init__(self, words, environment=None, errors=None, name="the client", kind=Fails):
        """What it says to people goes into the file `errors`, to be shown when it ends too early."""
        self.name, self.kind = name, kind
        self.errors, self.said = errors, collections.deque(maxlen=20)
        with open(errors or os.devnull, "wb") as file:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file if errors else None, env=environment)
        self.rest = b""

    def last_words(self):
        """Its last output, and with which code it ended: for the report on a client that crashed."""
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            code = None
        text = ""
        if self.errors:
            with open(self.errors, encoding="utf-8", errors="replace") as file:
                text = "".join(file.readlines()[-12:]).strip()
        ended = "it still runs" if code is None else f"it ended with {code}"
        return f"; {ended}; last it said {' | '.join(self.said)[-300:]!r}" + (f" and to people: {text[-900:]}" if text else "")

    def say(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self.kind(f"{self.name} had ended when {line!r} was said to it{self.last_words()}") from None

    def hear(self, wanted, seconds, what):
        """The next line of JSON that is wanted."""
        deadline = time.monotonic() + seconds
        while True:
            line, found, rest = self.rest.partition(b"\n")
            if found:
                self.rest = rest
                self.said.append(line.decode(errors="replace"))
                value = self.read(line)
                if wanted(value):
                    return value
                continue
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise self.kind(f"{what} did not come within {seconds:.0f} s{self.last_words()}")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise self.kind(f"{self.name} ended before {what}{self.last_words()}")
            self.rest += more
            if len(self.rest) > MOST_LINE and b"\n" not in self.rest:
                raise self.kind(f"{self.name} said a line of more than {MOST_LINE >> 20} MiB, which begins with {self.rest[:40]!r}")

    def pass_over(self):
        """Passes over what it has said up to now, which answers what it was told before."""
        while len(self.rest) <= MOST_LINE and select.select([self.process.stdout], [], [], 0)[0] and (more := os.read(self.process.stdout.fileno(), 65536)):
            self.rest += more
        whole, _, self.rest = self.rest.rpartition(b"\n")
        for line in whole.splitlines():
            self.said.append(line.decode(errors="replace"))
            self.read(line)

    def read(self, line):
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise self.kind(f"{self.name} said {line[:200]!r}, which is no object in JSON")
        return value

    def close(self):
        """Ends it where it still runs, and forgets it."""
        if self.process.poll() is None:
            self.end(1)
        self.process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def end(self, seconds=5):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return RUNS_ON
