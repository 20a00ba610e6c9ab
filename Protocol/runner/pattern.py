"""Patterns: JSON that other JSON is compared with.

An object in a pattern is open: members it does not name may be there. Two forms are special. A string
`"$name"` stands for a value that was saved before. An object whose only member begins with `~` is a
question, from the table below.
"""

import json
import re

MISSING = object()
NAMED = re.compile(r"\$\{([^}]*)\}")


def pointer(value, path):
    """The part of a value that a JSON pointer names, or MISSING."""
    for step in path.split("/")[1:] if path else []:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
    return value


def fill(value, variables):
    """The value with `$name` replaced; `"$$text"` stands for text that begins with a dollar."""
    if isinstance(value, str):
        if value.startswith("$$"):
            return value[1:]
        if value.startswith("$") and value[1:] in variables:
            return variables[value[1:]]
        whole = NAMED.fullmatch(value)
        if whole and whole.group(1) in variables:
            return variables[whole.group(1)]
        return NAMED.sub(lambda found: str(variables.get(found.group(1), found.group(0))), value)
    if isinstance(value, list):
        return [fill(item, variables) for item in value]
    if isinstance(value, dict):
        if set(value) == {"~plus"}:
            return sum(fill(value["~plus"], variables))
        if set(value) == {"~refilled"}:
            first_us, last_us, a_second = fill(value["~refilled"], variables)
            return -(-(last_us - first_us) * a_second // 1_000_000)
        if set(value) == {"~item"}:
            items, index = fill(value["~item"], variables)
            return items[index]
        if set(value) == {"~merged"}:
            return {name: item for part in fill(value["~merged"], variables) for name, item in part.items()}
        if set(value) == {"~text"}:
            text, times = fill(value["~text"], variables)
            return text * times
        if set(value) == {"~list"}:
            item, times = fill(value["~list"], variables)
            return [item] * times
        if set(value) == {"~nest"}:
            nested = 1
            for _ in range(fill(value["~nest"], variables)):
                nested = [nested]
            return nested
        return {fill(name, variables): fill(item, variables) for name, item in value.items()}
    return value


def kind(value):
    if isinstance(value, bool):
        return "boolean"
    return {int: "integer", float: "number", str: "string", list: "array", dict: "object", type(None): "null"}[type(value)]


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


QUESTIONS = {
    "~any": lambda value, _: value is not MISSING,
    "~absent": lambda value, wish: (value is MISSING) == wish,
    "~type": lambda value, wish: value is not MISSING and kind(value) == wish,
    "~ge": lambda value, wish: number(value) and value >= wish,
    "~gt": lambda value, wish: number(value) and value > wish,
    "~le": lambda value, wish: number(value) and value <= wish,
    "~lt": lambda value, wish: number(value) and value < wish,
    "~not": lambda value, wish: value is not MISSING and not matches(wish, value),
    "~or": lambda value, wish: any(matches(one, value) for one in wish),
    "~and": lambda value, wish: all(matches(one, value) for one in wish),
    "~exact": lambda value, wish: value is not MISSING and json.dumps(value, sort_keys=True) == json.dumps(wish, sort_keys=True),
    "~len": lambda value, wish: isinstance(value, (list, str, dict)) and matches(wish, len(value)),
    "~some": lambda value, wish: isinstance(value, list) and any(matches(wish, item) for item in value),
    "~every": lambda value, wish: isinstance(value, list) and all(matches(wish, item) for item in value),
    "~names": lambda value, wish: isinstance(value, dict) and set(value) <= set(wish),
    "~contains": lambda value, wish: isinstance(value, str) and wish in value,
    "~bytes": lambda value, wish: isinstance(value, str) and matches(wish, len(value.encode())),
}


def matches(pattern, value):
    if isinstance(pattern, dict):
        if len(pattern) == 1 and next(iter(pattern)) in QUESTIONS:
            name, wish = next(iter(pattern.items()))
            return QUESTIONS[name](value, wish)
        return isinstance(value, dict) and all(matches(wish, value.get(name, MISSING)) for name, wish in pattern.items())
    if isinstance(pattern, list):
        return isinstance(value, list) and len(value) == len(pattern) and all(map(matches, pattern, value))
    if isinstance(pattern, bool) or isinstance(value, bool):
        return pattern is value
    return value is not MISSING and pattern == value
