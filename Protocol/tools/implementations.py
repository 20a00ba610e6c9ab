"""Writes the table of implementations, and judges those of the repository anew.

    python3 Protocol implementations                 writes IMPLEMENTATIONS.md from implementations/list.json
    python3 Protocol implementations --check         writes nothing, and fails where the page is out of date
    python3 Protocol implementations --judge NAME…   runs the kit on these, or on all, and keeps their verdicts and badges
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from runner import built, pages
from tools import chapters
from tools.definitions import text_of

LIST, PAGE, BADGES = "implementations/list.json", f"{built.PROTOCOL}/IMPLEMENTATIONS.md", f"{built.PROTOCOL}/implementations"
HEAD = """# Implementations

Hubs and clients that speak Baton, as the [kit](MANUAL.md) judged them. A verdict is of one run: which levels, how many of their scenarios or cases
passed of those that could be asked, and when. *Not judged* says that nobody has run it on this version.

"""
TAIL = """
Yours belongs here too: a merge request with a line in `implementations/list.json` and the address of the result that the kit has signed
(`--json FILE`). [The rule on the name](NAME.md) says what a verdict lets you say.
"""


def said(one):
    """The verdict in a cell: the badge, and how it came about."""
    if "verdict" not in one:
        return f"[its own report]({one['report']})" if "report" in one else "not judged"
    levels = ", ".join(f"{level['level']} {level['version']}: {level['passed']} of {level['asked']}" for level in one["verdict"]["levels"])
    return f"![{levels}](implementations/{one['name']}.svg) {levels}; {one['verdict']['date']}"


def page(some):
    tables = []
    for kind, title in (("hub", "Hubs"), ("client", "Clients")):
        rows = [(one["name"], one["about"], said(one)) for one in some if one["kind"] == kind]
        tables.append(f"## {title}\n\n{chapters.table(('name', 'what it is', 'verdict'), *rows)}")
    return HEAD + "\n\n".join(tables) + "\n" + TAIL


def judge(one):
    """Runs the kit, and gives back the levels that it judged."""
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        words = [*one["judge"], *(["--level", one["level"]] if one["level"] != "all" else []), "--quiet"]
        words += ["--json", f"{folder}/result.json", "--badge", f"{BADGES}/{one['name']}.svg"]
        subprocess.run([sys.executable, built.PROTOCOL, "check", *words], cwd=built.ROOT, check=False)
        with open(f"{folder}/result.json", encoding="utf-8") as file:
            result = json.load(file)
    return {"date": result["made"][:10], "levels": [{name: level[name] for name in ("level", "version", "passed", "asked")} for level in result["levels"]]}


def written(content):
    """The list as it stands in its file: one implementation a line."""
    rows = ",\n".join("    " + json.dumps(one, ensure_ascii=False) for one in content["implementations"])
    return f"{{\n  \"about\": {json.dumps(content['about'], ensure_ascii=False)},\n  \"implementations\": [\n{rows}\n  ]\n}}\n"


def main():
    parser = argparse.ArgumentParser(description="Writes the table of implementations, and judges those of the repository anew.")
    parser.add_argument("--check", action="store_true", help="write nothing, and fail where the page is out of date")
    parser.add_argument("--judge", metavar="NAME", nargs="*", help="run the kit on these, or on all, and keep their verdicts and badges")
    asked, content = parser.parse_args(), pages.read(LIST)
    if asked.judge is not None:
        known = {one["name"]: one for one in content["implementations"] if "judge" in one}
        if unknown := set(asked.judge) - set(known):
            sys.exit(f"the list says not how to judge {' and '.join(sorted(unknown))}")
        for name in asked.judge or known:
            known[name]["verdict"] = judge(known[name])
        with open(f"{built.PROTOCOL}/{LIST}", "w", encoding="utf-8") as file:
            file.write(written(content))
    text = page(content["implementations"])
    if os.path.exists(PAGE) and text_of(PAGE) == text:
        return 0
    if asked.check:
        print("IMPLEMENTATIONS.md is out of date: run python3 Protocol implementations")
        return 1
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
