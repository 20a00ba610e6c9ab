# deploy/test: tier 2, judges Sources/Programs/baton Sources/Programs/batond Sources/Platform/Configuration.
"""What a hub says that cannot start, and what a terminal does with a narrow screen, a pipe that closes and words that are no text.

Elsewhere: mistakes of the configuration (ConfigurationTests, Deploy/service.py), files of a newer version and of every earlier one
(StoreFormatTests), an interrupted migration (SQLiteTests), dpkg (Deploy/packages.py), damaged backups (backups.py)."""

import os
import pty
import re
import select
import socket
import sqlite3
import subprocess
import unittest

from Faults.killed import make_music
from Support.hubs import Home, Hub, binaries, main
from Support.suite import possible_if
from Support.unprivileged import IS_ROOT, UNPRIVILEGED, UnprivilegedHome


class Starts(unittest.TestCase):
    """A hub that cannot start ends with 1 and a sentence, and leaves what is there."""

    def refused(self, home, *words, before=()):
        ended = home.run(*before, f"{getattr(home, 'programs', binaries())}/batond", "--no-discovery", "--audio", "null", *words)
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        self.assertRegex(ended.stderr, r"^batond: .+\.\n$")
        return ended.stderr

    def test_port(self):
        """A port that another program has is named."""
        home = Home()
        self.addCleanup(home.close)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertIn(str(port), self.refused(home, "--listen", f"127.0.0.1:{port}"))

    def test_newer(self):
        """The data of a newer hub is named and left alone."""
        home = Home()
        self.addCleanup(home.close)
        data = f"{home.folder}/state/baton"
        os.mkdir(data, 0o700)
        with sqlite3.connect(f"{data}/state.db") as database:
            database.execute("PRAGMA user_version = 999")
            database.execute("CREATE TABLE later (one)")
        with open(f"{data}/state.db", "rb") as file:
            before = file.read()
        said = self.refused(home, "--listen", "none", "--data", data)
        self.assertIn("was written by a newer Baton", said)
        with open(f"{data}/state.db", "rb") as file:
            self.assertEqual(file.read(), before)

    @possible_if(IS_ROOT, "only root can give files to another user")
    def test_owner(self):
        """A data folder of another user is named, with what to do."""
        home = UnprivilegedHome()
        self.addCleanup(home.close)
        data = f"{home.folder}/state/baton"
        os.mkdir(data, 0o700)
        said = self.refused(home, "--listen", "none", "--data", data, before=UNPRIVILEGED)
        self.assertIn(data, said)
        self.assertRegex(said, "owner|owns")


class Terminals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.addClassCleanup(cls.home.close)
        cls.files = make_music(cls.home, 3)
        cls.hub = Hub(cls.home, "--audio", "null")
        cls.addClassCleanup(cls.hub.kill)
        cls.home.baton("queue", "add", *cls.files)

    def on_terminal(self, columns, *words):
        """-> the lines that a terminal of this width gets, without colours, and the code"""
        process, terminal = pty.fork()
        if process == 0:
            os.execve("/bin/bash", ["bash", "-c", f'stty columns {columns} rows 20; exec "$0" "$@"', f"{binaries()}/baton", *words],
                      {**self.home.environment, "TERM": "xterm"})
        said = b""
        while select.select([terminal], [], [], 30)[0]:
            try:
                said += os.read(terminal, 65536)
            except OSError:
                break
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        os.close(terminal)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode()).replace("\r", "").split("\n"), code

    def test_narrow(self):
        """In 20 columns each row of a list stays on its line."""
        for words in [("queue",), ("browse",), ("rooms",)]:
            lines, code = self.on_terminal(20, *words)
            self.assertEqual(code, 0, lines)
            self.assertGreater(len(lines), 1, words)
            self.assertLessEqual(max(len(line) for line in lines), 20, lines)

    def test_closed_pipe(self):
        """A pipe that closes ends the program without a word."""
        for words in ["queue", "help", "watch --json"]:
            ended = subprocess.run(
                ["/bin/bash", "-c", f"\"$0\" {words} | head -c 1; echo \"${{PIPESTATUS[0]}}\" >&2", f"{binaries()}/baton"], env=self.home.environment,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
            self.assertRegex(ended.stderr.decode().strip(), r"^(0|1|4|141)$", words)

    def test_bytes(self):
        """Bytes that are no UTF-8 are an answer with a sentence, and shown so that the terminal stays as it is."""
        for words in [[b"play", b"/\xff\xfe.flac"], [b"search", b"\xc3\x28"], [b"\xff"], [b"--hub", b"\xff:1", b"status"]]:
            ended = subprocess.run([f"{binaries()}/baton".encode(), *words], env=self.home.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                   timeout=60, check=False)
            self.assertIn(ended.returncode, (0, 1, 2, 3), (words, ended.stderr))
            (ended.stdout + ended.stderr).decode("utf-8")
            if ended.returncode:
                self.assertRegex(ended.stderr.decode(), r"^baton: .+\n", words)


if __name__ == "__main__":
    main("ffmpeg", "setpriv")
