#!/usr/bin/python3
"""A whole remote in one file: Python's standard library and python3-websockets.

    remote.py                            what is playing, until you stop it
    remote.py next                       one press; also play, pause, toggle, prev, vol 40, mute, unmute, add URI, find WORDS
    remote.py pair wss://HOST:9443       asks for the code that `baton pair --open` shows; from then on that hub is meant
    remote.py env                        the same hub for ../shell/baton.sh
    remote.py --url ws://127.0.0.1:9442 --profile watch
    remote.py --url unix:/run/user/1000/baton/hub.sock vol 40

Copy it and make it yours. `Remote` keeps a mirror of the hub, comes back when the connection breaks,
and sends a press whose answer was lost once more with the same key. `Pairing` turns a code into a key of
this device, which it shows the hub at every later connection. The comments name the rules of
Protocol/spec that each part keeps.
"""

import argparse
import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import os
import random
import secrets
import ssl
import struct
import sys
import time

import websockets

STOP_CODES = {1000, 1002, 1003, 1007, 1009, 4400, 4401, 4403, 4406, 4409}
WAIT_AT_LEAST = {1012: 1, 1013: 5, 4429: 10, 4430: 10}
BACKOFF = (0.25, 0.5, 1, 2, 4, 8)
COUNTS_TWICE = {"next", "prev", "seek", "seekBy", "vol.step", "queue.add", "queue.clear", "queue.replace"}
STABLE_S = 10
PATH = "/companion/v1"
HOME = os.path.join(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state"), "baton-remote")


def now_us():
    return time.monotonic_ns() // 1000


class Clock:
    """The hub's clock as seen from here (BT-CLK-006, BT-CLK-007)."""

    def __init__(self):
        self.samples = []

    def add(self, t1, t2, t3, t4):
        trip = (t4 - t1) - (t3 - t2)
        if t4 >= t1 and trip >= 0:
            self.samples = (self.samples + [(((t2 - t1) + (t3 - t4)) // 2, trip, t4)])[-8:]

    def hub_us(self):
        """The hub's microsecond now, or nothing while it is unknown."""
        now = now_us()
        best = min(self.samples, key=lambda s: s[1] / 2 + (now - s[2]) * 50e-6, default=None)
        return now + best[0] if best else None


class Press:
    """One command until it is answered; it keeps its key over every connection."""

    def __init__(self, method, parameters, ttl_ms):
        self.method, self.parameters, self.ttl_ms = method, parameters, ttl_ms
        self.key = secrets.token_urlsafe(9)[:12] if method in COUNTS_TWICE or "uri" in parameters else None
        self.pressed_us = now_us()
        self.answer = asyncio.get_running_loop().create_future()

    @property
    def is_wanted(self):
        return now_us() - self.pressed_us < self.ttl_ms * 1000


# ---- Pairing, and proving it later

P = 2**255 - 19


def number(data):
    return int.from_bytes(data[:31] + bytes([data[31] & 127]), "little") % P


def x25519(scalar, point):
    """RFC 7748, section 5. The arithmetic takes as long as its numbers want: right for a remote that pairs once,
    wrong for a hub, where the time an answer takes would reveal secrets. None for the neutral element, at which a side must stop (BT-PAIR-004)."""
    k = number(bytes([scalar[0] & 248]) + scalar[1:31] + bytes([scalar[31] & 63])) | 1 << 254
    x1 = number(point)
    x2, z2, x3, z3, swapped = 1, 0, x1, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swapped ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swapped = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
    result = (x3 if swapped else x2) * pow(z3 if swapped else z2, P - 2, P) % P
    return result.to_bytes(32, "little") if result else None


def elligator2(data):
    """A point for each number: RFC 9380, section 6.7.1, with 2 for the number that is no square."""
    a, r = 486662, number(data)
    v = -a * pow(1 + 2 * r * r, P - 2, P) % P
    is_square = pow((v * v + a * v + 1) * v % P, (P - 1) // 2, P) == 1
    return (v if is_square else (-v - a) % P).to_bytes(32, "little")


def joined(*parts):
    """Each with its length in front, in LEB128."""
    out = b""
    for part in parts:
        length = len(part)
        while length > 127:
            out, length = out + bytes([length & 127 | 128]), length >> 7
        out += bytes([length]) + part
    return out


def chacha_block(key, counter):
    """RFC 8439, section 2.3, with a nonce of zeros: the key is used for one message."""
    state = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8L", key), counter, 0, 0, 0]
    work = list(state)

    def quarter(a, b, c, d):
        for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[x] = (work[x] + work[y]) & 0xFFFFFFFF
            mixed = work[z] ^ work[x]
            work[z] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF
    for _ in range(10):
        for i in range(4):
            quarter(i, i + 4, i + 8, i + 12)
        for i in range(4):
            quarter(i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12)
    return struct.pack("<16L", *((w + s) & 0xFFFFFFFF for w, s in zip(work, state)))


def unwrap(key, wrapped):
    """ChaCha20-Poly1305 of RFC 8439 for the 32 bytes of a device's key. None when anything was changed."""
    body, shown, once = wrapped[:32], wrapped[32:], chacha_block(key, 0)
    r, total = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, 0
    for part in (body[:16], body[16:], struct.pack("<QQ", 0, 32)):
        total = (total + int.from_bytes(part + b"\x01", "little")) * r % (2**130 - 5)
    tag = ((total + int.from_bytes(once[16:32], "little")) % 2**128).to_bytes(16, "little")
    return bytes(a ^ b for a, b in zip(body, chacha_block(key, 1))) if hmac.compare_digest(tag, shown) else None


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class WrongCode(Exception):
    """The code is wrong, or the connection between this device and the hub is intercepted."""


class Pairing:
    """The device's side of CPace's four steps (BT-PAIR-001 to 004); the names are the draft's."""

    def __init__(self, code, binding, hub_nonce, client, name, hub, nonce=None, scalar=None):
        self.nonce, self.scalar = nonce or secrets.token_bytes(16), scalar or secrets.token_bytes(32)
        self.sid = hub_nonce + self.nonce + struct.pack(">L", 1)
        self.ada, self.adb = joined(client.encode(), name.encode()), joined(hub.encode())
        # The code fills the first block of the hash, whatever its length.
        padding = bytes(128 - 1 - len(joined(code)) - len(joined(b"CPace255")))
        text = joined(b"CPace255", code, padding, b"baton-pair-v1" + binding, self.sid)
        self.share = x25519(self.scalar, elligator2(hashlib.sha512(text).digest()[:32]))

    def prove(self, yb):
        """Takes the hub's share, gives our tag."""
        secret = x25519(self.scalar, yb)
        if secret is None or yb == self.share:
            raise WrongCode("the hub's share is not an honest one")
        self.yb = yb
        self.isk = hashlib.sha512(
            joined(b"CPace255_ISK", self.sid, secret) + joined(self.share, self.ada) + joined(yb, self.adb)).digest()
        return self.tag(self.share, self.ada)

    def tag(self, share, ad):
        return hmac.digest(hashlib.sha512(b"CPaceMac" + self.sid + self.isk).digest(), joined(share, ad), "sha512")

    def key(self, tb, wrapped):
        """Takes the hub's tag and what it has wrapped, gives the key of this device."""
        if not hmac.compare_digest(tb, self.tag(self.yb, self.adb)):
            raise WrongCode("the hub does not know the code")
        # HKDF of RFC 5869, one block of it.
        wrapping = hmac.digest(hmac.digest(self.sid, self.isk, "sha256"), b"baton-wrap\x01", "sha256")
        key = unwrap(wrapping, wrapped)
        if key is None:
            raise WrongCode("the key was changed on its way")
        return key


def proof(side, key, binding, hello, challenge, nonce):
    """`side` is b"client" or b"hub"; hello and challenge are the bytes as they went over the wire (BT-HS-012)."""
    covered = binding + hashlib.sha256(hello + challenge).digest() + nonce
    return hmac.digest(key, b"baton/1 " + side + covered, "sha256")


def public_key_hash(certificate):
    """SHA-256 of SubjectPublicKeyInfo: the seventh element of what is signed, if a version is named."""
    def element(start):
        """Where the content of one element of DER begins and where it ends."""
        length, begin = certificate[start + 1], start + 2
        if length & 128:
            length, begin = int.from_bytes(certificate[begin:begin + (length & 127)], "big"), begin + (length & 127)
        return begin, begin + length
    at = element(element(0)[0])[0]
    for _ in range(6):
        at = element(at)[1]
    return hashlib.sha256(certificate[at:element(at)[1]]).digest()


# ---- Reaching a hub

class NotTheHub(Exception):
    """Another hub answers there, or the hub does not know this device. Connecting again is of no use."""


def dial(url):
    """`unix:/path`, `ws://host:port` or `wss://host:port`."""
    manner = {"subprotocols": ["baton.v1"], "compression": None, "ping_interval": None, "open_timeout": 5}
    if url.startswith("unix:"):
        return websockets.unix_connect(url[5:], "ws://hub" + PATH, **manner)
    if url.startswith("wss:"):
        # The hub's key is what counts, and it is looked at when the connection stands.
        manner["ssl"] = ssl.create_default_context()
        manner["ssl"].check_hostname, manner["ssl"].verify_mode = False, ssl.CERT_NONE
    return websockets.connect(url if url.endswith(PATH) else url.rstrip("/") + PATH, **manner)


def hub_key(link):
    """SHA-256 of the public key at the other end; None without TLS."""
    transport = getattr(link, "transport", None)
    tls = transport and transport.get_extra_info("ssl_object")
    return public_key_hash(tls.getpeercert(binary_form=True)) if tls else None


def binding(spki):
    """Python's TLS has no exporter, so the hub's key is what a proof is bound to."""
    return hashlib.sha256(b"bt-cb-spki" + spki).digest()


async def pair(url, code, client, name):
    """From a code to what is to be kept."""
    async with dial(url) as link:
        spki = hub_key(link)
        if spki is None:
            raise NotTheHub("Pairing needs an encrypted connection: name the hub's TLS port, such as wss://HOST:9443")

        async def turn(**message):
            await link.send(json.dumps(message))
            answer = json.loads(await link.recv())
            if answer["t"] == "err":
                raise NotTheHub(answer["err"]["msg"])
            return answer
        challenge = await turn(t="hello", v=[1], profile="remote", client={"id": client, "name": name})
        pairing = Pairing(code.encode(), binding(spki), unb64(challenge["nonce"]), client, name, challenge["hub"]["id"])
        answer = await turn(t="pair", step=1, name=name, by="pin", nonce=b64(pairing.nonce), ya=b64(pairing.share))
        answer = await turn(t="pair", step=3, ta=b64(pairing.prove(unb64(answer["yb"]))))
        key = pairing.key(unb64(answer["tb"]), unb64(answer["wk"]))
        return {"url": url, "dev": answer["dev"], "key": b64(key), "pin": b64(spki), "role": answer["role"]}


# ---- The remote

class Remote:
    """A hub that is held on to. `kept` is what `pair` gave, for a hub that asks who this is."""

    def __init__(self, url, profile="remote", name="Python remote", client_id=None, connect=None, volumes_a_second=None, kept=None):
        self.url, self.profile, self.name, self.kept = url, profile, name, kept
        self.client_id, self.run_id = client_id or secrets.token_urlsafe(8), secrets.token_urlsafe(6)
        self.connect = connect or (lambda: dial(url))
        self.sections, self.rev, self.room, self.epoch, self.boot = {}, 0, None, None, None
        self.pace = [50, 20000]
        self.clock, self.link, self.number = Clock(), None, 0
        self.hub_proof, self.last_words = None, None
        self.unanswered, self.waiting = {}, []
        self.on_change = lambda: None
        # BT-PRO-008: 8 a second from a wrist, 15 from elsewhere.
        self.volume_gap = 1 / (volumes_a_second or (7.5 if profile == "watch" else 14))
        self.volume_wanted, self.volume_task = None, None

    # Life

    async def stay(self):
        """Connects, and comes back, until the hub says that there is no use (BT-CLS-*)."""
        tries = 0
        while True:
            began, code = time.monotonic(), None
            try:
                async with self.connect() as link:
                    code = await self.converse(link)
            except (OSError, asyncio.TimeoutError, websockets.exceptions.WebSocketException) as error:
                code = getattr(getattr(error, "rcvd", None), "code", None)
            self.leave()
            if code in STOP_CODES:
                return code
            tries = 0 if time.monotonic() - began > STABLE_S else tries
            await asyncio.sleep(max(WAIT_AT_LEAST.get(code, 0), BACKOFF[min(tries, 5)] * random.uniform(0.5, 1)))
            tries += 1

    def leave(self):
        """What was asked and not answered is asked again on the next connection (BT-RTY-007)."""
        self.link = None
        self.waiting = list(self.unanswered.values()) + self.waiting
        self.unanswered = {}
        self.on_change()

    async def converse(self, link):
        self.hub_proof = None
        if self.kept and hub_key(link) != unb64(self.kept["pin"]):
            raise NotTheHub("This is not the hub that this device was paired with.")
        hello = json.dumps(self.hello())
        await link.send(hello)
        clock = asyncio.ensure_future(self.ask_time(link))
        try:
            while True:
                # BT-SLO-003: that much silence is the end.
                text = await asyncio.wait_for(link.recv(), 2 * self.pace[1] / 1000 + 5)
                message = json.loads(text)
                if message.get("t") == "challenge":
                    await self.identify(link, hello, text)
                await self.take(message, link)
        except websockets.exceptions.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None
        finally:
            clock.cancel()

    def hello(self):
        hello = {"t": "hello", "v": [1], "profile": self.profile, "caps": [], "t1": now_us(),
                 "client": {"id": self.client_id, "run": self.run_id, "name": self.name, "app": "remote.py/1"}}
        if self.epoch:
            hello["resume"] = {"epoch": self.epoch, "rev": self.rev, "rooms": [self.room], "sections": list(self.sections)}
        return hello

    async def identify(self, link, hello, challenge):
        """Shows the key of this device, and notes what the hub will have to show (BT-HS-012)."""
        if not self.kept:
            raise NotTheHub(f"This device is not paired with this hub: remote.py pair {self.url}")
        nonce = secrets.token_bytes(16)
        about = (unb64(self.kept["key"]), binding(hub_key(link)), hello.encode(), challenge.encode(), nonce)
        self.hub_proof = proof(b"hub", *about)
        await link.send(json.dumps({"t": "auth", "m": "device", "dev": self.kept["dev"], "nonce": b64(nonce), "mac": b64(proof(b"client", *about))}))

    async def ask_time(self, link):
        """Four times after connecting, then now and then (BT-CLK-007)."""
        for pause in [0.1, 0.2, 0.3, 0.5]:
            await asyncio.sleep(pause)
            await link.send(json.dumps({"t": "time", "t1": now_us()}))
        while True:
            await asyncio.sleep(60 if self.profile == "watch" else 10)
            await link.send(json.dumps({"t": "time", "t1": now_us()}))

    # Hearing

    async def take(self, message, link):
        t4, kind = now_us(), message.get("t")
        if kind == "welcome":
            if self.kept and not (self.hub_proof and hmac.compare_digest(unb64(message.get("mac", "")), self.hub_proof)):
                raise NotTheHub("The hub could not show that it is the one this device was paired with.")
            if message["epoch"] != self.epoch:
                self.sections, self.rev = {}, 0
            if message["boot"] != self.boot:  # BT-CLK-002
                self.clock = Clock()
            self.epoch, self.boot, self.pace = message["epoch"], message["boot"], message["pace"]
            self.clock.add(message["t1"], message["t2"], message["t3"], t4)
        elif kind == "state":
            await self.apply(message, link)
        elif kind == "res":
            if "s" in message:
                await self.apply(message, link)
            press = self.unanswered.pop(message["id"], None)
            if press and not press.answer.done():
                press.answer.set_result(message)
        elif kind == "err":
            self.last_words = message["err"]["msg"]
        elif kind == "time":
            self.clock.add(message["t1"], message["t2"], message["t3"], t4)
        # Everything else is from a newer hub, or not for us (BT-HS-009).

    async def apply(self, message, link):
        if message.get("full"):
            self.sections = {}
        elif message["from"] != self.rev:  # BT-STA-007: a frame is missing.
            return await link.send('{"t":"sync"}')
        for name, value in message["s"].items():
            if value is None:
                self.sections.pop(name, None)
            else:
                self.sections[name] = value
        self.rev, self.room = message["rev"], message.get("room", self.room)
        if self.link is None:
            self.link, self.number = link, 0
            await self.send_waiting()
        self.on_change()

    # Pressing

    async def press(self, method, ttl_ms=5000, **parameters):
        """One press: waits for its one answer, over as many connections as that takes while it is wanted."""
        press = Press(method, parameters, ttl_ms)
        self.waiting.append(press)
        await self.send_waiting()
        return await asyncio.wait_for(press.answer, ttl_ms / 1000)

    async def send_waiting(self):
        while self.link and self.waiting:
            press = self.waiting.pop(0)
            if not press.is_wanted or press.answer.done():
                continue
            self.number += 1
            command = {"t": "cmd", "id": self.number, "m": press.method}
            if press.key:
                command["k"] = press.key
            if press.ttl_ms != 5000:
                command["ttl"] = press.ttl_ms
            hub_us = self.clock.hub_us()
            if hub_us and now_us() - press.pressed_us > 500_000:  # Said again: the hub may know how old it is.
                command["ct"] = (hub_us - (now_us() - press.pressed_us)) // 1000
            if press.parameters:
                command["p"] = press.parameters
            self.unanswered[self.number] = press
            try:
                await self.link.send(json.dumps(command, separators=(",", ":"), ensure_ascii=False))
            except websockets.exceptions.ConnectionClosed:
                return  # leave() will ask again.

    def turn_volume(self, level):
        """For a wheel: a newer level replaces one that was not sent yet."""
        self.volume_wanted = level
        if self.volume_task is None or self.volume_task.done():
            self.volume_task = asyncio.ensure_future(self.send_volume())
        return self.volume_task

    async def send_volume(self):
        answer = None
        while self.volume_wanted is not None:
            level, self.volume_wanted = self.volume_wanted, None
            sent = asyncio.ensure_future(self.press("vol.set", level=level))
            await asyncio.sleep(self.volume_gap)
            answer = await sent
        return answer

    # Showing

    @property
    def entry(self):
        return (self.sections.get("now") or {}).get("entry") or (self.sections.get("n") or {}).get("i")

    def shown(self):
        """What a screen would show, from either kind of sections."""
        now, tl = self.sections.get("now") or {}, self.sections.get("tl") or {}
        n, line, v = self.sections.get("n") or {}, self.sections.get("l") or [0, 0, 0], self.sections.get("v")
        level = self.sections["vol"]["level"] if "vol" in self.sections else v[0] if v else None
        rate = tl.get("rate", line[2])
        return {"connected": self.link is not None, "title": now.get("title") or n.get("t"), "artist": (now.get("artists") or [n.get("a")])[0],
                "level": level, "playing": rate > 0, "positionMs": self.position_ms(), "entry": self.entry}

    def position_ms(self):
        """Where it is (BT-CLK-001)."""
        tl, line = self.sections.get("tl"), self.sections.get("l") or [0, 0, 0]
        at, position, rate = (tl["atUs"], tl["posMs"], tl["rate"]) if tl else (line[1] * 1000, line[0], line[2])
        hub = self.clock.hub_us()
        moved = max(0, hub - at) * rate // 1_000_000 if hub else 0
        length = (self.sections.get("now") or {}).get("durMs") or (self.sections.get("n") or {}).get("d", 0) * 1000
        return min(position + moved, length) if length else position + moved


async def perform(remote, words):
    """A press as people type it."""
    verb, *rest = words
    if verb in ("next", "prev"):
        return await remote.press(verb, **({"from": remote.entry} if remote.entry else {}))
    if verb in ("play", "pause", "stop"):
        return await remote.press(verb)
    if verb == "toggle":
        return await remote.press(verb, want="paused" if remote.shown()["playing"] else "playing")
    if verb == "vol":
        return await remote.turn_volume(int(rest[0]))
    if verb in ("mute", "unmute"):
        return await remote.press("vol.mute", on=verb == "mute")
    if verb == "add":
        return await remote.press("queue.add", uris=rest)
    if verb == "find":
        found = await remote.press("lib.search", q=" ".join(rest), limit=1)
        rows = found["d"]["rows"] if found.get("ok") else []
        return await remote.press("play", uri=rows[0]["uri"]) if rows else found
    raise SystemExit(f"remote.py: there is no “{verb}”; there are play, pause, toggle, stop, next, prev, vol N, mute, unmute, add URI, find WORDS, pair URL")


async def from_input(remote):
    """A press a line, each answered by a line of JSON; for programs and tests."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    pressing = set()

    async def one(words):
        try:
            answer = await perform(remote, words)
        except asyncio.TimeoutError:
            answer = {"ok": 0, "err": {"code": "timeout", "retry": 1, "msg": "The hub did not answer in time."}}
        print(json.dumps({"press": " ".join(words), "answer": answer}), flush=True)
    while line := (await reader.readline()).decode():
        if line.strip() == "quit":
            break
        if line.strip() == "show":
            print(json.dumps({"shown": remote.shown()}), flush=True)
            continue
        task = asyncio.ensure_future(one(line.split()))
        pressing.add(task)
        task.add_done_callback(pressing.discard)
    await asyncio.gather(*pressing)


def display(remote):
    shown = remote.shown()
    seconds = shown["positionMs"] // 1000
    text = "not connected" if not shown["connected"] else f"{shown['title'] or 'Nothing is playing'}" + (f" · {shown['artist']}" if shown["artist"] else "")
    print(f"\r\033[K{'▶' if shown['playing'] else '⏸'} {text}  {seconds // 60}:{seconds % 60:02}  {shown['level']}%", end="", flush=True)


def keep(name, text):
    """For its owner's eyes only."""
    os.makedirs(HOME, mode=0o700, exist_ok=True)
    with open(os.open(os.path.join(HOME, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    return text


def kept(name):
    with contextlib.suppress(OSError), open(os.path.join(HOME, name), encoding="utf-8") as file:
        return file.read()


async def main(asked):
    # Random, made once and kept: keys count per id.
    client = kept("client-id") or keep("client-id", secrets.token_urlsafe(8))
    if asked.words[:1] == ["pair"]:
        [url] = asked.words[1:]
        code = "".join(char for char in input("The code that the hub shows: ") if char.isdigit())
        paired = await pair(url, code, client, "Python remote")
        keep("hub.json", json.dumps(paired))
        print(f"Paired as {paired['role']}.")
        return 0
    paired = None if asked.url else json.loads(kept("hub.json") or "null")
    if asked.words == ["env"] and paired:
        pin = base64.b64encode(unb64(paired["pin"])).decode()
        print(f"export BATON_URL='{paired['url'].replace('wss:', 'https:')}' BATON_KEY='{paired['dev']}.{paired['key']}' BATON_PIN='{pin}'")
        return 0
    url = asked.url or (paired["url"] if paired else "ws://127.0.0.1:9442")
    remote = Remote(url, asked.profile, client_id=client, kept=paired)
    staying = asyncio.ensure_future(remote.stay())

    async def use():
        if asked.script:
            return await from_input(remote)
        if asked.words:
            answer = await perform(remote, asked.words)
            print(answer["st"] if answer["ok"] else answer["err"]["msg"])
            return 0 if answer["ok"] else 1
        while True:
            display(remote)
            await asyncio.sleep(0.5)
    using = asyncio.ensure_future(use())
    await asyncio.wait([staying, using], return_when=asyncio.FIRST_COMPLETED)
    if not using.done():
        code = staying.result()
        using.cancel()
        print(json.dumps({"ended": code}) if asked.script else remote.last_words or f"The hub ended the connection for good ({code}).", flush=True)
        return 1
    if remote.link:
        await remote.link.close()
    staying.cancel()
    return using.result() or 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A remote for a Baton hub.")
    parser.add_argument("--url", help="the hub that was paired with, or ws://127.0.0.1:9442")
    parser.add_argument("--profile", choices=["watch", "remote", "full"], default="remote")
    parser.add_argument("--script", action="store_true", help="presses from standard input, a line each, answers as JSON")
    parser.add_argument("words", nargs="*")
    try:
        sys.exit(asyncio.run(main(parser.parse_args())))
    except (NotTheHub, OSError) as problem:
        sys.exit(str(problem))
    except WrongCode as problem:
        sys.exit(f"Nothing was kept: {problem}.")
    except asyncio.TimeoutError:
        sys.exit("remote.py: no hub answered in time")
    except KeyboardInterrupt:
        print()
