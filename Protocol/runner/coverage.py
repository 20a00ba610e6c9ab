"""Which evidence each rule of the specification has, and whether any has none.

Reads the ids in the chapters of spec/, and looks for them in schemas, vectors, scenarios, the rules that always hold,
models and tests. Fails with a sentence for every rule without evidence, every "must" without an id, and every id that is
cited and does not exist. With --page FILE it writes instead which evidence each rule has: tools/build.py makes COVERAGE.md so.
"""

import glob
import json
import os
import re
import sys

from runner import built, clients, judged, rules, run

HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOL = os.path.normpath(os.path.join(HERE, ".."))
ROOT = os.path.dirname(PROTOCOL)
MARK = re.compile(r"(?<!`)\[(BT-[A-Z]+-\d{3})\]")
CITED = re.compile(r"BT-[A-Z]+-[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*")
# The tables whose rows are named by what stands in their first column, by the heading they stand under.
TABLES = {"Commands": "CMD", "Sections": "SEC", "Error codes": "ERR", "Close codes": "CLS"}


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def chapters():
    """The name and the text of each chapter of the specification, in their order."""
    return {os.path.basename(path): text_of(path) for path in sorted(glob.glob(f"{PROTOCOL}/spec/*.md"))}


def blocks(spec):
    """Paragraphs, items of lists and rows of tables, each with the heading it stands under."""
    heading, block, is_code = "", [], False
    for line in [*spec.split("\n"), ""]:
        if line.startswith("```"):
            is_code = not is_code
        starts = not line.strip() or line.startswith(("#", "|", "- ", "```")) or is_code
        if starts and block:
            yield heading, " ".join(block)
            block = []
        if line.startswith("## "):
            heading = line[3:].strip()
        if line.strip() and not is_code and not line.startswith(("#", "```")):
            block.append(line.strip())
        elif starts:
            block = []


def named_rows(spec):
    """The ids that rows get from their first column."""
    is_named = False
    for heading, block in blocks(spec):
        if heading not in TABLES or not block.startswith("|"):
            is_named = False
            continue
        if re.match(r"\| (command|section|code) \|", block):
            is_named = True
            continue
        if not is_named or "---" in block:
            continue
        cells = [cell.strip() for cell in block.strip("|").split("|")]
        first, rest = re.sub(r"\{[^}]*\}", "", cells[0]), " ".join(cells[1:])
        if "*reserved*" in rest or "*reserved*" in first:
            continue
        for name in re.findall(r"`([A-Za-z0-9_.]+)`", first):
            yield f"BT-{TABLES[heading]}-{name}", rest


def specified(spec):
    """id -> the words it stands for."""
    found = {}
    for _, block in blocks(spec):
        before = 0
        for mark in MARK.finditer(block):
            words = block[before:mark.start()].strip(" |")
            found.setdefault(mark.group(1), []).append(words)
            before = mark.end()
    for name, words in named_rows(spec):
        found.setdefault(name, []).append(words)
    return found


def evidence():
    """id -> what shows it, as (kind, name)."""
    found = {}

    def add(ids, kind, name):
        for one in ids:
            found.setdefault(one, set()).add((kind, name))
    schemas = f"{built.folder()}/schema/v1"
    for path in glob.glob(f"{schemas}/**/*.json", recursive=True):
        add(CITED.findall(text_of(path)), "schema", os.path.relpath(path, schemas)[:-5])
    for path in glob.glob(f"{PROTOCOL}/vectors/v1/*.json"):
        add(json.loads(text_of(path))["ids"], "vectors", os.path.basename(path)[:-5])
    for scenario in run.load():
        add(scenario["ids"], "scenario", scenario["id"])
    for name, ids in rules.ids().items():
        add(ids, "always", name)
    for name, ids in judged.ids().items():
        add(ids, "client", name)
    for case in clients.load():
        add(case["ids"], "client case", case["id"])
    for path in glob.glob(f"{PROTOCOL}/models/*.pml"):
        add(CITED.findall(text_of(path)), "model", os.path.basename(path))
    tests = glob.glob(f"{ROOT}/Tests/**/*.swift", recursive=True) + glob.glob(f"{ROOT}/Tests/**/*.py", recursive=True)
    for path in tests:
        add(CITED.findall(text_of(path)), "test", os.path.relpath(path, f"{ROOT}/Tests"))
    return found


def anchors(texts):
    """Links within the specification that lead to no heading, and headings of one name in one chapter."""
    names = {chapter: [re.sub(r"[^a-z0-9 _-]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
                       for line in text.split("\n") if line.startswith("#")] for chapter, text in texts.items()}
    for chapter, text in texts.items():
        for name in {name for name in names[chapter] if names[chapter].count(name) > 1}:
            yield f"two headings of {chapter} are #{name}"
        for target, link in set(re.findall(r"\]\(([a-z0-9-]+\.md)?#([^)]*)\)", text)):
            if link not in names.get(target or chapter, []):
                yield f"{chapter} links to {target}#{link}, and there is no such heading"


def complaints(texts, known, shown):
    spec = "\n".join(texts.values())
    for name, words in sorted(known.items()):
        if len(words) > 1:
            yield f"{name} stands in the specification {len(words)} times"
        if name not in shown:
            yield f"{name} has no schema, vector, scenario, model or test: {words[0][:90]}"
    for heading, block in blocks(spec):
        if re.search(r"\bmust\b", re.sub(r"`[^`]*`|\*Must\*", "", block), re.IGNORECASE) and not MARK.search(block):
            yield f"a \"must\" under {heading} has no id: {block[:90]}"
    for name in sorted(set(shown) - set(known)):
        yield f"{name} is cited by {', '.join(sorted(f'{kind} {what}' for kind, what in shown[name]))}, and the specification has no such rule"
    yield from anchors(texts)


def page(known, shown):
    lines = ["# What shows each rule", "",
             f"{len(known)} rules. *always*: checked on every dialogue the runner has; *client*: checked on every client it judges.", "",
             "| rule | says | shown by |", "| --- | --- | --- |"]
    for name, words in sorted(known.items()):
        by = {}
        for kind, what in sorted(shown.get(name, ())):
            by.setdefault(kind, []).append(what)
        cell = "; ".join(f"{kind} {', '.join(names[:6])}{' …' if len(names) > 6 else ''}" for kind, names in by.items())
        said = re.sub(r"\]\([^)]*\)", "]", words[0]).replace("|", "·")
        lines.append(f"| {name} | {said if len(said) < 140 else '…' + said[-138:]} | {cell or '**nothing**'} |")
    return "\n".join(lines) + "\n"


def main():
    texts = chapters()
    known, shown = specified("\n".join(texts.values())), evidence()
    if sys.argv[1:2] == ["--page"]:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(page(known, shown))
        return 0
    wrong = list(complaints(texts, known, shown))
    for sentence in wrong:
        print(sentence)
    print(f"{len(known)} rules, {len(set(known) & set(shown))} of them shown; {len(wrong)} complaints")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
