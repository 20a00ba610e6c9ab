"""Package.swift: which folders a folder of Swift tests judges, namely those of the targets that it depends on."""

import os
import re

PATH = "Package.swift"
# What a plugin reads is judged by the tests of all that is compiled behind it.
READ = {"WriteProtocol": ("Protocol/commands", "Protocol/registries/commands.json", "Protocol/schema/v1")}
TARGET = re.compile(r"\.(?:target|testTarget|executableTarget|systemLibrary|plugin)\(")


def inside(text, start):
    """The text up to the bracket that closes the one before `start`."""
    depth, end = 1, start
    while depth and end < len(text):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start:end]


def read():
    """The targets by name: the path of each, and the names that it depends on."""
    if not os.path.exists(PATH):
        return {}
    with open(PATH, encoding="utf-8") as file:
        text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.M)
    found = {}
    for begin in TARGET.finditer(text):
        target = inside(text, begin.end())
        name, path = (re.search(rf'\b{word}: "([^"]+)"', target) for word in ("name", "path"))
        lists = re.findall(r"\b(?:dependencies|plugins): \[([^\]]*)\]", target)
        if name:
            found[name[1]] = (path[1] if path else f"Tests/{name[1]}", re.findall(r'"([^"]+)"', " ".join(lists)))
    return found


def judged(name, targets):
    """The paths of all targets that a folder of tests depends on. One below Tests is a tool there, so those behind it do not count."""
    paths, seen, waiting = set(), set(), list(targets[name][1]) if name in targets else []
    while waiting:
        one = waiting.pop()
        if one in seen or one not in targets:
            continue
        seen.add(one)
        path, behind = targets[one]
        paths |= {path, *READ.get(one, ())}
        if not path.startswith("Tests/"):
            waiting += behind
    return paths
