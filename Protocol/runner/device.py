"""A device on TLS: what it says to be paired and to show who it is, right or deliberately wrong.

`Exchange` belongs to one connection and remembers the messages that proofs cover; `Device` is what a pairing leaves
with the device. The arithmetic is that of pairing.py.
"""

import hmac
import json
import os
import secrets
import ssl

from runner.exporter import binding as bound_to
from runner.pairing import Pairing, WrongCode, b64, channel_binding, hkdf, open_sealed, proof, public_key_hash, unb64


def context(newest=None, protocols=("http/1.1",), log=None):
    """TLS as the specification asks for it. The hub's key is what counts, not the names in its certificate. `log` is the file of its keys."""
    made = ssl.create_default_context()
    if log:
        made.keylog_filename = log
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    if newest:
        made.minimum_version, made.maximum_version = ssl.TLSVersion.TLSv1_2, newest
    else:
        made.minimum_version = ssl.TLSVersion.TLSv1_3
    made.set_alpn_protocols(list(protocols))
    return made


def key_hash(link):
    """SHA-256 of the public key that this hub shows."""
    return public_key_hash(link.getpeercert(binary_form=True))


class Device:
    """One paired device: its name with the hub, its key, and the public key it has pinned."""

    def __init__(self, dev, key, pin, client):
        self.dev, self.key, self.pin, self.client = dev, key, pin, client

    def bearer(self, of="bearer"):
        """What a request shows; with `key` the device key itself, as no client may."""
        return f"Bearer {self.dev}.{b64(self.key if of == 'key' else self.word())}"

    def word(self):
        """What stands for this device in a request, and opens no connection."""
        return hmac.digest(self.key, b"baton/1 bearer", "sha256")

    def rotated(self, salt, sealed):
        """The same device with the key that `dev.rotate` gave it."""
        key = open_sealed(hkdf(self.key, unb64(salt), b"baton-rotate"), bytes(12), unb64(sealed))
        if key is None or len(key) != 32:
            raise WrongCode("the key was changed on its way, or sealed under another one")
        return Device(self.dev, key, self.pin, self.client)


def load(path):
    """A pairing from an earlier run, or nothing."""
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
    except FileNotFoundError:
        return None
    return Device(kept["dev"], unb64(kept["key"]), unb64(kept["pin"]), kept["client"])


def keep(path, device):
    """For its owner's eyes only: who reads this file can steer the hub."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump({"dev": device.dev, "key": b64(device.key), "pin": b64(device.pin), "client": device.client}, file)


class Exchange:
    """What was said on one connection before `welcome`."""

    def __init__(self, pin, exporter=None):
        self.pin, self.binding, self.exporter = pin, channel_binding(pin), exporter
        self.hello, self.challenge = b"", b""
        self.shares, self.pairing, self.last = 0, None, {}

    def sent(self, payload):
        if kind(payload) == "hello":
            self.hello = payload

    def heard(self, payload):
        if kind(payload) == "challenge":
            self.challenge = payload
            if self.exporter and json.loads(payload).get("cb") == "exp":
                self.binding = bound_to(self.exporter)
        elif kind(payload) == "pair":
            self.last = json.loads(payload)
            # An attempt is counted when the hub has sent its share, and only then.
            self.shares += "yb" in self.last

    def first_step(self, code, name, by, want=None, wrong=None):
        """Step 1. `wrong`: with `zero` the share is one that leads to the same secret whatever the code is."""
        client, challenge = json.loads(self.hello)["client"]["id"], json.loads(self.challenge)
        secret = unb64(code) if by == "qr" else code.encode()
        self.pairing = Pairing(secret, self.binding, unb64(challenge["nonce"]), client, name, challenge["hub"]["id"], self.shares + 1)
        share = bytes(32) if wrong == "zero" else self.pairing.share
        message = {"t": "pair", "step": 1, "name": name, "by": by, "nonce": b64(self.pairing.nonce), "ya": b64(share)}
        return {**message, **({"want": want} if want else {})}

    def third_step(self, wrong=None):
        tag = self.pairing.prove(unb64(self.last["yb"]))
        return {"t": "pair", "step": 3, "ta": b64(bytes(len(tag)) if wrong == "tag" else tag)}

    def paired(self):
        """The device that step 4 makes, once the hub has shown that it knows the code too."""
        key = self.pairing.key(unb64(self.last["tb"]), unb64(self.last["wk"]))
        return Device(self.last["dev"], key, self.pin, json.loads(self.hello)["client"]["id"])

    def auth(self, device, wrong=None):
        """The proof of a device, and the proof that the hub must answer it with."""
        nonce = secrets.token_bytes(16)
        key = {"mac": secrets.token_bytes(32), "bearer": device.word()}.get(wrong, device.key)
        mac = proof(b"client", key, self.binding, self.hello, self.challenge, nonce)
        message = {"t": "auth", "m": "device", "dev": "d_nobody" if wrong == "dev" else device.dev, "nonce": b64(nonce), "mac": b64(mac)}
        return message, b64(proof(b"hub", device.key, self.binding, self.hello, self.challenge, nonce))


def kind(payload):
    try:
        return json.loads(payload).get("t")
    except (ValueError, AttributeError):
        return None


__all__ = ["Device", "Exchange", "WrongCode", "context", "keep", "key_hash", "load"]
