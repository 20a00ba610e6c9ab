"""Curve25519 and ChaCha20-Poly1305 in plain Python, as far as pairing needs them.

The arithmetic takes as long as its numbers want: right for a remote that pairs once, wrong for a hub,
where the time an answer takes would reveal secrets.
"""

import hmac
import struct

P = 2**255 - 19


def _number(data: bytes) -> int:
    return int.from_bytes(data[:31] + bytes([data[31] & 127]), "little") % P


def x25519(scalar: bytes, point: bytes) -> bytes | None:
    """RFC 7748, section 5. None for the neutral element, at which a side must stop (BT-PAIR-004)."""
    k = _number(bytes([scalar[0] & 248]) + scalar[1:31] + bytes([scalar[31] & 63])) | 1 << 254
    x1 = _number(point)
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


def elligator2(data: bytes) -> bytes:
    """A point for each number: RFC 9380, section 6.7.1, with 2 for the number that is no square."""
    a, r = 486662, _number(data)
    v = -a * pow(1 + 2 * r * r, P - 2, P) % P
    is_square = pow((v * v + a * v + 1) * v % P, (P - 1) // 2, P) == 1
    return (v if is_square else (-v - a) % P).to_bytes(32, "little")


def joined(*parts: bytes) -> bytes:
    """Each part with its length in front, in LEB128."""
    out = b""
    for part in parts:
        length = len(part)
        while length > 127:
            out, length = out + bytes([length & 127 | 128]), length >> 7
        out += bytes([length]) + part
    return out


def _chacha_block(key: bytes, counter: int) -> bytes:
    """RFC 8439, section 2.3, with a nonce of zeros: the key is used for one message."""
    state = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8L", key), counter, 0, 0, 0]
    work = list(state)

    def quarter(a: int, b: int, c: int, d: int) -> None:
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


def unwrap(key: bytes, wrapped: bytes) -> bytes | None:
    """ChaCha20-Poly1305 of RFC 8439 for the 32 bytes of a device's key. None when anything was changed."""
    body, shown, once = wrapped[:32], wrapped[32:], _chacha_block(key, 0)
    r, total = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, 0
    for part in (body[:16], body[16:], struct.pack("<QQ", 0, 32)):
        total = (total + int.from_bytes(part + b"\x01", "little")) * r % (2**130 - 5)
    tag = ((total + int.from_bytes(once[16:32], "little")) % 2**128).to_bytes(16, "little")
    return bytes(a ^ b for a, b in zip(body, _chacha_block(key, 1))) if hmac.compare_digest(tag, shown) else None
