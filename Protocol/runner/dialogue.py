"""A trace cut into dialogues: what was said on one connection, from its opening to its end."""

from runner.schema import NotJSON, strict
from runner.trace import message


class Dialogue:
    """One connection from its opening to its end."""

    def __init__(self, conn, entries):
        self.conn, self.entries = conn, entries
        self.said = [(entry, message(entry)) for entry in entries if entry["kind"] == "in" and entry["op"] == 1]
        # A text that is no JSON by the specification asks for nothing, even if a lenient parser would read a command from it.
        self.asked = [(entry, command(entry)) for entry in entries if entry["kind"] == "do" and entry["verb"] == "send"]
        hello = next((m for _, m in self.asked if isinstance(m, dict) and m.get("t") == "hello"), None)
        self.hello = hello or {}
        self.welcome = next((m for _, m in self.said if isinstance(m, dict) and m.get("t") == "welcome"), None)
        # An unknown view is taken as another one, and welcome says which.
        self.view = (self.welcome or {}).get("view", self.hello.get("view"))
        # Who follows chosen sections may see others than the view's, and need not be told of all.
        self.chooses = any(isinstance(m, dict) and "sections" in m for _, m in self.asked)
        self.was_ended = any(entry["kind"] == "close" or entry.get("verb") in ("cut", "stall") for entry in entries)

    def of(self, kind):
        return [(entry, m) for entry, m in self.said if isinstance(m, dict) and m.get("t") == kind]


def command(entry):
    try:
        return strict(entry["text"]) if "text" in entry else None
    except NotJSON:
        return None


def dialogues(entries):
    """Connections in the order of their opening; a name that is opened again begins a new one."""
    found, current = [], {}
    for entry in entries:
        conn = entry.get("conn")
        if conn is None:
            continue
        if entry["kind"] == "do" and entry["verb"] == "open":
            current[conn] = []
            found.append((conn, current[conn]))
        if conn in current:
            current[conn].append(entry)
    return [Dialogue(conn, own) for conn, own in found]
