"""Reads groups of lines, and asks them of one server. The forms of a line stand in mpdlines.txt."""

import codecs
import re
from dataclasses import dataclass

from Support.hubs import wait

# Commands after which a song may begin. What follows at once would depend on whether its decoder has.
STARTS = re.compile(r"(play|playid|next|previous|seek|seekid|seekcur|pause|delete|deleteid|command_list_end)\b")
PLACE = re.compile(r"\{(id|v|times):([^:}]*)(?::([^}]*))?\}")
# Before each group. What a server refuses of it, since there is none, does not matter.
ORDER = ("clear", "repeat 0", "random 0", "single 0", "consume 0", "crossfade 0", "replay_gain_mode off", "setvol 100", "clearerror")


@dataclass(frozen=True)
class Step:
    """One line of a group, and where it stands."""

    place: str
    text: str


@dataclass(frozen=True)
class Group:
    name: str
    steps: tuple

    @property
    def commands(self):
        """The first word of each line that is sent."""
        lines = [step.text.removeprefix("= ").removeprefix("b> ") for step in self.steps if not step.text.startswith(("!", "b<"))]
        return {re.split(r"[ \t\\{]", line.strip())[0] for line in lines}


def read(path):
    """The groups of a file."""
    groups = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.removesuffix("\n")
            if line.startswith("["):
                groups.append((line.strip("[]"), []))
            elif line and not line.startswith("#"):
                groups[-1][1].append(Step(f"line {number}", line))
    return [Group(name, tuple(steps)) for name, steps in groups]


class Asker:
    """One server during one group: its connections, and the versions of the queue that were marked."""

    def __init__(self, server):
        self.server = server
        self.peer = server.peer()
        self.second = self.watcher = None
        self.marks = {}
        for line in ORDER:
            self.peer.ask(line)
        for name in [value for key, value in self.peer.ask("listplaylists").pairs if key == "playlist"]:
            self.peer.ask(f'rm "{name}"')

    def close(self):
        for peer in filter(None, (self.peer, self.second, self.watcher)):
            peer.close()

    def answer(self, text):
        """The answer to a step, or None where none is due."""
        if text == "b<":
            return self.second.answer()
        if text.startswith("b> "):
            if self.second is None or not self.second.is_open:
                self.second = self.server.peer()
            self.second.send(self.bytes(text[3:]))
        elif text.startswith("!"):
            self.prepare(*text[1:].split())
        else:
            if not self.peer.is_open:
                self.peer = self.server.peer()
            if self.peer.send(self.bytes(text)):
                answer = self.peer.answer()
                if STARTS.match(text):
                    self.settle()
                return answer
        return None

    def settle(self):
        """Waits until what plays has a format."""
        self.watcher = self.watcher or self.server.peer()

        def plays():
            status = dict(self.watcher.ask("status").pairs)
            return status["state"] != "play" or "audio" in status
        wait("the song begins", plays, limit=10)

    def prepare(self, word, *names):
        if word == "mark":
            self.marks[names[0]] = self.peer.value("status", "playlist")
        elif word == "updated":
            wait("the update ends", lambda: self.peer.value("status", "updating_db") is None)
        else:
            raise AssertionError(f"There is no step !{word}")

    def bytes(self, text):
        """The line as it is sent."""
        text = PLACE.sub(lambda found: self.stands_for(*found.groups()), text)
        if text == "=" or text.startswith("= "):
            return codecs.escape_decode(text[2:].encode())[0]
        return text.encode()

    def stands_for(self, kind, name, text):
        if kind == "times":
            return text * int(name)
        if kind == "v":
            return self.marks[name]
        # An id that no song has, where there is no song.
        with self.server.peer() as peer:
            return peer.value(f"playlistinfo {name}", "Id") or "999999999"
