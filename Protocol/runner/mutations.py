"""The rules that mutants break, each as the few lines that break it.

A mutant names the rule and the scenario that must catch it. What passes a mutant are whole messages:
`client(message, own, shared)` and `hub(...)` give back the messages that go on instead, `binary` the
binary messages of the hub, `head` an HTTP head, `code` a close code. `own` remembers for one connection, `shared` for the hub.
"""


class Mutant:
    def __init__(self, rule, caught_by, client=None, hub=None, head=None, code=None, binary=None):
        self.rule, self.caught_by = rule, caught_by
        self.bend_binary = binary or (lambda *_: None)
        # None says that a message passes as it came, byte for byte.
        self.bend_client = client or (lambda *_: None)
        self.bend_hub = hub or (lambda *_: None)
        self.bend_head = head or (lambda head: head)
        self.bend_code = code or (lambda code: code)


def when(kind, change):
    """Bends messages of one type by `change(message)`, which may give back other messages instead."""
    def bend(message, own, shared):
        if message.get("t") != kind:
            return None
        changed = change(message)
        return [message] if changed is None else changed
    return bend


def command(name, change):
    return when("cmd", lambda message: change(message) if message.get("m") == name or name is None else None)


def without(*path):
    """Takes a member out."""
    def change(message):
        for step in path[:-1]:
            message = message.get(step, {})
        if isinstance(message, dict):
            message.pop(path[-1], None)
    return change


def put(name, value):
    """Sets a member, to what `value` makes of the message."""
    def change(message):
        message[name] = value(message)
    return change


def no_header(*names):
    def head(data):
        lines = data.split(b"\r\n")
        return b"\r\n".join(line for line in lines if not line.lower().startswith(tuple(name.encode() + b":" for name in names)))
    return head


def answer_first(message, own, _):
    if message.get("t") == "state" and "full" not in message:
        own.setdefault("held", []).append(message)
        return []
    if message.get("t") == "res":
        return [message, *own.pop("held", [])]
    return None


def fresh_key(message, own, shared):
    if "k" not in message:
        return None
    shared["keys"] = shared.get("keys", 0) + 1
    return [{**message, "k": f"fresh-{shared['keys']}"}]


def key_of_this_life(message, _, shared):
    return [{**message, "k": f"{message['k']}-{shared['starts']}"}] if "k" in message else None


def right_base(message, _, shared):
    if isinstance(message.get("p"), dict) and "base" in message["p"]:
        return [{**message, "p": {**message["p"], "base": shared["queue"]}}]
    return None


def learn_base(message, _, shared):
    for found in (message.get("queue"), message.get("d"), (message.get("s") or {}).get("queue")):
        if isinstance(found, dict) and "rev" in found:
            shared["queue"] = found["rev"]
    return None


def any_id(message, own, _):
    if message.get("t") != "cmd":
        return None
    own["last"] = own.get("last", 0) + 1
    own[own["last"]] = message["id"]
    return [{**message, "id": own["last"]}]


def own_id(message, own, _):
    return [{**message, "id": own.get(message["id"], message["id"])}] if message.get("t") == "res" else None


def swapped(message, own, _):
    if message.get("t") != "cmd":
        return None
    if "held" in own:
        return [message, own.pop("held")]
    own["held"] = message
    return []


def split_watch(message, *_):
    if message.get("t") != "res" or "s" not in message:
        return None
    state = {"t": "state", "rev": message["rev"], "from": message.pop("from"), "s": message.pop("s")}
    return [state, message]


def flat(message, own, _):
    if message.get("t") != "state":
        return None
    own.setdefault("rev", message["rev"])
    return [{**message, "rev": own["rev"]}]


def no_nulls(message, *_):
    if "s" not in message:
        return None
    return [{**message, "s": {name: value for name, value in message["s"].items() if value is not None}}]


def long_title(message, *_):
    title = (message.get("s") or {}).get("n")
    if not title:
        return None
    title["t"] = title.get("t", "") * 40
    return [message]


def clamp(message):
    if "level" in message.get("p", {}) and isinstance(message["p"]["level"], (int, float)):
        message["p"]["level"] = max(0, min(100, int(message["p"]["level"])))


def each_error(change):
    def bend(message, *_):
        if "err" not in message:
            return None
        change(message["err"])
        return [message]
    return bend


def found(change):
    """Bends what a query found."""
    return when("res", lambda message: change(message["d"]) if isinstance(message.get("d"), dict) else None)


def backwards(data):
    if isinstance(data.get("rows"), list):
        data["rows"].reverse()


def each_row(*names):
    """Takes members out of every row that was found."""
    def change(data):
        for row in data.get("rows", [data.get("item", {})]):
            for name in names:
                row.pop(name, None)
    return found(change)


def most_rows(message):
    message["p"]["n"] = min(message["p"].get("n", 100), 100)


def most_stars(message):
    if isinstance(message["p"].get("stars"), int):
        message["p"]["stars"] = max(0, min(5, message["p"]["stars"]))


def first_op_only(message):
    if isinstance(message["p"].get("ops"), list):
        message["p"]["ops"] = message["p"]["ops"][:1]


def to_all(data):
    if "item" in data:
        data["media"] = {"url": "/media/x", "untilMs": 1}


def wider(data):
    if "xfer" in data:
        data["w"] += 1


def scrambled(payload, own, _):
    """Frames of a picture in pairs, the second before the first."""
    if payload[1] == 0 and "frame" not in own:
        own["frame"] = payload
        return []
    return [payload, own.pop("frame")] if own.get("frame") else None


MUTANTS = {
    "breaks-nothing": Mutant(None, None),
    "answers-twice": Mutant("BT-RES-001", "revisions", hub=when("res", lambda m: [m, m])),
    "never-answers": Mutant("BT-RES-001", "volume", hub=when("res", lambda m: [] if m["id"] == 3 else None)),
    "answers-before-state": Mutant("BT-RES-002", "revisions", hub=answer_first),
    "answers-in-us": Mutant("BT-RES-003", "dup-watch", hub=when("res", put("rx", lambda m: m["rx"] * 1000))),
    "state-beside-answer": Mutant("BT-RES-004", "dup-watch", hub=split_watch),
    "loses-a-revision": Mutant("BT-STA-006", "revisions", hub=when("state", lambda m: put("from", lambda m: m["from"] + 1)(m) if "from" in m else None)),
    "revision-stands": Mutant("BT-STA-001", "resume-restart", hub=flat),
    "never-removes": Mutant("BT-STA-003", "removed-section", hub=no_nulls),
    "no-sign-of-life": Mutant("BT-STA-014", "sign-of-life", hub=when("state", lambda m: [] if m["s"] == {} else None)),
    "always-whole": Mutant("BT-STA-011", "resume-equal", client=when("hello", without("resume"))),
    "deaf-to-sync": Mutant("BT-ENV-005", "sync", client=when("sync", lambda m: [])),
    "follows-everything": Mutant("BT-ENV-003", "sub", client=when("sub", without("sections"))),
    "takes-any-id": Mutant("BT-ENV-001", "id-reuse", client=any_id, hub=own_id),
    "presses-twice": Mutant("BT-RTY-003", "dup", client=fresh_key),
    "forgets-when-killed": Mutant("BT-RTY-002", "dup-restart", client=key_of_this_life),
    "ignores-guards": Mutant("BT-RTY-005", "next-two-remotes", client=command("next", without("p", "from"))),
    "ignores-expiry": Mutant("BT-RTY-006", "expired", client=command(None, without("ct"))),
    "out-of-order": Mutant("BT-RTY-008", "order", client=swapped),
    "clears-any-queue": Mutant("BT-QUE-006", "clear-against-add", client=right_base, hub=learn_base),
    "bends-numbers": Mutant("BT-CMD-002", "levels-bounds", client=command("vol.set", clamp)),
    "takes-long-frames": Mutant("BT-BAD-002", "frame-of-client", client=command(None, lambda m: None)),
    "takes-doubled-names": Mutant("BT-BAD-004", "json-narrowed", client=command(None, lambda m: None)),
    "names-no-place": Mutant("BT-BAD-008", "wrong-types", hub=each_error(lambda error: error.pop("at", None))),
    "silent-about-types": Mutant("BT-BAD-005", "unknown-type", hub=when("err", lambda m: [])),
    "always-retry": Mutant("BT-ERR-bad_request", "wrong-types", hub=each_error(lambda error: error.update(retry=1))),
    "says-not-how-long": Mutant("BT-LIM-006", "rate", hub=each_error(lambda error: error.pop("afterMs", None))),
    "floods-end-politely": Mutant("BT-CLS-4429", "flooding", code=lambda code: 1000 if code == 4429 else code),
    "replaces-politely": Mutant("BT-CLS-4409", "replaced", code=lambda code: 1000 if code == 4409 else code),
    "keeps-its-versions": Mutant("BT-HS-002", "version-none-common", hub=when("err", lambda m: [])),
    "grants-too-much": Mutant("BT-HS-006", "role-lowered", client=when("hello", without("role"))),
    "grants-any-cap": Mutant("BT-HS-007", "hello-unknown-members", hub=when("welcome", put("caps", lambda m: ["telepathy"]))),
    "welcomes-twice": Mutant("BT-HS-001", "hello-full", hub=when("welcome", lambda m: [m, m])),
    "says-more": Mutant("BT-STA-002", "revisions", hub=when("state", put("mood", lambda m: "fine"))),
    "long-titles": Mutant("BT-SEC-009", "skipped", hub=long_title),
    "any-page-may": Mutant("BT-TRN-010", "origins", head=no_header("origin")),
    "trusts-proxies": Mutant("BT-TRN-012", "forwarded", head=no_header("via", "forwarded", "x-forwarded-for", "x-forwarded-proto")),
    "worst-first": Mutant("BT-LIB-003", "search-words", hub=found(backwards)),
    "one-page-only": Mutant("BT-LIB-005", "pages-of-rows", hub=found(lambda d: d.pop("cursor", None) and None)),
    "tells-no-time": Mutant("BT-LIB-007", "item-and-words", hub=found(without("lyrics", "timed"))),
    "hands-out-to-all": Mutant("BT-LIB-008", "media-by-http", hub=found(to_all)),
    "forgets-stars": Mutant("BT-LIB-009", "marks", hub=each_row("stars")),
    "bends-stars": Mutant("BT-CMD-rate.set", "marks", client=command("rate.set", most_stars)),
    "keeps-undo-quiet": Mutant("BT-PLS-001", "list-undo", hub=found(without("list", "undo"))),
    "entries-without-names": Mutant("BT-PLS-002", "list-made", hub=each_row("e")),
    "makes-lists-twice": Mutant("BT-PLS-003", "list-dup", client=fresh_key),
    "forgets-lists-keys": Mutant("BT-PLS-003", "list-dup", client=key_of_this_life),
    "half-an-edit": Mutant("BT-PLS-005", "list-all-or-none", client=command("pl.edit", first_op_only)),
    "edits-any-list": Mutant("BT-PLS-006", "list-base", client=command("pl.edit", without("p", "base"))),
    "hides-rules": Mutant("BT-PLS-007", "list-smart", hub=found(without("list", "smart"))),
    "longer-pages": Mutant("BT-LIM-010", "list-full", client=command("pl.get", most_rows)),
    "pictures-to-anyone": Mutant("BT-ART-001", "picture-in-pieces", client=when("hello", put("caps", lambda m: ["art"]))),
    "pictures-too-wide": Mutant("BT-ART-002", "picture-in-pieces", hub=found(wider)),
    "scrambles-pictures": Mutant("BT-ART-003", "picture-in-pieces", binary=scrambled),
    "makes-pictures-anew": Mutant("BT-HTTP-008", "art-by-http", head=no_header("if-none-match")),
    "whole-files-only": Mutant("BT-HTTP-009", "media-by-http", head=no_header("range")),
}


def every(change):
    """Bends messages by `change(message, own, shared)`; what it does not change passes as it is."""
    def bend(message, own, shared):
        changed = change(message, own, shared)
        return [message] if changed is None else changed
    return bend


def standing_id(message, *_):
    return [{**message, "id": 7}] if message.get("t") == "cmd" else None


def other_client(message, _, shared):
    if message.get("t") != "hello":
        return None
    shared["hellos"] = shared.get("hellos", 0) + 1
    return [{**message, "client": {**message["client"], "id": f"client-{shared['hellos']}"}}]


# The rules that a client breaks behind proxy.py --bend, and the case of clients.json that must see it.
CLIENTS = {
    "keeps-to-all": Mutant(None, None, client=every(lambda *_: None)),
    "never-syncs": Mutant("BT-STA-007", "frame-lost", client=every(when("sync", lambda m: []))),
    "fresh-keys": Mutant("BT-RTY-003", "answer-lost", client=every(fresh_key)),
    "no-keys": Mutant("BT-CMD-004", "usual", client=every(when("cmd", without("k")))),
    "standing-ids": Mutant("BT-ENV-001", "usual", client=every(standing_id)),
    "forgets-its-copy": Mutant("BT-STA-011", "hub-killed", client=every(when("hello", without("resume")))),
    "another-each-time": Mutant("BT-RTY-007", "answer-lost", client=every(other_client)),
    "never-asks-the-time": Mutant("BT-CLK-007", "usual", client=every(when("time", lambda m: []))),
    "talks-beside": Mutant("BT-TRN-003", "usual", client=every(when("hello", put("mood", lambda m: "fine")))),
}
