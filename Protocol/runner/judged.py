"""Rules that every client must obey, judged from what a proxy saw it say.

Each takes the trace of a proxy (proxy.py --trace), line by line of a client's connections, and yields
complaints; its ids are the specification's.
"""

import json
import math
import re

from runner.registered import STOP, WAITS
from runner.schema import NotJSON, Validator, strict
from runner.websocket import CLOSE

VALIDATOR = Validator()
IDS = re.compile(r"BT-[A-Z]+-[A-Za-z0-9_.]+")
# The most of each wait, in seconds, and how long a connection lasts after which they begin anew.
BACKOFF, STABLE_S = (0.25, 0.5, 1, 2, 4, 8, 15, 30), 10
# A client whose waits are as short as this by chance is one of a million.
CHANCE = 1e-6
# Refusals that put a command off, where they say for how long.
PUT_OFF = ("rate_limited", "busy")


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
        # The first sign of the end: what one side has said may pass for a while after the other side has gone.
        self.over = min([self.ended, *(e["us"] for e in entries if e["fate"] == "over")])
        self.is_refused, self.is_fresh = entries[0]["fate"] == "refused", entries[0]["fate"] == "fresh"

    def first(self, kind, messages):
        return next((m for _, m in messages if m and m.get("t") == kind), None)

    def clock(self):
        """How far the hub's clock is before that of the proxy, and by how much this may be wrong, in µs; nothing where no stamps came."""
        asked = {v.get("t1"): e["us"] for e, v in self.said if v and v.get("t") in ("hello", "time")}
        stamps = [(asked[v["t1"]], v["t2"], v["t3"], e["us"]) for e, v in self.heard if v and "t3" in v and v.get("t1") in asked]
        return min(((abs((t4 - t1) - (t3 - t2)) // 2, ((t2 - t1) + (t3 - t4)) // 2) for t1, t2, t3, t4 in stamps), default=None)


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
    """BT-TRN-003 BT-RTY-001 BT-HS-026"""
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
        if later and status in (400, 403, 404, 410):
            yield f"the client came back unchanged after HTTP {status}"
        elif later and later[0].began - line.began < wait * 1_000_000:
            yield f"the client came back {(later[0].began - line.began) / 1e6:.1f} s after HTTP {status}, and {wait} s were asked for"


def numbers(found):
    """BT-RTY-018"""
    for line in found:
        ids = [value["id"] for _, value in line.said if value and value.get("t") in ("cmd", "sub")]
        if ids != sorted(set(ids)):
            yield f"the ids of connection {line.number} do not grow: {ids}"


def keys(found):
    """BT-RTY-018 BT-RTY-001 BT-RTY-007"""
    used, done, not_before = {}, set(), {}
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
                if (early := not_before.get(value["k"], 0) - entry["us"]) > 20_000:
                    yield f"key {value['k']} was sent again {early // 1000} ms before the afterMs of its refusal was over"
                if used.setdefault(value["k"], (essence, entry["us"]))[0] != essence:
                    yield f"key {value['k']} was used for two commands"
                if entry["us"] - used[value["k"]][1] > value.get("ttl", 5000) * 1000 + 200_000:
                    yield f"key {value['k']} was sent again {(entry['us'] - used[value['k']][1]) // 1000} ms after the press"
            elif value.get("t") == "res" and "k" in asked.get(value["id"], {}):
                key, error = asked[value["id"]]["k"], value.get("err") or {}
                if error.get("code") in PUT_OFF and "afterMs" in error:
                    not_before[key] = entry["us"] + error["afterMs"] * 1000
                else:
                    done.add(key)


def ages(found):
    """BT-RTY-018 BT-RTY-013"""
    first = {}
    for line in found:
        known = line.clock()
        for entry, value in line.said:
            if not value or value.get("t") != "cmd" or "k" not in value:
                continue
            pressed = first.setdefault(value["k"], entry["us"])
            if entry["us"] - pressed < 1_000_000:
                continue
            if "ct" not in value:
                yield f"key {value['k']} was sent again {(entry['us'] - pressed) // 1000} ms after the press, and without ct"
            elif known:
                error, offset = known
                late = (value["ct"] - (pressed + offset) // 1000 + 2**30) % 2**31 - 2**30
                if late > 500 + error // 1000:
                    yield f"ct of key {value['k']} is {late} ms after the press"


def gaps(found):
    """BT-STA-007 BT-STA-021"""
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
    """BT-CLK-007"""
    for line in found:
        shown = next((e["us"] for e, v in line.heard if v and v.get("t") == "state"), line.over)
        hello, asked = line.first("hello", line.said) or {}, [e["us"] for e, v in line.said if v and v["t"] == "time"]
        if line.over - shown > 2_500_000:
            if not asked:
                yield f"connection {line.number} never asked for the clock"
            if (count := sum(us - line.began < 5_000_000 for us in asked)) > 12:
                yield f"connection {line.number} asked for the clock {count} times in its first 5 s"
        if line.over - shown > 4_500_000:
            # The stamps of `welcome` are an answer, too.
            if asked and (count := sum(us - shown < 4_500_000 for us in asked) + ("t1" in hello)) < 4:
                yield f"connection {line.number} asked for the clock {count} times in its first 4.5 s, and not 4 times"
            pause = 120 if hello.get("view") == "watch" else 20
            # A client may wait for the answer to a question that was lost.
            lost = {e["us"] for e, v in line.said if v and v["t"] == "time" and e["fate"] != "passed"}
            most = max((later - us for us, later in zip(asked, [*asked[1:], line.over]) if us not in lost), default=0)
            if most > pause * 1_000_000:
                yield f"connection {line.number} did not ask for the clock for {most // 1_000_000} s"


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


def pairs(found):
    """Two connections of one run of the client each, the one after the other. Those that never reached the hub are left out."""
    passed = [line for line in found if not line.is_refused]
    return [(before, after) for before, after in zip(passed, passed[1:]) if not after.is_fresh]


def returns(found):
    """BT-HS-026 BT-CLS-1000 BT-CLS-1012 BT-CLS-1013 BT-CLS-4409 BT-CLS-4429 BT-CLS-4430"""
    for before, after in pairs(found):
        # What the hub says on a connection after the client has come back on another one reaches nobody.
        pause = (after.began - before.ended) / 1e6
        closed = before.closed if pause >= 0 else None
        if closed in STOP:
            yield f"the client came back after {closed}"
        if closed in WAITS and pause < WAITS[closed]:
            yield f"the client came back {pause:.1f} s after {closed}"


def backoffs(found):
    """BT-HS-026"""
    waits, before, is_second = [], None, False
    for line in found:
        before = None if line.is_fresh else before
        # Where nobody answers a client may try a second address of the hub at once, or ask why. The two are one attempt.
        is_second = bool(not is_second and before and before.is_refused and line.is_refused and line.began - before.over < 50_000)
        if is_second:
            before = line
            continue
        if not (line.is_refused or line.first("hello", line.said) or "status" in line.entries[0]):
            continue
        greeted = next((e["us"] for e, v in before.heard if v and v.get("t") == "welcome"), before.over) if before else 0
        if before is None or before.over - greeted > STABLE_S * 1_000_000:
            waits = []
        if before:
            # 20 ms each are the machine's.
            waits.append(max(0, line.began - before.over) / 1e6 + 0.02)
            if chance(waits) < CHANCE:
                yield f"the client came back {len(waits)} times within {sum(waits):.1f} s: it does not wait longer each time"
                return
        before = line


def chance(waits):
    """The most that it is likely to wait so briefly in all, where each wait is at random between 0 and the most of its turn."""
    most = [BACKOFF[min(turn, len(BACKOFF) - 1)] for turn in range(len(waits))]
    return sum(waits) ** len(waits) / math.factorial(len(waits)) / math.prod(most)


def principals(found):
    """BT-PRN-004"""
    yield from another(found, "id")


def runs(found):
    """Of one process all connections have one `client.run`."""
    yield from another(found, "run")


def another(found, member):
    """Connections of one run of the client whose `client` differs in a member."""
    known = None
    for line in found:
        known, hello = None if line.is_fresh else known, line.first("hello", line.said)
        # Without a listener a connection may end before the first message.
        if not hello:
            continue
        client = hello.get("client") or {}
        if known is not None and client.get(member) != known.get(member):
            yield f"the client came back under another {member}"
        known = client


def copies(found):
    """BT-HS-026 BT-STA-021 BT-STA-018"""
    for before, after in pairs(found):
        hello = after.first("hello", after.said)
        offered = hello.get("resume") if hello else None
        states = [v for _, v in before.heard if v and v.get("t") in ("state", "res") and "s" in v]
        welcome = before.first("welcome", before.heard)
        if offered and states and welcome and (offered["epoch"] != welcome["epoch"] or offered["rev"] > states[-1]["rev"]):
            yield f"the client offers {offered}, which is not what it held"
        # A copy that was never made whole, though it was asked for three times, is worth nothing.
        asked = [v for _, v in before.said if v and v.get("t") == "sync"]
        if states and hello and not offered and len(asked) < 3:
            yield "the client held a copy and did not offer it"


RULES = [shapes, waits, upgrades, numbers, keys, ages, gaps, clocks, wheels, sizes, returns, backoffs, principals, runs, copies]


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
