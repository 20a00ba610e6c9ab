"""From a press to the first sample of the new place, in a book of 200 parts, beside libmpv that plays the same sound as one file.

Both play into a pipe that is read as fast as sound is heard, and at once when a place is asked for. Each seek leads to a part whose tone
is the other one, far away, so the first sound of the new place is known by its pitch; both are asked at their own door: the hub by a
command over its socket, libmpv by its client library."""
import contextlib, os, random, tempfile, threading, time

import library
import runs
from listeningbench import books
from listeningbench.alone import Alone

SEEKS, LIMIT_S, INSIDE_S = 24, 20, (10, 100)


class Ear:
    """Reads a pipe of PCM, and says when it hears a tone."""
    def __init__(self, fifo):
        self.fd, self.is_on = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), True
        self.wanted, self.found, self.heard = None, [], 0
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self):
        due = time.monotonic()
        while self.is_on:
            try:
                piece = os.read(self.fd, 4096)
            except BlockingIOError:
                piece = b""
            wanted = self.wanted
            if piece:
                self.heard += len(piece)
            if wanted and piece and len(self.found) < 5:
                # One piece may sound so where two tones meet; more of them behind each other do not.
                self.found = [*self.found, time.monotonic()] if self.is_tone(piece, wanted) else []
            # Once a place was asked for, what lies in the pipe from before is no sound that somebody waits for.
            waits = wanted and len(self.found) < 5
            due = max(due, time.monotonic() - .05) + len(piece) / 4 / books.RATE
            time.sleep(.0002 if waits or not piece else max(0, due - time.monotonic()))

    @staticmethod
    def is_tone(piece, hertz):
        """By how often the first channel changes its sign"""
        signs = [piece[at + 1] & 128 for at in range(0, len(piece) - 3, 4)]
        heard = sum(a != b for a, b in zip(signs, signs[1:])) * books.RATE / 2 / max(1, len(signs))
        return len(signs) > 256 and (heard > (books.LOW + books.HIGH) / 2) == (hertz == books.HIGH)

    def times(self, press, hertz):
        """ms from the press to the first piece of this tone"""
        self.found, self.wanted = [], hertz
        asked = time.monotonic()
        press()
        while len(self.found) < 5:
            if time.monotonic() - asked > LIMIT_S:
                raise TimeoutError(f"{hertz} Hz is not heard")
            time.sleep(.001)
        self.wanted = None
        return (self.found[0] - asked) * 1e3

    def close(self):
        self.is_on = False
        self.thread.join()
        os.close(self.fd)


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
        took.append(ear.times(door(ms), hertz))
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
        with contextlib.closing(Ear(server.fifo)) as ear:
            books.play(owner, uri)
            ours = measured(ear, remote(server), seed)
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        os.mkfifo(f"{folder}/pcm")
        with contextlib.closing(Ear(f"{folder}/pcm")) as ear:
            core = Alone(ao="pcm", ao_pcm_file=f"{folder}/pcm", ao_pcm_waveheader="no", ao_pcm_append="yes", audio_format="s16")
            core.command("loadfile", books.whole())
            theirs = measured(ear, lambda ms: lambda: core.command("seek", ms / 1000, "absolute+exact"), seed)
            # Before the pipe is closed, which libmpv would wait for.
            core.close()
    return {"ours": runs.median(ours), "reference": runs.median(theirs), "slowest": max(ours), "slowest_reference": max(theirs)}
