#!/usr/bin/python3
"""Draws the page's icons as PNG files into WebRemote/page/icons: `Sources/Web/icons.py`. The files are committed; run it after a
change of the drawing, which is the one of `icon.svg`. It needs nothing but Python."""

import math
import os
import struct
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "WebRemote/page/icons")
GROUND, GOLD, NOTE = (0x2B, 0x21, 0x53), (0xE2, 0xC5, 0x77), (0xF6, 0xDC, 0x94)
# Each pixel is the mean of so many samples across and down.
SAMPLES = 4


def polygon(*points):
    """Whether a point is inside, by the even-odd rule."""
    edges = list(zip(points, points[1:] + points[:1]))
    return lambda x, y: sum((ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax for (ax, ay), (bx, by) in edges) % 2 == 1


def ellipse(cx, cy, rx, ry):
    return lambda x, y: ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1


def octagon(inset):
    low, high, cut = inset, 64 - inset, 10
    return polygon((cut, low), (64 - cut, low), (high, cut), (high, 64 - cut), (64 - cut, high), (cut, high), (low, 64 - cut), (low, cut))


BODY, OUTER, INNER = octagon(0), octagon(1.75), octagon(3.25)
STEMS = polygon((24, 14), (48, 9), (48, 40), (43, 40), (43, 19), (29, 22), (29, 46), (24, 46))
HEADS = ellipse(40.6, 40.2, 7.6, 6.2), ellipse(21.6, 46.2, 7.6, 6.2)


def colour(x, y, is_maskable):
    """Of a point of the drawing, 64 by 64; None is transparent. A system cuts any shape out of a maskable icon, so its ground
    reaches every edge, it has no frame, and the note stays within the middle four fifths."""
    if STEMS(x, y) or HEADS[0](x, y) or HEADS[1](x, y):
        return NOTE
    if is_maskable:
        return GROUND
    if not BODY(x, y):
        return None
    return GOLD if OUTER(x, y) and not INNER(x, y) else GROUND


def pixel(column, row, side, is_maskable):
    found = []
    for n in range(SAMPLES * SAMPLES):
        x = (column + (n % SAMPLES + .5) / SAMPLES) * 64 / side
        y = (row + (n // SAMPLES + .5) / SAMPLES) * 64 / side
        if is_maskable:
            x, y = 32 + (x - 32) / .8, 32 + (y - 32) / .8
        found.append(colour(x, y, is_maskable))
    seen = [sample for sample in found if sample]
    if not seen:
        return bytes(4)
    return bytes([*(round(sum(part) / len(seen)) for part in zip(*seen)), math.floor(255 * len(seen) / len(found) + .5)])


def png(side, is_maskable):
    rows = b"".join(b"\0" + b"".join(pixel(column, row, side, is_maskable) for column in range(side)) for row in range(side))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


# The one for phones of Apple has no transparent corner: iOS would paint it black.
for name, side, is_maskable in (
        ("icon-180", 180, True), ("icon-192", 192, False), ("icon-512", 512, False), ("mask-192", 192, True), ("mask-512", 512, True)):
    with open(os.path.join(HERE, f"{name}.png"), "wb") as file:
        file.write(png(side, is_maskable))
