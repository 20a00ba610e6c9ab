"""Lists every name of the protocol with its profile, as the definitions say it, and checks that none uses one that its profile does not have.

    python3 Protocol levels              fails with a sentence for each fault
    python3 Protocol levels --counts     prints how many names of each kind each profile has
    python3 Protocol levels --names      prints all names, one a line, as kind, name and profile
    python3 Protocol levels --of NAME    prints the names of one profile
    python3 Protocol levels --bare       prints the rules that no scenario, client case or vector shows, with their profile

A thing that has no `level` of its own has that of what it stands in: a parameter that of its command, a member that of its object.
A thing may use what is of its own profile, of those that this one needs, and of Core.
"""

import argparse
import json
import os
import re
import sys

from runner import clients, coverage, pages, run
from runner.pages import closure, files, read
from tools.uses import wrong_examples, wrong_vectors

SHOWN_BY = {"scenario", "client case", "vectors"}
# What a step asks for that is of a profile, though it sends no command.
VERBS = {"scanned": "library", "picture": "library", "device": "network", "pair": "network", "auth": "network", "rekey": "network", "tls": "network",
         "window": "network", "found": "network", "publish": "network"}
CITED = re.compile(r"\bBT-[A-Z]+-\d{3}\b")
REGISTRIES = (("section", "sections"), ("message", "messages"), ("capability", "capabilities"), ("error", "errors"), ("close", "closes"),
              ("frame", "frames"), ("txt", "txt"), ("kind", "kinds"), ("reason", "reasons"), ("view", "views"),
              ("why", "why"))


def stem(path):
    return os.path.basename(path).removesuffix(".json")


def members(schema, path, level):
    """The paths of all members that an object, or the objects in a list, can have, each with its profile and its schema."""
    for part in ("oneOf", "anyOf", "allOf"):
        for form in schema.get(part, []):
            yield from members(form, path, level)
    for name, value in schema.get("properties", {}).items():
        if isinstance(value, dict):
            own = value.get("level", level)
            yield f"{path}.{name}", own, value
            yield from members(value, f"{path}.{name}", own)
    items = schema.get("items")
    if isinstance(items, dict):
        yield from members(items, f"{path}[]", level)


def schemas(found):
    """kind -> the members of the schemas of that kind, as (name, profile, schema)."""
    for path in files("schema/v1/section/*.json"):
        yield from (("member", *one) for one in members(read(path), stem(path), found["section"].get(stem(path), "core")))
    for path in files("schema/v1/hub/*.json") + files("schema/v1/client/*.json"):
        # The schema of commands is written from their definitions, and is not in git.
        if path != "schema/v1/client/cmd.json":
            side = path.split("/")[2]
            yield from (("messageMember", *one) for one in members(read(path), f"{side}/{stem(path)}", found["message"].get(stem(path), "core")))
    for path in files("schema/v1/hub/data/*.json"):
        yield from (("answerMember", *one) for one in members(read(path), stem(path), found["command"].get(stem(path), "core")))
    for name, shape in read("schema/v1/common.json")["$defs"].items():
        level = shape.get("level", "core")
        yield "shape", name, level, {}
        yield from (("shapeMember", *one) for one in members(shape, name, level))


def cases():
    yield from (("scenario", case) for case in run.load())
    yield from (("clientCase", case) for case in clients.load())


def names():
    """kind -> name -> profile."""
    found = {kind: {entry["name"]: entry["level"] for entry in read(f"registries/{registry}.json")["entries"]} for kind, registry in REGISTRIES}
    found["command"], found["parameter"] = {}, {}
    for path in files("commands/*.json"):
        command = read(path)
        found["command"][command["name"]] = command["level"]
        found["parameter"] |= {f"{command['name']}.{name}": shape.get("level", command["level"]) for name, shape in command["parameters"].items()}
    for kind, name, level, _ in schemas(found):
        found.setdefault(kind, {})[name] = level
    found["rule"] = dict(sorted(pages.rules().items()))
    for kind, case in cases():
        found.setdefault(kind, {})[case["id"]] = case["level"]
    found["vector"] = {stem(path): read(path)["level"] for path in files("vectors/v1/*.json")}
    found["example"] = {stem(path): of_example(stem(path), found) for path in files("examples/*.json")}
    return found


def of_example(name, found):
    """The profile of an example: that of what its name says, or the one that `levels.json` gives."""
    given = read("levels.json")["examples"].get(name)
    if given:
        return given[0]
    side, _, rest = name.partition("-")
    if side == "section":
        return found["section"].get(rest.partition("-")[0], "core")
    kind, _, last = rest.partition("-")
    return found["command"].get(last.partition("-")[0], "core") if kind in ("cmd", "res") else found["message"].get(kind, "core")


def steps(value):
    """Commands in the steps of a scenario, as (name, parameters)."""
    if isinstance(value, list):
        for one in value:
            yield from steps(one)
    elif isinstance(value, dict):
        # A step of a scenario, or a message that it sends or posts.
        name = value.get("cmd", value.get("m") if value.get("t") == "cmd" else value.get("other"))
        if isinstance(name, str):
            yield name, value.get("p") if isinstance(value.get("p"), dict) else {}
        for one in value.values():
            yield from steps(one)


def verbs(some):
    """Verbs of the steps, also of those within others, that ask for something of a profile."""
    for step in some:
        yield from set(step) & set(VERBS)
        # In a case of a client `else` is a reason to skip it.
        yield from verbs([*step.get("steps", []), *(other if isinstance(other := step.get("else"), list) else ())])


def used(case, found):
    """The profiles whose commands, parameters and rules a case uses, each with one of them. Names that no definition has are looked for by it."""
    for rule in case["ids"]:
        yield found["rule"].get(rule, "core"), rule
    for name, parameters in steps(case.get("steps", [])):
        yield found["command"].get(name, "core"), name
        for each in parameters:
            yield found["parameter"].get(f"{name}.{each}", "core"), f"{name}.{each}"
    yield from ((VERBS[verb], verb) for verb in sorted(verbs(case.get("steps", []))))
    if case.get("tls"):
        yield "network", "TLS"
    if re.search('"lib:', json.dumps(case["steps"])):
        yield "library", "an item of it"


def wrong_cases(found):
    """Cases that use what is of a profile that they do not name."""
    for kind, case in cases():
        known = set().union(*(closure(level) for level in (case["level"], *case.get("with", ()))))
        beyond = {level: what for level, what in used(case, found) if level not in known}
        yield from (f"{kind} {case['id']} is of {case['level']}, and uses {what} of {level}: name it in with" for level, what in sorted(beyond.items()))
        needed = {level for level, _ in used(case, found)}
        # Of several cases that are made of one, not each uses all.
        for level in case.get("with", ()) if case.get("family", case["id"]) == case["id"] else ():
            if not needed - set().union(*(closure(one) for one in (case["level"], *case["with"]) if one != level)):
                yield f"{kind} {case['id']} names {level}, and uses nothing of it"


def references(shape):
    """The shapes of common.json that a schema uses itself, without those of its members."""
    for part in (shape, shape.get("items"), *shape.get("anyOf", ()), *shape.get("oneOf", ())):
        if isinstance(part, dict) and "#/$defs/" in part.get("$ref", ""):
            yield part["$ref"].rpartition("/")[2]


def wrong_uses(found):
    """Parameters, errors and members that use what their profile does not have."""
    for path in files("commands/*.json"):
        command = read(path)
        for name, shape in command["parameters"].items():
            level = shape.get("level", command["level"])
            if shape.get("level") == command["level"]:
                yield f"{path}: {name} says the level of its command"
            yield from (f"{path}: {name} is of {level}, and its shape {one} is of {found['shape'][one]}"
                        for one in references(shape) if found["shape"].get(one, "core") not in closure(level))
        for code, error in command["errors"].items():
            of = found["error"].get(code, "core")
            if error.get("level", of if of in closure(command["level"]) else None) != of or ("level" in error and of in closure(command["level"])):
                yield f"{path}: {code} is of {of}, and the command of {command['level']}: give it a level there, and nowhere else"
    for kind, name, level, shape in schemas(found):
        yield from (f"{kind} {name} is of {level}, and its shape {one} is of {found['shape'][one]}"
                    for one in references(shape) if found["shape"].get(one, "core") not in closure(level))


def wrong_pages(found):
    """Rules that stand on two pages or on none, are gone, or are cited where their profile is not needed; rows of another profile."""
    stands, gone = {}, read("levels.json")["gone"]
    for path, text in pages.pages().items():
        level = pages.level_of(path)
        if level not in pages.profiles():
            yield f"{path} is the page of no profile"
            continue
        own = [rule for rule, _ in pages.rules_in(text)]
        for rule in own:
            stands.setdefault(rule, []).append(path)
        for rule in sorted(set(CITED.findall(text)) - set(own)):
            if found["rule"].get(rule) not in closure(level) and f"With `{found['rule'].get(rule)}`" not in text:
                yield f"{path} cites {rule}, which is of {found['rule'].get(rule, 'no profile')}"
    for rule, some in stands.items():
        if len(some) > 1:
            yield f"{rule} stands on {len(some)} pages ({', '.join(some)})"
        if rule in gone:
            yield f"{rule} is gone, and stands in {some[0]}"
    for kind, word in (("command", "CMD"), ("section", "SEC"), ("error", "ERR"), ("close", "CLS")):
        for name, level in found[kind].items():
            rule = f"BT-{word}-{name}"
            if found["rule"].get(rule) != level:
                yield f"{rule} stands on {'no page' if rule not in stands else stands[rule][0]}; it is of {level}"
    for name in set(pages.profiles()) - {"core"}:
        if not os.path.exists(f"{pages.PROTOCOL}/profiles/{name}.md"):
            yield f"profile {name} has no page"


def wrong_retired(found):
    """Retired names that something has."""
    for kind, some in read("registries/retired.json")["names"].items():
        yield from (f"{kind} {name} is retired, and has a definition" for name in some if name in found.get(kind, ()))


def complaints(found):
    known = set(pages.profiles())
    for kind, some in found.items():
        yield from (f"{kind} {name} is of “{level}”, which is no profile" for name, level in some.items() if level not in known)
    codes = [one["code"] for name, one in pages.profiles().items() if name != "core"]
    if len(set(codes)) != len(codes):
        yield "two profiles have one code"
    yield from (f"levels.json: there is no example {name}" for name in read("levels.json")["examples"] if name not in found["example"])
    for check in (wrong_pages, wrong_uses, wrong_cases, wrong_examples, wrong_vectors, wrong_retired):
        yield from check(found)


def counts(found):
    order, kinds = ["core", *sorted(set(pages.profiles()) - {"core"})], list(found)
    rows = [["", *kinds]]
    for profile in order:
        rows.append([profile, *(str(sum(1 for of in found[kind].values() if of == profile)) for kind in kinds)])
    rows.append(["all", *(str(len(found[kind])) for kind in kinds)])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths)))
                     for row in rows)


def bare(found):
    """Rules that nothing shows which can be run against a hub or a client, as (profile, rule, what shows it instead)."""
    shown = coverage.evidence()
    for rule, profile in sorted(found["rule"].items(), key=lambda pair: (pair[1], pair[0])):
        kinds = {kind for kind, _ in shown.get(rule, ())}
        if not kinds & SHOWN_BY:
            yield profile, rule, ", ".join(sorted(kinds)) or "nothing"


def main():
    parser = argparse.ArgumentParser(description="Lists every name of the protocol with its profile, and checks that none uses what its profile does not have.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--counts", action="store_true", help="how many names of each kind each profile has")
    choice.add_argument("--names", action="store_true", help="all names, one a line")
    choice.add_argument("--of", metavar="NAME", help="the names of one profile")
    choice.add_argument("--bare", action="store_true", help="rules that no scenario, client case or vector shows")
    chosen = parser.parse_args()
    try:
        found = names()
    except (KeyError, json.JSONDecodeError) as error:
        print(f"levels.py: a definition has no {error}")
        return 1
    if chosen.names:
        print("\n".join(f"{kind} {name} {level}" for kind, some in found.items() for name, level in some.items()))
    elif chosen.counts:
        print(counts(found))
    elif chosen.of:
        print("\n".join(f"{kind} {name}" for kind, some in found.items() for name, of in some.items() if of == chosen.of))
    elif chosen.bare:
        print("\n".join("  ".join(row) for row in bare(found)))
    else:
        wrong = list(complaints(found))
        print("\n".join(wrong) or f"{sum(map(len, found.values()))} names, each with its profile")
        return bool(wrong)
    return 0


if __name__ == "__main__":
    sys.exit(main())
