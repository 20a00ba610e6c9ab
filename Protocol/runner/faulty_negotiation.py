"""Hubs with one broken rule each of how a connection is agreed on, and of how strictly a hub reads."""

import re

from runner.bends import each_row, header, no_header, status_as
from runner.mutations import Mutant, close_as, command, found, in_state, put, when

MEMBERS = {"t", "id", "m", "p", "k", "room", "ct", "ttl"}


def learnt(name):
    """Remembers a member of welcome for all connections."""
    def bend(message, _, shared):
        if message.get("t") == "welcome":
            shared[name] = message[name]
        return None
    return bend


def resumed(message, _, shared):
    """A copy of any epoch counts as one of this."""
    if message.get("t") != "hello" or not isinstance(message.get("resume"), dict):
        return None
    return [{**message, "resume": {**message["resume"], "epoch": shared.get("epoch", "")}}]


def first_is_hello(message, own, _):
    """What comes before hello vanishes."""
    own["greeted"] = own.get("greeted") or message.get("t") in ("hello", "bye")
    return None if own["greeted"] else []


def known_alone(message):
    """Takes what it does not know out of a command, instead of refusing it."""
    for name in set(message) - MEMBERS:
        del message[name]


def short_memory(message, _, shared):
    """Fifty keys are remembered: one that is older is another."""
    if "k" not in message:
        return None
    seen = shared.setdefault("seen", [])
    if message["k"] in seen[:-50]:
        return [{**message, "k": f"old-{len(seen)}"}]
    seen.append(message["k"])
    return None


def whole_alone(message):
    """A number with a fraction or an exponent is a text to it."""
    level = (message.get("p") or {}).get("level")
    return put("p", lambda m: {**m["p"], "level": str(level)})(message) if isinstance(level, float) else None


def many_at_most(most):
    """Shorter texts than the specification has."""
    def change(hello):
        return put("client", lambda m: {**m["client"], "name": m["client"]["name"] * 2})(hello) if len(hello.get("client", {}).get("name", "")) > most else None
    return when("hello", change)


NEGOTIATION = {
    # What a connection is agreed on
    "old-copies-only": Mutant("BT-STA-011", "resume-newer", client=when("hello", lambda m: m.pop("resume", None) and None)),
    "any-epoch-will-do": Mutant("BT-STA-011", "resume-other-epoch", client=resumed, hub=learnt("epoch")),
    "waits-for-hello": Mutant("BT-HS-001", "hello-first", client=first_is_hello),
    "one-for-each-client": Mutant("BT-HS-003", "side-by-side", client=when("hello", lambda m: m["client"].setdefault("run", "one") and None)),
    "shorter-names": Mutant("BT-HS-004", "hello-bounds", client=many_at_most(100)),
    "full-for-all": Mutant("BT-SEC-tl", "hello-remote", client=when("hello", put("view", lambda m: "full"))),
    "no-list-no-room": Mutant("BT-ENV-003", "rooms-none", client=when("sub", lambda m: put("rooms", lambda m: ["nowhere"])(m) if m.get("rooms") == [] else None)),
    "any-path": Mutant("BT-TRN-001", "upgrade-elsewhere", head=lambda head: re.sub(rb"^GET \S+", b"GET /baton", head)),
    "greets-as-older": Mutant("BT-VER-002", "hello-bounds", hub=when("welcome", put("core", lambda m: "0.9"))),
    "version-of-the-client": Mutant("BT-VER-002", "features", hub=when("welcome", put("core", lambda m: "1"))),
    "pace-unsaid": Mutant("BT-HS-008", "hello-full", hub=when("welcome", lambda m: m.pop("pace") and None)),
    "any-page-by-http": Mutant("BT-TRN-010", "http-strangers", head=no_header("origin")),
    "any-name-by-http": Mutant("BT-TRN-011", "http-strangers", head=header("Host", "localhost")),
    "success-as-accepted": Mutant("BT-HTTP-003", "http-cmd", answer=status_as(200, 202)),
    # How strictly it reads
    "reads-deep": Mutant("BT-LIM-002", "json-depth", client=command(None, known_alone)),
    "reads-long-lists": Mutant("BT-LIM-002", "json-elements", client=command(None, known_alone)),
    "reads-long-texts": Mutant("BT-LIM-002", "json-string", client=command(None, known_alone)),
    "reads-long-names": Mutant("BT-LIM-002", "json-name", client=command(None, known_alone)),
    "reads-many-members": Mutant("BT-LIM-002", "json-members", client=command(None, lambda m: m.pop("p", None) and None)),
    "refuses-what-is-new": Mutant("BT-BAD-007", "unknown-members", client=when("time", lambda m: put("t", lambda m: "time@2")(m) if "mood" in m else None)),
    "whole-numbers-alone": Mutant("BT-TRN-007", "json-spellings", client=command("vol.set", whole_alone)),
    "malformed-as-bye": Mutant("BT-CLS-4400", "not-json-early", code=close_as(4400, 1000)),
    "broken-frames-as-malformed": Mutant("BT-CLS-1002", "framing-broken", code=close_as(1002, 4400)),
    "either-end-of-a-body": Mutant("BT-HTTP-014", "http-body-ends", answer=status_as(400, 200)),
    "two-hosts-will-do": Mutant("BT-TRN-021", "http-one-meaning", answer=status_as(400, 200)),
    "silence-has-no-level": Mutant("BT-SEC-006", "muted-level", hub=in_state("vol", lambda vol: {**vol, "level": 0} if vol["mute"] else vol)),
    "level-leaves-silence": Mutant("BT-SEC-006", "muted-level", hub=in_state("vol", lambda vol: {**vol, "mute": True} if vol["level"] == 32 else vol)),
    "rows-of-no-time": Mutant("BT-QUE-012", "rows-of-whom", hub=each_row("addedMs")),
    "one-row-too-many": Mutant("BT-LIM-010", "rows-at-most", hub=found(lambda d: d["rows"].extend(d["rows"][:1]) if "rows" in d else None)),
    "short-memory": Mutant("BT-RTY-002", "keys-at-most", client=short_memory),
}
