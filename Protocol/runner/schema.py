"""JSON Schema 2020-12, as much of it as `Protocol/schema/v1` uses, and a strict reader of JSON.

Every file there is closed: it names all that a sender may say. A reader opens it with `opened`, which
lets unknown members pass, as the specification asks of everyone who receives. A keyword that this
validator does not know is an error of the schema, never passed over.
"""

import json
import os
import re

from runner import built, files

# The profile of a member, the query that reads a list on, and how answers and sections are written (`schema/README.md`): no value is invalid by it.
WRITING = {"level", "continuedBy", "x-text", "x-omit", "x-flag", "x-page", "x-more", "x-first", "x-pair", "called", "x-unknown", "x-words", "x-terse", "x-cursor",
           "x-least", "x-hand", "x-writer", "x-type", "x-values", "x-inline", "x-key", "x-required", "x-bytes", "x-bare",
           "x-strict", "x-package", "x-public", "x-usual", "x-unbound", "x-lenient"}
IGNORED = {"$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples"} | WRITING


class NotJSON(Exception):
    """The text is not what the specification calls JSON."""


def is_whole(word):
    """Whether a number has no fractional part, by its digits: a float may have lost them."""
    mantissa, _, exponent = word.lower().partition("e")
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = whole + fraction
    return not digits.strip("0") or len(digits) - len(digits.rstrip("0")) - len(fraction) + int(exponent or 0) >= 0


def strict(text):
    """Reads JSON as the specification narrows it: unique names, whole characters, safe numbers."""
    def pairs(items):
        names = [name for name, _ in items]
        if len(set(names)) != len(names):
            raise NotJSON("a member name appears twice")
        return dict(items)

    def safe(word):
        value = float(word)
        if abs(value) > 2**53 - 1:
            raise NotJSON(f"{word} is beyond 2^53 - 1")
        # 1e-999 is no integer, although the nearest float is 0.
        return int(value) if value.is_integer() and is_whole(word) else value

    def refuse(word):
        raise NotJSON(f"{word} is not a number of JSON")
    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=safe, parse_float=safe, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise NotJSON("half of a surrogate pair") from None
    except (ValueError, RecursionError) as error:
        raise NotJSON(str(error)) from None
    return value


def load(folder=None):
    """Every schema of a folder, by its path below it without `.json`; of the protocol when none is named."""
    if folder:
        return {path[:-5]: files.read(path, folder) for path in files.names(".", folder=folder)}
    folder = files.PROTOCOL if files.IS_ARCHIVE else built.folder()
    return {path.removeprefix("schema/v1/")[:-5]: files.read(path, folder) for path in files.names("schema/v1", folder=folder)}


def opened(schema):
    """The same schema for a reader: what it does not name is allowed."""
    if isinstance(schema, list):
        return [opened(item) for item in schema]
    if isinstance(schema, dict):
        return {name: opened(item) for name, item in schema.items() if not (name == "additionalProperties" and item is False)}
    return schema


def is_type(value, name):
    whole = isinstance(value, int) and not isinstance(value, bool)
    return {
        "object": isinstance(value, dict), "array": isinstance(value, list), "string": isinstance(value, str),
        "boolean": isinstance(value, bool), "null": value is None, "integer": whole,
        "number": whole or isinstance(value, float),
    }[name]


class Validator:
    def __init__(self, schemas=None):
        self.schemas = schemas if schemas is not None else load()

    def complaints(self, name, value):
        """What is wrong with a value, as sentences; nothing when it is valid."""
        return list(self.check(self.schemas[name], value, "", name))

    def misplaced(self, name, value):
        """The objects of a value whose members stand in another order than in their schema, as sentences."""
        return list(self.order(self.schemas[name], value, "", name))

    def order(self, schema, value, at, base):
        if "$ref" in schema:
            target, name = self.resolve(schema["$ref"], base)
            yield from self.order(target, value, at, name)
        for form in [form for word in ("allOf", "anyOf", "oneOf") for form in schema.get(word, ())]:
            if not list(self.check(form, value, at, base)):
                yield from self.order(form, value, at, base)
        if isinstance(value, dict):
            wish = [name for name in schema.get("properties", ()) if name in value]
            found = [name for name in value if name in wish]
            if found != wish:
                yield f"{at or '/'} is written in the order {', '.join(found)}, and its schema says {', '.join(wish)}"
            for name in wish:
                yield from self.order(schema["properties"][name], value[name], f"{at}/{name}", base)
        if isinstance(value, list):
            each = schema.get("prefixItems", [])
            for index, item in enumerate(value):
                yield from self.order(each[index] if index < len(each) else schema.get("items") or {}, item, f"{at}/{index}", base)

    def resolve(self, reference, base):
        path, _, fragment = reference.partition("#")
        name = base if not path else os.path.normpath(os.path.join(os.path.dirname(base), path))[:-5]
        target = self.schemas[name]
        for step in fragment.split("/")[1:]:
            target = target[step]
        return target, name

    def check(self, schema, value, at, base):
        if schema is True or schema is False:
            if schema is False:
                yield f"{at or '/'} may not be there"
            return
        for word, wish in schema.items():
            if word in IGNORED or word in ("then", "else"):
                continue
            rule = RULES.get(word)
            if rule is None:
                raise ValueError(f"{base} uses the keyword {word}, which this validator does not know")
            yield from rule(self, wish, value, at, base, schema)


def each(condition, sentence):
    """A rule of one condition: whether it holds, and what to say when it does not."""
    def rule(_, wish, value, at, base, schema):
        if not condition(wish, value):
            yield f"{at or '/'} {sentence.format(wish=json.dumps(wish, ensure_ascii=False)[:120])}, and is {json.dumps(value, ensure_ascii=False)[:120]}"
    return rule


def sized(kind, measure, compare):
    return lambda wish, value: not isinstance(value, kind) or isinstance(value, bool) or compare(measure(value), wish)


def properties(self, wish, value, at, base, _):
    if isinstance(value, dict):
        for name, schema in wish.items():
            if name in value:
                yield from self.check(schema, value[name], f"{at}/{name}", base)


def additional(self, wish, value, at, base, schema):
    if isinstance(value, dict):
        patterns = schema.get("patternProperties", {})
        for name in value:
            if name not in schema.get("properties", {}) and not any(re.search(one, name) for one in patterns):
                yield from self.check(wish, value[name], f"{at}/{name}", base)


def patterned(self, wish, value, at, base, _):
    if isinstance(value, dict):
        for pattern, schema in wish.items():
            for name in value:
                if re.search(pattern, name):
                    yield from self.check(schema, value[name], f"{at}/{name}", base)


def required(_self, wish, value, at, _base, _schema):
    if isinstance(value, dict):
        for name in wish:
            if name not in value:
                yield f"{at}/{name} is missing"


def items(self, wish, value, at, base, schema):
    if isinstance(value, list):
        for index in range(len(schema.get("prefixItems", [])), len(value)):
            yield from self.check(wish, value[index], f"{at}/{index}", base)


def prefix(self, wish, value, at, base, _):
    if isinstance(value, list):
        for index, (schema, item) in enumerate(zip(wish, value)):
            yield from self.check(schema, item, f"{at}/{index}", base)


def reference(self, wish, value, at, base, _):
    target, name = self.resolve(wish, base)
    yield from self.check(target, value, at, name)


def of(count_is_right, sentence):
    def rule(self, wish, value, at, base, _):
        found = [list(self.check(schema, value, at, base)) for schema in wish]
        if not count_is_right(sum(not one for one in found), len(wish)):
            closest = min(found, key=len) if found else []
            yield f"{at or '/'} {sentence}" + (f": {closest[0]}" if closest else "")
    return rule


def condition(self, wish, value, at, base, schema):
    holds = not list(self.check(wish, value, at, base))
    yield from self.check(schema.get("then" if holds else "else", True), value, at, base)


def every(self, wish, value, at, base, _):
    for schema in wish:
        yield from self.check(schema, value, at, base)


def unlike(self, wish, value, at, base, _):
    if not list(self.check(wish, value, at, base)):
        yield f"{at or '/'} is what it must not be"


RULES = {
    "type": each(lambda wish, value: any(is_type(value, name) for name in ([wish] if isinstance(wish, str) else wish)), "must be of type {wish}"),
    "const": each(lambda wish, value: wish == value and isinstance(wish, bool) == isinstance(value, bool), "must be {wish}"),
    "enum": each(lambda wish, value: any(one == value and isinstance(one, bool) == isinstance(value, bool) for one in wish), "must be one of {wish}"),
    "minimum": each(sized((int, float), lambda v: v, lambda v, w: v >= w), "must be at least {wish}"),
    "maximum": each(sized((int, float), lambda v: v, lambda v, w: v <= w), "must be at most {wish}"),
    "minLength": each(sized(str, len, lambda v, w: v >= w), "must have at least {wish} characters"),
    "maxLength": each(sized(str, len, lambda v, w: v <= w), "must have at most {wish} characters"),
    # The specification's own keyword: other validators pass it over, as they do with every word they do not know.
    "x-maxBytes": each(sized(str, lambda v: len(v.encode("utf-8")), lambda v, w: v <= w), "must have at most {wish} bytes of UTF-8"),
    "pattern": each(lambda wish, value: not isinstance(value, str) or re.search(wish, value), "must look like {wish}"),
    "minItems": each(sized(list, len, lambda v, w: v >= w), "must have at least {wish} elements"),
    "maxItems": each(sized(list, len, lambda v, w: v <= w), "must have at most {wish} elements"),
    "minProperties": each(sized(dict, len, lambda v, w: v >= w), "must have at least {wish} members"),
    "maxProperties": each(sized(dict, len, lambda v, w: v <= w), "must have at most {wish} members"),
    "properties": properties, "additionalProperties": additional, "patternProperties": patterned, "required": required,
    "items": items, "prefixItems": prefix, "$ref": reference, "allOf": every, "not": unlike, "if": condition,
    "anyOf": of(lambda right, _: right >= 1, "fits none of the forms"),
    "oneOf": of(lambda right, _: right == 1, "must fit exactly one of the forms"),
}
