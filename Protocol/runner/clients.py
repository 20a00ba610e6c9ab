"""Puts a client under test: presses its buttons on a bad network, and judges what it says.

The client's contract is in README.md: presses come as words on its standard input. Between it and the
hub stands proxy.py, whose trace is the evidence. The cases are in scenarios/clients.json.
"""

import concurrent.futures
import json
import os
import sys
import tempfile
import time

from runner import hub as hubs, judged, outcome, pages, report
from runner.cases import longest_wait
from runner.client_case import Case
from runner.failing import Fails, Skips, Unfit, Unjudged
from runner.files import IS_ARCHIVE, PROTOCOL, read
from runner.levels import Levels
from runner.outcome import listed
from runner.run import chosen

ABILITIES = {"queue": "shows the entries of the queue", "rooms": "follows several rooms", "art": "gets pictures", "position": "shows the position",
             "status": "sees by which HTTP status its upgrade was answered", "pair": "pairs, and comes by TLS", "http": "asks by HTTP too, with its bearer", "info": "says what the hub is", "users": "signs people in", "find": "finds hubs on the network, also on the loopback", "codes": "says with which close code it stopped",
             "exporter": "binds its proofs to what TLS exports", "view": "asks for another view when it is started with --view NAME"}


USUAL = ("--client", "--can", "--view", "--level", "--only", "--json")


def check_name():
    return f"python3 {os.path.basename(PROTOCOL)}" if IS_ARCHIVE else "python3 Protocol check"


def load():
    """The cases of clients; one with `each` is one for each of its values. README.md says what each member means."""
    for case in read("scenarios/clients.json"):
        for value in case.get("each", [None]):
            text = json.dumps({name: content for name, content in case.items() if name != "each"})
            family = {"family": case["id"]}
            yield case | family if value is None else json.loads(text.replace('"$each"', json.dumps(value)).replace("$each", str(value))) | family


def try_case(case, client, adapter, folder, asked):
    missing = [name for name in case.get("can", []) if name not in asked.can]
    # A client is not to blame for a rule that binds the hub alone: then the title says what was to be shown.
    rules = [rule for rule in case["ids"] if rule in pages.binding("client")]
    result = {"id": case["id"], "title": case["title"], "ids": rules, "family": case["family"], "skipped": None, "wrong": [], "seconds": 0, "trace": f"{folder}/{case['id']}.jsonl"}
    if missing:
        return {**result, "skipped": "this client is not said to be one that " + " and ".join(ABILITIES[name] for name in missing) + f" (--can {','.join(missing)})"}
    began, wrong = time.monotonic(), []
    one = Case(case, client, adapter, folder, asked)
    try:
        one.run()
    except Fails as failed:
        wrong.append(str(failed))
    except Unfit as error:
        raise Unjudged(str(error)) from None
    except Unjudged:
        raise
    except Skips as reason:
        return {**result, "skipped": str(reason)}
    except Exception as error:  # A mistake in the runner must not look like a pass.
        wrong.append(f"the runner itself failed: {type(error).__name__}: {error}")
    wrong += judged.complaints(one.trace)
    return {**result, "wrong": wrong, "seconds": time.monotonic() - began}


def arguments():
    called = "python3 Protocol clients" if sys.argv[0].endswith(" clients") else check_name()
    text = __doc__.split("\n\n")[0] + "\n\nWhat a client may be able to beyond its presses, as in --can queue,pair:\n\n" + "\n".join(
        f"    {name:10} {words}" for name, words in ABILITIES.items())
    parser = outcome.Options(called, USUAL, "--client COMMAND [OPTION…]", text)
    client = parser.add_argument_group("which client")
    client.add_argument("--client", required=True, metavar="COMMAND", help="the client, with the words that it needs")
    client.add_argument("--can", default="", metavar="NAMES", help="what else it is able to, separated by commas, or all; cases of other things are skipped")
    client.add_argument("--view", metavar="NAME", help="start it with --view NAME, and judge it as a client of this view")
    client.add_argument("--channel", choices=["tcp", "tls"], default="tcp", help="by tls it also gets --dev=NAME --key=KEY --pin=PIN of a device that is paired. "
                        "The proxy has a TLS of its own on each side, so it must not offer cb.exp then")
    what = parser.add_argument_group("what is judged")
    what.add_argument("--level", metavar="NAMES", help="the levels to judge, separated by commas, as in core,network; otherwise those that it is able to")
    what.add_argument("--only", action="append", metavar="WORD", help="cases with this word in their name, or that show this rule; =NAME is one; again for more")
    what.add_argument("--list", action="store_true", help="say which cases there are, and judge nothing")
    what.add_argument("--hub", "--adapter", default=hubs.DEFAULT, metavar="COMMAND", help="the adapter of the hub before which it is tried, otherwise that of this kit")
    what.add_argument("--network", action="append", default=[], metavar="FAULT", help="a fault of the network that holds in every case, as in lossy:20 and delay:300; again for more")
    what.add_argument("--jobs", type=int, default=4, metavar="N", help="how many cases run at once")
    what.add_argument("--patience", type=float, default=1, metavar="N", help="wait N times as long for what must come, on a slow machine")
    what.add_argument("--bend", metavar="NAME", help="let the client break this rule of faulty_clients.py, so that a case must fail")
    outcome.add_to(parser)
    asked = parser.read(sys.argv[1:])
    asked.subject = asked.client
    asked.can = set(ABILITIES) if asked.can == "all" else set(filter(None, asked.can.split(",")))
    if asked.can - set(ABILITIES):
        parser.error(f"--can knows {', '.join(ABILITIES)}, and not {', '.join(sorted(asked.can - set(ABILITIES)))}")
    if asked.network:
        # Nothing is wrong with a client that is slow because its network is.
        asked.patience = max(asked.patience, 4)
    return asked


def main():
    asked = arguments()
    levels = Levels(asked.level, side="client")
    cases = chosen(levels.wanted(load()), asked.only, "case")
    # The longest begin first, so that the end does not wait for one of them.
    cases.sort(key=longest_wait, reverse=True)
    if asked.network:
        cases = [case for case in cases if not case.get("timed")]
    if asked.list:
        return listed(cases)
    results, progress = [], report.Progress(len(cases), asked)
    with tempfile.TemporaryDirectory(prefix="bt-") as made:
        folder = asked.traces or made
        os.makedirs(folder, exist_ok=True)
        words = hubs.words_of(asked.client), hubs.words_of(asked.hub)
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            try:
                for done in concurrent.futures.as_completed([pool.submit(try_case, case, *words, folder, asked) for case in cases]):
                    results.append(done.result())
                    progress.tell(results[-1])
            finally:
                progress.end()
                # Where nothing can be judged, what has not begun never does.
                pool.shutdown(cancel_futures=True)
        if not asked.level and not asked.only:
            # The levels of the cases that this client is able to, and the hub too.
            asked_of = {result["id"] for result in results if not result["skipped"]}
            levels = Levels(",".join(["core", *sorted({case["level"] for case in cases if case["id"] in asked_of} - {"core"})]), side="client")
        return outcome.tell(asked, f" for {asked.client}", levels, cases, results, [])


if __name__ == "__main__":
    outcome.start(main, "python3 Protocol clients")
