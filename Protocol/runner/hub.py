"""A hub under test: one process group, started through an adapter and ended however a scenario wants.

The adapter's contract is in README.md. Everything a hub needs lies in one folder, which goes when the
hub goes.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from runner.failing import Absent, Mistyped, Skips
from runner.files import IS_ARCHIVE, PROTOCOL
from runner.keeper import Keeper
from runner.music import put, track
from runner.outside import Web, described
from runner.pattern import fill
from runner.tracks import Tracks, lengths, measured
from runner.websocket import LIMIT

HERE = os.path.dirname(os.path.abspath(__file__))
# The hub of this repository; in an archive the small one that lies in it.
DEFAULT = f"{sys.executable} {PROTOCOL} minihub" if IS_ARCHIVE else os.path.join(HERE, "adapters/batond")


# Bytes of the line in which an adapter says where its hub listens.
MOST_LINE = 1 << 20


class NoHub(Absent):
    """The adapter did not bring up a hub."""


class HubUnderTest:
    """A hub that an adapter starts, for one scenario alone."""

    # What scenarios may ask of it: all that an adapter promises.
    offers, paces = {"adapter", "unix", "tcp", "tls"}, False
    # Seconds until it is given up when it says nothing.
    limit = LIMIT

    def __init__(self, adapter, wanted, patience=1):
        self.adapter, self.wanted, self.patience = adapter, wanted, patience
        # Short, because the path of a socket is.
        self.folder = tempfile.mkdtemp(prefix="bt-", dir="/tmp")
        self.music = f"{self.folder}/music"
        os.mkdir(self.music)
        os.mkdir(f"{self.folder}/state", 0o700)
        self.tracks = {name: fill(content, {}) for name, content in sorted(wanted.get("music", {}).items())}
        self.tracks |= {f"{number:04}.wav": 0.01 for number in range(wanted.get("tracks", 0))}
        for name, content in self.tracks.items():
            put(f"{self.music}/{name}", content)
        with open(f"{self.folder}/tracks.json", "w", encoding="utf-8") as file:
            self.told = [track(name, content) for name, content in self.tracks.items() if name.endswith(".wav")]
            json.dump(self.told, file)
        if wanted.get("clock"):
            self.set_clock("+0")
        self.process = None
        self.addresses, self.devices, self.ready = {}, {}, {}
        self.web = Web(wanted.get("web", {})) if "web" in wanted else None
        self.servers = ["--servers", described(self.folder, wanted["servers"], self.web.variables if self.web else {})] if "servers" in wanted else []
        self.variables = {"hub.name": "Hub under test", "u": "", **(self.web.variables if self.web else {})}

    def posted(self):
        """Nothing: this hub is asked by nobody else."""

    def set_clock(self, shift):
        """The hub reads this file at each look at the clock, so it is replaced in one step."""
        with open(f"{self.folder}/clock.new", "w", encoding="ascii") as file:
            file.write(f"{shift}\n")
        os.rename(f"{self.folder}/clock.new", f"{self.folder}/clock")

    def start(self):
        words = [*self.adapter, "--state-dir", f"{self.folder}/state", "--socket", f"{self.folder}/hub.sock", "--music", self.music,
                 "--tracks", f"{self.folder}/tracks.json", *self.servers]
        for name, value in self.wanted.get("limits", {}).items():
            words += ["--limit", f"{name}={value}"]
        for name, value in self.wanted.get("set", {}).items():
            words += ["--set", f"{name}={value}"]
        if "lanPlain" in self.wanted:
            words += ["--lan-plain", self.wanted["lanPlain"]]
        if self.wanted.get("discovery"):
            words += ["--discovery", self.wanted["discovery"]]
        if self.wanted.get("clock"):
            words += ["--clock", f"{self.folder}/clock"]
        # A group of its own, so that a kill reaches the hub and not only its adapter.
        with open(f"{self.folder}/stderr", "ab") as errors:
            try:
                self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, start_new_session=True)
            except OSError as error:
                raise NoHub(f"{' '.join(self.adapter)} cannot be run: {error.strerror}") from None
        line = self.first_line()
        try:
            ready = self.ready = json.loads(line)
            self.addresses = {"tcp": ready["tcp"], **({"unix": "unix:" + ready["unix"]} if "unix" in ready else {})}
            # Music by its file's name, and all of it: by its path, unless the hub plays none and has said what it is called there.
            self.variables.update(self.named(ready.get("playable", {"all": self.music} | {name: f"{self.music}/{name}" for name in self.tracks})))
            self.variables.update({f"{name}.account": account for name, account in ready.get("servers", {}).items()})
            if "tls" in ready:
                self.addresses["tls"] = "tls:" + ready["tls"]
                self.variables["tls.origin"] = "https://" + ready["tls"]
                self.variables["tls.port"] = int(ready["tls"].rpartition(":")[2])
        except (ValueError, KeyError, TypeError):
            self.end(signal.SIGKILL)
            said = f"said {line[:200]!r} instead of where its hub listens" if line else "did not say where its hub listens (on a slow machine --patience N waits longer)"
            raise NoHub(f"{' '.join(self.adapter)} {said}; {self.last_words()}") from None

    @property
    def local(self):
        """The address by which the runner asks for the most: the unix socket, where there is one."""
        return self.addresses.get("unix") or self.addresses["tcp"]

    def named(self, playable):
        """What the names of music stand for. A list is what the hub has itself, of which it takes what is long enough."""
        if isinstance(playable, dict):
            return playable | {name: value for one in self.told for name, value in lengths(one["name"], one["ms"])}
        if not self.wanted.get("music") and not self.wanted.get("tracks"):
            return {}
        with Keeper(self.addresses["tcp"]) as keeper:
            tracks = Tracks(measured(keeper, playable))
            keeper.ask("queue.clear", base=keeper.state["queue"]["rev"])
        reason = tracks.reason(self.wanted)
        if reason:
            raise Skips(f"it needs {reason}")
        return dict(tracks.variables(self.wanted))

    def last_words(self):
        """What the hub has said last to people."""
        with open(f"{self.folder}/stderr", encoding="utf-8", errors="replace") as file:
            return "last it said: " + (" | ".join(line.strip() for line in file.readlines()[-8:])[-900:] or "nothing")

    def first_line(self):
        line, deadline = b"", time.monotonic() + 15 * self.patience
        while not line.endswith(b"\n") and len(line) < MOST_LINE:
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                break
            more = os.read(self.process.stdout.fileno(), 4096)
            if not more:
                break
            line += more
        return line.decode(errors="replace")

    def end(self, how=signal.SIGTERM):
        """Ends the group, and gives back its code."""
        process, self.process = self.process, None
        if process is None:
            return None
        try:
            # The group is ours: start_new_session made this process its leader.
            os.killpg(process.pid, how)
            code = process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait(10)
            code = "did not end within 10 s of being asked"
        except ProcessLookupError:
            code = process.wait(10)
        process.stdout.close()
        self.await_group(process.pid)
        return code

    def await_group(self, leader):
        """The adapter may be gone before its hub is, which still holds its folder then."""
        deadline = time.monotonic() + 10 * self.patience
        while any(map(is_running, members(leader))) and time.monotonic() < deadline:
            time.sleep(0.01)

    def close(self):
        self.end(signal.SIGKILL)
        if self.web:
            self.web.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def members(leader):
    """The processes of a group."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(name)) == leader:
                yield int(name)
        except OSError:
            continue


def is_running(pid):
    """Whether a process is more than an entry that its parent has not read yet."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            has_ended = file.read().rpartition(")")[2].split()[0] in "ZX"
        # Threads that are still ending keep the files of the process open.
        return not has_ended or len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def words_of(text):
    """An adapter as people type it: a path, or a command with its words."""
    words = text.split()
    if not words:
        raise Mistyped("a command is empty: name a program, with the words it needs")
    if words[0].endswith(".py"):
        words = [sys.executable, *words]
    return words
