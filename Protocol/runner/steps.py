"""What the steps of a scenario mean. README.md lists them for people; `VERBS` lists them for machines.

A `Play` walks through the steps in a world, live or replayed, and stops at the first one that does
not hold. It keeps the variables, the numbers of commands and how far each connection was read.
"""

import re

from runner.around import Surroundings
from runner.asking import Asking
from runner.failing import WITHIN_MS, Fails, Skips, show
from runner.identity import DEFAULT, Identity
from runner.pattern import MISSING, fill, matches, pointer
from runner.trace import message
from runner.world import as_json


class Play(Asking, Identity, Surroundings):
    def __init__(self, world, scenario):
        self.world, self.scenario = world, scenario
        self.variables = {"music": world.music, **world.variables}
        # The channel of a step that does not name one, and the devices that have been paired.
        self.through, self.paired = scenario.get("through", "tcp"), set(world.kept)
        self.numbers, self.cursors, self.opened, self.views, self.keys, self.windows = {}, {}, {}, {}, 0, 0
        self.step_us = 0

    def run(self):
        self.walk(self.scenario["steps"], "")

    def walk(self, steps, prefix):
        for path, raw in spread(steps, prefix, self.variables.get("all.names")):
            verb = next((name for name in raw if name in VERBS), None)
            if verb is None:
                raise Fails(f"step {path} has no verb that the runner knows: {sorted(raw)}")
            if verb in ("repeat", "each", "when"):
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
        conn, channel = step["open"], step.get("channel", self.through)
        device = step.get("device", DEFAULT)
        if channel == "tls" and not step.get("raw") and device not in self.paired:
            self.enrol(device, path)
        entry = self.world.do(
            "open", path, conn=conn, channel=channel, headers=step.get("headers", []), path=step.get("path"),
            subprotocol=step.get("subprotocol"))
        wanted = step.get("status", 101)
        if not matches(wanted, entry["status"]):
            raise Fails(f"the upgrade was answered by {entry['status']} {entry.get('body', '')[:120]!r}, not by {wanted}")
        if "answer" in step and not matches(step["answer"], entry):
            raise Fails(f"the answer was {show(entry)}")
        self.numbers[conn], self.cursors[conn], self.opened[conn] = 0, entry["n"], entry["n"]
        if step.get("raw") or entry["status"] != 101:
            return
        client = step.get("client", {"id": f"conn-{conn}-0000"})
        if len(client["id"]) < 50:
            client = {**client, "id": client["id"] + self.variables["u"]}
        self.views[conn] = step.get("view", "full")
        hello = {"t": "hello", "core": "1.0", "view": step.get("view", "full"), "client": client, **step.get("hello", {})}
        self.world.do("send", path, conn=conn, payload=as_json(hello).encode())
        if channel == "tls":
            self.next_message(conn, {"t": "challenge"}, step)
            self.world.do("auth", path, conn=conn, device=device)
        welcome = self.next_message(conn, {"t": "welcome"}, step)
        if not matches(step.get("welcome", {}), welcome):
            raise Fails(f"welcome was {show(welcome)}")
        state = self.next_message(conn, {"t": "state"}, step)
        if not matches(step.get("state", {"full": 1}), state):
            raise Fails(f"the first state was {show(state)}")
        self.variables.update({f"{conn}.{name}": welcome.get(name) for name in ("epoch", "boot", "role", "t3")})
        self.variables.update({f"{conn}.rev": state.get("rev"), f"{conn}.room": state.get("room"), f"{conn}.sections": list(state.get("s") or ())})
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
            sent["ct"] = self.variables[f"{conn}.t3"] // 1000 - step["ct"]["age"]
            if self.views.get(conn) == "watch":
                sent["ct"] %= 2**31
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
        conn = step.get("on", "a")
        text = as_json(step["send"])
        if "pad" in step:
            missing = step["pad"] - len(text.encode())
            if missing < 0:
                raise Fails(f"the message is longer than {step['pad']} bytes already")
            text += " " * missing
        # Commands and subscriptions have numbers of one sequence.
        if isinstance(step["send"].get("id"), int) and step["send"].get("t") in ("cmd", "sub"):
            self.numbers[conn] = max(self.numbers.get(conn, 0), step["send"]["id"])
        self.world.do("send", path, conn=conn, payload=text.encode("utf-8", "surrogatepass"))

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

    def simple(verb, *names):
        def perform(self, step, path):
            self.world.do(verb, path, **{name: step[key] for name, key in names})
        return perform

    def restart(self, step, path):
        entry = self.world.do("restart", path, how=step["restart"], changed=step.get("hub"))
        if not matches(step.get("code", {"~any": 1}), entry["code"]):
            raise Fails(f"the hub ended with {entry['code']}")

    def repeat(self, step, path):
        for index in range(fill(step["repeat"], self.variables)):
            self.variables["i"] = index
            self.variables["odd"] = index % step.get("odd", 2)
            self.walk(step["steps"], f"{path}.{index}.")

    def each(self, step, path):
        for index, value in enumerate(fill(step["each"], self.variables)):
            self.variables["it"] = value
            self.walk(step["steps"], f"{path}.{index}.")

    def when(self, step, path):
        """Steps where a value is so, and others where it is not: where the specification leaves a choice."""
        is_so = matches(fill(step["is"], self.variables), fill(step["when"], self.variables))
        self.walk(step["steps"] if is_so else step.get("else", []), f"{path}.{'' if is_so else 'else.'}")

    cut = simple("cut", ("conn", "cut"))
    stall = simple("stall", ("conn", "stall"))
    read = simple("read", ("conn", "read"))
    silent = simple("silent", ("conn", "silent"))
    wait = simple("wait", ("ms", "wait"))
    clock = simple("clock", ("shift", "clock"))
    folder = simple("folder", ("gone", "gone"))
    file = simple("file", ("name", "file"), ("seconds", "seconds"))


def spread(steps, prefix, names):
    """Steps with their places. Where no one item stands for several tracks, `$all` is written as all of them."""
    for index, step in enumerate(steps, 1):
        path, p = f"{prefix}{index}", step.get("p", {}) if isinstance(step.get("p"), dict) else {}
        if names and step.get("cmd") == "play" and p.get("uri") == "$all":
            yield from replaced(step, path, names)
        elif names and "$all" in (p.get("uris") or []):
            yield path, {**step, "p": {**p, "uris": [one for uri in p["uris"] for one in ([f"${name}" for name in names] if uri == "$all" else [uri])]}}
        elif names and "steps" not in step and '"$all"' in as_json(step):
            raise Skips("it needs one item that stands for several tracks, and a hub that is running has none that is known")
        else:
            yield path, step


def replaced(step, path, names):
    """`play` of all tracks as three commands: the queue is replaced by them, and plays."""
    p, on = dict(step["p"]), {name: step[name] for name in ("on", "room", "within") if name in step}
    if set(step) - {"cmd", "on", "room", "within", "k", "p", "save", "expect"} or step.get("expect", {"ok": 1}) not in ({"ok": 1}, {"st": "applied"}, {"ok": 1, "st": "applied"}):
        raise Skips("it needs one item that stands for several tracks, and a hub that is running has none that is known")
    p.pop("uri")
    uris, start = [f"${name}" for name in names], {"start": p["index"]} if "index" in p else {}
    yield f"{path}.a", {"cmd": "queue.get", **on, "save": {"all.base": "/d/rev"}}
    yield f"{path}.b", {"cmd": "queue.replace", **on, "k": step.get("k", "auto"), "save": step.get("save", {}),
                        "p": {"base": "$all.base", "uris": uris, **start, **({"posMs": p["posMs"]} if "posMs" in p else {})}}
    yield f"{path}.c", {"cmd": "play", **on}


def how(step):
    return {name: step[name] for name in ("op", "final", "masked", "claim") if name in step}


VERBS = {"window": Play.opened_window, "asked": Play.asked_for} | {name: getattr(Play, name) for name in (
    "repeat", "each", "when", "open", "cmd", "answer", "send", "text", "bytes", "write", "expect", "never", "closed", "http", "scanned", "picture", "check", "count", "mark",
    "device", "pair", "auth", "tls", "rekey", "silent", "cut", "stall", "read", "wait", "file", "restart", "clock", "memory", "pour", "folder", "found",
    "web", "server", "written", "recorded", "spoil", "stream", "heard")}
IDS = re.compile(r"BT-[A-Z]+-[A-Za-z0-9_.]+")
