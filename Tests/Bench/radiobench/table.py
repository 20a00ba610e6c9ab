"""The run of the parts of radio and kept music, and their table."""
import functools

import keeping
import rounds
from radiobench import away, buffer, past, sound

JOBS = {
    "sound0": lambda target: sound.first_sound(target, 0), "sound40": lambda target: sound.first_sound(target, 40),
    "back": past.back, "rooms": buffer.rooms, "writing": buffer.writing, "keeping": keeping.keeping, "away": away.away,
    "hanging": away.hanging,
}


def run(target, times, only=None):
    rounds.run("radio", {name: functools.partial(job, target) for name, job in JOBS.items()}, times, only)


def bars(rows):
    """-> [(what, unit, ours, its reference, the reference's value, kind of bar, limit)]"""
    middle = rounds.middles(rows)
    slow = [len(r["slow"]) for r in rounds.whole(rows, "writing")]
    return [
        ("play of a station 40 ms away → first PCM byte", "ms", middle("sound40", "ours"), "libmpv", middle("sound40", "reference"), "times", 1.1),
        ("play of a station 0 ms away → first PCM byte", "ms", middle("sound0", "ours"), "libmpv", middle("sound0", "reference"), "above", 8),
        ("back 10 minutes → first PCM byte of then", "ms", middle("back", "ms"), "–", None, "at most", 300),
        ("2 h of 128 kbit/s: disk", "MiB", middle("back", "disk"), "–", None, "at most", 115),
        ("2 h of 128 kbit/s: memory above an empty buffer", "MiB", middle("back", "memory"), "–", None, "at most", 4),
        (f"a station in {buffer.ROOMS} rooms: connections to it", "", middle("rooms", "connections"), "–", None, "at most", 1),
        (f"a station in {buffer.ROOMS} rooms: processor without the players, a second", "ms", middle("rooms", "four"), "one room", middle("rooms", "one"), "times", 1.2),
        ("writing the buffer: callbacks of the loop over 5 ms", "", max(slow, default=None), "–", None, "at most", 0),
        ("writing the buffer: slowest answer, a bound for any callback", "ms", middle("writing", "slowest"), "–", None, "at most", 5),
        ("writing the buffer: fsync a minute", "", middle("writing", "a_minute"), "–", None, "at most", 2),
        (f"{keeping.ALBUMS} albums are fetched: volume → answer, p99", "ms", middle("keeping", "busy"), "idle", middle("keeping", "idle"), "times", 1.2),
        ("server gone, copy kept: longest silence in the sound", "ms", middle("away", "gap"), "–", None, "at most", 1),
        ("play of a kept copy whose server hangs → first PCM byte", "ms", middle("hanging", "kept"), "a local file", middle("hanging", "local"), "times", 1.1),
    ]


def notes(rows):
    slow = [line for r in rows for line in r.get("slow", [])]
    return [f"Callbacks over 5 ms: {'; '.join(slow)}."] if slow else []


def table(d):
    """Prints the table; -> whether every bar holds"""
    return rounds.table("radio", "Radio and kept music", bars, d, notes)
