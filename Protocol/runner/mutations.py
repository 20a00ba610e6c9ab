"""How the rules are bent that mutants break (faulty_hubs.py, faulty_clients.py).

A mutant names the rule and the scenario that must catch it. What passes a mutant are whole messages:
`client(message, own, shared)` and `hub(...)` give back the messages that go on instead, `binary` the
binary messages of the hub, `head` the HTTP head of a request, `answer` that of an answer, `code` a close code. `own` remembers for one connection, `shared` for the hub.
"""


class Mutant:
    def __init__(self, rule, caught_by, client=None, hub=None, head=None, code=None, binary=None, answer=None, behind=None):
        self.rule, self.caught_by = rule, caught_by
        # The adapter of a hub that shows it, where not every hub does.
        self.behind = behind
        self.bend_binary = binary or (lambda *_: None)
        # None says that a message passes as it came, byte for byte.
        self.bend_client = client or (lambda *_: None)
        self.bend_hub = hub or (lambda *_: None)
        self.bend_head = head or (lambda head: head)
        self.bend_answer = answer or (lambda head: head)
        self.bend_code = code or (lambda code: code)


def when(kind, change):
    """Bends messages of one type by `change(message)`, which may give back other messages instead."""
    def bend(message, own, shared):
        if message.get("t") != kind:
            return None
        changed = change(message)
        return [message] if changed is None else changed
    return bend


def command(name, change):
    return when("cmd", lambda message: change(message) if message.get("m") == name or name is None else None)


def without(*path):
    """Takes a member out."""
    def change(message):
        for step in path[:-1]:
            message = message.get(step, {})
        if isinstance(message, dict):
            message.pop(path[-1], None)
    return change


def put(name, value):
    """Sets a member, to what `value` makes of the message."""
    def change(message):
        message[name] = value(message)
    return change


def fresh_key(message, own, shared):
    if "k" not in message:
        return None
    shared["keys"] = shared.get("keys", 0) + 1
    return [{**message, "k": f"fresh-{shared['keys']}"}]


def each_error(change):
    def bend(message, *_):
        if "err" not in message:
            return None
        change(message["err"])
        return [message]
    return bend


def found(change):
    """Bends what a query found."""
    return when("res", lambda message: change(message["d"]) if isinstance(message.get("d"), dict) else None)


def close_as(old, new):
    return lambda code: new if code == old else code


def in_state(section, change):
    """Bends one section whenever it is sent."""
    def bend(message, *_):
        value = (message.get("s") or {}).get(section)
        if value is None:
            return None
        message["s"][section] = change(value)
        return [message]
    return bend


def every(change):
    """Bends messages by `change(message, own, shared)`; what it does not change passes as it is."""
    def bend(message, own, shared):
        changed = change(message, own, shared)
        return [message] if changed is None else changed
    return bend


def ignores(kind, wanted=lambda message: True):
    """What a client does not take in."""
    return when(kind, lambda message: [] if wanted(message) else None)
