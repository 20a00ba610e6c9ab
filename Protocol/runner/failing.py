"""How a step that does not hold says so."""

import json


# How long is waited for something that must come, unless a step says otherwise.
WITHIN_MS = 2000


class Skips(Exception):
    """This scenario cannot be judged here, and a sentence says why."""


class Fails(Exception):
    """A step did not hold: its place and a sentence."""


class Unfit(Exception):
    """This hub cannot be judged, or not now: a sentence says why."""


class Absent(Unfit):
    """Nothing can be said of a hub: it is not there, or nobody has allowed that it is judged."""


class Unjudged(Exception):
    """Nothing can be said of a client: what stands around it does not work, and a sentence says why."""


class Mistyped(Exception):
    """Words on the command line that mean nothing: a sentence says which, and what there is."""


def show(value, most=300):
    text = json.dumps(value, ensure_ascii=False, default=lambda _: "nothing")
    return text if len(text) < most else text[:most] + "…"
