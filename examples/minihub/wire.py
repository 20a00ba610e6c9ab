"""JSON as Core narrows it, errors, limits of rate, and texts that are cut for people: chapters 2 and 7 of the text as functions."""

import functools
import json
import re
import unicodedata
from collections import deque
from decimal import Decimal
from typing import Any

CORE = "1.0"
LARGEST = 2**53 - 1
DEPTH, MEMBERS, TEXT, NAME = 8, 64, 4096, 64
FIRST_FRAME, BINARY_FRAME, HUB_FRAME, PAGE = 4096, 20480, 65536, 49152
# The limits that an owner may set.
LIMITS = {"client-frame": 16384, "array": 1000, "connections": 1024, "command-rate": 20, "command-burst": 40, "add": 500, "queue": 10_000}

# The status of HTTP for each error that this hub sends.
STATUS = {code: status for status, codes in {
    400: "bad_request unknown_type unsupported_version id_reuse", 403: "forbidden", 404: "not_found", 413: "too_large", 429: "rate_limited",
    409: "expired queue_conflict anchor_gone gone invalid_state quota key_mismatch", 501: "unknown_command unsupported",
}.items() for code in codes.split()}  # fmt: skip


class Refusal(Exception):
    """A message that is refused: the error that its sender is told, and whether it counts as one that is no JSON."""

    def __init__(self, code: str, msg: str, malformed: bool = False, **more: Any) -> None:
        super().__init__(msg)
        self.code, self.malformed = code, malformed
        self.error = {"code": code, "retry": int(code == "rate_limited"), "msg": msg} | more


class Closing(Exception):
    """A reason to end a connection: with a close code, or before the upgrade with a status of HTTP."""

    def __init__(self, code: int, why: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(why)
        self.code, self.why, self.headers = code, why, headers or {}


def demand(is_so: object, refusal: Exception) -> None:
    """Goes on where it is so, and refuses otherwise."""
    if not is_so:
        raise refusal


def write(message: Any) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> dict[str, Any]:
    """The object that a text holds. Numbers without a fraction come as `int`, all others as `Decimal`."""
    try:
        value: dict[str, Any] = json.loads(text, object_pairs_hook=_object, parse_int=_number, parse_float=_number, parse_constant=int)
    except (ValueError, RecursionError) as error:
        raise Refusal("bad_request", f"This is not JSON: {error}.", malformed=True) from None
    demand(isinstance(value, dict), Refusal("bad_request", "A message is an object.", malformed=True))
    _measure(value, depth=1)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    demand(len(dict(pairs)) == len(pairs), Refusal("bad_request", "A name stands twice in an object."))
    return dict(pairs)


def _number(text: str) -> int | Decimal:
    try:
        value = Decimal(text)
        if abs(value) <= LARGEST:
            return int(value) if value == value.to_integral_value() else value
    except ArithmeticError:
        pass
    raise Refusal("bad_request", "A number is beyond 2^53 - 1.")


def _measure(value: Any, depth: int) -> None:
    """Refuses what is over a limit of JSON."""
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    demand(not isinstance(value, str) or not re.search("[\ud800-\udfff]", value), Refusal("bad_request", "An escape is half of a surrogate pair."))
    names = value if isinstance(value, dict) else ()
    long = (isinstance(value, str) and len(value.encode()) > TEXT) or any(len(name.encode(errors="replace")) > NAME for name in names)
    deep, wide = isinstance(value, (dict, list)) and depth > DEPTH, len(parts) > (2 * MEMBERS if isinstance(value, dict) else LIMITS["array"])
    demand(not (long or deep or wide), Refusal("bad_request", "The message, or a part of it, is longer or deeper than it may be.", malformed=True))
    for part in parts:
        _measure(part, depth + 1)


class Bucket:
    """A limit of rate: so many a second, and so many at once."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most, self.empty_at = rate, most, 0.0

    def take(self, now: float, cost: float = 1) -> float:
        """Takes the cost and answers 0; or takes nothing and answers the seconds until it fits."""
        empty_at = max(self.empty_at, now) + cost / self._rate
        if (wait := empty_at - now - self._most / self._rate) > 0:
            return wait
        self.empty_at = empty_at
        return 0


class Faults:
    """A limit of what is forgiven within a time."""

    def __init__(self, most: int, seconds: float) -> None:
        self._times: deque[float] = deque(maxlen=most + 1)
        self._seconds = seconds

    def add(self, now: float, code: int) -> None:
        self._times.append(now)
        demand(len(self._times) != self._times.maxlen or self._times[0] <= now - self._seconds, Closing(code, "There were too many such messages."))


@functools.lru_cache(4096)
def cut(text: str, most_bytes: int, most_clusters: int = 10**9) -> str:
    """The text as people may see it: no control characters, and cut at whole characters with `…` where it is too long."""
    text = "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)
    clusters, kept = _clusters(text), ""
    if _written(text) <= most_bytes and len(clusters) <= most_clusters:
        return text
    for cluster in clusters[: most_clusters - 1]:
        if _written(kept + cluster + "…") > most_bytes:
            break
        kept += cluster
    return kept + "…"


def watch_text(text: str) -> str:
    return cut(text, 96, 64)


def _written(text: str) -> int:
    return len(write(text).encode()) - 2


def _clusters(text: str) -> list[str]:
    """Characters as people see them: marks, joined parts and the second half of a flag belong to what stands before them."""
    result: list[str] = []
    for c in text:
        joins = unicodedata.category(c)[0] == "M" or c == "\u200d" or "\U0001f3fb" <= c <= "\U0001f3ff"
        flag = result and len(result[-1]) == 1 and all("\U0001f1e6" <= half <= "\U0001f1ff" for half in (c, result[-1]))
        if result and (joins or flag or result[-1].endswith("\u200d")):
            result[-1] += c
        else:
            result.append(c)
    return result
