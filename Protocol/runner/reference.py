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
from runner.exporter import Log
from runner.mirror import Clock, Mirror, Pictures
from runner.pairing import unb64
from runner.pressing import DEFAULT_TTL_S, Pressing
from runner.registered import STOP, WAITS
from runner.schema import NotJSON, strict
from runner.websocket import BINARY, CLOSE, TEXT, AnotherKey, Link, Refused

BACKOFF = (0.25, 0.5, 1, 2, 4, 8, 15, 30)
STABLE_S = 10
# What the upgrade and each message before `welcome` are given to be answered.
GREETING_S = 8


class Remote(Pressing):
    def __init__(self, address, view, kept, ttl_s=DEFAULT_TTL_S, exports=False):
        self.exports = exports
        self.address, self.view, self.path, self.ttl_s = address, view, kept, ttl_s
        self.client, self.run = "reference-" + secrets.token_hex(4), secrets.token_hex(4)
        self.device = devices.load(kept) if address.startswith("tls:") else None
        self.link = self.exchange = self.ready = None
        self.mirror, self.pictures, self.clock = Mirror(), Pictures(), Clock()
        self.rooms, self.presses, self.held, self.sent, self.number = [], [], [], {}, 0
        self.attempt, self.next_try, self.asks_time, self.ended, self.wheel_at, self.pairing = 0, 0.0, [], None, 0.0, None

    # The connection

    def connect(self):
        log = Log() if self.exports else None
        try:
            self.link = Link(self.address, limit=GREETING_S, pin=self.device.pin if self.device else None, log=log and log.path)
        except AnotherKey:
            return self.end("another key")
        except Refused as refused:
            if refused.status in (400, 403, 404, 410):
                return self.end(refused.status)
            self.lost(None)
            self.next_try = max(self.next_try, time.monotonic() + int(refused.headers.get("retry-after", 0)))
            return None
        except OSError:
            return self.lost(None)
        if self.link.pin:
            self.exchange = devices.Exchange(self.link.pin, log and log.exporter(self.link.socket))
        self.number, self.silence = 0, GREETING_S
        hello = {"t": "hello", "core": "1.0", "view": self.view, "client": {"id": self.client, "run": self.run}, "t1": self.clock.now(),
                 "caps": ["art", *(["cb.exp"] if self.exports else [])]}
        if self.rooms:
            hello["rooms"] = self.rooms
        return self.say({**hello, **self.mirror.resume()})

    def say(self, message):
        payload = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        if self.exchange:
            self.exchange.sent(payload)
        if not self.ready:
            self.heard_at, self.is_asking = time.monotonic(), True
        self.link.send(payload)

    def lost(self, code):
        """The connection is over: for good, or until its time to come again."""
        if self.link:
            self.link.cut()
            if self.ready and time.monotonic() - self.began > STABLE_S:
                self.attempt = 0
        self.link = self.exchange = self.ready = None
        self.sent.clear()
        self.pictures.forget()
        if code in STOP:
            return self.end(code)
        pause = WAITS.get(code, 0) + random.uniform(0, BACKOFF[min(self.attempt, len(BACKOFF) - 1)])
        self.attempt, self.next_try = self.attempt + 1, time.monotonic() + pause
        return None

    def end(self, code):
        self.ended = code
        print(json.dumps({"ended": code}), flush=True)

    # What the hub says

    def read(self):
        for opcode, payload in self.link.read():
            if opcode in (TEXT, BINARY):
                self.heard_at, self.is_asking = time.monotonic(), False
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
        self.tell({"ok": 1}, self.pairing)
        proof, self.expected = self.exchange.auth(self.device)
        return self.say(proof)

    def on_err(self, message):
        if self.exchange and not self.ready and self.pairing:
            self.tell({"ok": 0, "err": message["err"]}, self.pairing)

    def on_welcome(self, message):
        if self.exchange and message.get("mac") != self.expected:
            return self.end("no proof")
        self.clock.greet(message)
        self.times_asked, self.asked_at = 0, 0.0
        self.silence, self.ready, self.began = 2 * message["pace"][1] / 1000 + 5, message, time.monotonic()
        # Four questions at once, then one now and then.
        self.asks_time = [time.monotonic() + 0.2 * number for number in range(4)]
        return self.mirror.greet(message)

    def on_time(self, message):
        self.clock.add(message["t1"], message["t2"], message["t3"])

    def on_state(self, message):
        if self.mirror.take(message) == "sync":
            self.ask_for_all()
        if message.get("full"):
            self.times_asked = 0
        if self.mirror.is_whole and not self.mirror.follows:
            self.mirror.follows = True
            if any(one.startswith("history@") for one in self.ready["features"]):
                self.number += 1
                self.say({"t": "sub", "id": self.number, "queue": {"from": 0, "n": 100}})
            self.send_waiting()

    def ask_for_all(self):
        """Asks for a whole state; `tick` asks again while none comes."""
        self.say({"t": "sync"})
        self.asked_at, self.times_asked = time.monotonic(), self.times_asked + 1

    def on_q(self, message):
        if self.mirror.edit(message) == "again":
            self.number += 1
            self.sent[self.number] = None
            self.say({"t": "cmd", "id": self.number, "m": "queue.get"})

    def on_res(self, message):
        if "s" in message and self.mirror.take(message) == "sync":
            self.ask_for_all()
        if "rows" in message.get("d", {}) and "len" in message["d"]:
            self.mirror.page(message["d"])
        press = self.sent.pop(message["id"], None)
        if press is None:
            return
        if self.put_off(press, message.get("err", {})):
            return self.send_waiting()
        if press["m"] == "art.get" and message["ok"]:
            self.presses.remove(press)
            self.pictures.wanted.append({"line": press["lines"][0], "xfer": message["d"]["xfer"]})
            return self.answer_pictures()
        return self.done(press, message)

    def answer_pictures(self):
        for press, found in self.pictures.whole():
            self.tell({"ok": 1, **found}, press["line"])

    # Time

    def tick(self):
        now = time.monotonic()
        for press in [one for one in self.presses if now - one["at"] > self.ttl_s]:
            self.sent = {number: one for number, one in self.sent.items() if one is not press}
            code, why = ("timeout", "No answer came.") if press.get("is_open") else ("expired", "The hub could not be asked in time.")
            self.done(press, {"ok": 0, "err": {"code": code, "retry": 0, "msg": why}})
        if self.link is None and now >= self.next_try:
            self.connect()
        # A person may take as long as the hub lets them until they have typed six digits.
        elif self.link and (self.ready or self.is_asking) and now - self.heard_at > self.silence:
            self.link.send((1001).to_bytes(2, "big"), CLOSE)
            self.lost(None)
        elif self.ready and self.mirror.asked and now - self.asked_at > max(5, self.ready["pace"][0] / 1000):
            if self.times_asked < 3:
                self.ask_for_all()
            else:
                self.mirror.forget()
                self.lost(None)
        elif self.ready and self.asks_time and now >= self.asks_time[0]:
            self.asks_time = self.asks_time[1:] or [now + (60 if self.view == "watch" else 10)]
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
    parser.add_argument("--view", default="remote")
    parser.add_argument("--ttl", type=float, default=DEFAULT_TTL_S, metavar="SECONDS", help="how long a press is worth sending; more than usual on a bad network")
    parser.add_argument("--exporter", action="store_true", help="bind proofs to what TLS exports, where the hub does too")
    parser.add_argument("--as", dest="name", metavar="NAME", help="be this remote of faulty_remotes.py, which breaks a rule")
    for name in ("dev", "key", "pin"):
        parser.add_argument(f"--{name}", help="of a device that is paired already, with the two others")
    asked = parser.parse_args()
    place = asked.url.partition("//")[2].split("/")[0]
    kept = os.path.join(os.environ.get("HOME", "."), "reference-pairing.json")
    kind = Remote
    if asked.name:
        from runner.faulty_remotes import REMOTES
        kind = REMOTES[asked.name]
    remote = kind(("tls:" if asked.url.startswith("wss") else "") + place, asked.view, kept, asked.ttl, asked.exporter)
    if asked.dev:
        remote.device = devices.Device(asked.dev, unb64(asked.key), unb64(asked.pin), remote.client)
    sys.exit(remote.live())


if __name__ == "__main__":
    main()
