# deploy/test: tier 2, judges Sources/Platform/Disk Sources/Features/Library/BatonLibrary/Local Sources/Platform/Threads.
# deploy/test: waits, mostly for the patience of the hub with a disk to end.
"""A disk that stops answering, in the middle of everything, beside one that goes on.

The disk is served by the test (Support/stalling.py), and the kernel holds every process that asks it, as at a drive or a
share that has gone silent: not even a signal frees them. Only what is on that disk may wait for it."""

import http.client
import json
import os
import sys
import time

from Music import music
from Support.fixtures import lavfi, metadata
from Support.hubs import NOT_POSSIBLE, main
from Support.rawpeer import reach
from Support.stalling import StallingDisk, can_stall

# Time limit for answers that do not need the disk, on a busy machine.
SOON = 4


class Hanging(music.Music):
    def setUp(self):
        super().setUp()
        # Not the place where it is mounted, which can be looked at without asking the disk.
        self.store = f"{self.home.folder}/store/songs"
        os.makedirs(self.store)
        place = f"{self.home.folder}/far"
        self.disk = StallingDisk(f"{self.home.folder}/store", place)
        self.addCleanup(self.disk.close)
        self.far = f"{place}/songs"

    def begin(self, *flags):
        hub = super().begin(*flags)
        # Before the hub is ended: a process cannot end while a disk holds it.
        self.addCleanup(self.disk.go)
        return hub

    def tones(self, folder, names, hertz=300):
        """One file under several names, with a title each: as many as one likes, quickly."""
        for number, name in enumerate(names):
            lavfi(os.path.join(folder, f"{name}.flac"), f"sine=f={hertz + number}:r=44100:d=30", *metadata(title=name.split("/")[-1]))

    def report(self):
        return self.ask("lib.folders")["d"].get("report", {})

    def far_folder(self):
        return next(one for one in self.ask("lib.folders")["d"]["folders"] if one["path"].startswith(self.far))

    def assertSoon(self, what, body):
        began = time.monotonic()
        value = body()
        took = time.monotonic() - began
        self.assertLess(took, SOON, f"{what} took {took:.1f} s")
        return value

    def test_scan(self):
        """A scan names the file at which a disk fell silent, leaves that disk alone, and goes on with it when it is back."""
        self.tones(f"{self.home.music}/near", ["Robin", "Wren"])
        self.tones(self.store, ["a/Adder", "b/Viper", "c/Python"], hertz=500)
        self.disk.hold_reading("Viper.flac")
        self.begin("--audio", "null", "--music", self.far)
        self.until("the near ones are found", lambda: len(self.found("robin")) + len(self.found("wren")) == 2, limit=60)
        problem = self.until("the silence is said", lambda: self.far_folder().get("problem"), limit=60)
        self.assertIn("Viper.flac", problem)
        self.assertIn("does not answer", problem)
        # The watch over the others goes on meanwhile.
        self.tones(f"{self.home.music}/near", ["Heron"], hertz=900)
        self.until("a new one is found", lambda: self.found("heron"))
        self.disk.go()
        self.until("all are found", lambda: all(self.found(name) for name in ("adder", "viper", "python")), limit=60)
        # The end of the scan clears it.
        self.until("the silence is over", lambda: not self.far_folder().get("problem"))

    def test_silent_from_the_start(self):
        """A disk that is silent when the hub starts keeps neither the hub nor the other folders waiting."""
        self.tones(f"{self.home.music}/near", ["Robin"])
        self.tones(self.store, ["a/Adder"], hertz=500)
        self.disk.hold("songs")
        hub = self.begin("--audio", "null", "--music", self.far)
        self.until("the near one is found", lambda: self.found("robin"))
        self.ask("play", {"uri": self.found("robin")[0]["uri"]})
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")
        self.until("the silence is said", lambda: self.far_folder().get("problem"), limit=60)
        self.disk.go()
        self.until("it is found", lambda: self.found("adder"), limit=60)
        self.assertEqual(hub.stop(), 0)

    def test_in_use(self):
        """While a disk is silent everything else is answered; what lies on it is refused with a sentence."""
        self.tones(f"{self.home.music}/near", ["Robin", "Wren"])
        self.tones(self.store, ["a/Adder", "b/Viper", "c/Python"], hertz=500)
        for folder in (f"{self.store}/a", f"{self.home.music}/near"):
            lavfi(f"{folder}/cover.png", f"testsrc=s=6{len(folder)}x480", "-frames:v", "1")
        hub = self.begin("--audio", "null", "--music", self.far)
        self.scanned(least=5)
        adder, viper, robin, wren = (self.found(name)[0] for name in ("adder", "viper", "robin", "wren"))
        media = {row["uri"]: self.ask("lib.item", {"uri": row["uri"], "media": True})["d"]["media"]["url"] for row in (adder, viper, robin)}
        self.ask("play", {"uri": robin["uri"]})
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")

        self.disk.hold("songs")
        # Five at once, more than there are hands.
        stuck = [self.unanswered(media[row["uri"]]) for row in (adder, viper, adder)] + [self.unanswered(f"/art/{adder['art']}?w=9{n}&h=90") for n in (1, 2)]
        for turn in range(3):
            self.assertSoon("a search", lambda: self.found("robin"))
            self.assertSoon("a volume", lambda: self.ask("vol.set", {"level": 20 + turn}))
            self.assertEqual(self.assertSoon("music near", lambda: self.http(media[robin["uri"]], headers={"Range": "bytes=0-99"}))[0], 206)
            self.assertEqual(self.assertSoon("a picture near", lambda: self.http(f"/art/{robin['art']}?w=8{turn}&h=80"))[0], 200)
            self.assertSoon("another track", lambda: self.ask("play", {"uri": (wren if turn % 2 else robin)["uri"]}))
            self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing", limit=SOON)
        for link in stuck:
            self.assertEqual(self.status_of(link), 503)
        # From now on it is known.
        status, _, body = self.assertSoon("music far", lambda: self.http(media[viper["uri"]]))
        self.assertEqual(status, 503, body)
        self.assertIn(b"does not answer", body)
        self.assertEqual(self.assertSoon("a look at its folders", lambda: self.look(self.far))["err"]["code"], "unavailable")
        self.ask("queue.add", {"uris": [viper["uri"], wren["uri"]]})
        self.disk.go()
        self.until("it can be had again", lambda: self.http(media[viper["uri"]], headers={"Range": "bytes=0-9"})[0] == 206)
        self.assertEqual(self.http(f"/art/{adder['art']}?w=77&h=77")[0], 200)
        self.assertEqual(hub.stop(), 0)

    def look(self, folder):
        """The answer to the question for the folders inside of one."""
        frame = {"t": "cmd", "id": 1, "m": "lib.folders", "p": {"in": folder}}
        return json.loads(self.http("/baton/cmd", json.dumps(frame))[2])

    def unanswered(self, path):
        """A request on its way."""
        link = reach(self.home.socket)
        link.settimeout(60)
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        self.addCleanup(link.close)
        return link

    @staticmethod
    def status_of(link):
        answer = http.client.HTTPResponse(link)
        answer.begin()
        answer.read()
        return answer.status


if __name__ == "__main__":
    if not can_stall():
        print("hanging.py: not possible, for this machine lets users mount no disk")
        sys.exit(NOT_POSSIBLE)
    main("ffmpeg")
