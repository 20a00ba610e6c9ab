"""The definitions: one file for each command, and the registries of names.

`load` reads them and refuses what is incomplete with a sentence that names the file. All programs of this
folder begin here, so that a chapter, a schema and a table in another language cannot say different things.
"""

import glob
import json
import os

from runner import pages
from tools import checks, parameters

PROTOCOL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
# The version of Core, and its day.
EDITION, DATE = pages.version("core"), pages.profiles()["core"]["date"]
CLASSES = ("A", "G", "K", "Q")
# Where a hub remembers the command keys of a command: with all others, apart from them, in memory alone, or nowhere.
KEYS = ("shared", "apart", "memory", "none")
ROLES = ("listener", "guest", "remote", "admin")
# Commands of its connection for which a command waits. Without `order` it waits for all but those of these two.
ORDERS = ("servers", "none")
# Members that are true where they are there.
FLAGS = ("controls", "ofRoom", "roomless", "privacy")
NEEDED = ("name", "about", "level", "class", "role", "parameters", "result", "errors", "examples")
MEMBERS = {
    *NEEDED, "keys", "order", "person", *FLAGS, "rules", "required", "forms", "groups", "checks", "keyedWith", "notes",
}
# Shapes that name items.
ITEMS = {"uri", "listOp"}


class Wrong(Exception):
    """A definition is incomplete, or two of them do not agree."""


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def json_of(path):
    return json.loads(text_of(os.path.join(PROTOCOL, path)))


class Definitions:
    """All commands by name, in the order of their groups, and the registries."""

    def __init__(self):
        self.registries = {os.path.basename(path)[:-5]: json.loads(text_of(path)) for path in glob.glob(f"{PROTOCOL}/registries/*.json")}
        found = {os.path.basename(path)[:-5]: json.loads(text_of(path)) for path in glob.glob(f"{PROTOCOL}/commands/*.json")}
        self.groups = self.registries["commands"]["groups"]
        order = [name for group in self.groups for name in group["commands"]]
        if sorted(order) != sorted(found):
            raise Wrong(f"registries/commands.json and commands/ do not name the same commands: {sorted(set(order) ^ set(found))}")
        self.commands = {name: found[name] for name in order}
        self.shapes = json_of("schema/v1/common.json")["$defs"]
        self.codes = {entry["name"]: entry for entry in self.registries["errors"]["entries"]}
        for name, command in self.commands.items():
            for sentence in self.complaints(name, command):
                raise Wrong(f"commands/{name}.json: {sentence}")
        for name, registry in self.registries.items():
            for entry in registry.get("entries", ()):
                if name != "vendors" and entry.get("level") not in pages.profiles():
                    raise Wrong(f"registries/{name}.json: the level of {entry['name']} is no profile")

    def entries(self, registry):
        return self.registries[registry]["entries"]

    def complaints(self, name, command):
        """What is wrong with one definition."""
        yield from (f"there is no member {member}" for member in sorted(set(command) - MEMBERS))
        yield from (f"{member} is missing" for member in NEEDED if member not in command)
        if command["name"] != name:
            yield f"its name is {command['name']}"
        if command["class"] not in CLASSES or command["role"] not in ROLES:
            yield "class and role must be known ones"
        if command.get("keys", "shared") not in KEYS:
            yield f"keys must be one of {', '.join(KEYS)}"
        for level in (command["level"], *(part["level"] for part in (*command["parameters"].values(), *command["errors"].values()) if "level" in part)):
            if level not in pages.profiles():
                yield f"{level} is no profile"
        yield from sending(command)
        yield from parameters.complaints(command, self.shapes)
        formed = {member for form in command.get("forms", ()) for member in form["members"]}
        for member in {*command.get("required", ()), *formed} - set(command["parameters"]):
            yield f"{member} is no parameter"
        yield from checks.complaints(command, self.shapes)
        for code, error in command["errors"].items():
            if code not in self.codes or not all(error.get(part, "").endswith(".") for part in ("when", "client")):
                yield f"{code} must be a code of registries/errors.json, with sentences when and client"
        for example in command["examples"]:
            if not os.path.exists(f"{PROTOCOL}/examples/{example}.json"):
                yield f"there is no example {example}"
        if command["result"] and not os.path.exists(f"{PROTOCOL}/schema/v1/{command['result']['schema'].partition('#')[0]}"):
            yield f"there is no schema {command['result']['schema']}"
        if command["result"] and ("called" in command["result"]) != (command["result"]["member"] == "d"):
            yield "a result in d, and no other one, says how its type is called"


def sending(command):
    """What is wrong with the members that say for what a command waits, and who may send it."""
    if command.get("order", ORDERS[0]) not in ORDERS:
        yield f"order is {' or '.join(ORDERS)}, or left out"
    if "person" in command and command["person"] is not (command["class"] == "Q"):
        yield "person is true for a command of class Q, false for another one, or left out"
    yield from (f"{flag} is true or left out" for flag in FLAGS if command.get(flag, True) is not True)
    if "privacy" in command and not any(parameters.shape_of(shape) in ITEMS for shape in command["parameters"].values()):
        yield "privacy is for commands that name items, and no parameter does"


def forms(command):
    """The forms that the parameters may have, as (members, required members). Most commands have one."""
    several = command.get("forms")
    if several:
        return [(form["members"], form.get("required", [])) for form in several]
    return [(list(command["parameters"]), command.get("required", []))]


def needs_key(command):
    return command["class"] in ("G", "K")
