"""Two servers over one library, asked the same lines in turn."""

import re
from dataclasses import dataclass

from Dialects.Support.mpddiffer import Differ
from Dialects.Support.mpdscript import Asker


@dataclass(frozen=True)
class Difference:
    group: str
    place: str
    line: str
    text: str
    # The commands of a list that is over.
    within: tuple = ()

    def __str__(self):
        return f"[{self.group}] {self.place}, {self.line[:120]!r}: {self.text[:400]}"


def command_of(text):
    """The first word, or "" for what ends a list or was sent before."""
    word = re.split(r"[ \t\\]", text.removeprefix("= ").strip())[0]
    return "" if word in ("b<", "b>", "command_list_end") else word


class Pair:
    """Two servers. What they were asked and how often they answered is counted, so that a comparison of nothing is seen."""

    def __init__(self, one, other, differ=Differ):
        self.servers = (one, other)
        self.make_differ = differ
        self.asked = 0
        self.answered = 0
        self.used = set()

    def differences(self, groups):
        """All differences of the groups that no rule permits."""
        return [difference for group in groups for difference in self.of_group(group)]

    def of_group(self, group):
        askers, differ, found, within = [], self.make_differ(), [], []
        try:
            for server in self.servers:
                askers.append(Asker(server))
            for step in group.steps:
                answers = [asker.answer(step.text) for asker in askers]
                self.asked += not step.text.startswith(("!", "b<"))
                self.answered += answers[0] is not None
                text = differ.difference(command_of(step.text), *answers)
                within = [] if step.text.startswith("command_list_") and step.text != "command_list_end" else [*within, step.text]
                if text:
                    found.append(Difference(group.name, step.place, step.text, text, tuple(within[:-1])))
        finally:
            for asker in askers:
                asker.close()
        self.used |= differ.used
        return found
