"""What crosses one connection, message by message: schemas, one answer for each command, revisions without a hole, limits."""

import json
import struct

from conversations.files import compact, head, payload
from runner import schema

HUB_FRAME, CLIENT_FRAME = 65536, 16384
FORMATS = {1: ("jpeg", b"\xff\xd8"), 2: ("png", b"\x89PNG")}


def complaints(lines, header):
    """What is wrong on one connection, as sentences that begin with the line."""
    if " 101 " not in head(lines[1]["text"])[0] if len(lines) > 1 else True:
        yield from of_scripts(lines, header)
        return
    course = Course(header)
    for line in lines[2:]:
        for sentence in course.take(line):
            yield f"line {line['n']}: {sentence}"
    yield from course.end()


class Validators:
    """The schemas as a sender is bound by them, and as a reader has to read."""

    closed = opened = None

    @classmethod
    def of(cls, is_open):
        if cls.closed is None:
            found = schema.load()
            cls.closed, cls.opened = schema.Validator(found), schema.Validator(schema.opened(found))
        return cls.opened if is_open else cls.closed


def fits(name, value, is_open=False):
    """What a schema says against a value. An open one lets members and words of enumerations pass that no definition has."""
    validator = Validators.of(is_open)
    if name not in validator.schemas:
        return [f"there is no schema {name}"]
    return [sentence for sentence in validator.complaints(name, value) if not is_open or "must be one of" not in sentence]


def of_scripts(lines, header):
    """One request by HTTP and its answer."""
    status, _, body = head(lines[1]["text"])
    if not body.startswith("{"):
        return
    value = json.loads(body)
    yield from (f"line {lines[1]['n']}: {sentence}" for sentence in fits(f"hub/{value.get('t')}", value))
    if value.get("t") == "res" and bool(value["ok"]) != (" 200 " in status):
        yield f"line {lines[1]['n']}: the status {status} belongs to another answer"


class Course:
    """One connection, as far as it has been read."""

    def __init__(self, header):
        self.header, self.is_unknown = header, header.get("unknown", False)
        self.view, self.most, self.welcome, self.hello = None, HUB_FRAME, None, None
        self.open, self.methods, self.last_id, self.rev, self.has_room = {}, {}, 0, None, False
        self.wants_whole = self.is_over = False
        self.refused, self.pictures, self.picture, self.times = None, {}, None, []

    def take(self, line):
        if self.is_over:
            yield "something comes behind the end"
        if self.refused and line["by"] == "hub":
            yield from self.refusal(line)
        if line["frame"] in ("close", "cut"):
            self.is_over = True
        elif line["frame"] == "text":
            yield from self.text(line)
        elif line["frame"] == "binary":
            yield from self.binary(line)

    def end(self):
        if not self.is_over and self.open:
            yield f"the command {min(self.open)} gets no answer"
        if not self.is_over and self.refused:
            yield f"it is not refused: {self.refused[1]}"
        if self.picture is not None:
            yield "a picture has no end"

    def refusal(self, line):
        """What the hub says next of a message that no definition has."""
        (number, why), self.refused = self.refused, None
        value = json.loads(line["text"]) if line["frame"] == "text" and line.get("text", "").startswith("{") else {}
        if line["frame"] == "close" or value.get("t") == "err" or (value.get("t") == "res" and value["id"] == number and not value["ok"]):
            return
        yield f"a message was not refused, and {why}"

    def text(self, line):
        data = payload(line)
        if len(data) > (self.most if line["by"] == "hub" else CLIENT_FRAME) and not (line["by"] == "client" and self.welcome is None):
            yield f"the frame has {len(data)} bytes"
        try:
            value = schema.strict(data.decode())
            if not isinstance(value, dict):
                raise schema.NotJSON("it is no object")
            if line["by"] == "client" and self.welcome is None and len(data) > 4096:
                raise schema.NotJSON("it is longer than a frame before welcome")
        except (schema.NotJSON, UnicodeDecodeError) as fault:
            if line["by"] == "hub":
                yield f"it is no message: {fault}"
            self.refused = (None, str(fault))
            return
        yield from (self.said if line["by"] == "hub" else self.asked)(value, line)

    # The client

    def asked(self, value, line):
        kind = value.get("t")
        # A hello may have members of years to come; a command may not.
        wrong = fits(f"client/{kind}", value, is_open=kind == "hello")
        if kind == "hello" and self.hello is None and not wrong:
            self.hello, self.view, self.text_of_hello = value, value["view"] if value["view"] in ("watch", "full") else "remote", line["text"]
        elif kind == "hello" or (self.welcome is None and kind not in ("auth", "pair", "bye")):
            wrong = wrong or ["it comes out of its turn"]
        if wrong and kind == "hello" and self.hello is None and str(value.get("core", "")).partition(".")[0] != "1":
            wrong = ["it is of another major version"]
        if kind == "hello" and not str(value.get("core", "")).startswith("1."):
            wrong = ["it is of another major version"]
        if kind in ("cmd", "sub") and isinstance(value.get("id"), int):
            if value["id"] <= self.last_id:
                yield f"the id {value['id']} does not grow"
            self.last_id, self.open[value["id"]], self.methods[value["id"]] = value["id"], value, value.get("m")
        if kind == "sync":
            self.wants_whole = True
        if kind == "time":
            self.times.append(value["t1"])
        if wrong:
            self.refused = (value.get("id"), wrong[0])

    # The hub

    def said(self, value, line):
        kind = value.get("t")
        if self.is_unknown and kind.count(".") > 1:
            return
        yield from fits(f"hub/{kind}", value, self.is_unknown)
        yield from getattr(self, f"said_{kind}", lambda value, line: ())(value, line)
        if "s" in value and self.view:
            yield from fits(f"view/{self.view}", value["s"], self.is_unknown) if not any(one.get("t") == "sub" for one in self.open.values()) else ()

    def said_welcome(self, value, line):
        self.welcome, self.most = value, value.get("max", HUB_FRAME)
        if value.get("t1") != self.hello.get("t1") or value["t2"] > value["t3"]:
            yield "its stamps are not those of the hello"
        if value.get("max") != self.hello.get("max"):
            yield "max is not that of the hello"
        if "features" in self.hello and not {one.partition("@")[0] for one in value["features"]} <= set(self.hello["features"]):
            yield "it lists profiles that the hello did not name"
        if len(payload(line)) > self.most:
            yield f"the frame has {len(payload(line))} bytes"

    def said_time(self, value, line):
        if value["t1"] not in self.times or value["t2"] > value["t3"]:
            yield "its stamps are not those of a question"

    def said_state(self, value, line):
        if self.welcome is None:
            yield "a state comes before welcome"
        if not self.has_room and "room" not in value:
            yield "the first state names no room"
        self.has_room = True
        yield from self.follow(value)
        if value.get("full"):
            self.wants_whole = False

    def follow(self, value):
        held = self.hello.get("resume", {}).get("rev") if self.rev is None else self.rev
        if not value.get("full") and value.get("from") != held:
            yield f"it goes on from {value.get('from')}, and {held} was the last revision"
        if self.rev is not None and value["rev"] < self.rev:
            yield f"the revision falls from {self.rev} to {value['rev']}"
        self.rev = value["rev"]

    def said_res(self, value, line):
        asked = self.open.pop(value["id"], None)
        if asked is None:
            yield f"{value['id']} was not asked, or was answered before"
            return
        if value["rx"] > value["tx"]:
            yield "it leaves before its command has come"
        if self.open and min(self.open) < value["id"]:
            yield f"the command {min(self.open)} was given before, and has no answer"
        if "s" in value:
            yield from self.follow(value)
        if value["ok"] and self.rev is not None and value["rev"] > self.rev:
            yield f"it speaks of the revision {value['rev']}, and the state has reached {self.rev}"
        data = f"hub/data/{asked.get('m')}"
        if "d" in value:
            yield from fits(data, value["d"], self.is_unknown)
        if asked.get("m") == "art.get" and value["ok"]:
            self.pictures[value["d"]["xfer"]] = value["d"]

    # Pictures

    def binary(self, line):
        """Frames of a picture, in the form that the profile library gives them."""
        data = payload(line)
        if data[0] >= 0xC0:
            name = data[2:2 + data[1]].decode()
            if not self.is_unknown or name.count(".") < 2 or len(data) <= 2 + data[1]:
                yield "it is no frame of a vendor"
            return
        if data[0] != 0x10 or len(data) < 4:
            yield "it is no frame of a picture"
            return
        flags, number = data[1], struct.unpack_from(">H", data, 2)[0]
        if flags & 1:
            total, form, width, height = struct.unpack_from(">IBHH", data, 4)
            told = self.pictures.get(number, {})
            name, magic = FORMATS.get(form, (None, b"?"))
            if [told.get(member) for member in ("total", "fmt", "w", "h")] != [total, name, width, height]:
                yield f"the picture is not as its answer says: {compact(told)}"
            if self.picture is not None or not data[13:].startswith(magic):
                yield "a picture begins before another has ended, or is of another format"
            self.picture = (number, total, len(data) - 13)
        elif self.picture is None or self.picture[0] != number:
            yield f"picture {number} has not begun"
            return
        else:
            self.picture = (number, self.picture[1], self.picture[2] + len(data) - 4)
        if flags & 6:
            if flags & 2 and self.picture[1] != self.picture[2]:
                yield f"the picture has {self.picture[2]} bytes, and {self.picture[1]} were announced"
            self.picture = None
