"""Writes the generated tables of Core and of the profiles from the definitions.

    python3 Protocol tables            writes the tables between `<!-- generated: NAME -->` and `<!-- end -->`
    python3 Protocol tables --check    writes nothing, and fails with a sentence for each page that is out of date and each rule without evidence
    python3 Protocol tables --words    prints how many words each page has, all and without JSON, and what a watch has to read
"""

import argparse
import os
import re
import sys

from runner import coverage, pages
from tools import chapters, levels
from tools.definitions import PROTOCOL, json_of, text_of

PART = re.compile(r"(<!-- generated: ([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
LETTERS = {"scenario": "s", "client case": "c", "vectors": "v"}
# What the class of a command is followed by: how it waits, and where its keys are remembered.
ORDERS = {"none": "at once", "servers": "in line"}
KEYS = {"none": "keyless", "memory": "in memory"}
# Shapes that pages describe: a table of answers names them.
NAMED_SHAPES = ("item", "playedItem", "listItem", "row", "list", "rule", "jobRow", "placedItem", "hubDiagnostics")
# Scenarios that are listed for a rule; more would say no more.
SHOWN = 2


class Tables:
    def __init__(self, definitions):
        self.definitions = definitions
        self.names = levels.names()
        self.shapes = definitions.shapes
        self.shown, self.later = coverage.evidence(), coverage.coming()

    def of(self, kind, profile):
        """The names of a kind that a profile has."""
        return [name for name, of in self.names[kind].items() if of == profile]

    def entries(self, registry, profile):
        """What a registry says of the names of a profile."""
        return [entry for entry in self.definitions.entries(registry) if entry["level"] == profile]

    def commands_of(self, said):
        """The commands of a profile; of those with the named groups or names alone where some are named."""
        profile, *some = said.split()
        return [command for name, command in self.definitions.commands.items()
                if command["level"] == profile and (not some or {name, name.split(".")[0]} & set(some))]

    def commands(self, said):
        rows = []
        for command in self.commands_of(said):
            kind = f"{command['class']}, with `{command['keyedWith']}` K" if "keyedWith" in command else command["class"]
            marks = [ORDERS.get(command.get("order")), KEYS.get(command.get("keys"))]
            codes = " ".join(f"`{code}`" for code, error in command["errors"].items() if not self.definitions.codes[code]["every"] and "level" not in error)
            rows.append((f"`{command['name']}`", command["about"], ", ".join(filter(None, [kind, *marks])), command["role"], codes or "-"))
        return chapters.table(("command", "does", "class", "role", "beside *any*"), *rows)

    def parameters(self, said):
        rows, profile, *some = [], *said.split()
        own = self.commands_of(said)
        # A profile may give a parameter to a command of another one.
        others = [command for command in self.definitions.commands.values()
                  if not some and command not in own and any(shape.get("level") == profile for shape in command["parameters"].values())]
        for command in own + others:
            first = f"`{command['name']}`"
            for name, shape in command["parameters"].items():
                if shape.get("level", command["level"]) != profile:
                    continue
                default = "needed" if name in command.get("required", ()) else chapters.quoted(shape["default"]) if "default" in shape else "-"
                rows.append((first, f"`{name}`", chapters.form(shape, self.shapes), default, shape["title"]))
                first = ""
        forms = [f"- `{command['name']}` has one of these forms: {self.forms(command)}." for command in own if len(command.get("forms", ())) > 1]
        return "\n".join([chapters.table(("of", "parameter", "form", "default", "meaning"), *rows), *([""] + forms if forms else [])])

    def forms(self, command):
        return "; ".join(" ".join(f"`{name}`" for name in each["members"] if name in command["parameters"]) or "nothing" for each in command["forms"])

    def answers(self, profile):
        """What commands answer in `d`, by the names of the members that a profile has, also in answers of another one's commands."""
        rows, own = [], [command["name"] for command in self.commands_of(profile)]
        others = dict.fromkeys(name for member in self.of("answerMember", profile) for name in own_names(member) if name in self.definitions.commands)
        for command in map(self.definitions.commands.get, own + [name for name in others if name not in own]):
            what = command["result"]
            if what and "#" not in what["schema"]:
                shape = self.shape(json_of(f"schema/v1/{what['schema']}"), os.path.basename(what["schema"]).removesuffix(".json"), profile)
                rows.append((f"`{command['name']}`", f"`{shape}`", what["about"] if command["name"] in own else "beside the rest"))
        return chapters.table(("command", "answers in `d`", ""), *rows)

    def shape(self, form, path, profile):
        """A value by the names of its members. Rows of items are named, since pages show them."""
        if "$ref" in form:
            name = form["$ref"].rpartition("/")[2]
            if "section/" in form["$ref"] and name.endswith(".json"):
                return self.shape(json_of(f"schema/v1/section/{name}"), None, profile)
            if name.endswith(".json"):
                return self.shape(json_of(f"schema/v1/hub/data/{name}"), name.removesuffix(".json"), profile)
            return name.upper() if name in NAMED_SHAPES else self.shape(self.shapes[name], None, profile) if name in self.shapes else ""
        if "properties" not in form and ("oneOf" in form or "anyOf" in form):
            return self.shape((form.get("oneOf") or form["anyOf"])[0], path, profile)
        if "items" in form and isinstance(form["items"], dict):
            return f"[{self.shape(form['items'], path and path + '[]', profile)}]"
        members = {}
        for name, part in form.get("properties", {}).items():
            inner = self.shape(part, path and f"{path}.{name}", profile)
            is_own_part = "{" in inner and "$ref" not in part and "$ref" not in part.get("items", ())
            if path is None or is_own_part or self.names["answerMember"].get(f"{path}.{name}") == profile:
                members[name] = inner
        named = [f'"{name}"' + (f":{inner}" if inner not in ("", "[]") else "") for name, inner in members.items()]
        return "{" + ",".join(named) + "}" if members else ""

    def sections(self, profile):
        rows = [(f"`{entry['name']}`", entry["scope"], ", ".join(entry["views"]), entry["about"], entry.get("most", "-"))
                for entry in self.entries("sections", profile)]
        return chapters.table(("section", "scope", "views", "holds", "at most"), *rows)

    def errors(self, profile):
        rows = [(f"`{entry['name']}`", "yes" if entry["retry"] else "no", str(entry["http"]), "*any*" if entry["every"] else "",
                 entry["about"], entry["client"]) for entry in self.entries("errors", profile)]
        return chapters.table(("code", "retry", "HTTP", "", "means", "a client"), *rows)

    def closes(self, profile):
        rows = [(f"`{entry['name']}`", entry["about"], entry["client"]) for entry in self.entries("closes", profile)]
        return chapters.table(("code", "means", "a client"), *rows)

    def capabilities(self, profile):
        rows = [(f"`{entry['name']}`", entry["about"]) for entry in self.entries("capabilities", profile)]
        return chapters.table(("capability", "means"), *rows)

    def messages(self, profile):
        rows = [(side, " ".join(f"`{entry['name']}`" for entry in self.entries("messages", profile) if entry["from"] in (side, "both"))) for side in ("client", "hub")]
        return chapters.table(("sent by", "`t`"), *rows)

    def views(self, profile):
        rows = [(f"`{view['name']}`", " ".join(f"`{entry['name']}`" for entry in self.entries("sections", profile) if view["name"] in entry["views"]),
                 " / ".join(map(str, view["pace"])), "yes" if view["inside"] else "no") for view in self.definitions.entries("views")]
        return chapters.table(("view", "its sections", "pace, ms", "changes inside the reply"), *rows)

    def why(self, profile):
        rows = [(f"`{entry['name']}`", entry["about"]) for entry in self.entries("why", profile)]
        return chapters.table(("`why`", "what there is to say beside the outcome"), *rows)

    def txt(self, profile):
        rows = [(f"`{entry['name']}`", entry["about"]) for entry in self.entries("txt", profile)]
        return chapters.table(("key", "means"), *rows)

    def profiles(self):
        rows = []
        for name, said in pages.profiles().items():
            if name != "core":
                long = f"{words(plain(self.written(text_of(f'{PROTOCOL}/profiles/{name}.md')))):,}"
                rows.append((f"[{name}]({name}.md)", str(said["version"]), said["date"], f"`{said['code']}`", said["about"],
                             ", ".join(f"`{one}`" for one in said.get("needs", [])) or "-", said["from"], long))
        return chapters.table(("profile", "version", "date", "in TXT", "for", "needs", "in this hub", "words"), *rows)

    def gone(self):
        return chapters.table(("rule", "why"), *((f"`{rule}`", why) for rule, why in json_of("levels.json")["gone"].items()))

    def retired(self):
        some = self.definitions.registries["retired"]["names"].items()
        return chapters.table(("kind", "names"), *((kind, " ".join(f"`{name}`" for name in names)) for kind, names in some))

    def vendors(self):
        rows = [(entry["name"], f"{entry['longest']} bytes" if "longest" in entry else "-", entry["vendors"]) for entry in self.definitions.entries("vendors")]
        return chapters.table(("registry", "longest name", "vendors"), *rows)

    def reasons(self):
        return chapters.table(("reason", "of"), *((f"`{entry['name']}`", entry["about"]) for entry in self.definitions.entries("reasons")))

    def kinds(self):
        rows = []
        for profile in pages.profiles():
            own = self.entries("kinds", profile)
            if own:
                rows.append((f"`{profile}`", *(" ".join(f"`{entry['name']}`" for entry in own if entry.get("container", False) is wanted) or "-" for wanted in (False, True))))
        return chapters.table(("profile", "can be current", "containers"), *rows)

    def evidence_for(self, rule):
        found = [f"{LETTERS[kind]} {name}" for kind, name in sorted(self.shown.get(rule, ())) if kind in LETTERS]
        coming = [f"{LETTERS[kind]} *{name}*" for kind, name in self.later.get(rule, ())]
        first = [one for one in found if one.startswith("s ")][:SHOWN] + [one for one in found if one[0] in "cv"][:1]
        return coming + first or found[:SHOWN]

    def evidence(self, folder):
        lines = []
        for path, text in pages.pages().items():
            rules = sorted({rule for rule, _ in pages.rules_in(text)})
            if path.startswith(f"{folder}/") and rules:
                rows = [f"{rule[3:]} {', '.join(self.evidence_for(rule)) or '**none**'}" for rule in rules]
                lines.append(f"## {os.path.basename(path).removesuffix('.md')}\n\n" + " ·\n".join(rows) + "\n")
        return "\n".join(lines)

    def part(self, name):
        word, _, rest = name.partition(" ")
        made = getattr(self, word)
        return made(rest) if rest else made()

    def written(self, text):
        return PART.sub(lambda part: part[1] + "\n" + self.part(part[2]).strip("\n") + "\n\n" + part[3], text)

    def without_evidence(self):
        for path, text in pages.pages().items():
            yield from (f"{path}: {rule} has no evidence" for rule, _ in pages.rules_in(text) if not self.evidence_for(rule))


def own_names(member):
    """The names of commands that the path of a member may begin with."""
    parts = re.split(r"[.\[]", member)
    return [parts[0], ".".join(parts[:2])]


def paths():
    """Chapters and pages; the list of profiles last, since it says how long they are."""
    found = pages.files("core/*.md") + pages.files("profiles/*.md")
    return sorted(found, key=lambda path: path.endswith("README.md"))


def outputs(definitions):
    """Path below Protocol/ -> text."""
    tables = Tables(definitions)
    return {path: tables.written(text_of(f"{PROTOCOL}/{path}")) for path in paths()}


def words(text):
    return len(text.split())


def plain(text):
    """A text without blocks of JSON and comments."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.sub(r"<!--.*?-->", "", text)


def parts(text):
    """Headings with their texts."""
    found = re.split(r"^(#+ .*)$", text, flags=re.MULTILINE)
    return [("", found[0])] + list(zip(found[1::2], found[2::2]))


def for_watch(path, text):
    """What of a page a reader who builds a watch has to read: the text that is not marked to be left out."""
    whole = {"core/3-connection.md", "core/4-state.md", "core/5-commands.md", "profiles/watch.md", "profiles/network.md"}
    chosen = {"core/2-transport.md": ["## WebSocket"], "core/6-queue.md": ["## Modes"], "core/7-limits.md": ["## Error codes", "## Close codes"]}
    kept = [heading + "\n" + body for heading, body in parts(plain(text))
            if not body.strip().startswith("*Not for a watch.*") and (path in whole or heading in chosen.get(path, ()))]
    return "".join(re.sub(r"\*\*\w+\*\*[^\n]*(?:\n(?!\n).*)*?\*Not for a watch\.\*", "", part) for part in kept)


def count():
    sums = [0, 0, 0]
    for path in paths():
        text = text_of(f"{PROTOCOL}/{path}")
        counted = [words(text), words(plain(text)), words(for_watch(path, text))]
        print(f"{path:28}" + "".join(f"{number:8}" for number in counted))
        if path.startswith("core/") and not path.endswith("evidence.md"):
            sums[:2] = [a + b for a, b in zip(sums, counted[:2])]
        sums[2] += counted[2]
    print(f"Core: {sums[0]} in all, {sums[1]} without JSON; a watch reads {sums[2]}")


def main():
    from tools.definitions import Definitions
    parser = argparse.ArgumentParser(description="Writes the generated tables of Core and of the profiles.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="write nothing, and fail for each page that is out of date")
    choice.add_argument("--words", action="store_true", help="how long the pages are")
    chosen = parser.parse_args()
    if chosen.words:
        return count()
    definitions = Definitions()
    old = {path: text for path, text in outputs(definitions).items() if text != text_of(f"{PROTOCOL}/{path}")}
    if chosen.check:
        wrong = [f"{path} is out of date: run python3 Protocol tables" for path in old] + list(Tables(definitions).without_evidence())
        print("\n".join(wrong), end="\n" if wrong else "")
        return bool(wrong)
    for path, text in old.items():
        with open(f"{PROTOCOL}/{path}", "w", encoding="utf-8") as file:
            file.write(text)
        print(f"core_tables.py: wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
