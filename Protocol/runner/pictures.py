"""The artwork channel: binary frames, and what the frames of one picture make together."""

import struct

CHANNEL, FIRST, LAST, CANCELLED = 0x10, 1, 2, 4
MOST_DATA = 16384
FORMATS = {1: "jpeg", 2: "png"}


def frame(entry):
    """What a binary message of the trace says, or nothing when it is no frame of this channel."""
    if entry["kind"] != "in" or entry.get("op") != 2:
        return None
    raw = bytes.fromhex(entry["hex"])
    if len(raw) < 4 or raw[0] != CHANNEL:
        return None
    flags, head, start = raw[1], None, 4
    if flags & FIRST:
        if len(raw) < 13:
            return None
        total, kind, width, height = struct.unpack_from(">IBHH", raw, 4)
        head, start = {"total": total, "fmt": FORMATS.get(kind), "w": width, "h": height}, 13
    # The trace keeps the beginning of a long frame, and its whole size.
    return {"xfer": struct.unpack_from(">H", raw, 2)[0], "head": head, "isLast": bool(flags & LAST), "isCancelled": bool(flags & CANCELLED),
            "data": entry["size"] - start, "begins": raw[start:start + 8].hex()}


class Transfer:
    """One picture on its way."""

    def __init__(self, first):
        self.number, self.head, self.begins = first["xfer"], first["head"], first["begins"]
        self.frames = self.bytes = 0
        self.is_cancelled = self.is_over = False

    def take(self, one):
        self.frames += 1
        self.bytes += one["data"]
        self.is_cancelled = one["isCancelled"]
        self.is_over = one["isLast"] or one["isCancelled"]

    def seen(self, texts):
        return {**self.head, "frames": self.frames, "bytes": self.bytes, "cancelled": self.is_cancelled, "begins": self.begins, "texts": texts}


def complaints(entries, announced, most):
    """What is wrong with the pictures of one connection. `announced` is (place in the trace, d) of each answer to `art.get`."""
    current = None
    for entry in entries:
        if entry["kind"] != "in" or entry.get("op") != 2:
            continue
        one = frame(entry)
        if one is None:
            yield f"a binary message is no frame of a picture: {entry['hex'][:40]}"
            continue
        if one["data"] > MOST_DATA:
            yield f"a frame holds {one['data']} bytes of a picture, and {MOST_DATA} are the most"
        if one["isCancelled"] and one["data"]:
            yield "a cancelled picture brought data with its end"
        if current is None or current.is_over:
            if one["head"] is None:
                yield f"the first frame of picture {one['xfer']} says nothing of it"
                continue
            current = Transfer(one)
            said = [d for n, d in announced if n < entry["n"] and d["xfer"] == one["xfer"]]
            if not said or any(said[-1][name] != value for name, value in one["head"].items()):
                yield f"a picture begins with {one['head']}, and the last answer of its number was {said[-1:]}"
            if one["head"]["total"] > most:
                yield f"a picture of {one['head']['total']} bytes, and {most} are the most"
        elif one["head"] is not None or one["xfer"] != current.number:
            yield f"picture {one['xfer']} began before picture {current.number} had ended"
            current = Transfer({**one, "head": one["head"] or current.head})
        current.take(one)
        if one["isLast"] and current.bytes != current.head["total"]:
            yield f"a picture came with {current.bytes} bytes, and {current.head['total']} were announced"
