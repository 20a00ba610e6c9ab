"""Writes a list to tick for whoever builds a hub or a client: each rule that binds it, with its words and what judges it.

    python3 Protocol checklist                                   a hub of Core
    python3 Protocol checklist --of client --level core,network  a client that pairs
    python3 Protocol checklist --to FOLDER                       the lists of all profiles, for hubs and for clients, one file each

It is written from the pages and their evidence, and stands nowhere in git.
"""

import argparse
import os
import re
import sys

from runner import coverage, pages
from tools.markdown import anchor

JUDGES = {"hub": "scenario", "client": "client case"}
KINDS = {"CMD": "commands", "SEC": "sections", "ERR": "error codes", "CLS": "close codes"}
HEADING = re.compile(r"^(#{1,4}) (.+)$", re.MULTILINE)
SHOWN = 3


def sections(text):
    """The parts of a page, as (heading, text)."""
    # A line of code may look like a heading.
    prose = re.sub(r"^```.*?^```$", lambda block: " " * len(block[0]), text, flags=re.MULTILINE | re.DOTALL)
    places = [(match.start(), match[2]) for match in HEADING.finditer(prose)]
    for (start, heading), (end, _) in zip(places, [*places[1:], (len(text), "")]):
        yield heading, text[start:end]


def plain(words):
    """The words of a rule without links, and without the mark of another rule before them."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"^[-|\s]+|\[BT-[A-Z]+-\d{3}\]", "", words)).replace(" | ", "; ").strip()


def judged(rule, side, shown):
    names = sorted(name for kind, name in shown.get(rule, ()) if kind == JUDGES[side])
    vectors = sorted(name for kind, name in shown.get(rule, ()) if kind == "vectors")
    parts = [", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")] if names else []
    return " · ".join(parts + [f"vectors {', '.join(vectors)}"] if vectors else parts)


def of_page(path, text, side, shown, to):
    """The lines of one page."""
    for heading, part in sections(text):
        lines, rows = [], {}
        for rule, words in pages.rules_in(part):
            kind = KINDS.get(rule.split("-")[1]) if not rule[-3:].isdigit() or rule.split("-")[1] in ("CLS", "ERR") else None
            if kind and (side == "hub" or kind in ("close codes", "error codes")):
                rows.setdefault(kind, []).append(rule.split("-", 2)[2])
            elif not kind and rule in pages.binding(side):
                found = judged(rule, side, shown)
                lines.append(f"- [ ] `{rule}` {plain(words)}" + (f" — *{found}*" if found else ""))
        lines += [f"- [ ] {kind}: {' '.join(f'`{name}`' for name in names)}" for kind, names in rows.items()]
        if lines:
            yield from ("", f"### [{plain(heading)}]({os.path.relpath(path, to)}#{anchor(heading)})", "", *lines)


def checklist(side, levels, to=""):
    """The whole list. Its links lead from the folder `to` below that of the protocol."""
    shown, all_pages = coverage.evidence(), pages.pages()
    names = ", ".join(f"{level} {pages.version(level)}" for level in levels)
    lines = [f"# Checklist: a {side} of {names}", "",
             f"Written by `python3 Protocol checklist`. A {side} that ticks all of a level keeps it; the kit says whether it does."]
    if side == "client":
        lines += ["", "A client that sends no command leaves out chapters 5 and 6; a watch leaves out what is marked *not for a watch*."]
    for level in levels:
        lines += ["", f"## {level} {pages.version(level)}"]
        for path, text in all_pages.items():
            if pages.level_of(path) == level:
                lines += of_page(path, text, side, shown, to)
    return "\n".join(lines) + "\n"


def write(folder):
    """The lists of every profile, with those that it needs left to their own lists."""
    os.makedirs(folder, exist_ok=True)
    for level in pages.profiles():
        for side in pages.SIDES:
            with open(f"{folder}/{level}-{side}.md", "w", encoding="utf-8") as file:
                file.write(checklist(side, [level], "checklists"))


def main():
    parser = argparse.ArgumentParser(description="Writes a list to tick for whoever builds a hub or a client.")
    parser.add_argument("--of", choices=pages.SIDES, default="hub", help="whose list")
    parser.add_argument("--level", default="core", metavar="NAMES", help="profiles, separated by commas; those that they need come with them")
    parser.add_argument("--to", metavar="FOLDER", help="writes all lists, one file each")
    asked = parser.parse_args()
    if asked.to:
        return write(asked.to)
    unknown = set(asked.level.split(",")) - set(pages.profiles())
    if unknown:
        sys.exit(f"there is no profile {', '.join(sorted(unknown))}: there are {', '.join(pages.profiles())}")
    wanted = set().union(*map(pages.closure, asked.level.split(",")))
    print(checklist(asked.of, [level for level in pages.profiles() if level in wanted]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
