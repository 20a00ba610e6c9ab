# deploy/test: tier 2, judges Sources/Programs/baton-transcoder Sources/Platform/MediaFormat/SoundEncoding Sources/Features/Listening/BatonListening.
"""Items in another form than their own, for devices that play along: encoded once for all who want it, also when the encoder is killed, and the original where it cannot be."""

import concurrent.futures
import glob
import json
import os
import re
import signal
import urllib.request

from Support.fixtures import lavfi
from Support.hubs import IS_SLOW, HubCase, main, wait
from Support.suite import slow

LENGTH = 240 if IS_SLOW else 60
LISTENERS = 50


class Coded(HubCase):
    flags = ("--audio", "null", "--metrics", "127.0.0.1:0")

    @classmethod
    def prepare(cls):
        for name, length in (("one", LENGTH), ("two", LENGTH), ("three", 4 * LENGTH)):
            lavfi(f"{cls.home.music}/{name}.flac", f"sine=frequency=300:duration={length}")

    def playing(self, name):
        self.home.baton("play", f"{self.home.music}/{name}.flac")
        self.home.reaches("playing", lambda status: status["tl"]["st"] == "playing")

    def address(self, quality):
        """Where a device gets what plays."""
        command = {"t": "cmd", "id": 1, "m": "listen.here", "p": {"media": True, "quality": quality}}
        said = self.home.baton("raw", json.dumps(command))
        answer = next(message for message in map(json.loads, said.splitlines()) if message["t"] == "res")
        return self.hub.page + answer["d"]["items"][0]["url"]

    @staticmethod
    def fetched(address):
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.headers["content-type"], answer.read()

    def probed(self, body):
        path = f"{self.home.folder}/fetched"
        with open(path, "wb") as file:
            file.write(body)
        shown = self.home.run("ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", path).stdout
        return json.loads(shown)

    def encoded(self, quality, codec):
        """Who asks while a slow machine encodes gets the original, and the encoded item a while later."""
        def found():
            kind, body = self.fetched(self.address(quality))
            return self.probed(body)["streams"][0]["codec_name"] == codec and (kind, body)
        return wait(f"it is encoded as {codec}", found, every=0.5)

    def encoders(self):
        return self.home.run("pgrep", "-P", str(self.hub.process.pid), "-x", "baton-transcode").stdout.split()

    def figure(self, name):
        address = re.search(r"metrics (http://\S+/metrics)", self.hub.text(self.hub.said)).group(1)
        with urllib.request.urlopen(address, timeout=60) as answer:
            return int(float(re.search(rf"^baton_{name}(?:_total)? (\S+)$", answer.read().decode(), re.M).group(1)))

    def test_forms(self):
        """Each quality is what it says, as long as the original, and known by its type."""
        self.playing("one")
        for quality, codec, bits in (("opus64", "opus", 64_000), ("aac128", "aac", 128_000), ("original", "flac", None)):
            kind, body = self.encoded(quality, codec)
            found = self.probed(body)
            self.assertEqual(found["streams"][0]["codec_name"], codec)
            self.assertTrue(kind.startswith("audio/"), kind)
            if codec != "aac":
                self.assertAlmostEqual(float(found["format"]["duration"]), LENGTH, delta=0.1)
            if bits:
                self.assertLess(len(body) * 8 / LENGTH, bits * 1.2)

    def test_shared(self):
        """Fifty devices that want one track at once cost one encode, and the next one costs none."""
        self.playing("two")
        before = self.figure("items_encoded")
        addresses = [self.address("opus128") for _ in range(2)] * (LISTENERS // 2)
        with concurrent.futures.ThreadPoolExecutor(LISTENERS) as pool:
            list(pool.map(self.fetched, addresses))
        self.encoded("opus128", "opus")
        self.assertEqual(self.figure("items_encoded") - before, 1)

    @slow
    def test_killed(self):
        """An encoder that is killed on the way is followed by another."""
        self.playing("three")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            coming = pool.submit(self.fetched, self.address("opus64"))
            wait("the first bytes", lambda: any(os.path.getsize(part) for part in glob.glob(f"{self.home.folder}/state/**/*.part", recursive=True)))
            os.kill(int(self.encoders()[0]), signal.SIGKILL)
            coming.result()
        self.encoded("opus64", "opus")
        self.assertIn("three.flac", self.hub.text(self.hub.log))


class NoRoom(Coded):
    """Where there is no room for what is encoded, the original is sent, and the log says why."""

    flags = ("--audio", "null", "--transcode-cache", "20KiB")
    test_forms = test_shared = test_killed = None

    def test_original(self):
        """The original is sent, and the log says why."""
        self.playing("one")
        _, body = self.fetched(self.address("opus64"))
        self.assertEqual(self.probed(body)["streams"][0]["codec_name"], "flac")
        self.assertIn("An item was not encoded", self.hub.text(self.hub.log))


if __name__ == "__main__":
    main("ffmpeg", "ffprobe", "pgrep")
