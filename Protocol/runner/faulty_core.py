"""More hubs with one broken rule each, all of Core: what is said, counted and refused. faulty_hubs.py has the others."""

import re

from runner.bends import ancient_before_start, first_only, header, learn_start, no_header, recoded, status_as
from runner.mutations import Mutant, close_as, command, each_error, found, in_state, put, when, without


def renamed_path(old, new):
    return lambda data: data.replace(old, new, 1)


def sentences_apart(message, own, _):
    """Every refusal has a sentence of its own."""
    if "err" not in message:
        return None
    own["said"] = own.get("said", 0) + 1
    message["err"]["msg"] = f"{message['err']['msg']} ({own['said']})"
    return [message]


def in_parameter(name, change):
    return lambda message: message["p"].update({name: change(message["p"][name])}) if name in message.get("p", {}) else None


def in_hello(change):
    return when("hello", change)


def any_key(message):
    if isinstance(message.get("k"), str) and not re.fullmatch("[A-Za-z0-9_-]{4,16}", message["k"]):
        message["k"] = "any-key"


def first_characters(message):
    """As a hub does that measures a name in characters."""
    if isinstance(message.get("client", {}).get("name"), str):
        message["client"]["name"] = message["client"]["name"][:64]


def all_held(message):
    if "resume" in message:
        message["resume"]["sections"] = ["now", "tl", "vol", "modes", "queue", "hub"]


def behind(message):
    if "resume" in message:
        message["resume"]["rev"] = 1


def lights(message):
    """A section that nobody has asked for."""
    if not message.get("full"):
        return None
    message["s"]["com.example.lights"] = {"on": True}
    return None


def as_noop(message):
    if message.get("st") == "noop":
        message["st"] = "applied"


CORE = {
    # The greeting
    "one-language": Mutant("BT-HS-021", "locale", hub=when("welcome", put("locale", lambda m: "de"))),
    "reasons-for-all": Mutant("BT-EXT-007", "reasons", hub=each_error(lambda error: error.update(reason="queue_full", args={"max": 1}))),
    "malformed-ends-politely": Mutant("BT-BAD-008", "hello-malformed", code=close_as(4400, 1000)),
    "too-slow-ends-politely": Mutant("BT-LIM-005", "hello-slow", code=close_as(4408, 1000)),
    "goodbye-as-stop": Mutant("BT-HS-025", "bye-from-client", code=close_as(1000, 1001)),
    "room-lost-in-silence": Mutant("BT-HS-005", "rooms-unknown", hub=when("err", lambda m: [])),
    "counts-characters": Mutant("BT-LIM-014", "texts-in-bytes", client=in_hello(first_characters)),
    "any-subprotocol": Mutant("BT-TRN-002", "upgrade-without-subprotocol", head=header("Sec-WebSocket-Protocol", "baton.v1")),
    "half-the-modes": Mutant("BT-SEC-m", "hello-watch", hub=in_state("m", lambda modes: modes[:2])),
    "holds-all": Mutant("BT-STA-011", "resume-not-held", client=in_hello(all_held)),
    "believes-any-revision": Mutant("BT-STA-011", "resume-ahead", client=in_hello(behind)),
    "lights-for-all": Mutant("BT-EXT-003", "vendors", hub=when("state", lights)),
    # Who comes in
    "network-as-neighbour": Mutant("BT-TRN-009", "lan-plain", head=no_header("via")),
    "one-host-of-two": Mutant("BT-TRN-021", "http-one-meaning", head=header("Host", "localhost")),
    "any-name-by-socket": Mutant("BT-TRN-019", "http-alike", head=header("Host", "localhost")),
    "head-without-end": Mutant("BT-TRN-022", "http-long-head", head=no_header("cookie")),
    "paths-told-apart": Mutant("BT-TRN-023", "paths-outside", hub=sentences_apart),
    # HTTP
    "state-without-a-type": Mutant("BT-HTTP-002", "http-state", answer=no_header("content-type")),
    "well-without-a-word": Mutant("BT-HTTP-004", "healthz", answer=status_as(200, 204)),
    "one-script-for-all": Mutant("BT-HTTP-005", "principal-over-http", head=renamed_path(b"?client=", b"?script=")),
    # Frames
    "broken-text-as-frame": Mutant("BT-BAD-001", "not-utf8", code=close_as(1007, 1002)),
    "strikes-end-politely": Mutant("BT-BAD-003", "strikes", code=close_as(4400, 1000)),
    "unmasked-ends-politely": Mutant("BT-CLS-1002", "unmasked", code=close_as(1002, 1000)),
    "long-ends-politely": Mutant("BT-CLS-1009", "frame-before-welcome", code=close_as(1009, 1000)),
    "one-answer-of-the-clock": Mutant("BT-CLK-008", "time-often", hub=first_only("time")),
    # Commands
    "stamps-of-nothing": Mutant("BT-RES-003", "stamps", hub=when("res", put("rx", lambda m: 0))),
    "plays-at-rest": Mutant("BT-SEC-005", "play-pause-stop", hub=in_state("tl", lambda line: {**line, "rate": 0})),
    "never-back": Mutant("BT-CMD-seekBy", "position", client=command("seekBy", in_parameter("ms", abs))),
    "one-restart-for-all": Mutant("BT-CMD-prev", "prev", client=command("prev", without("p", "restartMs"))),
    "before-its-start-as-ancient": Mutant("BT-RTY-013", "ct-new-boot", client=ancient_before_start, hub=learn_start),
    "future-as-past": Mutant("BT-RTY-013", "ct-ahead", client=command(None, lambda m: put("ct", lambda m: m["ct"] - 10**9)(m) if "ct" in m else None)),
    "why-of-then": Mutant("BT-RTY-012", "dup-of-why", hub=when("res", lambda m: put("why", lambda m: "ceiling")(m) if m.get("why") == "dup" else None)),
    "any-key-may": Mutant("BT-RTY-001", "keys-bounds", client=command(None, any_key)),
    "ttl-to-fit": Mutant("BT-CMD-002", "ttl-bounds", client=command(None, lambda m: put("ttl", lambda m: min(m["ttl"], 600_000))(m) if "ttl" in m else None)),
    "tells-no-epoch": Mutant("BT-CMD-hub.info", "hub-info", hub=found(lambda data: data.pop("epoch", None) and None)),
    "twice-cancelled": Mutant("BT-ENV-004", "cancel", hub=when("res", lambda m: [m, m] if m["id"] == 1 else None)),
    # The queue
    "keeps-nothing": Mutant("BT-CMD-queue.clear", "clear-keep", client=command("queue.clear", without("p", "keep"))),
    "starts-at-the-first": Mutant("BT-CMD-queue.replace", "replace", client=command("queue.replace", without("p", "start"))),
    "more-unsaid": Mutant("BT-RES-006", "ids-of-thousand", hub=when("res", without("queue", "more"))),
    "nothing-as-something": Mutant("BT-QUE-004", "remove", hub=when("res", as_noop)),
    "never-mixes": Mutant("BT-QUE-011", "shuffle-plain", client=command("mode.set", without("p", "shuffle"))),
    # What is so, asked for by HTTP
    "now-without-entry": Mutant("BT-SEC-003", "now-always", hub=in_state("now", lambda now: {name: value for name, value in now.items() if name != "entry"})),
    "all-without-end": Mutant("BT-SEC-018", "live-flags", hub=in_state("now", lambda now: {**now, "live": True})),
    "nothing-current": Mutant("BT-QUE-031", "add-to-empty", hub=in_state("queue", lambda queue: {name: value for name, value in queue.items() if name != "cur"})),
    "stops-where-it-was": Mutant("BT-SEC-026", "stop-is-zero", hub=in_state("tl", lambda line: {**line, "posMs": 5000} if line["st"] == "stopped" else line)),
    "plays-by-itself": Mutant("BT-STA-020", "after-kill", hub=in_state("tl", lambda line: {**line, "st": "playing", "rate": 1000})),
    "since-the-beginning": Mutant("BT-SEC-004", "since", hub=in_state("now", lambda now: {**now, "sinceUs": 1})),
    "level-lost-by-muting": Mutant("BT-SEC-006", "volume", hub=in_state("vol", lambda vol: {**vol, "level": 0} if vol["mute"] else vol)),
    "features-left-out": Mutant("BT-VER-003", "http-state", hub=when("state", without("features"))),
    # Codes
    "gone-as-not-found": Mutant("BT-ERR-gone", "move", hub=recoded("gone", "not_found")),
    "anchor-as-gone": Mutant("BT-ERR-anchor_gone", "anchor-gone", hub=recoded("anchor_gone", "gone")),
    "not-found-as-gone": Mutant("BT-ERR-not_found", "not-there", hub=recoded("not_found", "gone")),
    "too-large-as-mistake": Mutant("BT-ERR-too_large", "add-too-many", hub=recoded("too_large", "bad_request")),
    "full-as-too-large": Mutant("BT-ERR-quota", "queue-full", hub=recoded("quota", "too_large")),
    "impossible-as-gone": Mutant("BT-ERR-invalid_state", "nothing-to-do", hub=recoded("invalid_state", "gone")),
    "too-often-as-busy": Mutant("BT-ERR-rate_limited", "asking-flood", hub=recoded("rate_limited", "busy")),
}
