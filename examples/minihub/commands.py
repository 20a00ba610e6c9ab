"""The commands of Core: what each takes, who may give it, and what it does: chapter 5 of the text.

`perform` looks at a command in the order of that chapter, and refuses it for the first thing that fails.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import effects
from effects import Effect, Press, refuse
from hub import Caller, Hub
from player import clock
from wire import LARGEST, LIMITS, Refusal, demand

ROLES = ("listener", "guest", "remote", "admin")

Form = Callable[[Any, str], None]


# Forms of values: each refuses what it does not allow, and says where it stands.


def form(words: str, allows: Callable[[Any], Any]) -> Form:
    def check(value: Any, at: str) -> None:
        demand(allows(value), refuse(f"{at[1:]} must be {words}.", at))

    return check


def integer(low: int, high: int) -> Form:
    return form(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def word(*words: Any) -> Form:
    return form(f"one of {', '.join(map(str, words))}", lambda value: any(type(value) is type(known) and value == known for known in words))


def text(least: int, most: int, pattern: str = "(?s:.*)") -> Form:
    return form("a text of the right form", lambda value: isinstance(value, str) and least <= len(value.encode()) <= most and re.fullmatch(pattern, value))


def many(one: Form, least: int, most: int | str) -> Form:
    """A list. The longest one may be a limit by its name; what is longer is then too large, and not wrong."""

    def check(value: Any, at: str) -> None:
        longest = LIMITS[most] if isinstance(most, str) else most
        if not isinstance(value, list) or not least <= len(value) <= longest:
            too_large = isinstance(value, list) and isinstance(most, str) and value
            raise Refusal("too_large" if too_large else "bad_request", f"{at[1:]} must be a list of {least} to {longest}.", at=at)
        for n, element in enumerate(value):
            one(element, f"{at}/{n}")

    return check


def is_anchor(value: Any) -> bool:
    return value is None or (isinstance(value, str) and bool(re.fullmatch("q[0-9a-z]{1,15}", value)))


def check_names(given: dict[str, Any], *known: str, at: str = "") -> None:
    for name in given.keys() - known:
        raise Refusal("unsupported", f"“{name}” is not known here.", at=f"{at}/{name.replace('~', '~0').replace('/', '~1')}")


def check_values(given: Any, forms: dict[str, Form], *needed: str, at: str = "") -> None:
    demand(isinstance(given, dict), refuse(f"{at[1:]} must be an object.", at))
    for name in needed:
        demand(name in given, refuse(f"{name} is missing.", f"{at}/{name}"))
    for name in given.keys() & forms.keys():
        forms[name](given[name], f"{at}/{name}")


def members(forms: dict[str, Form], *needed: str) -> Form:
    """An object with members of these forms. Others are passed over."""
    return lambda value, at: check_values(value, forms, *needed, at=at)


NAME = "[A-Za-z0-9_-]+"
MS, SAFE, BOOLEAN, MODE = integer(0, 2**31 - 1), integer(0, LARGEST), word(True, False), word("off", "on", "once")
ENTRY = text(2, 16, "q[0-9a-z]+")
AFTER = form("an entry or null", is_anchor)
PLACE = form("next, end or an entry in after", lambda at: at in ("next", "end") or (isinstance(at, dict) and [*at] == ["after"] and is_anchor(at["after"])))
ENTRIES, URI = many(ENTRY, 1, 1000), text(1, 4096, r"[^\x00-\x1f\x7f]+")
URIS = many(URI, 1, "add")
MEMBERS = {"k": text(4, 16, NAME), "room": text(1, 64), "ct": integer(-LARGEST, LARGEST), "ttl": integer(0, 600_000)}


# How a command is answered


class Command(NamedTuple):
    """A command: its class, its effect, its parameters, those that are needed, the least role, the guard, and whether keys are passed over."""

    kind: str
    effect: Callable[[Press], Effect]
    takes: dict[str, Form] = {}
    needed: tuple[str, ...] = ()
    role: str = "remote"
    guard: str = ""
    keyless: bool = False


def answer_to(id: Any, act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer to what was asked with this number, without its times."""
    try:
        return {"t": "res", "id": id, "ok": 1} | act()
    except Refusal as refusal:
        return {"t": "res", "id": id, "ok": 0, "err": refusal.error}


def perform(hub: Hub, message: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """Carries out a command, or refuses it, and says its outcome."""
    method, p, key = message.get("m"), message.get("p", {}), message.get("k")
    if not isinstance(method, str):
        raise refuse("m must name a command.", "/m")
    command = COMMANDS.get(method)
    if not command:
        raise Refusal("unknown_command", f"There is no command “{method}”.")
    demand(ROLES.index(caller.role) >= ROLES.index(command.role), Refusal("forbidden", f"{method} needs the role {command.role}."))
    check_names(message, "t", "id", "m", "p", *MEMBERS)
    check_names(p if isinstance(p, dict) else {}, *command.takes, at="/p")
    check_values(message, MEMBERS)
    check_values(p, command.takes, *command.needed, at="/p")
    demand(key is not None or (command.kind not in "GK" and "uri" not in p), refuse(f"{method} needs a command key.", "/k"))
    kept_as = None if command.kind == "Q" or command.keyless else key
    # Answers to `vol.step` are kept apart from all others.
    same, owner = [method, message.get("room"), p], f"{caller.principal} {method if method == 'vol.step' else ''}"
    if kept_as and (before := hub.remembered(owner, kept_as)):
        demand(before[0] == same, Refusal("key_mismatch", "This command key was used for another command.", at="/k"))
        queue = {"queue": before[2]["queue"] | {"rev": hub.room.revision}} if "queue" in before[2] else {}
        return before[2] | {"rev": hub.revision, "why": "dup"} | queue
    now = clock()
    age = now // 1000 - message.get("ct", now // 1000)
    age = (age + 2**30) % 2**31 - 2**30 if caller.watch else age
    demand(age <= message.get("ttl", 5000), Refusal("expired", "The command is older than its ttl."))
    demand(message.get("room", hub.room.id) == hub.room.id, Refusal("not_found", "There is no such room.", at="/room"))
    answer = _act(Press(hub, hub.room, caller, p, now), command, edits=method.startswith("queue.") and command.kind != "Q")
    if kept_as:
        hub.remember(owner, kept_as, same, answer)
    return answer


def _act(press: Press, command: Command, edits: bool) -> dict[str, Any]:
    """Carries a command out where its guard allows it. What changes nothing and has nothing to say was so already."""
    hub, room, guard = press.hub, press.room, press.p.get(command.guard)
    hub.tick()
    if guard is not None and guard != room.current:
        return {"st": "noop", "why": "moved", "rev": hub.revision}
    demand(press.p.get("base", room.revision) == room.revision, Refusal("queue_conflict", "The queue has another revision.", rev=room.revision))
    effect = command.effect(press) or {}
    outcome = {"st": "applied"} if hub.commit() or effect else {"st": "noop", "why": "same"}
    ids = effect.pop("ids", [])
    queue = {"rev": room.revision} | ({"ids": ids[:1000]} if ids else {}) | ({"more": len(ids) - 1000} if len(ids) > 1000 else {})
    return outcome | {"rev": hub.revision} | effect | ({"queue": queue} if edits or ids else {})


COMMANDS = {
    "play": Command("A", effects.play, {"entry": ENTRY, "uri": URI, "index": integer(0, 9999), "posMs": MS}),
    "pause": Command("A", lambda press: press.room.pause(press.now)),
    "stop": Command("A", lambda press: press.room.stop(press.now)),
    "toggle": Command("A", lambda press: effects.play(press._replace(p={})) if press.p["want"] == "playing" else press.room.pause(press.now),
                      {"want": word("playing", "paused")}, ("want",)),
    "next": Command("G", lambda press: press.room.next(press.p.get("n", 1), press.now), {"from": ENTRY, "n": integer(1, 100)}, guard="from"),
    "prev": Command("G", lambda press: press.room.prev(press.p.get("restartMs", 3000), press.now),
                    {"from": ENTRY, "restartMs": integer(0, 600_000)}, guard="from"),
    "jump": Command("A", lambda press: effects.play(press._replace(p=press.p | {"posMs": 0})), {"entry": ENTRY}, ("entry",)),
    "seek": Command("G", effects.seek, {"entry": ENTRY, "posMs": MS}, ("posMs",), guard="entry"),
    "seekBy": Command("G", effects.seek, {"entry": ENTRY, "ms": integer(1 - 2**31, 2**31 - 1)}, ("ms",), guard="entry"),
    "vol.set": Command("A", effects.set_volume, {"level": integer(0, 100)}, ("level",), keyless=True),
    "vol.step": Command("K", effects.set_volume, {"d": integer(-100, 100)}, ("d",)),
    "vol.mute": Command("A", lambda press: setattr(press.room, "mute", press.p["on"]), {"on": BOOLEAN}, ("on",), keyless=True),
    "mode.set": Command("A", lambda press: press.room.set_modes(press.p), {"repeat": BOOLEAN, "shuffle": BOOLEAN, "single": MODE, "consume": MODE}),
    "queue.get": Command("Q", effects.get_queue, {"from": SAFE, "n": integer(1, 100), "ids": many(ENTRY, 1, 100)}, role="listener"),
    "queue.add": Command("K", effects.add, {"uris": URIS, "at": PLACE, "else": word("end")}, ("uris",), role="guest"),
    "queue.remove": Command("A", lambda press: press.room.remove(press.p["ids"], press.now), {"ids": ENTRIES}, ("ids",)),
    "queue.move": Command("A", effects.move, {"ids": ENTRIES, "after": AFTER, "else": word("end")}, ("ids", "after")),
    "queue.clear": Command("K", effects.clear, {"base": SAFE, "keep": word("none", "current")}, ("base",)),
    "queue.replace": Command("K", effects.replace_queue, {"base": SAFE, "uris": URIS, "start": integer(0, 9999), "posMs": MS}, ("base", "uris")),
    "hub.info": Command("Q", effects.info, {"from": SAFE}, role="listener"),
}  # fmt: skip
