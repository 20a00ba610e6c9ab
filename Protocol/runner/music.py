"""Music for a hub under test, made here: silent WAV with what it is called in LIST/INFO, pictures as PNG, any text.

Composer and label have no place there: with them all of it is in an ID3 chunk.

A file is a number (so many seconds of silence), a text, `{"seconds":1,"title":"One","artist":"Ann",…}`, or
`{"picture":[300,200]}`: noise, which no format makes small, or with `colour` one colour.
"""

import os
import random
import struct
import wave
import zlib

# The title stands last, so that the last bytes of a file are known.
INFO = {"artist": b"IART", "album": b"IPRD", "genre": b"IGNR", "year": b"ICRD", "track": b"IPRT", "title": b"INAM"}
FRAMES = {"composer": b"TCOM", "label": b"TPUB", "artist": b"TPE1", "album": b"TALB", "genre": b"TCON", "year": b"TDRC", "track": b"TRCK", "title": b"TIT2"}


def track(name, content):
    """A file of music, as it is told to a hub that plays no files: what it is called, how long it is, and whether it can be played."""
    told = content if isinstance(content, dict) else {"seconds": content} if not isinstance(content, str) else {"seconds": 1, "broken": True}
    texts = {tag: told[tag] for tag in ("title", "artist", "album") if tag in told}
    return {"name": name, "ms": round(told["seconds"] * 1000), "title": name.rpartition(".")[0], **texts, "broken": told.get("broken", False)}


def put(path, content):
    """A file of music, or of what lies beside it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if isinstance(content, str):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    elif isinstance(content, dict) and "picture" in content:
        with open(path, "wb") as file:
            file.write(png(*content["picture"], content.get("colour")))
    else:
        sound(path, content if isinstance(content, dict) else {"seconds": content})


def sound(path, content):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(b"\x80" * (int(8000 * content["seconds"]) & ~1))
    if "composer" in content or "label" in content:
        frames = b"".join(frame(name, str(content[tag])) for tag, name in FRAMES.items() if tag in content)
        texts = chunk(b"ID3 ", b"ID3\4\0\0" + sevens(len(frames)) + frames)
    else:
        texts = b"".join(chunk(name, str(content[tag]).encode() + b"\0") for tag, name in INFO.items() if tag in content)
        texts = texts and chunk(b"LIST", b"INFO" + texts)
    if texts:
        with open(path, "r+b") as file:
            file.seek(0, os.SEEK_END)
            file.write(texts)
            size = file.tell() - 8
            file.seek(4)
            file.write(struct.pack("<I", size))


def frame(name, text):
    """A text in UTF-8 as ID3v2.4 has it."""
    data = b"\3" + text.encode()
    return name + sevens(len(data)) + b"\0\0" + data


def sevens(number):
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def png(width, height, colour=None):
    noise = random.Random(width * 10_000 + height)
    rows = (b"\0" + (bytes(colour) * width if colour else noise.randbytes(3 * width)) for _ in range(height))

    def part(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(b"".join(rows), 1)) + part(b"IEND", b"")
