"""Results that carry a signature of the run that made them: Ed25519 (RFC 8032), in plain Python.

The key is made for one run and stands in the result. So a signature shows that a result is as it was written, and that two files are of one
run; who ran it, it does not show. The arithmetic takes as long as its numbers want, which matters for no key that is used once.
"""

import base64
import hashlib
import json
import secrets
import sys

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recovered(y, sign):
    """The x of a point, or nothing where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or not x and sign:
        return None
    return P - x if x & 1 != sign else x


def point(x, y):
    return x, y, 1, x * y % P


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = point(recovered(BASE_Y, 0), BASE_Y)
NEUTRAL = (0, 1, 1, 0)


def added(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, one):
    found = NEUTRAL
    while number:
        if number & 1:
            found = added(found, one)
        one, number = added(one, one), number >> 1
    return found


def packed(one):
    inverse = pow(one[2], P - 2, P)
    x, y = one[0] * inverse % P, one[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def unpacked(data):
    number = int.from_bytes(data, "little")
    y = number & (1 << 255) - 1
    x = recovered(y, number >> 255) if len(data) == 32 and y < P else None
    return None if x is None else point(x, y)


def hashed(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


class Key:
    """A key that signs, from 32 bytes by chance."""

    def __init__(self, seed=None):
        whole = hashlib.sha512(seed or secrets.token_bytes(32)).digest()
        self.scalar = int.from_bytes(whole[:32], "little") & (1 << 254) - 8 | 1 << 254
        self.prefix, self.public = whole[32:], packed(times(self.scalar, BASE))

    def sign(self, message):
        number = hashed(self.prefix, message)
        share = packed(times(number, BASE))
        return share + ((number + hashed(share, self.public, message) * self.scalar) % ORDER).to_bytes(32, "little")


def is_signed(public, message, signature):
    """Whether the owner of a public key has signed this."""
    key, share = unpacked(public), unpacked(signature[:32])
    number = int.from_bytes(signature[32:], "little")
    if key is None or share is None or len(signature) != 64 or number >= ORDER:
        return False
    return packed(times(number, BASE)) == packed(added(share, times(hashed(signature[:32], public, message), key)))


def canonical(value):
    """The bytes that are signed: JSON with sorted names and without spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def signed(value):
    """The value with `key` and `signature`."""
    key = Key()
    value = {**value, "key": base64.b64encode(key.public).decode()}
    return {**value, "signature": base64.b64encode(key.sign(canonical(value))).decode()}


def is_whole(value):
    """Whether a result is as it was written."""
    try:
        rest = {name: content for name, content in value.items() if name != "signature"}
        return is_signed(base64.b64decode(value["key"]), canonical(rest), base64.b64decode(value["signature"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def main():
    if len(sys.argv) != 2:
        sys.exit("verify takes one file, which --json has written")
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{sys.argv[1]} cannot be read: {error}")
    if not is_whole(value):
        sys.exit(f"{sys.argv[1]} was changed after it was written, or was not written by this program")
    print(f"{sys.argv[1]} is as it was written, by the run with the key {value['key']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
