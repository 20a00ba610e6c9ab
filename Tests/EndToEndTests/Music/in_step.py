# deploy/test: tier 2, first InStep.test_sound.
# deploy/test: judges Sources/Programs/baton-listen Sources/Core/BatonCore/InStep Sources/Platform/Player.
# deploy/test: records, for a recording keeps time with the clock on the wall.
"""How far apart two `baton listen` and the hub's own speaker are heard: one sound server, a recorder of all three at once.

The three play into channels of one sink, so one clock counts all of them; noise against noise says by correlation how far apart two of
them are. 30 s are recorded, and three minutes with BATON_SLOW=1. Nothing is taken from what the programs say of themselves.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import time

from ports import free_port
from Support.fixtures import lavfi, make, metadata
from Support.hubs import IS_SLOW, ROOT, HubCase, binaries, main, wait
from Support.lossy import LossyRelay
from Support.recording import RATE, np
from Support.suite import IS_FIRST, possible_if, slow

SECONDS = 180 if IS_SLOW else 10 if IS_FIRST else 30
LENGTH = 90 if IS_SLOW else 40
# How long the network is away, and how much of the track before is heard in that time.
AWAY, BEFORE_CHANGE = 60, 20
QUIET = 600
PLACES = ("speaker", "kitchen", "attic")
CHANNELS = ("front-left", "front-right", "rear-left")
WINDOW = RATE // 2
PIECE = RATE // 20
IN_STEP_MS = 30
# The goals are judged by three minutes on a quiet machine; thirty seconds on any machine show that they are in step.
EACH_OTHER_MS, SPEAKER_MS = (5, 10) if IS_SLOW else (IN_STEP_MS, IN_STEP_MS)
# Of a hundred windows so many are to be within the bar: a machine that does other things lets a device fall behind for a moment.
SHARE = 95 if IS_SLOW else 75


class Sinks:
    """A PulseAudio of our own: three mono sinks that are the channels of one. `more` are modules that a suite adds; they are there before
    the recorder, which a change of the default source would move."""

    def __init__(self, home, *more):
        every = ",".join(CHANNELS)
        words = ["-L", f"module-null-sink sink_name=all rate={RATE} channels={len(CHANNELS)} channel_map={every} format=s16le"]
        for place, channel in zip(PLACES, CHANNELS, strict=True):
            words += ["-L", f"module-remap-sink sink_name={place} sink_properties=device.description={place} master=all channels=1 channel_map=mono "
                      f"master_channel_map={channel} remix=no"]
        words += [word for module in more for word in ("-L", module)]
        self.process = home.start(
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-target=stderr", "--disable-shm=yes",
            "-L", f"module-native-protocol-unix auth-anonymous=1 socket={home.folder}/pulse", *words,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait("the sound server", lambda: home.run("pactl", "info").returncode == 0)
        self.path = f"{home.folder}/heard.raw"
        self.file = open(self.path, "wb")
        self.recorder = home.start(
            "parec", "-d", "all.monitor", f"--rate={RATE}", f"--channels={len(CHANNELS)}", f"--channel-map={every}", "--format=s16le",
            "--latency-msec=20", stdout=self.file)
        wait("the recorder", lambda: self.now > 0)

    def close(self):
        for process in (self.recorder, self.process):
            process.terminate()
            process.wait(10)
        self.file.close()

    @property
    def now(self):
        return os.path.getsize(self.path) // (2 * len(CHANNELS))

    def heard(self, start, count):
        """A row for each place."""
        wait("the recording goes on", lambda: self.now >= start + count, limit=20 + count / RATE)
        width = len(CHANNELS)
        return np.fromfile(self.path, dtype="<i2", offset=2 * width * start, count=width * count).reshape(-1, width).T / 32768


def apart(one, other):
    """By how many ms the second is heard later: where a twentieth of a second from the middle of the first fits best. A longer piece would not
    fit while a difference is being corrected. `None` where one is silent, infinity where nothing fits."""
    if min(float(np.sqrt(np.mean(sound**2))) for sound in (one, other)) < 1e-4:
        return None
    begin = (len(one) - PIECE) // 2
    piece = one[begin:begin + PIECE]
    size = 2 * len(other)
    products = np.fft.irfft(np.conj(np.fft.rfft(piece, size)) * np.fft.rfft(other, size))[:len(other) - PIECE + 1]
    energy = np.concatenate(([0], np.cumsum(other**2)))
    likeness = products / np.sqrt(np.maximum((energy[PIECE:] - energy[:-PIECE]) * np.sum(piece**2), 1e-12))
    peak = int(np.argmax(likeness))
    return (peak - begin) / RATE * 1000 if likeness[peak] > 0.5 else float("inf")


class InStep(HubCase):
    flags = ("--audio", "pulse/speaker")

    @classmethod
    def prepare(cls):
        cls.sinks = Sinks(cls.home)
        cls.addClassCleanup(cls.sinks.close)
        for number in range(6):
            noise = f"anoisesrc=color=white:amplitude=0.9:seed={number}:sample_rate={RATE}:duration={LENGTH},lowpass=f=1000"
            path = lavfi(f"{cls.home.music}/raw/{number}.flac", noise)
            make(f"{cls.home.music}/{number}.flac", "-i", path, *metadata(title=f"Noise {number}"))
            os.unlink(path)

    def listen(self, place, *more):
        process = self.home.start(
            f"{binaries()}/baton", "listen", "--output", f"pulse/{place}", *more, stdout=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.terminate()
        process.wait(10)

    def differences(self, sound, one, other):
        """In ms, window by window."""
        first, second = sound[PLACES.index(one)], sound[PLACES.index(other)]
        return [apart(first[at:at + WINDOW], second[at:at + WINDOW]) for at in range(0, len(first) - WINDOW + 1, WINDOW)]

    def assertNear(self, name, differences, bar):
        known = [abs(one) for one in differences if one is not None]
        self.assertGreater(len(known), 0.9 * len(differences), f"{name}: only {len(known)} of {len(differences)} windows have sound of both")
        part = lambda share: float(np.percentile(known, share, method="higher"))
        print(f"{name}: p50 {part(50):.2f} ms, p95 {part(95):.2f} ms, most {max(known):.2f} ms, {len(known)} windows")
        self.assertLessEqual(part(SHARE), bar, f"{name}: {[one and round(one, 1) for one in differences]}")

    def silent_after(self, place, since):
        """Seconds until the place is silent for a tenth of a second."""
        step = RATE // 100
        row = PLACES.index(place)

        def found():
            sound = self.sinks.heard(since, max(self.sinks.now - since, 1))[row]
            loud = [at for at in range(0, len(sound) - step + 1, step) if np.max(np.abs(sound[at:at + step])) > 2 / 32768]
            last = loud[-1] + step if loud else 0
            return len(sound) - last >= RATE // 10 and (last + 1) / RATE
        return wait(f"{place} is silent", found)

    def test_sound(self):
        """Two listening devices and the speaker are in step, over a change of tracks; a pause silences all."""
        self.begin()
        self.listen("kitchen")
        begin = self.sinks.now
        self.listen("attic")
        joined = self.sinks.heard(begin, 12 * RATE)
        # The connection, the first bytes and the start are all in it.
        near = self.differences(joined, "speaker", "attic")
        first = next((at for at, one in enumerate(near) if one is not None and abs(one) <= IN_STEP_MS), None)
        self.assertIsNotNone(first, f"never in step in 12 s: {near}")
        print(f"joining to in step: {(first + 1) * WINDOW / RATE:.1f} s at most; {[one and round(one, 1) for one in near]}")
        sound = self.sinks.heard(self.sinks.now, SECONDS * RATE)
        self.assertNear("two devices", self.differences(sound, "kitchen", "attic"), EACH_OTHER_MS)
        self.assertNear("a device and the speaker", self.differences(sound, "speaker", "attic"), SPEAKER_MS)
        people = self.home.baton("people", "--long")
        self.assertEqual(people.count(", in step by its own report"), 2, people)
        pressed = self.sinks.now
        self.home.baton("pause")
        for place in PLACES:
            print(f"silent after {self.silent_after(place, pressed):.2f} s: {place}")

    @slow
    def test_quality(self):
        """A device that gets the sound encoded is in step as well, whatever its decoder holds back."""
        self.begin()
        for quality in ("opus64", "aac128"):
            device = self.listen("kitchen", "--quality", quality)
            self.sinks.heard(self.sinks.now, 12 * RATE)
            sound = self.sinks.heard(self.sinks.now, 20 * RATE)
            self.assertNear(f"{quality} and the speaker", self.differences(sound, "speaker", "kitchen"), SPEAKER_MS)
            self.end(device)
        encoded = [name for name in glob.glob(f"{self.home.folder}/state/**/transcodes/*", recursive=True) if not name.endswith(".part")]
        self.assertGreaterEqual(len(encoded), 2, encoded)

    def begin(self):
        self.home.baton("volume", "50")
        self.home.baton("play", *(f"{self.home.music}/{number}.flac" for number in range(6)))
        self.home.reaches("playing", lambda status: status["tl"]["st"] == "playing")

    def reports(self):
        return [person["report"] for person in json.loads(self.home.baton("people", "--long", "--json"))["list"] if "report" in person]

    @slow
    def test_outage(self):
        """A network that is away for a minute, over a change of tracks, is not heard on a device, which is in step again three seconds after."""
        relay = LossyRelay(f"127.0.0.1:{self.hub.port}", delay=0.002, loss=0)
        self.addCleanup(relay.close)
        self.begin()
        self.listen("kitchen", "--hub", f"ws://127.0.0.1:{relay.port}")
        self.home.baton("seek", str(LENGTH - BEFORE_CHANGE - 10))
        self.sinks.heard(self.sinks.now, 10 * RATE)
        begin = self.sinks.now
        relay.hold()
        heard = self.sinks.heard(begin, AWAY * RATE)
        relay.go()
        after = self.sinks.now
        tenths = heard[PLACES.index("kitchen")].reshape(-1, RATE // 10)
        self.assertEqual([at / 10 for at, part in enumerate(tenths) if np.sqrt(np.mean(part**2)) < 1e-3], [])
        self.assertNear("meanwhile", self.differences(heard, "speaker", "kitchen"), IN_STEP_MS)
        near = self.differences(self.sinks.heard(after + 3 * RATE, 3 * RATE), "speaker", "kitchen")
        self.assertTrue(all(one is not None and abs(one) <= IN_STEP_MS for one in near), near)

    @slow
    def test_quiet(self):
        """In ten quiet minutes a device begins anew at most once."""
        self.home.baton("repeat", "all")
        self.begin()
        self.listen("kitchen")
        self.sinks.heard(self.sinks.now, 10 * RATE)
        before = self.reports()[0].get("starts", 0)
        time.sleep(QUIET)
        starts = self.reports()[0].get("starts", 0) - before
        print(f"{starts} new starts in {QUIET} s")
        self.assertLessEqual(starts, 1)

    @slow
    @possible_if(shutil.which("snapserver"), "there is no snapserver: deploy/packages bench installs it")
    def test_snapclients(self):
        """Two devices are no farther apart than two clients of Snapcast are, one after the other at the same sound server."""
        self.begin()
        devices = [self.listen(place) for place in PLACES[1:]]
        ours = self.apart("two devices", EACH_OTHER_MS)
        for device in devices:
            self.end(device)
        self.home.baton("pause")
        self.snapcast()
        theirs = self.apart("two snapclients", float("inf"))
        print(f"ratio {ours / theirs:.2f}")
        self.assertLessEqual(ours, max(theirs, 1))

    def apart(self, name, bar):
        """p95 in ms of the kitchen and the attic, after ten seconds that do not count."""
        self.sinks.heard(self.sinks.now, 10 * RATE)
        differences = self.differences(self.sinks.heard(self.sinks.now, SECONDS * RATE), "kitchen", "attic")
        self.assertNear(name, differences, bar)
        return float(np.percentile([abs(one) for one in differences if one is not None], 95))

    def snapcast(self):
        """A server and two clients, which play as white noise as the devices do."""
        folder, ports = self.home.folder, [free_port() for _ in range(2)]
        lavfi(f"{folder}/noise.wav", f"anoisesrc=color=white:amplitude=0.9:sample_rate={RATE}:duration={SECONDS + 60},lowpass=f=1000", "-ac", "2")
        with open(f"{folder}/snapserver.conf", "w", encoding="ascii") as file:
            file.write(
                f"[server]\ndatadir = {folder}\n[http]\nenabled = false\n[tcp]\nbind_to_address = 127.0.0.1\nport = {ports[0]}\n"
                f"[stream]\nbind_to_address = 127.0.0.1\nport = {ports[1]}\n"
                f"source = file://{folder}/noise.wav?name=default&sampleformat={RATE}:16:2\n[logging]\nsink = null\n")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.addCleanup(self.end, self.home.start("snapserver", "-c", f"{folder}/snapserver.conf", **quiet))
        for place in PLACES[1:]:
            self.addCleanup(self.end, self.home.start(
                "snapclient", "-h", "127.0.0.1", "-p", str(ports[1]), "--player", "pulse", "-s", place, "--hostID", place, "--logsink", "null", **quiet))

    @slow
    def test_example(self):
        """The example in Python plays along by mpv."""
        self.begin()
        process = self.home.start(
            sys.executable, f"{ROOT}/examples/python/listener.py", f"ws://127.0.0.1:{self.hub.port}", "--audio-device=pulse/kitchen",
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        self.sinks.heard(self.sinks.now, 10 * RATE)
        sound = self.sinks.heard(self.sinks.now, 10 * RATE)
        self.assertNear("the example and the speaker", self.differences(sound, "speaker", "kitchen"), SPEAKER_MS)


if __name__ == "__main__":
    if not os.path.exists(f"{binaries()}/baton-listen"):
        print("in_step.py: skipped, for baton-listen is not built")
        sys.exit(77)
    main("pulseaudio", "parec", "pactl", "ffmpeg", *(["mpv"] if IS_SLOW else []))
