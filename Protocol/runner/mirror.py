"""What a client holds of a hub: sections of rooms, the queue, pictures, and the hub's clock."""

import time

from runner.pictures import Transfer, frame


class Clock:
    def __init__(self):
        self.boot, self.samples = None, []

    @staticmethod
    def now():
        return time.monotonic_ns() // 1000

    def greet(self, welcome):
        if welcome["boot"] != self.boot:
            self.boot, self.samples = welcome["boot"], []
        if "t1" in welcome:
            self.add(welcome["t1"], welcome["t2"], welcome["t3"])

    def add(self, t1, t2, t3):
        t4 = self.now()
        trip = (t4 - t1) - (t3 - t2)
        if trip >= 0:
            self.samples = [*self.samples[-7:], (((t2 - t1) + (t3 - t4)) // 2, trip // 2, t4)]

    @property
    def is_set(self):
        return bool(self.samples)

    def hub_us(self):
        """The hub's clock now, by the sample that is wrong by the least."""
        now = self.now()
        return now + min(self.samples, key=lambda one: one[1] + 50 * (now - one[2]) // 1_000_000)[0]


class Mirror:
    """The copy of what the hub shows, room by room."""

    def __init__(self):
        self.epoch = self.rev = self.first = None
        self.rooms, self.queue, self.queue_rev = {}, [], None
        self.is_whole = self.follows = self.asked = False

    def greet(self, welcome):
        if welcome["epoch"] != self.epoch:
            self.forget()
        self.epoch, self.is_whole, self.follows, self.asked = welcome["epoch"], False, False, False

    def forget(self):
        self.rev, self.rooms, self.first, self.queue_rev = None, {}, None, None

    def resume(self):
        if self.rev is None or not self.first:
            return {}
        held = sorted({name for sections in self.rooms.values() for name in sections})
        return {"resume": {"epoch": self.epoch, "rev": self.rev, "rooms": list(self.rooms), "sections": held}}

    def take(self, message):
        """Applies a state; `sync` when one before it is missing, after which nothing is taken until all of it comes."""
        room = message.get("room", self.first)
        if message.get("full"):
            self.rooms[room] = {}
            self.asked = False
        elif message.get("from") != self.rev:
            was_asked, self.asked = self.asked, True
            return None if was_asked else "sync"
        if self.asked:
            return None
        self.first = self.first or room
        for name, value in message["s"].items():
            self.rooms.setdefault(room, {})[name] = value
            if value is None:
                del self.rooms[room][name]
        self.rev, self.is_whole = message["rev"], True
        return None

    # The queue of the first room

    def page(self, found):
        if found.get("from", 0) == 0:
            self.queue, self.queue_rev = [row["entry"] for row in found["rows"]], found["rev"]

    def edit(self, message):
        """Applies the operations of one `q`; `again` when the queue has to be asked for."""
        if message.get("room", self.first) != self.first:
            return None
        if message.get("reset") or message.get("from") != self.queue_rev or any(op[0] not in OPS for op in message.get("ops", [])):
            return "again"
        for name, *rest in message["ops"]:
            OPS[name](self.queue, *rest)
        self.queue_rev = message["rev"]
        return None

    # What is shown

    def section(self, name, short):
        sections = self.rooms.get(self.first) or {}
        return sections.get(name) or {}, sections.get(short)

    def entry(self):
        now, short = self.section("now", "n")
        return now.get("entry") or (short or {}).get("i")

    def following(self):
        """The entry to which `next` would lead; a watch knows none."""
        return self.section("queue", "")[0].get("next")

    def art(self):
        now, short = self.section("now", "n")
        return (now.get("art") or {}).get("id") or (short or {}).get("c", "")

    def shown(self, clock):
        (now, n), (line, short), (vol, v) = self.section("now", "n"), self.section("tl", "l"), self.section("vol", "v")
        rate = line.get("rate", short[2] if short else 0)
        return {"title": now.get("title") or (n or {}).get("t"), "level": vol.get("level", v[0] if v else None), "playing": bool(rate) or line.get("st") == "buffering",
                "queue": self.queue, "positionMs": self.position(clock, line, short, now, n),
                "levels": {room: (held.get("vol") or {}).get("level", (held.get("v") or [None])[0]) for room, held in self.rooms.items()}}

    def position(self, clock, line, short, now, n):
        begun, at, rate = (line["posMs"], line["atUs"] // 1000, line["rate"]) if line else (short or [0, 0, 0])[:3]
        if not clock.is_set:
            return begun
        ends = now.get("durMs", (n or {}).get("d", 1 << 31) * (1000 if n else 1))
        # Until `at` the position is that of the line.
        return max(0, min(begun + max(0, clock.hub_us() // 1000 - at) * rate // 1000, ends))


def insert(queue, after, entries):
    place = queue.index(after) + 1 if after in queue else 0 if after is None else len(queue)
    queue[place:place] = entries


def move(queue, entries, after):
    remove(queue, entries)
    insert(queue, after, entries)


def remove(queue, entries):
    queue[:] = [entry for entry in queue if entry not in entries]


OPS = {"ins": insert, "del": remove, "mov": move, "cur": lambda queue, entry: None}


class Pictures:
    """Pictures that are on their way."""

    def __init__(self):
        self.wanted, self.current, self.done = [], None, {}

    def forget(self):
        self.__init__()

    def take(self, payload):
        one = frame({"kind": "in", "op": 2, "hex": payload.hex(), "size": len(payload)})
        if one is None:
            return
        if one["head"] is not None:
            self.current = Transfer(one)
        if self.current and one["xfer"] == self.current.number:
            self.current.take(one)
            if self.current.is_over:
                self.done[one["xfer"]] = self.current.seen(0)
                self.current = None

    def whole(self):
        for press in [one for one in self.wanted if one["xfer"] in self.done]:
            self.wanted.remove(press)
            yield press, self.done.pop(press["xfer"])
