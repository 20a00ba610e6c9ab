"""What is said at the end of a check: a verdict for each level, and the files that were asked for."""

import argparse
import datetime
import json
import os
import signal
import sys

from runner import badge, files, report, signing
from runner.failing import Mistyped, Unfit, Unjudged


# Options whose values may begin with a dash. argparse would take such a value for an option.
HELP = ("-h", "--help", "--help-all")
VALUES = ("--only", "--client", "--adapter", "--hub", "--playable", "--code", "--device")


class Options(argparse.ArgumentParser):
    """Options of a program of which --help shows the usual ones, and --help-all every one."""

    def __init__(self, program, usual, usage, text):
        super().__init__(prog=program, usage=f"{program} {usage}", description=text, add_help=False, allow_abbrev=False,
                         formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=118))
        self.usual = {"hubs", *usual, "--help-all"}
        self.add_argument("-h", "--help", action="store_true", help="the usual options, and this")
        self.add_argument("--help-all", action="store_true", help="every option")

    def format_help(self):
        if "--help-all" not in sys.argv:
            for action in self._actions:
                if not self.usual & {action.dest, *action.option_strings}:
                    action.help = argparse.SUPPRESS
        return super().format_help()

    def read(self, words):
        """What is asked for. Help is given whatever else is missing."""
        if set(HELP) & set(words):
            self.print_help()
            sys.exit(0)
        return self.parse_args(joined(words))


def start(main, name):
    """Runs a program to its end. Where nothing could be judged a sentence says why, and the code is 2."""
    # Who ends this program by a signal has the hub put back, as with Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Each line as it comes, for a program that reads them too.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        sys.exit(main())
    except Mistyped as mistyped:
        print(f"{name}: {mistyped}", file=sys.stderr)
    except BrokenPipeError:
        # Nobody reads what is said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Unfit, Unjudged, OSError) as refused:
        print(f"could not be judged: {refused}", file=sys.stderr)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(2)


def add_to(parser):
    """What a check of a hub and one of a client show and write."""
    shown = parser.add_argument_group("what is shown and written")
    shown.add_argument("--quiet", action="store_true", help="only what failed, and the verdict")
    shown.add_argument("--trace", action="store_true", help="show what was said in each scenario")
    shown.add_argument("--traces", metavar="FOLDER", help="keep what was said in this folder, a file for each scenario")
    shown.add_argument("--json", metavar="FILE", help="write the result, signed with a key of this run: verify FILE reads it")
    shown.add_argument("--badge", metavar="FILE", help="write a badge as SVG")
    shown.add_argument("--junit", metavar="FILE", help="write a report as JUnit XML")
    shown.add_argument("--report", metavar="FILE", help="write a report as a page to read")


def joined(words):
    """Words of a command line in which values that begin with a dash are joined to their options."""
    found = []
    for word in words:
        if found and found[-1] in VALUES and word.startswith("-") and word not in HELP:
            found[-1] += "=" + word
        else:
            found.append(word)
    return found


def listed(cases):
    """Which there are."""
    for case in cases:
        print(f"{case['id']:34} {case['level']:10} {case['title']}\n{'':34} {' '.join(case['ids'])}")
    return 0


def tell(asked, of, levels, scenarios, results, wrong, hub=None):
    """Says the verdict, and gives back the code of the program. `wrong` are reasons that belong to no scenario."""
    has_passed = (report.tell_sum(results, of) if results else False) and not wrong
    if results:
        report.tell_rules(results)
    for sentence in levels.notes + [f"Not judged to the end: {reason}." for reason in wrong]:
        print(sentence)
    kept = list(levels.results(scenarios, results))
    for one_level, sentence in zip(kept, levels.verdicts(scenarios, results)):
        if wrong:
            one_level["kept"], one_level["why"] = False, wrong[0]
            sentence = sentence if results else f"{one_level['level']} {one_level['version']}: not kept: {wrong[0]}"
        print(sentence)
    for path, write in ((asked.report, report.write), (asked.junit, report.write_junit)):
        if path:
            write(path, results, asked.subject)
    if asked.badge:
        put(asked.badge, badge.svg(kept))
    if asked.json:
        put(asked.json, json.dumps(signing.signed(whole({"address": asked.subject, **(hub or {})}, levels, kept, results, wrong)), indent=1, ensure_ascii=False) + "\n")
    if results and not wrong and all(report.verdict(result) == "skip" for result in results):
        print("Nothing could be judged: every case was skipped.")
        return 2
    return 0 if has_passed and all(level["kept"] for level in kept) else 1


def whole(subject, levels, kept, results, wrong):
    """The result as an object."""
    cases = [{"id": result["id"], "verdict": report.verdict(result), "seconds": round(result["seconds"], 2), "rules": result["ids"],
              "why": result["wrong"] or list(filter(None, [result.get("skipped"), result.get("allowed")]))} for result in sorted(results, key=lambda one: one["id"])]
    return {"kit": "baton-check", "core": files.version(), "made": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "subject": subject,
            "levels": kept, "wrong": wrong, "notes": levels.notes, "cases": cases}


def put(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
