"""Vectors as scenarios: each bad message is said to a hub, before and after welcome, and each event in each combination of modes happens in one."""

from runner.files import read

# The entries of a vector of modes, by the music that they are made of; one that cannot be played has music of its own.
FILES = ("a.wav", "b.wav", "c.wav")
MUSIC = dict.fromkeys(FILES, 60)
BROKEN = {"d bad.wav": "this is no music"}
# So many combinations are tried on a connection, so that none sends more than hubs take.
EACH = 4
PLAYS = {"~or": ["playing", "buffering"]}


def vectors(name):
    return read(f"vectors/v1/{name}.json")


def said(case):
    if "hex" in case:
        return {"bytes": case["hex"], "op": 1, "on": "v"}
    # The text is not to be filled in like a scenario's own.
    return {"bytes": case["text"].encode("utf-8", "surrogatepass").hex(), "op": 1, "on": "v"}


def outcome(after):
    if after is None:
        return []
    if "close" in after:
        return [{"closed": after["close"], "on": "v"}]
    if "err" in after:
        return [{"expect": {"t": "err", "err": {"code": after["err"]}}, "on": "v"}]
    error = {"code": after["res"], **({"at": after["at"]} if "at" in after else {})}
    return [{"expect": {"t": "res", "id": 1, "ok": 0, "err": error}, "on": "v"}]


def early(case):
    return [{"open": "v", "raw": True}, said(case), {"closed": case["before"], "on": "v"}]


def late(case):
    # Who was not closed is still listened to.
    more = [] if case["after"] and "close" in case["after"] else [{"cmd": "vol.set", "id": 90, "p": {"level": 30}, "on": "v", "expect": {"ok": 1}}]
    return [{"open": "v"}, said(case), *outcome(case["after"]), *more, *([{"cut": "v"}] if more else [])]


def combination(case):
    """The steps of one vector of modes: the room is brought to its beginning, the event happens, and all that may have changed is looked at."""
    def current(name):
        return case["queue"].index(name)
    fails = case["event"] == "failed"
    files = ["d bad.wav" if fails and name == case["cur"] else FILES[place] for place, name in enumerate(case["queue"])]
    saved = {f"m{place}": f"/queue/ids/{place}" for place in range(len(files))}
    cur = f"$m{current(case['cur'])}"
    # Shuffle is turned on at the entry before the last, so that it mixes nothing.
    turned = f"$m{max(0, len(files) - 2)}"
    steps = [
        {"cmd": "mode.set", "p": {"repeat": False, "shuffle": False, "single": "off", "consume": "off"}},
        {"cmd": "queue.get", "save": {"base": "/d/rev"}},
        {"cmd": "queue.replace", "k": "auto", "p": {"base": "$base", "uris": [f"${file}" for file in files]}, "save": saved},
        {"cmd": "stop"}, {"cmd": "jump", "p": {"entry": turned}} if not fails else {"cmd": "stop"},
        {"cmd": "mode.set", "p": {name: case[name] for name in ("repeat", "shuffle", "single", "consume")}},
    ]
    if not fails or not case["shuffle"]:
        steps += [{"cmd": "jump", "p": {"entry": cur}}]
    steps += {"paused": [{"cmd": "pause"}], "stopped": [{"cmd": "stop"}]}.get(case["st"], [])
    steps += {"end": [{"cmd": "seek", "k": "auto", "p": {"entry": cur, "posMs": {"~plus": [f"${files[current(case['cur'])]}.ms", -30]}}}],
              "next": [{"cmd": "next", "k": "auto", "p": {"from": cur, **({"n": case["n"]} if "n" in case else {})}}],
              "prev": [{"cmd": "prev", "k": "auto", "p": {"from": cur}}]}.get(case["event"], [])
    return steps + looked_at(case)


def looked_at(case):
    """What the vector expects, as questions to the hub."""
    expect = case["expect"]

    def entry(name):
        return f"$m{case['queue'].index(name)}"
    mixed = expect.get("mixed")
    cur = {"~not": entry(expect["curNot"])} if mixed else entry(expect["cur"]) if expect.get("cur") else {"~absent": True}
    left = [entry(name) for name in mixed or expect["queue"]]
    once = {name: {"~or": [{"~absent": True}, "off"]} if expect[name] == "off" else expect[name] for name in ("single", "consume")}
    state = {"tl": {"st": PLAYS if expect["st"] == "playing" else expect["st"], "posMs": {"~lt": 30000}}, "queue": {"cur": cur, "len": len(left)}, "modes": once}
    rows = {"~and": [{"~len": len(left)}, *({"~some": {"entry": name}} for name in left)]} if mixed else [{"entry": name} for name in left]
    return [{"http": "GET", "path": "/baton/state", "expect": {"s": state}, "again": 3000}, {"cmd": "queue.get", "expect": {"d": {"rows": rows}}}]


def of_modes(name, title, ids, wanted):
    steps, cases = [{"open": "a"}], [case for case in vectors("modes")["cases"] if wanted(case)]
    for number, case in enumerate(cases, 1):
        steps += combination(case) + ([{"cut": "a"}, {"open": "a"}] if number % EACH == 0 else [])
    music = MUSIC | (BROKEN if any(case["event"] == "failed" for case in cases) else {})
    return {"id": name, "level": "core", "title": title, "ids": ids, "file": "vectors/v1/modes.json", "steps": steps,
            "hub": {"music": music, "limits": {"command-rate": 5000, "command-burst": 5000}}}


def is_usual(case):
    return case["event"] != "failed" and case["st"] == "playing" and "n" not in case


def scenarios():
    content = vectors("bad")
    cases = content["cases"]
    return [
        {"id": "vectors-bad-early", "title": "every bad vector closes before welcome", "level": "core", "ids": content["ids"], "file": "vectors/v1/bad.json",
         "steps": [step for case in cases for step in early(case)]},
        {"id": "vectors-bad-late", "title": "every bad vector is refused after welcome, and none closes the connection", "level": "core", "ids": content["ids"],
         "file": "vectors/v1/bad.json", "steps": [step for case in cases for step in late(case)]},
        *(of_modes(f"modes-{event}", f"{words} does what it says in each of the 36 combinations of modes",
                   [*(f"BT-MOD-{number:03}" for number in numbers), "BT-QUE-010", "BT-CMD-mode.set", "BT-SEC-modes"],
                   lambda case, event=event: is_usual(case) and case["event"] == event)
          for event, words, numbers in (("end", "an end", (1, 2, 3, 6, 7)), ("next", "next", (4, 6, 7)), ("prev", "prev", (5,)))),
        of_modes("modes-many", "next in a paused and a stopped room, and several presses in one", ["BT-MOD-004", "BT-MOD-008"],
                 lambda case: case["event"] != "failed" and not is_usual(case)),
        of_modes("modes-failing", "what cannot be played is passed, and stays in the queue", ["BT-MOD-009"], lambda case: case["event"] == "failed"),
    ]
