"""Clients with one broken rule each, as proxy.py makes them of a correct one: the rule, the case of clients.json that must see it, and how it is broken."""

from runner.bends import age_from_now, first_only, learn_clock, no_nulls, nothing_is_gone, run_as, status_as
from runner.mutations import Mutant, close_as, command, each_error, every, fresh_key, ignores, in_state, put, when, without


def standing_id(message, *_):
    return [{**message, "id": 7}] if message.get("t") == "cmd" else None


def other_client(message, _, shared):
    if message.get("t") != "hello":
        return None
    shared["hellos"] = shared.get("hellos", 0) + 1
    return [{**message, "client": {**message["client"], "id": f"client-{shared['hellos']}"}}]


def sent_again(message, own, _):
    """The same command once more, with a number of its own, after it was answered."""
    if message.get("t") != "cmd" or "k" not in message:
        return None
    return [message, {**message, "id": message["id"] + 1000}]


def once_only(message, _, shared):
    """A command that was sent is never sent again."""
    if message.get("t") != "cmd" or "k" not in message:
        return None
    seen = shared.setdefault("said", set())
    return [] if message["k"] in seen or seen.add(message["k"]) else None


def deaf_after(is_strange):
    """From the first message of this kind on a client hears nothing, as one whose reader has ended."""
    def bend(message, own, _):
        if own.get("deaf") or is_strange(message):
            own["deaf"] = True
            return []
        return None
    return bend


def in_resume(change):
    return when("hello", lambda message: message["resume"].update(change(message["resume"])) if "resume" in message else None)


def in_parameters(change):
    """Bends the parameters of every command that has some."""
    return command(None, lambda message: change(message["p"]) if message.get("p") else None)


def thrice(message, own, _):
    """A wheel that sends every level three times. Numbers are times three, so that each copy has one of its own."""
    if not isinstance(message.get("id"), int):
        return None
    return [{**message, "id": message["id"] * 3 + turn} for turn in range(3 if message.get("m") == "vol.set" else 1)]


def first_answer(message, *_):
    """The client waits for one answer to each of its levels, by the number that it gave."""
    if message.get("t") != "res":
        return None
    return [] if message["id"] % 3 else [{**message, "id": message["id"] // 3}]


def unfinished(payload, *_):
    """The last frame of a picture does not arrive."""
    return [] if payload[1] & 2 else None


CLIENTS = {
    "keeps-to-all": Mutant(None, None, client=every(lambda *_: None)),
    # A guard may be left out.
    "names-no-guard": Mutant(None, None, client=command(None, without("p", "from"))),
    "never-syncs": Mutant("BT-STA-007", "frame-lost", client=when("sync", lambda m: [])),
    "asks-once": Mutant("BT-STA-018", "sync-lost", client=first_only("sync")),
    "uses-what-is-missing": Mutant("BT-VER-007", "features-missing", client=in_parameters(lambda p: p.update(laterOn=1))),
    "fresh-keys": Mutant("BT-RTY-007", "answer-lost", client=fresh_key),
    "no-keys": Mutant("BT-RTY-001", "usual", client=when("cmd", without("k"))),
    "standing-ids": Mutant("BT-RTY-018", "usual", client=standing_id),
    "forgets-its-copy": Mutant("BT-HS-026", "hub-killed", client=when("hello", without("resume"))),
    "another-each-time": Mutant("BT-PRN-004", "answer-lost", client=other_client),
    "never-asks-the-time": Mutant("BT-CLK-007", "usual", client=when("time", lambda m: [])),
    "talks-beside": Mutant("BT-TRN-003", "usual", client=when("hello", put("mood", lambda m: "fine"))),
    # Keys and repetition
    "never-resends": Mutant("BT-RTY-007", "answer-lost", client=once_only),
    "sends-answered-again": Mutant("BT-RTY-018", "usual", client=sent_again),
    "one-key-for-all": Mutant("BT-RTY-001", "usual", client=command(None, put("k", lambda m: "the-one"))),
    "keys-too-long": Mutant("BT-RTY-001", "usual", client=command(None, lambda m: put("k", lambda m: m["k"] * 5)(m) if "k" in m else None)),
    "waits-for-ever": Mutant("BT-ENV-001", "usual", client=command(None, put("ttl", lambda m: 10**9))),
    # A press that was put off, and how old a press is
    "resends-at-once": Mutant("BT-RTY-018", "put-off", hub=each_error(lambda error: error.update(afterMs=1) if "afterMs" in error else None)),
    "gives-up-when-put-off": Mutant("BT-RTY-018", "put-off", hub=each_error(lambda error: error.pop("afterMs", None))),
    "resends-what-timed-out": Mutant("BT-RTY-018", "put-off", hub=each_error(lambda error: error.update(code="rate_limited", afterMs=100) if error["code"] == "timeout" else None)),
    "resends-under-another-key": Mutant("BT-RTY-018", "put-off", client=fresh_key),
    "keeps-old-wishes": Mutant("BT-RTY-018", "put-off-wish"),
    "as-old-as-its-sending": Mutant("BT-RTY-018", "put-off", client=age_from_now, hub=learn_clock),
    "says-no-age": Mutant("BT-RTY-018", "put-off", client=command(None, without("ct"))),
    "skips-too-many": Mutant("BT-RTY-018", "quick-nexts", client=in_parameters(lambda p: p.update(n=p["n"] * 2) if "n" in p else None)),
    # Sections, messages and members that the client does not know
    "stops-at-unknown-section": Mutant("BT-STA-004", "unknown-things", hub=deaf_after(lambda m: "x-runner.lights" in m.get("s", {}))),
    "stops-at-unknown-message": Mutant("BT-HS-009", "unknown-things", hub=deaf_after(lambda m: m.get("t") == "x-runner.news")),
    "stops-at-unknown-member": Mutant("BT-HS-009", "unknown-things", hub=deaf_after(lambda m: "x-runner.mood" in m and m.get("t") != "welcome")),
    # The clock of the small hub begins anew with each start; that of another one may be its machine's.
    "keeps-old-samples": Mutant("BT-CLK-002", "clock-anew", hub=when("welcome", put("boot", lambda m: "always")), behind="minihub"),
    "sends-late": Mutant("BT-SEC-004", "pressed-before", hub=in_state("now", lambda now: {name: value for name, value in now.items() if name != "sinceUs"})),
    "stops-at-empty-state": Mutant("BT-STA-010", "signs-of-life", hub=deaf_after(lambda m: m.get("t") == "state" and not m.get("s"))),
    # The beginning
    "asks-before-hello": Mutant("BT-HS-026", "usual", client=when("hello", lambda m: [{"t": "time", "t1": 1}, m])),
    "greets-twice": Mutant("BT-HS-026", "usual", client=when("hello", lambda m: [m, m])),
    "another-version": Mutant("BT-HS-002", "usual", client=when("hello", put("core", lambda m: "2.0"))),
    "name-too-short": Mutant("BT-BAD-008", "usual", client=when("hello", put("client", lambda m: {"id": "abc"}))),
    "caps-too-many": Mutant("BT-HS-004", "usual", client=when("hello", put("caps", lambda m: ["art"] * 40))),
    # The copy
    "claims-to-be-ahead": Mutant("BT-STA-021", "hub-killed", client=in_resume(lambda r: {"rev": r["rev"] + 1000})),
    "claims-another-history": Mutant("BT-STA-021", "hub-killed", client=in_resume(lambda r: {"epoch": "zzzz"})),
    "another-run-each-time": Mutant("BT-HS-003", "answer-lost", client=run_as(str)),
    "keeps-what-is-null": Mutant("BT-STA-003", "removed-sections", hub=no_nulls),
    "keeps-what-is-gone": Mutant("BT-STA-003", "removed-sections", hub=nothing_is_gone),
    "never-takes-news": Mutant("BT-STA-021", "usual", hub=ignores("state", lambda m: not m.get("full"))),
    "shows-another-level": Mutant("BT-STA-021", "usual", hub=in_state("vol", lambda vol: {**vol, "level": vol["level"] + 1})),
    "hears-no-answers": Mutant("BT-RTY-018", "usual", hub=ignores("res")),
    "hears-no-errors": Mutant("BT-RTY-018", "refused", hub=ignores("res", lambda m: not m["ok"])),
    "loses-the-queue": Mutant("BT-QUE-019", "queue-mirror", hub=ignores("q")),
    "mixes-rooms": Mutant("BT-STA-008", "several-rooms", hub=when("state", without("room"))),
    "half-a-picture": Mutant("BT-ART-003", "artwork", binary=unfinished),
    # Commands
    "levels-as-text": Mutant("BT-BAD-008", "usual", client=in_parameters(lambda p: p.update(level=str(p["level"])) if "level" in p else None)),
    "levels-too-great": Mutant("BT-CMD-002", "usual", client=in_parameters(lambda p: p.update(level=p["level"] + 100) if "level" in p else None)),
    "parameters-beside": Mutant("BT-CMD-007", "usual", client=in_parameters(lambda p: p.update(mood="fine"))),
    "commands-too-long": Mutant("BT-PRO-004", "watch-commands", client=command(None, put("room", lambda m: "the-room-with-the-longest-of-all-names-in-the-house-and-more"))),
    "asks-at-once": Mutant("BT-HS-022", "usual", client=when("hello", lambda m: [m, {"t": "sync"}])),
    "wheel-without-end": Mutant("BT-PRO-008", "wheel", client=thrice, hub=first_answer),
    "asks-the-time-once": Mutant("BT-CLK-007", "clock-anew", client=first_only("time")),
    "asks-the-time-no-more": Mutant("BT-CLK-007", "signs-of-life", client=first_only("time", 4)),
    "asks-the-time-always": Mutant("BT-CLK-007", "usual", client=when("time", lambda m: [m] * 20)),
    # After the end
    "never-waits": Mutant("BT-HS-026", "pressed-before"),
    "waits-no-longer": Mutant("BT-HS-026", "press-too-old"),
    "comes-back-after-410": Mutant("BT-TRN-025", "not-admitted-410", answer=status_as(410, 500)),
    "comes-back-after-4409": Mutant("BT-CLS-4409", "told-to-stop", code=close_as(4409, 1001)),
    "comes-back-after-4400": Mutant("BT-CLS-4400", "told-to-stop-4400", code=close_as(4400, 1001)),
    "comes-back-after-4406": Mutant("BT-CLS-4406", "told-to-stop-4406", code=close_as(4406, 1001)),
    "comes-back-after-4401": Mutant("BT-CLS-4401", "told-to-stop-4401", code=close_as(4401, 1001)),
    "comes-back-after-4403": Mutant("BT-CLS-4403", "told-to-stop-4403", code=close_as(4403, 1001)),
    "comes-back-after-1003": Mutant("BT-CLS-1003", "told-to-stop-1003", code=close_as(1003, 1001)),
    "comes-back-too-soon": Mutant("BT-CLS-1012", "told-to-wait", code=close_as(1012, 1001)),
    "comes-back-to-refusal": Mutant("BT-CLS-4429", "told-to-wait-4429", code=close_as(4429, 1001)),
    "comes-back-to-overload": Mutant("BT-CLS-1013", "told-to-wait-longer", code=close_as(1013, 1001)),
    "asks-before-welcome": Mutant("BT-HS-017", "paired", client=when("auth", lambda m: [{"t": "time", "t1": 1}, m])),
}
