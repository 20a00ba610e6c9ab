"""Pairing with a Baton hub and proving it later, from `Protocol/` alone.

CPace (X25519, SHA-512), HKDF and ChaCha20-Poly1305 in plain Python, so that nothing but the standard
library is needed. The arithmetic takes as long as its numbers want: fine for a device that pairs once,
wrong for a hub, where the time an answer takes would reveal secrets.
"""

import base64
import hashlib
import hmac
import os
import struct

P = 2**255 - 19
A = 486662


# ---- Curve25519

def decode_u(data):
    return int.from_bytes(data[:31] + bytes([data[31] & 127]), "little") % P


def x25519(scalar, point):
    """RFC 7748, section 5. None for the neutral element, at which a side must stop."""
    k = bytearray(scalar)
    k[0] &= 248
    k[31] = k[31] & 127 | 64
    k = int.from_bytes(k, "little")
    x1 = decode_u(point)
    x2, z2, x3, z3, swapped = 1, 0, x1, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swapped ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swapped = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb = a * a % P, b * b % P
        e = aa - bb
        da, cb = d * a % P, c * b % P
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swapped:
        x2, z2 = x3, z3
    result = x2 * pow(z2, P - 2, P) % P
    return result.to_bytes(32, "little") if result else None


def elligator2(data):
    """RFC 9380, section 6.7.1, with 2 for the number that is no square."""
    r = decode_u(data)
    v = -A * pow(1 + 2 * r * r, P - 2, P) % P
    is_square = pow((v * v + A * v + 1) * v % P, (P - 1) // 2, P) == 1
    return (v if is_square else (-v - A) % P).to_bytes(32, "little")


# ---- CPace, as the draft names its parts

def prefixed(data):
    length, out = len(data), b""
    while True:
        out += bytes([length & 127 | (128 if length > 127 else 0)])
        length >>= 7
        if not length:
            return out + data


def joined(*parts):
    return b"".join(prefixed(part) for part in parts)


def generator(prs, ci, sid):
    padding = max(0, 128 - 1 - len(prefixed(prs)) - len(prefixed(b"CPace255")))
    text = joined(b"CPace255", prs, bytes(padding), ci, sid)
    return elligator2(hashlib.sha512(text).digest()[:32])


def session_key(sid, secret, ya, ada, yb, adb):
    return hashlib.sha512(joined(b"CPace255_ISK", sid, secret) + joined(ya, ada) + joined(yb, adb)).digest()


def tag(sid, isk, share, ad):
    return hmac.digest(hashlib.sha512(b"CPaceMac" + sid + isk).digest(), joined(share, ad), "sha512")


# ---- HKDF and ChaCha20-Poly1305

def hkdf(secret, salt, info, count=32):
    return hkdf_expand(hmac.digest(salt, secret, "sha256"), info, count)


def hkdf_expand(key, info, count, name="sha256"):
    """The second half of HKDF, by which a key becomes as many bytes as are needed."""
    out = block = b""
    for round_number in range(1, 256):
        if len(out) >= count:
            break
        block = hmac.digest(key, block + info + bytes([round_number]), name)
        out += block
    return out[:count]


def chacha_block(key, counter, nonce):
    state = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    state += struct.unpack("<8L", key) + (counter,) + struct.unpack("<3L", nonce)
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


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        total = (total + int.from_bytes(message[start:start + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def padded(data):
    return data + bytes(-len(data) % 16)


def open_sealed(key, nonce, sealed, extra=b""):
    """RFC 8439, section 2.8. None when anything was changed."""
    body, shown = sealed[:-16], sealed[-16:]
    lengths = struct.pack("<QQ", len(extra), len(body))
    mac = poly1305(chacha_block(key, 0, nonce)[:32], padded(extra) + padded(body) + lengths)
    if not hmac.compare_digest(mac, shown):
        return None
    stream = b"".join(chacha_block(key, i + 1, nonce) for i in range(-(-len(body) // 64)))
    return bytes(a ^ b for a, b in zip(body, stream))


# ---- What Protocol/profiles/network.md says of pairing and proofs

def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def element(data, start=0):
    """One element of DER: where its content begins and where it ends."""
    length, begin = data[start + 1], start + 2
    if length & 128:
        count = length & 127
        length, begin = int.from_bytes(data[begin:begin + count], "big"), begin + count
    return begin, begin + length


def public_key_hash(certificate):
    """SHA-256 of SubjectPublicKeyInfo: the seventh element of what is signed, if a version is named."""
    at, _ = element(certificate)
    at, _ = element(certificate, at)
    for _ in range(6):
        _, at = element(certificate, at)
    _, end = element(certificate, at)
    return hashlib.sha256(certificate[at:end]).digest()


def channel_binding(spki_hash):
    """Python's TLS has no exporter, so the hub's key is what a proof is bound to."""
    return hashlib.sha256(b"bt-cb-spki" + spki_hash).digest()


class WrongCode(Exception):
    """The code is wrong, or the connection between this device and the hub is intercepted."""


class Pairing:
    """The device's side of the four steps."""

    def __init__(self, code, binding, hub_nonce, client, name, hub, round_number=1):
        self.nonce = os.urandom(16)
        self.sid = hub_nonce + self.nonce + struct.pack(">L", round_number)
        self.ada = joined(client.encode(), name.encode())
        self.adb = joined(hub.encode())
        self.scalar = os.urandom(32)
        self.share = x25519(self.scalar, generator(code, b"baton-pair-v1" + binding, self.sid))
        self.isk = self.yb = None

    def prove(self, yb):
        secret = x25519(self.scalar, yb)
        if secret is None or yb == self.share:
            raise WrongCode("the hub's share is not an honest one")
        self.yb = yb
        self.isk = session_key(self.sid, secret, self.share, self.ada, yb, self.adb)
        return tag(self.sid, self.isk, self.share, self.ada)

    def key(self, tb, wrapped):
        if not hmac.compare_digest(tb, tag(self.sid, self.isk, self.yb, self.adb)):
            raise WrongCode("the hub does not know the code")
        key = open_sealed(hkdf(self.isk, self.sid, b"baton-wrap"), bytes(12), wrapped)
        if key is None or len(key) != 32:
            raise WrongCode("the key was changed on its way")
        return key


def proof(side, key, binding, hello, challenge, nonce):
    """`side` is b"client" or b"hub"; hello and challenge are the bytes as they went over the wire."""
    covered = binding + hashlib.sha256(hello + challenge).digest() + nonce
    return hmac.digest(key, b"baton/1 " + side + covered, "sha256")
