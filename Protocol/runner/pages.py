"""The pages of the specification: the chapters of Core and a page for each profile, and the rules that stand on them.

A rule is of the profile on whose page it stands.
"""

import fnmatch
import functools
import glob
import os
import re

from runner import files as stored
from runner.files import PROTOCOL, read, text as stored_text

MARK = re.compile(r"(?<!`)\[(BT-[A-Z]+-\d{3})\]")
SIDES = ("hub", "client")
# Who stands before the word that binds: the nearest is meant. Rows of tables that name nobody bind the hub.
BINDS = re.compile(r"\b(?:MUST|SHOULD|MAY)\b")
WHO = re.compile(r"\b(?:(hub|gateway)|(client|device|browser|listener))s?\b")
BOTH = re.compile(r"\b(?:hub and a client|both sides|neither side)\b")
# Rows of these tables bind the hub, and say also what a client does.
OF_BOTH = ("BT-ERR-", "BT-CLS-")
EXCEPTED = re.compile(r"but for (BT-[A-Z]+-\d{3}), which binds the (hub|client)\b")
# Tables from definitions whose rows are rules, by the word of their comment.
NAMED = {"commands": "CMD", "sections": "SEC", "errors": "ERR", "closes": "CLS"}
TABLE = re.compile(r"<!-- generated: (\w+)[^>]*-->\n(.*?)<!-- end -->", re.DOTALL)
ROW = re.compile(r"^\| `([^`]+)` \|(.*)\|$", re.MULTILINE)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files(pattern):
    """Paths below the folder of the protocol, sorted."""
    if stored.IS_ARCHIVE:
        return [path for path in stored.names(os.path.dirname(pattern), os.path.basename(pattern).lstrip("*")) if fnmatch.fnmatch(path, pattern)]
    return sorted(os.path.relpath(path, PROTOCOL) for path in glob.glob(f"{PROTOCOL}/{pattern}", recursive=True))


def is_page(path):
    """Whether a path is of a chapter of Core or of a page of a profile."""
    return path.startswith(("core/", "profiles/")) and not path.endswith(("README.md", "evidence.md"))


def level_of(path):
    return "core" if path.startswith("core/") else os.path.basename(path)[:-3]


def pages():
    """Chapters and pages, as path -> text."""
    return {path: stored_text(path) for path in files("core/*.md") + files("profiles/*.md") if is_page(path)}


def rules_in(text):
    """The rules of a page, each as often as it stands there, with its words: marks, and rows of tables that are named by their first column."""
    for block in blocks(text):
        before = 0
        for mark in MARK.finditer(block):
            yield mark[1], block[before:mark.start()].strip(" |")
            before = mark.end()
    for word, table in TABLE.findall(text):
        if word in NAMED:
            yield from ((f"BT-{NAMED[word]}-{name}", rest.strip()) for name, rest in ROW.findall(table))


def blocks(text):
    """Paragraphs, items of lists and rows of tables, without blocks of code."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for part in re.split(r"\n\s*\n|\n(?=[|#-])", plain):
        yield " ".join(part.split())


@functools.cache
def rules():
    """The profile of each rule."""
    return {rule: level_of(path) for path, text in pages().items() for rule, _ in rules_in(text)}


@functools.cache
def words():
    """The words of each rule."""
    return {rule: said for text in pages().values() for rule, said in rules_in(text)}


@functools.cache
def places():
    """The page and the heading of each rule, as in `core/4-state.md, State`."""
    found = {}
    for path, text in pages().items():
        heading = ""
        for line in text.split("\n"):
            heading = line.lstrip("# ") if re.match("#+ ", line) else heading
            found.update((rule, f"{path}, {heading}") for rule in MARK.findall(line))
    return found


def bound(words):
    """The sides that the words of a rule bind."""
    found, begin = set(), 0
    for verb in BINDS.finditer(words):
        before, begin = words[begin:verb.start()], verb.end()
        if BOTH.search(before):
            found |= set(SIDES)
        elif (named := WHO.findall(before)):
            found.add("hub" if named[-1][0] else "client")
    return found or {"hub"}


@functools.cache
def excepted():
    """Rules of a table that bind another side than the rest of it, as the sentence above it says."""
    return {rule: {side} for text in pages().values() for rule, side in EXCEPTED.findall(text)}


@functools.cache
def binding(side):
    """The rules that bind a side."""
    return {rule for rule, said in words().items() if rule.startswith(OF_BOTH) or side in excepted().get(rule, bound(said))}


@functools.cache
def profiles():
    """What `levels.json` says of each profile."""
    return read("levels.json")["profiles"]


def closure(profile):
    """A profile, those that it needs, and Core."""
    found, left = {"core"}, [profile]
    while left:
        name = left.pop()
        found.add(name)
        left += [one for one in profiles().get(name, {}).get("needs", ()) if one not in found]
    return found


def version(profile):
    return str(profiles()[profile]["version"])
