"""Covers for albums of tests: a sky, a sun and hills in the colours of a name. Every name has the same cover each time."""

import math
import zlib

from Support.standin import colour, encoded


def mixed(one, other, part):
    return bytes(round(a + (b - a) * part) for a, b in zip(one, other))


def cover(name, width, height):
    """A PNG. Each line of it is made of a few spans, so it is quick to draw and small."""
    seed = zlib.crc32(name.encode())
    high = colour(name)
    low, sun = [min(255, part + 90) for part in high[1:] + high[:1]], [250, 226 - seed % 40, 170 - seed % 60]
    dark = [part // 4 for part in high]
    size, middle, level = height * (0.12 + seed % 7 / 60), width * (0.3 + seed % 5 / 10), height * (0.42 + seed % 3 / 20)
    lines = bytearray()
    for y in range(height):
        line = bytearray(mixed(high, low, y / height) * width)
        half = math.sqrt(max(0, size * size - (y - level) ** 2))
        paint(line, middle - half, middle + half, bytes(sun), width)
        for hill in range(3):
            top = height * (0.58 + hill * 0.13)
            wide = width * (0.5 + hill * 0.16) * math.sqrt(max(0, (y - top) / (height - top)))
            at = width * ((seed >> hill * 3) % 8 / 7)
            paint(line, at - wide, at + wide, mixed(low, dark, 0.45 + hill * 0.25), width)
        lines += b"\0" + line
    return encoded(width, height, bytes(lines))


def paint(line, left, right, ink, width):
    left, right = max(0, round(left)), min(width, round(right))
    if right > left:
        line[left * 3:right * 3] = ink * (right - left)
