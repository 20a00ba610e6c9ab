"""The hub before which a conversation is played: one that runs already, or one that an adapter starts."""

import json
import secrets
import time

from runner import hub as hubs
from runner.websocket import dial, request

MODES = {"repeat": False, "shuffle": False, "single": "off", "consume": "off"}
MUSIC = {f"{place}.wav": {"seconds": seconds, "title": title, "artist": "The Examples", "album": "A Day in Six Parts"}
         for place, (title, seconds) in enumerate((("First Light", 184), ("Kettle Song", 143), ("Noon, with Bicycles", 211)))}


PATIENCE_S, MOST = 10, 1 << 20


class NotNow(Exception):
    """Nothing can be played before this hub now: a sentence says why."""


def address(text):
    """Where the hub is that `--hub` names; nothing where that is an adapter."""
    scheme, _, rest = text.partition(":")
    place = rest.removeprefix("//").split("/")[0]
    if scheme == "ws":
        return place if ":" in place else place + ":9442"
    return text if scheme == "unix" else None


class Asking:
    """Questions and commands by HTTP, beside the conversation."""

    def __init__(self, address):
        self.address = address

    def http(self, method, path, body=b""):
        first, _, rest = self.answer(request(self.address, (), path, None, method, body)).partition(b"\r\n\r\n")
        try:
            return json.loads(rest)
        except ValueError:
            raise NotNow(f"the hub answered {method} {path} by {first[:80]!r} {rest[:200]!r}") from None

    def answer(self, asked):
        """What comes until the hub ends the connection, as much as an answer may be and as long as a person waits."""
        data, deadline = b"", time.monotonic() + PATIENCE_S
        try:
            with dial(self.address, PATIENCE_S) as link:
                link.sendall(asked)
                while (more := link.recv(65536)) and len(data) < MOST and time.monotonic() < deadline:
                    data += more
        except OSError as fault:
            raise NotNow(f"the hub at {self.address} does not answer: {fault}") from None
        return data

    def ask(self, method, **parameters):
        body = json.dumps({"t": "cmd", "id": 1, "m": method, "k": secrets.token_hex(6), "p": parameters}).encode()
        while not (answer := self.http("POST", "/baton/cmd", body)).get("ok"):
            error = answer.get("err", {})
            if error.get("code") not in ("rate_limited", "busy"):
                raise NotNow(f"the hub refused {method}: {error.get('msg', answer)}")
            time.sleep(error.get("afterMs", 200) / 1000)
        return answer

    def state(self):
        return self.http("GET", "/baton/state?view=full")["s"]

    def revision(self):
        return self.state()["queue"]["rev"]


class Hub:
    """A hub with three items that it can play."""

    def prepare(self, given):
        """Brings the first room to the state in which a conversation begins."""
        asks = self.asks
        asks.ask("mode.set", **{**MODES, **given.get("modes", {})})
        asks.ask("vol.mute", on=False)
        asks.ask("vol.set", level=given.get("level", 30))
        asks.ask("stop")
        if given.get("queue"):
            asks.ask("queue.replace", base=self.asks.revision(), uris=self.items[:given["queue"]])
        elif asks.state()["queue"]["len"]:
            asks.ask("queue.clear", base=self.asks.revision())
        wanted = given.get("st", "stopped")
        asks.ask({"playing": "play", "stopped": "stop"}[wanted])
        deadline = time.monotonic() + PATIENCE_S
        while asks.state()["tl"]["st"] != wanted:
            if time.monotonic() > deadline:
                raise NotNow(f"the hub was to be {wanted} and is not")
            time.sleep(0.05)


class Running(Hub):
    """A hub that runs already. Its queue, level and modes are put back; it must not play."""

    def __init__(self, address, playable):
        self.address, self.asks = address, Asking(address)
        self.items = playable.split(",") if playable else []

    def __enter__(self):
        self.before = state = self.asks.state()
        if state["tl"]["st"] in ("playing", "buffering"):
            raise NotNow("the hub plays: stop it first")
        rows, found = [], {"len": state["queue"]["len"]}
        while len(rows) < found["len"]:
            found = self.asks.ask("queue.get", **{"from": len(rows)})["d"]
            rows += found["rows"]
        self.uris = [row["uri"] for row in rows if "uri" in row]
        self.items = self.items or list(dict.fromkeys(self.uris))[:3]
        if len(self.items) < 3:
            raise NotNow("name three items that the hub can play: --playable URI,URI,URI")
        return self

    def __exit__(self, *_):
        before = self.before
        self.asks.ask("stop")
        self.asks.ask("mode.set", **{name: before["modes"].get(name, value) for name, value in MODES.items()})
        self.asks.ask("vol.set", level=before["vol"]["level"])
        self.asks.ask("vol.mute", on=before["vol"]["mute"])
        if self.uris:
            self.asks.ask("queue.replace", base=self.asks.revision(), uris=self.uris[:500], start=min(before["queue"].get("idx", 0), len(self.uris[:500]) - 1))
        else:
            self.asks.ask("queue.clear", base=self.asks.revision())


class Started(Hub):
    """A hub that an adapter starts for one conversation."""

    def __init__(self, adapter):
        self.hub = hubs.HubUnderTest(adapter, {"music": MUSIC})

    def __enter__(self):
        self.hub.start()
        self.address, self.items = self.hub.addresses["tcp"], [self.hub.variables[name] for name in MUSIC]
        self.asks = Asking(self.address)
        return self

    def __exit__(self, *_):
        self.hub.close()
