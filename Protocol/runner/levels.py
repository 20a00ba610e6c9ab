"""Profiles of the specification as levels that a hub or a client may claim: what belongs to each, and how well it is kept."""

from runner import needs, pages
from runner.failing import Mistyped
from runner.report import blamed


class Levels:
    """The levels that are judged: those that were asked for, by their names with commas between them, or those that a hub announces.

    Without either everything is wanted. `notes` are sentences about what was announced. Only rules that bind the `side` that is judged are counted.
    """

    def __init__(self, names, features=None, side="hub"):
        self.side = side
        self.names = list(dict.fromkeys(filter(None, names.split(",")))) if names else []
        unknown = set(self.names) - set(pages.profiles())
        if unknown:
            raise Mistyped(f"there is no level {', '.join(sorted(unknown))}: there are {', '.join(pages.profiles())}")
        self.notes, self.false = [], {}
        if features is not None and not names:
            self.names = ["core", *self.announced(features)]
        # What a level needs is claimed with it, but judged only where it is named.
        self.claimed = {one for name in self.names for one in pages.closure(name)} or None

    def announced(self, features):
        """The profiles of a list of features that this kit can judge."""
        for feature in features:
            name, _, version = str(feature).partition("@")
            if name == "core" or name not in pages.profiles():
                self.notes.append(f"The hub announces {feature}, which this kit does not know, so it is not judged.")
            elif version != pages.version(name):
                self.notes.append(f"The hub announces {feature}, and this kit judges {name}@{pages.version(name)}.")
            else:
                yield name

    def wanted(self, known):
        return [case for case in known if not self.names or case["level"] in self.names]

    def reason(self, case):
        """Why a case of a wanted level is not asked: it uses what is not claimed."""
        beyond = [name for name in case.get("with", ()) if self.claimed and name not in self.claimed]
        return f"it uses {' and '.join(beyond)}, which is not claimed" if beyond else None

    def mistakes(self, known, conduct):
        """Announced levels whose commands the hub does not know, as sentences by level; `conduct` says what it answers to a command."""
        for name in self.names:
            own = [method for method, one in needs.definitions().items() if one["level"] == name]
            missing = sorted(method for method in own if conduct(method) == "unknown_command")
            if missing:
                self.false[name] = f"it is claimed, and the hub does not know {', '.join(missing[:6])}" + (f" and {len(missing) - 6} more" if missing[6:] else "")
        return [case for case in known if case["level"] not in self.false and not set(case.get("with", ())) & set(self.false)]

    def results(self, known, results):
        """How well each level is kept, as objects."""
        levels, binding = {case["id"]: case.get("level") for case in known}, pages.binding(self.side)
        of_rule = {rule: level for rule, level in pages.rules().items() if rule in binding}
        for level in self.names:
            own = [one for one in results if levels.get(one["id"]) == level]
            asked = [one for one in own if not one.get("skipped")]
            rules = {rule for one in asked for rule in one["ids"] if of_rule.get(rule) == level}
            broken = sorted({rule for one in asked for rule in blamed(one) if of_rule.get(rule) == level})
            passed = sum(not one["wrong"] for one in asked)
            yield {"level": level, "version": pages.version(level), "passed": passed, "asked": len(asked), "skipped": len(own) - len(asked),
                   "rules": {"judged": len(rules | set(broken)), "of": sum(of == level for of in of_rule.values()), "for": self.side, "broken": broken},
                   "kept": bool(asked) and passed == len(asked) and level not in self.false, **({"why": self.false[level]} if level in self.false else {})}

    def verdicts(self, known, results):
        """A sentence for each level: how many of its cases have passed, of those that were asked."""
        return [sentence(one) for one in self.results(known, results)]


def sentence(one):
    if "why" in one and not one["asked"]:
        return f"{one['level']} {one['version']}: not kept: {one['why']}"
    rules = one["rules"]
    parts = [f"{one['level']} {one['version']}: {one['passed']} of {one['asked']} passed, {one['skipped']} skipped",
             *([f"{rules['judged']} of {rules['of']} rules for {rules['for']}s were judged by them"] if rules["of"] else []),
             *([one["why"]] if "why" in one else [])]
    return "; ".join(parts)
