#!/usr/bin/python3
"""A remote of Core 1.0 in Python's standard library, as TUTORIAL.md builds it. Lines go in: `play`, `vol 40`, `add demo:album/all`, `show`, `quit`."""

import json
import os
import random
import secrets
import select
import sys
import time

from websocket import Socket

STOPS = {1000, 1002, 1003, 1007, 1009, 4400, 4401, 4403, 4406, 4409}  # Close codes after which nobody comes back.
WAITS = {1012: 1, 1013: 5, 4429: 10, 4430: 10}
BACKOFF, TTL, SILENCE = (0.25, 0.5, 1, 2, 4, 8, 15, 30), 5, 8
NEWEST = {"vol.set": "level", "play": "playing", "pause": "playing", "toggle": "playing", "stop": "playing"}  # Of each only the newest counts.


class Remote:
    def __init__(self, url):
        self.url, self.link, self.ready, self.ended = url, None, None, None
        self.client = {"id": "tutorial-" + secrets.token_hex(4), "run": secrets.token_hex(4), "name": "Tutorial"}
        self.sections, self.rev, self.room, self.epoch, self.whole = {}, None, None, None, False
        self.presses, self.sent, self.number, self.vol_at = [], {}, 0, 0
        self.boot, self.offsets, self.asks, self.syncs, self.synced = None, [], [], 0, 0
        self.tries, self.next_try, self.began, self.heard = 0, 0, 0, 0

    # The connection

    def connect(self):
        try:
            self.link = Socket(self.url)
            if self.link.status != 101:
                return self.end(self.link.status) if self.link.status in (400, 403, 404, 410) else self.lost(wait=self.link.wait)
        except OSError:
            return self.lost()
        self.number, self.sent, self.heard = 0, {}, time.monotonic()
        held = {"epoch": self.epoch, "rev": self.rev, "rooms": [self.room], "sections": list(self.sections)}
        resume = {"resume": held} if self.rev is not None else {}
        return self.say({"t": "hello", "core": "1.0", "view": "remote", "client": self.client, "t1": time.monotonic_ns() // 1000, **resume})

    def say(self, message):
        try:
            self.link.send(json.dumps(message, ensure_ascii=False).encode())
        except OSError:
            self.lost()

    def lost(self, code=None, wait=0):
        """The connection is over: for good, or until it is time to come again. The copy stays, for `resume`."""
        if self.ready and time.monotonic() - self.began > 10:
            self.tries = 0
        if self.link:
            self.link.link.close()
        self.link = self.ready = None
        self.next_try = time.monotonic() + max(wait, WAITS.get(code, 0)) + random.uniform(0, BACKOFF[min(self.tries, 7)])
        self.tries += 1
        return self.end(code) if code in STOPS else None

    def end(self, code):
        self.ended = code
        self.out({"ended": code})

    @staticmethod
    def out(value):
        print(json.dumps(value, ensure_ascii=False), flush=True)

    # What the hub says

    def hear(self, payload):
        try:
            message = dict(json.loads(payload))
        except (ValueError, TypeError, RecursionError):  # What cannot be read is skipped, as what is not known is.
            return
        kind = message.get("t")
        if kind == "welcome":
            if message["epoch"] != self.epoch:  # Another history: the copy is worth nothing.
                self.sections, self.rev = {}, None
            if message["boot"] != self.boot:  # Another clock.
                self.offsets = []
            self.epoch, self.boot, self.ready, self.whole, self.syncs = message["epoch"], message["boot"], message, False, 0
            self.began, self.asks = time.monotonic(), [time.monotonic() + number / 5 for number in range(4)]
        if kind in ("welcome", "time") and "t1" in message:
            t1, t2, t3, t4 = message["t1"], message["t2"], message["t3"], time.monotonic_ns() // 1000
            self.offsets = [one for one in (*self.offsets, ((t4 - t1) - (t3 - t2), ((t2 - t1) + (t3 - t4)) // 2)) if one[0] >= 0][-8:]
        if "s" in message:
            self.state(message)
        if kind == "res" and (press := self.sent.pop(message["id"], None)):
            error = message.get("err", {})
            press["after"] = time.monotonic() + error.get("afterMs", 1000 * TTL) / 1000
            if error.get("code") not in ("rate_limited", "busy") or press["after"] > press["at"] + TTL:
                self.done(press, message)

    def state(self, message):
        if message.get("full"):
            self.sections, self.syncs = {}, 0
        elif message.get("from") != self.rev or self.syncs:  # A frame was lost: take nothing until all of it has come.
            return self.syncs or self.sync()
        self.sections = {name: value for name, value in {**self.sections, **message["s"]}.items() if value is not None}
        self.rev, self.room, self.whole = message["rev"], message.get("room", self.room), True

    def sync(self):
        self.syncs, self.synced = self.syncs + 1, time.monotonic()
        self.say({"t": "sync"})

    # Presses

    def press(self, line):
        verb, *rest = line.split()
        entry = {"from": now["entry"]} if (now := self.sections.get("now")) else {}
        if verb == "show":
            return self.out({"shown": self.shown()})
        method, parameters, counts = {
            "vol": ("vol.set", lambda: {"level": int(rest[0])}, False), "mute": ("vol.mute", lambda: {"on": True}, False),
            "unmute": ("vol.mute", lambda: {"on": False}, False), "add": ("queue.add", lambda: {"uris": rest}, True),
            "next": ("next", lambda: entry, True), "prev": ("prev", lambda: entry, True)}.get(verb, (verb, dict, False))
        for older in self.presses:
            older["past"] |= method in NEWEST and NEWEST.get(older["m"]) == NEWEST[method]
        said = {"m": method, **({"k": secrets.token_hex(4)} if counts else {}), "p": parameters()}
        self.presses.append({"line": line, "at": time.monotonic(), "after": 0, "past": False, "m": method, "said": said})

    def done(self, press, answer):
        self.presses.remove(press)
        self.out({"press": press["line"], "answer": answer})

    def shown(self):
        now, vol, line = (self.sections.get(name) or {} for name in ("now", "vol", "tl"))
        position, moment = line.get("posMs", 0), self.hub_ms()
        if line.get("rate") and moment:
            position += max(0, moment - line["atUs"] / 1000) * line["rate"] / 1000
        return {"connected": bool(self.ready) and self.whole and not self.syncs, "title": now.get("title"), "level": vol.get("level"),
                "playing": line.get("st") in ("playing", "buffering"), "positionMs": int(min(position, now.get("durMs", position)))}

    def hub_ms(self):
        return (time.monotonic_ns() // 1000 + min(self.offsets)[1]) / 1000 if self.offsets else None

    # Time

    def tick(self):
        now = time.monotonic()
        for press in [one for one in self.presses if one["past"] and one not in self.sent.values() and (one["after"] > now or one["m"] == "vol.set")]:
            self.done(press, {"ok": 1, "st": "noop", "why": "newer"})
        for press in [one for one in self.presses if now - one["at"] > TTL]:
            self.sent = {number: one for number, one in self.sent.items() if one is not press}
            code, why = ("timeout", "No answer came.") if press["after"] else ("expired", "The hub could not be reached in time.")
            self.done(press, {"ok": 0, "err": {"code": code, "retry": 0, "msg": why}})
        if not self.link:
            return self.connect() if now >= self.next_try else None
        if now - self.heard > (2 * self.ready["pace"][1] / 1000 + 5 if self.ready else SILENCE):
            return self.lost()
        if self.ready and self.syncs and now - self.synced > 5:
            self.rev = self.rev if self.syncs < 3 else None  # Three were lost: come back without a copy.
            return self.sync() if self.syncs < 3 else self.lost()
        if self.ready and now >= self.asks[0]:
            self.asks = self.asks[1:] or [now + 10]
            self.say({"t": "time", "t1": time.monotonic_ns() // 1000})
        entry = (self.sections.get("now") or {}).get("entry")
        for press in [one for one in self.presses if self.ready and self.whole and one not in self.sent.values() and now >= one["after"]]:
            if press["m"] == "vol.set" and (now < self.vol_at or any(one["m"] == "vol.set" for one in self.sent.values())):
                continue  # On a slow network the newest level waits for the answer to the one before.
            if not press["after"] and press["said"]["p"].get("from", entry) != entry:  # It meant the entry before this one.
                self.done(press, {"ok": 1, "st": "noop", "why": "moved"})
                continue
            self.vol_at, age = now + 0.08 if press["m"] == "vol.set" else self.vol_at, now - press["at"]
            self.number += 1
            self.sent[self.number], press["after"] = press, now
            late = {"ct": int(self.hub_ms() - age * 1000)} if age > 0.5 and self.offsets else {}
            self.say({"t": "cmd", "id": self.number, **late, **press["said"]})

    def run(self):
        typed = b""
        while self.ended is None:
            self.tick()
            found = select.select([sys.stdin, *([self.link.link] if self.link else [])], [], [], 0.02)[0] if self.ended is None else []
            if self.link and self.link.link in found:
                try:
                    for kind, payload in self.link.read():
                        if kind == 1:  # A ping is no message.
                            self.heard = time.monotonic()
                            self.hear(payload)
                        elif kind in (8, None):
                            self.lost(int.from_bytes(payload[:2], "big") if payload else None)
                        if not self.link:
                            break
                except OSError:
                    self.lost()
            if sys.stdin in found:
                data = os.read(0, 65536)
                *lines, typed = (typed + data).split(b"\n")
                for line in filter(None, map(str.strip, map(bytes.decode, lines))):
                    if line == "quit":
                        return self.say({"t": "bye"}) if self.link else None
                    self.press(line)
                if not data:
                    return None
        return 1


if __name__ == "__main__":
    sys.exit(Remote(sys.argv[sys.argv.index("--url") + 1] if "--url" in sys.argv else "ws://127.0.0.1:9442/baton").run())
