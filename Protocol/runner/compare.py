"""Compares what two hubs said in the same scenarios, byte by byte.

    python3 Protocol compare before after --again another-before

Times, positions, identifiers made by chance and sentences are masked in the text of each frame. Nothing else is changed, so the order
of members and the spelling of numbers count. Compared are, for each connection of a scenario, the frames that came in their order, and
the answers to plain requests. `again` is another run of the first hub, and there may be several. What is as in any of them is equal.
Where they differ among themselves, chance decides, such as which of two changes is told first or which track a shuffle takes; there the
members that messages of a type have are compared, without their values. The code is 0 when nothing differs.
"""

import argparse
import collections
import difflib
import json
import os
import re
import sys

from runner import trace as traces
from runner.websocket import CLOSE, PING, PONG, TEXT

STRING, NUMBER = r'"(?:[^"\\]|\\.)*"', r"-?\d+(?:\.\d+)?"
# What is told in members of these names, and what stands in its place.
MEMBERS = [
    ("time", NUMBER, "t1 t2 t3 rx tx at atMs atUs sinceMs sinceUs idleSinceMs untilMs untilUs addedMs playedMs pairedMs seenMs expiresMs wallMs upMs afterMs "
                     "tookMs leftMs kernelMs mtime posMs bytes logBytes cacheBytes rss"),
    ("chance", STRING, "epoch boot sess url qr pin nonce mac key salt cursor ticket token run hub"),
    ("sentence", STRING, "msg say problem note detail hint unread unwatched"),
    ("sentence", r"\[[^\]]*\]", "problems notices"),
]
MASKS = [(re.compile(f'"({"|".join(names.split())})":(?:{value})'), rf'"\1":<{word}>') for word, value, names in MEMBERS]
# The rest is known by its form: folders and ports of a run, names made of a folder, passes for media, the line of a watch.
MASKS += [(re.compile(pattern), to) for pattern, to in [
    (r"/tmp/bt-[A-Za-z0-9_]+", "<folder>"), (r"127\.0\.0\.1:\d{4,5}", "<port>"), (r"lib:(\w+)/[0-9a-f]{16}", r"lib:\1/<hash>"),
    (r"/media/[A-Za-z0-9_-]+", "/media/<pass>"), (r'"hub":\{"id":"[\w-]+"', '"hub":{"id":<chance>'), (r'"l":\[\d+,\d+', '"l":[<time>,<time>'), (r"[0-9a-f]{16}-\d+", "<picture>")]]
HEADERS = ("date", "etag", "set-cookie", "sec-websocket-accept", "last-modified")


def masked(text):
    for pattern, to in MASKS:
        text = pattern.sub(to, text)
    return text


def frame(entry):
    """One frame of the hub: its masked text, and the text itself."""
    if entry.get("op") == TEXT and "text" in entry:
        return masked(entry["text"]), entry["text"]
    if entry.get("op") == CLOSE:
        return f"close {entry.get('hex', '')[:4]}", None
    # The head of a picture's frame, and its size.
    return f"op {entry.get('op')} size {entry.get('size')} {entry.get('hex', '')[:8]}", None


def answer(entry):
    """The answer to a plain request or to an upgrade."""
    headers = sorted(f"{name}: {value}" for name, value in entry.get("headers", {}).items() if name not in HEADERS and name != "content-length")
    said = f"{entry.get('method', 'GET')} {entry.get('path', '')} -> {entry['status']} {' | '.join(headers)} "
    return masked(said + entry.get("body", "")), entry.get("body")


def heard(path):
    """By connection, what the hub said. Pings and pongs are left out: they come when their time has come."""
    found = collections.defaultdict(list)
    for entry in traces.read(path):
        if entry["kind"] == "in" and entry.get("op") not in (PING, PONG):
            found[entry["conn"]].append(frame(entry))
        elif entry["kind"] == "do" and entry["verb"] in ("open", "http") and "status" in entry:
            found[f"answers {entry.get('conn', '')}".strip()].append(answer(entry))
        elif entry["kind"] == "end":
            found["end"].append((f"ended with {entry['code']}", None))
    return found


def members(frames):
    """Which members the messages of each type have, without their values: one text for each place of a member."""
    found = set()

    def walk(value, place):
        if isinstance(value, dict):
            for name, inner in value.items():
                walk(inner, f"{place}.{name}")
        elif isinstance(value, list):
            for inner in value:
                walk(inner, place + "[]")
        else:
            found.add(f"{place}: {type(value).__name__}")

    for said, text in frames:
        try:
            value = json.loads(text or "")
        except ValueError:
            found.add(said.split(" ", 1)[0])
            continue
        walk(value, str(value.get("t")) if isinstance(value, dict) else "")
    return found


def compare(befores, after):
    """What differs, a line each, and whether chance had a part in it."""
    lines, by_chance = [], False
    for conn in sorted({*after, *(conn for before in befores for conn in before)}):
        said = [[line for line, _ in side.get(conn, [])] for side in (*befores, after)]
        if said[-1] in said[:-1]:
            continue
        if all(one == said[0] for one in said[:-1]):
            lines += [f"{conn} {line}" for line in difflib.ndiff(said[0], said[-1]) if line[0] in "+-"]
            continue
        by_chance = True
        known = [members(before.get(conn, [])) for before in befores]
        new = members(after.get(conn, []))
        lines += [f"{conn} + {place}" for place in sorted(new - set.union(*known))]
        lines += [f"{conn} - {place}" for place in sorted(set.intersection(*known) - new)]
    return lines, by_chance


def main():
    parser = argparse.ArgumentParser(description="Compares what two hubs said in the same scenarios.")
    parser.add_argument("before", help="traces of the first hub")
    parser.add_argument("after", help="traces of the second hub")
    parser.add_argument("--again", action="append", default=[], metavar="FOLDER", help="traces of another run of the first hub; again for more")
    parser.add_argument("--width", type=int, default=400, help="so many characters of a line are shown")
    asked = parser.parse_args()
    folders = [asked.before, *asked.again, asked.after]
    names = [{name for name in os.listdir(folder) if name.endswith(".jsonl")} for folder in folders]
    counts = collections.Counter()
    for name in sorted(names[0] & names[-1]):
        try:
            runs = [heard(os.path.join(folder, name)) for folder, there in zip(folders, names) if name in there]
            lines, by_chance = compare(runs[:-1], runs[-1])
        except traces.NoTrace as error:
            lines, by_chance = [str(error)], False
        counts["differ" if lines else "chance" if by_chance else "equal"] += 1
        if lines:
            print(name.removesuffix(".jsonl"))
        for line in lines:
            print(f"  {line[:asked.width]}")
    missing = sorted(names[0] ^ names[-1])
    print(f"{counts['equal']} scenarios are byte-equal, {counts['chance']} differ by chance and have the same members, {counts['differ']} differ"
          + (f"; only one folder has {', '.join(missing)}" if missing else ""))
    return 1 if counts["differ"] or missing else 0


if __name__ == "__main__":
    sys.exit(main())
