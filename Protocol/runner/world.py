"""Where a scenario happens: `Live` (live.py), with a hub and sockets, and `Replay`, with nothing but a trace.

Both answer the same questions, so the very steps that drove a hub are judged again from what was
written down. Everything a scenario does goes through `do`; everything it sees is an entry.
"""

import json

from runner.websocket import TEXT

# What is written down as something said, though the scenario does not know its bytes: they hold random numbers.
SAID = {"auth", "pair"}


class Missing(Exception):
    """The trace does not show that a step happened."""


class World:
    """What has been seen, and a question to it. A world says by `more` how more comes to be seen."""

    def wait_for(self, start, deadline_us, wanted):
        """The first entry from `start` that is wanted, or nothing by the deadline."""
        index = start
        while True:
            while index < len(self.entries):
                entry = self.entries[index]
                if entry["us"] > deadline_us:
                    return None
                if wanted(entry):
                    return entry
                index += 1
            if not self.more(deadline_us):
                return None


class Replay(World):
    """The same scenario on paper: `do` finds what was done, `wait_for` what was seen."""

    def __init__(self, entries):
        self.all, self.at = entries, 0
        self.entries = []
        self.music, self.variables = entries[0].get("music", ""), entries[0].get("variables", {})
        self.kept = set(entries[0].get("kept", []))

    def do(self, verb, step, **what):
        is_random, verb = verb in SAID, "send" if verb in SAID else verb
        while self.at < len(self.all):
            entry = self.all[self.at]
            self.at += 1
            self.entries.append(entry)
            if entry["kind"] == "do":
                if entry["verb"] != verb or entry["step"] != step:
                    raise Missing(f"the trace shows {entry['verb']} of step {entry['step']} where {verb} of step {step} belongs")
                if verb == "send" and not is_random and not what.get("late") and any(entry[name] != value for name, value in shown(entry["op"], what["payload"]).items()):
                    raise Missing(f"step {step} sent something else than the scenario says")
                return entry
        raise Missing(f"the trace ends before {verb} of step {step}")

    def more(self, deadline_us):
        """What was seen next, up to the next thing that was done."""
        if self.at == len(self.all) or self.all[self.at]["kind"] in ("do", "end"):
            return False
        self.entries.append(self.all[self.at])
        self.at += 1
        return True


def shown(opcode, payload):
    """How a payload stands in the trace: as text where it is text."""
    if opcode == TEXT:
        try:
            return {"text": payload.decode("utf-8")}
        except UnicodeDecodeError:
            pass
    return {"hex": payload[:4096].hex()}


def unchunk(data):
    joined = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        count = int(size or b"0", 16)
        if not count:
            break
        joined, data = joined + data[:count], data[count + 2:]
    return joined


def as_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
