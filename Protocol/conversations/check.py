"""Whether a conversation is as the definitions say: its header, its lines, its bytes, and what crosses each connection."""

import json

from conversations import course, proof
from conversations.chosen import FREE, KINDS, OF_CLIENT
from conversations.files import head, whole
from runner import pages
from runner.websocket import accept

NEEDED = {"title", "level", "rules", "about", "plays", "chosen", "free"}
MAY = {"with", "alone", "given", "others", "before", "view", "unknown", "secrets", "channel", "can"}
MEMBERS = {"n", "at", "by", "on", "frame", "text", "base64", "code", "fin", "lost", "least", "most", "wrong", "free"}
PRESSES = ("play", "pause", "next", "prev", "mute", "unmute", "vol", "quit", "pair", "art", "follow")
WIRE = {"text", "more", "binary", "ping", "pong", "close", "cut"}
BY = {"client": {"request", *WIRE}, "hub": {"answer", *WIRE}, "network": {"cut"}, "person": {"press", "shown", "told", "ended"}}


def complaints(conversation):
    """What is wrong, as sentences."""
    yield from of_header(conversation)
    wrong = list(of_lines(conversation))
    yield from wrong
    if wrong:
        return
    yield from of_chosen(conversation)
    yield from of_rest(conversation)
    if "secrets" in conversation.header:
        yield from proof.complaints(conversation)
    for number in conversation.connections:
        lines = [line for line in whole(conversation.lines) if line.get("on", 1) == number and line["by"] != "person"]
        yield from (f"connection {number}: {sentence}" for sentence in of_http(lines))
        yield from (f"connection {number}, {sentence}" for sentence in course.complaints(lines, conversation.header))


def of_header(conversation):
    header = conversation.header
    yield from (f"its header has no {name}" for name in sorted(NEEDED - set(header)))
    yield from (f"its header has {name}, which is not known" for name in sorted(set(header) - NEEDED - MAY))
    if NEEDED - set(header):
        return
    if header["level"] not in pages.profiles():
        yield f"there is no profile {header['level']}"
        return
    known = set().union(*(pages.closure(level) for level in (header["level"], *header.get("with", ()))))
    for rule in header["rules"]:
        level = pages.rules().get(rule)
        if level not in known:
            yield f"{rule} is {f'of {level}' if level else 'no rule'}"
    yield from (f"chosen names {kind}, which is no kind" for kind in header["chosen"] if kind not in KINDS)
    yield from (f"free names {group}, which is no group" for group in header["free"] if group not in FREE)
    if not header["title"] or not header["about"].endswith("."):
        yield "its title or what it is about is no sentence"
    if not set(header["plays"]) <= {"hub", "client"} or not header["rules"]:
        yield "it says wrongly what it plays, or shows no rule"


def of_lines(conversation):
    at, seen = 0, set()
    for line in conversation.lines:
        place = f"line {line['n']}"
        if set(line) - MEMBERS or line.get("frame") not in BY.get(line.get("by"), ()):
            yield f"{place} has {', '.join(sorted(set(line) - MEMBERS)) or 'a frame that its side does not send'}"
            continue
        if line["at"] < at:
            yield f"{place} is earlier than the one before it"
        at = line["at"]
        number = line.get("on", 1)
        if line["by"] == "person":
            continue
        if (line["frame"] == "request") != (number not in seen):
            yield f"{place} is on connection {number}, which {'has begun before' if number in seen else 'has not begun'}"
        seen.add(number)
        if line["frame"] == "close" and not 1000 <= line.get("code", 0) <= 4999:
            yield f"{place} has no close code"
        if line["frame"] not in ("cut", "ping", "pong", "close") and ("text" in line) == ("base64" in line):
            yield f"{place} has no bytes, or has them twice"
    if not conversation.lines:
        yield "it has no lines"


def of_chosen(conversation):
    """Values that stand at the place of a kind, and are not listed; listed ones that stand nowhere; times that are not alike."""
    listed, found = conversation.header["chosen"], {}
    paths = {path: kind for kind, some in KINDS.items() for path in some}

    def walk(value, path):
        if isinstance(value, dict):
            for name, one in value.items():
                walk(one, f"{path}.{name}".lstrip("."))
        elif isinstance(value, list):
            for one in value:
                walk(one, path)
        elif path in paths and value is not None:
            found.setdefault(paths[path], set()).add(value)
    for line in whole(conversation.lines):
        for text in [line["text"]] if line["frame"] == "text" and "text" in line else [head(line["text"])[2]] if line["frame"] in ("request", "answer") else ():
            try:
                walk(json.loads(text), "")
            except ValueError:
                continue
    for kind in sorted(set(listed) | set(found) - {"number", "moment"}):
        own = found.get(kind, set()) | ({value for value in listed.get(kind, ()) if kind in OF_CLIENT and f"client={value}" in json.dumps(conversation.lines)})
        # A row is asked for by a number where a guard is an entry.
        own = {value for value in own if isinstance(value, int) == (kind in ("revision", "queueRevision", "limit"))}
        for value in sorted(own - set(listed.get(kind, ())), key=str):
            yield f"{kind} {value} is not listed under chosen"
        for value in sorted(set(listed.get(kind, ())) - own, key=str):
            yield f"{kind} {value} is listed, and stands nowhere"


def of_rest(conversation):
    """The moments of a client are told apart by their values, and what a person presses is known."""
    moments = [json.loads(line["text"]).get("t1") for line in whole(conversation.lines) if line["by"] == "client" and line.get("text", "").startswith('{"t":"')
               and line["frame"] == "text" and line["text"].endswith("}")]
    moments = [one for one in moments if one is not None]
    if len(set(moments)) != len(moments):
        yield "two messages of the client have one t1"
    for line in conversation.lines:
        if line["by"] == "person" and line["frame"] in ("shown", "told", "ended"):
            json.loads(line["text"])
        if line["frame"] == "press" and line["text"].split()[0] not in PRESSES:
            yield f"line {line['n']}: a person cannot press {line['text']}"


def of_http(lines):
    """Heads are whole, bodies are as long as they say, and an upgrade is answered as RFC 6455 says."""
    request, *rest = lines
    first, fields, body = head(request["text"])
    if "host" not in fields or not first.endswith(" HTTP/1.1") or "\r\n\r\n" not in request["text"]:
        yield "its request is no request of HTTP/1.1 with a Host"
    for line in lines:
        if line["frame"] in ("request", "answer"):
            _, own, content = head(line["text"])
            if int(own.get("content-length", 0)) != len(content.encode()):
                yield f"line {line['n']} says another length than its body has"
    if not rest or rest[0]["frame"] != "answer":
        yield "its request has no answer"
        return
    answered, own, _ = head(rest[0]["text"])
    if " 101 " in answered:
        if own.get("sec-websocket-accept") != accept(fields["sec-websocket-key"]) or own.get("sec-websocket-protocol") != "baton.v1":
            yield "the upgrade is not accepted as RFC 6455 says"
    elif len(rest) > 1:
        yield "something comes behind an answer that is no upgrade"
