"""A connection by which the runner itself looks after a hub that is running: what it is at the moment, and putting it right.

It is made for a short while, so that it has to answer no ping and is never refused for its rate.
"""

import secrets
import select
import ssl
import time

from runner import device as devices
from runner.failing import Absent, Unfit
from runner.pattern import matches
from runner.schema import NotJSON, strict
from runner.websocket import CLOSE, TEXT, Broken, Link, Refused
from runner.world import as_json

# Seconds to wait for a message, times to ask again, and messages that may come before an expected one.
LIMIT, TRIES, MOST = 8, 20, 1000


# As much of a greeting as is needed to look after a hub.
WHOLE = {"~type": "integer"}
GREETING = {"features": {"~every": {"~type": "string"}}}
SECTIONS = {"tl": {"st": {"~type": "string"}}, "vol": {"level": WHOLE, "mute": {"~type": "boolean"}}, "modes": {"~type": "object"}, "queue": {"rev": WHOLE, "len": WHOLE}}


class Keeper:
    """A connection after its greeting. `state` has the sections of the view `full`, `welcome` what was granted."""

    def __init__(self, address, device=None, limit=LIMIT):
        self.limit, self.state, self.number, self.said = limit, {}, 0, []
        try:
            self.link = Link(address, limit=limit)
        except Refused as refused:
            raise Unfit(f"at {address} is no hub: {refused.sentence()}") from None
        except (ConnectionResetError, BrokenPipeError):
            raise Unfit(f"at {address} is no hub: the connection was ended before the upgrade was answered") from None
        except (Broken, TimeoutError, ssl.SSLError) as error:
            raise Unfit(f"at {address} is no hub: {error}") from None
        except OSError as error:
            raise Absent(f"there is no connection to {address}: {error}") from None
        exchange = devices.Exchange(self.link.pin) if self.link.pin else None
        hello = as_json({"t": "hello", "core": "1.0", "view": "full", "client": {"id": "kit-" + secrets.token_hex(4)}}).encode()
        self.link.send(hello)
        if exchange:
            exchange.sent(hello)
            challenge = self.next("challenge")
            if device is None:
                raise Unfit("the hub asks for a device that is paired: give --device FILE, and once --code DIGITS, the six that it shows")
            exchange.heard(challenge)
            self.link.send(as_json(exchange.auth(device)[0]).encode())
        self.next("welcome")
        self.next("state")
        wrong = next((f"{name} of its greeting is not as Core has it: {as_json(value)[:160]}" for name, form, value in (
            ("welcome", GREETING, self.welcome), ("the state", SECTIONS, self.state)) if not matches(form, value)), None)
        if wrong:
            raise Unfit(wrong)

    def next(self, kind, number=None):
        """The next message of a type, or the answer to a command; what comes before it is taken in."""
        deadline = time.monotonic() + self.limit
        while True:
            place = next((place for place, (_, one) in enumerate(self.said) if one.get("t") == kind and one.get("id") == (number or one.get("id"))), None)
            if place is not None:
                payload, message = self.said[place]
                del self.said[:place + 1]
                return payload if kind == "challenge" else message
            left = deadline - time.monotonic()
            if left <= 0 or not self.link.is_open or len(self.said) > MOST:
                break
            if not self.link.has_more and not select.select([self.link], [], [], left)[0]:
                break
            for opcode, payload in self.link.read():
                if opcode == CLOSE:
                    code = int.from_bytes(payload[:2], "big")
                    raise Unfit(f"the hub ended the connection with {code} {payload[2:].decode(errors='replace')!r} where {kind} was due{self.heard()}")
                if opcode == TEXT:
                    self.said.append((payload, self.take(payload)))
                elif opcode is None and payload:
                    raise Unfit(f"the hub speaks no WebSocket: {payload.decode()}")
        raise Unfit(f"the hub ended the connection without a {kind}{self.heard()}" if not self.link.is_open else
                    f"the hub said {len(self.said)} messages and no {kind}{self.heard()}" if len(self.said) > MOST else
                    f"the hub said no {kind} within {self.limit} s{self.heard()}")

    def heard(self):
        """What came instead of something, for people."""
        shown = [payload[:80].decode(errors="replace") for payload, _ in self.said[:2]]
        more = f" and {len(self.said) - 2} more" if len(self.said) > 2 else ""
        return f"; it had said {', '.join(map(repr, shown))}{more}" if shown else ""

    def take(self, payload):
        try:
            message = strict(payload.decode())
        except (NotJSON, UnicodeDecodeError) as error:
            raise Unfit(f"the hub said {payload[:60]!r}, which is no message: {error}") from None
        if not isinstance(message, dict):
            raise Unfit(f"the hub said {payload[:60]!r}, which is no object")
        if message.get("t") == "err" and not self.state:
            error = message.get("err") if isinstance(message.get("err"), dict) else {}
            raise Unfit(f"the hub refused hello as {error.get('code')}: {error.get('msg')}")
        if message.get("t") == "welcome":
            self.welcome = message
        sections = message.get("s")
        if message.get("t") == "state" and isinstance(sections, dict):
            self.room = message.get("room") or getattr(self, "room", None)
            kept = {} if message.get("full") else self.state
            self.state = {name: value for name, value in {**kept, **sections}.items() if value is not None}
        return message

    def ask(self, method, **parameters):
        """The answer to a command, or nothing where this channel may not, or this hub cannot. Any other refusal is an error."""
        answer = self.answer(method, parameters)
        if answer.get("ok"):
            return answer
        if answer["err"].get("code") in ("forbidden", "unknown_command"):
            return None
        raise Unfit(f"the hub answered {method} with {as_json(answer['err'])}")

    def answer(self, method, parameters, **more):
        """The answer to a command, whatever it is; it is sent again where the hub asks for patience."""
        key = secrets.token_hex(6)
        for _ in range(TRIES):
            self.number += 1
            self.link.send(as_json({"t": "cmd", "id": self.number, "m": method, "k": key, "p": parameters, **more}).encode())
            answer = self.next("res", self.number)
            error = answer.get("err") if isinstance(answer.get("err"), dict) else {}
            if answer.get("ok") or error.get("code") not in ("rate_limited", "busy"):
                return {**answer, "err": error}
            time.sleep(min(error.get("afterMs", 200), 2000) / 1000)
        return {**answer, "err": error}

    def rows(self):
        """All rows of the queue."""
        found, length = [], 1
        while len(found) < length:
            data = self.ask("queue.get", **({"from": len(found)} if found else {}))["d"]
            found, length = found + data["rows"], data["len"]
            if not data["rows"]:
                break
        return found

    def close(self):
        self.link.cut()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
