#!/usr/bin/python3
"""Runs scenarios against a hub and judges it by the trace: see README.md.

Exit code 0: every case passed. 1: at least one did not. 2: the runner was asked for something it cannot do.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import hub as hubs  # noqa: E402
import report  # noqa: E402
import rules  # noqa: E402
import spoken  # noqa: E402
import trace as traces  # noqa: E402
from steps import Fails, Play  # noqa: E402
from world import Live, Missing, Replay  # noqa: E402

SCENARIOS = os.path.normpath(os.path.join(HERE, "../scenarios"))


def load(folder=SCENARIOS):
    """The scenarios of a folder, each a list in a file, with the file's name on each."""
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json") and name != "clients.json":
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found += [{**scenario, "file": name} for scenario in json.load(file)]
    if folder == SCENARIOS:
        found += spoken.scenarios()
    names = [scenario["id"] for scenario in found]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise SystemExit(f"two scenarios have one id: {', '.join(sorted(doubled))}")
    return found


def record(scenario, adapter, path):
    """Lets it happen, and writes down what happened. What it thinks of it does not count."""
    trace = traces.Trace(path)
    world = Live(adapter, scenario.get("hub", {}), trace, scenario.get("patience", 1))
    try:
        world.begin()
        try:
            Play(world, scenario).run()
            time.sleep(scenario.get("lingerMs", 0) / 1000)
        except Fails as failed:
            trace.add("note", sentence=str(failed))
        world.end()
    except (hubs.NoHub, OSError) as error:
        trace.add("note", sentence=str(error))
    finally:
        world.close()
        trace.close()


def judge(scenario, path):
    """What is wrong, by the file alone; nothing when the case has passed."""
    try:
        entries = traces.read(path)
        wrong = [f"{rule}, connection {conn}: {sentence}" for rule, conn, sentence in rules.complaints(entries)]
        if entries[-1]["code"] != scenario.get("endsWith", 0):
            wrong.append(f"the hub ended with {entries[-1]['code']}")
        try:
            Play(Replay(entries), scenario).run()
        except (Fails, Missing) as failed:
            wrong.insert(0, str(failed))
    except traces.NoTrace as error:
        return [f"no evidence: {error}"]
    return wrong


def case(scenario, adapter, folder):
    path = os.path.join(folder, scenario["id"] + ".jsonl")
    began = time.monotonic()
    try:
        record(scenario, adapter, path)
        wrong = judge(scenario, path)
    except Exception as error:  # A mistake in the runner or a scenario must not look like a pass.
        wrong = [f"the runner itself failed: {type(error).__name__}: {error}"]
    return {"id": scenario["id"], "title": scenario["title"], "ids": scenario["ids"], "wrong": wrong,
            "seconds": time.monotonic() - began, "trace": path}


def chosen(scenarios, only):
    if not only:
        return scenarios
    kept = [s for s in scenarios if any(word in s["id"] or word in s["ids"] for word in only)]
    if not kept:
        raise SystemExit(f"no scenario is named {', '.join(only)}")
    return kept


def longest_wait(value):
    """The longest time in ms that a scenario names anywhere."""
    if isinstance(value, list):
        return max(map(longest_wait, value), default=0)
    if not isinstance(value, dict):
        return 0
    named = [value[name] for name in ("wait", "for", "within") if isinstance(value.get(name), int)]
    return max(*named, *map(longest_wait, value.values()), 0, 0)


def run(scenarios, adapter, folder, jobs):
    # The longest scenarios begin first, so that the end of the run does not wait for one of them. A shared machine is no excuse for a hub,
    # but too many hubs at once would be one.
    scenarios = sorted(scenarios, key=longest_wait, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda scenario: case(scenario, adapter, folder), scenarios)


def main():
    parser = argparse.ArgumentParser(description="Runs the protocol's scenarios against a hub.")
    parser.add_argument("--hub", default=hubs.DEFAULT, metavar="ADAPTER", help="a program with the contract of README.md")
    parser.add_argument("--only", action="append", metavar="ID", help="scenarios, or rules, to run; again for more")
    parser.add_argument("--scenarios", default=SCENARIOS, metavar="FOLDER")
    parser.add_argument("--channel", choices=["tcp", "unix"], help="the way scenarios that do not care about it connect")
    parser.add_argument("--report", metavar="FILE", help="an HTML report")
    parser.add_argument("--traces", metavar="FOLDER", help="keep the traces here")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--patience", type=float, default=1, metavar="N", help="wait N times as long for what must come")
    parser.add_argument("--quiet", action="store_true", help="only what failed, and the sum")
    asked = parser.parse_args()
    adapter = hubs.words_of(asked.hub)
    scenarios = chosen(load(asked.scenarios), asked.only)
    if asked.channel:
        scenarios = [through(scenario, asked.channel) for scenario in scenarios if not scenario.get("channel")]
    scenarios = [{**scenario, "patience": asked.patience} for scenario in scenarios]
    folder = asked.traces or tempfile.mkdtemp(prefix="bt-traces-")
    os.makedirs(folder, exist_ok=True)
    results = []
    for result in run(scenarios, adapter, folder, asked.jobs):
        results.append(result)
        if result["wrong"] or not asked.quiet:
            report.tell(result)
    if asked.report:
        report.write(asked.report, results, asked.hub)
    has_passed = report.tell_sum(results)
    verdicts = report.by_rule(results)
    broken = sorted(rule for rule, is_kept in verdicts.items() if not is_kept)
    print(f"{len(verdicts) - len(broken)} of {len(verdicts)} rules kept" + (f"; broken: {' '.join(broken)}" if broken else ""))
    if not asked.traces:
        shutil.rmtree(folder)
    return 0 if has_passed else 1


def through(scenario, channel):
    """The same scenario over another channel, where a step does not say which."""
    def turned(step):
        if "steps" in step:
            return {**step, "steps": [turned(inner) for inner in step["steps"]]}
        return {**step, "channel": step.get("channel", channel)} if "open" in step else step
    return {**scenario, "steps": [turned(step) for step in scenario["steps"]]}


if __name__ == "__main__":
    sys.exit(main())
