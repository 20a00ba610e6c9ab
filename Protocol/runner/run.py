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

from runner import device as devices, hub as hubs, needs, report, running, spoken
from runner.cases import case, judge, longest_wait

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = os.path.normpath(os.path.join(HERE, "../scenarios"))
__all__ = ["chosen", "judge", "load", "main"]


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


def chosen(scenarios, only):
    if not only:
        return scenarios
    kept = [s for s in scenarios if any(word in s["id"] or word in s["ids"] or word == "=" + s["id"] for word in only)]
    if not kept:
        raise SystemExit(f"no scenario is named {', '.join(only)}")
    return kept


def run(scenarios, make_hub, folder, jobs):
    # The longest scenarios begin first, so that the end of the run does not wait for one of them. A shared machine is no excuse for a hub,
    # but too many hubs at once would be one.
    scenarios = sorted(scenarios, key=longest_wait, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda scenario: case(scenario, make_hub, folder), scenarios)


def arguments():
    parser = argparse.ArgumentParser(description="Runs the protocol's scenarios against a hub.")
    parser.add_argument("--hub", action="append", metavar="HUB", help="ws://HOST:PORT, wss://HOST:PORT or unix:PATH of a hub that is running, again for more ways "
                        "to the same hub; or an adapter, a program with the contract of README.md (batond of this tree unless given)")
    parser.add_argument("--client", metavar="COMMAND", help="judges a client instead, by the cases for clients: see python3 Protocol clients --help")
    parser.add_argument("--device", metavar="FILE", help="the pairing with a hub that is running: read, or with --code made and written")
    parser.add_argument("--code", metavar="DIGITS", help="the code that this hub shows at the moment")
    parser.add_argument("--only", action="append", metavar="ID", help="scenarios by a part of their name (=NAME: by all of it), or rules, to run; again for more")
    parser.add_argument("--scenarios", default=SCENARIOS, metavar="FOLDER")
    parser.add_argument("--channel", choices=["tcp", "unix", "tls"], help="the way scenarios that do not care about it connect")
    parser.add_argument("--report", metavar="FILE", help="an HTML report")
    parser.add_argument("--junit", metavar="FILE", help="a report as JUnit XML")
    parser.add_argument("--traces", metavar="FOLDER", help="keep the traces here")
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--patience", type=float, default=1, metavar="N", help="wait N times as long for what must come")
    parser.add_argument("--quiet", action="store_true", help="only what failed, and the sum")
    asked = parser.parse_args()
    if asked.hub and len(asked.hub) > 1 and not running.addresses(asked.hub):
        parser.error("several --hub are several addresses of one hub that is running; an adapter stands alone")
    if asked.code and not asked.device:
        parser.error("--code pairs this machine with the hub, and needs --device FILE to keep the key in")
    return asked


def target(asked):
    """How to come to a hub for each scenario, the channel of steps that name none, and the hub when there is one for all."""
    found = running.addresses(asked.hub or [])
    if not found:
        adapter = hubs.words_of((asked.hub or [hubs.DEFAULT])[0])
        return (lambda scenario: hubs.HubUnderTest(adapter, scenario.get("hub", {}), asked.patience)), asked.channel or "tcp", None
    kept = devices.load(asked.device) if asked.device else None
    if asked.code:
        kept = running.pair(found, asked.code)
        devices.keep(asked.device, kept)
    one = running.RunningHub(found, kept)
    return one.prepare, asked.channel or next(name for name in ("tcp", "unix", "tls") if name in found), one


def main():
    if "--client" in sys.argv:
        # The same program for both sides: clients.py says what it knows.
        from runner import clients
        return clients.main()
    asked = arguments()
    make_hub, channel, one = target(asked)
    scenarios = [{**scenario, "patience": asked.patience, "through": needs.way(scenario, channel)} for scenario in chosen(load(asked.scenarios), asked.only)]
    folder = asked.traces or tempfile.mkdtemp(prefix="bt-traces-")
    os.makedirs(folder, exist_ok=True)
    results, left = [], []
    try:
        for result in run(scenarios, make_hub, folder, 1 if one else asked.jobs):
            results.append(result)
            if result["wrong"] or not asked.quiet:
                report.tell(result)
    finally:
        if one:
            left = one.leave()
            print("left behind: " + ("; ".join(left) or "nothing"))
    for path, write in ((asked.report, report.write), (asked.junit, report.write_junit)):
        if path:
            write(path, results, " ".join(asked.hub or ["batond of this tree"]))
    has_passed = report.tell_sum(results) and not left
    report.tell_rules(results)
    if not asked.traces:
        shutil.rmtree(folder)
    return 0 if has_passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (running.InUse, OSError) as refused:
        print(f"run.py: {refused}", file=sys.stderr)
        sys.exit(2)
