"""How a device that plays sound keeps in step, as short as the specification allows: the clock, the start, and the correction.

A program may copy it: it knows no socket and no player. Times are microseconds, rates and speeds permille.
"""

import math


class AudioClock:
    """Offset and drift of the hub's clock: a Kalman filter of two numbers."""

    def __init__(self):
        self.taken = None
        self.offset = self.drift = self.p00 = self.p01 = self.p11 = 0.0

    def take(self, offset, error, at):
        """The best exchange of several: its offset, and half of its round trip."""
        error = max(error, 5.0)
        if self.taken is None:
            self.offset, self.p00, self.p11, self.taken = float(offset), error * error, 50e-6**2, at
            return
        if at <= self.taken:
            return
        passed = at - self.taken
        self.offset += self.drift * passed
        self.p00 += 2 * passed * self.p01 + passed * passed * self.p11 + 1e-6 * passed
        self.p01 += passed * self.p11
        self.p11 += 1e-19 * passed
        difference = offset - self.offset
        if abs(difference) > 3 * math.sqrt(self.p00 + error * error):
            # An exchange is never more wrong than its round trip allows, so what is known has become wrong.
            self.p00 += difference * difference
        total = self.p00 + error * error
        gain, drift_gain = self.p00 / total, self.p01 / total
        self.offset += gain * difference
        self.drift = min(max(self.drift + drift_gain * difference, -1e-3), 1e-3)
        self.p11 -= drift_gain * self.p01
        self.p01 -= drift_gain * self.p00
        self.p00 -= gain * self.p00
        self.taken = at

    def hub(self, now):
        """The hub's clock at a moment of ours; None before the first exchange."""
        if self.taken is None:
            return None
        drifting = abs(self.drift) > 2 * math.sqrt(self.p11)
        return now + round(self.offset + (self.drift * (now - self.taken) if drifting else 0))


def position(line, now):
    """Where a line is: posUs, atUs and rate."""
    return line["posUs"] + max(0, now - line["atUs"]) * line["rate"] // 1000


def start(line, now, lead, offset=0, length=None):
    """Where an item is made ready (ms), and when it is let go; None where it is not begun."""
    if line["rate"] <= 0:
        return None
    heard = max(now + max(0, lead) + offset, line["atUs"])
    reached = position(line, heard)
    ms = max(0, -(-reached // 1000))
    if length is not None and ms * 1000 > length - 250_000:
        return None
    return ms, heard + (ms * 1000 - reached) * 1000 // line["rate"] - offset


class StepRule:
    """What is done about a difference: nothing, another speed, or a new start."""

    def __init__(self):
        self.speed, self.new_starts, self.begun = 1000, 0, None

    def step(self, drift, settled, at):
        """drift: how far ahead this device is. Returns None, "start" or the new speed."""
        if not settled:
            return None
        size = abs(drift)
        if size > 60_000 and (self.begun is None or at - self.begun >= 10_000_000):
            self.begun, self.speed = at, 1000
            self.new_starts += 1
            return "start"
        if self.speed != 1000:
            done = size <= 300 or (self.speed < 1000) != (drift > 0)
        else:
            done = size <= 1000
        bend = 0 if done else min(max(math.floor(size / 2000 + 0.5), 1), 5)
        wanted = 1000 - bend if drift > 0 else 1000 + bend
        if wanted == self.speed:
            return None
        self.speed = wanted
        return wanted
