"""Differences of a hub from mpd 0.23.12 that stay, each with its reason: values that are not compared, and lines by what differs."""

import re
from dataclasses import dataclass

from Dialects.Support.mpddiffer import PERMITTED, Differ, Permitted

# Commands that the hub does not have, and names in `commands`.
ABSENT = (
    "mount", "unmount", "listmounts", "listneighbors", "getfingerprint", "mixrampdb", "mixrampdelay", "prio", "prioid", "rangeid", "addtagid",
    "cleartagid", "outputset", "moveoutput", "crossfade")


# Values beside those that differ between any two servers. Without them the rest of such an answer is compared.
OURS = (
    Permitted("partition", "left out", "The first room has the name of its room, and not `default`.", ("status", "listpartitions")),
    Permitted("mixrampdb", "left out", "Rooms mix nothing.", ("status",)),
    Permitted("mixrampdelay", "left out", "Rooms mix nothing.", ("status",)),
    Permitted("xfade", "left out", "Rooms do not fade from one song into the next.", ("status",)),
    Permitted("Prio", "left out", "There are no priorities."),
    Permitted("Range", "left out", "There are no parts of songs."),
    Permitted("playtime", "left out", "How long a room has played is not known.", ("stats",)),
    Permitted("db_update", "left out", "A file that is read anew and is the same is no change of the library here.", ("stats",)),
    Permitted("duration", "near:0.1", "The length of an mp3 is that of its sound, without what its encoder has put around it."),
    Permitted("plugin", "left out", "Outputs are those of the hub's machine.", ("outputs",)),
)


def differ():
    """Compares a hub with mpd."""
    return Differ(OURS + PERMITTED)


@dataclass(frozen=True)
class Known:
    """A difference in the answer to lines that begin so, or to a list that has such a line, whose sentence contains this."""

    line: str
    text: str
    reason: str

    def covers(self, difference):
        lines = [difference.line, *(difference.within if difference.line == "command_list_end" else ())]
        return any(re.match(self.line, line) for line in lines) and re.search(self.text, difference.text) is not None


KNOWN = (
    Known("(= )?(" + "|".join(ABSENT) + r")\b", "unknown command", "The hub has no such command, and says so in `commands`."),
    Known("(commands|notcommands)$", "'command'", "Absent commands are not named, those of 0.24 are, and nobody may kill the hub."),
    Known("config$", "local clients|music_directory", "A program of the socket file is one of this machine."),
    Known(r"(playlistinfo|playlistid|playlistfind|playlistsearch|plchanges|currentsong)\b", "'(Time|duration)'", "There are no parts of songs."),
    Known("command_list_end$", r"list_OK.*and None|unknown command|and None$", "A list ends at a command that the hub does not have."),
    Known("command_list_end$", "Word expected", "0.23 refuses what stands behind a conjunction within another one."),
    Known("consume (oneshot|\"oneshot\")", "Boolean", "0.24 knows it."),
    Known(r"(save|listplaylist|listplaylistinfo)\b", "wrong number of arguments", "0.24 takes another argument."),
    Known(r"playlistmove\b", "Integer expected", "0.24 takes a range."),
    Known(r"playlist(find|search) .* (sort|window)", "", "0.24 sorts songs of the queue."),
    Known(r"(find|search|count|list|playlistfind|playlistsearch)(add|addpl)? .*\(\(", "Word expected|None and",
          "0.23 refuses what stands behind a conjunction within another one."),
    Known(r"(find|search) .*starts_with", "None and", "0.24 knows it."),
    Known("(status|currentsong)$", "'state', 'play'. and .'state', 'pause'", "`next` and `previous` keep a room paused."),
    Known("status$", "'nextsong'", "A song that leaves the queue as it ends does not follow itself."),
    Known("status$", "'playlist'", "A song whose decoder has read its tags anew is no change of the queue here."),
    Known(r"plchanges(posid)?\b", "", "A song whose decoder has read its tags anew is no change of the queue here."),
    Known(r"listfiles\b", "", "Files are listed by their names, an error names no path of the machine, and nothing above the library is listed."),
    Known(r"readcomments\b", "", "The names of tags are those of the library."),
    Known(r"readpicture\b", "and .'size'", "A song has one picture, beside its file or within."),
    Known(r'(save|rm|load) " "', "Bad playlist name|No such playlist", "The name of a playlist does not begin with a space."),
    Known("listplaylists$", "'playlist', ' '", "The name of a playlist does not begin with a space."),
    Known("(outputs|enableoutput|disableoutput|toggleoutput)", "", "Outputs are those of the hub's machine."),
    Known("b<$", "'changed', 'output'", "Outputs are those of the hub's machine."),
    Known(r"(partition|delpartition) ", "partition", "Rooms are partitions, and have no outputs that would keep one."),
    Known("status$", "'volume'", "Each room has a volume."),
    Known("command_list_end$", "'changed'", "A volume that is set to what it is is no event."),
)


def unknown(differences, known=KNOWN):
    """The differences that no rule covers."""
    return [difference for difference in differences if not any(rule.covers(difference) for rule in known)]
