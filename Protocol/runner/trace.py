"""The trace: what crossed the WebSocket boundary, and what the scenario did, one JSON object a line.

It is evidence. Entries are written as they happen and flushed; nothing is ever added afterwards. The
verdict is made from the file alone, so what was not written down did not happen.
"""

import json
import time


class Trace:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")
        self.entries = []

    def add(self, kind, **more):
        entry = {"n": len(self.entries), "us": time.monotonic_ns() // 1000, "kind": kind, **more}
        self.file.write(json.dumps(entry, ensure_ascii=True) + "\n")
        self.file.flush()
        self.entries.append(entry)
        return entry

    def close(self):
        self.file.close()


class NoTrace(Exception):
    """The evidence is missing, so nothing can be said."""


def read(path):
    """The entries of a finished trace; a trace without its beginning and end is none."""
    try:
        with open(path, encoding="utf-8") as file:
            entries = [json.loads(line) for line in file]
    except (OSError, ValueError) as error:
        raise NoTrace(f"the trace cannot be read: {error}") from None
    if not entries or entries[0]["kind"] != "begin" or entries[-1]["kind"] != "end":
        raise NoTrace("the trace has no beginning or no end")
    if [entry["n"] for entry in entries] != list(range(len(entries))):
        raise NoTrace("the trace has a hole")
    return entries


def notes(path):
    """What was noted in a trace, however far it got."""
    return [entry for entry in all_of(path) if entry["kind"] == "note"]


def all_of(path):
    """The entries of a trace, however far it got."""
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except (OSError, ValueError):
        return []


def message(entry):
    """The JSON of a text frame, or nothing. A number is an integer however it is written."""
    try:
        return json.loads(entry["text"], parse_float=whole) if entry.get("op") == 1 and "text" in entry else None
    except ValueError:
        return None


def whole(text):
    value = float(text)
    return int(value) if value.is_integer() else value
