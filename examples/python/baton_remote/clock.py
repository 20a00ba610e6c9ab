"""The hub's clock as seen from here (BT-CLK-002, BT-CLK-006, BT-CLK-007)."""

import time


def now_us() -> int:
    """This machine's steady clock in microseconds. It never jumps, unlike the time of day."""
    return time.monotonic_ns() // 1000


class Clock:
    """Keeps the last eight samples and uses the one with the smallest possible error."""

    def __init__(self) -> None:
        self._samples: list[tuple[int, int, int]] = []  # offset, round trip, our clock at the arrival

    def add(self, t1: int, t2: int, t3: int, t4: int) -> None:
        """One exchange: sent by our clock, received and answered by the hub's, arrived by ours."""
        trip = (t4 - t1) - (t3 - t2)
        if t4 >= t1 and trip >= 0:
            self._samples = [*self._samples, (((t2 - t1) + (t3 - t4)) // 2, trip, t4)][-8:]

    def forget(self) -> None:
        """A hub that was restarted has another clock."""
        self._samples = []

    def hub_us(self, now: int) -> int | None:
        """The hub's microsecond at `now` of our clock, or None while it is unknown."""
        best = min(self._samples, key=lambda sample: sample[1] / 2 + max(0, now - sample[2]) * 50e-6, default=None)
        return now + best[0] if best else None
