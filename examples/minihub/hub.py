"""The hub: its sections, their revisions, and the answers that it remembers."""

import asyncio
import secrets
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

from player import Catalogue, clock
from room import Room
from wire import cut, watch_text, write

VERSION = "1.0.0"
WATCH = ("n", "l", "v", "m", "r", "x")
REMOTE = ("now", "tl", "vol", "modes", "queue")
VIEWS = {"watch": (WATCH, (250, 30_000)), "remote": (REMOTE, (50, 20_000)), "full": ((*REMOTE, "hub"), (20, 20_000))}
SECTIONS = (*REMOTE, "hub", *WATCH)
WORDS = ("off", "on", "once")
KEYS, KEY_US = 256, 600_000_000
# What was answered to a command with a key: the command, the moment, and what is said again.
Answer = tuple[list[Any], int, dict[str, Any]]


class Caller(NamedTuple):
    """The one who speaks: the way in, the role that it grants, the origin by which limits are counted, and who it says that it is."""

    channel: str
    role: str
    origin: str
    client: str | None = None
    name: str = ""
    watch: bool = False

    @property
    def principal(self) -> str:
        return f"{self.channel} {self.client}"


class Hub:
    """The owner of the room. Each change of the room is followed by `commit`."""

    def __init__(self, catalogue: Catalogue, room: Room, name: str) -> None:
        self.catalogue, self.room, self.name = catalogue, room, name
        self.id, self.epoch, self.boot = (secrets.token_urlsafe(6) for _ in range(3))
        self.revision = 0
        self.sections: dict[str, Any] = {}
        self._changed_at: dict[str, int] = {}
        self._answers: dict[str, dict[str, Answer]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.tick()

    def tick(self) -> None:
        """Lets the room do what is due, such as going on at the end of a track, and comes back when the next thing is."""
        self.room.wake(clock())
        self.commit()

    def commit(self) -> bool:
        """Makes a change of the room the hub's state, with one revision. Whether there was any."""
        self.room.note()
        now = {name: value for name, value in self._written().items() if value is not None}
        changed = [name for name in SECTIONS if now.get(name) != self.sections.get(name)]
        self.revision += bool(changed)
        self._changed_at |= dict.fromkeys(changed, self.revision)
        self.sections = now
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(min(3600, (self.room.due() - clock()) / 1e6), self.tick)
        return bool(changed)

    def whole(self, names: Iterable[str]) -> dict[str, Any]:
        return {name: self.sections[name] for name in names if name in self.sections}

    def since(self, revision: int, names: Iterable[str]) -> dict[str, Any]:
        """The sections that are newer than a revision; `None` for one that is gone."""
        return {name: self.sections.get(name) for name in names if self._changed_at.get(name, 0) > revision}

    def _written(self) -> dict[str, Any]:
        """All sections as they are; `None` for one that is not there."""
        room, line, track = self.room, self.room.line, self.room.track()
        once = {name: getattr(room, name) for name in ("single", "consume") if getattr(room, name) != "off"}
        problems, rate = page(self.problems(), 300), 1000 if room.playing else 0
        more = {"more": len(room.problems) - len(problems)} if len(room.problems) > len(problems) else {}
        tl: dict[str, Any] = {"posMs": line.ms, "atUs": line.at, "rate": rate, "st": line.state}
        queue: dict[str, Any] = {"rev": room.revision, "len": len(room.order)}
        sections: dict[str, Any] = {
            "tl": tl,
            "vol": {"level": room.level, "mute": room.mute, "range": list(room.range)},
            "modes": {"repeat": room.repeat, "shuffle": room.shuffle} | once,
            "queue": queue,
            "hub": {"id": self.id, "name": watch_text(self.name), "version": VERSION, "problems": problems} | more,
            "l": [line.ms, line.at // 1000 % 2**31, rate, *([2] if line.state == "stopped" else [])],
            "v": [room.level, int(room.mute)],
            "m": [int(room.repeat), int(room.shuffle), WORDS.index(room.single), WORDS.index(room.consume)],
            "r": watch_text(room.name),
            "x": watch_text(room.problems[0]) if room.problems else None,
        }
        if track and room.current:
            tl["entry"] = queue["cur"] = room.current
            queue["idx"] = room.order.index(room.current)
            if behind := room.behind()[0]:
                queue |= {"next": behind, "nextText": watch_text(room.entries[behind].track.title)}
            watch = {"i": room.current, "t": watch_text(track.title), "a": watch_text(track.artist), "d": track.ms // 1000}
            sections |= {"now": self.row(room.current) | {"sinceUs": room.since}, "n": {name: value for name, value in watch.items() if value != ""}}
        return sections

    def row(self, entry: str) -> dict[str, Any]:
        """An entry, as `now` and the rows of the queue show it."""
        track = self.room.entries[entry].track
        texts = {"title": cut(track.title, 256), "artists": [cut(track.artist, 256)], "album": cut(track.album, 256)}
        known = {name: text for name, text in texts.items() if text not in ("", [""])}
        return {"entry": entry, "uri": track.uri, "kind": "track", "durMs": track.ms} | known

    def problems(self) -> list[dict[str, str]]:
        return [{"room": self.room.id, "msg": cut(text, 160)} for text in self.room.problems]

    def remembered(self, owner: str, key: str) -> Answer | None:
        """The answer to an earlier command with this key."""
        found = self._answers.get(owner, {}).get(key)
        return found if found and found[1] > clock() - KEY_US else None

    def remember(self, owner: str, key: str, command: list[Any], said: dict[str, Any]) -> None:
        """Keeps an answer: the newest ones of each owner, and of owners those who have asked not long ago."""
        now, answers = clock(), self._answers.pop(owner, {})
        answers.pop(key, None)
        if len(answers) == KEYS:
            del answers[next(iter(answers))]
        self._answers[owner] = answers | {key: (command, now, said)}
        oldest = next(iter(self._answers))
        if next(reversed(self._answers[oldest].values()))[1] <= now - KEY_US:
            del self._answers[oldest]


def page(rows: list[Any], most: int) -> list[Any]:
    """The first rows, as many as fit in so many bytes, and one at least."""
    ends = accumulate(len(write(row).encode()) + 1 for row in rows)
    return rows[: max(1, sum(end <= most for end in ends))]
