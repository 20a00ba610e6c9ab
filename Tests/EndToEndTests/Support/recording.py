"""What is really heard: a sound server whose one sink plays into nothing, a recorder of it, and what a recording says.

Suites that import it need numpy; without it they are skipped."""

import contextlib
import json
import os
import subprocess
import sys
import time

from Support.hubs import binaries, wait

try:
    import numpy as np
except ImportError:
    print(f"{os.path.basename(sys.argv[0])}: skipped, for there is no python3-numpy here")
    sys.exit(77)

RATE = 48_000


class SoundServer:
    """A PulseAudio of our own whose one sink plays into nothing."""

    def __init__(self, home):
        self.home = home
        self.process = home.start(
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-target=stderr", "--disable-shm=yes",
            "-L", f"module-native-protocol-unix auth-anonymous=1 socket={home.folder}/pulse",
            "-L", f"module-null-sink sink_name=room rate={RATE} channels=2 format=s16le",
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait("the sound server", lambda: home.run("pactl", "info").returncode == 0)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)


class Recorder:
    """What the sink plays, as samples from -1 to 1. Time is counted in its samples."""

    def __init__(self, home):
        self.path = f"{home.folder}/heard.raw"
        self.file = open(self.path, "wb")
        self.process = home.start(
            "parec", "-d", "room.monitor", f"--rate={RATE}", "--channels=1", "--format=s16le", "--latency-msec=20", stdout=self.file)
        wait("the recorder", lambda: self.now > 0)

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        self.file.close()
        os.unlink(self.path)

    @property
    def now(self):
        return os.path.getsize(self.path) // 2

    def heard(self, start, count):
        """`count` samples from `start` on, waited for if they are yet to come."""
        wait("the recording goes on", lambda: self.now >= start + count, limit=15 + count / RATE)
        return np.fromfile(self.path, dtype="<i2", offset=2 * start, count=count) / 32768

    def next(self, seconds=0.5):
        """What is heard from now on."""
        return self.heard(self.now, int(seconds * RATE))

    def until(self, sentence, condition, limit=60, window=0.1):
        """Waits until the latest moment is as it should be; the sample where that was seen."""
        count = int(window * RATE)
        return wait(sentence, lambda: self.now > count and condition(self.heard(self.now - count, count)) and self.now, limit)


def record(case):
    """The recorder of a whole suite: what its hubs play to `pulse/room` is heard by `case.recorder`."""
    server = SoundServer(case.home)
    case.addClassCleanup(server.close)
    case.recorder = Recorder(case.home)
    case.addClassCleanup(case.recorder.close)


def level(sound):
    """The amplitude of a tone."""
    return float(np.sqrt(2 * np.mean(sound**2)))


def pitch(sound):
    """The strongest frequency, to a fraction of a Hertz."""
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound)), 8 * len(sound)))
    return float(np.argmax(spectrum) * RATE / (8 * len(sound)))


def is_silent(sound):
    return not np.any(np.abs(sound) > 1.5 / 32768)


class Tape:
    """A room whose sound goes into a pipe as fast as it is read: every sample comes out of it, however busy the machine is. While nobody
    reads, the player waits, about two seconds further on. The room is one of its own, or the hub's first one."""

    ROOM = "Tape"

    def __init__(self, home, *, is_first_room=False):
        self.home, path = home, f"{home.folder}/tape"
        os.mkfifo(path)
        self.file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        # For the hub.
        self.flags = ("--audio" if is_first_room else "--allow-output", f"pcm:{path}")
        self.room = () if is_first_room else ("--room", self.ROOM)
        self.is_prepared = False

    def prepare(self):
        if not self.is_prepared and self.room:
            self.home.baton("rooms", "create", self.ROOM, "--output", self.flags[-1])
        if not self.is_prepared:
            self.home.baton(*self.room, "volume", "100")
        self.is_prepared = True

    def play(self, *queue, meanwhile=None, in_time=False):
        """What is heard of a queue from its first entry to its last. `meanwhile` is done once there is sound, and before more is read.
        `in_time` reads no faster than a loudspeaker plays one channel."""
        self.prepare()
        # Not waited for: it ends when the player says that it plays, and a player whose pipe is full may say so only when that is read.
        asked = self.home.start(f"{binaries()}/baton", *self.room, "play", *queue, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        heard = bytearray()
        wait("sound", lambda: self.read(heard) or asked.poll())
        if meanwhile:
            meanwhile()
        begin = time.monotonic()

        def most():
            return int((time.monotonic() - begin) * RATE) * 2 if in_time else sys.maxsize
        wait("all is played", lambda: not self.read(heard, most()) and self.is_over())
        self.read(heard)
        why = asked.communicate(timeout=60)[1]
        if asked.returncode:
            raise AssertionError(f"baton play {' '.join(queue)} ended with {asked.returncode}: {why}")
        return np.frombuffer(heard, dtype="<i2") / 32768

    def rest(self):
        """Every sample until the room has played all, as whole numbers."""
        heard = bytearray()
        wait("all is played", lambda: not self.read(heard) and self.is_over())
        self.read(heard)
        return np.frombuffer(heard, dtype="<i2")

    def next(self, count):
        """The next so many samples, as whole numbers."""
        heard = bytearray()
        wait("the samples", lambda: not self.read(heard, 2 * count) and len(heard) == 2 * count)
        return np.frombuffer(heard, dtype="<i2")

    def read(self, heard, most=sys.maxsize):
        """Takes what waits in the pipe, until `heard` has the most that it may; whether there was any."""
        before = len(heard)
        with contextlib.suppress(BlockingIOError):
            while len(heard) < most:
                heard += os.read(self.file, min(1 << 16, most - len(heard)))
        return len(heard) > before

    def status(self):
        return json.loads(self.home.baton(*self.room, "status", "--json"))

    def is_over(self):
        status = self.status()
        return status["tl"]["st"] == "stopped" and status["queue"]["idx"] == 0 and "problem" not in status


def torn(sound, hertz, seconds):
    """What is wrong with a tone that was cut into tracks; nothing, if the cuts cannot be found."""
    audible = np.flatnonzero(np.abs(sound) > 0.02)
    first, last = int(audible[0]), int(audible[-1])
    length = (last - first) / RATE
    if abs(length - seconds) > 0.02:
        return f"{length:.3f} s are heard of a tone of {seconds:g} s"
    tone = sound[first:last]
    quiet = np.abs(tone) < 0.002
    edges = np.flatnonzero(np.diff(np.concatenate(([0], quiet.view(np.int8), [0]))))
    longest = int(np.max(edges[1::2] - edges[::2])) if len(edges) else 0
    if longest > RATE // 1000:
        return f"silence of {longest / RATE * 1000:.1f} ms inside"
    # The tone turned back by its own frequency stands still; a sample too many or too few turns it by 3.3 degrees.
    block = RATE // 100
    turned = tone * np.exp(-2j * np.pi * hertz * np.arange(len(tone)) / RATE)
    smooth = np.convolve(turned, np.hanning(4 * block) / (2 * block), mode="valid")[::block]
    phase = np.unwrap(np.angle(smooth))
    off = float(np.max(np.abs(phase - np.median(phase))))
    return None if off < 0.02 else f"the tone leaps by {np.degrees(off):.1f} degrees"


class Climb:
    """A tone that climbs evenly, so that each moment of it says by its pitch where it lies."""

    def __init__(self, first=300, a_second=500):
        self.first, self.a_second = first, a_second

    def source(self, seconds, rate=RATE):
        """As ffmpeg makes it."""
        return f"aevalsrc=exprs='0.5*sin(2*PI*({self.first}*t+{self.a_second / 2:g}*t*t))':s={rate}:d={seconds:g}"

    def place(self, sound):
        """The second that lies in the middle of this piece, by where the wave passes through zero."""
        before = np.flatnonzero(np.diff(np.signbit(sound)))
        crossings = before + sound[before] / (sound[before] - sound[before + 1])
        return ((len(crossings) - 1) / 2 * RATE / (crossings[-1] - crossings[0]) - self.first) / self.a_second if len(crossings) > 2 else None

    def first_place(self, sound, count=RATE // 50):
        """The second where what is heard of it begins."""
        start, end = pieces(sound)[0]
        count = min(count, end - start)
        return self.place(sound[start:start + count]) - count / 2 / RATE

    def last_place(self, sound, count=RATE // 50):
        """The second where what is heard of it ends."""
        start, end = pieces(sound)[-1]
        count = min(count, end - start)
        return self.place(sound[end - count:end]) + count / 2 / RATE


def pieces(sound, least=RATE // 250):
    """Where sound begins and ends: a sound server fills in silence where a busy machine brought its samples too late. What lasts less
    than `least` says nothing of a tone."""
    audible = np.flatnonzero(np.abs(sound) > 0.02)
    gaps = np.flatnonzero(np.diff(audible) > RATE // 500)
    edges = zip(np.concatenate((audible[:1], audible[gaps + 1])), np.concatenate((audible[gaps], audible[-1:])))
    return [(int(start), int(end) + 1) for start, end in edges if end - start >= least]
