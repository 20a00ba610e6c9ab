"""Says whether a rule, a definition or a byte budget is another than in the version of its profile that was written down.

    python3 Protocol versions             fails with a sentence for each that has changed without a new version
    python3 Protocol versions --record    writes down versions that are new, where each has its page

`versions.json` holds, for each profile, its version, the date, and a digest of each rule, budget and definition. So a change is found in any copy
of the folder, and no history is asked. A new version has a later one in `levels.json`, a date, and a page in `changes` that says the date and what an
implementer changes. Only then is it written down: what stands in `versions.json` for a version is never written anew.
"""

import argparse
import hashlib
import json
import os
import re
import sys

from runner import pages
from runner.pages import files, read
from tools.definitions import PROTOCOL, text_of

RECORD = "versions.json"
# The page of the first versions of all profiles.
FIRST = "changes/core-1.0.md"
ABOUT = "The versions that stand, each with a digest of all that it says: written by python3 Protocol versions --record, and by nobody's hand."
# What a definition says for programs and examples alone, beside the keywords of `schema/README.md` that begin with x-.
UNBOUND = {"$schema", "$comment", "called", "description", "examples", "groups", "rules"}
BINDING = {"x-maxBytes"}
# What is written from others: views from the registry of sections, commands from their files, and the schema of what vendors add.
WRITTEN = ("registries/commands.json",)
DATE = re.compile(r"\d{4}-\d\d-\d\d")
TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


def digest(content):
    said = content if isinstance(content, str) else json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def rules():
    """Rules, and the rows beside them in their tables, as (profile, path, name, content). A row says its numbers behind its mark."""
    for path, text in pages.pages().items():
        for name, words in pages.rules_in(text):
            yield pages.level_of(path), path, name, words
        for table in TABLE.findall(pages.TABLE.sub("", text)):
            rows = table.strip().split("\n")[2:]
            if not any(map(pages.MARK.search, rows)):
                continue
            for row in rows:
                marks = pages.MARK.findall(row)
                first = pages.MARK.sub("", row.split("|")[1]).strip()
                yield pages.level_of(path), path, marks[0] if marks else f"{path}, row “{first}”", " ".join(row.split())


def foreign():
    """The profiles of names that lists in definitions of another profile may hold, such as an error code of `library` in Core's shape of errors."""
    found = {}
    for path in files("registries/*.json"):
        for entry in read(path).get("entries", ()):
            if "level" in entry:
                found.setdefault(str(entry["name"]), set()).add(entry["level"])
    return found


class Definition:
    """One definition, taken apart by profiles: what another profile adds to it is that profile's."""

    def __init__(self, path, strangers):
        self.path, self.strangers, self.parts = path, strangers, []

    def take(self, value, name, level):
        """What is of this profile in a value, whose parts of others become parts of their own."""
        self.parts.append((level, self.path, name, self.own(value, name, level, set())))

    def own(self, value, name, level, gone):
        if isinstance(value, list):
            said = (one for one in value if not (isinstance(one, (str, int)) and (one in gone or self.is_strange(one, level))))
            return [self.own(one, f"{name}/{at}", level, gone) for at, one in enumerate(said)]
        if not isinstance(value, dict):
            return value
        beside = set(gone)
        for group in ("parameters", "properties"):
            beside |= {each for each, shape in value.get(group, {}).items() if isinstance(shape, dict) and shape.get("level", level) != level}
        kept = {}
        for key, content in value.items():
            if key in UNBOUND or (key.startswith("x-") and key not in BINDING):
                continue
            if isinstance(content, dict) and isinstance(content.get("level"), str) and content["level"] != level:
                self.take(content, f"{name}/{key}", content["level"])
            else:
                kept[key] = self.own(content, f"{name}/{key}", level, beside)
        return kept

    def is_strange(self, word, level):
        of = self.strangers.get(str(word), ())
        return bool(of) and level not in of


def definitions():
    """All definitions, as (profile, path, name, content)."""
    strangers = foreign()
    for path in files("commands/*.json"):
        yield from taken(path, strangers, read(path), read(path)["level"])
    for registry in set(files("registries/*.json")) - set(WRITTEN):
        content = read(registry)
        for entry in content.get("entries", ()):
            yield from taken(registry, strangers, entry, entry.get("level", "core"), f"/{entry['name']}")
        if "names" in content:
            yield from taken(registry, {}, content["names"], "core")
    sections = {entry["name"]: entry["level"] for entry in read("registries/sections.json")["entries"]}
    messages = {entry["name"]: entry["level"] for entry in read("registries/messages.json")["entries"]}
    commands = {os.path.basename(path): read(path)["level"] for path in files("commands/*.json")}
    # The schema of commands is written from their files.
    for path in files("schema/v1/section/*.json") + files("schema/v1/hub/*.json") + files("schema/v1/client/*.json") + files("schema/v1/hub/data/*.json"):
        name, of = os.path.basename(path), os.path.basename(os.path.dirname(path))
        level = commands.get(name) if of == "data" else (sections if of == "section" else messages).get(name.removesuffix(".json"))
        if path != "schema/v1/client/cmd.json":
            yield from taken(path, strangers, read(path), level or "core")
    for name, shape in read("schema/v1/common.json")["$defs"].items():
        yield from taken("schema/v1/common.json", strangers, shape, shape.get("level", "core"), f"/{name}")
    for name, profile in pages.profiles().items():
        yield name, "levels.json", f"levels.json/{name}", {key: profile[key] for key in ("code", "needs") if key in profile}


def taken(path, strangers, value, level, name=""):
    definition = Definition(path, strangers)
    definition.take(value, path + name, level)
    return definition.parts


def present():
    """profile -> name -> (path, digest)."""
    found = {profile: {} for profile in pages.profiles()}
    for profile, path, name, content in (*rules(), *definitions()):
        if profile in found:
            # A rule stands in a row, too, whose words and numbers both count.
            before = found[profile].get(name, (path, ""))[1]
            found[profile][name] = (path, digest(before + digest(content)))
    return found


def number(version):
    return tuple(int(part) for part in str(version).split("."))


def following(version):
    """The version behind one."""
    *major, minor = number(version)
    return ".".join(map(str, [*major, minor + 1]))


def page_of(profile, version):
    return FIRST if version in ("1.0", "1") else f"changes/{profile}-{version}.md"


def unfounded(profile, version, date):
    """What the page of a version lacks."""
    path = page_of(profile, version)
    if not DATE.fullmatch(date):
        yield f"levels.json: the date of {profile} is “{date}”, and no day"
    if not os.path.exists(f"{PROTOCOL}/{path}"):
        yield f"{path} is missing: say there the date {date} of {profile} {version}, why, and what an implementer changes"
        return
    text = text_of(f"{PROTOCOL}/{path}")
    days = DATE.findall(text)
    if not days or (path != FIRST and days[0] != date):
        yield f"{path} does not begin with {date}, the date of {profile} {version}"
    if not re.search(r"implementers? changes?", text, re.IGNORECASE):
        yield f"{path} does not say what an implementer changes"


def changed(profile, recorded, found):
    """What is another than in the version that was written down."""
    version = recorded["version"]
    wanted = f"give {profile} version {following(version)} in levels.json, and a page {page_of(profile, following(version))}"
    for name, (path, now) in found.items():
        if recorded["says"].get(name) != now:
            what = "is another than" if name in recorded["says"] else "is not"
            yield f"{name if name.startswith(path) else f'{path}: {name}'} {what} in {profile} {version}: {wanted}"
    yield from (f"{RECORD}: {name} is in {profile} {version}, and is gone: {wanted}" for name in recorded["says"] if name not in found)


def complaints(recorded, found, is_recording=False):
    """One sentence for each profile, or each part of one, that is not as it was written down."""
    for profile, about in pages.profiles().items():
        version, date, known = str(about["version"]), about["date"], recorded.get(profile)
        yield from unfounded(profile, version, date)
        if known and version == known["version"]:
            yield from changed(profile, known, found[profile])
        elif known and number(version) < number(known["version"]):
            yield f"levels.json: {profile} is {version}, and {known['version']} was written down before"
        elif known and date < known["date"]:
            yield f"levels.json: {profile} {version} is of {date}, and {known['version']} of {known['date']}"
        elif not is_recording:
            yield f"{RECORD}: {profile} {version} is not written down: run python3 Protocol versions --record"
    yield from (f"levels.json: there is no profile {profile} any more, and {RECORD} has its version" for profile in recorded if profile not in found)


def written(recorded, found):
    """The record with the versions that it lacks."""
    whole = {"about": ABOUT}
    for profile, about in pages.profiles().items():
        version, known = str(about["version"]), recorded.get(profile)
        says = {name: found[profile][name][1] for name in sorted(found[profile])}
        whole[profile] = known if known and known["version"] == version else {"version": version, "date": about["date"], "says": says}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Says whether a rule, a definition or a byte budget has changed without a new version of its profile.")
    parser.add_argument("--record", action="store_true", help="write down versions that are new, where each has its page")
    chosen = parser.parse_args()
    recorded = read(RECORD) if os.path.exists(f"{PROTOCOL}/{RECORD}") else {}
    recorded.pop("about", None)
    found = present()
    wrong = list(complaints(recorded, found, chosen.record))
    if chosen.record and not wrong:
        with open(f"{PROTOCOL}/{RECORD}", "w", encoding="utf-8") as file:
            file.write(written(recorded, found))
    print("\n".join(f"versions.py: {sentence}" for sentence in wrong) or f"{len(found)} profiles, each as its version has been written down")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
