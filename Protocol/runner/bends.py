"""What faulty hubs do to messages, heads and pictures, beyond the few lines that stand in their table."""

import time

from runner.mutations import each_error, found, when


def no_header(*names):
    def head(data):
        lines = data.split(b"\r\n")
        return b"\r\n".join(line for line in lines if not line.lower().startswith(tuple(name.encode() + b":" for name in names)))
    return head


def answer_first(message, own, _):
    if message.get("t") == "state" and "full" not in message:
        own.setdefault("held", []).append(message)
        return []
    if message.get("t") == "res":
        return [message, *own.pop("held", [])]
    return None


def key_of_this_life(message, _, shared):
    return [{**message, "k": f"{message['k']}-{shared['starts']}"}] if "k" in message else None


def right_base(message, _, shared):
    if isinstance(message.get("p"), dict) and "base" in message["p"]:
        return [{**message, "p": {**message["p"], "base": shared["queue"]}}]
    return None


def learn_base(message, _, shared):
    for one in (message.get("queue"), message.get("d"), (message.get("s") or {}).get("queue")):
        if isinstance(one, dict) and "rev" in one:
            shared["queue"] = one["rev"]
    return None


def any_id(message, own, _):
    if message.get("t") != "cmd":
        return None
    own["last"] = own.get("last", 0) + 1
    own[own["last"]] = message["id"]
    return [{**message, "id": own["last"]}]


def own_id(message, own, _):
    return [{**message, "id": own.get(message["id"], message["id"])}] if message.get("t") == "res" else None


def swapped(message, own, _):
    if message.get("t") != "cmd":
        return None
    if "held" in own:
        return [message, own.pop("held")]
    own["held"] = message
    return []


def split_watch(message, *_):
    if message.get("t") != "res" or "s" not in message:
        return None
    state = {"t": "state", "rev": message["rev"], "from": message.pop("from"), "s": message.pop("s")}
    return [state, message]


def flat(message, own, _):
    if message.get("t") != "state":
        return None
    own.setdefault("rev", message["rev"])
    return [{**message, "rev": own["rev"]}]


def no_nulls(message, *_):
    if "s" not in message:
        return None
    return [{**message, "s": {name: value for name, value in message["s"].items() if value is not None}}]


def long_title(message, *_):
    title = (message.get("s") or {}).get("n")
    if not title:
        return None
    title["t"] = title.get("t", "") * 40
    return [message]


def clamp(message):
    if "level" in message.get("p", {}) and isinstance(message["p"]["level"], (int, float)):
        message["p"]["level"] = max(0, min(100, int(message["p"]["level"])))


def backwards(data):
    if isinstance(data.get("rows"), list):
        data["rows"].reverse()


def each_row(*names):
    """Takes members out of every row that was found."""
    def change(data):
        for row in data.get("rows", [data.get("item", {})]):
            for name in names:
                row.pop(name, None)
    return found(change)


def most_rows(message):
    message["p"]["n"] = min(message["p"].get("n", 100), 100)


def most_stars(message):
    if isinstance(message["p"].get("stars"), int):
        message["p"]["stars"] = max(0, min(5, message["p"]["stars"]))


def first_op_only(message):
    if isinstance(message["p"].get("ops"), list):
        message["p"]["ops"] = message["p"]["ops"][:1]


def to_all(data):
    if "item" in data:
        data["media"] = {"url": "/media/x", "untilMs": 1}


def wider(data):
    if "xfer" in data:
        data["w"] += 1


def scrambled(payload, own, _):
    """Frames of a picture in pairs, the second before the first."""
    if payload[1] == 0 and "frame" not in own:
        own["frame"] = payload
        return []
    return [payload, own.pop("frame")] if own.get("frame") else None

def recoded(old, new):
    """Gives an error another code."""
    return each_error(lambda error: error.update(code=new) if error.get("code") == old else None)


def without_code(kind, code):
    """Keeps errors of one code to itself."""
    return when(kind, lambda message: [] if message.get("err", {}).get("code") == code else None)


def header(name, value):
    """Sets a header of a request or an answer."""
    def head(data):
        first, *rest = data.split(b"\r\n")
        kept = [line for line in rest if not line.lower().startswith(name.lower().encode() + b":")]
        return b"\r\n".join([first, f"{name}: {value}".encode(), *kept])
    return head


def status_as(old, new):
    return lambda data: data.replace(b" %d " % old, b" %d " % new, 1) if data.split(b" ")[1] == b"%d" % old else data


def one_for_all(message, *_):
    """All clients have one id."""
    if message.get("t") != "hello" or not isinstance(message.get("client"), dict):
        return None
    return [{**message, "client": {"id": "one-for-all"}}]


def run_as(make):
    """Another `run` in each hello."""
    def bend(message, _, shared):
        if message.get("t") != "hello" or "run" not in message.get("client", {}):
            return None
        shared["runs"] = shared.get("runs", 0) + 1
        return [{**message, "client": {**message["client"], "run": make(shared["runs"])}}]
    return bend


def unlike(text):
    """Another text of the same length and alphabet."""
    return ("A" if text[0] != "A" else "B") + text[1:]


def another_epoch(message, _, shared):
    if message.get("t") != "welcome":
        return None
    shared["epochs"] = shared.get("epochs", shared["starts"] * 100) + 1
    return [{**message, "epoch": f"e{shared['epochs']}"}]


def learn_start(message, _, shared):
    """The clock of the hub when it first greeted after its start."""
    if message.get("t") == "welcome":
        shared.setdefault("startUs", message["t2"])


def ancient_before_start(message, _, shared):
    """A press from before the hub's start counts as if nobody knew its age."""
    if message.get("t") != "cmd" or "ct" not in message or message["ct"] * 1000 >= shared.get("startUs", 0):
        return None
    return [{**message, "ct": -10**12}]


def slower_clock(message, own, _):
    """A clock that stands."""
    if message.get("t") != "time":
        return None
    own.setdefault("t2", message["t2"])
    return [{**message, "t2": own["t2"], "t3": own["t2"]}]


def every_state_twice(message, *_):
    if message.get("t") != "state" or message.get("full"):
        return None
    again = {**message, "from": message["rev"]}
    return [message, again, again, again, again]


def first_only(kind, most=1):
    """Of all messages of one type on a connection only the first are said."""
    def bend(message, own, _):
        if message.get("t") != kind:
            return None
        own[kind] = own.get(kind, 0) + 1
        return [message] if own[kind] <= most else []
    return bend


def learn_clock(message, own, _):
    """What the hub's clock is before that of this machine, in µs."""
    if "t3" in message:
        own["before"] = message["t3"] - time.monotonic_ns() // 1000


def age_from_now(message, own, _):
    """A press is as old as its last sending."""
    return [{**message, "ct": (time.monotonic_ns() // 1000 + own["before"]) // 1000}] if "ct" in message else None


def nothing_is_gone(message, own, _):
    """A whole state leaves the sections that it does not mention as they were."""
    if "s" not in message:
        return None
    held = own.get("held", {}) | message["s"]
    own["held"] = {name: value for name, value in held.items() if value is not None}
    return [{**message, "s": held}] if message.get("full") else None
