"""What a person presses on reference.py, and how it comes to be sent."""

import json
import secrets
import time

from runner import device as devices, mdns
from runner.websocket import dial, request

COUNTS_TWICE, COUNTS_FROM = {"next", "prev", "user.signin"}, {"next", "prev"}
# What a hub takes for a command that does not say its own.
DEFAULT_TTL_S = 5


class Pressing:
    """Presses of a `Remote`."""

    def press(self, line):
        verb, *rest = line.split()
        if verb == "show":
            return print(json.dumps({"shown": {"connected": bool(self.ready) and self.mirror.is_whole, **self.mirror.shown(self.clock)}}), flush=True)
        if verb == "find":
            return self.tell(line, {"ok": 1, "hubs": list(map(self.found, mdns.find(1.5, [mdns.Published.HOME])))})
        if verb == "pair":
            self.pairing = line
            return self.begin_pairing()
        if verb == "http":
            return self.tell(line, self.fetched())
        if verb == "follow":
            self.rooms = rest
            self.number += 1
            self.mirror.forget()
            self.sent[self.number] = None
            self.say({"t": "sub", "id": self.number, "rooms": rest})
            return self.tell(line, {"ok": 1})
        entry = self.mirror.entry()
        names = {"info": ("hub.info", dict), "signin": ("user.signin", lambda: {"name": rest[0], "password": " ".join(rest[1:])}), "vol": ("vol.set", lambda: {"level": int(rest[0])}), "mute": ("vol.mute", lambda: {"on": True}), "unmute": ("vol.mute", lambda: {"on": False}),
                 "art": ("art.get", lambda: {"id": self.mirror.art(), "w": int((rest or ["64"])[0])}),
                 "next": ("next", lambda: {"from": entry} if entry else {}), "prev": ("prev", lambda: {"from": entry} if entry else {})}
        method, parameters = names.get(verb, (verb, dict))
        press = {"line": line, "m": method, "p": parameters(), "at": time.monotonic(), **({"k": secrets.token_hex(4)} if method in COUNTS_TWICE else {})}
        if method == "vol.set":
            # A newer level takes the place of one that was not sent yet.
            for older in [one for one in self.presses if one["m"] == method and one not in self.sent.values()]:
                self.presses.remove(older)
                self.tell(older["line"], {"ok": 1, "st": "noop", "why": "newer"})
        self.presses.append(press)
        return self.send_waiting()

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
            if now < press.get("not_before", 0):
                continue
            if press["m"] in COUNTS_FROM and self.is_of_entry_before(press, now):
                # The person meant what played then, and it has gone by itself or by another one.
                self.presses.remove(press)
                self.tell(press["line"], {"ok": 1, "st": "noop", "why": "moved"})
                continue
            if press["m"] == "vol.set":
                # On a slow network the newest level waits for the answer to the one before.
                if now < self.wheel_at or any(one and one["m"] == "vol.set" for one in self.sent.values()):
                    continue
                self.wheel_at = now + (0.15 if self.view == "watch" else 0.08)
            self.number += 1
            self.sent[self.number] = press
            press["was_sent"] = True
            late = {"ct": (self.clock.hub_us() - int((now - press["at"]) * 1e6)) // 1000} if now - press["at"] > 0.5 and self.clock.is_set else {}
            self.say({"t": "cmd", "id": self.number, "m": press["m"], **({"k": press["k"]} if "k" in press else {}), **late, **self.worth(), **({"p": press["p"]} if press["p"] else {})})

    def is_of_entry_before(self, press, now):
        """Whether what is current became so after this press, which was never sent."""
        since = self.mirror.section("now", "n")[0].get("sinceUs")
        return press.get("was_sent") is None and since is not None and self.clock.is_set and since > self.clock.hub_us() - (now - press["at"]) * 1e6

    def worth(self):
        return {} if self.ttl_s == DEFAULT_TTL_S else {"ttl": int(self.ttl_s * 1000)}

    def tell(self, line, answer):
        print(json.dumps({"press": line, "answer": answer}), flush=True)
