"""A hub that runs already, at the addresses that were given: it is put into a known state before each scenario, and left as it was found.

What is there at the start is written down: rooms, playlists, paired devices, level and modes. What came to be is taken
away again, over the unix socket or by a device that is an admin; the run fails when something stays.
"""

import json
import secrets
import select
import time

from runner import device as devices, needs
from runner.websocket import TEXT, Link, dial, head_of, request
from runner.world import as_json, unchunk

MODES = {"repeat": "off", "shuffle": False, "speed": 1000}
PATIENCE, PAUSE = 20, 1.1


class InUse(Exception):
    """This hub cannot be judged now: a sentence says why."""


class RunningHub:
    """The same for scenarios as a hub that an adapter starts, but nothing of it is ours."""

    def __init__(self, addresses, kept=None):
        self.addresses, self.devices = addresses, {"runner": kept} if kept else {}
        self.offers = set(addresses)
        self.music, self.variables = "", {}
        self.origin = {"tls.origin": "https://" + addresses["tls"].removeprefix("tls:")} if "tls" in addresses else {}
        # The connections that put things right again come by the channel that may do most.
        self.way = next(name for name in ("unix", "tcp", "tls") if name in addresses)
        self.found, self.pause = None, 0

    def ask(self, method, **parameters):
        """One command, and what it found. A refusal is an error, but for what this channel may not do."""
        body = as_json({"t": "cmd", "id": 1, "m": method, "k": secrets.token_hex(6), "p": parameters}).encode()
        for _ in range(PATIENCE):
            answer = self.http("POST", "/companion/v1/cmd", body)
            if answer.get("ok"):
                return answer
            if answer.get("err", {}).get("code") == "forbidden":
                return None
            if answer.get("err", {}).get("code") not in ("rate_limited", "busy"):
                break
            time.sleep(answer["err"].get("afterMs", 200) / 1000)
        raise InUse(f"the hub answered {method} with {answer.get('err', answer)}")

    def http(self, method, path, body=b""):
        address = self.addresses[self.way]
        headers = [("Authorization", self.devices["runner"].bearer())] if self.way == "tls" and self.devices else []
        link = dial(address)
        link.sendall(request(address, headers, path, None, method, body))
        data = b"".join(iter(lambda: link.recv(65536), b""))
        link.close()
        head, _, rest = data.partition(b"\r\n\r\n")
        status, answered = head_of(head)
        rest = unchunk(rest) if answered.get("transfer-encoding") == "chunked" else rest
        try:
            return json.loads(rest)
        except ValueError:
            raise InUse(f"the hub answered {path} with {status}: {rest[:200].decode(errors='replace')}") from None

    def state(self):
        return self.http("GET", "/companion/v1/state?profile=full")["s"]

    def inventory(self):
        """What must be the same after a run as before it."""
        state = self.state()
        listed, paired = self.ask("pl.list"), self.ask("dev.list")
        return {"queue": state["queue"]["len"], "rooms": sorted(room["id"] for room in state["rooms"]["list"]),
                "playlists": sorted(row["id"] for row in listed["d"]["rows"]) if listed else [],
                "devices": sorted(one["dev"] for one in paired["d"]["list"]) if paired else [],
                "volume": [state["vol"]["level"], state["vol"]["mute"]], "modes": {name: state["modes"][name] for name in MODES}}

    # One scenario

    def prepare(self, scenario):
        """Attempts to pair are one a second and requests twenty, of all scenarios together."""
        self.pause = PAUSE if needs.pairs(scenario) or needs.posts(scenario) else 0
        return self

    def start(self):
        """Everything as scenarios expect it: at rest, with nothing in the queue, at level 30."""
        if self.found is None:
            self.found = self.inventory()
            if self.found["queue"]:
                raise InUse(f"there are {self.found['queue']} entries in the queue of this hub, and the scenarios would replace them: empty it first")
        self.clean()
        self.settle(30, False, MODES)
        time.sleep(self.pause)
        # Keys of an earlier scenario are still remembered: others must be used than then.
        self.variables = {"hub.name": self.state()["hub"]["name"], "u": secrets.token_hex(3), **self.origin}

    def settle(self, level, mute, modes):
        state = self.state()
        if state["tl"]["st"] != "stopped":
            self.ask("stop")
        if state["vol"]["level"] != level:
            self.ask("vol.set", level=level)
        if state["vol"]["mute"] != mute:
            self.ask("vol.mute", on=mute)
        if {name: state["modes"][name] for name in MODES} != modes:
            self.ask("mode.set", **modes)

    def clean(self):
        """Takes away what came to be since the start."""
        now = self.inventory()
        if now["queue"]:
            self.ask("queue.clear", base=self.state()["queue"]["rev"])
        if "pairing" in self.state().get("hub", {}):
            self.ask("pair.close")
        for kind, method, name in (("rooms", "room.delete", "room"), ("playlists", "pl.delete", "id"), ("devices", "dev.revoke", "dev")):
            for one in set(now[kind]) - set(self.found[kind]):
                self.ask(method, **{name: one})

    def last_words(self):
        return "it is not ours"

    def end(self, how=None):
        return 0

    def close(self):
        """Nothing of a hub that is running is ended."""

    # The end of the run

    def leave(self):
        """Leaves the hub as it was found; gives back what differs, as sentences."""
        if self.found is None:
            return []
        self.clean()
        self.settle(*self.found["volume"], self.found["modes"])
        now = self.inventory()
        return [f"{name} were {self.found[name]} and are {now[name]}" for name in now if now[name] != self.found[name]]


def addresses(texts):
    """What `--hub` names, when that is no adapter: channel and address of each, or nothing."""
    found = {}
    for text in texts:
        scheme, _, rest = text.partition(":")
        place = rest.removeprefix("//").split("/")[0]
        if scheme == "unix":
            found["unix"] = text
        elif scheme == "ws":
            found["tcp"] = place if ":" in place else place + ":9442"
        elif scheme == "wss":
            found["tls"] = "tls:" + (place if ":" in place else place + ":9443")
        else:
            return {}
    return found


def pair(found, code):
    """Pairs this machine by the code that the hub shows; the device stays until its owner revokes it."""
    link = Link(found["tls"])
    exchange = devices.Exchange(link.pin)

    def say(message):
        payload = as_json(message).encode()
        exchange.sent(payload)
        link.send(payload)

    def hear(*kinds):
        while link.is_open:
            select.select([link] if not link.has_more else [], [], [], 5 if not link.has_more else 0)
            for opcode, payload in link.read():
                if opcode == TEXT:
                    exchange.heard(payload)
                    if devices.kind(payload) in kinds:
                        return payload
                    if devices.kind(payload) == "err":
                        raise InUse(f"the hub refused to pair: {json.loads(payload)['err']['msg']}")
        raise InUse("the hub ended the pairing")
    say({"t": "hello", "v": [1], "profile": "remote", "client": {"id": "runner-" + secrets.token_hex(4)}})
    hear("challenge")
    say(exchange.first_step("".join(filter(str.isdigit, code)), "Runner", "pin"))
    hear("pair")
    say(exchange.third_step())
    hear("pair")
    link.cut()
    return exchange.paired()
