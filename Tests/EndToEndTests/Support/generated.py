"""Commands made at random from their definitions: what is well formed, mostly with ids that the hub itself has named.

Noise is refused at the door; a command that succeeds reaches the parts behind it. So every string of an answer and of
the state is remembered under the name of its member, and most parameters are taken from there."""

import json
import os
import random
import string

from Support.hubs import ROOT

PROTOCOL = os.path.join(ROOT, "Protocol")
# Commands that end the hub or the connection that asks.
ENDS = {"user.signout", "people.kick", "dev.revoke", "dev.role", "dev.person", "dev.rotate"}
# Addresses that nothing answers, on this machine alone.
NOWHERE = "http://127.0.0.1:1/"
# Members under which an answer names things by a general word.
GENERAL = ("id", "name", "key", "source", "user", "title")
SERVERS = ("subsonic", "chadmusic", "sappho", "musicroom")
# Members of commands whose values have another name in answers and states.
ALIASES = {"entryOrNull": "entry", "listId": "id", "sourceName": "source", "room": "id", "item": "uri", "list": "uri", "job": "id", "base": "rev"}
MOST_KNOWN = 200


class Definitions:
    """The commands of Protocol/commands."""

    def __init__(self):
        self.commands = {}
        folder = f"{PROTOCOL}/commands"
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    command = json.load(file)
                if command["name"] not in ENDS:
                    self.commands[command["name"]] = command
        with open(f"{PROTOCOL}/schema/v1/common.json", encoding="utf-8") as file:
            self.common = json.load(file)["$defs"]

    def resolved(self, schema):
        """The schema, with what it refers to; its own members hold."""
        reference = schema.get("$ref")
        return {**self.resolved(self.common[reference.rpartition("/")[2]]), **schema, "$ref": None} if reference else schema


class Commands:
    """A stream of commands from one seed. `uris` are items that are taken often: those that stand for many others."""

    def __init__(self, definitions, seed, folders, uris):
        self.definitions, self.random, self.folders = definitions, random.Random(seed), folders
        self.uris, self.known = uris, {"uri": list(uris)}

    def learn(self, value, name="", family=""):
        """Remembers strings and numbers by the names of their members, also together with the family of the command that was answered."""
        if isinstance(value, dict):
            for member, inner in value.items():
                self.learn(inner, member, family)
        elif isinstance(value, list):
            for inner in value:
                self.learn(inner, name, family)
        elif isinstance(value, (str, int)) and not isinstance(value, bool):
            for place in (name, f"{family}.{name}"):
                known = self.known.setdefault(place, [])
                if value in known:
                    continue
                if len(known) >= MOST_KNOWN:
                    known[self.random.randrange(MOST_KNOWN)] = value
                else:
                    known.append(value)

    def next(self):
        """A command's name and its parameters."""
        name = self.random.choice(list(self.definitions.commands))
        command = self.definitions.commands[name]
        parameters, required = command.get("parameters", {}), command.get("required", [])
        members = list(parameters)
        if command.get("forms"):
            form = self.random.choice(command["forms"])
            members, required = form.get("members", members), form.get("required", required)
        taken = {}
        for member in members:
            schema = parameters.get(member)
            if schema is not None and (member in required or self.random.random() < 0.3):
                taken[member] = self.value(schema, member, name)
        return name, taken

    def value(self, schema, member, command=""):
        reference = (schema.get("$ref") or "").rpartition("/")[2]
        if reference == "serverURL" or member == "url":
            return NOWHERE
        if member == "program":
            return "/bin/true"
        if member == "kind" and command.startswith("source."):
            return self.random.choice(SERVERS)
        if member == "path":
            return self.random.choice(self.folders)
        if reference == "uri" and self.random.random() < 0.3:
            return self.random.choice(self.uris)
        schema = self.definitions.resolved(schema)
        if self.random.random() < 0.9:
            family = command.partition(".")[0]
            known = self.fitting(schema, [f"{family}.{member}", f"{family}.id", reference, member, family])
            if known is not None:
                return known
        return self.made(schema, member)

    def fitting(self, schema, names):
        """Something that the hub has named and that may stand here; `None` where there is nothing."""
        if schema.get("type") not in ("string", "integer") or "enum" in schema:
            return None
        kind = str if schema["type"] == "string" else int
        names = [*names, *(ALIASES.get(name) for name in names), *(GENERAL if kind is str else ())]
        for name in names:
            found = [value for value in self.known.get(name, ()) if isinstance(value, kind) and allowed(value, schema)]
            if found:
                return self.random.choice(found)
        return None

    def made(self, schema, member):
        draw = self.random
        for name in ("anyOf", "oneOf"):
            if name in schema:
                return self.value(draw.choice(schema[name]), member)
        if "enum" in schema:
            return draw.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type")
        if kind == "null":
            return None
        if kind == "boolean":
            return draw.random() < 0.6
        if kind == "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 2**31 - 1)
            return draw.choice((low, high, draw.randint(low, high), draw.randint(low, min(high, low + 100))))
        if kind == "array":
            return self.array(schema, member)
        if kind == "object":
            inner = schema.get("properties", {})
            return {
                name: self.value(inner[name], name) for name in inner if name in schema.get("required", ()) or draw.random() < 0.4}
        return self.text(schema)

    def array(self, schema, member):
        if "prefixItems" in schema:
            return [self.value(inner, member) for inner in schema["prefixItems"]]
        low = schema.get("minItems", 0)
        count = self.random.randint(low, max(low, min(schema.get("maxItems", 4), 4)))
        singular = {"uris": "uri", "entries": "entry"}.get(member, member)
        return [self.value(schema["items"], singular) for _ in range(count)]

    def text(self, schema):
        letters = string.ascii_lowercase + string.digits if "pattern" in schema else string.ascii_letters + " /:.é\u0301\u202e漢🎵'\"%"
        low, high = schema.get("minLength", 1), min(schema.get("maxLength", 16), 16)
        text = "".join(self.random.choice(letters) for _ in range(self.random.randint(low, max(low, high))))
        return {"^q": "q1", "^/": "/"}.get(schema.get("pattern", "")[:2], "") + text


def allowed(text, schema):
    """Whether a value may stand where this schema does; patterns of the definitions are character classes alone."""
    if isinstance(text, int):
        return schema.get("minimum", 0) <= text <= schema.get("maximum", 2**53)
    if not schema.get("minLength", 0) <= len(text.encode()) <= schema.get("x-maxBytes", schema.get("maxLength", 4096)):
        return False
    pattern = schema.get("pattern", "")
    if pattern.startswith("^q"):
        return text.startswith("q")
    return not pattern or all(letter in string.ascii_letters + string.digits + "_-" for letter in text)
