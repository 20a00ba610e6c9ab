"""Differences that are planted into the answers of a server, for the oracle to find."""

from collections.abc import Callable
from dataclasses import dataclass

from Dialects.Support.mpdpeer import CLOSED, Answer


@dataclass(frozen=True)
class Fault:
    """What is wrong with the answer to one line of a group of mpdlines.txt."""

    name: str
    group: str
    line: str
    change: Callable

    @property
    def found_at(self):
        """The line whose answer shows it: one that waits is answered later."""
        return "b<" if self.line.startswith("idle") else self.line


class Planted:
    """A server whose answers pass on, but for those that have a fault."""

    def __init__(self, server, fault):
        self.server = server
        self.fault = fault

    def peer(self):
        return PlantedPeer(self.server.peer(), self.fault)


class PlantedPeer:
    def __init__(self, peer, fault):
        self.peer = peer
        self.fault = fault
        self.last = ""

    def __getattr__(self, name):
        return getattr(self.peer, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.peer.close()

    def send(self, line):
        self.last = line.decode("utf-8", "backslashreplace")
        return self.peer.send(line)

    def answer(self):
        answer = self.peer.answer()
        return self.fault.change(answer) if self.last == self.fault.line else answer


def edited(name, edit):
    """Puts other pairs in the place of the first pair of this name, where there is one."""
    def changed(answer):
        index = next((index for index, (key, _) in enumerate(answer.pairs) if key == name), len(answer.pairs))
        new = [one for pair in answer.pairs[index:index + 1] for one in edit(pair)]
        return Answer(answer.pairs[:index] + new + answer.pairs[index + 1:], answer.end)
    return changed


def with_value(name, change):
    return edited(name, lambda pair: [(name, change(pair[1]))])


def with_end(change):
    return lambda answer: Answer(answer.pairs, change(answer.end))


def without(name):
    return edited(name, lambda _: [])


def replaced(old, new):
    def change(text):
        assert old in text, f"{old} is not in {text}"
        return text.replace(old, new, 1)
    return change


PICTURED = '"Bøk & Søn/Ålborg/3 Pictured.mp3"'
PLANTED = (
    Fault("another code", "arguments", "setvol x", with_end(replaced("[2@", "[5@"))),
    Fault("another index in the list", "lists of commands, quotes that do not end", "command_list_end", with_end(replaced("@1]", "@0]"))),
    Fault("another command in braces", "arguments", "seekcur x", with_end(replaced("{seekcur}", "{seek}"))),
    Fault("another text of an error", "arguments", "delete 1:0", with_end(replaced("Malformed range", "Bad range"))),
    Fault("an error instead of success", "arguments", "delete 0", with_end(replaced("OK", "ACK [2@0] {delete} Bad song index"))),
    Fault("success instead of an error", "arguments", "move 0 0", with_end(lambda _: "OK")),
    Fault("closed instead of answered", "arguments", "setvol 1.5", with_end(lambda _: CLOSED)),
    Fault("a missing list_OK", "lists of commands, quotes that do not end", "command_list_end", without("")),
    Fault("a missing tag", "library", "lsinfo Cellar", without("Genre")),
    Fault("a tag of another case", "library", "lsinfo Cellar", lambda answer: Answer([(k.lower(), v) for k, v in answer.pairs], answer.end)),
    Fault("values in another order", "library", 'readcomments "Cellar/two.flac"', lambda answer: Answer(answer.pairs[::-1], answer.end)),
    Fault("a missing song", "queue, searching", 'playlistsearch any dawn', without("file")),
    Fault("an error instead of a change", "queue, changes", "swap 0 5", with_end(lambda _: "ACK [2@0] {swap} Bad song index")),
    Fault("a path with a slash too many", "library", "listall Cellar", with_value("file", lambda path: "/" + path)),
    Fault("a duration of other digits", "library", 'listallinfo "Amber Lane/First Light"', with_value("duration", replaced(".000", ""))),
    Fault("time that has run away", "playing", "status", with_value("elapsed", lambda text: str(float(text) + 10))),
    Fault("another song that plays", "playing, paused", "status", with_value("song", lambda text: str(int(text) + 1))),
    Fault("no version", "queue", "status", without("playlist")),
    Fault("the id of another song", "playing", "currentsong", with_value("Id", lambda text: str(int(text) + 1))),
    Fault("a picture with another byte", "pictures", f"readpicture {PICTURED} 0", with_value("bytes", lambda text: "00" + text[2:])),
    Fault("a picture with fewer bytes", "pictures", f"readpicture {PICTURED} 50", with_value("binary", lambda _: "1")),
    Fault("another event", "waiting", "idle output", with_value("changed", lambda _: "player")),
    Fault("an event too many", "waiting", "idle sticker", lambda answer: Answer([*answer.pairs, ("changed", "player")], answer.end)),
    Fault("a sticker of another value", "stickers", "sticker get song top.mp3 rating", lambda answer: Answer([("sticker", "rating=9")], answer.end)),
    Fault("a list that is sorted otherwise", "listing", "list artist", lambda answer: Answer(sorted(answer.pairs, reverse=True), answer.end)),
)
