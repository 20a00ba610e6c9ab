"""Rules for the course of a connection, whatever it was about: how it begins, lives and ends, its proofs, pictures and budgets."""

from runner import pictures
from runner.registered import CLOSES
from runner.trace import message

SILENCE_SLACK_US = 5_000_000


def beginnings(dialogue, _):
    """BT-HS-001 BT-HS-007 BT-HS-008"""
    kinds = [value.get("t") for _, value in dialogue.said if isinstance(value, dict)]
    if "welcome" in kinds:
        before = kinds[:kinds.index("welcome")]
        if set(before) - {"challenge", "err", "pair", "time"}:
            yield f"{before} came before welcome"
        if kinds.count("welcome") > 1:
            yield "welcome came twice"
        rest = [kind for kind in kinds[kinds.index("welcome") + 1:] if kind != "err"]
        if rest and rest[0] not in ("state", "bye"):
            yield f"{rest[0]} came before the first state"
        if not set(dialogue.welcome.get("caps", [])) <= set(dialogue.hello.get("caps", [])):
            yield f"caps {dialogue.welcome['caps']} were granted, and {dialogue.hello.get('caps', [])} asked for"
        if dialogue.welcome["t2"] > dialogue.welcome["t3"]:
            yield "welcome left before hello came"
    elif set(kinds) - {"err", "bye", "challenge", "pair"}:
        yield f"{sorted(set(kinds))} came without a welcome"


def proofs(dialogue, _):
    """BT-HS-012"""
    shown = [entry for entry in dialogue.entries if entry["kind"] == "do" and "expects" in entry]
    if shown and dialogue.welcome and dialogue.welcome.get("mac") != shown[-1]["expects"]:
        yield "welcome carries no proof that the hub knows the device's key" if "mac" not in dialogue.welcome else "the hub's proof in welcome is wrong"
    if dialogue.welcome and not shown and "mac" in dialogue.welcome:
        yield "welcome carries a proof, and no device has shown one"


def artwork(dialogue, _):
    """BT-ART-001 BT-ART-002 BT-ART-003 BT-ART-006"""
    has_binary = any(entry["kind"] == "in" and entry["op"] == 2 for entry in dialogue.entries)
    if has_binary and "art" not in (dialogue.welcome or {}).get("caps", []):
        yield "a binary frame came, and this client does not know any"
    asked = {m["id"] for _, m in dialogue.asked if isinstance(m, dict) and m.get("m") == "art.get" and "id" in m}
    announced = [(entry["n"], value["d"]) for entry, value in dialogue.of("res") if value.get("id") in asked and "d" in value]
    yield from pictures.complaints(dialogue.entries, announced, pictures.MOST_DATA if dialogue.view == "watch" else 1 << 32)


def budgets(dialogue, _):
    """BT-PRO-001 BT-PRO-002 BT-PRO-003 BT-PRO-005 BT-PRO-006 BT-PRO-007 BT-PRO-009 BT-PRO-010 BT-PRO-011"""
    if dialogue.view != "watch":
        return
    for entry, value in dialogue.said:
        names = set((value.get("s") or {}) if isinstance(value, dict) else ())
        kind, size = value.get("t"), entry["size"]
        most = None
        if kind == "state" and not value.get("full") and "room" not in value:
            most = {frozenset("l"): 80, frozenset("v"): 64, frozenset("g"): 120, frozenset(): 64}.get(frozenset(names), 320 if names and names <= set("nl") else None)
        elif kind == "res" and value.get("ok") == 1:
            most = most_of_answer(value, names)
        if most and size > most:
            yield f"{size} bytes, and {most} are the budget: {entry['text'][:160]}"


def most_of_answer(value, names):
    """The budget of an answer to a watch, by what it carries; nothing where there is none."""
    if "d" in value:
        return None
    if "queue" in value:
        return 160 if not names and len(value["queue"].get("ids", [])) <= 1 else None
    if not names:
        return 120 if "s" in value else 96
    return 144 if names <= set("lvm") else 300 if names == set("nl") else None


def endings(dialogue, _):
    """BT-ENV-006"""
    said = None
    for entry in dialogue.entries:
        value = message(entry) if entry["kind"] == "in" else None
        if isinstance(value, dict) and value.get("t") == "bye":
            said = value
        if entry["kind"] == "close":
            if entry["code"] is not None and entry["code"] not in CLOSES:
                yield f"close code {entry['code']} is none of the specification's"
            if said and entry["code"] is not None and said["code"] != entry["code"]:
                yield f"bye said {said['code']} and the close frame {entry['code']}"


def alive(dialogue, end_us):
    """BT-STA-010 BT-STA-014"""
    if not dialogue.welcome or dialogue.was_ended:
        return
    most = dialogue.welcome["pace"][1] * 1000 + SILENCE_SLACK_US
    moments = [entry["us"] for entry, _ in dialogue.said] + [end_us]
    for before, after in zip(moments, moments[1:]):
        if after - before > most:
            yield f"nothing was heard for {(after - before) // 1000} ms"
