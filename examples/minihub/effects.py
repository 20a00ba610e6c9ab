"""What the commands do to the room: chapters 5 and 6 of the text. They were found to be in order before."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from hub import VERSION, Caller, Hub, page
from player import Track
from room import Room
from wire import CORE, LIMITS, PAGE, Refusal, demand

# What the answer to a command says beside the usual.
Effect = dict[str, Any] | None


class Press(NamedTuple):
    """A command that was found to be in order."""

    hub: Hub
    room: Room
    caller: Caller
    p: dict[str, Any]
    now: int


def refuse(msg: str, at: str) -> Refusal:
    return Refusal("bad_request", msg, at=at)


def play(press: Press) -> Effect:
    p, room = press.p, press.room
    if "uri" in p:
        demand("entry" not in p, refuse("play takes entry or uri, not both.", "/p/entry"))
        return fill(press, [p["uri"]], "/p/uri", "index", lambda ms: "playing")
    demand("index" not in p, refuse("index goes with uri.", "/p/index"))
    target = p.get("entry", room.current)
    demand(target is not None, Refusal("invalid_state", "The queue is empty."))
    demand(target in room.entries, Refusal("gone", "The entry is no longer in the queue.", at="/p/entry"))
    if target == room.current and room.playing and "posMs" not in p:
        return None
    ms, why = bound(p.get("posMs", room.position(press.now) if target == room.current else 0), 0, room.entries[target].track.ms)
    room.play(target, ms, press.now)
    return why


def fill(press: Press, uris: list[str], at: str, start: str, state: Callable[[int], str]) -> Effect:
    """Puts items in the place of the whole queue."""
    tracks, place = find(press, uris, at, have=0), press.p.get(start, 0)
    demand(place < len(tracks), Refusal("not_found", "There are fewer new entries.", at=f"/p/{start}"))
    ms, why = bound(press.p.get("posMs", 0), 0, tracks[place].ms)
    return (why or {}) | {"ids": press.room.replace(tracks, place, state(ms), ms, press.caller.name, press.now)}


def seek(press: Press) -> Effect:
    track, p = press.room.track(), press.p
    if not track:
        raise Refusal("invalid_state", "There is nothing to seek in.")
    ms, why = bound(p["posMs"] if "posMs" in p else press.room.position(press.now) + p["ms"], 0, track.ms)
    press.room.seek(ms, press.now)
    return why


def set_volume(press: Press) -> Effect:
    press.room.level, why = bound(press.p["level"] if "level" in press.p else press.room.level + press.p["d"], *press.room.range)
    press.room.mute &= not press.room.level
    return why


def bound(value: int, low: int, high: int) -> tuple[int, Effect]:
    """The nearest value within bounds, and what there is to say about it."""
    return (low, {"why": "floor"}) if value < low else (high, {"why": "ceiling"}) if value > high else (value, None)


def find(press: Press, uris: list[str], at: str, have: int) -> list[Track]:
    """The tracks that items stand for. This hub plays no addresses and no files."""
    guest, result = press.caller.role == "guest", list[Track]()
    for n, uri in enumerate(uris):
        tracks, where = press.hub.catalogue.find(uri), at if at == "/p/uri" else f"{at}/{n}"
        is_path, is_address = uri.startswith(("/", "file:")), uri.startswith(("http://", "https://"))
        demand(not is_address or guest, Refusal("unsupported", "This hub plays no addresses of the web.", at=where))
        demand(tracks or not (guest if is_path else not is_address and ":" in uri), Refusal("not_found", "There is no such item.", at=where))
        demand(tracks, Refusal("forbidden", "Only items that this hub offers can be named.", at=where))
        result += tracks
    demand(have + len(result) <= LIMITS["queue"], Refusal("quota", f"A queue has at most {LIMITS['queue']} entries."))
    return result


def anchor(press: Press, after: str | None) -> str | None:
    """The entry behind which something is put; the last one where that is gone and the command says so."""
    if after is None or after in press.room.entries:
        return after
    demand("else" in press.p, Refusal("anchor_gone", "The entry that names the place is no longer in the queue."))
    return next(reversed(press.room.order), None)


def get_queue(press: Press) -> Effect:
    p, room, first = press.p, press.room, press.p.get("from", 0)
    demand("ids" not in p or len(p) <= 1, refuse("queue.get takes ids, or from and n.", "/p/ids"))
    ids = [entry for entry in p["ids"] if entry in room.entries] if "ids" in p else room.order[first : first + p.get("n", 100)]

    entries, names = [room.entries[id] for id in ids], press.caller.role in ("remote", "admin")
    rows = [press.hub.row(entry.id) | {"addedMs": entry.added_ms} | ({"by": entry.by} if entry.by and names else {}) for entry in entries]
    place = ({"cur": room.current} if room.current else {}) | ({} if "ids" in p else {"from": first})
    return {"d": {"rev": room.revision, "len": len(room.order), "rows": page(rows, PAGE)} | place}


def add(press: Press) -> Effect:
    room, at = press.room, press.p.get("at", "end")
    tracks = find(press, press.p["uris"], "/p/uris", have=len(room.order))
    after = anchor(press, at["after"]) if isinstance(at, dict) else room.current if at == "next" else next(reversed(room.order), None)
    return {"ids": room.add(tracks, after, press.caller.name, press.now)}


def move(press: Press) -> None:
    ids = list(dict.fromkeys(press.p["ids"]))
    demand(press.room.entries.keys() >= set(ids), Refusal("gone", "One of the entries is no longer in the queue.", at="/p/ids"))
    press.room.move(ids, anchor(press, press.p["after"]))


def clear(press: Press) -> None:
    keep = press.room.current if press.p.get("keep") == "current" else None
    press.room.remove([entry for entry in press.room.order if entry != keep], press.now)


def replace_queue(press: Press) -> Effect:
    played = press.room.playing
    return fill(press, press.p["uris"], "/p/uris", "start", lambda ms: "playing" if played else "paused" if ms else "stopped")


def info(press: Press) -> Effect:
    hub, problems = press.hub, press.hub.problems()[press.p.get("from", 0) :]
    d = {"id": hub.id, "name": hub.name, "version": VERSION, "core": CORE, "features": [], "epoch": hub.epoch, "boot": hub.boot}
    return {"d": d | {"upMs": press.now // 1000, "wallMs": int(time.time() * 1000), "problems": page(problems, PAGE)}}
