# deploy/test: tier 2, judges Sources/Web.
# deploy/test: browser, for a recording keeps time with the clock on the wall.
"""The media keys of a device that plays the room along, as its desktop sees them: playerctl steers the room as far as the role goes."""

import os
import subprocess
import tempfile

from Support.hubs import main, wait
from Support.listeningpage import ListeningPageCase
from Support.suite import slow


class MediaKeys(ListeningPageCase):
    flags = (*ListeningPageCase.flags, "--signup", "open", "--guests", "listener")

    @classmethod
    def setUpClass(cls):
        # A bus for people's programs and one for the machine's, since playerctl asks for both.
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="baton-", dir="/tmp"))
        cls.buses = {}
        for name, kind in (("DBUS_SESSION_BUS_ADDRESS", "--session"), ("DBUS_SYSTEM_BUS_ADDRESS", "--system")):
            cls.buses[name] = f"unix:path={folder}/{kind[2:]}"
            bus = subprocess.Popen(
                ["dbus-daemon", kind, "--nofork", "--nopidfile", f"--address={cls.buses[name]}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            cls.addClassCleanup(bus.wait)
            cls.addClassCleanup(bus.kill)
        cls.environment = cls.buses
        super().setUpClass()

    def ask(self, *words):
        ended = subprocess.run(
            ["playerctl", *words], env={**os.environ, **self.buses}, capture_output=True, text=True, timeout=60, check=False)
        return ended.stdout.strip()

    def says(self, sentence, words, value):
        wait(sentence, lambda: self.ask(*words) == value)

    def test_playerctl(self):
        """The title, the room as artist and the position are told; pause, play, next, previous, a step and a seek reach the room, and stop
        ends the sound here alone."""
        self.play()
        self.listen()
        self.says("the title", ("metadata", "title"), "Noise 0")
        self.assertEqual(self.ask("metadata", "artist"), self.page.text("roomname"))
        self.says("it plays", ("status",), "Playing")
        self.ask("pause")
        self.home.reaches("paused", lambda status: status["tl"]["st"] == "paused")
        self.says("it says so", ("status",), "Paused")
        self.ask("play")
        self.home.reaches("playing", lambda status: status["tl"]["st"] == "playing")
        self.ask("position", "60")
        self.home.reaches("a minute later", lambda status: status["tl"]["posMs"] >= 60_000)
        self.ask("position", "15-")
        self.home.reaches("a step back", lambda status: status["tl"]["posMs"] < 60_000)
        self.ask("next")
        self.home.reaches("the next", lambda status: status["now"]["title"] == "Noise 1")
        self.says("its title", ("metadata", "title"), "Noise 1")
        self.ask("previous")
        self.home.reaches("the one before", lambda status: status["now"]["title"] == "Noise 0")
        self.in_step()
        self.ask("stop")
        self.page.wait("it has ended", lambda: "Not playing here" in self.page.text("listenhow"))
        self.silent()
        self.assertEqual(self.home.status()["tl"]["st"], "playing")

    @slow
    def test_listener(self):
        """A device that may only listen is muted by its pause, and its other keys leave the room alone."""
        self.play()
        page = self.open(has_sheet=False)
        page.run("location.hash = '#/settings?page=account'")
        page.wait("the way in", lambda: page.run("const enter = document.getElementById('enter'); enter?.click(); return !!enter"))
        page.wait("it is in", lambda: page.run("return document.getElementById('signedin')?.textContent.includes('may look')"))
        page.run("location.hash = '#/playing'")
        self.open_sheet()
        page.press("listen")
        self.in_step()
        self.says("it plays", ("status",), "Playing")
        before = self.home.status()["now"]["title"]
        self.ask("next")
        self.ask("pause")
        self.silent()
        self.says("it says so", ("status",), "Paused")
        self.ask("play")
        wait("it is heard again", lambda: not self.is_silent())
        status = self.home.status()
        self.assertEqual((status["tl"]["st"], status["now"]["title"]), ("playing", before))


if __name__ == "__main__":
    main("pulseaudio", "parec", "pactl", "ffmpeg", "chromium", "chromedriver", "playerctl", "dbus-daemon")
