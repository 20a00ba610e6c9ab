"""The steps before the tests (packages, format, builds), which deploy/test itself runs and writes down: name, seconds, code and log."""

import dataclasses
import os


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    seconds: float
    code: int
    log: str


def read(path):
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return [Step(name, float(seconds), int(code), log) for name, seconds, code, log in lines]
