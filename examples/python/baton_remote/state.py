"""A copy of one room's state, kept by whole sections (chapter "State" of the specification)."""

from dataclasses import dataclass
from typing import Any

from .answers import Message
from .clock import Clock


#: Moments in the view of a watch are in ms modulo this.
_ROUND_MS = 2 ** 31


@dataclass(frozen=True)
class Playing:
    """What a screen shows, in one form for all views. None: not known, or nothing is current."""

    entry: str | None
    title: str | None
    artist: str | None
    duration_ms: int | None
    position_ms: int
    is_playing: bool
    is_live: bool
    level: int | None
    is_muted: bool


class StateMirror:
    """The newest value of each section, and the hub revision that they belong to."""

    def __init__(self) -> None:
        self.sections: dict[str, Any] = {}
        #: None: the next connection offers nothing of this copy.
        self.revision: int | None = None
        self.room: str | None = None
        self.epoch: str | None = None
        #: The hub's profiles with their versions, such as `library@1`; None until it has said them.
        self.features: list[str] | None = None
        self.boot: str | None = None
        #: A frame was lost: nothing is taken until a whole state has come (BT-STA-007).
        self.is_behind = False

    def welcome(self, message: Message) -> bool:
        """Takes what `welcome` says of the hub. True when its clock began anew (BT-CLK-002)."""
        if message["epoch"] != self.epoch:
            self.sections, self.revision = {}, None
        is_new_clock: bool = message["boot"] != self.boot
        self.epoch, self.boot, self.is_behind = message["epoch"], message["boot"], False
        self.features = message.get("features", [])
        return is_new_clock

    def has(self, profile: str) -> bool:
        """Whether the hub has this profile; what it has not said yet counts as there."""
        return self.features is None or any(feature.partition("@")[0] == profile for feature in self.features)

    def drop(self) -> None:
        """The copy cannot be trusted: the next connection offers nothing of it."""
        self.revision = None

    @property
    def resume(self) -> Message | None:
        """What to offer a hub at the next connection, so that only newer sections are sent (BT-STA-011)."""
        if self.epoch is None or self.room is None or self.revision is None:
            return None
        return {"epoch": self.epoch, "rev": self.revision, "rooms": [self.room], "sections": list(self.sections)}

    def take(self, message: Message) -> bool:
        """Takes a `state`, or a `res` that carries sections. False when a frame before it is missing."""
        if message.get("full"):
            self.sections, self.is_behind = {}, False
        elif self.is_behind or message["from"] != self.revision:
            self.is_behind = True
            return False
        for name, value in message["s"].items():
            if value is None:
                self.sections.pop(name, None)
            else:
                self.sections[name] = value
        self.revision, self.room = message["rev"], message.get("room", self.room)
        return True

    def playing(self, clock: Clock, now: int) -> Playing:
        """What plays, from the sections of any view."""
        item, volume = self.sections.get("now") or {}, self.sections.get("vol") or {}
        if "v" in self.sections or "n" in self.sections or "l" in self.sections:
            return self._on_a_watch(clock, now)
        line = self.sections.get("tl") or {}
        artists = item.get("artists") or [None]
        duration = item.get("durMs")
        position = position_ms(line.get("posMs", 0), line.get("atUs", 0), line.get("rate", 0), duration, clock.hub_us(now))
        return Playing(
            entry=item.get("entry"), title=item.get("streamTitle") or item.get("title"), artist=artists[0], duration_ms=duration,
            position_ms=position, is_playing=line.get("st") in ("playing", "buffering"), is_live=bool(item.get("live") or line.get("live")),
            level=volume.get("level"), is_muted=bool(volume.get("mute")))

    def _on_a_watch(self, clock: Clock, now: int) -> Playing:
        item, volume = self.sections.get("n") or {}, self.sections.get("v") or [None, 0]
        # An array may have more elements than these; they are for newer clients (BT-SEC-019). The fourth is 1 while data is missing.
        at_ms, since_ms, rate, how = (*(self.sections.get("l") or [0, 0, 0]), 0)[:4]
        duration = item["d"] * 1000 if "d" in item else None
        return Playing(
            entry=item.get("i"), title=item.get("t"), artist=item.get("a"), duration_ms=duration,
            position_ms=position_ms(at_ms, whole_us(since_ms, clock.hub_us(now)), rate, duration, clock.hub_us(now)),
            is_playing=rate > 0 or how == 1, is_live=bool(item.get("v")), level=volume[0], is_muted=bool(volume[1]))


def short_ms(moment_us: int) -> int:
    """A moment of the hub's clock as it is said in the view of a watch (BT-SEC-027)."""
    return moment_us // 1000 % _ROUND_MS


def whole_us(short: int, hub_us: int | None) -> int:
    """The moment that is meant by such a one: the nearest to now."""
    rounds = 0 if hub_us is None else round((hub_us // 1000 - short) / _ROUND_MS)
    return (short + rounds * _ROUND_MS) * 1000


def position_ms(start_ms: int, at_us: int, rate: int, duration_ms: int | None, hub_us: int | None) -> int:
    """Where the line is at the hub's microsecond (BT-CLK-001); `rate` is permille of normal speed."""
    moved = max(0, hub_us - at_us) // 1000 * rate // 1000 if hub_us is not None else 0
    position = max(0, start_ms + moved)
    return position if duration_ms is None else min(position, duration_ms)
