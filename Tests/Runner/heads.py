"""The head of a suite: comments among its first six lines that say how it runs, in which tier, and which files it judges.

    # deploy/test: tier 2, first Pieces.test_made, judges Sources/Features/Making/MusicWorkers Sources/Platform/Stores/JobStore.
    # deploy/test: waits, once, mostly for hubs to start again.

Words stand between commas, before the first part that is none: the rest of a line is a reason.
"""

import dataclasses
import re

HEAD = re.compile(r"# deploy/test: (.*)")
HEAD_LINES = 6
LANE_WORDS = ("waits", "records", "browser", "alone")
WORDS = ("tier 1", "tier 2", *LANE_WORDS, "slow", "once")
# Words that are followed by names: of tests or classes of tests, and of files or folders.
LISTS = ("first", "judges")


class HeadFault(Exception):
    """A head that cannot be read. Its text is a sentence."""


@dataclasses.dataclass(frozen=True)
class Head:
    tier: int
    lane: str
    is_slow: bool
    is_once: bool
    # Tests of a suite of tier 2 that are of tier 1.
    first: tuple
    judges: tuple


def words_of(path, lines):
    """The words, and the names behind the words that have some."""
    words, names = [], {word: [] for word in LISTS}
    for line in lines[:HEAD_LINES]:
        head = HEAD.match(line)
        if not head:
            continue
        before = len(words)
        for part in head[1].rstrip(". \n").split(","):
            first, *rest = part.split() or [""]
            if first in LISTS and rest:
                names[first] += rest
            elif part.strip() not in WORDS:
                break
            words.append(first if first in LISTS else part.strip())
        if len(words) == before:
            raise HeadFault(f"{path} says \"{line.strip()}\", which begins with none of {', '.join((*WORDS, *LISTS))}.")
    return words, names


def read(path, lines):
    words, names = words_of(path, lines)
    lanes = [word for word in words if word in LANE_WORDS]
    tiers = [int(word[-1]) for word in words if word.startswith("tier ")]
    if len(lanes) > 1:
        raise HeadFault(f"{path} names more than one of {', '.join(LANE_WORDS)} in its head; a suite runs in one lane.")
    if len(tiers) != 1:
        raise HeadFault(f"{path} names {'no tier' if not tiers else 'two tiers'}: write \"# deploy/test: tier 2\" into its head, or tier 1 if "
                        "each run needs it.")
    if tiers == [1] and ("slow" in words or names["first"]):
        raise HeadFault(f"{path} is of tier 1, so each run has all of it: it can neither be slow nor name its first tests.")
    if not names["judges"]:
        raise HeadFault(f"{path} judges no file: name the sources that it judges in its head, as in \"judges Sources/Web\".")
    return Head(tiers[0], lanes[0] if lanes else "busy", "slow" in words, "once" in words, tuple(names["first"]), tuple(names["judges"]))
