"""The schemas that follow from the definitions of commands: their parameters, and `cmd` itself."""

import json

from tools.definitions import forms, json_of, needs_key
from tools.parameters import OWN

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def written(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def placed(shape):
    """The same shape in a file two folders below the shared shapes."""
    if isinstance(shape, list):
        return [placed(item) for item in shape]
    if isinstance(shape, dict):
        return {name: f"../../{item}" if name == "$ref" else placed(item) for name, item in shape.items()}
    return shape


def parameters(command):
    """The schema of a command's parameters."""
    shapes = {name: {word: part for word, part in shape.items() if word not in OWN} for name, shape in command["parameters"].items()}

    def form(members, required):
        shape = {"type": "object", "properties": {name: placed(shapes[name]) for name in members}, "additionalProperties": False}
        return {**shape, "required": required} if required else shape

    about = command["about"][0].lower() + command["about"][1:].rstrip(".")
    rules = " ".join(command.get("rules", [f"BT-CMD-{command['name']}"]))
    head = {"$schema": DIALECT, "title": f"Parameters of {command['name']}: {about}", "$comment": rules}
    each = [form(*one) for one in forms(command)]
    return {**head, **each[0]} if len(each) == 1 else {**head, "anyOf": each}


def dispatch(command):
    """What the schema of `cmd` says for one method."""
    then = {"properties": {"p": {"$ref": f"command/{command['name']}.json"}}}
    required = (["k"] if needs_key(command) else []) + (["p"] if all(needed for _, needed in forms(command)) else [])
    if required:
        then["required"] = required
    if "keyedWith" in command:
        keyed = {"properties": {"p": {"required": [command["keyedWith"]]}}, "required": ["p"]}
        then |= {"if": keyed, "then": {"required": ["k"]}}
    return {"if": {"properties": {"m": {"const": command["name"]}}, "required": ["m"]}, "then": then}


def outputs(definitions):
    """Path below Protocol/ -> text."""
    found = {f"schema/v1/client/command/{command['name']}.json": written(parameters(command)) for command in definitions.commands.values()}
    # What holds for every command is written by hand.
    envelope = json_of("tools/cmd.json")
    found["schema/v1/client/cmd.json"] = written({**envelope, "allOf": [dispatch(command) for command in definitions.commands.values()]})
    return found
