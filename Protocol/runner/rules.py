"""Rules that every trace of a hub must obey, whatever the scenario was about.

Each takes one connection's dialogue and yields complaints; its ids are what the specification calls
it. A scenario that breaks framing on purpose is judged all the same: only what the hub said counts.
"""

import collections
import json

from runner.course import alive, artwork, beginnings, budgets, endings, proofs
from runner.dialogue import dialogues
from runner.registered import CAPS, RETRY
from runner.schema import NotJSON, Validator, strict
from runner.steps import IDS
from runner.trace import message

VALIDATOR = Validator()
# How a hub refuses a message that it could not read.
UNREAD = ("bad_request", "too_large")


def words(dialogue, _):
    """BT-TRN-001 BT-TRN-003 BT-TRN-004 BT-TRN-005 BT-TRN-006"""
    for entry in dialogue.entries:
        if entry["kind"] == "do" and entry["verb"] == "open" and entry["status"] == 101:
            if "sec-websocket-extensions" in entry["headers"]:
                yield "the hub agreed to an extension, and there is to be none"
            if entry["headers"].get("sec-websocket-protocol") != "baton.v1":
                yield "the hub did not confirm the subprotocol"
    for entry, _m in dialogue.said:
        try:
            if not isinstance(strict(entry["text"]), dict):
                yield f"this is no object: {entry['text'][:80]}"
            if entry["text"].startswith("\ufeff"):
                yield "a message began with a byte order mark"
        except (NotJSON, KeyError) as error:
            yield f"this is not JSON as specified ({error}): {entry.get('text', '')[:80]}"


def shapes(dialogue, _):
    """BT-SEC-003 BT-SEC-005 BT-STA-002 BT-RES-006 BT-QUE-009 BT-RTY-004"""
    methods = {m["id"]: m.get("m") for _, m in dialogue.asked if isinstance(m, dict) and isinstance(m.get("id"), int)}
    for entry, value in dialogue.said:
        name = f"hub/{value.get('t')}" if isinstance(value, dict) else ""
        if name not in VALIDATOR.schemas:
            yield f"there is no schema for {entry['text'][:80]}"
            continue
        yield from (f"{value['t']}: {complaint}" for complaint in VALIDATOR.complaints(name, value))
        if isinstance(value.get("s"), dict) and dialogue.view in ("watch", "remote", "full") and not dialogue.chooses:
            yield from (f"{value['t']}: {c}" for c in VALIDATOR.complaints(f"view/{dialogue.view}", value["s"]))
        data = f"hub/data/{methods.get(value.get('id'))}"
        if "d" in value and data in VALIDATOR.schemas:
            yield from (f"{value['t']} d: {complaint}" for complaint in VALIDATOR.complaints(data, value["d"]))


def sections(dialogue, _):
    """BT-SEC-001 BT-SEC-002 BT-SEC-009 BT-LIM-001 BT-STA-008"""
    named, most = False, (dialogue.welcome or {}).get("max", 65536)
    for entry, value in dialogue.said:
        if entry["size"] > most:
            yield f"a frame of {entry['size']} bytes came, and {most} are the most"
        for name, content in (value.get("s") or {}).items() if isinstance(value, dict) else ():
            size = len(_compact(content))
            if size > CAPS.get(name, 1 << 20):
                yield f"section {name} has {size} bytes, and {CAPS[name]} are the most"
            if name in ("n", "x", "r") and any(len(_compact(text)) - 2 > 96 for text in _texts(content)):
                yield f"a text in {name} is longer than 96 bytes: {_compact(content)}"
            if any(ord(char) < 32 or ord(char) == 127 for text in _texts(content) for char in text):
                yield f"a control character is in {name}"
        if isinstance(value, dict) and value.get("t") == "state":
            if not named and "room" not in value:
                yield "the first state does not name its room"
            named = True


def answers(dialogue, end_us):
    """BT-RES-001 BT-RES-003"""
    asked = {}
    for entry, value in dialogue.asked:
        if isinstance(value, dict) and value.get("t") in ("cmd", "sub") and isinstance(value.get("id"), int):
            asked.setdefault(value["id"], entry)
    count = collections.Counter(value.get("id") for _, value in dialogue.of("res"))
    most = {number: sum(isinstance(v, dict) and v.get("id") == number for _, v in dialogue.asked) for number in count}
    in_pieces = any("final" in entry.get("how", {}) for entry, _ in dialogue.asked)
    for number, times in count.items():
        if number not in asked and not in_pieces:
            yield f"an answer came to {number}, which was not asked"
        elif times > max(most[number], in_pieces):
            yield f"command {number} was answered {times} times"
    welcomed = dialogue.of("welcome")
    if welcomed and not dialogue.was_ended:
        # A command that the hub could not read at all has such an `err` without its id in place of the answer.
        unread = sum(value["err"]["code"] in UNREAD for _, value in dialogue.of("err"))
        for number, entry in asked.items():
            if number not in count and entry["us"] > welcomed[0][0]["us"] and end_us - entry["us"] > 1_500_000:
                if unread == 0:
                    yield f"command {number} was never answered"
                unread = max(0, unread - 1)
    for _, value in dialogue.of("res"):
        if value.get("rx", 0) > value.get("tx", 0):
            yield f"answer {value['id']} left before its command came: rx {value['rx']}, tx {value['tx']}"
    if dialogue.view and dialogue.welcome and dialogue.of("res"):
        stamp, base = dialogue.of("res")[0][1]["rx"], dialogue.welcome["t2"]
        expected = base // 1000 % 2**31 if dialogue.view == "watch" else base
        if abs(stamp - expected) > (600_000 if dialogue.view == "watch" else 600_000_000):
            yield f"rx {stamp} is not in the unit of the view (welcome said {base} µs)"


def revisions(dialogue, _):
    """BT-STA-001 BT-STA-002 BT-STA-006 BT-RES-002 BT-RES-004 BT-RES-005"""
    sent = None
    first = dialogue.hello.get("resume", {}).get("rev") if isinstance(dialogue.hello.get("resume"), dict) else None
    several = len(dialogue.hello.get("rooms", []) or []) > 1 or any(isinstance(m, dict) and m.get("t") == "sub" for _, m in dialogue.asked)
    # A state that is longer than a frame may be goes in several, of which the last leads to the new revision.
    parts = "max" in dialogue.hello
    for _, value in dialogue.said:
        if not isinstance(value, dict) or value.get("t") not in ("state", "res"):
            continue
        rev, origin = value.get("rev"), value.get("from")
        carries = value["t"] == "state" or "s" in value
        if carries:
            if sent is None and origin is not None and origin != first:
                yield f"the first state comes from {origin}, which is not the revision that was offered"
            if sent is not None and not value.get("full"):
                if origin != sent and not (several and rev == sent):
                    yield f"a {value['t']} comes from {origin}, and {sent} was the last revision sent"
            if sent is not None and value["t"] == "state" and not several and not parts and not value.get("full") and rev == origin and value["s"]:
                yield f"a state says {sorted(value['s'])} without a new revision"
            if sent is not None and rev < sent and not (parts and value.get("full") and rev == 0):
                yield f"revision {rev} came after {sent}"
            sent = rev
        if value["t"] == "res" and value.get("ok") == 1 and value.get("st") == "applied" and value.get("why") != "dup":
            if sent is not None and rev is not None and rev > sent:
                yield f"answer {value['id']} speaks of revision {rev}, and only {sent} was sent before it"
        if value["t"] == "res" and "s" in value and dialogue.view != "watch":
            yield f"answer {value['id']} carries sections, and only a watch gets them there"


def rooms(dialogue, _):
    """BT-STA-008 BT-STA-009"""
    following = [dialogue.hello.get("rooms") or []]
    for entry in dialogue.entries:
        asked = message(entry) if entry["kind"] == "do" and entry["verb"] == "send" else None
        if isinstance(asked, dict) and asked.get("t") == "sub" and asked.get("rooms"):
            following.append(asked["rooms"])
    if len(following) > 1 or len(following[0]) < 2:
        return
    for _, value in dialogue.of("state"):
        if "room" not in value:
            yield "a state does not name its room, and several are followed"
        elif value["room"] != following[0][0] and {"rooms", "outputs", "hub", "people"} & set(value["s"]):
            yield f"the state of {value['room']} carries the hub's own sections, which belong in the first"


def mistakes(dialogue, _):
    """BT-RES-007"""
    for _, value in dialogue.said:
        error = value.get("err") if isinstance(value, dict) else None
        if isinstance(error, dict):
            if error.get("retry") != (1 if error.get("code") in RETRY else 0):
                yield f"{error.get('code')} came with retry {error.get('retry')}"
            if error.get("code") == "rate_limited" and not error.get("afterMs", 0) > 0:
                yield "rate_limited does not say how long to wait"
            if error.get("code") == "unsupported_version" and not error.get("core"):
                yield "unsupported_version does not say which version the hub speaks"


RULES = [words, shapes, sections, answers, revisions, rooms, mistakes, artwork, beginnings, proofs, budgets, endings, alive]


def ids():
    return {rule.__name__: IDS.findall(rule.__doc__) for rule in RULES}


def complaints(entries):
    """(rule, connection, sentence) for all that is wrong in a trace."""
    end_us = entries[-1]["us"]
    for dialogue in dialogues(entries):
        for rule in RULES:
            for sentence in said_by(rule, dialogue, end_us):
                yield rule.__name__, dialogue.conn, sentence


def said_by(rule, dialogue, end_us):
    """What a rule says of a dialogue. Messages may have any form, so one may lack the very member that the rule is about."""
    try:
        yield from rule(dialogue, end_us)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        yield f"a message is so wrong that this cannot be judged: {type(error).__name__} {error}"


def _compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
