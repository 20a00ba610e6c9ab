"""Which evidence each rule has, and whether any has none.

Reads the rules of Core and of the profiles, and looks for them in schemas, vectors, scenarios, the rules that always hold, models and
tests; `evidence.json` names scenarios, client cases and vectors that are still to be written. Fails with a sentence for every rule
without evidence, and every id that is cited and does not exist. With --page FILE it writes instead which evidence each rule has:
tools/build.py makes COVERAGE.md so.
"""

import glob
import json
import os
import re
import sys

from runner import built, clients, judged, pages, rules, run

HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOL = os.path.normpath(os.path.join(HERE, ".."))
ROOT = os.path.dirname(PROTOCOL)
CITED = re.compile(r"BT-[A-Z]+-[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*")
KINDS = {"s": "scenario", "c": "client case", "v": "vectors"}


def evidence():
    """id -> what shows it, as (kind, name)."""
    found = {}

    def add(ids, kind, name):
        for one in ids:
            found.setdefault(one, set()).add((kind, name))
    schemas = f"{built.folder()}/schema/v1"
    for path in glob.glob(f"{schemas}/**/*.json", recursive=True):
        add(CITED.findall(pages.text_of(path)), "schema", os.path.relpath(path, schemas)[:-5])
    for path in glob.glob(f"{PROTOCOL}/vectors/v1/*.json"):
        add(json.loads(pages.text_of(path))["ids"], "vectors", os.path.basename(path)[:-5])
    for scenario in run.load():
        add(scenario["ids"], "scenario", scenario["id"])
    for name, ids in rules.ids().items():
        add(ids, "always", name)
    for name, ids in judged.ids().items():
        add(ids, "client", name)
    for case in clients.load():
        add(case["ids"], "client case", case["id"])
    for path in glob.glob(f"{PROTOCOL}/models/*.pml"):
        add(CITED.findall(pages.text_of(path)), "model", os.path.basename(path))
    tests = glob.glob(f"{ROOT}/Tests/**/*.swift", recursive=True) + glob.glob(f"{ROOT}/Tests/**/*.py", recursive=True)
    for path in tests:
        add(CITED.findall(pages.text_of(path)), "test", os.path.relpath(path, f"{ROOT}/Tests"))
    return found


def coming():
    """What is still to be written, as rule -> (kind, name)."""
    return {rule: [(KINDS[one[0]], one[2:]) for one in some] for rule, some in pages.read("evidence.json")["coming"].items()}


def complaints(known, shown):
    gone, later = set(pages.read("levels.json")["gone"]), coming()
    for name, words in sorted(known.items()):
        if name not in shown and name not in later:
            yield f"{name} has no schema, vector, scenario, model or test: {words[0:90]}"
    for name in sorted(set(shown) - set(known) - gone):
        yield f"{name} is cited by {', '.join(sorted(f'{kind} {what}' for kind, what in shown[name]))}, and no page has such a rule"
    for rule, some in later.items():
        if rule not in known:
            yield f"evidence.json: there is no rule {rule}"
        yield from (f"evidence.json: {kind} {name} shows {rule} by now" for kind, name in some if (kind, name) in shown.get(rule, ()))


def page(known, shown):
    lines = ["# What shows each rule", "",
             f"{len(known)} rules. *always*: checked on every dialogue the runner has; *client*: checked on every client it judges.", "",
             "| rule | profile | says | shown by |", "| --- | --- | --- | --- |"]
    levels, later = pages.rules(), coming()
    for name, words in sorted(known.items()):
        by = {}
        for kind, what in sorted(shown.get(name, ())):
            by.setdefault(kind, []).append(what)
        cell = "; ".join(f"{kind} {', '.join(names[:6])}{' …' if len(names) > 6 else ''}" for kind, names in by.items())
        cell = cell or "to be written: " + ", ".join(f"{kind} {what}" for kind, what in later.get(name, ()))
        text = re.sub(r"\]\([^)]*\)", "]", words).replace("|", "·")
        lines.append(f"| {name} | {levels[name]} | {text if len(text) < 140 else '…' + text[-138:]} | {cell} |")
    return "\n".join(lines) + "\n"


def main():
    known, shown = pages.words(), evidence()
    if sys.argv[1:2] == ["--page"]:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(page(known, shown))
        return 0
    wrong = list(complaints(known, shown))
    for sentence in wrong:
        print(sentence)
    print(f"{len(known)} rules, {len(set(known) & set(shown))} of them shown; {len(wrong)} complaints")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
