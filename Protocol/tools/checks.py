"""The checks of a command: conditions that join several of its parameters, each with the sentence of its fault.

A hub looks at them in their order, after it has read all parameters.
"""

from tools.parameters import shape_of

CONDITIONS = {"with": str, "without": str, "when": dict, "unless": dict}
DEMANDS = {"one": list, "all": list, "any": list, "none": list, "differ": list, "notBlank": str, "bytes": str}


def complaints(command, shapes):
    """What is wrong with the checks of a command."""
    for number, check in enumerate(command.get("checks", ())):
        yield from (f"checks[{number}] {sentence}" for sentence in wrong(check, command["parameters"], shapes))


def wrong(check, parameters, shapes):
    if "hand" in check:
        if set(check) != {"hand"} or not check["hand"].endswith("."):
            yield "has nothing beside hand, which is a sentence"
        return
    yield from (f"has a member {member}, which no check has" for member in sorted(set(check) - set(CONDITIONS) - set(DEMANDS) - {"at", "says"}))
    conditions, demands = set(CONDITIONS) & set(check), set(DEMANDS) & set(check)
    if len(conditions) > 1 or len(demands) != 1:
        yield f"has one of {', '.join(DEMANDS)}, and at most one of {', '.join(CONDITIONS)}"
        return
    for member in conditions | demands:
        if not isinstance(check[member], {**CONDITIONS, **DEMANDS}[member]):
            yield f"has {member} of another type"
            return
    if not check.get("says", "").endswith("."):
        yield "has no sentence says"
    names = [*named(check[demands.pop()]), *(name for condition in conditions for name in named(check[condition]))]
    for name in [*names, check.get("at")]:
        if name not in parameters:
            yield f"names {name}, which is no parameter"
            return
        # Nobody can tell whether a parameter with a default was there.
        if "default" in parameters[name]:
            yield f"names {name}, which has a default"
    if check["at"] not in names:
        yield f"is at {check['at']}, and not about it"
    for condition in conditions & {"when", "unless"}:
        yield from words(check[condition], parameters, shapes)
    if "bytes" in check and "x-maxBytes" not in parameters[check["bytes"]]:
        yield f"measures {check['bytes']}, which has no x-maxBytes"


def named(part):
    """The parameters that a condition or a demand names: one, several, or one with its values."""
    return [part] if isinstance(part, str) else list(part)


def words(condition, parameters, shapes):
    for name, values in condition.items():
        shape = parameters[name]
        known = shapes.get(shape_of(shape), shape).get("enum", ())
        yield from (f"asks whether {name} is {value}, which it cannot be" for value in values if value not in known)
