# deploy/test: tier 2, judges Sources/Web.
"""Controls on the lock screen, as the desktop sees them: playerctl finds the page's media session and conducts the hub."""

import os
import subprocess
import sys

from Support.hubs import main, wait

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_lockscreen.py: skipped, for there is no selenium here")
    sys.exit(77)


class LockScreens(PageCase):
    @classmethod
    def setUpClass(cls):
        # A bus for people's programs and one for the machine's, since playerctl asks for both, and a screen of our own.
        folder = cls.enterClassContext(__import__("tempfile").TemporaryDirectory(prefix="baton-", dir="/tmp"))
        cls.environment = {**os.environ}
        for name, kind in (("DBUS_SESSION_BUS_ADDRESS", "--session"), ("DBUS_SYSTEM_BUS_ADDRESS", "--system")):
            address = f"unix:path={folder}/{kind[2:]}"
            cls.begin("dbus-daemon", kind, "--nofork", "--nopidfile", f"--address={address}")
            cls.environment[name] = os.environ[name] = address
        read, write = os.pipe()
        cls.begin("Xvfb", "-displayfd", str(write), "-screen", "0", "800x700x24", "-nolisten", "tcp", pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as number:
            os.environ["DISPLAY"] = ":" + number.readline().strip()
        cls.browser_flags = {"head": True, "flags": ["--autoplay-policy=user-gesture-required"]}
        super().setUpClass()

    @classmethod
    def begin(cls, *words, **options):
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.kill)

    def ask(self, *words):
        ended = subprocess.run(
            ["playerctl", *words], env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        return ended.stdout.strip()

    def test_playerctl(self):
        """A tap starts it; then title and state are told, and play, pause and next reach the room."""
        self.assertEqual(self.ask("--list-all"), "", "Nothing is held before a tap.")
        self.page.size(600, 600)
        self.play()
        self.show("settings?page=device")
        self.page.wait("the switch", lambda: self.page.driver.find_elements("id", "lockscreen"))
        self.page.press("lockscreen")
        wait("playerctl sees the page", lambda: self.ask("--list-all").startswith("chrom"))
        wait("the title", lambda: self.ask("metadata", "title") == self.page.text("title"))
        self.assertEqual(self.ask("status"), "Playing")
        self.ask("pause")
        self.reaches("paused", lambda status: status["state"] == "paused")
        wait("it says so", lambda: self.ask("status") == "Paused")
        self.ask("play")
        self.reaches("playing", lambda status: status["state"] == "playing")
        before = self.status()["title"]
        self.ask("next")
        after = self.reaches("the next", lambda status: status["title"] != before)["title"]
        wait("its title", lambda: self.ask("metadata", "title") == after)
        self.page.press("lockscreen")
        wait("it is let go", lambda: self.ask("status") != "Playing")
        self.show("playing")


if __name__ == "__main__":
    main("chromium", "chromedriver", "playerctl", "Xvfb", "dbus-daemon")
