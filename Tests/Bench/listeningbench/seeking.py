"""From a press to the first sample of the new place, in a book of 200 parts, beside libmpv that plays the same sound as one file.

Both play into a pipe that is read as fast as sound is heard, and at once when a place is asked for. Each seek leads to a part whose tone
is the other one, far away, so the first sound of the new place is known by its pitch; both are asked at their own door: the hub by a
command over its socket, libmpv by its client library."""
import contextlib, os, random, tempfile

import library
import runs
from ear import Ear
from listeningbench import books
from listeningbench.alone import Alone

SEEKS, INSIDE_S = 24, (10, 100)


def places(seed):
    """(position in ms, its tone), each in a part whose tone is not that of the one before"""
    chance = random.Random(seed)
    for number in range(SEEKS):
        part = 2 * chance.randrange(books.PARTS // 2) + (number + 1) % 2
        yield (part * books.PART_S + chance.randrange(*INSIDE_S)) * 1000, books.hertz_of(part)


def measured(ear, door, seed):
    """ms of each seek, of which `door` makes a press; the player has played for a moment before each"""
    took = []
    for ms, hertz in places(seed):
        before = ear.heard
        books.until("it plays on", lambda before=before: ear.heard - before > .4 * books.RATE * 4)
        took.append(ear.ms(door(ms), hertz))
    return took


def remote(server):
    """A remote that connects for each seek, and has connected when it is pressed"""
    def door(ms):
        asker = library.Asker(server)
        return lambda: (asker.ask("seek", {"posMs": ms}, key=f"seek-{ms}"), asker.chan.close())
    return door


def seek(target):
    seed = random.randrange(1 << 30)
    with tempfile.TemporaryDirectory(prefix="parts-", dir=runs.MEDIA) as root, books.hub(target, books.parted(root), "audio") as (server, owner, (uri,)):
        with contextlib.closing(Ear(server.fifo, books.LOW, books.HIGH)) as ear:
            books.play(owner, uri)
            ours = measured(ear, remote(server), seed)
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        os.mkfifo(f"{folder}/pcm")
        with contextlib.closing(Ear(f"{folder}/pcm", books.LOW, books.HIGH)) as ear:
            core = Alone(ao="pcm", ao_pcm_file=f"{folder}/pcm", ao_pcm_waveheader="no", ao_pcm_append="yes", audio_format="s16")
            core.command("loadfile", books.whole())
            theirs = measured(ear, lambda ms: lambda: core.command("seek", ms / 1000, "absolute+exact"), seed)
            # Before the pipe is closed, which libmpv would wait for.
            core.close()
    return {"ours": runs.median(ours), "reference": runs.median(theirs), "slowest": max(ours), "slowest_reference": max(theirs)}
