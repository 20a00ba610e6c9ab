"""The run of the parts of long listening, and their table."""
import functools

import rounds
from listeningbench import answers, asleep, feeds, seeking, speeds, watching

JOBS = {
    "answers": answers.answers, "seek": seeking.seek, "double": speeds.cpu, "exact": speeds.exact, "chapter": asleep.chapter, "fade": asleep.fade,
    "feeds": feeds.feeds, "watch": watching.watch,
}


def run(target, times, only=None):
    rounds.run("listening", {name: functools.partial(job, target) for name, job in JOBS.items()}, times, only)


def bars(rows):
    """-> [(what, unit, ours, its reference, the reference's value, kind of bar, limit)]"""
    middle = rounds.middles(rows)
    most = lambda job, name: max((row[name] for row in rounds.whole(rows, job)), default=None)
    commands = [(f"{name} → answer, p99", "ms", middle("answers", name), "next", middle("answers", "next"), "times", 1.1)
                for name in ("progress.report", "sleep.set", "book.chapter", "mark.add")]
    return [
        *commands,
        ("seek in a book of 200 parts → first PCM byte of the place", "ms", middle("seek", "ours"), "libmpv, one file", middle("seek", "reference"), "times", 1.3),
        ("double speed: processor, a second", "ms", middle("double", "ours"), "libmpv", middle("double", "reference"), "times", 1.15),
        ("double speed: length off", "%", most("exact", "length"), "–", None, "at most", .3),
        ("double speed: 440 Hz off", "Hz", most("exact", "pitch"), "–", None, "at most", 1),
        ("sleep at the end of a chapter: sound of the next one", "ms", most("chapter", "over"), "–", None, "at most", 1),
        ("sleep at the end of a chapter: sound of this one that is missing", "ms", most("chapter", "missing"), "–", None, "at most", 20),
        ("a press in a fade → the whole sound, slowest", "ms", most("fade", "ms"), "–", None, "at most", 200),
        ("100 feeds of 200 episodes, each with a new one", "s", middle("feeds", "ours"), "gpo update", middle("feeds", "reference"), "times", .5),
        ("a watch: change of chapter, largest", "B", most("watch", "chapter"), "–", None, "at most", 120),
        ("a watch: an hour of a book with a timer and ten chapters, without signs of life", "B", most("watch", "hour"), "–", None, "at most", 1200),
        ("a watch: signs of life, a second", "B", most("watch", "beats"), "–", None, "at most", 4),
    ]


def table(d):
    """Prints the table; -> whether every bar holds"""
    return rounds.table("listening", "Long listening", bars, d)
