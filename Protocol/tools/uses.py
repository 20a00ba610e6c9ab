"""What examples use: the profile of each member that they show, by the schemas."""

from runner import schema
from runner.pages import closure, files, read


class Uses:
    """A reader of values that tells the profile of each of their members."""

    def __init__(self, found):
        self.found, self.validator = found, schema.Validator()

    def of(self, name):
        """The profiles that an example uses, each with the place of one member."""
        value = read(f"examples/{name}.json")
        side, _, rest = name.partition("-")
        kind, _, last = rest.partition("-")
        if side == "section":
            return self.walk(self.validator.schemas[f"section/{kind}"], f"section/{kind}", value, self.found["section"].get(kind, "core"), "")
        # What it carries is judged by its own schema.
        beside = {member: part for member, part in value.items() if member not in ("s", "d", "p")}
        parts = [self.walk(self.validator.schemas[f"{side}/{value['t']}"], f"{side}/{value['t']}", beside, self.found["message"][value["t"]], "")]
        for section, content in value.get("s", {}).items():
            level = self.found["section"].get(section, "core")
            parts += [[(level, f"/s/{section}")], self.walk(self.validator.schemas[f"section/{section}"], f"section/{section}", content, level, f"/s/{section}")]
        command = value.get("m") if value["t"] == "cmd" else last.partition("-")[0]
        if command in self.found["command"]:
            level = self.found["command"][command]
            parts.append([(level, command)])
            parts.append([(self.found["parameter"][f"{command}.{one}"], f"/p/{one}") for one in value.get("p", {})])
            if f"hub/data/{command}" in self.validator.schemas:
                parts.append(self.walk(self.validator.schemas[f"hub/data/{command}"], f"hub/data/{command}", value.get("d"), level, "/d"))
        return [one for part in parts for one in part]

    def walk(self, shape, base, value, level, at):
        """The members of a value, as (profile, place); a value may fit several forms, of which the first that it fits counts."""
        if not isinstance(shape, dict):
            return
        if "$ref" in shape:
            target, name = self.validator.resolve(shape["$ref"], base)
            yield from self.walk(target, name, value, shape.get("level", level), at)
        for form in (*shape.get("oneOf", ()), *shape.get("anyOf", ())):
            if not list(self.validator.check(form, value, "", base)):
                yield from self.walk(form, base, value, level, at)
                break
        if isinstance(value, dict):
            for name, part in shape.get("properties", {}).items():
                if name in value and isinstance(part, dict):
                    own = part.get("level", level)
                    yield own, f"{at}/{name}"
                    yield from self.walk(part, base, value[name], own, f"{at}/{name}")
        if isinstance(value, list) and isinstance(shape.get("items"), dict):
            for index, one in enumerate(value):
                yield from self.walk(shape["items"], base, one, level, f"{at}/{index}")


def wrong_examples(found):
    """Examples that show what is of a profile that theirs does not have."""
    uses, given = Uses(found), read("levels.json")["examples"]
    for path in files("examples/*.json"):
        name = path[len("examples/"):-len(".json")]
        known = set().union(*map(closure, (found["example"][name], *given.get(name, ()))))
        beyond = {level: at for level, at in uses.of(name) if level not in known}
        yield from (f"example {name} is of {found['example'][name]}, and shows {at} of {level}" for level, at in sorted(beyond.items()))


def wrong_vectors(found):
    """Vectors that are for rules of a profile that theirs does not have."""
    for path in files("vectors/v1/*.json"):
        vector = read(path)
        known = set().union(*(closure(level) for level in (vector["level"], *vector.get("with", ()))))
        yield from (f"{path} is of {vector['level']}, and shows {rule} of {found['rule'][rule]}: name it in with"
                    for rule in vector["ids"] if found["rule"].get(rule, "core") not in known)
