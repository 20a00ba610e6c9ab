"""Parts of tables in Markdown, and values and shapes in words."""

import json

from tools.parameters import TOKENS, shape_of


def table(*rows):
    """A table of Markdown; the first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


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
