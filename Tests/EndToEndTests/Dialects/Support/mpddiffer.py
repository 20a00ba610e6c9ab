"""Compares what two servers said to the same line. A difference that is permitted has its rule here, with a reason."""

import datetime
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Permitted:
    """A difference between values of this name, in answers to these commands."""

    name: str
    how: str
    reason: str
    commands: tuple = ()


# `near:N`: numbers or times that are at most so far from each other. `left out`: not compared, and may be missing. `numbered`: a
# value of one server stands for the same one of the other within a group. `in any order`: so are the parts of an answer that begin with the name.
PERMITTED = (
    Permitted("elapsed", "near:3", "Time passes between the two answers."),
    Permitted("time", "near:3", "Time passes between the two answers.", ("status",)),
    Permitted("bitrate", "left out", "It is known once the decoder has begun, and changes with the sound.", ("status",)),
    Permitted("audio", "left out", "It is known once the decoder has begun.", ("status",)),
    Permitted("uptime", "near:60", "The servers were started one after the other.", ("stats",)),
    Permitted("playtime", "near:60", "Time passes between the two answers.", ("stats",)),
    Permitted("db_update", "near:60", "The servers read the library one after the other.", ("stats",)),
    Permitted("Last-Modified", "near:5", "A playlist is written at the time of its command.", ("listplaylists", "lsinfo")),
    Permitted("playlist", "numbered", "A version says only that the queue is another one.", ("status",)),
    Permitted("playlist", "in any order", "mpd lists playlists as the folder of the disk has them.", ("listplaylists", "lsinfo")),
    Permitted("Id", "numbered", "A server chooses the ids of songs."),
    Permitted("songid", "numbered", "A server chooses the ids of songs."),
    Permitted("nextsongid", "numbered", "A server chooses the ids of songs."),
    Permitted("updating_db", "numbered", "A server numbers its updates."),
)
# Names that are numbered together.
TOGETHER = {"songid": "Id", "nextsongid": "Id"}


def seconds(text):
    """The seconds of a number, of the first part of `12:120`, or of a time in UTC; None for anything else."""
    if re.fullmatch(r"\d+(\.\d+)?(:\d+)?", text):
        return float(text.partition(":")[0])
    try:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


class Differ:
    """Compares the answers of a group, one after the other."""

    def __init__(self, permitted=PERMITTED):
        self.permitted = permitted
        # For each name the values of one server, and those of the other that stand for the same, in both directions.
        self.same = {}
        # The rules that something was found for.
        self.used = set()

    def rule(self, name, command):
        """The rule for a name. An answer to a list of commands, whose command is "", may hold those of any."""
        return next((rule for rule in self.permitted if rule.name == name and (not rule.commands or command in ("", *rule.commands))), None)

    def difference(self, command, one, other):
        """A sentence about the first difference; None where there is none. `command` is the first word, or "" for a list."""
        if one is None or other is None:
            return None if one is other else "only one of them answers"
        pairs, others = self.compared(command, one), self.compared(command, other)
        for index in range(max(len(pairs), len(others))):
            mine, theirs = (side[index] if index < len(side) else None for side in (pairs, others))
            if mine is None or theirs is None or not self.is_same(command, mine, theirs):
                return f"pair {index}: {mine} and {theirs}"
        return None if one.end == other.end else f"end: {one.end} and {other.end}"

    def compared(self, command, answer):
        pairs = []
        for name, value in answer.pairs:
            rule = self.rule(name, command)
            if rule and rule.how == "left out":
                self.used.add(rule)
            else:
                pairs.append((name, value))
        return self.ordered(command, pairs)

    def ordered(self, command, pairs):
        """The same, where the parts that may come in any order are sorted. They are at the end of an answer."""
        first = next((index for index, (name, _) in enumerate(pairs) if (rule := self.rule(name, command)) and rule.how == "in any order"), None)
        if first is None:
            return pairs
        name, parts = pairs[first][0], []
        self.used.add(self.rule(name, command))
        for pair in pairs[first:]:
            if pair[0] == name:
                parts.append([])
            parts[-1].append(pair)
        return pairs[:first] + [pair for part in sorted(parts) for pair in part]

    def is_same(self, command, mine, theirs):
        rule = self.rule(mine[0], command)
        if rule and rule.how == "numbered" and mine[0] == theirs[0] and mine[1].isdigit() and theirs[1].isdigit():
            self.used.add(rule)
            there, here = self.same.setdefault(TOGETHER.get(mine[0], mine[0]), ({}, {}))
            # What differs says nothing about other values.
            if mine[1] not in there and theirs[1] not in here:
                there[mine[1]], here[theirs[1]] = theirs[1], mine[1]
            return there.get(mine[1]) == theirs[1]
        if mine == theirs:
            return True
        if mine[0] != theirs[0] or rule is None or not rule.how.startswith("near:"):
            return False
        here, there = seconds(mine[1]), seconds(theirs[1])
        self.used.add(rule)
        return here is not None and there is not None and abs(here - there) <= float(rule.how[5:])
