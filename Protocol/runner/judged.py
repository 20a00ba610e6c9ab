"""Rules that every client must obey, judged from what a proxy saw it say.

Each takes the trace of a proxy (proxy.py --trace), line by line of a client's connections, and yields
complaints; its ids are the specification's.
"""

import json
import re

from runner.registered import STOP, WAITS
from runner.schema import NotJSON, Validator, strict
from runner.websocket import CLOSE

VALIDATOR = Validator()
IDS = re.compile(r"BT-[A-Z]+-[A-Za-z0-9_.]+")


class Line:
    """One connection of a client, as the proxy saw it."""

    def __init__(self, number, entries):
        self.number, self.entries = number, entries
        self.began, self.ended = entries[0]["us"], entries[-1]["us"]
        self.said = [(e, parse(e)) for e in entries if e["side"] == "client" and "text" in e]
        self.heard = [(e, parse(e)) for e in entries if e["side"] == "hub" and "text" in e and e["fate"] == "passed"]
        # A close frame of the client's own, and the hub's answer to it, say nothing of what the hub wants.
        told = next((e for e in entries if "code" in e or e.get("op") == CLOSE), None)
        self.closed = told.get("code") if told and told["side"] == "hub" else None
        if told:
            self.ended = told["us"]

    def first(self, kind, messages):
        return next((m for _, m in messages if m and m.get("t") == kind), None)


def parse(entry):
    try:
        value = strict(entry["text"])
        return value if isinstance(value, dict) else None
    except NotJSON:
        return None


def lines(path):
    with open(path, encoding="utf-8") as file:
        entries = [json.loads(text) for text in file]
    numbers = sorted({entry["line"] for entry in entries})
    return [Line(number, [e for e in entries if e["line"] == number]) for number in numbers]


def shapes(found):
    """BT-TRN-003 BT-CMD-004 BT-RTY-001 BT-HS-001"""
    for line in found:
        for index, (entry, value) in enumerate(line.said):
            if value is None:
                yield f"this is no message: {entry['text'][:80]}"
                continue
            if (value.get("t") == "hello") != (index == 0):
                yield f"{value.get('t')} came where {'hello' if index == 0 else 'no hello'} belongs"
            name = f"client/{value.get('t')}"
            if name not in VALIDATOR.schemas:
                yield f"there is no schema for {entry['text'][:80]}"
                continue
            yield from (f"{value['t']}: {complaint}" for complaint in VALIDATOR.complaints(name, value))


def waits(found):
    """BT-HS-017 BT-HS-022"""
    for line in found:
        greeted = next((e["us"] for e, v in line.heard if v and v.get("t") == "welcome"), line.ended + 1)
        may_be_said = ("hello", "auth", "pair", "bye") if line.first("challenge", line.heard) else ("hello", "bye")
        for entry, value in line.said:
            if value and value.get("t") not in may_be_said and entry["us"] < greeted:
                yield f"{value.get('t')} was sent before welcome came"


def upgrades(found):
    """BT-TRN-025"""
    answered = [(line, line.entries[0]["status"], line.entries[0].get("wait", 0)) for line in found if "status" in line.entries[0]]
    for line, status, wait in answered:
        later = [other for other in found if other.began > line.began]
        if later and status in (400, 403, 404):
            yield f"the client came back unchanged after HTTP {status}"
        elif later and later[0].began - line.began < wait * 1_000_000:
            yield f"the client came back {(later[0].began - line.began) / 1e6:.1f} s after HTTP {status}, and {wait} s were asked for"


def numbers(found):
    """BT-ENV-001"""
    for line in found:
        ids = [value["id"] for _, value in line.said if value and value.get("t") in ("cmd", "sub")]
        if ids != sorted(set(ids)):
            yield f"the ids of connection {line.number} do not grow: {ids}"


def keys(found):
    """BT-RTY-003 BT-RTY-007"""
    used, done = {}, set()
    for line in found:
        asked = {}
        for entry, value in sorted(line.said + line.heard, key=lambda pair: pair[0]["us"]):
            if not value:
                continue
            if value.get("t") == "cmd" and entry["side"] == "client":
                asked[value["id"]] = value
                if "k" not in value:
                    continue
                essence = json.dumps([value["m"], value.get("room"), value.get("p") or {}], sort_keys=True)
                if value["k"] in done:
                    yield f"key {value['k']} was sent again after it was answered"
                if used.setdefault(value["k"], (essence, entry["us"]))[0] != essence:
                    yield f"key {value['k']} was used for two commands"
                if entry["us"] - used[value["k"]][1] > value.get("ttl", 5000) * 1000 + 200_000:
                    yield f"key {value['k']} was sent again {(entry['us'] - used[value['k']][1]) // 1000} ms after the press"
            elif value.get("t") == "res" and "k" in asked.get(value["id"], {}):
                done.add(asked[value["id"]]["k"])


def gaps(found):
    """BT-STA-006 BT-STA-007"""
    for line in found:
        hello = line.first("hello", line.said) or {}
        rev = (hello.get("resume") or {}).get("rev")
        for entry, value in line.heard:
            if not value or value.get("t") not in ("state", "res") or "s" not in value:
                continue
            if value.get("full"):
                rev = value["rev"]
            elif value.get("from") != rev:
                after = [v for e, v in line.said if v and v["t"] == "sync" and 0 < e["us"] - entry["us"] < 2_000_000]
                if not after and line.ended - entry["us"] > 2_000_000:
                    yield f"a frame was missing before revision {value['rev']}, and no sync was sent"
                rev = value["rev"] if after else rev
            else:
                rev = value["rev"]


def clocks(found):
    """BT-CLK-005 BT-CLK-007"""
    for line in found:
        shown = next((e["us"] for e, v in line.heard if v and v.get("t") == "state"), line.ended)
        if line.ended - shown > 2_500_000:
            asked = [e for e, v in line.said if v and v["t"] == "time" and e["us"] - line.began < 5_000_000]
            if not asked:
                yield f"connection {line.number} never asked for the clock"
            if len(asked) > 12:
                yield f"connection {line.number} asked for the clock {len(asked)} times in its first 5 s"


def wheels(found):
    """BT-PRO-008"""
    for line in found:
        most = 8 if (line.first("hello", line.said) or {}).get("view") == "watch" else 15
        times = [e["us"] for e, v in line.said if v and v["t"] == "cmd" and v["m"] in ("vol.set", "vol.step")]
        for index in range(len(times) - most):
            if times[index + most] - times[index] < 950_000:
                yield f"{most + 1} changes of volume within {(times[index + most] - times[index]) // 1000} ms"
                break


def sizes(found):
    """BT-PRO-004"""
    for line in found:
        if (line.first("hello", line.said) or {}).get("view") != "watch":
            continue
        for entry, value in line.said:
            if value and value["t"] == "cmd" and "uris" not in value.get("p", {}) and len(entry["text"].encode()) > 96 and "ct" not in value:
                yield f"a command of {len(entry['text'].encode())} bytes, and 96 are the budget: {entry['text']}"


def returns(found):
    """BT-STA-011 BT-HS-003 BT-CLS-1012 BT-CLS-1013 BT-CLS-4409 BT-CLS-4430 BT-CLS-4429 BT-STA-018 BT-PRN-004"""
    client = None
    for before, after in zip(found, found[1:]):
        # Without a listener a connection may end before the first message.
        client = (before.first("hello", before.said) or {}).get("client", {}).get("id") or client
        if after.entries[0]["fate"] == "fresh":
            client = None
            continue
        # What the hub says on a connection after the client has come back on another one reaches nobody.
        pause = (after.began - before.ended) / 1e6
        closed = before.closed if pause >= 0 else None
        if closed in STOP:
            yield f"the client came back after {closed}"
        if closed in WAITS and pause < WAITS[closed]:
            yield f"the client came back {pause:.1f} s after {closed}"
        hello, offered = after.first("hello", after.said), None
        if hello:
            offered = hello.get("resume")
            if client not in (None, hello.get("client", {}).get("id")):
                yield "the client came back under another id"
        states = [v for _, v in before.heard if v and v.get("t") in ("state", "res") and "s" in v]
        welcome = before.first("welcome", before.heard)
        if offered and states and welcome and (offered["epoch"] != welcome["epoch"] or offered["rev"] > states[-1]["rev"]):
            yield f"the client offers {offered}, which is not what it held"
        # A copy that was never made whole, though it was asked for three times, is worth nothing.
        asked = [v for _, v in before.said if v and v.get("t") == "sync"]
        if states and hello and not offered and len(asked) < 3:
            yield "the client held a copy and did not offer it"


RULES = [shapes, waits, upgrades, numbers, keys, gaps, clocks, wheels, sizes, returns]


def ids():
    return {rule.__name__: [name for name in IDS.findall(rule.__doc__)] for rule in RULES}


def complaints(path):
    try:
        found = lines(path)
    except (OSError, ValueError, IndexError) as error:
        return [f"no evidence: {error}"]
    if not any(line.said for line in found):
        return ["no evidence: the client said nothing"]
    return [f"{rule.__name__}: {sentence}" for rule in RULES for sentence in rule(found)]
