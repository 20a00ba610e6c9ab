"""A copy of the head of the hub's queue, kept current by the hub's operations (BT-QUE-018 to 022)."""

from typing import Any

from .answers import Message


class QueueMirror:
    """Entries in the order of play, from the first one on. A value: it decides, and FollowedQueue asks the hub.

    The head may be shorter than the queue. Operations behind it leave it a head.
    """

    def __init__(self) -> None:
        #: Queue revision of this copy; None: nothing is known, and the rows have to be requested.
        self.revision: int | None = None
        self.length = 0
        self.current: str | None = None
        self.entries: list[str] = []
        self.rows: dict[str, Message] = {}

    @property
    def is_whole(self) -> bool:
        """Whether the head is the whole queue."""
        return self.revision is not None and len(self.entries) >= self.length

    @property
    def without_texts(self) -> list[str]:
        """Entries whose rows have to be requested by their ids."""
        return [entry for entry in self.entries if entry not in self.rows]

    def take(self, page: Message) -> None:
        """Takes what `sub` or `queue.get` answers in `d`. A page of another revision replaces all that was known."""
        if page["rev"] != self.revision:
            self.entries, self.rows = [], {}
        self.revision, self.length, self.current = page["rev"], page["len"], page.get("cur")
        if page.get("from") == len(self.entries):
            self.entries += [row["entry"] for row in page["rows"]]
        self._describe(page["rows"])

    def hear(self, message: Message) -> bool:
        """Takes a `q`. False when the rows have to be requested anew."""
        if message.get("reset") or message.get("from") != self.revision:
            self.forget(message.get("len", self.length))
            return False
        if not all(self._apply(operation) for operation in message.get("ops", [])):
            self.forget(self.length)
            return False
        self.revision = message["rev"]
        self._describe(message.get("rows", []))
        present = set(self.entries)
        self.rows = {entry: row for entry, row in self.rows.items() if entry in present}
        return True

    def forget(self, length: int = 0) -> None:
        """Nothing is known any more but, perhaps, how long the queue is."""
        self.revision, self.length, self.entries, self.rows = None, length, [], {}

    def _describe(self, rows: list[Message]) -> None:
        present = set(self.entries)
        self.rows.update({row["entry"]: row for row in rows if row["entry"] in present})

    def _apply(self, operation: list[Any]) -> bool:
        """One operation. False for one that is not known (BT-QUE-021)."""
        match operation:
            case ["ins", anchor, list(ids), *_]:
                self._insert(anchor, ids)
                self.length += len(ids)
            case ["del", list(ids), *_]:
                self._remove(ids)
                self.length -= len(ids)
            case ["mov", list(ids), anchor, *_]:
                self._remove(ids)
                self._insert(anchor, ids)
            case ["cur", entry, *_]:
                self.current = entry
            case _:
                return False
        return True

    def _insert(self, anchor: str | None, ids: list[str]) -> None:
        if anchor is None:
            self.entries[:0] = ids
        elif anchor in self.entries:
            place = self.entries.index(anchor) + 1
            self.entries[place:place] = ids

    def _remove(self, ids: list[str]) -> None:
        gone = set(ids)
        self.entries = [entry for entry in self.entries if entry not in gone]
