"""What a side may choose, such as an epoch or an entry's id: where it stands in messages, and what was met in the place of the recorded value.

A path names a member by the names that lead to it, without the places in lists: `d.rows.entry`.
"""

import json

from runner.failing import Fails

# Kinds of values that the header may list under `chosen`, with the paths where they stand.
KINDS = {
    "client": {"client.id"},
    "run": {"client.run"},
    "key": {"k"},
    "number": {"id"},
    "moment": {"t1"},
    "limit": {"max"},
    "epoch": {"epoch", "resume.epoch", "d.epoch"},
    "boot": {"boot", "d.boot"},
    "session": {"sess"},
    "room": {"room", "rooms", "resume.rooms", "s.rooms.list.id", "p.to", "p.room"},
    "revision": {"rev", "from", "resume.rev"},
    "queueRevision": {"s.queue.rev", "queue.rev", "d.rev", "p.base", "err.rev"},
    "entry": {"s.now.entry", "s.tl.entry", "s.queue.cur", "s.queue.next", "p.from", "p.entry", "p.ids", "p.after", "p.at.after", "queue.ids", "d.cur",
              "d.rows.entry", "s.n.i"},
    # What a command names may be called otherwise in the state: a path is shown as an item.
    "item": {"p.uri", "p.uris"},
}
# The client makes these; all others are the hub's.
OF_CLIENT = {"client", "run", "key", "number", "moment", "limit"}
# Of two values, the one that is greater in the file is greater in each hub.
GROWING = {"revision", "queueRevision"}
# Groups of values that the header may list under `free`: any value of the same type will do.
FREE = {
    "times": {"t1", "t2", "t3", "rx", "tx", "ct", "s.tl.atUs", "s.now.sinceUs", "s.l.1", "d.rows.addedMs", "d.upMs", "d.wallMs", "err.afterMs"},
    # Positions of a clock that runs: near the recorded one. Ends: those of tracks of any length.
    "positions": {"s.tl.posMs", "s.l.0"},
    "ends": {"s.tl.posMs", "s.l.0"},
    "music": {"s.now.title", "s.now.artists", "s.now.album", "s.now.albumArtist", "s.now.track", "s.now.disc", "s.now.year", "s.now.durMs", "s.n.t", "s.n.a",
              "s.n.d", "d.rows.title", "d.rows.artists", "d.rows.album", "d.rows.albumArtist", "d.rows.track", "d.rows.disc", "d.rows.year", "d.rows.durMs",
              "s.now.uri", "d.rows.uri", "d.rows.by", "s.queue.nextText"},
    "names": {"client.name", "client.app", "s.r", "s.hub.id", "s.hub.name", "s.hub.version", "d.id", "d.name", "d.version"},
    "levels": {"s.vol.level", "s.v.0"},
    "rails": {"s.vol.range"},
    "features": {"features", "d.features", "caps", "resume.sections", "s.now.fmt", "s.now.art", "s.hub.problems", "d.problems", "s.x"},
    "sentences": {"err.msg"},
    "pointers": {"err.at"},
    "proofs": {"nonce", "ya", "yb", "ta", "tb", "wk", "mac", "dev", "name", "cb"},
}
POSITION_MS = 2500
# Places in arrays of fixed form that mean something of their own.
NUMBERED = {"s.l.0", "s.l.1", "s.v.0"}
# Members that a side may leave out; and groups of which that holds, where they are free.
ABSENT = {"client.name", "client.app", "client.run", "locale", "want", "t1", "ct", "s.now.sinceUs", "d.rows.addedMs"}
MAY_LACK = ("music", "features", "pointers")
# What it means when a member is not there.
USUAL = {"s.modes.single": "off", "s.modes.consume": "off"}


class Chosen:
    """The values of one play: each recorded value of a kind stands for one that was met."""

    def __init__(self, header):
        self.kinds = {path: kind for kind in header.get("chosen", {}) for path in KINDS[kind]}
        self.values = {kind: list(values) for kind, values in header.get("chosen", {}).items()}
        self.groups = set(header.get("free", ()))
        self.met = {kind: {} for kind in self.values}

    def is_free(self, path, recorded, actual):
        """Whether any value will do. Of positions that near the recorded one will, unless the end of a track may be meant."""
        groups = {group for group in self.groups if path in FREE[group]}
        if groups == {"positions"} and abs(recorded - actual) > POSITION_MS:
            raise Fails(f"{path} is {actual}, more than {POSITION_MS} ms from {recorded}")
        return bool(groups)

    def may_lack(self, path):
        return path in ABSENT or any(path in FREE[group] for group in self.groups if group in MAY_LACK)

    def set(self, kind, recorded, actual):
        """Says what stands for a recorded value, before it is met."""
        if recorded in self.values.get(kind, ()):
            self.met[kind][recorded] = actual

    def kind(self, path, value):
        kind = self.kinds.get(path)
        return kind if kind and any(type(value) is type(one) and value == one for one in self.values[kind]) else None

    # What is sent

    def filled(self, text):
        """The recorded text with what was met in the place of what was recorded; the very bytes where nothing differs."""
        value = json.loads(text)
        changed = self.put(value, "")
        return text if changed == value else json.dumps(changed, ensure_ascii=False, separators=(",", ":"))

    def put(self, value, path):
        if isinstance(value, dict):
            return {name: self.put(one, f"{path}.{name}".lstrip(".")) for name, one in value.items()}
        if isinstance(value, list):
            return [self.put(one, path) for one in value]
        kind = self.kind(path, value)
        return self.met[kind].get(value, value) if kind else value

    # What comes

    def meet(self, recorded, actual, line=None):
        """Compares what came with what was recorded, and learns what was chosen. Nothing is learned from what does not fit."""
        before, usual = {kind: dict(some) for kind, some in self.met.items()}, self.groups
        # A line may have more that is free than its file.
        self.groups = usual | set((line or {}).get("free", ()))
        try:
            self.compare(recorded, actual, "")
        except Fails:
            self.met = before
            raise
        finally:
            self.groups = usual

    def compare(self, recorded, actual, path):
        kind = self.kind(path, recorded)
        if kind:
            return self.learn(kind, recorded, actual, path)
        if type(recorded) is not type(actual):
            raise Fails(f"{path or 'it'} is {json.dumps(actual)}, not {json.dumps(recorded)}")
        if self.is_free(path, recorded, actual):
            return None
        if isinstance(recorded, dict):
            for name in [*recorded, *(name for name in actual if name not in recorded and f"{path}.{name}" in USUAL)]:
                own = f"{path}.{name}".lstrip(".")
                value, other = (side.get(name, USUAL.get(own)) for side in (recorded, actual))
                if name in actual or own in USUAL:
                    self.compare(value, other, own)
                elif not self.may_lack(own):
                    raise Fails(f"{own} is missing")
        elif isinstance(recorded, list):
            self.compare_lists(recorded, actual, path)
        elif recorded != actual:
            raise Fails(f"{path or 'it'} is {json.dumps(actual)}, not {json.dumps(recorded)}")
        return None

    def compare_lists(self, recorded, actual, path):
        if len(recorded) != len(actual):
            raise Fails(f"{path} has {len(actual)} elements, not {len(recorded)}")
        for place, (one, other) in enumerate(zip(recorded, actual)):
            self.compare(one, other, f"{path}.{place}" if f"{path}.{place}" in NUMBERED else path)

    def learn(self, kind, recorded, actual, path):
        known = self.met[kind]
        if type(recorded) is not type(actual):
            raise Fails(f"{path} is {json.dumps(actual)}, of another type than {json.dumps(recorded)}")
        if recorded in known:
            # A hub may change something by itself, such as a line that waits for data and then goes on.
            later = [other for one, other in known.items() if one > recorded]
            if kind == "revision" and known[recorded] < actual < min(later, default=actual + 1):
                known[recorded] = actual
            if known[recorded] != actual:
                raise Fails(f"{path} is {json.dumps(actual)}, and stood for {json.dumps(recorded)} as {json.dumps(known[recorded])} before")
            return
        for one, other in known.items():
            if other == actual or (kind in GROWING and (one < recorded) != (other < actual)):
                raise Fails(f"{path} is {json.dumps(actual)} for {json.dumps(recorded)}, and {json.dumps(other)} stands for {json.dumps(one)}")
        known[recorded] = actual
