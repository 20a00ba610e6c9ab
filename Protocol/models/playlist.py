#!/usr/bin/python3
"""The model of a playlist: what `pl.edit` makes of one, as short as the specification allows.

A playlist is a queue that nothing plays. Whoever takes back an op takes back the last one that changed
entries, so what was before it is all that has to be remembered. `vectors/check.py` reads
`vectors/v1/playlist.json` with this; `playlist.py --write` writes that file, from what is told below and
from edits drawn with a seed.
"""

import json
import os
import random
import sys

LIMIT, DEPTH = 10_000, 20
VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../vectors/v1/playlist.json")


def entry(number):
    """What the hub calls its entries on the wire."""
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return "q" + digits


class Refused(Exception):
    """An error code: nothing of the edit has happened."""


class Playlist:
    def __init__(self, count, limit=LIMIT):
        self.order = [entry(number + 1) for number in range(count)]
        self.next, self.rev, self.name, self.limit = count + 1, 1 if count else 0, "List", limit
        # (what did it, the order before it), the oldest first
        self.past = []

    def edit(self, ops, base=None):
        """The answer; whatever is wrong is raised, and the list is as it was."""
        if base is not None and base != self.rev:
            raise Refused("queue_conflict")
        if base is None and any("clear" in op for op in ops):
            raise Refused("bad_request")
        kept = (list(self.order), self.next, self.name, list(self.past))
        try:
            done = [self.perform(op) for op in ops]
        except Refused:
            self.order, self.next, self.name, self.past = kept
            raise
        if not any(is_changed for is_changed, _ in done):
            return {"st": "noop", "rev": self.rev}
        self.rev += 1
        added = [entry for _, entries in done for entry in entries]
        return {"st": "applied", "rev": self.rev, **({"ids": added} if added else {})}

    def perform(self, op):
        """Whether it changed anything, and what it added."""
        verb = next(name for name in ("add", "remove", "move", "clear", "name", "undo") if name in op)
        if verb == "name":
            is_other, self.name = op["name"] != self.name, op["name"]
            return is_other, []
        if verb == "undo":
            if not self.past:
                raise Refused("invalid_state")
            self.order = self.past.pop()[1]
            return True, []
        order, added = getattr(self, verb)(op)
        if order == self.order:
            return False, []
        self.past = [*self.past, (verb, self.order)][-DEPTH:]
        self.order = order
        return True, added

    def add(self, op):
        if len(self.order) + len(op["add"]) > self.limit:
            raise Refused("quota")
        place = op.get("at", "end")
        at = len(self.order) if place == "end" else self.behind(place["after"], op)
        new = [entry(self.next + number) for number in range(len(op["add"]))]
        self.next += len(new)
        return [*self.order[:at], *new, *self.order[at:]], new

    def remove(self, op):
        return [entry for entry in self.order if entry not in op["remove"]], []

    def move(self, op):
        moving = list(dict.fromkeys(op["move"]))
        if not set(moving) <= set(self.order):
            raise Refused("gone")
        # The place is among what stays, so the anchor may be one that moves itself.
        before = [entry for entry in self.order[:self.behind(op["after"], op)] if entry not in moving]
        rest = [entry for entry in self.order if entry not in moving][len(before):]
        return [*before, *moving, *rest], []

    def clear(self, _):
        return [], []

    def behind(self, anchor, op):
        if anchor is None:
            return 0
        if anchor in self.order:
            return self.order.index(anchor) + 1
        if op.get("else") == "end":
            return len(self.order)
        raise Refused("anchor_gone")


# What is told: a name, how many entries the list begins with, and edits (ops, and what else they carry).
TOLD = [
    ("added to the end, behind an entry, at the head", 2, [([{"add": ["lib:track/1"]}], {}), ([{"add": ["lib:track/2", "lib:track/3"], "at": {"after": "q1"}}], {}), ([{"add": ["lib:track/4"], "at": {"after": None}}], {})]),
    ("into an empty list", 0, [([{"add": ["lib:track/1"], "at": {"after": None}}], {}), ([{"clear": 1}], {"base": 1}), ([{"clear": 1}], {"base": 2})]),
    ("what was removed is passed over", 3, [([{"remove": ["q2", "q9"]}], {}), ([{"remove": ["q2"]}], {}), ([{"remove": ["q1", "q3"]}], {})]),
    ("several keep the order they are named in", 4, [([{"move": ["q4", "q1"], "after": "q2"}], {}), ([{"move": ["q2"], "after": None}], {})]),
    ("an entry is named twice and moves once", 3, [([{"move": ["q1", "q1"], "after": "q3"}], {})]),
    ("behind one that moves itself", 4, [([{"move": ["q1", "q2"], "after": "q2"}], {}), ([{"move": ["q2", "q3"], "after": "q3"}], {}), ([{"move": ["q3"], "after": "q3"}], {})]),
    ("moved to where it was", 3, [([{"move": ["q2"], "after": "q1"}], {})]),
    ("moved what is gone", 2, [([{"remove": ["q2"]}], {}), ([{"move": ["q2"], "after": None}], {}), ([{"move": ["q1", "q2"], "after": "q7"}], {})]),
    ("behind what is gone", 2, [([{"remove": ["q2"]}], {}), ([{"add": ["lib:track/1"], "at": {"after": "q2"}}], {}), ([{"add": ["lib:track/1"], "at": {"after": "q2"}, "else": "end"}], {}), ([{"move": ["q1"], "after": "q2", "else": "end"}], {})]),
    ("all or none", 2, [([{"name": "Other"}, {"remove": ["q1"]}, {"add": ["lib:track/1"], "at": {"after": "q1"}}], {}), ([{"add": ["lib:track/1"]}, {"move": ["q9"], "after": None}], {}), ([{"add": ["lib:track/1"]}], {})]),
    ("each op sees what those before it did", 1, [([{"add": ["lib:track/1"]}, {"move": ["q2"], "after": None}, {"remove": ["q1"]}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {})]),
    ("made for another list", 1, [([{"add": ["lib:track/1"]}], {"base": 1}), ([{"remove": ["q1"]}], {"base": 1}), ([{"clear": 1}], {}), ([{"clear": 1}], {"base": 2})]),
    ("taken back, and once more the one before", 3, [([{"remove": ["q1", "q3"]}], {}), ([{"add": ["lib:track/1"], "at": {"after": "q2"}}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {})]),
    ("a cleared list comes back with its entries", 3, [([{"move": ["q3"], "after": None}], {}), ([{"clear": 1}], {"base": 2}), ([{"add": ["lib:track/1"]}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {}), ([{"undo": 1}], {})]),
    ("a name is no edit to take back", 1, [([{"remove": ["q1"]}], {}), ([{"name": "Other"}], {}), ([{"name": "Other"}], {}), ([{"undo": 1}], {})]),
    ("twenty can be taken back", 1, [([{"add": ["lib:track/1"]}], {})] * 21 + [([{"undo": 1}] * 20, {}), ([{"undo": 1}], {})]),
]


def drawn(seed):
    """An edit of each kind now and then, some of them with names of long ago and bases that were."""
    dice, edits, model = random.Random(seed), [], Playlist(seed % 6)
    for _ in range(12):
        ops = [op_of(dice, model) for _ in range(dice.choice([1, 1, 1, 2, 3]))]
        more = {"base": model.rev - dice.choice([0, 0, 0, 1])} if dice.random() < 0.3 or any("clear" in op for op in ops) else {}
        more = {name: max(0, value) for name, value in more.items()}
        edits.append((ops, more))
        try:
            model.edit(ops, **more)
        except Refused:
            pass
    return f"drawn {seed}", seed % 6, edits


def op_of(dice, model):
    ever = [entry(number + 1) for number in range(model.next)]
    lately = model.order * 4 + ever

    def place():
        return {"after": dice.choice([*lately, None]), **({"else": "end"} if dice.random() < 0.3 else {})}
    kind = dice.choices(["add", "remove", "move", "clear", "name", "undo"], [8, 6, 8, 1, 1, 5])[0]
    if kind == "add":
        where = place()
        how = {"at": {"after": where.pop("after")}, **where} if dice.random() < 0.6 else {}
        return {"add": [f"lib:track/{dice.randrange(99)}" for _ in range(dice.randint(1, 3))], **how}
    if kind == "remove":
        return {"remove": dice.choices(lately, k=dice.randint(1, 3))}
    if kind == "move":
        return {"move": dice.choices(lately, k=dice.randint(1, 3)), **place()}
    return {kind: 1 if kind != "name" else dice.choice(["List", "Other"])}


def case(name, count, edits):
    """With what comes of each edit."""
    model, told = Playlist(count), []
    for ops, more in edits:
        try:
            expect = model.edit(ops, **more)
        except Refused as refused:
            expect = {"err": str(refused)}
        undo = {"undo": model.past[-1][0]} if model.past else {}
        told.append({**more, "ops": ops, "expect": expect, "after": list(model.order), "name": model.name, **undo})
    return {"name": name, "start": count, "edits": told}


def main():
    about = ("Edits of a playlist that begins with so many entries, q1 and on, at rev 1, or 0 without any. Each entry of add is one item; what "
             "comes new is named in the order of coming. after, name and undo are the list after the edit.")
    cases = [case(*one) for one in [*TOLD, *map(drawn, range(24))]]
    head = json.dumps({"about": about, "level": "playlists", "ids": ["BT-PLS-001", "BT-PLS-004", "BT-PLS-005", "BT-PLS-006"]})[:-1]
    text = head + ', "cases": [\n  ' + ",\n  ".join(json.dumps(one) for one in cases) + "\n ]}\n"
    if "--write" in sys.argv:
        with open(VECTORS, "w", encoding="utf-8") as file:
            file.write(text)
    with open(VECTORS, encoding="utf-8") as file:
        is_same = file.read() == text
    print(f"{len(cases)} cases" + ("" if is_same else "; playlist.json says something else: run playlist.py --write"))
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
