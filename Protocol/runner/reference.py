"""A remote that keeps every rule for clients, from this folder alone: it shows that each case of clients.json can be passed.

The contract is that of ../MANUAL.md ("Judge a client"), with all that `--can` names. It is written to be
judged, not to be used: no screen, one thread, and everything in memory but its pairing.
"""

import argparse
import json
import os
import random
import secrets
import select
import sys
import time

from runner import device as devices
from runner.mirror import Clock, Mirror, Pictures
from runner.pressing import DEFAULT_TTL_S, Pressing
from runner.schema import NotJSON, strict
from runner.websocket import BINARY, CLOSE, TEXT, Link, Refused

STOP = {1000, 1002, 1003, 1007, 1009, 4400, 4401, 4403, 4406, 4409}
AT_LEAST = {1012: 1, 1013: 5, 4429: 10, 4430: 10}
BACKOFF = (0.25, 0.5, 1, 2, 4, 8, 15, 30)
STABLE_S = 10


class Remote(Pressing):
    def __init__(self, address, profile, kept, ttl_s=DEFAULT_TTL_S):
        self.address, self.profile, self.path, self.ttl_s = address, profile, kept, ttl_s
        self.client, self.run = "reference-" + secrets.token_hex(4), secrets.token_hex(4)
        self.device = devices.load(kept) if address.startswith("tls:") else None
        self.link = self.exchange = self.ready = None
        self.mirror, self.pictures, self.clock = Mirror(), Pictures(), Clock()
        self.rooms, self.presses, self.sent, self.number, self.shares = [], [], {}, 0, []
        self.attempt, self.next_try, self.asks_time, self.ended, self.wheel_at, self.pairing = 0, 0.0, [], None, 0.0, None

    # The connection

    def connect(self):
        try:
            self.link = Link(self.address)
        except Refused as refused:
            if refused.status in (400, 403, 404):
                return self.end(refused.status)
            self.lost(None)
            self.next_try = max(self.next_try, time.monotonic() + int(refused.headers.get("retry-after", 0)))
            return None
        except OSError:
            return self.lost(None)
        if self.link.pin:
            if self.device and self.device.pin != self.link.pin:
                self.end("another key")
                return None
            self.exchange = devices.Exchange(self.link.pin)
        self.began, self.heard_at, self.number, self.silence = time.monotonic(), time.monotonic(), 0, 45
        hello = {"t": "hello", "v": [1], "profile": self.profile, "client": {"id": self.client, "run": self.run}, "caps": ["art"], "t1": self.clock.now()}
        if self.rooms:
            hello["rooms"] = self.rooms
        return self.say({**hello, **self.mirror.resume()})

    def say(self, message):
        payload = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        if self.exchange:
            self.exchange.sent(payload)
        self.link.send(payload)

    def lost(self, code):
        """The connection is over: for good, or until its time to come again."""
        if self.link:
            self.link.cut()
            if self.ready and time.monotonic() - self.began > STABLE_S:
                self.attempt = 0
        self.link = self.exchange = self.ready = None
        self.pictures.forget()
        if code in STOP:
            return self.end(code)
        pause = max(BACKOFF[min(self.attempt, len(BACKOFF) - 1)] * random.uniform(1, 1.3), AT_LEAST.get(code, 0))
        self.attempt, self.next_try = self.attempt + 1, time.monotonic() + pause
        return None

    def end(self, code):
        self.ended = code
        print(json.dumps({"ended": code}), flush=True)

    # What the hub says

    def read(self):
        for opcode, payload in self.link.read():
            self.heard_at = time.monotonic()
            if opcode == TEXT:
                if self.exchange:
                    self.exchange.heard(payload)
                self.take(payload)
            elif opcode == BINARY:
                self.pictures.take(payload)
                self.answer_pictures()
            elif opcode == CLOSE or opcode is None:
                return self.lost(int.from_bytes(payload[:2], "big") if len(payload) > 1 else None)
            if self.link is None:
                return None
        return None

    def take(self, payload):
        try:
            message = strict(payload.decode())
        except (NotJSON, UnicodeDecodeError):
            return
        handler = getattr(self, "on_" + str(message.get("t")).replace("-", "_"), None) if isinstance(message, dict) else None
        if handler:
            handler(message)

    def on_challenge(self, message):
        if self.device:
            proof, self.expected = self.exchange.auth(self.device)
            return self.say(proof)
        return self.begin_pairing()

    def on_pair(self, message):
        if message["step"] == 2:
            return self.say(self.exchange.third_step())
        self.device = self.exchange.paired()
        devices.keep(self.path, self.device)
        self.tell(self.pairing, {"ok": 1})
        proof, self.expected = self.exchange.auth(self.device)
        return self.say(proof)

    def on_err(self, message):
        if self.exchange and not self.ready and self.pairing:
            self.tell(self.pairing, {"ok": 0, "err": message["err"]})

    def on_welcome(self, message):
        if self.exchange and message.get("mac") != self.expected:
            return self.end("no proof")
        self.clock.greet(message)
        self.silence, self.ready = 2 * message["pace"][1] / 1000 + 5, message
        # Four questions at once, then one now and then.
        self.asks_time = [time.monotonic() + 0.2 * number for number in range(4)]
        return self.mirror.greet(message)

    def on_time(self, message):
        self.clock.add(message["t1"], message["t2"], message["t3"])

    def on_state(self, message):
        if self.mirror.take(message) == "sync":
            self.say({"t": "sync"})
        if self.mirror.is_whole and not self.mirror.follows:
            self.mirror.follows = True
            if self.profile != "watch":
                self.number += 1
                self.say({"t": "sub", "id": self.number, "queue": {"from": 0, "n": 100}})
            self.send_waiting()

    def on_q(self, message):
        if self.mirror.edit(message) == "again":
            self.number += 1
            self.sent[self.number] = None
            self.say({"t": "cmd", "id": self.number, "m": "queue.get"})

    def on_res(self, message):
        if "s" in message and self.mirror.take(message) == "sync":
            self.say({"t": "sync"})
        if "rows" in message.get("d", {}) and "len" in message["d"]:
            self.mirror.page(message["d"])
        press = self.sent.pop(message["id"], None)
        if press is None:
            return
        self.presses.remove(press)
        if press["m"] == "art.get" and message["ok"]:
            press["xfer"] = message["d"]["xfer"]
            self.pictures.wanted.append(press)
            return self.answer_pictures()
        return self.tell(press["line"], message)

    def answer_pictures(self):
        for press, found in self.pictures.whole():
            self.tell(press["line"], {"ok": 1, **found})

    # Time

    def tick(self):
        now = time.monotonic()
        for press in [one for one in self.presses if now - one["at"] > self.ttl_s]:
            self.presses.remove(press)
            self.sent = {number: one for number, one in self.sent.items() if one is not press}
            self.tell(press["line"], {"ok": 0, "err": {"code": "expired", "retry": 0, "msg": "The hub could not be reached in time."}})
        if self.link is None and now >= self.next_try:
            self.sent.clear()
            self.connect()
        elif self.link and now - self.heard_at > self.silence:
            self.lost(None)
        elif self.ready and self.asks_time and now >= self.asks_time[0]:
            self.asks_time = self.asks_time[1:] or [now + (60 if self.profile == "watch" else 10)]
            self.say({"t": "time", "t1": self.clock.now()})
        self.send_waiting()

    def live(self):
        lines = b""
        while self.ended is None:
            self.tick()
            if self.ended is not None:
                break
            listening = [sys.stdin, *([self.link] if self.link else [])]
            more = self.link is not None and self.link.has_more
            found = select.select(listening, [], [], 0 if more else 0.02)[0]
            if self.link and (more or self.link in found):
                self.read()
            if sys.stdin in found:
                data = os.read(0, 65536)
                *whole, lines = (lines + data).split(b"\n")
                for line in whole:
                    if line.strip() == b"quit":
                        return self.leave()
                    if line.strip():
                        self.press(line.decode().strip())
                if not data:
                    return self.leave()
        return 1

    def leave(self):
        if self.link:
            self.say({"t": "bye"})
            self.link.cut()
        return 0


def main():
    parser = argparse.ArgumentParser(description="A remote to be judged.")
    parser.add_argument("--url", required=True)
    parser.add_argument("--profile", default="remote")
    parser.add_argument("--ttl", type=float, default=DEFAULT_TTL_S, metavar="SECONDS", help="how long a press is worth sending; more than usual on a bad network")
    asked = parser.parse_args()
    place = asked.url.partition("//")[2].split("/")[0]
    kept = os.path.join(os.environ.get("HOME", "."), "reference-pairing.json")
    sys.exit(Remote(("tls:" if asked.url.startswith("wss") else "") + place, asked.profile, kept, asked.ttl).live())


if __name__ == "__main__":
    main()
