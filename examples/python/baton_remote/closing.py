"""What a client does after a connection has ended (BT-CLS-*)."""

from enum import Enum


class Advice(Enum):
    """What to do after a close code."""

    RETRY = "retry"
    STOP = "stop"
    PAIR = "pair"
    UPDATE = "update"


_TABLE: dict[int, tuple[Advice, float, str]] = {
    1000: (Advice.STOP, 0, "The hub ended the connection."),
    1002: (Advice.STOP, 0, "The hub did not understand this program: a WebSocket frame was broken. This is a mistake of the program."),
    1003: (Advice.STOP, 0, "The hub did not understand this program: a frame was of the wrong kind. This is a mistake of the program."),
    1007: (Advice.STOP, 0, "The hub did not understand this program: a text was not UTF-8. This is a mistake of the program."),
    1009: (Advice.STOP, 0, "The hub did not accept a message: it was too long. This is a mistake of the program."),
    1012: (Advice.RETRY, 1, ""),
    1013: (Advice.RETRY, 5, ""),
    4400: (Advice.STOP, 0, "The hub did not understand this program. This is a mistake of the program."),
    4401: (Advice.PAIR, 0, "The hub does not know this device: pair it again."),
    4403: (Advice.PAIR, 0, "The owner of the hub has sent this device away, or its time is over: pair it again."),
    4406: (Advice.UPDATE, 0, "The hub and this program speak different versions of the protocol: update the older one."),
    4409: (Advice.STOP, 0, "Another connection took the place of this one."),
    4429: (Advice.RETRY, 10, ""),
    4430: (Advice.RETRY, 10, ""),
}
_BACK_OFF = (0.25, 0.5, 1, 2, 4, 8, 15, 30)


def advice(code: int | None) -> Advice:
    """A code that is not in the table, or no code at all, means: try again."""
    return _TABLE[code][0] if code in _TABLE else Advice.RETRY


def sentence(code: int | None) -> str:
    """What a person is told when the program stays away."""
    return _TABLE[code][2] if code in _TABLE else ""


def pause(code: int | None, tries: int, chance: float) -> float:
    """Seconds to wait before the next connection, after so many that did not last; `chance` is from 0 to 1."""
    least = _TABLE[code][1] if code in _TABLE else 0
    return least + _BACK_OFF[min(tries, len(_BACK_OFF) - 1)] * chance


def silence(most_ms: int) -> float:
    """After so many seconds without a message the connection counts as dead (BT-SLO-003)."""
    return 2 * most_ms / 1000 + 5
