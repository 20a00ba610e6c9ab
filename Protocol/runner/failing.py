"""How a step that does not hold says so."""

import json


# How long is waited for something that must come, unless a step says otherwise.
WITHIN_MS = 2000


class Skips(Exception):
    """This scenario cannot be judged here, and a sentence says why."""


class Fails(Exception):
    """A step did not hold: its place and a sentence."""


def show(value):
    text = json.dumps(value, ensure_ascii=False, default=lambda _: "nothing")
    return text if len(text) < 300 else text[:300] + "…"
