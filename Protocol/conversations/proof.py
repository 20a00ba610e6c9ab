"""The arithmetic of a pairing and of proofs, done again from the secrets in the header: to check a file, and to be the hub of a client under test."""

import hashlib
import hmac
import json
import os
import ssl
import struct
import subprocess

from conversations.files import whole
from runner import exporter, pairing as keys
from runner.failing import Fails


def complaints(conversation):
    """The values that follow from the secrets, and stand otherwise in the lines."""
    exchange = Exchange(conversation.header["secrets"])
    for line in whole(conversation.lines):
        if line["frame"] != "text":
            continue
        message, kind = exchange.heard(line["text"])
        try:
            wish = list(exchange.expected(kind))
        except (LookupError, ValueError) as fault:
            yield f"line {line['n']}: {kind} follows from what was not said before it: {fault}"
            continue
        for name, value in wish:
            if message.get(name) != value:
                yield f"line {line['n']}: {name} of {kind} is not what follows from the secrets: {value}"
    if exchange.attempt != len(conversation.header["secrets"]["a"]):
        yield f"there are {exchange.attempt} attempts, and secrets for {len(conversation.header['secrets']['a'])}"


class Exchange:
    """What was said on one connection before `welcome`, and what follows from it. Both sides are known here."""

    def __init__(self, secrets):
        self.code, self.key = secrets["code"], bytes.fromhex(secrets["key"])
        self.scalars = {side: [bytes.fromhex(one) for one in secrets[side]] for side in "ab"}
        self.binding = hashlib.sha256(b"bt-cb-exp" + bytes.fromhex(secrets["exporter"])).digest()
        self.said, self.attempt = {}, 0

    def heard(self, text):
        """Notes a message, and gives it back with its kind, such as `pair3`."""
        message = json.loads(text)
        kind = message["t"] + str(message.get("step", ""))
        self.said[kind] = (text.encode(), message)
        self.attempt += kind == "pair2"
        return message, kind

    def member(self, kind, name):
        return keys.unb64(self.said[kind][1][name])

    def expected(self, kind):
        """The members of a message that follow from those before it, and from the secrets."""
        if kind == "pair1":
            yield "ya", keys.b64(self.share("a", self.attempt))
        elif kind == "pair2":
            yield "yb", keys.b64(self.share("b", self.attempt - 1))
        elif kind == "pair3":
            yield "ta", keys.b64(self.tag("a"))
        elif kind == "pair4":
            yield "tb", keys.b64(self.tag("b"))
            yield "wk", keys.b64(self.sealed())
        elif kind in ("auth", "welcome"):
            yield "mac", keys.b64(self.mac(b"client" if kind == "auth" else b"hub"))

    def sid(self, attempt):
        return self.member("challenge", "nonce") + self.member("pair1", "nonce") + struct.pack(">L", attempt + 1)

    def share(self, side, attempt):
        """The digits of the device may be wrong; those of the hub are the last ones."""
        code = (self.code[attempt] if side == "a" else self.code[-1]).encode()
        return keys.x25519(self.scalars[side][attempt], keys.generator(code, b"baton-pair-v1" + self.binding, self.sid(attempt)))

    def session(self, side=None):
        """sid and ISK of the attempt that goes on, as this side has them; the device unless said otherwise."""
        attempt = self.attempt - 1
        ya, yb = self.member("pair1", "ya"), self.member("pair2", "yb")
        secret = keys.x25519(self.scalars["b"][attempt], ya) if side == "hub" else keys.x25519(self.scalars["a"][attempt], yb)
        return self.sid(attempt), keys.session_key(self.sid(attempt), secret, ya, self.name("a"), yb, self.name("b"))

    def name(self, side):
        if side == "b":
            return keys.joined(self.said["challenge"][1]["hub"]["id"].encode())
        return keys.joined(self.said["hello"][1]["client"]["id"].encode(), self.said["pair1"][1]["name"].encode())

    def tag(self, of, side=None):
        sid, isk = self.session(side)
        return keys.tag(sid, isk, self.member("pair1", "ya") if of == "a" else self.member("pair2", "yb"), self.name(of))

    def sealed(self, side=None):
        """The device key as it is sent: ChaCha20-Poly1305 with a nonce of zeros (RFC 8439, section 2.8)."""
        sid, isk = self.session(side)
        key, nonce = keys.hkdf(isk, sid, b"baton-wrap"), bytes(12)
        body = bytes(a ^ b for a, b in zip(self.key, keys.chacha_block(key, 1, nonce)))
        return body + keys.poly1305(keys.chacha_block(key, 0, nonce)[:32], body + struct.pack("<QQ", 0, len(body)))

    def mac(self, side):
        covered = self.binding + hashlib.sha256(self.said["hello"][0] + self.said["challenge"][0]).digest() + self.member("auth", "nonce")
        return hmac.digest(self.key, b"baton/1 " + side + covered, "sha256")


class HubSide(Exchange):
    """The hub of a client under test: the client's scalars are its own, and the proofs are bound to this TLS."""

    def __init__(self, secrets, folder):
        super().__init__(secrets)
        self.files = f"{folder}/hub.pem", f"{folder}/hub.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-out", self.files[0],
                        "-keyout", self.files[1], "-subj", "/CN=baton", "-days", "30"], check=True, capture_output=True)
        with open(self.files[0], encoding="ascii") as file:
            self.pin = keys.public_key_hash(ssl.PEM_cert_to_DER_cert(file.read()))
        self.nonce, self.exported = keys.b64(os.urandom(16)), None

    def secured(self, link):
        """The connection inside TLS 1.3, whose log of keys tells the exporter."""
        log, context = exporter.Log(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version, context.keylog_filename, context.num_tickets = ssl.TLSVersion.TLSv1_3, log.path, 0
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(*self.files)
        secure = context.wrap_socket(link, server_side=True)
        self.exported = exporter.binding(log.exporter(secure))
        return secure

    def answered(self, text):
        """A recorded message of the hub as it has to be for this client."""
        message = json.loads(text)
        kind = message["t"] + str(message.get("step", ""))
        if kind == "challenge":
            is_exp = "cb.exp" in self.said["hello"][1].get("caps", ())
            self.binding = self.exported if is_exp else keys.channel_binding(self.pin)
            message.update(cb="exp" if is_exp else "spki", nonce=self.nonce)
        elif kind == "pair2":
            message["yb"] = keys.b64(self.share("b", self.attempt))
        elif kind == "pair4":
            message.update(tb=keys.b64(self.tag("b", "hub")), wk=keys.b64(self.sealed("hub")))
        elif kind == "welcome":
            message["mac"] = keys.b64(self.mac(b"hub"))
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self.heard(text)
        return text

    def judged(self, text, is_right):
        """Notes what the client said, and fails where its proof is wrong, or right where it was to be wrong."""
        _, kind = self.heard(text)
        found = {"pair3": lambda: self.member("pair3", "ta") == self.tag("a", "hub"), "auth": lambda: self.member("auth", "mac") == self.mac(b"client")}
        if kind in found and found[kind]() != is_right:
            raise Fails(f"the proof in {kind} is {'wrong' if is_right else 'right, although the code is wrong'}")
