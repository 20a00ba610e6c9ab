"""Puts a client under test: presses its buttons on a bad network, and judges what it says.

The client's contract is in README.md: presses come as words on its standard input. Between it and the
hub stands proxy.py, whose trace is the evidence. The cases are in scenarios/clients.json.
"""

import argparse
import concurrent.futures
import json
import os
import sys
import tempfile
import time

from runner import hub as hubs, judged, report
from runner.cases import longest_wait
from runner.client_case import Case
from runner.failing import Fails

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.normpath(os.path.join(HERE, "../scenarios/clients.json"))


ABILITIES = {"queue": "shows the entries of the queue", "rooms": "follows several rooms", "art": "gets pictures", "position": "shows the position",
             "status": "sees by which HTTP status its upgrade was answered", "pair": "pairs, and comes by TLS", "find": "finds hubs on the network, also on the loopback", "codes": "says with which close code it stopped"}


def load():
    """The cases of clients; one with `each` is one for each of its values."""
    with open(CASES, encoding="utf-8") as file:
        found = json.load(file)
    for case in found:
        for value in case.get("each", [None]):
            text = json.dumps({name: content for name, content in case.items() if name != "each"})
            yield case if value is None else json.loads(text.replace('"$each"', json.dumps(value)).replace("$each", str(value)))


def try_case(case, client, adapter, folder, asked):
    missing = [name for name in case.get("can", []) if name not in asked.can]
    result = {"id": case["id"], "title": case["title"], "ids": case["ids"], "wrong": [], "seconds": 0, "trace": f"{folder}/{case['id']}.jsonl"}
    if missing:
        return {**result, "skipped": "this client is not said to be one that " + " and ".join(ABILITIES[name] for name in missing) + f" (--can {','.join(missing)})"}
    began, wrong = time.monotonic(), []
    one = Case(case, client, adapter, folder, asked)
    try:
        one.run()
    except (Fails, hubs.NoHub) as failed:
        wrong.append(str(failed))
    except Exception as error:  # A mistake in the runner must not look like a pass.
        wrong.append(f"the runner itself failed: {type(error).__name__}: {error}")
    wrong += judged.complaints(one.trace)
    return {**result, "wrong": wrong, "seconds": time.monotonic() - began}


def arguments():
    parser = argparse.ArgumentParser(
        description="Puts a client under test.", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="what a client may be able to beyond its presses:\n" + "\n".join(f"  {name:10} {words}" for name, words in ABILITIES.items()))
    parser.add_argument("--client", required=True, metavar="COMMAND", help="the client, with the words it needs")
    parser.add_argument("--can", default="", metavar="NAMES", help="what else it is able to, separated by commas, or all: see below. Other cases are skipped")
    parser.add_argument("--channel", choices=["tcp", "tls"], default="tcp", help="by tls the client also gets --dev NAME --key KEY --pin PIN of a device that "
                        "is paired. Its proofs are bound to the hub's key, since the proxy has a TLS of its own on each side: it must not offer cb.exp")
    parser.add_argument("--profile", help="passed on to the client")
    parser.add_argument("--network", action="append", default=[], metavar="FAULT", help="a fault of the proxy that holds in every case, as in lossy:20 and delay:300; again for more")
    parser.add_argument("--hub", default=hubs.DEFAULT, metavar="ADAPTER")
    parser.add_argument("--only", action="append", metavar="ID")
    parser.add_argument("--report", metavar="FILE", help="an HTML report")
    parser.add_argument("--junit", metavar="FILE", help="a report as JUnit XML")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--patience", type=float, default=1, metavar="N", help="wait N times as long for what must come")
    parser.add_argument("--bend", metavar="NAME", help="the client breaks this rule of faulty_clients.py, and a case must fail")
    asked = parser.parse_args()
    asked.can = set(ABILITIES) if asked.can == "all" else set(filter(None, asked.can.split(",")))
    if asked.can - set(ABILITIES):
        parser.error(f"--can knows {', '.join(ABILITIES)}, and not {', '.join(sorted(asked.can - set(ABILITIES)))}")
    if asked.network:
        # Nothing is wrong with a client that is slow because its network is.
        asked.patience = max(asked.patience, 4)
    return asked


def main():
    asked = arguments()
    cases = [case for case in load() if not asked.only or case["id"] in asked.only]
    # The longest begin first, so that the end does not wait for one of them.
    cases.sort(key=longest_wait, reverse=True)
    if asked.network:
        cases = [case for case in cases if not case.get("timed")]
    results = []
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        words = hubs.words_of(asked.client), hubs.words_of(asked.hub)
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            for result in pool.map(lambda case: try_case(case, *words, folder, asked), cases):
                results.append(result)
                report.tell(result)
        for path, write in ((asked.report, report.write), (asked.junit, report.write_junit)):
            if path:
                write(path, results, asked.client)
    return 0 if report.tell_sum(results, f" for {asked.client}") else 1


if __name__ == "__main__":
    sys.exit(main())
