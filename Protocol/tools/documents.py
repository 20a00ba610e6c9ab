"""Whether the documents of this folder hold together; prints one sentence for each fault.

Links lead to files and headings that exist, inside this folder or to public standards. Each JSON block of a chapter is
valid by the schemas. Each sentence with MUST or SHOULD in capitals belongs to a rule with an id and names the side that it
binds, and each rule stands in one place.
"""

import glob
import os
import re
import sys

from runner import pages, schema
from tools.definitions import PROTOCOL, text_of
from tools.markdown import anchor

# Where public standards are published, and the licences of this text.
STANDARDS = {
    "www.rfc-editor.org", "datatracker.ietf.org", "www.w3.org", "json-schema.org", "www.asyncapi.com", "www.unicode.org", "www.iana.org",
    "tc39.es", "html.spec.whatwg.org", "websockets.spec.whatwg.org", "creativecommons.org", "www.apache.org",
}
MARK = re.compile(r"\[(BT-[A-Z]+-\d{3})\]")
BINDS = re.compile(r"\b(MUST|SHALL|REQUIRED|SHOULD)\b")
SIDES = re.compile(r"\b(hubs?|clients?|devices?|browsers?|scripts?|listeners?|senders?|receivers?|implementations?|sides?)\b", re.IGNORECASE)
# Documents beside the pages that show messages.
FIRST = ("README.md", "TUTORIAL.md", "changes/core-1.0.md")
# Shapes that a chapter shows by themselves, beside the sections and the results of commands.
SHAPES = ("row", "item", "playedItem", "list", "listItem", "error", "rule", "listOp")


def documents():
    """Every document of this folder, by its path below it."""
    found = glob.glob(f"{PROTOCOL}/**/*.md", recursive=True)
    return {os.path.relpath(path, PROTOCOL): text_of(path) for path in sorted(found)}


def prose(text):
    """The text without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(text):
    return [anchor(line.lstrip("#")) for line in prose(text).split("\n") if re.match(r"#{1,6} ", line)]


def links(path, text, texts):
    """Links of one document that lead nowhere, or out of this folder to anything but a standard."""
    for name in sorted({each for each in headings(text) if headings(text).count(each) > 1}):
        if pages.is_page(path):
            yield f"{path}: two headings are #{name}"
    for address in sorted(set(re.findall(r"(?<!!)\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "``", prose(text))))):
        if found := re.match(r"https?://([^/:]+)", address):
            if found[1] not in STANDARDS:
                yield f"{path}: {address} is on a machine that publishes no standard"
            continue
        target, _, place = address.partition("#")
        whole = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if whole.startswith(".."):
            yield f"{path}: {address} leads out of this folder"
        elif not os.path.exists(f"{PROTOCOL}/{whole}"):
            yield f"{path}: {address} leads to no file"
        elif place and whole in texts and place not in headings(texts[whole]):
            yield f"{path}: {address} leads to no heading"


def values(block):
    """The JSON values of a block: one a line, or the whole block."""
    lines = [line for line in block.split("\n") if line.strip()]
    try:
        return [schema.strict(line) for line in lines]
    except schema.NotJSON:
        return [schema.strict(block)]


def shown(text):
    return re.findall(r"^```json\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def fitting(validator, value):
    """The schemas that a value could be of: its message's, else those of parts that a chapter shows alone."""
    if isinstance(value, dict) and "t" in value and "entry" not in value:
        return [f"{side}/{value['t']}" for side in ("client", "hub") if f"{side}/{value['t']}" in validator.schemas]
    parts = [name for name in validator.schemas if name.startswith(("section/", "hub/data/", "client/command/"))]
    return parts + [f"shape/{name}" for name in SHAPES]


def blocks(path, text, validator):
    """Blocks of JSON that no schema describes."""
    for block in shown(text):
        try:
            each = values(block)
        except schema.NotJSON as error:
            yield f"{path}: a block is not JSON ({error}): {block[:100]}"
            continue
        for value in each:
            wrong = [validator.complaints(name, value) for name in fitting(validator, value)]
            if [] not in wrong:
                closest = min((found for found in wrong if found), key=len, default=["no message has this type"])
                yield f"{path}: {str(value)[:120]}: {closest[0]}"


def parts(text):
    """Paragraphs, items of lists and rows of tables, each as its sentences with the marks behind them."""
    for part in re.split(r"\n\s*\n|\n(?=[|#-])", re.sub(r"<!--.*?-->", "", prose(text), flags=re.DOTALL)):
        part = " ".join(part.split())
        # A sentence ends before the next one begins, and the marks that follow its point belong to it.
        yield [part] if part.startswith("|") else re.split(r"(?<=[.?!\]])\s+(?=[A-Z`*“])(?!\[BT)", part)


def binding(path, text):
    """Sentences that bind and are in no rule, and those that do not say whom they bind. A rule's mark stands at its end."""
    for sentences in parts(text):
        said = [re.sub(r"`[^`]*`", "``", sentence) for sentence in sentences]
        for index, sentence in enumerate(said):
            if not BINDS.search(sentence) or "BCP 14" in sentence:
                continue
            if not MARK.search(" ".join(said[index:])):
                yield f"{path}: it binds and has no rule: {sentences[index][:140]}"
            if not SIDES.search(sentence):
                yield f"{path}: it does not say whom it binds: {sentences[index][:140]}"


def rules(texts):
    """Rules that stand in two places."""
    found = {}
    for path, text in texts.items():
        for name in MARK.findall(re.sub(r"`[^`\n]*`", "", prose(text))):
            found.setdefault(name, []).append(path)
    for name, paths in found.items():
        if len(paths) > 1:
            yield f"{name} stands in {' and '.join(paths)}"


def complaints():
    texts = documents()
    found = schema.load()
    found |= {f"shape/{name}": {"$ref": f"../common.json#/$defs/{name}"} for name in SHAPES}
    validator = schema.Validator(found)
    for path, text in texts.items():
        yield from links(path, text, texts)
        if re.search(r"^(<{7}|>{7}) ", text, flags=re.MULTILINE):
            yield f"{path}: a merge was not finished"
        if pages.is_page(path) or path in FIRST:
            yield from blocks(path, text, validator)
        if pages.is_page(path):
            yield from binding(path, text)
    yield from rules({path: text for path, text in texts.items() if pages.is_page(path)})


def main():
    wrong = list(complaints())
    for sentence in wrong:
        print(f"documents.py: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
