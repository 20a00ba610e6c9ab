# deploy/test: tier 2, judges Sources/Programs/batond Sources/Platform/Processes/ServiceManager Sources/Programs/baton/Verbs/Hub.
# deploy/test: waits, mostly for hubs and servers that do not answer.
"""The hub's log as admins read it: its last lines, those that come, and no secret in any of them."""

import json
import os
import pty
import re
import subprocess
import unittest

from Support.hubs import Home, Hub, binaries, main, wait
from Support.remote import Remote

SECRETS = ["HUSH-OF-A-FEED", "HUSH-OF-AN-ADDRESS", "HUSH-OF-AN-ACCOUNT", "HUSH-OF-A-USER"]


class Logs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.addClassCleanup(cls.home.close)
        cls.hub = Hub(cls.home, "--audio", "null", "--log", "trace", "--signup", "open")
        cls.addClassCleanup(cls.hub.kill)

    def baton(self, *words, code=0, given=None):
        ended = subprocess.run(
            [f"{binaries()}/baton", *words], env=self.home.environment, input=given, stdin=None if given else subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ended.returncode, code, ended.stderr + ended.stdout)
        return ended.stdout + ended.stderr

    def test_lines(self):
        """The newest lines are told by level; what is asked for in another way is refused with a sentence."""
        self.baton("backup", f"{self.home.folder}/saved")
        self.assertIn("notice: A backup of", self.baton("log"))
        self.assertEqual(len(self.baton("log", "--lines", "2").strip().split("\n")), 2)
        self.assertNotIn("notice:", self.baton("log", "--level", "error", "--lines", "1000"))
        line = json.loads(self.baton("log", "--json", "--lines", "1").strip())
        self.assertEqual(set(line), {"n", "ms", "level", "text"})
        self.assertIn("There is no level “loud”", self.baton("log", "--level", "loud", code=2))
        self.assertIn("Write a number from 1 to 1000", self.baton("log", "--lines", "0", code=2))

    def test_admins(self):
        """A remote on this machine is no admin, and reads nothing."""
        said = self.baton("log", "--hub", self.hub.page, code=1)
        self.assertIn("admin", said)

    def test_first_admin(self):
        """A terminal gets a link that makes one browser of this machine admin, also as a QR code; no file and no log has it."""
        self.assertNotIn("#ticket=", Hub.text(self.hub.said))
        home = Home()
        self.addCleanup(home.close)
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        hub = home.start(f"{binaries()}/batond", "--no-discovery", "--no-demo", "--listen", "127.0.0.1:0", "--log", "trace", stdout=end, stderr=end)
        os.close(end)
        self.addCleanup(lambda: (hub.kill(), hub.wait()))
        os.set_blocking(terminal, False)
        said = [b""]

        def found(pattern):
            try:
                said[0] += os.read(terminal, 65536)
            except BlockingIOError:
                pass
            return re.findall(pattern, said[0].decode(errors="replace"), re.M)
        port, ticket = wait("the link", lambda: found(r"http://127.0.0.1:(\d+)/#ticket=(\S+)"))[0]
        # Two rows of the code are one line, and its sides are at least 25 long.
        wait("its code", lambda: len(found(r"^  █[█▀▄ ]{25,}█\s*$")) >= 12)
        for name, role in (("browser-1", "admin"), ("browser-2", "remote"), ("browser-1", "admin")):
            with Remote(int(port), name, view="watch", ticket=ticket) as remote:
                self.assertEqual(remote.welcome["role"], role, name)
        self.assertNotIn(ticket, home.baton("log", "--lines", "1000"))

    def test_follow(self):
        """A reader who follows sees what is logged later, and only once."""
        reader = self.home.start(f"{binaries()}/baton", "log", "--follow", "--lines", "1", stdout=subprocess.PIPE)
        self.addCleanup(reader.stdout.close)
        self.addCleanup(lambda: (reader.kill(), reader.wait()))
        os.set_blocking(reader.stdout.fileno(), False)
        seen = [""]

        def holds(text):
            seen[0] += (reader.stdout.read() or b"").decode()
            return seen[0].count(text)
        wait("the last line", lambda: holds("\n"))
        said = f"{self.home.folder}/followed"
        before = holds("A backup of")
        self.baton("backup", said, "--with-secrets")
        wait("the line of the backup", lambda: holds("A backup of") > before)
        self.baton("backup", said, "--with-secrets", "--yes")
        wait("the second one", lambda: holds("A backup of") > before + 1)
        self.assertEqual(holds("A backup of"), before + 2)

    def test_secrets(self):
        """Passwords, tokens and the secrets of addresses are in no line, neither here nor on standard error. BT-LOG-001"""
        feed, address, account, user = SECRETS
        self.baton("podcast", "add", f"http://anna:{address}@127.0.0.1:1/feed?token={feed}", code=1)
        secret = self.home.secret("account", account)
        self.home.run(f"{binaries()}/baton", "source", "add", "attic", "subsonic", "http://127.0.0.1:1/music", "--user", "anna",
                      "--password-file", secret, "--untested")
        self.home.run(f"{binaries()}/baton", "source", "test", "attic")
        self.home.run(f"{binaries()}/baton", "play", f"http://anna:{address}@127.0.0.1:1/song.mp3?token={feed}")
        self.baton("signup", "Anna", given=f"{user}\n{user}\n", code=0)
        self.baton("signout")
        lines = self.baton("log", "--lines", "1000") + self.hub.text(self.hub.log)
        self.assertIn("127.0.0.1:1", lines)
        for text in SECRETS:
            self.assertNotIn(text, lines)


if __name__ == "__main__":
    main()
