"""The device's side of a pairing, and the proof of it later (chapter "Pairing" of the specification)."""

import base64
import hashlib
import hmac
import secrets
import struct
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .curve import elligator2, joined, unwrap, x25519
from .errors import WrongCode


def b64(data: bytes) -> str:
    """Base64url without padding, as everywhere in the protocol."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The bytes of a text in base64url."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(frozen=True)
class Credentials:
    """What a paired device keeps: where the hub is, the device's name and key, and the hash of the hub's key."""

    url: str
    dev: str
    key: str
    pin: str
    role: str

    def as_dict(self) -> dict[str, str]:
        """For a file. The key is a secret: only its owner may read that file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, kept: dict[str, Any]) -> "Credentials":
        """What `as_dict` gave; members that are not known are ignored."""
        return cls(**{name: str(kept[name]) for name in ("url", "dev", "key", "pin", "role")})


@dataclass(frozen=True)
class Invitation:
    """What the hub shows when its owner opens a pairing window: six digits, or a link in a QR code."""

    by: str
    secret: bytes
    url: str | None = None
    pin: bytes | None = None

    @classmethod
    def read(cls, text: str) -> "Invitation":
        """Digits as a person types them, such as `123-456`, or the whole link."""
        if text.strip().startswith("https://"):
            link = urlsplit(text.strip())
            parts = parse_qs(link.fragment)
            if "pair" not in parts or "fp" not in parts:
                raise WrongCode("this link is not the one that the hub shows: pair= and fp= belong behind its #")
            return cls("qr", unb64(parts["pair"][0]), f"wss://{link.netloc}", unb64(parts["fp"][0]))
        digits = "".join(char for char in text if char in "0123456789")
        if len(digits) != 6:
            raise WrongCode(f"the code has six digits, and these are {len(digits)}")
        return cls("pin", digits.encode())


class Pairing:
    """The device's side of CPace's four steps (BT-PAIR-001 to 004); the names are those of the draft."""

    def __init__(self, secret: bytes, binding: bytes, hub_nonce: bytes, client: str, name: str, hub: str,
                 nonce: bytes | None = None, scalar: bytes | None = None, attempt: int = 1) -> None:
        self.nonce, self.scalar = nonce or secrets.token_bytes(16), scalar or secrets.token_bytes(32)
        self.sid = hub_nonce + self.nonce + struct.pack(">L", attempt)
        self.ada, self.adb = joined(client.encode(), name.encode()), joined(hub.encode())
        # The secret fills the first block of the hash, whatever its length.
        padding = bytes(128 - 1 - len(joined(secret)) - len(joined(b"CPace255")))
        text = joined(b"CPace255", secret, padding, b"baton-pair-v1" + binding, self.sid)
        share = x25519(self.scalar, elligator2(hashlib.sha512(text).digest()[:32]))
        if share is None:
            raise WrongCode("this random number cannot be used; pair again")
        self.share, self.yb, self.isk = share, b"", b""

    def prove(self, yb: bytes) -> bytes:
        """Takes the hub's share, gives our tag."""
        secret = x25519(self.scalar, yb)
        if secret is None or yb == self.share:
            raise WrongCode("the hub's share is not an honest one")
        self.yb = yb
        self.isk = hashlib.sha512(
            joined(b"CPace255_ISK", self.sid, secret) + joined(self.share, self.ada) + joined(yb, self.adb)).digest()
        return self._tag(self.share, self.ada)

    def _tag(self, share: bytes, ad: bytes) -> bytes:
        return hmac.digest(hashlib.sha512(b"CPaceMac" + self.sid + self.isk).digest(), joined(share, ad), "sha512")

    def key(self, tb: bytes, wrapped: bytes) -> bytes:
        """Takes the hub's tag and what it has wrapped, gives the key of this device."""
        if not hmac.compare_digest(tb, self._tag(self.yb, self.adb)):
            raise WrongCode("the hub does not know the code")
        # HKDF of RFC 5869, one block of it.
        wrapping = hmac.digest(hmac.digest(self.sid, self.isk, "sha256"), b"baton-wrap\x01", "sha256")
        key = unwrap(wrapping, wrapped)
        if key is None:
            raise WrongCode("the key was changed on its way")
        return key


def binding(spki: bytes) -> bytes:
    """Python's TLS has no exporter, so a proof is bound to the hub's key."""
    return hashlib.sha256(b"bt-cb-spki" + spki).digest()


def proof(side: bytes, key: bytes, bound: bytes, hello: bytes, challenge: bytes, nonce: bytes) -> bytes:
    """`side` is b"client" or b"hub"; hello and challenge are the bytes as they went over the wire (BT-HS-012)."""
    covered = bound + hashlib.sha256(hello + challenge).digest() + nonce
    return hmac.digest(key, b"baton/1 " + side + covered, "sha256")


def bearer(dev: str, key: bytes) -> str:
    """What stands behind `Authorization: Bearer`: it follows from the key, which is never sent (BT-HTTP-007)."""
    return f"{dev}.{b64(hmac.digest(key, b'baton/1 bearer', 'sha256'))}"


def public_key_hash(certificate: bytes) -> bytes:
    """SHA-256 of SubjectPublicKeyInfo: the seventh element of the part that is signed, if a version is named."""
    def element(start: int) -> tuple[int, int]:
        """Where the content of one element of DER begins and where it ends."""
        length, begin = certificate[start + 1], start + 2
        if length & 128:
            length, begin = int.from_bytes(certificate[begin:begin + (length & 127)], "big"), begin + (length & 127)
        return begin, begin + length
    at = element(element(0)[0])[0]
    for _ in range(6):
        at = element(at)[1]
    return hashlib.sha256(certificate[at:element(at)[1]]).digest()
