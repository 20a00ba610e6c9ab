"""A random edit script, and what a hub that loses nothing must show after any part of it.

The order of the queue is worked out here, independently of the hub. Where the hub draws lots (shuffling) it is asked
for the order afterwards, and until then only the set of entries is known.
"""

import dataclasses
import time

UNKNOWN = "?"


class Newcomer:
    """Stands for the id that the hub will give. Equal to nothing but itself."""


@dataclasses.dataclass(frozen=True)
class Model:
    """What is promised. A row is an entry and a uri; an entry that the hub has not named yet is a Newcomer."""
    rows: tuple = ()
    has_order: bool = True
    # What taking an edit back leads to is the hub's to know: any queue that names each entry once.
    is_open: bool = False
    # The room that has what is played here otherwise.
    lent_to: object = None
    lent: tuple = ()
    current: object = None
    modes: tuple = (("repeat", False), ("shuffle", False))
    # The id and the name of each.
    rooms: tuple = ()
    ceiling: int = 100

    def change(self, **members):
        return dataclasses.replace(self, **members)

    def place(self, entry):
        return next(index for index, row in enumerate(self.rows) if row[0] == entry)

    def entries(self):
        return [entry for entry, _ in self.rows if not isinstance(entry, Newcomer)]

    def insert(self, index, rows):
        current = self.current if self.rows else UNKNOWN
        return self.change(rows=self.rows[:index] + rows + self.rows[index:], current=current)

    def named(self, names):
        swap = lambda pairs: tuple((names.get(one, one), other) for one, other in pairs)
        return self.change(rows=swap(self.rows), rooms=swap(self.rooms))

    def remove(self, ids):
        current = UNKNOWN if self.current in ids else self.current
        return self.change(rows=tuple(row for row in self.rows if row[0] not in ids), current=current)

    def move(self, ids, after):
        index = 0 if after is None else self.place(after) + 1
        index = sum(row[0] not in ids for row in self.rows[:index])
        stay = [row for row in self.rows if row[0] not in ids]
        moved = [row for entry in ids for row in self.rows if row[0] == entry]
        return self.change(rows=tuple(stay[:index] + moved + stay[index:]))

    def equals(self, shown):
        """Whether a hub that shows this shows the model."""
        if self.is_open:
            return len({entry for entry, _ in shown.rows}) == len(shown.rows) and self.rooms == shown.rooms
        if len(shown.rows) != len(self.rows) or dict(self.modes).items() - dict(shown.modes).items() or self.ceiling != shown.ceiling:
            return False
        if self.current not in (UNKNOWN, shown.current) or (self.rooms and not agree(self.rooms, shown.rooms)):
            return False
        if self.has_order:
            return agree(self.rows, shown.rows)
        uris = lambda rows: sorted(uri for _, uri in rows)
        return set(self.entries()) <= {entry for entry, _ in shown.rows} and uris(shown.rows) == uris(self.rows)


def agree(mine, theirs):
    return len(mine) == len(theirs) and all(
        a[1] == b[1] and (isinstance(a[0], Newcomer) or a[0] == b[0]) for a, b in zip(mine, theirs))


@dataclasses.dataclass
class Edit:
    method: str
    parameters: dict
    after: Model
    key: str
    # Written behind, within a second: may be lost with its key, and may be done again without harm.
    is_soft: bool = False
    # The position is another one afterwards.
    moves_line: bool = False
    new: tuple = ()
    # Of a command to another room than the one that is followed.
    room: object = None


class Script:
    """One person's edits, hub after hub."""

    def __init__(self, random, files):
        self.random, self.files = random, files
        self.model, self.line, self.lost_at = Model(), None, None
        self.unanswered, self.history = [], []
        self.count = self.unanswered_count = self.dup_count = self.position_count = 0

    # ---- a life of the hub

    def come_back(self, remote):
        """What is shown is what was answered, or a part of what was not; the rest is sent again and done once."""
        possible = [self.model] + [edit.after for edit in self.unanswered]
        shown = self.shown(remote)
        found = [index for index, model in enumerate(possible) if model.equals(shown)]
        expect(found, f"the hub shows {shown}\nand none of {possible}\nafter {self.history}\nwith {[edit.method for edit in self.unanswered]} on the way")
        self.check_position(remote)
        done = [self.send_again(remote, edit) for edit in self.unanswered]
        hard = [is_dup for is_dup, edit in zip(done, self.unanswered) if not edit.is_soft]
        expect(hard == sorted(hard, reverse=True), f"a later command was kept and an earlier one was not: {done}")
        expect(sum(done) in [sum(not edit.is_soft for edit in self.unanswered[:index]) for index in found] or not hard,
               f"{sum(done)} commands were done, and the hub had shown {found} of {[edit.method for edit in self.unanswered]}")
        self.dup_count += sum(done)
        self.unanswered = []
        self.line = dict(remote.sections["tl"])
        self.learn(remote, possible[-1])

    def send_again(self, remote, edit):
        answer = remote.ask(edit.method, edit.parameters, edit.key, edit.room)
        expect(answer["ok"], f"{edit} was sent again and refused: {answer}")
        return answer.get("why") == "dup"

    def edit(self, remote, strike=None):
        """One command, or a few sent at once, answered, unless the hub ends meanwhile: at the latest by `strike`."""
        burst = self.random.randint(2, 4) if self.random.random() < 0.2 else 1
        self.unanswered = []
        model = self.model
        for _ in range(burst):
            edit = self.think(model, remote, is_alone=burst == 1)
            self.unanswered.append(edit)
            model = edit.after
        numbers = [remote.send(edit.method, edit.parameters, edit.key, edit.room) for edit in self.unanswered]
        if strike:
            time.sleep(self.random.uniform(0, 0.003))
            strike()
        for number in numbers:
            answer = remote.answer(number)
            edit = self.unanswered.pop(0)
            expect(answer["ok"], f"{edit} was refused: {answer}")
            ids = [answer["d"]["room"]] if edit.method == "room.create" else answer.get("queue", {}).get("ids", [])
            names = dict(zip([entry for entry, _ in edit.new], ids))
            self.model = edit.after.named(names)
            # What was sent behind it was made on it.
            for later in self.unanswered:
                later.after = later.after.named(names)
            self.line = dict(remote.sections["tl"])
            self.count += 1
            self.history = [*self.history[-9:], f"{edit.method} {edit.parameters}"]
        self.learn(remote, self.model)

    def lose(self, remote):
        """The hub is gone. What was on its way may have been done."""
        self.lost_at = remote.hub_us()
        self.unanswered_count += len(self.unanswered)

    def listen(self, remote, seconds):
        while not self.model.rows:
            self.edit(remote)
        remote.ask("play", key=self.key())
        time.sleep(seconds)
        remote.ask("pause", key=self.key())
        remote.ask("play", key=self.key())
        self.line = dict(remote.sections["tl"])
        self.learn(remote, self.model)

    # ---- what is known

    def shown(self, remote, rows=None):
        """What the hub shows, as a model; `rows` when they are known."""
        state = remote.sections
        return Model(rows=tuple(remote.rows()) if rows is None else rows, current=state["queue"].get("cur"), modes=tuple(state["modes"].items()),
                     rooms=tuple((room["id"], room["name"]) for room in state["rooms"]["list"]), ceiling=state["vol"]["range"][1])

    def learn(self, remote, model):
        """Names and order that only the hub could give, and which entry is current now."""
        is_clear = model.has_order and not model.is_open and len(model.entries()) == len(model.rows)
        shown = self.shown(remote, model.rows if is_clear else None)
        expect(model.equals(shown), f"the hub shows {shown}\nand not {model}\nafter {self.history}")
        self.model = model.change(rows=shown.rows, has_order=True, is_open=False, current=shown.current, rooms=shown.rooms)

    def check_position(self, remote):
        """Within five seconds of where it was, when nothing that moves it was on its way."""
        line = self.line
        if not line or "entry" not in line or any(edit.moves_line for edit in self.unanswered):
            return
        was = line["posMs"] + max(0, self.lost_at - line["atUs"]) * line["rate"] / 1e6
        now = remote.sections["tl"]
        expect(now.get("entry") == line["entry"] and abs(now["posMs"] - was) <= 5000, f"the line was {line}, at {was:.0f} ms, and is {now}")
        self.position_count += 1

    # ---- what to do next

    def key(self):
        return f"key-{self.random.randrange(2**40):x}"

    def think(self, model, remote, is_alone):
        kinds = ["add", "add", "remove", "move", "repeat"]
        if is_alone:
            kinds += ["add_next", "jump", "jump", "next", "prev", "seek", "play", "pause", "shuffle", "reshuffle", "clear", "replace", "room", "ceiling", "hand_over"]
            if remote.sections["queue"].get("undo"):
                kinds += ["undo", "undo"]
        if len(model.entries()) < 3:
            kinds = ["add"]
        if len(model.rows) > 60:
            kinds = ["remove"]
        if model.lent_to:
            kinds = ["take_back"]
        return getattr(self, self.random.choice(kinds))(model, remote)

    def some(self, model):
        return self.random.sample(model.entries(), self.random.randint(1, 2))

    def rows(self):
        return tuple((Newcomer(), shown_uri(uri)) for uri in self.random.choices(self.files, k=self.random.randint(1, 3)))

    def made(self, method, model, parameters=None, **more):
        return Edit(method, parameters or {}, model, self.key(), **more)

    def add(self, model, _):
        anchor = self.random.choice([None, "end", *model.entries()])
        index = 0 if anchor is None else len(model.rows) if anchor == "end" else model.place(anchor) + 1
        return self.adding(model, index, "end" if anchor == "end" else {"after": anchor})

    def add_next(self, model, _):
        return self.adding(model, len(model.rows) if model.current is None else model.place(model.current) + 1, "next")

    def adding(self, model, index, at):
        new = self.rows()
        return self.made("queue.add", model.insert(index, new), {"uris": paths(new), "at": at}, new=new, moves_line=not model.rows)

    def remove(self, model, _):
        ids = self.some(model)
        return self.made("queue.remove", model.remove(ids), {"ids": ids}, moves_line=True)

    def move(self, model, _):
        ids = self.some(model)
        after = self.random.choice([None, *(entry for entry in model.entries() if entry not in ids)])
        return self.made("queue.move", model.move(ids, after), {"ids": ids, "after": after})

    def clear(self, model, remote):
        keep = self.random.choice(["none", "current"])
        kept = tuple(row for row in model.rows if row[0] == model.current and keep == "current")
        emptied = model.change(rows=kept, current=kept[0][0] if kept else None)
        return self.made("queue.clear", emptied, {"base": remote.sections["queue"]["rev"], "keep": keep}, moves_line=True)

    def replace(self, model, remote):
        new = self.rows()
        parameters = {"base": remote.sections["queue"]["rev"], "uris": paths(new)}
        return self.made("queue.replace", model.change(rows=new, current=UNKNOWN, has_order=not dict(model.modes)["shuffle"]), parameters, new=new, moves_line=True)

    def jump(self, model, _):
        entry = self.random.choice(model.entries())
        return self.made("jump", model.change(current=entry), {"entry": entry}, moves_line=True)

    def next(self, model, _):
        # At the end of a shuffled queue lots are drawn anew.
        return self.made("next", model.change(current=UNKNOWN, has_order=not dict(model.modes)["shuffle"]), moves_line=True)

    def prev(self, model, _):
        return self.made("prev", model.change(current=UNKNOWN), moves_line=True)

    def seek(self, model, _):
        return self.made("seek", model, {"entry": model.current, "posMs": self.random.randrange(800_000)}, moves_line=True)

    def play(self, model, _):
        return self.made("play", model, is_soft=True)

    def pause(self, model, _):
        return self.made("pause", model, is_soft=True)

    def repeat(self, model, _):
        return self.setting(model, repeat=self.random.random() < 0.5)

    def shuffle(self, model, _):
        return self.setting(model.change(has_order=False), shuffle=not dict(model.modes)["shuffle"])

    def reshuffle(self, model, remote):
        return self.made("queue.shuffle", model.change(has_order=False), {"base": remote.sections["queue"]["rev"]})

    def room(self, model, _):
        """A room is made, renamed or deleted; the one that plays stays."""
        others = model.rooms[1:]
        if not others or (len(others) < 4 and self.random.random() < 0.5):
            new = ((Newcomer(), f"Room {self.random.randrange(10**9)}"),)
            return self.made("room.create", model.change(rooms=model.rooms + new), {"name": new[0][1]}, new=new)
        chosen = self.random.choice(others)
        if self.random.random() < 0.5:
            left = tuple(room for room in model.rooms if room != chosen)
            return self.made("room.delete", model.change(rooms=left), {"room": chosen[0]})
        name = f"Room {self.random.randrange(10**9)}"
        renamed = tuple((room[0], name) if room == chosen else room for room in model.rooms)
        return self.made("room.rename", model.change(rooms=renamed), {"room": chosen[0], "name": name})

    def hand_over(self, model, remote):
        """What plays goes on in another room, and is taken back with the next edit."""
        others = model.rooms[1:]
        if not others:
            return self.room(model, remote)
        target = self.random.choice(others)[0]
        emptied = model.change(rows=(), current=None, lent_to=target, lent=(model.rows, model.current))
        return self.made("room.move", emptied, {"to": target}, moves_line=True)

    def take_back(self, model, _):
        rows, current = model.lent
        return self.made("room.move", model.change(rows=rows, current=current, lent_to=None, lent=()), {"to": model.rooms[0][0]},
                         moves_line=True, room=model.lent_to)

    def undo(self, model, _):
        return self.made("queue.undo", model.change(is_open=True), moves_line=True)

    def ceiling(self, model, _):
        value = self.random.randrange(60, 101)
        return self.made("room.set", model.change(ceiling=value), {"ceiling": value})

    def setting(self, model, **modes):
        return self.made("mode.set", model.change(modes=tuple({**dict(model.modes), **modes}.items())), modes)


def paths(rows):
    return [uri.removeprefix("file:track") for _, uri in rows]


def shown_uri(path):
    return f"file:track{path}"


def expect(holds, sentence):
    if not holds:
        raise AssertionError(sentence)
