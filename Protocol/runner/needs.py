"""What a scenario needs of a hub, and why it cannot be run against one: see README.md, "A hub that is running"."""

import json

# What a scenario asks for in `hub`, and what that is called.
OWN = {"music": "music of its own", "tracks": "music of its own", "limits": "other limits", "set": "other settings",
       "lanPlain": "other settings", "discovery": "a network of its own", "clock": "a clock that can be set"}
VERBS = {"restart": "a hub that may be killed", "memory": "a look at the hub's memory", "file": "music of its own", "folder": "music of its own", "clock": "a clock that can be set"}
CHANNELS = {"unix": "the hub's unix socket", "tls": "the hub's TLS port", "tcp": "the hub's TCP port"}


def steps_of(scenario):
    """All steps, also those within others."""
    todo = list(scenario["steps"])
    while todo:
        step = todo.pop()
        todo += step.get("steps", [])
        yield step


def way(scenario, wish):
    """The channel of the steps that name none: the wish, unless the scenario is about others."""
    own = scenario.get("channels", [wish])
    return wish if wish in own else own[0]


def pairs(scenario):
    """Whether a device is paired in it, or fails to be."""
    return "tls" in channels(scenario, scenario["through"])


def posts(scenario):
    """Whether it posts commands."""
    return any(step.get("http") == "POST" for step in steps_of(scenario))


def channels(scenario, default):
    """The channels that a scenario uses."""
    found = set()
    for step in steps_of(scenario):
        if {"open", "http", "scanned", "pour"} & set(step):
            found.add(step.get("channel", default))
        if {"device", "pair", "auth", "window", "tls"} & set(step):
            found |= {"unix", "tls"}
    return found


def address_names(scenario, default, is_paired):
    """The addresses that a scenario needs: windows for pairing are opened over the unix socket."""
    found = channels(scenario, default)
    return found | ({"unix"} if "tls" in found and not is_paired else set())


def needs(scenario):
    """What only an adapter can give, each in some words."""
    found = {words for name, words in OWN.items() if scenario.get("hub", {}).get(name)}
    found |= {words for step in steps_of(scenario) for verb, words in VERBS.items() if verb in step}
    if "${music}" in json.dumps(scenario["steps"]):
        found.add("music of its own")
    return found


def reason_to_skip(scenario, hub, default):
    """A sentence, or nothing when the scenario can be run against this hub through this channel."""
    if "adapter" not in hub.offers:
        asked = sorted(needs(scenario)) + scenario.get("needs", [])
        if asked:
            return f"it needs {', '.join(asked)}, which a hub that is running does not give; an adapter does"
    missing = [CHANNELS[name] for name in sorted(address_names(scenario, default, bool(hub.devices))) if name not in hub.offers]
    if missing:
        return f"it needs {' and '.join(missing)}: give its address by another --hub"
    return None
