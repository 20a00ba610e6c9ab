"""What a scenario needs of a hub, and why it cannot be run against one: see README.md, "A hub that is running"."""

import functools
import json
import os

from runner import files

# What a scenario asks for in `hub`, and what that is called.
OWN = {"set": "other settings", "lanPlain": "other settings", "discovery": "a network of its own", "clock": "a clock that can be set", "web": "pages of its own", "servers": "servers of its own"}
VERBS = {"restart": "a hub that may be killed", "memory": "a look at the hub's memory", "file": "files of its own", "folder": "files of its own", "clock": "a clock that can be set",
         "written": "a look at the hub's files", "recorded": "a look at the hub's files", "spoil": "a look at the hub's files"}
CHANNELS = {"unix": "the hub's unix socket", "tls": "the hub's TLS port", "tcp": "the hub's TCP port"}
# Limits of what is sent in a time, as Core has them: who sends slowly enough does not meet them.
RATES, AT_MOST = {"command-rate": 20, "command-burst": 40}, 200
# Limits of how long messages are, which items with short names do not meet.
LENGTHS = {"client-frame": 16384, "array": 1000}
# Steps that see whatever comes, and not only what they are about; and a look at the state, which sees what others change, and not that they come and go.
VISITED = ('"next": true', '"~exact"', '"resume"', '"pace"', '"memory"', '"check"', '"state"')
TOUCHY = (*VISITED, "/baton/state")


def steps_of(scenario):
    """All steps, also those within others."""
    todo = list(scenario["steps"])
    while todo:
        step = todo.pop()
        todo += step.get("steps", []) + step.get("else", [])
        yield step


def way(scenario, wish):
    """The channel of the steps that name none: the wish, unless the scenario is about others."""
    own = scenario.get("channels", [wish])
    return wish if wish in own else own[0]


def pairs(scenario):
    """Whether a device is paired in it, or fails to be."""
    return "tls" in channels(scenario, scenario["through"])


def posts(scenario):
    """How many commands it posts."""
    return sum(times for step, times in counted(scenario["steps"]) if step.get("http") == "POST")


def counted(steps, times=1):
    """All steps, also those within others, and how often each is taken."""
    for step in steps:
        yield step, times
        within = step.get("repeat", len(step["each"]) if isinstance(step.get("each"), list) else 1)
        yield from counted(step.get("steps", []) + step.get("else", []), times * (within if isinstance(within, int) else 1))


def is_fast(scenario):
    """Whether one of its connections sends more commands than a hub takes in a few seconds."""
    found, most = {}, 0
    for step, times in counted(scenario["steps"]):
        if "open" in step:
            found[step["open"]] = 0
        elif "cmd" in step:
            found[step.get("on", "a")] = found.get(step.get("on", "a"), 0) + times
            most = max(most, found[step.get("on", "a")])
    return most > AT_MOST


@functools.cache
def questions():
    """Commands that change nothing."""
    return {name for name, one in definitions().items() if one["class"] == "Q"}


@functools.cache
def definitions():
    """What the definition of each command says."""
    return {os.path.basename(path)[:-5]: files.read(path) for path in files.names("commands")}


def changes(scenario):
    """Whether it may change the state of the hub."""
    for step in steps_of(scenario):
        sent = step.get("send") if isinstance(step.get("send"), dict) else step.get("body") if isinstance(step.get("body"), dict) else {}
        name = step.get("cmd") or sent.get("m")
        if name and name not in questions() or {"device", "pair", "window"} & set(step):
            return True
    return bool(scenario.get("hub", {}).get("music") or scenario.get("hub", {}).get("tracks"))


def sees_visits(scenario):
    """Whether it would be disturbed by others that come and go meanwhile, where the hub says who is there."""
    return is_touchy(scenario, VISITED)


def is_touchy(scenario, words=TOUCHY):
    """Whether it would be disturbed by what others change meanwhile, or by their coming and going."""
    steps = list(steps_of(scenario))
    if all(step.get("raw") for step in steps if "open" in step) and not any("http" in step for step in steps):
        # Who has not said hello is told nothing of what happens.
        return False
    sees_all = [step[word] for step in steps for word in ("never", "count") if word in step]
    text = json.dumps(scenario["steps"])
    return any(not isinstance(one, dict) or one.get("t", "state") == "state" for one in sees_all) or any(word in text for word in words)


def too_long(scenario, most):
    """Why a quick check leaves it out, or nothing."""
    seconds = longest(scenario["steps"]) / 1000
    return f"it waits {seconds:.0f} s: a check that is not quick does" if most and seconds > most else None


def longest(steps):
    """The longest time in ms that steps wait, come what may."""
    return max((step[name] for step, _ in counted(steps) for name in ("wait", "for") if isinstance(step.get(name), int)), default=0)


def offered(scenario, offers):
    """The scenario for a hub with these channels: without the steps of others that it also has, and the rules that only those show."""
    gone = [name for name in scenario.get("also", {}) if name not in offers]
    if not gone:
        return scenario
    shown = [rule for name in gone for rule in scenario["also"][name]]
    kept = [name for name in scenario["channels"] if name not in gone] if "channels" in scenario else None
    return {**scenario, "steps": list(beyond(scenario["steps"], gone, set())), "ids": [rule for rule in scenario["ids"] if rule not in shown],
            **({"channels": kept} if kept else {})}


def beyond(steps, gone, closed):
    """Steps without those by channels that are not there, and without those on connections that were opened so."""
    for step in steps:
        if "open" in step:
            (closed.add if step.get("channel") in gone else closed.discard)(step["open"])
        if step.get("channel") in gone or step.get("on", "a") in closed and not {"open", "http", "steps"} & set(step):
            continue
        inner = {name: list(beyond(step[name], gone, closed)) for name in ("steps", "else") if name in step}
        yield {**step, **inner}


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
    wanted = scenario.get("hub", {})
    found = {words for name, words in OWN.items() if wanted.get(name)}
    found |= {words for step in steps_of(scenario) for verb, words in VERBS.items() if verb in step}
    if paths(scenario):
        found.add("files of its own")
    usual, limits = RATES | LENGTHS, wanted.get("limits", {})
    if any(value < usual.get(name, value + 1) for name, value in limits.items()) or RATES.keys() & limits.keys() and is_fast(scenario):
        found.add("other limits")
    return found


def paths(scenario):
    """Whether it names files by their path."""
    return "${music}" in json.dumps(scenario["steps"])


def reason_to_skip(scenario, hub, default):
    """A sentence, or nothing when the scenario can be run against this hub through this channel."""
    if "adapter" not in hub.offers:
        asked = sorted(needs(scenario)) + scenario.get("needs", []) + hub.lacks()
        if asked:
            return f"it needs {', '.join(asked)}, which a hub that is running does not give; an adapter does"
    missing = [CHANNELS[name] for name in sorted(address_names(scenario, default, bool(hub.devices))) if name not in hub.offers]
    if missing:
        return f"it needs {' and '.join(missing)}: give its address by another --hub"
    return None
