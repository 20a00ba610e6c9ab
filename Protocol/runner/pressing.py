"""What a person presses on reference.py, and how it comes to be sent."""

import json
import secrets
import time

from runner import mdns

COUNTS_TWICE = {"next", "prev"}
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
        if verb == "follow":
            self.rooms = rest
            self.number += 1
            self.mirror.forget()
            self.sent[self.number] = None
            self.say({"t": "sub", "id": self.number, "rooms": rest})
            return self.tell(line, {"ok": 1})
        entry = self.mirror.entry()
        names = {"vol": ("vol.set", lambda: {"level": int(rest[0])}), "mute": ("vol.mute", lambda: {"on": True}), "unmute": ("vol.mute", lambda: {"on": False}),
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
            if press["m"] == "vol.set":
                if now < self.wheel_at:
                    continue
                self.wheel_at = now + (0.15 if self.profile == "watch" else 0.08)
            self.number += 1
            self.sent[self.number] = press
            late = {"ct": (self.clock.hub_us() - int((now - press["at"]) * 1e6)) // 1000} if now - press["at"] > 0.5 and self.clock.is_set else {}
            self.say({"t": "cmd", "id": self.number, "m": press["m"], **({"k": press["k"]} if "k" in press else {}), **late, **self.worth(), **({"p": press["p"]} if press["p"] else {})})

    def worth(self):
        return {} if self.ttl_s == DEFAULT_TTL_S else {"ttl": int(self.ttl_s * 1000)}

    def tell(self, line, answer):
        print(json.dumps({"press": line, "answer": answer}), flush=True)
