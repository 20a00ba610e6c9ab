#!/usr/bin/python3
"""Counts the lines that say again what the definitions in Protocol/ say: commands, answers, sections, messages, their codecs, and the handlers.

One rule for before and after: each Swift file is of the first group whose pattern is found in its path. JSON itself and the limits are of no group.
What a plugin writes into the build is not in git, and does not count; the program that writes it does."""

import collections
import os
import re
import sys

GROUPS = {
    "ParameterCoder and CommandRequest": r"BatonProtocol/Commands/(ParameterCoder|ParameterDescription|CommandRequest)\.swift",
    "contents of answers": r"/(CommandAnswer|ReplyData|ReplyContent)(\+Wire)?\.swift",
    "lists of commands": r"BatonProtocol/Commands/(CommandTable|CommandRow|CommandVisitor)\.swift",
    "requests": r"BatonProtocol/Commands/(.*/)?[A-Za-z]*Request(\+\w+)?\.swift",
    "typed commands": r"BatonProtocol/Commands/",
    "codecs of commands": r"BatonWire/Commands/",
    "answers": r"BatonProtocol/Answers/",
    "codecs of answers": r"BatonWire/Answers/",
    "sections": r"BatonProtocol/Sections/",
    "codecs of sections": r"BatonWire/Sections/",
    "messages and their codecs": r"Baton(Protocol|Wire)/Messages/",
    "generator": r"Sources/Wire/(ProtocolWriter|WriteProtocol)/",
    "handlers": r"Sources/(Assembly|Kernel|Features)/.*(/Commands/|/Door/|Commands(\+\w+)?\.swift$|/StationPastService\.swift$)",
}


def group_of(path):
    return next((name for name, pattern in GROUPS.items() if re.search(pattern, path)), None)


def count(root):
    """By group: files and lines."""
    files, lines = collections.Counter(), collections.Counter()
    for place, _, names in os.walk(os.path.join(root, "Sources")):
        for name in names:
            path = os.path.relpath(os.path.join(place, name), root)
            group = group_of(path) if name.endswith(".swift") else None
            if group:
                files[group] += 1
                with open(os.path.join(root, path), "rb") as file:
                    lines[group] += sum(1 for _ in file)
    return files, lines


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    files, lines = count(root)
    for name in GROUPS:
        print(f"{files[name]:5} files {lines[name]:7,} lines  {name}")
    print(f"{sum(files.values()):5} files {sum(lines.values()):7,} lines  in all")


if __name__ == "__main__":
    main()
