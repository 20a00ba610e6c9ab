"""A room: its queue, modes, volume and player, and what presses and the end of a track do to them.

It is told the time, knows nothing of messages, and refuses nothing: commands.py looks at everything before.
"""

import random
import time
from typing import Any, NamedTuple

from player import Line, Track

WEEK_US = 7 * 86_400_000_000


class Entry(NamedTuple):
    """One place in the queue."""

    id: str
    track: Track
    added_ms: int = 0
    by: str = ""


class Room:
    """The only room of this hub. `order` is the order of play, and `plain` the order as it would be without shuffle."""

    def __init__(self, id: str = "main", name: str = "Main room", range: tuple[int, int] = (0, 100)) -> None:
        self.id, self.name, self.range = id, name, range
        self.entries: dict[str, Entry] = {}
        self.order: list[str] = []
        self.plain: list[str] = []
        self.current: str | None = None
        self.since: int | None = None
        self.line = Line()
        self.repeat = self.shuffle = self.mute = False
        self.single = self.consume = "off"
        self.level = min(max(30, range[0]), range[1])
        self.revision = 0
        self.problems: list[str] = []
        self._noted: tuple[list[str], str | None] = ([], None)
        self._seed = random.getrandbits(64)
        self._made = int(time.time() * 1000)  # Ids go on from here, so that none is given again after the hub has started again.

    @property
    def playing(self) -> bool:
        return self.line.state == "playing"

    def track(self) -> Track | None:
        return self.entries[self.current].track if self.current else None

    def position(self, now: int) -> int:
        track = self.track()
        return min(self.line.position(now), track.ms) if track else 0

    def due(self) -> int:
        """The moment at which the room does something by itself."""
        track = self.track()
        return self.line.at + ((track.ms - self.line.ms) * 1000 if self.playing and track else WEEK_US)

    def behind(self) -> tuple[str | None, list[str]]:
        """The entry to which `next` leads, none where the queue ends; and the order in which it stands: this one, or that of the next round."""
        place, order = self.order.index(self.current) + 1 if self.current else 0, self.order
        if not self.current or place < len(order):
            return (order[place] if self.current else None), order
        if not self.repeat or (self.consume != "off" and place == 1):
            return None, order
        if self.shuffle and place > 1:
            order = random.Random(f"{self._seed} {self.current}").sample(order, place)
            if order[0] == self.current:
                order.append(order.pop(0))
            if order == self.order and place > 2:
                order[-2:] = reversed(order[-2:])
        return order[0], order

    def note(self) -> None:
        """Raises the queue revision if entries, order or current entry have changed since the last time."""
        now = (list(self.order), self.current)
        self.revision += now != self._noted
        self._noted = now

    # What happens by itself

    def wake(self, now: int) -> None:
        """Does what is due: an entry that is over is left, and a line that is a week old is drawn anew."""
        while (due := self.due()) <= now:
            if self.playing:
                self.ended(due)
            else:
                self.line = Line(self.line.state, self.line.ms, now)

    def ended(self, now: int) -> None:
        if self._plays_again():
            self._start("playing", now)
        elif self.single != "off" and not self.repeat and self.behind()[0]:
            self.single = "off" if self.single == "once" else self.single
            self._leave("paused", now)
        else:
            self._leave("playing", now)

    def failed(self, now: int) -> None:
        """Passes the current entry, which cannot be played."""
        self.problems = [f"{self.entries[self.current or ''].track.title} cannot be played and was skipped.", *self.problems[:19]]
        behind, order = self.behind()
        if self._plays_again() or behind == self.current:
            self.line = Line("stopped", 0, now)
        else:
            self.order = order
            self._become(behind or self.order[0], now)
            self.line = Line("playing" if behind else "stopped", 0, now)

    def _plays_again(self) -> bool:
        return self.repeat and self.single != "off" and self.consume == "off"

    def _leave(self, state: str, now: int) -> None:
        """Goes on to the entry behind, in this state, and removes the entry that is left where the modes say so."""
        left, (behind, self.order) = self.current, self.behind()
        self._seed += 1
        if left and self.consume != "off" and self.line.state != "stopped":
            self._forget({left})
            self.consume = "off" if self.consume == "once" else self.consume
        self._become(behind or next(iter(self.order), None), now)
        self._start(state if behind else "stopped", now)

    def _become(self, entry: str | None, now: int) -> None:
        if entry != self.current:
            self.current, self.since = entry, now if entry else None

    def _start(self, state: str, now: int, ms: int = 0) -> None:
        """Draws the line of the current entry. Entries that cannot be played are passed, for one round at most."""
        state = state if self.current else "stopped"
        self.line = Line(state, 0 if state == "stopped" else ms, now)
        for _ in list(self.order):
            if self.playing and (track := self.track()) and track.broken:
                self.failed(now)
        if self.playing and (track := self.track()) and track.broken:
            self.line = Line("stopped", 0, now)

    # What people do

    def play(self, entry: str, ms: int, now: int) -> None:
        self._become(entry, now)
        self._start("playing", now, ms)

    def pause(self, now: int) -> None:
        if self.playing:
            self.line = Line("paused", self.position(now), now)

    def stop(self, now: int) -> None:
        if self.line.state != "stopped":
            self.line = Line("stopped", 0, now)

    def seek(self, ms: int, now: int) -> None:
        if self.playing or ms != self.line.ms:
            self._start("playing" if self.playing else "paused", now, ms)

    def next(self, presses: int, now: int) -> None:
        for _ in range(presses if self.current else 0):
            if self.current:
                self._leave(self.line.state, now)

    def prev(self, restart_ms: int, now: int) -> None:
        place = self.order.index(self.current) if self.current else 0
        if self.current and self.position(now) <= restart_ms and (place > 0 or self.repeat):
            self._become(self.order[place - 1], now)
        elif self.position(now) == 0:
            return
        self._start(self.line.state, now)

    def set_modes(self, modes: dict[str, Any]) -> None:
        was = self.shuffle
        for name, value in modes.items():
            setattr(self, name, value)
        if self.shuffle and not was:
            self._mix()
        elif not self.shuffle:
            self.order = list(self.plain)

    def _mix(self) -> None:
        place = self.order.index(self.current) + 1 if self.current else 0
        self.order[place:] = random.sample(self.order[place:], len(self.order) - place)

    def add(self, tracks: list[Track], after: str | None, by: str, now: int) -> list[str]:
        """Puts new entries behind an entry, or at the head."""
        new = [self._entry(track, by) for track in tracks]
        for order in (self.order, self.plain):
            place = order.index(after) + 1 if after else 0
            order[place:place] = new
        if not self.current:
            self._become(self.order[0], now)
        return new

    def _entry(self, track: Track, by: str) -> str:
        self._made += 1
        id = f"q{self._made:x}"
        self.entries[id] = Entry(id, track, int(time.time() * 1000), by)
        return id

    def replace(self, tracks: list[Track], start: int, state: str, ms: int, by: str, now: int) -> list[str]:
        self.remove(list(self.order), now)
        new = self.add(tracks, None, by, now)
        self._become(new[start], now)
        if self.shuffle:
            self._mix()
        self._start(state, now, ms)
        return new

    def remove(self, ids: list[str], now: int) -> None:
        """Removes entries. Where the current one is among them, the next that stays becomes current."""
        gone = set(ids) & self.entries.keys()
        place = self.order.index(self.current) if self.current else 0
        behind = next((entry for entry in self.order[place:] if entry not in gone), None)
        self._forget(gone)
        if self.current in gone:
            self._become(behind or next(iter(self.order), None), now)
            self._start("playing" if self.playing and (behind or self.repeat) else "stopped", now)

    def _forget(self, gone: set[str]) -> None:
        self.order = [entry for entry in self.order if entry not in gone]
        self.plain = [entry for entry in self.plain if entry not in gone]
        for entry in gone:
            del self.entries[entry]

    def move(self, ids: list[str], after: str | None) -> None:
        """Puts entries behind an entry, or behind the one before it that stays. While shuffle is on, only the order of play changes."""
        before = self.order[: self.order.index(after) + 1] if after else []
        stay = [entry for entry in self.order if entry not in ids]
        place = sum(entry not in ids for entry in before)
        self.order = stay[:place] + ids + stay[place:]
        self.plain = self.plain if self.shuffle else list(self.order)
