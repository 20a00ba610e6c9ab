"""The table of commands of a hub in Swift: names, classes, roles, and the change with which each command came.

Only where such a hub lies beside this folder. The types of the parameters are written by hand there, and its tests hold
them against the definitions.
"""

import os
import re

from definitions import PROTOCOL

FILE = "../Sources/Protocol/BatonProtocol/Commands/CommandTable.swift"
CLASSES = {"A": "absolute", "G": "guarded", "K": "keyed", "Q": "query"}
# Names on the wire are short; those of the cases are words.
WORDS = {"vol": "volume", "pl": "playlist", "dev": "device", "del": "delete"}
HEAD = """// Written by Protocol/tools/build.py from Protocol/commands; change those files instead.

/// Every command that the protocol names, built or not, by its wire name. `definition` says the rest.
public enum RequestKind: String, Sendable, CaseIterable {
"""
ROWS = """}

extension RequestKind {
    /// What the specification says of this command, apart from its parameters.
    var row: CommandRow {
        switch self {
"""
TAIL = """        }
    }
}
"""


def case(name):
    """The name of a command's case: `volumeSet` for `vol.set`."""
    first, *rest = [WORDS.get(word, word) for word in name.split(".")]
    return first + "".join(word[0].upper() + word[1:] for word in rest)


def declared(name):
    return f"    case {case(name)}" + ("" if case(name) == name else f' = "{name}"') + "\n"


def row(command):
    number = int(re.match(r"\d+", command["since"])[0])
    reserved = ", isReserved: true" if command.get("reserved") else ""
    keys = f", keys: .{command['keys']}" if command.get("keys", "shared") != "shared" else ""
    return f"        case .{case(command['name'])}: CommandRow(.{CLASSES[command['class']]}, .{command['role']}, since: {number}{keys}{reserved})\n"


def outputs(definitions):
    """Path below Protocol/ -> text."""
    if not os.path.isdir(os.path.dirname(f"{PROTOCOL}/{FILE}")):
        return {}
    names, rows = "".join(map(declared, definitions.commands)), "".join(map(row, definitions.commands.values()))
    return {FILE: HEAD + names + ROWS + rows + TAIL}
