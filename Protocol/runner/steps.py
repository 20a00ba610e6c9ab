"""What the steps of a scenario mean. README.md lists them for people; `VERBS` lists them for machines.

A `Play` walks through the steps in a world, live or replayed, and stops at the first one that does
not hold. It keeps the variables, the numbers of commands and how far each connection was read.
"""

import json
import re

from pattern import MISSING, fill, matches, pointer
from pictures import Transfer, frame
from schema import NotJSON, strict
from trace import message
from websocket import TEXT
from world import as_json

WITHIN_MS = 2000


class Fails(Exception):
    """A step did not hold: its place and a sentence."""


class Play:
    def __init__(self, world, scenario):
        self.world, self.scenario = world, scenario
        self.variables = {"music": world.music}
        self.numbers, self.cursors, self.opened, self.keys = {}, {}, {}, 0
        self.step_us = 0

    def run(self):
        self.walk(self.scenario["steps"], "")

    def walk(self, steps, prefix):
        for index, raw in enumerate(steps, 1):
            path = f"{prefix}{index}"
            verb = next((name for name in raw if name in VERBS), None)
            if verb is None:
                raise Fails(f"step {path} has no verb that the runner knows: {sorted(raw)}")
            if verb in ("repeat", "each"):
                VERBS[verb](self, raw, path)
                continue
            step = fill(raw, self.variables)
            self.step_us = self.world.do("step", path)["us"]
            try:
                VERBS[verb](self, step, path)
            except Fails as failed:
                raise Fails(f"step {path} ({verb} {step[verb] if isinstance(step[verb], str) else ''}): {failed}") from None

    # Seeing

    def deadline(self, step):
        # A busy machine may be given more time; what must not happen is awaited no longer for it.
        return self.step_us + int(step.get("within", WITHIN_MS) * 1000 * self.scenario.get("patience", 1))

    def next_message(self, conn, pattern, step, strictly=False):
        """The next message that fits; with `strictly` nothing else may come before it."""
        last = []

        def wanted(entry):
            if entry.get("conn") != conn or entry["kind"] not in ("in", "close"):
                return False
            if entry["kind"] == "close":
                raise Fails(f"connection {conn} ended with {entry['code']} {entry['why']!r} instead of {show(pattern)}")
            value = message(entry)
            if matches(pattern, value):
                return True
            last.append(value)
            if strictly:
                raise Fails(f"expected {show(pattern)} next, and {show(value)} came")
            return False
        entry = self.world.wait_for(self.cursors.get(conn, 0), self.deadline(step), wanted)
        if entry is None:
            raise Fails(f"nothing like {show(pattern)} came within {step.get('within', WITHIN_MS)} ms; last came {show(last[-3:])}")
        self.cursors[conn] = entry["n"] + 1
        return message(entry)

    def save(self, step, value):
        for name, path in step.get("save", {}).items():
            found = pointer(value, path)
            if found is MISSING:
                raise Fails(f"there is nothing at {path} in {show(value)}")
            self.variables[name] = found

    # Doing

    def open(self, step, path):
        conn = step["open"]
        entry = self.world.do(
            "open", path, conn=conn, channel=step.get("channel", "tcp"), headers=step.get("headers", []), path=step.get("path"),
            subprotocol=step.get("subprotocol"))
        wanted = step.get("status", 101)
        if not matches(wanted, entry["status"]):
            raise Fails(f"the upgrade was answered by {entry['status']} {entry.get('body', '')[:120]!r}, not by {wanted}")
        if "answer" in step and not matches(step["answer"], entry):
            raise Fails(f"the answer was {show(entry)}")
        self.numbers[conn], self.cursors[conn], self.opened[conn] = 0, entry["n"], entry["n"]
        if step.get("raw") or entry["status"] != 101:
            return
        hello = {"t": "hello", "v": [1], "profile": step.get("profile", "full"), "client": step.get("client", {"id": f"conn-{conn}-0000"}),
                 **step.get("hello", {})}
        self.world.do("send", path, conn=conn, payload=as_json(hello).encode())
        welcome = self.next_message(conn, {"t": "welcome"}, step)
        if not matches(step.get("welcome", {}), welcome):
            raise Fails(f"welcome was {show(welcome)}")
        state = self.next_message(conn, {"t": "state"}, step)
        if not matches(step.get("state", {"full": 1}), state):
            raise Fails(f"the first state was {show(state)}")
        self.variables.update({f"{conn}.{name}": welcome.get(name) for name in ("epoch", "boot", "role", "t3")})
        self.variables.update({f"{conn}.rev": state["rev"], f"{conn}.room": state.get("room"), f"{conn}.sections": list(state["s"])})
        self.save(step, {"welcome": welcome, "state": state})

    def cmd(self, step, path):
        conn = step.get("on", "a")
        self.numbers[conn] = step.get("id", self.numbers.get(conn, 0) + 1)
        sent = {"t": "cmd", "id": self.numbers[conn], "m": step["cmd"]}
        if step.get("k") == "auto":
            self.keys += 1
            step["k"] = f"auto-{self.keys}"
        sent.update({name: step[name] for name in ("k", "room", "ct", "ttl", "p") if name in step})
        late = isinstance(step.get("ct"), dict)
        if late:
            sent["ct"] = (self.variables[f"{conn}.t3"] - 0) // 1000 - step["ct"]["age"] if "age" in step["ct"] else 0
        self.world.do("send", path, conn=conn, payload=as_json(sent).encode(), late=late)
        if step.get("wait", True) is False:
            return
        self.answered(step, conn, self.numbers[conn])

    def answered(self, step, conn, number):
        wish = step.get("expect", {"ok": 1})
        reply = self.next_message(conn, {"t": "res", "id": number}, step)
        if not matches(wish, reply):
            raise Fails(f"the answer was {show(reply)}, not {show(wish)}")
        self.save(step, reply)

    def answer(self, step, path):
        self.answered(step, step.get("on", "a"), step["answer"])

    def send(self, step, path):
        text = as_json(step["send"])
        if "pad" in step:
            missing = step["pad"] - len(text.encode())
            if missing < 0:
                raise Fails(f"the message is longer than {step['pad']} bytes already")
            text += " " * missing
        self.world.do("send", path, conn=step.get("on", "a"), payload=text.encode("utf-8", "surrogatepass"))

    def text(self, step, path):
        self.world.do("send", path, conn=step.get("on", "a"), payload=step["text"].encode("utf-8", "surrogatepass"), **how(step))

    def bytes(self, step, path):
        self.world.do("send", path, conn=step.get("on", "a"), payload=bytes.fromhex(step["bytes"]), **how(step))

    def write(self, step, path):
        self.world.do("write", path, conn=step.get("on", "a"), data=bytes.fromhex(step["write"]))

    def expect(self, step, path):
        conn = step.get("on", "a")
        self.save(step, self.next_message(conn, step["expect"], step, step.get("next", False)))

    def never(self, step, path):
        conn = step.get("on", "a")
        end = self.step_us + step["for"] * 1000
        self.world.do("wait", path, ms=step["for"])
        entry = self.world.wait_for(
            self.cursors.get(conn, 0), end, lambda e: e.get("conn") == conn and e["kind"] == "in" and matches(step["never"], message(e)))
        if entry:
            raise Fails(f"{show(message(entry))} came, which must not")

    def closed(self, step, path):
        conn = step.get("on", "a")
        codes = step["closed"] if isinstance(step["closed"], list) else [step["closed"]]
        entry = self.world.wait_for(
            self.cursors.get(conn, 0), self.deadline(step), lambda e: e["kind"] == "close" and e["conn"] == conn)
        if entry is None:
            raise Fails(f"the connection was still open after {step.get('within', WITHIN_MS)} ms, and {codes} was to close it")
        if entry["code"] not in codes:
            raise Fails(f"it was closed with {entry['code']} {entry['why']!r}, not with {codes}")
        self.cursors[conn] = entry["n"] + 1

    def http(self, step, path):
        """Asks once, or with `again` until the answer is right or so many ms are over."""
        while True:
            try:
                return self.asked(step, path)
            except Fails:
                if self.world.entries[-1]["us"] > self.step_us + step.get("again", 0) * 1000 * self.scenario.get("patience", 1):
                    raise
            self.world.do("wait", path, ms=100)

    def asked(self, step, path):
        body = step.get("body", "")
        body = body if isinstance(body, str) else as_json(body)
        entry = self.world.do(
            "http", path, method=step["http"], path=step["path"], headers=step.get("headers", []), body=body.encode(),
            channel=step.get("channel", "tcp"))
        if not matches(step.get("status", 200), entry["status"]):
            raise Fails(f"it was answered by {entry['status']} {entry['body'][:200]!r}, not by {step.get('status', 200)}")
        if "answer" in step and not matches(step["answer"], entry):
            raise Fails(f"the answer was {show(entry)}")
        self.save({"save": step.get("keep", {})}, entry)
        if "expect" in step or "save" in step:
            try:
                value = strict(entry["body"])
            except NotJSON as error:
                raise Fails(f"the body is no JSON: {error}") from None
            if not matches(step.get("expect", {}), value):
                raise Fails(f"the body was {show(value)}")
            self.save(step, value)

    def scanned(self, step, path):
        """Waits until so many tracks are in the library and no scan goes on."""
        state = {"s": {"lib": {"tracks": step["scanned"], "scan": {"~absent": True}}}}
        self.http({"http": "GET", "path": "/companion/v1/state", "expect": state, "again": step.get("within", 15_000)}, path)

    def picture(self, step, path):
        """The frames of one picture to its end, and how many texts came among them."""
        conn, found, texts = step.get("on", "a"), None, 0

        def ends(entry):
            nonlocal found, texts
            one = frame(entry) if entry.get("conn") == conn else None
            if one is None or one["xfer"] != step["picture"]:
                texts += found is not None and entry.get("conn") == conn and entry.get("op") == TEXT and entry["kind"] == "in"
                return False
            found = found or Transfer(one)
            found.take(one)
            return found.is_over
        if self.world.wait_for(self.opened[conn], self.deadline(step), ends) is None:
            raise Fails(f"picture {step['picture']} was not whole within {step.get('within', WITHIN_MS)} ms; it had {found and found.frames} frames")
        seen = found.seen(texts)
        if not matches(step["is"], seen):
            raise Fails(f"the picture was {show(seen)}, not {show(step['is'])}")

    def check(self, step, path):
        value = step["check"]
        if not matches(step["is"], value):
            raise Fails(f"{show(value)} is not {show(step['is'])}")

    def count(self, step, path):
        """How many messages like the pattern came since the first step, and how many bytes they had."""
        conn = step.get("on", "a")
        since = step.get("since", 0)
        found = [e for e in self.world.entries if e["n"] >= since and e["kind"] == "in" and e["conn"] == conn and matches(step["count"], message(e))]
        sizes = [entry["size"] for entry in found]
        seen = {"n": len(sizes), "max": max(sizes, default=0), "bytes": sum(sizes), "median": sorted(sizes)[len(sizes) // 2] if sizes else 0}
        if not matches(step["is"], seen):
            raise Fails(f"{seen} is not {show(step['is'])}")

    def mark(self, step, path):
        self.variables[step["mark"]] = self.world.entries[-1]["n"]

    def simple(verb, *names):
        def perform(self, step, path):
            self.world.do(verb, path, **{name: step[key] for name, key in names})
        return perform

    def restart(self, step, path):
        entry = self.world.do("restart", path, how=step["restart"])
        if not matches(step.get("code", {"~any": 1}), entry["code"]):
            raise Fails(f"the hub ended with {entry['code']}")

    def memory(self, step, path):
        entry = self.world.do("memory", path)
        if not matches(step.get("is", {"~gt": 0}), entry["kib"]):
            raise Fails(f"the hub holds {entry['kib']} KiB")
        self.variables[step["memory"]] = entry["kib"]

    def repeat(self, step, path):
        for index in range(fill(step["repeat"], self.variables)):
            self.variables["i"] = index
            self.variables["odd"] = index % step.get("odd", 2)
            self.walk(step["steps"], f"{path}.{index}.")

    def each(self, step, path):
        for index, value in enumerate(fill(step["each"], self.variables)):
            self.variables["it"] = value
            self.walk(step["steps"], f"{path}.{index}.")

    cut = simple("cut", ("conn", "cut"))
    stall = simple("stall", ("conn", "stall"))
    read = simple("read", ("conn", "read"))
    wait = simple("wait", ("ms", "wait"))
    clock = simple("clock", ("shift", "clock"))
    file = simple("file", ("name", "file"), ("seconds", "seconds"))


def how(step):
    return {name: step[name] for name in ("op", "final", "masked", "claim") if name in step}


def show(value):
    text = json.dumps(value, ensure_ascii=False, default=lambda _: "nothing")
    return text if len(text) < 300 else text[:300] + "…"


VERBS = {name: getattr(Play, name) for name in (
    "repeat", "each", "open", "cmd", "answer", "send", "text", "bytes", "write", "expect", "never", "closed", "http", "scanned", "picture", "check", "count", "mark",
    "cut", "stall", "read", "wait", "file", "restart", "clock", "memory")}
IDS = re.compile(r"BT-[A-Z]+-[A-Za-z0-9_.]+")
