"""Whether lists that stand in several places name the same things: schemas, vectors, and the registries.

The order of members is such a list too: answers and sections are written in that of their schemas.
"""

import glob
import json
import os

from runner import schema
from tools import schemas
from tools.definitions import PROTOCOL, json_of

# Close codes that the hub says in `bye`; the others are those of WebSocket itself.
OF_WEBSOCKET = {"1002", "1003", "1007", "1009"}


def names(definitions, registry):
    return {entry["name"] for entry in definitions.entries(registry)}


def files(folder):
    return {os.path.basename(path)[:-5] for path in glob.glob(f"{PROTOCOL}/schema/v1/{folder}/*.json")}


def parts(example, value):
    """The sections and the answer in an example, each with the name of its schema."""
    side, _, rest = example.partition("-")
    if side == "section":
        yield f"section/{rest.partition('-')[0]}", value
    if side == "hub":
        yield from ((f"section/{name}", content) for name, content in value.get("s", {}).items())
        yield f"hub/data/{rest.removeprefix('res-').partition('-')[0]}", value.get("d")


def misplaced(validator):
    """Examples that show members in another order than the schemas."""
    for path in sorted(glob.glob(f"{PROTOCOL}/examples/*.json")):
        example = os.path.basename(path)[:-5]
        for name, value in parts(example, json_of(f"examples/{example}.json")):
            if name in validator.schemas:
                yield from (f"examples/{example}.json: {sentence}" for sentence in validator.misplaced(name, value))


def keywords(content, name):
    """Keywords of `schema.WRITING` that do not fit to what stands beside them."""
    if isinstance(content, list):
        for each in content:
            yield from keywords(each, name)
    if not isinstance(content, dict):
        return
    members = content.get("properties", {})
    shapes = {member: shape for member, shape in members.items() if isinstance(shape, dict)}
    called = [shape.get("called", member) for member, shape in shapes.items()]
    for word in sorted({word for word in called if called.count(word) > 1}):
        yield f"schema/v1/{name}.json: two members are called {word}"
    for member, shape in shapes.items():
        if "x-more" in shape and shape["x-more"] not in members:
            yield f"schema/v1/{name}.json: {member} counts the rest in {shape['x-more']}, which is no member"
    # A section that is a text has one name.
    if "x-pair" in content and len(content["x-pair"]) != len(content.get("prefixItems", "1" if content.get("type") == "string" else "")):
        yield f"schema/v1/{name}.json: x-pair must name each of prefixItems"
    for each in content.values():
        yield from keywords(each, name)


def unread(content, name, commands):
    """Lists that are cut, and name no query that reads them on."""
    if isinstance(content, list):
        for each in content:
            yield from unread(each, name, commands)
    if not isinstance(content, dict):
        return
    query = content.get("continuedBy")
    if query and commands.get(query, {}).get("class") != "Q":
        yield f"schema/v1/{name}.json: continuedBy names {query}, which is no query"
    if name.startswith("section/") and "x-more" in content and not query:
        yield f"schema/v1/{name}.json: a list is cut, and no continuedBy says how it is read on"
    for each in content.values():
        yield from unread(each, name, commands)


def invalid(validator):
    """Examples that their schemas refuse."""
    for path in sorted(glob.glob(f"{PROTOCOL}/examples/*.json")):
        side, _, rest = os.path.basename(path)[:-5].partition("-")
        value, kind = json_of(f"examples/{os.path.basename(path)}"), rest.partition("-")[0]
        answer = f"hub/data/{rest.removeprefix('res-').partition('-')[0]}"
        found = validator.complaints(f"{side}/{kind}", value) + (validator.complaints(answer, value["d"]) if answer in validator.schemas and "d" in value else [])
        yield from (f"examples/{os.path.basename(path)}: {sentence}" for sentence in found)


def complaints(definitions):
    """One sentence for each pair of lists that differ."""
    def pair(one, first, other, second):
        if first != second:
            yield f"{one} and {other} differ: {', '.join(sorted(first ^ second))}"

    errors = names(definitions, "errors")
    common = json_of("schema/v1/common.json")["$defs"]
    yield from pair("registries/errors.json", errors, "common.json", set(common["error"]["properties"]["code"]["anyOf"][0]["enum"]))
    yield from pair("registries/errors.json", errors, "vectors/v1/errors.json", {case["code"] for case in json_of("vectors/v1/errors.json")["cases"]})
    for case in json_of("vectors/v1/errors.json")["cases"]:
        if case["code"] in errors and definitions.codes[case["code"]]["retry"] != case["retry"]:
            yield f"vectors/v1/errors.json and registries/errors.json differ in retry of {case['code']}"

    closes = {entry["name"]: entry for entry in definitions.entries("closes")}
    byes = {str(code) for code in json_of("schema/v1/hub/bye.json")["properties"]["code"]["enum"]}
    yield from pair("registries/closes.json", set(closes) - OF_WEBSOCKET, "hub/bye.json", byes)
    vectors = json_of("vectors/v1/close.json")
    for case in vectors["cases"]:
        known = closes.get(str(case["code"]))
        # The vectors also have codes that no hub uses, for the rule about all others.
        if known and (known["advice"], known.get("afterMs"), known["level"]) != (case["advice"], case.get("afterMs"), case.get("level", vectors["level"])):
            yield f"vectors/v1/close.json and registries/closes.json differ in {case['code']}"

    yield from pair("registries/sections.json", names(definitions, "sections"), "schema/v1/section", files("section"))
    for view in ("watch", "remote", "full"):
        named = {entry["name"] for entry in definitions.entries("sections") if view in entry["views"]}
        yield from pair("registries/sections.json", named, f"view/{view}.json", set(json_of(f"schema/v1/view/{view}.json")["properties"]))
    yield from pair("registries/views.json", names(definitions, "views"), "hub/welcome.json", set(json_of("schema/v1/hub/welcome.json")["properties"]["view"]["enum"]))
    yield from pair("registries/why.json", names(definitions, "why"), "common.json", set(common["why"]["enum"]))
    yield from pair("registries/kinds.json", names(definitions, "kinds"), "common.json", set(common["anyKind"]["enum"]))
    playable = {entry["name"] for entry in definitions.entries("kinds") if not entry.get("container")}
    yield from pair("kinds that can be current", playable, "common.json", set(common["kind"]["enum"]))
    yield from pair("registries/txt.json", names(definitions, "txt"), "txt.json", set(json_of("schema/v1/txt.json")["properties"]))
    answered = {command["name"] for command in definitions.commands.values() if command["result"] and command["result"]["member"] == "d"}
    yield from pair("results of commands/", answered, "schema/v1/hub/data", files("hub/data"))
    for side, folder in (("client", "client"), ("hub", "hub")):
        sent = {entry["name"] for entry in definitions.entries("messages") if entry["from"] in (side, "both")}
        # The schema of `cmd` is written from the definitions.
        yield from pair("registries/messages.json", sent - {"cmd"}, f"schema/v1/{folder}", files(folder) - {"cmd"})
    validator = schema.Validator(schema.load(f"{PROTOCOL}/schema/v1") | {path[len("schema/v1/"):-5]: json.loads(text) for path, text in schemas.outputs(definitions).items()})
    for name, content in validator.schemas.items():
        yield from keywords(content, name)
        yield from unread(content, name, definitions.commands)
    yield from misplaced(validator)
    yield from invalid(validator)
