# deploy/test: tier 2, judges Sources/Programs/baton/Documents Sources/Programs/baton/Table Sources/Programs/baton/Arguments.
"""What shells make of the completions that the satellite prints, typed on a terminal; and the pages of the manual."""

import os
import pty
import select
import shutil
import signal
import subprocess
import unittest

from Support.fixtures import lavfi, metadata
from Support.hubs import HubCase, binaries, main, wait

SHELLS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["-N", "-i"]}


class Shell:
    """A shell on a terminal of its own, with the completions loaded."""

    def __init__(self, name, home):
        self.name, self.shown = name, ""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(home.folder)
            os.execve(f"/usr/bin/{name}", [name, *SHELLS[name]], {
                **home.environment, "PATH": f"{binaries()}:/usr/bin:/bin", "TERM": "dumb" if name != "fish" else "xterm", "PS1": "$ ", "INPUTRC": "/dev/null",
                "LANG": "C.UTF-8", "ZDOTDIR": home.folder})
        self.load(home)

    def load(self, home):
        if self.name == "bash":
            self.line("source <(baton completions bash)")
        elif self.name == "zsh":
            os.makedirs(f"{home.folder}/site", exist_ok=True)
            with open(f"{home.folder}/site/_baton", "w", encoding="utf-8") as file:
                file.write(home.run(f"{binaries()}/baton", "completions", "zsh").stdout)
            self.line(f"fpath=({home.folder}/site $fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep; bindkey -e")
        else:
            self.line("baton completions fish | source")
        self.line("echo loa''ded")
        self.until("loaded")

    def line(self, text):
        os.write(self.terminal, text.encode() + b"\r")

    def read(self):
        while select.select([self.terminal], [], [], 0)[0]:
            try:
                piece = os.read(self.terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            self.shown += piece.decode(errors="replace")
        return self.shown

    def until(self, part):
        wait(f"{self.name} shows {part!r}, and has shown {self.shown!r}", lambda: part in self.read())

    def completed(self, typed, whole):
        """Types it with a tabulator behind it, and has the shell print the words that it has made of it."""
        self.shown = ""
        os.write(self.terminal, typed.encode() + b"\t")
        wait("the completion has come", lambda: whole.split(" ")[-1].strip("'\\")[-3:] in self.read())
        # To the beginning of the line, where the command becomes the arguments of another.
        os.write(self.terminal, b"\x01printf '<%s>' \x05\r")
        self.until("".join(f"<{word}>" for word in whole.replace("\\ ", "\0").split()).replace("\0", " "))

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


class Completions(HubCase):
    flags = ("--audio", "null", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        lavfi(f"{cls.home.music}/1.flac", "sine=duration=3", *metadata(title="Pyramid Song", artist="Radiohead", album="Amnesiac", track=1))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("scan", "--wait")
        wait("the track", lambda: "Pyramid" in cls.home.baton("search", "pyramid"))
        cls.home.baton("rooms", "create", "Big attic", "--output", "null")
        cls.home.baton("playlist", "create", "Sunday")

    def drive(self, name):
        shell = Shell(name, self.home)
        self.addCleanup(shell.close)
        shell.completed("baton volu", "baton volume")
        shell.completed("baton queue cro", "baton queue crop")
        shell.completed("baton search x --ki", "baton search x --kind")
        shell.completed("baton move Big", "baton move Big\\ attic")
        shell.completed("baton playlist show Sun", "baton playlist show Sunday")
        shell.completed("baton play Pyra", "baton play Pyramid\\ Song")

    def test_bash(self):
        """In bash verbs, options, rooms, playlists and items are completed, also with spaces in their names."""
        self.drive("bash")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
    def test_zsh(self):
        """The same in zsh."""
        self.drive("zsh")

    @unittest.skipUnless(shutil.which("fish"), "fish is missing")
    def test_fish(self):
        """The same in fish."""
        self.drive("fish")

    def test_silent(self):
        """A hub that does not answer is not waited for, and nothing is said about it."""
        self.hub.process.send_signal(signal.SIGSTOP)
        try:
            ended = self.home.run(f"{binaries()}/baton", "complete", "--", "play", "Pyra")
        finally:
            self.hub.process.send_signal(signal.SIGCONT)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "/\n", ""))

    @unittest.skipUnless(shutil.which("man"), "man is missing")
    def test_manual(self):
        """The pages of the manual are sound, and tell of every verb."""
        for name in ("baton", "batond", "batond.conf"):
            path = f"{self.home.folder}/{name}.page"
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.home.baton("manual", name))
            shown = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", path], capture_output=True, text=True, check=False,
                                   env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "80", "MANROFFSEQ": ""})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertIn(name, shown.stdout)
            if shutil.which("mandoc"):
                judged = subprocess.run(["mandoc", "-Tlint", "-W", "warning", path], capture_output=True, text=True, check=False)
                self.assertEqual(judged.stdout, "")
            if name == "baton":
                for verb in ("queue move N PLACE", "completions bash|zsh|fish", "vol", "--color", "Shift-Tab"):
                    self.assertIn(verb, shown.stdout.replace("\u2010", "-"))


if __name__ == "__main__":
    main("bash", "ffmpeg")
