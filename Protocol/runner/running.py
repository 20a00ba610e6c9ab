"""A hub that runs already, at the addresses that were given: it is put into a known state before each scenario, and left as it was found.

What is there at the start is written down: the queue with what plays in it, level and modes, rooms, playlists, paired devices. What came to be
is taken away again, over the unix socket or by a device that is an admin; the run fails when something stays, or is not as it was.
"""

import secrets
import select
import threading
import time

from runner import device as devices, needs
from runner.failing import Unfit
from runner.keeper import LIMIT, Keeper
from runner.tracks import Tracks, find, measured
from runner.websocket import TEXT, Link
from runner.world import as_json

MODES = {"repeat": False, "shuffle": False, "single": "off", "consume": "off"}
# What comes to be in scenarios of profiles: what lists it, where its name stands, what takes it away, and the profile.
MADE = {"rooms": ("room.list", "room", "room.delete", "room", "rooms"), "playlists": ("pl.list", "id", "pl.delete", "id", "playlists"),
        "devices": ("dev.list", "dev", "dev.revoke", "dev", "network")}
PAUSE = 1.1
# How many commands by HTTP a hub takes from one origin: at once and a second.
AT_ONCE, A_SECOND = 40, 20
# Characters of a uri, of which some five hundred fit into one command.
SHORT = 24
# Bytes and items of one command that puts a queue back.
MOST, AT_MOST = 12_000, 400


class Hub:
    """A hub that runs, with all that scenarios share of it."""

    def __init__(self, addresses, kept=None, playable=()):
        self.addresses, self.devices = addresses, {"runner": kept} if kept else {}
        self.offers = set(addresses)
        # The connections that put things right again come by the channel that may do most.
        self.way = next(name for name in ("unix", "tcp", "tls") if name in addresses)
        self.playable, self.tracks, self.found, self.is_free = list(playable), Tracks([]), None, False
        self.posts, self.posted_at, self.lock = 0.0, 0.0, threading.Lock()
        # Why no more is tried: the hub is not there any more, or the check was stopped.
        self.gone = self.stops = None

    def keeper(self, limit=LIMIT):
        return Keeper(self.addresses[self.way], self.devices.get("runner") if self.way == "tls" else None, limit)

    def greet(self):
        """First contact: what the hub is, and what it says of itself."""
        with self.keeper() as keeper:
            self.name = keeper.state.get("hub", {}).get("name", "")
            self.welcome, self.state, self.room = keeper.welcome, keeper.state, keeper.room
        return self.welcome

    def look(self):
        """Whether the hub is still there after a scenario has failed: where it is not, no more are tried."""
        try:
            self.keeper(limit=3).close()
        except Unfit as error:
            self.gone = self.gone or f"the hub does not answer any more: {error}"

    @property
    def is_local(self):
        """Whether it is on this machine, so that it counts no connections of one address."""
        place = self.addresses.get("tcp", "")
        return "tls" not in self.addresses and (not place or place.startswith(("127.", "localhost:", "[::1]")))

    def touched(self, scenarios):
        """What a run of these scenarios will do here, as sentences."""
        levels, queue = {scenario["level"] for scenario in scenarios}, self.state.get("queue", {})
        if not any(map(needs.changes, scenarios)):
            return []
        entries = f"its {queue['len']} entries are put back at the end, under other ids, with what plays, level and modes" if queue.get("len") else "it is empty, and will be again"
        made = sorted(name for name, row in MADE.items() if row[4] in levels)
        return [f"It replaces the queue of the room {self.room} again and again: {entries}.", "It plays and stops there, and turns the volume up to 100.",
                *([f"It makes {', '.join(made)} of its own, and takes them away again; others are left alone."] if made else []),
                "It sends what is wrong or too much on purpose, as faulty clients would, for some tens of seconds."]

    def described(self):
        """What it says of itself, as far as it has said something."""
        said = getattr(self, "state", {}).get("hub", {})
        return {name: said[name] for name in ("id", "name", "version") if name in said}

    def take(self):
        """Writes down what is there, and learns which music there is."""
        if self.found is not None:
            return
        with self.keeper() as keeper:
            rows = keeper.rows()
            lost = [row.get("entry") for row in rows if "uri" not in row]
            if lost:
                raise Unfit(f"{len(lost)} entries of its queue have no uri, so they could not be put back: empty the queue first")
            line = keeper.state.get("tl", {})
            self.found = {"queue": [row["uri"] for row in rows], "idx": keeper.state["queue"].get("idx", 0), "line": [line.get("st"), line.get("posMs", 0)],
                          "volume": [keeper.state["vol"]["level"], keeper.state["vol"]["mute"]], "modes": modes_of(keeper.state), **self.made(keeper)}
            uris = find(keeper, self.playable)
            self.settle(keeper, level_in(keeper.state, 30), False, MODES, ())
            self.tracks = Tracks(measured(keeper, uris))
            self.settle(keeper, level_in(keeper.state, 30), False, MODES, ())

    def made(self, keeper):
        """The names of what scenarios of profiles may make. A list of rooms is a section, too."""
        known = {one.partition("@")[0] for one in keeper.welcome.get("features", [])}
        found = {}
        for name, (method, member, _, _, level) in MADE.items():
            if level in known and name == "rooms":
                found[name] = sorted(room["id"] for room in keeper.state.get("rooms", {}).get("list", []))
            elif level in known:
                answer = keeper.ask(method)
                rows = (answer or {}).get("d", {})
                found[name] = sorted(row[member] for row in rows.get("rows", rows.get("list", [])))
        return found

    def settle(self, keeper, level, mute, modes, made=tuple(MADE)):
        """Everything as scenarios expect it: at rest, with nothing in the queue; and what came to be is gone."""
        state = keeper.state
        if state["tl"].get("st") != "stopped":
            keeper.ask("stop")
        if state["queue"]["len"]:
            keeper.ask("queue.clear", base=state["queue"]["rev"])
        if state["vol"]["level"] != level:
            keeper.ask("vol.set", level=level)
        if state["vol"]["mute"] != mute:
            keeper.ask("vol.mute", on=mute)
        if modes_of(state) != modes:
            keeper.ask("mode.set", **modes)
        if "pairing" in state.get("hub", {}):
            keeper.ask("pair.close")
        for kind, names in self.made(keeper).items() if made and self.found else ():
            for one in set(names) - set(self.found[kind]):
                keeper.ask(MADE[kind][2], **{MADE[kind][3]: one})

    def posted(self):
        """Counts a command by HTTP, as the hub does for all of one origin."""
        with self.lock:
            now = time.monotonic()
            self.posts = max(0.0, self.posts - (now - self.posted_at) * A_SECOND) + 1
            self.posted_at = now

    def rest(self, posts):
        """Waits until the hub takes so many commands by HTTP."""
        with self.lock:
            level = max(0.0, self.posts - (time.monotonic() - self.posted_at) * A_SECOND)
        time.sleep(max(0.0, (level + min(posts, AT_ONCE) - AT_ONCE) / A_SECOND))

    def leave(self):
        """Leaves the hub as it was found; gives back what differs, as sentences."""
        if self.found is None:
            return []
        found = self.found
        with self.keeper() as keeper:
            self.settle(keeper, *found["volume"], MODES)
            if found["queue"]:
                for uris in chunks(found["queue"]):
                    keeper.ask("queue.add", uris=uris)
                entry = keeper.ask("queue.get", **{"from": found["idx"], "n": 1})["d"]["rows"][0]["entry"]
                self.line(keeper, entry)
            if found["modes"] != MODES:
                keeper.ask("mode.set", **found["modes"])
        with self.keeper() as keeper:
            state = keeper.state
            now = {"queue": [row.get("uri") for row in keeper.rows()], "idx": state["queue"].get("idx", 0), "volume": [state["vol"]["level"], state["vol"]["mute"]],
                   "modes": modes_of(state), **self.made(keeper)}
        if found["modes"].get("shuffle"):
            # The order of play is mixed anew.
            now["queue"], now["idx"] = found["queue"], found["idx"]
        return [f"{name} was {found[name]} and is {now[name]}" for name in now if now[name] != found[name]]

    def line(self, keeper, entry):
        """What was current is so again, where it was, and plays, is paused or stopped as it did."""
        state, position = self.found["line"]
        muted = self.found["volume"][1]
        if not muted and state != "playing":
            keeper.ask("vol.mute", on=True)
        keeper.ask("play", entry=entry, posMs=position)
        if state in ("paused", "stopped"):
            keeper.ask({"paused": "pause", "stopped": "stop"}[state])
        if not muted and state != "playing":
            keeper.ask("vol.mute", on=False)


class Visit:
    """A scenario at a hub that runs: the same for it as a hub that an adapter starts, but nothing of it is ours."""

    def __init__(self, hub, scenario):
        self.hub, self.scenario = hub, scenario
        self.addresses, self.devices, self.offers = hub.addresses, hub.devices, hub.offers
        self.wanted, self.ready, self.music, self.variables = {}, {"playable": {}}, "", {}
        self.limit = LIMIT
        self.paces = bool(needs.RATES.keys() & scenario.get("hub", {}).get("limits", {}).keys())

    def start(self):
        hub = self.hub
        if hub.gone:
            raise Unfit(hub.gone)
        # Attempts to pair are one a second, of all scenarios together.
        time.sleep(PAUSE if needs.pairs(self.scenario) else 0)
        hub.rest(needs.posts(self.scenario))
        try:
            if needs.changes(self.scenario) or needs.is_touchy(self.scenario):
                with hub.keeper() as keeper:
                    hub.settle(keeper, level_in(keeper.state, 30), False, MODES, () if self.scenario["level"] == "core" else tuple(MADE))
        except Unfit as error:
            # A hub that is gone fails one scenario, and the others are not tried.
            hub.gone = f"the hub does not answer any more: {error}"
            raise
        origin = {"tls.origin": "https://" + self.addresses["tls"].removeprefix("tls:")} if "tls" in self.addresses else {}
        # Keys of an earlier scenario are still remembered: others must be used than then.
        self.variables = {"hub.name": hub.name, "u": secrets.token_hex(3), **origin, **dict(hub.tracks.variables(self.scenario.get("hub", {})))}

    def lacks(self):
        """Music that the scenario wants and this hub does not have."""
        wanted = self.scenario.get("hub", {})
        reason = self.hub.tracks.reason(wanted)
        if not reason and needs.LENGTHS.keys() & wanted.get("limits", {}).keys() and any(len(one["uri"]) > SHORT for one in self.hub.tracks.found):
            reason = "items with shorter names"
        return [reason] if reason else []

    def posted(self):
        self.hub.posted()

    def last_words(self):
        return "it is not ours"

    def end(self, how=None):
        return 0

    def close(self):
        """Nothing of a hub that is running is ended."""


class Asker:
    """What a hub answers to a command that no hub carries out: one with a parameter that there is not, and too old."""

    def __init__(self, hub):
        self.hub, self.keeper, self.left, self.known = hub, None, 0, {}

    def __call__(self, method):
        if method not in self.known:
            if not self.left:
                # A connection of its own for every few, so that the hub's limit of rate is not met.
                self.keeper, self.left = self.hub.keeper(), 30
            self.left -= 1
            self.known[method] = self.keeper.answer(method, {"x-kit.none": 1}, ct=0, ttl=0)["err"].get("code")
        return self.known[method]


def chunks(uris):
    """As many items together as fit into one command."""
    found, size = [[]], 0
    for uri in uris:
        size += len(as_json(uri).encode()) + 1
        if size > MOST or len(found[-1]) == AT_MOST:
            found, size = [*found, []], len(as_json(uri).encode()) + 1
        found[-1].append(uri)
    return found


def modes_of(state):
    """The modes of Core; one that is off may be left out."""
    return {name: state["modes"].get(name, usual) for name, usual in MODES.items()}


def level_in(state, level):
    """The nearest level that the room allows."""
    low, high = state["vol"].get("range", [0, 100])
    return max(low, min(high, level))


def addresses(texts):
    """What `--hub` names, when that is no adapter: channel and address of each, or nothing."""
    found = {}
    for text in texts:
        scheme, _, rest = text.partition(":")
        place = rest.removeprefix("//").split("/")[0]
        if scheme == "unix":
            found["unix"] = text
        elif scheme in ("ws", "wss"):
            port = place.rpartition(":")[2] if ":" in place.rpartition("]")[2] else ""
            if port and not (port.isdecimal() and int(port) < 65536) or not place:
                raise Unfit(f"{text} has no port that is one: write ws://HOST:9442")
            place = place if port else f"{place}:{9442 if scheme == 'ws' else 9443}"
            found["tcp" if scheme == "ws" else "tls"] = place if scheme == "ws" else "tls:" + place
        else:
            return {}
    return found


def pair(found, code):
    """Pairs this machine by the code that the hub shows; the device stays until its owner revokes it."""
    if "tls" not in found:
        raise Unfit("pairing goes by TLS, and the hub offers no address for it: give wss://HOST:9443")
    link = Link(found["tls"])
    exchange = devices.Exchange(link.pin)

    def say(message):
        payload = as_json(message).encode()
        exchange.sent(payload)
        link.send(payload)

    def hear(*kinds):
        while link.is_open:
            select.select([link] if not link.has_more else [], [], [], 5 if not link.has_more else 0)
            for opcode, payload in link.read():
                if opcode == TEXT:
                    exchange.heard(payload)
                    if devices.kind(payload) in kinds:
                        return payload
                    if devices.kind(payload) == "err":
                        raise Unfit(f"the hub refused to pair: {payload[:300].decode(errors='replace')}")
        raise Unfit("the hub ended the pairing")
    say({"t": "hello", "core": "1.0", "view": "remote", "client": {"id": "runner-" + secrets.token_hex(4)}})
    hear("challenge")
    say(exchange.first_step("".join(filter(str.isdigit, code)), "Runner", "pin"))
    hear("pair")
    say(exchange.third_step())
    hear("pair")
    link.cut()
    return exchange.paired()
