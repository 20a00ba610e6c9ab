"""Makes lines for the oracle: a seed gives the same groups each time.

About one argument in sixteen is wrong: of the wrong kind, out of range, or badly quoted. What mpd itself does differently each time (`random`,
`shuffle` of more than one song) is not made, nor what outlives a group.
"""

import random

from Dialects.Support.mpdmusic import FILES
from Dialects.Support.mpdscript import Group, Step

URIS = [path for path, _, _ in FILES] + ["Cellar", "Amber Lane", "Amber Lane/First Light", "Various/Sampler", ""]
TAGS = ["artist", "Album", "title", "albumartist", "Genre", "date", "track", "disc", "composer", "performer", "MUSICBRAINZ_TRACKID"]
VALUES = ["Amber Lane", "amber lane", "Dawn", "First Light", "Folk", "folk", "1", "2", "It's", "C++", "Ærø", "ær", "", "a", "Back\\slash (live)"]
LISTS = ["one", "two", "three", "ålborg"]
WRONG = ["-1", "-5", "1.5", "999999999999", "x", "1:0", "0:1:2", "nowhere", "../x", '"open', 'a"b', '"a"b', "'", "", "+0", "0x1"]
# Not for these arguments: mpd 0.23.12 dies of some moves before the present song, such as `move 4:6 -1` while the first one plays, and a song
# ends at some time after a seek beyond its end. It takes the id 0, which it gives to no song, for the first one.
UNFAIR = {"AHEAD": ("-1", "-5"), "ID": ("+0",), "SECONDS": ("999999999999",), "JUMP": ("999999999999",)}
LINES_OF_A_GROUP = 50
# A paused room may stay paused, as those of a hub do, or play, as mpd does. What follows would be another queue, so the room plays before.
STEPS = ("next", "previous")
# An update is waited for, and playlists come in any order.
NOT_IN_LISTS = ("update", "rescan", "listplaylists", "lsinfo", *STEPS)
# What 0.23 refuses where it stands in a filter, and others do not. It is not made where what follows would be another queue.
REFUSED = "(("
BEGIN = ('add "Amber Lane"', "save one", "add Various", "save ålborg", "!mark start")


class Maker:
    """The words of lines. Each method gives one argument, as it is written in a line. `without` names commands that are not made."""

    def __init__(self, seed, without=()):
        self.dice = random.Random(seed)
        self.commands = [command for command, weight in COMMANDS if command.split()[0] not in without for _ in range(weight)]

    def groups(self, lines, name="made"):
        return [self.group(f"{name} {number}", LINES_OF_A_GROUP) for number in range(-(-lines // LINES_OF_A_GROUP))]

    def group(self, name, lines):
        steps = [Step("begin", text) for text in BEGIN]
        sent = len(BEGIN) - 1
        while sent < lines:
            made = self.list_of_commands(lines - sent) if self.dice.random() < 0.03 and lines - sent > 6 else [self.line()]
            if made[0].startswith(("findadd", "searchadd")) and REFUSED in made[0]:
                continue
            if made[0].startswith(STEPS):
                made.insert(0, "pause 0")
            for text in made:
                sent += 1
                steps.append(Step(f"{name}, line {sent}", text))
                if text.startswith(("update", "rescan")):
                    steps.append(Step(f"{name}, line {sent}", "!updated"))
        return Group(name, tuple(steps))

    def list_of_commands(self, most):
        begin = self.dice.choice(["command_list_begin", "command_list_ok_begin"])
        inner = [self.line() for _ in range(self.dice.randint(1, min(6, most - 2)))]
        return [begin, *(text for text in inner if not text.startswith(NOT_IN_LISTS) and REFUSED not in text), "command_list_end"]

    def line(self):
        words = []
        for part in self.dice.choice(self.commands).split():
            if part.startswith("?") and self.dice.random() < 0.5:
                break
            name = part.lstrip("?")
            words.append(self.argument(name) if name.isupper() else name)
        if self.dice.random() < 0.02:
            words.append("extra")
        return " ".join(words)

    def argument(self, name):
        if self.dice.random() < 0.06:
            return self.dice.choice([text for text in WRONG if text not in UNFAIR.get(name, ())]) or '""'
        return getattr(self, name.lower())()

    def quoted(self, text):
        if text and text.replace("/", "").isalnum() and text.isascii() and self.dice.random() < 0.5:
            return text
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    # Arguments

    def uri(self):
        return self.quoted(self.dice.choice(URIS))

    def song(self):
        return self.quoted(FILES[self.dice.randrange(len(FILES))][0])

    def position(self):
        return str(self.dice.randrange(9))

    def extent(self):
        start = self.dice.randrange(7)
        return self.dice.choice([str(start), f"{start}:{start + self.dice.randrange(1, 4)}", f"{start}:", f":{start + 1}"])

    def ahead(self):
        """A place to move to."""
        return self.dice.choice([self.position(), f"+{self.dice.randrange(3)}"])

    def place(self):
        return self.dice.choice([self.position(), f"+{self.dice.randrange(3)}", f"-{self.dice.randrange(3)}"])

    def id(self):
        return f"{{id:{self.dice.randrange(7)}}}"

    def version(self):
        return self.dice.choice(["{v:start}", "0"])

    def flag(self):
        return self.dice.choice("01")

    def seconds(self):
        return self.dice.choice(["0", "10", "20.5", "45"])

    def jump(self):
        return self.dice.choice(["+3", "-4", "12", "0"])

    def volume(self):
        return str(self.dice.randrange(101))

    def change(self):
        return str(self.dice.randrange(-40, 41))

    def tag(self):
        return self.dice.choice(TAGS)

    def value(self):
        return self.quoted(self.dice.choice(VALUES))

    def playlist(self):
        return self.quoted(self.dice.choice(LISTS))

    def single_mode(self):
        return self.dice.choice(["0", "1", "oneshot"])

    def gain(self):
        return self.dice.choice(["off", "track", "album", "auto"])

    def sticker_name(self):
        return self.dice.choice(["rating", "note"])

    def operator(self):
        return self.dice.choice(["=", '"<"', '">"'])

    def window(self):
        start = self.dice.randrange(3)
        return f"{start}:{start + self.dice.randrange(1, 5)}"

    def asked(self):
        """What is looked for: old pairs of a tag and a value, or a filter."""
        kind = self.dice.random()
        if kind < 0.4:
            return " ".join(f"{self.tag()} {self.value()}" for _ in range(self.dice.choice([1, 1, 1, 2])))
        if kind < 0.5:
            return f"{self.dice.choice(['any', 'file', 'base'])} {self.value()}"
        text = self.filter(3)
        if self.dice.random() < 0.05:
            text = text[:-1] if self.dice.random() < 0.5 else text + ")"
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def filter(self, depth):
        kind = self.dice.random() if depth else 0.9
        if kind < 0.15:
            return f"(!{self.filter(depth - 1)})"
        if kind < 0.35:
            return "(" + " AND ".join(self.filter(depth - 1) for _ in range(self.dice.choice([2, 2, 3]))) + ")"
        if kind < 0.42:
            return "(base 'Amber Lane')"
        if kind < 0.48:
            return f"(file {self.dice.choice(['==', '!=', 'contains'])} 'top.mp3')"
        tag = self.dice.choice([*TAGS, "any"])
        value = self.dice.choice(VALUES).replace("\\", "\\\\").replace("'", "\\'")
        if self.dice.random() < 0.2:
            return f"({tag} {self.dice.choice(['=~', '!~'])} '{self.dice.choice(['^A', 'n$', '^$', '[0-9]', 'a.*t', '.'])}')"
        return f"({tag} {self.dice.choice(['==', '!=', 'contains'])} '{value}')"


# A command with its arguments, of which those in capitals are made, and how often it is chosen. `?` begins what may be left out, with all that
# follows. Several songs are moved to the beginning only: mpd 0.23.12 loses which song is current when they come from before it and land close before
# it, as in `move 0:3 3` of 4.
COMMANDS = (
    ("status", 6), ("currentsong", 3), ("playlistinfo ?EXTENT", 6), ("playlist", 2), ("playlistid ID", 2), ("stats", 1),
    ("plchanges VERSION ?EXTENT", 3), ("plchangesposid VERSION ?EXTENT", 3), ("ping", 1), ("getvol", 1), ("outputs", 1),
    ("add URI ?PLACE", 5), ("addid SONG ?PLACE", 4), ("delete EXTENT", 4), ("deleteid ID", 2), ("clear", 1),
    ("move POSITION AHEAD", 4), ("move EXTENT 0", 2), ("moveid ID AHEAD", 4), ("swap POSITION POSITION", 2), ("swapid ID ID", 2),
    ("prio VOLUME EXTENT", 1), ("prioid VOLUME ID", 1), ("rangeid ID WINDOW", 1), ("shuffle 0:1", 1),
    ("addtagid ID TAG VALUE", 1), ("cleartagid ID ?TAG", 1),
    ("play ?POSITION", 4), ("playid ?ID", 3), ("pause ?FLAG", 3), ("stop", 1), ("next", 3), ("previous", 3),
    ("seek POSITION SECONDS", 2), ("seekid ID SECONDS", 2), ("seekcur JUMP", 3), ("clearerror", 1),
    ("repeat FLAG", 2), ("single SINGLE_MODE", 2), ("consume FLAG", 2), ("random 0", 1), ("crossfade POSITION", 1),
    ("mixrampdb CHANGE", 1), ("mixrampdelay SECONDS", 1), ("replay_gain_mode GAIN", 1), ("replay_gain_status", 1),
    ("setvol VOLUME", 2), ("volume CHANGE", 2),
    ("find ASKED", 7), ("find ASKED sort TAG", 3), ("find ASKED window WINDOW", 2), ("search ASKED", 7),
    ("search ASKED sort TAG window WINDOW", 2), ("count ASKED", 3), ("count ASKED group TAG", 2),
    ("count group TAG", 1), ("list TAG", 2), ("list TAG ASKED", 3), ("list TAG group TAG", 3),
    ("list TAG ASKED group TAG", 2), ("findadd ASKED ?position ?PLACE", 2), ("searchadd ASKED", 2),
    ("searchaddpl PLAYLIST ASKED", 2), ("playlistfind ASKED", 2), ("playlistsearch ASKED", 2),
    ("lsinfo URI", 3), ("listall URI", 2), ("listallinfo URI", 2), ("listfiles URI", 1), ("readcomments URI", 2),
    ("update URI", 1), ("rescan URI", 1), ("albumart SONG POSITION", 1), ("readpicture SONG POSITION", 1),
    ("listplaylists", 2), ("listplaylist PLAYLIST", 2), ("listplaylistinfo PLAYLIST", 2), ("load PLAYLIST ?EXTENT ?PLACE", 2),
    ("save PLAYLIST", 2), ("rm PLAYLIST", 1), ("rename PLAYLIST PLAYLIST", 1), ("playlistadd PLAYLIST URI ?POSITION", 3),
    ("playlistclear PLAYLIST", 1), ("playlistdelete PLAYLIST EXTENT", 2), ("playlistmove PLAYLIST POSITION POSITION", 2),
    ("sticker set song SONG STICKER_NAME VALUE", 2), ("sticker get song SONG STICKER_NAME", 1),
    ("sticker list song SONG", 1), ("sticker find song URI STICKER_NAME ?OPERATOR ?POSITION", 2),
    ("sticker delete song SONG ?STICKER_NAME", 1), ("subscribe TAG", 1), ("unsubscribe TAG", 1), ("channels", 1),
    ("sendmessage TAG VALUE", 1), ("readmessages", 1), ("tagtypes enable TAG", 1), ("tagtypes disable TAG", 1),
    ("tagtypes all", 1), ("binarylimit VOLUME", 1),
)
