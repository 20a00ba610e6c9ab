"""One scenario against one hub: it is let happen, written down, and judged from what was written."""

import os
import time

from runner import hub as hubs, needs, rules, trace as traces
from runner.failing import Skips, Unfit
from runner.live import Live
from runner.steps import Fails, Play
from runner.world import Missing, Replay


def record(scenario, hub, path):
    """Lets it happen, and writes down what happened. What it thinks of it does not count. Gives back why there was no hub, or nothing."""
    trace, has_begun = traces.Trace(path), False
    world = Live(hub, trace, needs.paths(scenario))
    try:
        world.begin()
        has_begun = True
        try:
            Play(world, scenario).run()
            time.sleep(scenario.get("lingerMs", 0) / 1000)
        except Fails as failed:
            trace.add("note", sentence=str(failed))
        world.end()
    except (Unfit, OSError) as error:
        trace.add("note", sentence=str(error))
        return str(error) if isinstance(error, hubs.NoHub) and not has_begun else None
    finally:
        world.close()
        trace.close()
    return None


def judge(scenario, path):
    """What is wrong, by the file alone; nothing when the case has passed."""
    try:
        entries = traces.read(path)
        wrong = [f"{rule}, connection {conn}: {sentence}" for rule, conn, sentence in rules.complaints(entries)]
        if entries[-1]["code"] != scenario.get("endsWith", 0):
            wrong.append(f"the hub ended with {entries[-1]['code']}" + "".join(f"; {entry['sentence']}" for entry in traces.notes(path)[-1:]))
        try:
            Play(Replay(entries), scenario).run()
        except (Fails, Missing) as failed:
            wrong.insert(0, str(failed))
    except traces.NoTrace as error:
        return [f"no evidence: {error}" + "".join(f" ({entry['sentence']})" for entry in traces.notes(path))]
    return wrong


def case(scenario, make_hub, folder):
    """The result of one scenario: what is wrong, or why it was not run, or why it may be so."""
    path = os.path.join(folder, scenario["id"] + ".jsonl")
    began, hub, wrong, skipped, absent = time.monotonic(), None, [], scenario.get("unasked"), None
    try:
        hub = make_hub(scenario)
        skipped = skipped or needs.reason_to_skip(scenario, hub, scenario["through"])
        if skipped:
            hub.close()
        else:
            absent = record(scenario, hub, path)
            wrong = judge(scenario, path)
            skipped = wrong and beyond(path, scenario.get("claimed"), wrong[0]) or None
            wrong = [] if skipped else wrong
    except Skips as reason:
        skipped = str(reason)
    except Exception as error:  # A mistake in the runner or a scenario must not look like a pass.
        wrong = [f"the runner itself failed: {type(error).__name__}: {error}"]
    # An adapter has promised the limits of the specification; a hub that is running has those of its owner.
    may_differ = wrong and hub and "adapter" not in hub.offers and not wrong[0].startswith(("no evidence", "the runner"))
    allowed = scenario.get("optional") if may_differ else None
    return {"id": scenario["id"], "title": scenario["title"], "ids": scenario["ids"], "wrong": [] if allowed else wrong, "skipped": skipped,
            "allowed": f"{allowed} ({wrong[0]})" if allowed else None, "seconds": time.monotonic() - began, "trace": path, **({"absent": absent} if absent else {})}


def beyond(path, claimed, failure):
    """Why a scenario that failed says nothing of the levels that are claimed: the answer at which it failed refuses what only another one has."""
    entries, asked = traces.all_of(path) if claimed else [], {}
    for entry in entries:
        value = traces.message(entry)
        if not isinstance(value, dict):
            continue
        if entry["kind"] == "do":
            asked[entry.get("conn"), value.get("id")] = value
        elif isinstance(value.get("err"), dict) and value["err"].get("code") in ("unsupported", "unknown_command"):
            method = asked.get((entry.get("conn"), value.get("id")), {}).get("m")
            if not isinstance(method, str) or f"(cmd {method})" not in failure or f'"{value["err"]["code"]}"' not in failure:
                continue
            one = needs.definitions().get(method)
            name = str(value["err"].get("at", "")).removeprefix("/p/").partition("/")[0]
            level = one and (one["level"] if value["err"]["code"] == "unknown_command" else one.get("parameters", {}).get(name, {}).get("level"))
            if level and level not in claimed:
                return f"it asks for {method}{' with ' + name if name else ''}, which is of {level}"
    return None


def longest_wait(value):
    """The longest time in ms that a scenario names anywhere."""
    if isinstance(value, list):
        return max(map(longest_wait, value), default=0)
    if not isinstance(value, dict):
        return 0
    named = [value[name] for name in ("wait", "for", "within") if isinstance(value.get(name), int)]
    return max(*named, *map(longest_wait, value.values()), 0, 0)
