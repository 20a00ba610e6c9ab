"""What can be wrong with a network, and what a hub may say that a client does not know: the faults of proxy.py."""

import random

from runner.registered import RETRY

FAULTS = {
    "delay:LOW-HIGH": "every frame comes so many ms later, at random between the two, and keeps its place; any number is on its way at once",
    "lossy:PERCENT": "each frame is lost with this chance and comes again later, as TCP has it: after 200 ms more, then 400 and so on",
    "drop:SIDE:TYPE[:N]": "the next N (1) messages of this type from this side, client or hub, vanish; the type full is a whole state",
    "cut:TYPE[:COMMAND][:N]": "when the hub answers the next message of this type from a client, or its next command of this name, as in cut:cmd:next, the line is cut, and neither the answer nor anything before it comes back; N times (1)",
    "hang:MS": "the connections that are open pass nothing for so long, and neither side is told",
    "halfopen": "the connections that are open now pass nothing any more, and neither side is told",
    "throttle:BYTES": "the hub's side passes so many bytes a second",
    "reorder:TYPE": "the next message of this type waits until another connection's has overtaken it, at most 2 s",
    "cutall": "every connection is cut now",
    "close:CODE": "every client is told a close code, as if by its hub, and cut",
    "add:WHAT": "from now on the hub says things that no specification knows: a member, a section, a message, an op of the queue; or spelling: what it says as before, its members in another order and its numbers with a point",
    "answer:CODE[:COMMAND]": "the next answer of the hub, or its next one to this command, is an error of this code",
    "limit:COMMAND:MS[:N]": "the next N (1) commands of this name do not reach the hub, and are refused as rate_limited with so many ms in afterMs",
    "features:none": "welcome lists no profiles",
    "pace:MS": "welcome promises a word at least every so many ms",
    "fresh": "the next connection is of a client that was started anew; only the judge of clients asks",
    "key:FILE": "new connections by TLS are shown the key in this file",
    "to:HOST:PORT": "the TLS port of the hub is here from now on; only the judge of clients asks",
    "upgrade:STATUS": "new connections are answered by this HTTP status, with a Retry-After of 2 s for 429 and 503",
    "refuse": "new connections are cut at once",
    "clear": "all faults end but those from the start, and new connections pass",
}


class Faults:
    """What is wrong at the moment."""

    def __init__(self, seed):
        self.random, self.network = random.Random(seed), []
        self.clear()

    def clear(self):
        self.delay = (0, 0)
        self.drops, self.cuts, self.reorders = {}, {}, {}
        self.rate, self.loss = None, 0
        self.added, self.errors, self.most, self.status = set(), [], None, None
        self.limits, self.limit_ms = {}, 0
        self.hides = False
        self.refuses = False
        for word in self.network:
            self.set(*word.split(":"))

    def take(self, table, key):
        if table.get(key, 0) <= 0:
            return False
        table[key] -= 1
        return True

    def pause(self):
        seconds, again = self.random.uniform(*self.delay) / 1000, 0.2
        while self.random.random() * 100 < self.loss:
            seconds, again = seconds + again, again * 2
        return seconds

    def set(self, name, *rest):
        """One fault that stays until `clear`; false when there is none of this name."""
        if name == "delay":
            low, _, high = rest[0].partition("-")
            self.delay = (float(low), float(high or low))
        elif name == "lossy":
            self.loss = min(90, float(rest[0]))
        elif name == "drop":
            self.drops[(rest[0], rest[1])] = int(rest[2]) if len(rest) > 2 else 1
        elif name == "cut":
            *words, count = rest if len(rest) > 1 and rest[-1].isdecimal() else [*rest, "1"]
            self.cuts[tuple(words)] = int(count)
        elif name == "reorder":
            self.reorders[rest[0]] = 1
        elif name == "throttle":
            self.rate = float(rest[0])
        elif name == "add" and rest[0] in STRANGE:
            self.added.add(rest[0])
        elif name == "answer":
            self.errors.append((rest[0], rest[1] if len(rest) > 1 else None))
        elif name == "limit":
            self.limits[rest[0]], self.limit_ms = int(rest[2]) if len(rest) > 2 else 1, int(rest[1])
        elif name == "pace":
            self.most = int(rest[0])
        elif name == "features":
            self.hides = True
        elif name == "upgrade":
            self.status = int(rest[0])
        elif name == "refuse":
            self.refuses = True
        else:
            return False
        return True

    def changed(self, message, asked, limited):
        """The messages that reach the client instead of this one of the hub; nothing when it passes as it is. `asked` knows the commands of
        the connection by their ids, `limited` for how long those were put off that a fault has refused."""
        found, kind = dict(message), message.get("t")
        if kind in ("challenge", "pair"):
            # Proofs cover these, so that a client would be right to end the connection.
            return None
        if kind == "res" and self.errors and self.errors[0][1] in (None, asked.get(message["id"])):
            found = refusal(message, self.errors.pop(0)[0])
        if kind == "res" and message["id"] in limited:
            found = refusal(message, "rate_limited", afterMs=limited.pop(message["id"]))
        if kind == "welcome" and self.most:
            found["pace"] = [message["pace"][0], self.most]
        if kind == "welcome" and self.hides:
            found["features"] = []
        for name in self.added:
            STRANGE[name](found, kind)
        more = [{"t": "x-runner.news", "mood": "fine"}] if "message" in self.added and kind == "state" else []
        return [*more, found] if more or found != message or "spelling" in self.added else None


def refusal(message, code, **more):
    """An answer of the hub as a refusal."""
    return {"t": "res", "id": message["id"], "ok": 0, "rx": message["rx"], "tx": message["tx"],
            "err": {"code": code, "retry": int(code in RETRY), "msg": "The runner made this answer.", **more}}


def strange_member(found, kind):
    found["x-runner.mood"] = {"fine": [1, None]}
    if "features" in found.get("d", {}):
        # Of what a hub is, too: some of what it says is missing, and other things come.
        found["d"] = {name: value for name, value in found["d"].items() if name not in ("upMs", "wallMs")} | {"x-runner.mood": "fine"}


def strange_section(found, kind):
    if kind == "state":
        found["s"] = {"x-runner.lights": {"on": True}, **found["s"]}


def strange_op(found, kind):
    if kind == "q" and "ops" in found:
        found["ops"] = [["x-runner.spin", "q1"], *found["ops"]]


def strange_spelling(found, kind):
    """The same for every reader of JSON: neither order nor spelling of a number says anything."""
    members = list(found.items())[::-1]
    found.clear()
    found.update((name, spelled(value)) for name, value in members)


def spelled(value):
    if isinstance(value, dict):
        return {name: spelled(value[name]) for name in reversed(value)}
    if isinstance(value, list):
        return [spelled(one) for one in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


STRANGE = {"member": strange_member, "section": strange_section, "message": lambda found, kind: None, "op": strange_op, "spelling": strange_spelling}
