"""The files of conversations: a header in the first line, and behind it one line for each thing that happens. README.md describes them."""

import base64
import json
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "v1")
# What can be in a line, by its member `frame`, and what its bytes are.
FRAMES = {
    "request": "an HTTP request", "answer": "an HTTP answer", "text": "a text frame", "more": "the rest of a text frame, or a part of it",
    "binary": "a binary frame", "ping": "a ping", "pong": "a pong", "close": "a close frame", "cut": "the connection is lost",
    "press": "a press of a person", "shown": "what the person sees", "told": "what the client answers to a press", "ended": "the client gives up",
}


class Conversation:
    """One file: its name, its header and its lines."""

    def __init__(self, name, header, lines):
        self.name, self.header, self.lines = name, header, lines

    @property
    def connections(self):
        return sorted({line.get("on", 1) for line in self.lines if line["by"] != "person"})


def load(only=()):
    """All conversations, or those whose name has one of these words, or is =WORD."""
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".jsonl"))
    found = [read(f"{FOLDER}/{name}") for name in names if not only or any(word in name or f"{word}.jsonl" == f"={name}" for word in only)]
    if not found:
        raise SystemExit(f"no conversation is named {', '.join(only)}")
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        header, *lines = [json.loads(line) for line in file]
    # Lines of one moment keep their order by their number.
    return Conversation(os.path.basename(path).removesuffix(".jsonl"), header, [{"n": n, **line} for n, line in enumerate(lines, 2)])


def payload(line):
    """The bytes of a line."""
    data = base64.b64decode(line["base64"]) if "base64" in line else line.get("text", "").encode()
    return line["code"].to_bytes(2, "big") + data if line["frame"] == "close" else data


def message(line):
    """The object in a text frame, or nothing where there is none."""
    if line["frame"] != "text" or "text" not in line:
        return None
    try:
        value = json.loads(line["text"])
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def whole(lines):
    """The lines with parts of one text frame joined, and without the pings between them. Each is a copy."""
    held, result = {}, []
    for line in lines:
        place = (line["by"], line.get("on", 1))
        if line["frame"] not in ("text", "more") or (line["frame"] == "text" and "fin" not in line):
            result.append(dict(line))
            continue
        first, data = held.get(place, (line, b""))
        held[place] = (first, data + payload(line))
        if "fin" not in line:
            first, data = held.pop(place)
            kept = {name: value for name, value in first.items() if name not in ("fin", "base64")}
            result.append({**kept, "n": line["n"], "at": line["at"], "text": data.decode()})
    return result


def head(text):
    """The first line, the headers and the body of HTTP, from its text."""
    first, _, body = text.partition("\r\n\r\n")
    line, *fields = first.split("\r\n")
    return line, {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}, body


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
