"""Judges a hub, or with --client a client, by the scenarios of Baton, and says for each level how well it is kept.

    {name} ws://127.0.0.1:9442                  a hub that is running; more addresses are more ways to it
    {name} --adapter ./my-adapter               a hub that an adapter starts, for all scenarios
    {name} --client "./my-remote --script"      a client
    {name} --playground                         a small hub to try a remote on

The code is 0 when every level is kept, 1 when one is not, 2 when nothing could be judged.
"""

import argparse
import os
import shutil
import sys
import tempfile

from runner import device as devices, files, hub as hubs, lanes, needs, outcome, report, running
from runner.failing import Absent, Unfit
from runner.levels import Levels
from runner.pages import profiles
from runner.run import chosen, load

SCENARIOS = f"{files.PROTOCOL}/scenarios"
# By its name `run` this program asks for everything that there is, as the tests of a hub do, and takes its time.
IS_CHECK = not sys.argv[0].endswith(" run")
# Seconds: a scenario that waits longer, because the text gives such a time, is left out of a quick check.
QUICK = 25
# So many scenarios without any hub are enough to say that there is none.
SILENT = 8
USUAL = ("--adapter", "--client", "--level", "--only", "--list", "--yes", "--json")


def name():
    """What this program is called as it was started."""
    return f"python3 {os.path.basename(files.PROTOCOL)}" if files.IS_ARCHIVE else "python3 Protocol check"


def arguments():
    usage, _, text = __doc__.format(name=name()).partition("\n\n")
    parser = outcome.Options(name(), USUAL, "ADDRESS… | --adapter COMMAND | --client COMMAND | --playground  [OPTION…]", f"{usage}\n\n{text}")
    hub = parser.add_argument_group("which hub")
    hub.add_argument("hubs", nargs="*", metavar="ADDRESS", help="ws://HOST:PORT, wss://HOST:PORT or unix:PATH of a hub that is running")
    hub.add_argument("--hub", action="append", default=[], metavar="HUB", help="the same as ADDRESS, again for more; or as --adapter")
    hub.add_argument("--adapter", metavar="COMMAND", help="a program that starts a hub for each scenario: its contract is in runner/README.md")
    hub.add_argument("--client", metavar="COMMAND", help="judge a client instead: --client COMMAND --help says more")
    hub.add_argument("--playground", action="store_true", help="start a small hub to try a remote on: --playground --help says more")
    hub.add_argument("--device", metavar="FILE", help="the pairing with a hub that is running: read, or with --code made and written")
    hub.add_argument("--code", metavar="DIGITS", help="the code that this hub shows at the moment")
    hub.add_argument("--playable", default="", metavar="URIS", help="items that the hub may play, separated by commas; otherwise those in its queue, or in its library")
    hub.add_argument("--yes", action="store_true", help="do not ask before the queue of a running hub is replaced and put back")
    what = parser.add_argument_group("what is judged")
    what.add_argument("--level", metavar="NAMES", help="the levels to judge, as in core,network; otherwise Core and what the hub announces"
                      + (f". By the name run: all. There are {', '.join(profiles())}" if "--help-all" in sys.argv else ""))
    what.add_argument("--only", action="append", metavar="WORD", help="scenarios with this word in their name, or that show this rule; =NAME is one; again for more")
    what.add_argument("--list", action="store_true", help="say which scenarios there are, and judge nothing")
    what.add_argument("--quick", action=argparse.BooleanOptionalAction, default=IS_CHECK, help=f"leave out scenarios that wait longer than {QUICK} s, as the text has it")
    what.add_argument("--channel", choices=["tcp", "unix", "tls"], help="the way by which scenarios connect that do not care about it")
    what.add_argument("--scenarios", default=SCENARIOS, metavar="FOLDER", help="scenarios of your own, from this folder")
    what.add_argument("--jobs", type=int, default=8, metavar="N", help="how many scenarios run at once, where they share nothing")
    what.add_argument("--patience", type=float, default=1, metavar="N", help="wait N times as long for what must come, on a slow machine")
    outcome.add_to(parser)
    asked = parser.read(sys.argv[1:])
    asked.hub = asked.hubs + asked.hub + ([asked.adapter] if asked.adapter else [])
    if len(asked.hub) > 1 and not running.addresses(asked.hub):
        parser.error("several hubs are several addresses of one that is running; an adapter stands alone")
    if asked.code and not asked.device:
        parser.error("--code pairs this machine with the hub, and needs --device FILE to keep the key in")
    return asked


def target(asked):
    """The hub that runs, or nothing; and for each scenario the hub that it is for."""
    found = running.addresses(asked.hub)
    if not found:
        if not asked.hub and files.IS_ARCHIVE:
            raise Unfit("give the address of a hub, as in ws://127.0.0.1:9442, or an adapter, or --playground; --help says more")
        adapter = hubs.words_of((asked.hub or [hubs.DEFAULT])[0])
        return None, lambda scenario: hubs.HubUnderTest(adapter, scenario.get("hub", {}), asked.patience)
    kept = devices.load(asked.device) if asked.device else None
    if asked.code:
        kept = running.pair(found, asked.code)
        devices.keep(asked.device, kept)
    one = running.Hub(found, kept, filter(None, asked.playable.split(",")))
    return one, lambda scenario: running.Visit(one, scenario)


def contact(one, make_hub):
    """What a hub says that it has, and by which channels it can be reached: of one that runs, or of the first that an adapter starts."""
    if one:
        return one.greet()["features"], one.offers
    first = make_hub({})
    try:
        first.start()
        hub = running.Hub(first.addresses)
        return hub.greet()["features"], hub.offers
    finally:
        first.close()


def conduct(one, make_hub, levels, known):
    """The scenarios of levels that the hub does have: a command that it does not know is of no level that it keeps."""
    if len(levels.names) < 2:
        return known
    first = None if one else make_hub({})
    try:
        if first:
            first.start()
        return levels.mistakes(known, running.Asker(one or running.Hub(first.addresses)))
    finally:
        if first:
            first.close()


def agrees(one, scenarios, asked):
    """Whether the owner of a hub that is running lets it be touched."""
    sentences = one.touched(scenarios)
    if not sentences or asked.yes:
        return True
    print(f"This check uses the hub “{one.name}”, which is running:", *(f"  {text}" for text in sentences), sep="\n")
    if not sys.stdin.isatty():
        raise Absent("say --yes when that is all right")
    return input("Is that all right? [y/N] ").strip().lower() in ("y", "yes")


def plan(asked, known, one, make_hub):
    """The scenarios to run, with what each has to know, and the levels that they are of."""
    features, offers = contact(one, make_hub) if one or IS_CHECK else (None, None)
    levels = Levels(asked.level, None if asked.only or asked.scenarios != SCENARIOS or not IS_CHECK else features)
    channel = asked.channel or (next(way for way in ("tcp", "unix", "tls") if way in one.addresses) if one else "tcp")
    found = chosen(levels.wanted(known), asked.only)
    if not asked.only:
        found = conduct(one, make_hub, levels, found)
    found = [needs.offered(scenario, offers) for scenario in found] if offers else found
    longest = QUICK if asked.quick else None
    return levels, [{**scenario, "patience": asked.patience, "through": needs.way(scenario, channel), "claimed": levels.claimed,
                     "unasked": levels.reason(scenario) or needs.too_long(scenario, longest)} for scenario in found]


def judged(asked, levels, scenarios, one, make_hub):
    """Lets everything happen, and leaves a running hub as it was found: results, and what is wrong beside them."""
    folder = asked.traces or tempfile.mkdtemp(prefix="bt-traces-")
    os.makedirs(folder, exist_ok=True)
    results, left, held = [], [], []
    progress = report.Progress(len(scenarios), asked)
    try:
        if one and any(map(needs.changes, scenarios)):
            one.take()
        for result in lanes.run(scenarios, make_hub, folder, asked.jobs, one, shares=asked.quick):
            # What was said without a hub is told once there has been one.
            held.append(result)
            if all(one.get("absent") or one["skipped"] for one in results + held):
                if sum("absent" in one for one in held) >= SILENT:
                    break
            else:
                results += tell(progress, held)
        absent = next((one["absent"] for one in held if "absent" in one), None)
        if absent:
            raise Absent(absent)
        results += tell(progress, held)
    finally:
        progress.end()
        if one and not one.gone:
            left = one.leave()
            print("left behind: " + ("; ".join(left) or "nothing"))
        if not asked.traces:
            shutil.rmtree(folder)
    return results, left + ([one.gone] if one and one.gone else [])


def tell(progress, held):
    """Tells what was held back, and gives it back."""
    told, held[:] = held[:], []
    for result in told:
        progress.tell(result)
    return told


def main():
    if any(word == "--client" or word.startswith("--client=") for word in sys.argv[1:]):
        # The same program for both sides: clients.py says what it knows.
        from runner import clients
        return clients.main()
    if "--playground" in sys.argv:
        from runner import playground
        return playground.main()
    asked = arguments()
    known = load(asked.scenarios)
    wanted = chosen(Levels(asked.level).wanted(known), asked.only)
    if asked.list:
        return outcome.listed(wanted)
    one, make_hub = target(asked)
    levels = scenarios = None
    try:
        levels, scenarios = plan(asked, known, one, make_hub)
        if one and not agrees(one, scenarios, asked):
            return 2
        results, wrong = judged(asked, levels, scenarios, one, make_hub)
    except Absent:
        raise
    except Unfit as unfit:
        levels = levels or Levels(asked.level or "core")
        results, wrong = [], [str(unfit)]
    asked.subject = " ".join(asked.hub) or "batond of this tree"
    return outcome.tell(asked, "", levels, scenarios or [], results, wrong, one and one.described())


if __name__ == "__main__":
    outcome.start(main, name())
