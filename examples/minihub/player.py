"""The clock, the tracks, and the line of a player that makes no sound."""

import json
import time
from pathlib import Path
from typing import NamedTuple


BOOTED = time.monotonic_ns()


def clock() -> int:
    """The hub's monotonic clock, in microseconds."""
    return (time.monotonic_ns() - BOOTED) // 1000


class Track(NamedTuple):
    """A piece of music that is offered. A broken one cannot be played."""

    uri: str
    title: str
    artist: str
    album: str
    ms: int
    broken: bool = False


class Catalogue:
    """The items that the hub offers: tracks, and an album that stands for all of them."""

    def __init__(self, file: Path | None = None) -> None:
        rows = json.loads((file or Path(__file__).with_name("tracks.json")).read_text())
        uris = [f"demo:track/{n + 1}" for n in range(len(rows))]
        self.tracks = [Track(uri, row["title"], row.get("artist", ""), row.get("album", ""), max(1, row["ms"]), row.get("broken", False))
                       for uri, row in zip(uris, rows)]  # fmt: skip

    def find(self, uri: str) -> list[Track]:
        return self.tracks if uri == "demo:album/all" else [track for track in self.tracks if track.uri == uri]


class Line(NamedTuple):
    """Where the player is: a position, the moment at which it is true, and whether it moves."""

    state: str = "stopped"
    ms: int = 0
    at: int = 0

    def position(self, now: int) -> int:
        return self.ms + (max(0, now - self.at) // 1000 if self.state == "playing" else 0)
