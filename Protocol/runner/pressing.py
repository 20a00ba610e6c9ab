"""What a person presses on reference.py, and how it comes to be sent."""

import json
import secrets
import time

from runner import device as devices, mdns
from runner.websocket import dial, request

COUNTS_TWICE, COUNTS_FROM = {"next", "prev", "user.signin"}, {"next", "prev"}
# A newer one of these drops one that was put off: the last wish counts.
WISHES = {"play", "pause", "stop", "toggle"}
# Refusals that put a press off, where they say for how long.
PUT_OFF = {"rate_limited", "busy"}
# What a hub takes for a command that does not say its own.
DEFAULT_TTL_S = 5
MOVED = {"ok": 1, "st": "noop", "why": "moved"}


class Pressing:
    """Presses of a `Remote`."""

    def press(self, line):
        verb, *rest = line.split()
        if verb == "show":
            return print(json.dumps({"shown": {"connected": bool(self.ready) and self.mirror.is_whole, **self.mirror.shown(self.clock)}}), flush=True)
        if verb == "find":
            return self.tell({"ok": 1, "hubs": list(map(self.found, mdns.find(1.5, [mdns.Published.HOME])))}, line)
        if verb == "pair":
            self.pairing = line
            return self.begin_pairing()
        if verb == "http":
            return self.tell(self.fetched(), line)
        if verb == "follow":
            self.rooms = rest
            self.number += 1
            self.mirror.forget()
            self.sent[self.number] = None
            self.say({"t": "sub", "id": self.number, "rooms": rest})
            return self.tell({"ok": 1}, line)
        entry = self.mirror.entry()
        names = {"info": ("hub.info", dict), "signin": ("user.signin", lambda: {"name": rest[0], "password": " ".join(rest[1:])}), "vol": ("vol.set", lambda: {"level": int(rest[0])}), "mute": ("vol.mute", lambda: {"on": True}), "unmute": ("vol.mute", lambda: {"on": False}),
                 "art": ("art.get", lambda: {"id": self.mirror.art(), "w": int((rest or ["64"])[0])}), "play": ("play", dict), "pause": ("pause", dict),
                 "next": ("next", lambda: {"from": entry} if entry else {}), "prev": ("prev", lambda: {"from": entry} if entry else {})}
        if verb not in names:
            return self.tell({"ok": 0, "err": {"code": "unknown_command", "retry": 0, "msg": "There is no such press."}}, line)
        method, parameters = names[verb]
        press = self.made([line], method, parameters())
        (self.held if method == "next" and self.has_to_wait(press) else self.presses).append(press)
        return self.send_waiting()

    def made(self, lines, method, parameters):
        now = time.monotonic()
        return {"lines": lines, "m": method, "p": parameters, "at": now, "made": now, "entry": self.mirror.entry(), **({"k": secrets.token_hex(4)} if method in COUNTS_TWICE else {})}

    def has_to_wait(self, press):
        """Whether a `next` waits for the answers to those before it. A second quick one has the entry behind the current one as its guard."""
        before = [one for one in self.presses if one["m"] == "next"]
        if self.held or len(before) > 1 or any("n" in one["p"] for one in before):
            return True
        if before and before[0]["p"] == press["p"]:
            press["p"] = {"from": self.mirror.following()}
            return press["p"]["from"] is None
        return False

    def done(self, press, answer):
        """A press is over. Those of `next` that waited for it become one when all before them were applied, and are dropped otherwise."""
        self.presses.remove(press)
        self.tell(answer, *press["lines"])
        if press["m"] != "next" or not self.held:
            return
        lines = [line for one in self.held for line in one["lines"]]
        if answer.get("st") != "applied":
            self.held = []
            self.tell(MOVED if answer["ok"] else answer, *lines)
        elif not any(one["m"] == "next" for one in self.presses):
            parameters = {"from": self.mirror.entry(), "n": len(lines) if len(lines) > 1 else None}
            one = self.made(lines, "next", {name: value for name, value in parameters.items() if value})
            self.presses.append(one | {"at": self.held[0]["at"]})
            self.held = []

    def fetched(self):
        """The level, by HTTP and the device's bearer, which goes to no machine but the hub."""
        with dial(self.address) as link:
            if devices.key_hash(link) != self.device.pin:
                return {"ok": 0, "err": {"code": "another_key", "retry": 0, "msg": "This machine is not the hub."}}
            link.sendall(request(self.address, [("Authorization", self.device.bearer())], "/baton/state", None, "GET"))
            data = b"".join(iter(lambda: link.recv(65536), b""))
        return {"ok": 1, "level": json.loads(data.partition(b"\r\n\r\n")[2])["s"]["vol"]["level"]}

    @staticmethod
    def found(one):
        """What counts of a record; keys that this program does not know are ignored."""
        known = dict(text.split("=", 1) for text in one["txt"] if "=" in text)
        return {"name": one["name"], "port": one["port"], "id": known.get("id")}

    def begin_pairing(self):
        """The first step, once the hub has said its challenge."""
        if self.pairing and self.exchange and self.exchange.challenge:
            self.say(self.exchange.first_step(self.pairing.split()[1], "Reference", "pin"))

    def send_waiting(self):
        if not self.ready or not self.mirror.is_whole:
            return
        for press in [one for one in self.presses if one not in self.sent.values()]:
            now = time.monotonic()
            if self.has_newer(press):
                self.done(press, {"ok": 1, "st": "noop", "why": "newer"})
                continue
            if now < press.get("not_before", 0):
                continue
            if press["m"] in COUNTS_FROM and self.is_of_entry_before(press, now):
                # The person meant what played then, and it has gone by itself or by another one.
                self.done(press, MOVED)
                continue
            if press["m"] == "vol.set":
                # On a slow network the newest level waits for the answer to the one before.
                if now < self.wheel_at or any(one and one["m"] == "vol.set" for one in self.sent.values()):
                    continue
                self.wheel_at = now + (0.15 if self.view == "watch" else 0.08)
            self.number += 1
            self.sent[self.number] = press
            press["was_sent"] = press["is_open"] = True
            press.pop("not_before", None)
            late = {"ct": (self.clock.hub_us() - int((now - press["at"]) * 1e6)) // 1000} if now - press["at"] > 0.5 and self.clock.is_set else {}
            self.say({"t": "cmd", "id": self.number, "m": press["m"], **({"k": press["k"]} if "k" in press else {}), **late, **self.worth(), **({"p": press["p"]} if press["p"] else {})})

    def has_newer(self, press):
        """Whether a newer press, made since, takes the place of this one: a level, or a wish when this one was put off."""
        kinds = {"vol.set"} & {press["m"]} or (WISHES if press["m"] in WISHES and "not_before" in press else set())
        return any(one["m"] in kinds for one in self.presses[self.presses.index(press) + 1:])

    def put_off(self, press, error):
        """Whether a refusal only asks to wait, after which the press is sent again with its key."""
        if error.get("code") not in PUT_OFF or "afterMs" not in error:
            return False
        press["not_before"], press["is_open"] = time.monotonic() + error["afterMs"] / 1000, False
        return True

    def is_of_entry_before(self, press, now):
        """Whether another entry became current since this press was made, which was never sent."""
        since = self.mirror.section("now", "n")[0].get("sinceUs")
        is_meant = press.get("was_sent") or press["entry"] == self.mirror.entry()
        return not is_meant and since is not None and self.clock.is_set and since > self.clock.hub_us() - (now - press["made"]) * 1e6

    def worth(self):
        return {} if self.ttl_s == DEFAULT_TTL_S else {"ttl": int(self.ttl_s * 1000)}

    @staticmethod
    def tell(answer, *lines):
        for line in lines:
            print(json.dumps({"press": line, "answer": answer}), flush=True)
