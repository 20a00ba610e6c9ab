"""The parts of the chapters that follow from the definitions: the commands of chapter 5, the registries of chapter 11."""

import json

from tools.definitions import KEYS, PROTOCOL, json_of, text_of
from tools.parameters import TOKENS, shape_of

BEGIN = "<!-- written by tools/build.py from {source}; change that instead -->"
END = "<!-- end of what tools/build.py writes -->"


def table(*rows):
    """A table of Markdown; the first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def change(name):
    """A link to the page of the change since which something exists."""
    heading = text_of(f"{PROTOCOL}/changes/{name}.md").split("\n", 1)[0].lstrip("# ")
    return f"[{name[:4]} {heading}](../changes/{name}.md)"


def quoted(value):
    return f"`{json.dumps(value, ensure_ascii=False)}`" if not isinstance(value, str) else f"`{value}`"


def listed(values):
    *most, last = [quoted(value) for value in values]
    return f"{', '.join(most)} or {last}" if most else last


def texts(shape):
    """How long a text may be, in words."""
    if "pattern" in shape:
        found = TOKENS.match(shape["pattern"])
        return f"{found[1]} to {found[2]} of `A-Z a-z 0-9 - _`"
    return f"text, {shape['minLength']} to {shape['x-maxBytes']} bytes"


def form(shape, shapes):
    """What a parameter may be, in words."""
    if "$ref" in shape:
        shared = shapes[shape_of(shape)]
        # The kinds of item are too many for a cell.
        return listed(shared["enum"]) if 1 < len(shared.get("enum", ())) < 10 else shared["title"]
    if "enum" in shape:
        return listed(shape["enum"])
    if "const" in shape:
        return quoted(shape["const"])
    kind = shape["type"]
    if kind == "integer":
        most = shape.get("maximum")
        return f"whole number {shape['minimum']} to {most}" if most is not None else f"whole number from {shape['minimum']}"
    if kind == "array":
        return f"{shape['minItems']} to {shape['maxItems']} of: {form(shape['items'], shapes)}"
    return "`true` or `false`" if kind == "boolean" else texts(shape)


def parameters(command, shapes):
    if not command["parameters"]:
        return "No parameters."
    several = len(command.get("forms", ())) > 1
    needed = [set(each.get("required", ())) for each in command.get("forms", ())] if several else [set(command.get("required", ()))]
    rows = [("parameter", "form", "default", "meaning")]
    for name, shape in command["parameters"].items():
        usual = "required" if all(name in each for each in needed) else quoted(shape["default"]) if "default" in shape else "-"
        rows.append((f"`{name}`", form(shape, shapes), usual, shape["title"]))
    said = table(*rows)
    if several:
        said += "\n\nThe parameters have one of these forms: " + "; ".join(listed(each["members"]).replace(" or ", " and ") for each in command["forms"]) + "."
    if command.get("reservedParameters"):
        said += f"\n\n*Reserved*, and answered by `unsupported`: {listed(command['reservedParameters']).replace(' or ', ' and ')}."
    return said


def result(command):
    what = command["result"]
    if not what:
        return "**Result.** The outcome says everything."
    path = what["schema"].partition("#")[0]
    return f"**Result**, in `{what['member']}`. {what['about']} Schema: [{path[:-5]}](../schema/v1/{path})."


def errors(command):
    if not command["errors"]:
        return "**Errors.** None but [those of every command](#errors-of-every-command)."
    rows = [(f"`{code}`", error["when"], error["client"]) for code, error in command["errors"].items()]
    return "**Errors**, beside [those of every command](#errors-of-every-command):\n\n" + table(("error", "when", "the client"), *rows)


def examples(command):
    lines = [json.dumps(json_of(f"examples/{name}.json"), separators=(",", ":"), ensure_ascii=False) for name in command["examples"]]
    return "```json\n" + "\n".join(lines) + "\n```"


def section(command, shapes):
    """The section of one command."""
    letter = command["class"] + (f", with `{command['keyedWith']}` K" if "keyedWith" in command else "")
    parts = [
        f"#### {command['name']}", command["about"], f"Class {letter}. Role `{command['role']}`. Since {change(command['since'])}.",
        parameters(command, shapes), result(command), errors(command), *command.get("notes", ()), KEYS[command.get("keys", "shared")].format(command["name"]),
        examples(command),
    ]
    return "\n\n".join(filter(None, parts))


def commands(definitions):
    """Chapter 5: the table of all commands, what every command may be answered, and one section for each."""
    rows = [("command", "does", "class", "role", "since")]
    for command in definitions.built:
        letter = command["class"] + (f", with `{command['keyedWith']}` K" if "keyedWith" in command else "")
        anchor = command["name"].lower().replace(".", "")
        rows.append((f"[`{command['name']}`](#{anchor})", command["about"], letter, command["role"], command["since"][:4]))
    every = [(f"`{entry['name']}`", entry["about"], entry["client"]) for entry in definitions.entries("errors") if entry["every"]]
    parts = [table(*rows), "### Errors of every command", "Any command may be refused with one of these:", table(("error", "when", "the client"), *every)]
    for group in definitions.groups:
        members = [definitions.commands[name] for name in group["commands"]]
        if not members[0].get("reserved"):
            parts += [f"### {group['title']}", *(section(command, definitions.shapes) for command in members)]
    return "\n\n".join(parts)


COLUMNS = {
    "messages": (("message", "name"), ("sent by", "from"), ("does", "about")),
    "sections": (("section", "name"), ("scope", "scope"), ("profiles", "profiles"), ("holds", "about")),
    "capabilities": (("capability", "name"), ("means", "about")),
    "errors": (("code", "name"), ("retry", "retry"), ("means", "about")),
    "closes": (("code", "name"), ("means", "about")),
    "txt": (("key", "name"), ("means", "about")),
    "frames": (("first byte", "name"), ("sent by", "from"), ("carries", "about")),
}
TITLES = {
    "messages": "Messages", "sections": "Names of sections", "capabilities": "Capabilities", "errors": "Codes of errors", "closes": "Codes of closing",
    "txt": "Keys of the discovery record", "frames": "Types of binary frames",
}


def cell(entry, member):
    value = entry.get(member, "")
    if member == "name":
        return f"`{value}`"
    return " ".join(value) if isinstance(value, list) else str(value)


def registries(definitions):
    """Chapter 11: every name that is taken, and whether it is built."""
    rows = [(f"`{command['name']}`", command["about"], command["class"], command["role"], status(command)) for command in definitions.commands.values()]
    parts = ["### Names of commands", table(("name", "does", "class", "role", "status"), *rows)]
    for name, columns in COLUMNS.items():
        heads = (*(head for head, _ in columns), "status")
        found = [(*(cell(entry, member) for _, member in columns), status(entry)) for entry in definitions.entries(name)]
        parts += [f"### {TITLES[name]}", definitions.registries[name]["about"].replace("_baton._tcp", "`_baton._tcp`"), table(heads, *found)]
    return "\n\n".join(parts)


def status(entry):
    return "*reserved*" if entry.get("reserved") else f"since {entry['since'][:4]}"


def filled(chapter, source, text):
    """The chapter with what stands between its marks replaced."""
    begin = BEGIN.format(source=source)
    if begin not in chapter or END not in chapter.partition(begin)[2]:
        raise ValueError(f"a chapter lacks the lines “{begin}” and “{END}”")
    before, _, rest = chapter.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{END}{rest.partition(END)[2]}"


def outputs(definitions):
    """Path below Protocol/ -> text."""
    found = {}
    for path, source, text in (("spec/05-commands.md", "commands/", commands), ("spec/11-extensibility.md", "registries/", registries)):
        found[path] = filled(text_of(f"{PROTOCOL}/{path}"), source, text(definitions))
    return found
