"""What a device works out by itself: pictures from frames, what a person types or scans, its bearer, and when a press was.

Each reader takes one case of the vectors `picture`, `qr`, `bearer` and `press`.
"""

import hmac
import re
import struct
from urllib.parse import parse_qsl, urlsplit

from runner.pairing import b64, unb64

FORMATS = {1: "jpeg", 2: "png"}
LATEST = 1 << 31


def pictures(frames):
    """The pictures that frames make together, in the order of their ends. Frames of other kinds are skipped."""
    current, data = None, b""
    for frame in frames:
        if len(frame) < 4 or frame[0] != 0x10:
            continue
        flags, number, start = frame[1], struct.unpack_from(">H", frame, 2)[0], 4
        if flags & 1:
            total, kind, width, height = struct.unpack_from(">IBHH", frame, 4)
            current, data, start = {"xfer": number, "total": total, "fmt": FORMATS[kind], "w": width, "h": height}, b"", 13
        if current is None or current["xfer"] != number:
            continue
        data += frame[start:]
        if flags & 4:
            yield {"xfer": number, "cancelled": 1}
        elif flags & 2:
            yield {**current, "hex": data.hex()}
        if flags & 6:
            current = None


def picture(case, _):
    found = list(pictures(map(bytes.fromhex, case["frames"])))
    assert found == case["expect"], found


def digits(text):
    """The six digits that a person typed, with or without what the hub shows between them."""
    found = re.sub(r"[ -]", "", text)
    return {"by": "pin", "prs": found.encode().hex()} if re.fullmatch("[0-9]{6}", found) else None


def scanned(text):
    """What a square holds, or nothing where a device cannot be paired by it."""
    place = urlsplit(text)
    members = dict(parse_qsl(place.fragment, keep_blank_values=True))
    try:
        token, pin = unb64(members["pair"]), unb64(members["fp"])
        whole = place.scheme == "https" and place.port is not None and members["id"] and (len(token), len(pin)) == (16, 32)
    except (KeyError, ValueError):
        return None
    return {"by": "qr", "prs": token.hex(), "host": place.hostname, "port": place.port, "id": members["id"], "pin": pin.hex()} if whole else None


def qr(case, _):
    found = scanned(case["scanned"]) if "scanned" in case else digits(case["typed"])
    assert found == case["expect"], found


def bearer(case, _):
    own = f"{case['dev']}.{b64(hmac.digest(bytes.fromhex(case['key']), b'baton/1 bearer', 'sha256'))}"
    assert own == case["bearer"], own
    assert own not in case["wrong"]


def press(case, _):
    """The client's side says what `ct` is; the hub's side how old the press is, and whether that is too old."""
    is_watch = case["view"] == "watch"
    if "sentMs" in case:
        age = case["sentMs"] - case["pressedMs"]
        assert (age <= case["ttl"]) == case["sent"], age
        if case["sent"]:
            # Only differences of a watch's moments count.
            assert (case["hubMs"] - age - case["ct"]) % (LATEST if is_watch else 1 << 62) == 0, case["hubMs"] - age
    age = case["readMs"] - case["ct"] if case.get("sent", True) else None
    if age is not None:
        age = (age + LATEST // 2) % LATEST - LATEST // 2 if is_watch else age
        assert [max(0, age), age > case["ttl"]] == [case["ageMs"], case["expired"]], age


READERS = {"picture": picture, "qr": qr, "bearer": bearer, "press": press}
