"""Double speed: what it costs beside libmpv with the same filters, and how exact it is."""
import contextlib, os, subprocess, sys, time

import library
import runs
import targets as T
from listeningbench import books
from Support.recording import np

TURNS, WINDOW_S, SPEED = 4, 10, 2
TONE_HERTZ, TONE_S = 440, 60


@contextlib.contextmanager
def libmpv(path):
    """-> the process of a libmpv that plays this to nothing at double speed"""
    alone = os.path.join(os.path.dirname(__file__), "alone.py")
    with subprocess.Popen([sys.executable, alone, path, str(SPEED), "600"], stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout.readline() != "plays\n":
                raise RuntimeError("libmpv does not play")
            yield process.pid
        finally:
            process.kill()


def during(pid):
    """ms of processor in a second"""
    before, t0 = books.ticks_ns(pid), time.monotonic()
    time.sleep(WINDOW_S)
    return (books.ticks_ns(pid) - before) / 1e6 / (time.monotonic() - t0)


def cpu(target):
    """The hub that plays a book at double speed to nothing, and libmpv that plays the same file so: each alone, in turns"""
    ours, theirs = [], []
    path = books.chaptered()
    with books.shelf(path) as root, books.hub(target, root) as (server, owner, (uri,)):
        pid = server.procs[-1][1].pid
        for _ in range(TURNS):
            books.play(owner, uri)
            owner.ask("mode.set", {"speed": 1000 * SPEED})
            # What begins with a file is over by then, and both play its first minutes.
            time.sleep(1)
            ours.append(during(pid))
            owner.ask("pause")
            with libmpv(path) as alone:
                time.sleep(1)
                theirs.append(during(alone))
            owner.ask("progress.reset", {"uri": uri})
    return {"ours": runs.median(ours), "reference": runs.median(theirs)}


def steady():
    """A steady tone, to the sample"""
    source = f"aevalsrc=exprs='0.5*sin(2*PI*{TONE_HERTZ}*t)|0.5*sin(2*PI*{TONE_HERTZ}*t)':s={books.RATE}:d={TONE_S}"
    return books.ffmpeg(f"{runs.MEDIA}/steady/steady-{TONE_S}.flac", "-f", "lavfi", "-i", source, "-c:a", "flac")


def exact(target):
    """How far a minute at double speed is from half a minute, in %, and its pitch, of all that the player put out"""
    path = steady()
    with T.Server(target, mode="audio", track=path) as server:
        server.wait_ready()
        fd, owner, sound = os.open(server.fifo, os.O_RDONLY | os.O_NONBLOCK), library.Owner(server), bytearray()
        try:
            owner.ask("mode.set", {"speed": 1000 * SPEED})
            owner.ask("play", {"uri": path})
            last = time.monotonic()
            while time.monotonic() - last < 3 and len(sound) < 4 * books.RATE * TONE_S:
                with contextlib.suppress(BlockingIOError):
                    if piece := os.read(fd, 65536):
                        sound += piece
                        last = time.monotonic()
                time.sleep(.0005)
        finally:
            os.close(fd)
    samples = np.frombuffer(bytes(sound[:len(sound) // 4 * 4]), dtype="<i2")[::2] / 32768
    seconds = len(samples) / books.RATE
    middle = samples[len(samples) // 4:][:10 * books.RATE]
    return {"length": abs(seconds / (TONE_S / SPEED) - 1) * 100, "pitch": abs(hertz(middle) - TONE_HERTZ), "seconds": seconds}


def hertz(sound):
    """By where the wave passes through zero"""
    before = np.flatnonzero(np.diff(np.signbit(sound)))
    crossings = before + sound[before] / (sound[before] - sound[before + 1])
    return float((len(crossings) - 1) / 2 * books.RATE / (crossings[-1] - crossings[0]))
