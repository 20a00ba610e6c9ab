"""What the judges take from the registries: how long a section may be, which errors may be tried again, and what a close code asks of a client."""

from runner.files import read

UNITS = {"B": 1, "KiB": 1024}


def entries(registry):
    return read(f"registries/{registry}.json")["entries"]


def size(said):
    """The bytes of a limit such as `2 KiB`."""
    number, unit = said.split()
    return int(number) * UNITS[unit]


CAPS = {entry["name"]: size(entry["most"]) for entry in entries("sections")}
RETRY = {entry["name"] for entry in entries("errors") if entry["retry"]}
CLOSES = {int(entry["name"]): entry for entry in entries("closes")}
# Codes after which a client stays away, and the seconds for which another one waits.
STOP = {code for code, entry in CLOSES.items() if entry["advice"] != "retry"}
WAITS = {code: entry["afterMs"] / 1000 for code, entry in CLOSES.items() if entry.get("afterMs")}
