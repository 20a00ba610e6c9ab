"""The parameters of a command: what a definition says of them beside their schemas, for programs that are generated."""

import re

# Bounds that a hub's configuration may change (chapter 9), with their defaults.
LIMITS = {"queueLength": 10_000, "queueWindow": 100, "queueAdd": 500, "playlistLength": 10_000, "playlistOps": 100, "elements": 1000}
# Parameters that are one value together, in this order.
GROUPS = {
    "page": ["from", "limit", "cursor"],
    "place": ["at", "else"],
    "anchor": ["after", "else"],
    "login": ["user", "password", "apiKey", "code"],
    "cell": ["layer", "scene", "session"],
}
# Members of a parameter that are no keywords of JSON Schema; the schemas are written without them.
OWN = {"level", "called", "limit", "below", "absent"}
# The pattern of letters, digits, `-` and `_`. Texts with other patterns are shared shapes.
TOKENS = re.compile(r"\^\[A-Za-z0-9_-\]\{(\d+),(\d+)\}\$")
KEYWORDS = {
    "title", "$ref", "$comment", "default", "type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "x-maxBytes", "pattern", "items",
    "minItems", "maxItems",
}


def shape_of(shape):
    """The name of the shared shape that a parameter has, or each element of its list; nothing where it has none."""
    return shape.get("items", shape).get("$ref", "").rpartition("/")[2]


def complaints(command, shapes):
    """What is wrong with the parameters of a command."""
    parameters = command["parameters"]
    for name, shape in parameters.items():
        yield from (f"{name} has a member {member}, which no parameter has" for member in sorted(set(shape) - KEYWORDS - OWN))
        if not shape.get("title", "").endswith("."):
            yield f"{name} has no sentence as its title"
        if "$ref" in shape and shape_of(shape) not in shapes:
            yield f"{name} refers to {shape['$ref']}, which does not exist"
        if shape.get("type") == "string" and not (TOKENS.fullmatch(shape.get("pattern", "")) or {"minLength", "x-maxBytes"} <= set(shape)):
            yield f"{name} is text, and has neither minLength and x-maxBytes nor the pattern of tokens"
        yield from called(name, parameters)
        yield from limited(name, shape)
        if "absent" in shape and ("default" in shape or name in command.get("required", ())):
            yield f"{name} has absent, and is required or has a default"
    yield from grouped(command.get("groups", {}), list(parameters))


def called(name, parameters):
    """What is wrong with the word that programs use for a parameter."""
    word = parameters[name].get("called", name)
    others = [other for other in parameters if other != name and word in (other, parameters[other].get("called"))]
    if "called" in parameters[name] and (word == name or not re.fullmatch(r"[a-z][A-Za-z0-9]+", word)):
        yield f"{name} is called {word}, which is no other word that begins with a small letter"
    if len(word) < 2:
        yield f"{name} is one letter, and has no called"
    yield from (f"{name} is called {word}, and so is {other}" for other in others)


def limited(name, shape):
    """What is wrong with the limit that bounds a parameter."""
    if "limit" in shape and "below" in shape:
        yield f"{name} has both limit and below"
    for member in {"limit", "below"} & set(shape):
        bound = LIMITS.get(shape[member])
        most = shape.get("maximum", shape.get("maxItems"))
        if bound is None:
            yield f"{member} of {name} is {shape[member]}; there are {', '.join(LIMITS)}"
        elif most not in (None, bound - (member == "below")):
            yield f"{name} ends at {most}, and {shape[member]} is {bound}"


def grouped(groups, names):
    """What is wrong with the groups; parameters of a group stand behind each other."""
    for group, members in GROUPS.items():
        begin = names.index(members[0]) if set(members) <= set(names) else None
        if groups.get(group) != (members if begin is not None else None):
            yield f"groups must {'' if begin is not None else 'not '}have {group}: {', '.join(members)}"
        elif begin is not None and names[begin:begin + len(members)] != members:
            yield f"the parameters of {group} must be in this order, with none between: {', '.join(members)}"
    yield from (f"there is no group {group}" for group in sorted(set(groups) - set(GROUPS)))
