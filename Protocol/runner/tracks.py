"""Music for scenarios from what a hub offers itself: which of its tracks stands for which file that a scenario names.

A hub that runs already, and one whose adapter says in `playable` what it has, are asked for no files.
"""

from runner.failing import Unfit

# A track that is shorter is about to end before a scenario has looked at it.
LEAST_MS = 5000
# Items that are named in one command.
MOST = 400


class Tracks:
    """The tracks of a hub: uri, length in ms and title of each, the longest first."""

    def __init__(self, found):
        self.found = sorted(found, key=lambda one: -one["ms"])

    def reason(self, wanted):
        """Why a scenario cannot have the music that it wants, or nothing."""
        contents = list(wanted.get("music", {}).values())
        if any(isinstance(one, str) or isinstance(one, dict) and (one.get("broken") or "picture" in one) for one in contents):
            return "music that cannot be played, or files beside it"
        if any(isinstance(one, dict) and set(one) - {"seconds"} for one in contents):
            return "music with names of its own"
        if wanted.get("tracks", 0) > MOST:
            return f"{wanted['tracks']} tracks"
        needed = [seconds(one) * 1000 for one in contents]
        if any(ms < LEAST_MS for ms in needed):
            return "music that is over in a moment"
        if (needed or wanted.get("tracks")) and not self.found:
            return "music: name some of the hub's with --playable URI,URI"
        if needed and self.found[0]["ms"] < max(needed):
            return f"a track of {max(needed) // 1000:.0f} s or more"
        return None

    def variables(self, wanted):
        """What the names of a scenario's music stand for."""
        long_enough = {}
        names = sorted(wanted.get("music", {})) + [f"{number:04}.wav" for number in range(wanted.get("tracks", 0))]
        for place, name in enumerate(names):
            least = seconds(wanted.get("music", {}).get(name, 0)) * 1000
            fit = long_enough.setdefault(least, [one for one in self.found if one["ms"] >= least])
            yield name, fit[place % len(fit)]["uri"]
            yield from lengths(name, fit[place % len(fit)]["ms"])
        if len(names) == 1:
            yield "all", next(iter(self.found))["uri"]
        elif names:
            yield "all.names", names


def lengths(name, ms):
    """How long a track is, as scenarios ask for it."""
    return [(f"{name}.ms", ms), (f"{name}.s", ms // 1000)]


def seconds(content):
    return content.get("seconds", 0) if isinstance(content, dict) else content if isinstance(content, (int, float)) else 0


def find(keeper, named):
    """The tracks of a hub: those that are named, those in its queue, and those that its library shows."""
    uris = list(named)
    if not uris:
        uris = [row["uri"] for row in keeper.rows() if "uri" in row]
    if not uris and any(one.startswith("library@") for one in keeper.welcome.get("features", [])):
        # Words are looked for by their beginnings, and nothing finds everything.
        answers = [keeper.ask("lib.search", q=letter, kinds=["track"], limit=20) for letter in "aetsm"]
        uris = [row["uri"] for answer in answers for row in (answer or {}).get("d", {}).get("rows", []) if "uri" in row]
    return list(dict.fromkeys(uris))[:40]


def measured(keeper, uris):
    """What the hub says of these items once they are in its queue, which must be empty."""
    found = []
    for uri in uris:
        answer = keeper.answer("queue.add", {"uris": [uri]})
        if not answer.get("ok"):
            raise Unfit(f"the hub does not take {uri!r} of --playable: {answer['err'].get('code')}: {answer['err'].get('msg')}")
    for row in keeper.rows():
        if "uri" in row and not row.get("live"):
            found.append({"uri": row["uri"], "ms": row.get("durMs", 0), "title": row.get("title", "")})
    unique = {one["uri"]: one for one in found}
    return list(unique.values())
