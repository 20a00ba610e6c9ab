"""The scenarios: those of a folder, and those that vectors are made into."""

import difflib

from runner import files, spoken
from runner.cases import judge
from runner.failing import Mistyped

__all__ = ["chosen", "judge", "load"]


def load(folder=None):
    """The scenarios of a folder, each a list in a file, with the file's name on each; those of the protocol unless one is named."""
    here = folder in (None, f"{files.PROTOCOL}/scenarios")
    place, under = (files.PROTOCOL, "scenarios") if here else (folder, ".")
    found = []
    for path in files.names(under, folder=place):
        name = path.rpartition("/")[2]
        if name != "clients.json":
            found += [{**scenario, "file": name} for scenario in files.read(path, place)]
    if here:
        found += spoken.scenarios()
    names = [scenario["id"] for scenario in found]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise SystemExit(f"two scenarios have one id: {', '.join(sorted(doubled))}")
    return found


def chosen(scenarios, only, what="scenario"):
    """Those with a word of `only` in their name, or that show a rule of it; by =NAME one alone. A word that finds nothing is a mistake."""
    for word in only or ():
        if not any(is_meant(one, word) for one in scenarios):
            raise Mistyped(f"no {what} here is named {word.removeprefix('=')}, or shows a rule of that name{near(scenarios, word.removeprefix('='))}")
    return [one for one in scenarios if any(is_meant(one, word) for word in only)] if only else scenarios


def is_meant(scenario, word):
    return word == "=" + scenario["id"] or word in scenario["id"] or word in scenario["ids"]


def near(scenarios, word):
    """Names that look like it, for people."""
    names = {one["id"] for one in scenarios} | {rule for one in scenarios for rule in one["ids"]}
    found = difflib.get_close_matches(word, sorted(names), 4, 0.5) or difflib.get_close_matches(word.upper(), sorted(names), 4, 0.5)
    return f"; near it: {', '.join(found)}" if found else "; --list says which there are"
