# deploy/test: tier 2.
# deploy/test: judges Sources/Programs/baton-listen Sources/Programs/baton/Hubs Sources/Platform/WebClient Sources/Platform/Crypto.
# deploy/test: judges Sources/Dialects/Companion/HTTP.
# deploy/test: alone, for a recording keeps time with the clock on the wall.
"""Everything for which a device calls a hub on another machine, by TLS: `baton listen`, *Listen here*, addresses of items, pictures, uploads,
streams and backups; and a program at the hub's address that is not the hub, which learns no key.

The hub is on host A of two that are made for it. The suite, its programs and its browser are on host B.
"""

import hashlib
import json
import os
import subprocess
import sys
import unittest

from chadmusic import Library, Running
from Support.fixtures import lavfi, metadata
from Support.hubs import NOT_POSSIBLE, Home, Hub, binaries, main, wait
from Support.impostor import Impostor
from Support.recording import is_silent, level, pitch, record
from Support.twohosts import TwoHosts
from Support.unprivileged import RemoteAdmin

try:
    from Support.browser import Browser
except ImportError:
    print("from_elsewhere.py: skipped, for there is no selenium here")
    sys.exit(77)

HERTZ = 880
# Long enough that a device has not fetched all of it when it is heard.
SECONDS = 240
KEY = "chad-key-of-the-suite"


class FromElsewhere(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hosts = TwoHosts()
        cls.addClassCleanup(cls.hosts.close)
        cls.hub_home = Home()
        cls.addClassCleanup(cls.hub_home.close)
        tone = f"aevalsrc=exprs='0.5*sin(2*PI*{HERTZ}*t)':s=48000:d={SECONDS}"
        lavfi(f"{cls.hub_home.music}/Tones/tone.wav", tone, "-ac", "2", *metadata(title="Tone", artist="Ana", album="Tones"))
        lavfi(f"{cls.hub_home.music}/Tones/cover.png", "testsrc2=s=600x600", "-frames:v", "1")
        cls.start()
        cls.addClassCleanup(cls.end)
        # A file that is played before it is scanned has no picture.
        cls.hub_home.baton("scan", "--wait")
        cls.device = RemoteAdmin(cls.hub)
        cls.addClassCleanup(cls.device.close)
        cls.home = cls.device.home
        record(cls)

    @classmethod
    def start(cls):
        place = f"{cls.hosts.address['A']}:9443"
        cls.https = f"https://{place}"
        with cls.hosts.on_the_hubs_machine():
            cls.hub = Hub(cls.hub_home, "--audio", "null", "--tls", place)

    @classmethod
    def end(cls):
        """Whichever hub is the last."""
        cls.hub.kill()

    def setUp(self):
        self.hub_home.baton("play", f"{self.hub_home.music}/Tones/tone.wav")
        self.reaches("its length and its picture", lambda now: now["tl"]["st"] == "playing" and now["now"].get("durMs") and "art" in now["now"])
        self.now = self.hub_home.status()["now"]

    def reaches(self, sentence, condition):
        return self.hub_home.reaches(sentence, condition)

    def listen(self):
        """`baton listen` on this machine, ended with the test."""
        process = self.home.start(
            f"{binaries()}/baton", "--hub", self.device.address, "listen", "--output", "pulse/room", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait, 10)
        self.addCleanup(process.terminate)
        return process

    def is_heard(self):
        self.recorder.until("the tone is heard", lambda sound: level(sound) > 0.01 and abs(pitch(sound) - HERTZ) < 5)

    def falls_silent(self):
        self.recorder.until("silence", is_silent)

    def held_ms(self):
        """How much of the item the device that listens says that it has."""
        people = json.loads(self.hub_home.baton("people", "--long", "--json"))["list"]
        return max((person["report"].get("bufferMs", 0) for person in people if "report" in person), default=0)

    # MARK: Sound

    def test_listen(self):
        """It plays. When the hub has started anew the rest of an item is fetched too, though its address was another one; a program that took
        the hub's place in between was shown no key by anything on this machine."""
        process = self.listen()
        self.is_heard()
        self.assertLess(self.held_ms(), self.now["durMs"])
        self.hub.kill()
        with self.hosts.on_the_hubs_machine():
            impostor = Impostor(self.hub_home.folder, 9443)
        self.addCleanup(impostor.close)
        for words in (["listen"], ["status"], ["source", "upload", "loft", __file__]):
            refused = self.device.run(*words)
            self.assertNotEqual(refused.returncode, 0, refused.stdout)
        seen = impostor.met
        wait("the device that listens met it, too", lambda: impostor.met >= seen + 3)
        impostor.close()
        # The upgrade itself is a question without a secret.
        self.assertLessEqual(impostor.paths(), {"/baton"})
        self.assertNotIn(b"authorization", impostor.heard.lower())
        self.assertNotIn(b"{", impostor.heard)
        self.assertIsNone(process.poll())
        self.start()
        self.hub_home.baton("play")
        wait("all of the item is here", lambda: self.held_ms() >= self.now["durMs"])
        self.is_heard()

    def test_listen_here(self):
        """A browser that was paired by its code shows the picture, and plays the room along."""
        os.environ.update({"PULSE_SERVER": self.home.environment["PULSE_SERVER"], "PULSE_SINK": "room"})
        page = Browser(flags=("--autoplay-policy=no-user-gesture-required", "--ignore-certificate-errors"))
        self.addCleanup(page.close)
        page.size(360, 640)
        page.open(self.https + "/")
        page.find("input[name=pin]").send_keys(json.loads(self.hub_home.baton("--json", "pair", "--open"))["pin"])
        page.find("input[name=name]").send_keys("A browser elsewhere")
        page.click("button")
        page.wait("the remote, live", page.is_live)
        page.wait("the picture", lambda: page.run(
            "return [...document.images].some(image => image.src.includes('/art/') && image.complete && image.naturalWidth > 0)"))
        self.falls_silent()
        page.run("location.hash = '#/playing'")
        page.press("room")
        page.click("#listenhere")
        page.wait("the button", lambda: page.driver.find_elements("id", "listen") and page.is_still())
        page.press("listen")
        page.wait("it is in step", lambda: "In step" in page.text("listenhow"))
        self.is_heard()
        page.press("listen")
        self.falls_silent()

    def test_streams(self):
        """A link that the device asks for is a stream for players on its machine, and its list leads back to the same port."""
        said = self.device.run("listen", "link", "Kitchen", "--json")
        self.assertEqual(said.returncode, 0, said.stderr)
        link = json.loads(said.stdout)
        listed = self.device.request("GET", link["m3u"]).whole.decode()
        self.assertIn(f"\n{self.https}{link['mp3']}\n", listed)
        for form in ("mp3", "opus"):
            # Silent until the hub has encoded the item, which may come in the midst of a recording.
            wait(f"the {form} stream sounds as the item does", lambda url=self.https + link[form]: abs(self.pitch_at(url) - HERTZ) <= 5)
        self.assertEqual(self.device.request("GET", link["mp3"].replace("key=", "key=x")).status, 403)

    def pitch_at(self, url):
        """The pitch of a second of a stream."""
        path = f"{self.home.folder}/heard.wav"
        ended = self.home.run("ffmpeg", "-v", "error", "-y", "-tls_verify", "0", "-t", "1", "-i", url, "-ac", "1", "-ar", "48000", "-f", "wav", path)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with open(path, "rb") as file:
            return self.pitch_of(file.read()[4096:])

    @staticmethod
    def pitch_of(content):
        return pitch(memoryview(content[: len(content) // 2 * 2]).cast("h"))

    # MARK: Bytes

    def test_items(self):
        """The address of an item gives whole or part to the device that asked for it, and nothing to another device or to none."""
        url = self.device.ask("lib.item", uri=self.now["uri"], media=True)["d"]["media"]["url"]
        with open(f"{self.hub_home.music}/Tones/tone.wav", "rb") as file:
            whole = file.read()

        def get(**headers):
            return self.device.request("GET", url, headers={**self.device.bearer, **{name.replace("_", "-"): value for name, value in headers.items()}})
        part = get(Range="bytes=100-299")
        self.assertEqual((part.status, part.whole, part.headers["Content-Range"]), (206, whole[100:300], f"bytes 100-299/{len(whole)}"))
        last = get(Range="bytes=-50", If_Range=part.headers["ETag"])
        self.assertEqual((last.status, last.whole), (206, whole[-50:]))
        self.assertEqual(get(Range=f"bytes={len(whole)}-").status, 416)
        everything = get()
        self.assertEqual((everything.status, hashlib.sha256(everything.whole).digest()), (200, hashlib.sha256(whole).digest()))

        other = RemoteAdmin(self.hub, "remote")
        self.addCleanup(other.close)
        answers = [other.request("GET", url, headers=headers).status for headers in (other.bearer, {}, {"Authorization": "Bearer d_1.AAAA"})]
        self.assertEqual(answers, [404, 401, 401])

    def test_pictures(self):
        """A picture is there for the device, in the size that it asks for, and for no stranger."""
        path = f"/art/{self.now['art']['id']}?w=64&h=64&fmt=png"
        status, picture = self.device.get(path)
        self.assertEqual((status, picture[:4]), (200, b"\x89PNG"))
        self.assertEqual(self.device.request("GET", path).status, 401)

    def test_uploads(self):
        """A file of this machine goes through the hub to a server of the hub's, from an admin's device alone."""
        self.hub_home.secret("key", KEY)
        with self.hosts.on_the_hubs_machine():
            chad = Running(Library.small(1))
            chad.state.behaviour.key, chad.state.behaviour.most = KEY, str(1 << 40)
            chad.start()
        self.addCleanup(chad.stop)
        self.hub_home.baton("source", "add", "loft", "chadmusic", chad.url, "--title", "Loft", "--api-key-file", f"{self.hub_home.folder}/key")
        path = f"{self.home.folder}/mine.flac"
        with open(path, "wb") as file:
            file.write(os.urandom(3 << 20))
        said = self.device.run("source", "upload", "loft", path)
        self.assertEqual(said.returncode, 0, said.stderr)
        with open(path, "rb") as file:
            self.assertEqual(chad.state.uploads["mine.flac"]["sha256"], hashlib.sha256(file.read()).hexdigest())

        other = RemoteAdmin(self.hub, "remote")
        self.addCleanup(other.close)
        refused = other.run("source", "upload", "loft", path)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("Only an admin may give files to a server.", refused.stderr)

    def test_backups(self):
        """They hold what only the owner of the hub's machine has, so an admin's device elsewhere is sent there with a sentence."""
        path = f"{self.home.folder}/saved.baton"
        for words in (["backup", path], ["restore", "--yes", __file__]):
            refused = self.device.run(*words)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("on the hub's own machine", refused.stderr)
        self.assertFalse(os.path.exists(path))
        self.assertEqual(self.device.http("POST", "/backup", b"")[0], 404)


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("from_elsewhere.py: only root can make network namespaces")
        sys.exit(NOT_POSSIBLE)
    main("chromium", "chromedriver", "pulseaudio", "parec", "ffmpeg", "openssl")
