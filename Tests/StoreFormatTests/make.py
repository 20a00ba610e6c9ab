#!/usr/bin/python3
"""Writes the files of each store in every format that it ever had: Formats/STORE.sql, from the history of the repository.

    make.py

A format is what the code of its time wrote. So each step of a schema is taken from the commit that settled it, and not from
today's sources: a step may have been edited while its series was in work, before any release had it. Below the
steps of a format stand rows of samples.py that belong into the tables it brought. It needs the whole history.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from samples import SAMPLES  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../.."))
PLATFORM = "Sources/Platform"
# Store: the name of its list of steps, and the files that may hold a step.
STORES = {
    "StateStore": "state", "LibraryStore": "library", "SourceStore": "sources", "JobStore": "jobs", "KeptStore": "kept", "UserStore": "users",
    "DialectStore": "dialects",
}


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True).stdout


def sources(store, commit):
    """The text of all files with a part of the schema, as they were."""
    names = git("ls-tree", "-r", "--name-only", commit, *folders(store)).split("\n")
    return "\n".join(git("show", f"{commit}:{name}") for name in names if "Schema" in name)


def folders(store):
    """Where a store stands now, and where it stood before all stores had one folder."""
    return [f"{PLATFORM}/Stores/{store}", f"{PLATFORM}/{store}"]


def steps(text, name):
    """The steps of a schema: [(name, SQL before, SQL after)]; none where the text has no such list."""
    found = re.search(rf"static let {name} = Schema\(steps: \[(.*?)\]\)", text, re.S)
    if not found:
        return []
    listed = [word for word in re.split(r"[\s,]+", re.sub(r"//.*", "", found.group(1))) if word]
    return [(word, *body(text, word)) for word in listed]


def body(text, name):
    start = re.search(rf"static let {name}(: \w+)? = (Schema\.)?Step\(", text)
    if not start:
        raise SystemExit(f"there is no step {name}")
    rest = text[start.end():]
    following = re.search(r"\n    (?:private |fileprivate )?static |\n}", rest)
    rest = rest[:following.start()] if following else rest
    return sql(rest, "before"), sql(rest, "after")


def sql(text, part):
    whole = re.search(rf"{part}: \"\"\"\n(.*?)\n( *)\"\"\"", text, re.S)
    if whole:
        margin = len(whole.group(2))
        return "\n".join(line[margin:] for line in whole.group(1).split("\n"))
    short = re.search(rf"{part}: \"((?:[^\"\\]|\\.)*)\"", text)
    return short.group(1) if short else ""


def formats(store):
    """Each format of a store: [(commit, step)]."""
    name, found = STORES[store], []
    for commit in reversed(git("log", "--first-parent", "--format=%h", "--abbrev=8", "--", *folders(store)).split()):
        now = steps(sources(store, commit), name)
        for place in range(len(found), len(now)):
            found.append((commit, now[place]))
        for place, step in enumerate(now):
            if plain(step) != plain(found[place][1]):
                found[place] = (commit, step)
    return found


def plain(step):
    """A step without its name, its comments and its spaces."""
    return [re.sub(r"\s+", " ", re.sub(r"--[^\n]*", "", part)).strip() for part in step[1:]]


def text_of(store):
    lines = [f"-- {store} in each format that it ever had, written by make.py. A file of format N is made by all sections up to N."]
    for number, (commit, (name, before, after)) in enumerate(formats(store), 1):
        samples = SAMPLES.get(store, {})
        lines += [f"-- format {number}: {name} ({commit})", before, samples.get((number, "step"), ""), after, samples.get(number, "")]
    return "\n".join(line.rstrip() for line in "\n".join(part for part in lines if part).split("\n")) + "\n"


def main():
    os.makedirs(f"{HERE}/Formats", exist_ok=True)
    for store in STORES:
        with open(f"{HERE}/Formats/{store}.sql", "w", encoding="utf-8") as file:
            file.write(text_of(store))


if __name__ == "__main__":
    main()
