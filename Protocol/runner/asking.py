"""What a scenario asks beside its connections: over HTTP, of pictures, of what was counted and measured."""

from runner.failing import WITHIN_MS, Fails, show
from runner.identity import DEFAULT
from runner.pattern import matches
from runner.pictures import Transfer, frame
from runner.schema import NotJSON, Validator, strict
from runner.trace import message
from runner.websocket import TEXT
from runner.world import as_json

VALIDATOR = Validator()


class Asking:
    """Verbs of a `Play`."""

    def http(self, step, path):
        """Asks once, or with `again` until the answer is right or so many ms are over."""
        while True:
            try:
                return self.asked(step, path)
            except Fails:
                if self.world.entries[-1]["us"] > self.step_us + step.get("again", 0) * 1000 * self.scenario.get("patience", 1):
                    raise
            self.world.do("wait", path, ms=25)

    def asked(self, step, path):
        body = step.get("body", "")
        body = body if isinstance(body, str) else as_json(body)
        channel = step.get("channel", self.through)
        device = step.get("device", DEFAULT if channel == "tls" else None)
        if device and device not in self.paired:
            self.enrol(device, path)
        entry = self.world.do(
            "http", path, method=step["http"], path=step["path"], headers=step.get("headers", []), body=body.encode(),
            channel=channel, device=device, bearer=step.get("bearer", "bearer"))
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

    def pour(self, step, path):
        """A peer that is to be closed goes on all the same: how much is taken of it, and whether it is cut."""
        entry = self.world.do(
            "pour", path, conn=step.get("on"), channel=step.get("channel", self.through), head=step["pour"].encode(), most=step["most"],
            seconds=step.get("within", WITHIN_MS) / 1000 * self.scenario.get("patience", 1))
        if not matches(step["is"], entry["seen"]):
            raise Fails(f"of a peer that went on it was {show(entry['seen'])}")

    def found(self, step, path):
        """What is published by DNS-SD in the network of the hub: with `found`, until it is so; an empty list must stay empty for `for`."""
        while True:
            hubs = self.world.do("found", path, seconds=step.get("for", 1500) / 1000)["hubs"]
            wrong = [sentence for one in hubs for sentence in VALIDATOR.complaints("txt", dict(text.partition("=")[::2] for text in one["txt"]))]
            if wrong:
                raise Fails(f"the record {show(hubs)} is wrong: {wrong[0]}")
            if matches(step["found"], hubs):
                return
            if "for" in step or self.world.entries[-1]["us"] > self.deadline(step):
                raise Fails(f"published is {show(hubs)}, not {show(step['found'])}")

    def scanned(self, step, path):
        """Waits until so many tracks are in the library and no scan goes on. A hub without a library has read its music before."""
        has_none = {"features": {"~not": {"~some": {"~contains": "library@"}}}}
        state = {"~or": [has_none, {"s": {"lib": {"tracks": step["scanned"], "scan": {"~absent": True}}}}]}
        self.http({"http": "GET", "path": "/baton/state", "expect": state, "again": step.get("within", 15_000)}, path)

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

    def memory(self, step, path):
        entry = self.world.do("memory", path)
        if not matches(step.get("is", {"~gt": 0}), entry["kib"]):
            raise Fails(f"the hub holds {entry['kib']} KiB")
        self.variables[step["memory"]] = entry["kib"]
