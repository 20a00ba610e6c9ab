# deploy/test: tier 2, judges Sources/Programs/baton/Top Sources/Platform/Terminals.
# deploy/test: waits, mostly for what a terminal shows.
"""`baton top` on a real terminal: what stands on its screen at five sizes, what its keys do to a hub, and how it leaves the terminal.

The screens are kept as text in .build/screenshots."""

import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from Support.covers import cover
from Support.fixtures import lavfi, metadata
from Support.hubs import ROOT, Hub, HubCase, binaries, main, wait

SIZES = [(80, 24), (120, 40), (300, 80), (40, 12), (20, 8)]
KEPT = os.path.join(ROOT, ".build/screenshots")


class Tmux:
    """A terminal that can be looked at: tmux, with a shell in it that has its prompt back when `baton top` has ended."""

    def __init__(self, case, columns=80, rows=24, **environment):
        self.socket = f"{case.home.folder}/tmux-{time.monotonic_ns()}"
        self.environment = {**case.home.environment, "TERM": "xterm-256color", "PS1": "ready> ", **environment}
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "/usr/bin/bash", "--norc", "--noprofile", "-i")
        case.addCleanup(self.close)
        self.until("ready>")

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], env=self.environment, capture_output=True, text=True, timeout=60, check=True).stdout

    def top(self, *words):
        self.tmux("send-keys", f"{binaries()}/baton {' '.join(words)} top; echo ended $?", "Enter")
        return self

    def keys(self, *keys):
        self.tmux("send-keys", *keys)
        return self

    def text(self, text):
        self.tmux("send-keys", "-l", text)

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def until(self, part):
        last = {}

        def holds():
            last["screen"] = self.screen()
            return re.search(part, last["screen"])
        try:
            wait(f"the screen shows {part!r}", holds, every=0.05)
        except AssertionError as late:
            raise AssertionError(f"{late}, and is\n{last['screen']}") from None
        return last["screen"]

    def says(self, what):
        return self.tmux("display-message", "-p", f"#{{{what}}}").strip()

    def keep(self, name):
        os.makedirs(KEPT, exist_ok=True)
        with open(f"{KEPT}/{name}.txt", "w", encoding="utf-8") as file:
            file.write(self.screen())

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], env=self.environment, capture_output=True, check=False)


class Wire:
    """A terminal whose every byte is seen, and which answers what the test says."""

    def __init__(self, case, columns=80, rows=24, cell=(0, 0), **environment):
        self.bytes = b""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execve(f"{binaries()}/baton", ["baton", "top"], {**case.home.environment, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment})
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, cell[0] * columns, cell[1] * rows))
        case.addCleanup(self.close)

    def read(self):
        while select.select([self.terminal], [], [], 0)[0]:
            try:
                self.bytes += os.read(self.terminal, 65536)
            except OSError:
                break
        return self.bytes

    def until(self, part):
        """Blank cells are passed over, so a part that is looked for has none in it."""
        try:
            wait(f"{part!r} is written", lambda: part in self.read())
        except AssertionError as late:
            raise AssertionError(f"{late}; the last that was: {self.bytes[-300:]!r}") from None

    def write(self, data):
        os.write(self.terminal, data)

    def rest(self):
        """Until nothing has come for a moment; gives how much there was."""
        before = -1
        while before != len(self.read()):
            before = len(self.bytes)
            time.sleep(0.2)
        return before

    def close(self):
        try:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        except (ChildProcessError, ProcessLookupError):
            pass
        os.close(self.terminal)


class Top(HubCase):
    flags = ("--audio", "null", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        for number, title in enumerate(("Everything in Its Right Place", "Kid A", "The National Anthem", "久石譲 – One Summer's Day", "x\x1b]0;owned\x07\x1b[2Jy")):
            path = lavfi(f"{cls.home.music}/album/{number}.flac", "sine=duration=200", *metadata(
                title=title, artist="Radiohead", album="Kid A", track=number + 1, date=2000))
            os.utime(path)
        with open(f"{cls.home.music}/album/cover.png", "wb") as file:
            file.write(cover("Kid A", 300, 300))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("scan", "--wait")
        wait("the tracks", lambda: "Anthem" in cls.home.baton("search", "anthem"))
        cls.home.baton("rooms", "create", "Attic", "--output", "null")

    def setUp(self):
        self.home.baton("play", *(f"{self.home.music}/album/{number}.flac" for number in range(5)))
        self.home.baton("volume", "35")
        self.home.reaches("plays the first", lambda now: now["now"]["title"].startswith("Everything"))

    # MARK: Screens

    def walk(self, columns, rows):
        """Every part at one size, kept; what must be seen there is."""
        terminal = Tmux(self, columns, rows).top()
        terminal.until("Everything")
        terminal.until("volume 35 %")
        self.assertEqual(terminal.says("alternate_on"), "1")
        if columns >= 40:
            terminal.until("▀")
        terminal.keep(f"top-{columns}x{rows}-now")
        for key, name, part in (("2", "queue", "2 Kid A"), ("3", "library", "Albums"), ("4", "rooms", "Attic"), ("5", "lyrics", "Of this|words"), ("?", "help", "pause")):
            terminal.keys(key).until(part)
            terminal.keep(f"top-{columns}x{rows}-{name}")
        terminal.keys("?", "/")
        terminal.text("kid")
        terminal.until("Kid A")
        terminal.keep(f"top-{columns}x{rows}-search")
        terminal.keys("Escape", "q").until("ended 0")

    def test_sizes(self):
        """At each of five sizes the screen shows what plays, the queue, the library, the rooms and the keys."""
        for columns, rows in SIZES:
            with self.subTest(f"{columns}x{rows}"):
                self.walk(columns, rows)

    def test_resize(self):
        """Another size is another screen, at once; and one that is too small says so."""
        terminal = Tmux(self).top()
        terminal.until("Everything")
        terminal.tmux("resize-window", "-x", "120", "-y", "30")
        terminal.until("1 Now  2 Queue")
        terminal.until(">1 Everything")
        terminal.tmux("resize-window", "-x", "18", "-y", "8")
        terminal.until("needs 20")
        terminal.tmux("resize-window", "-x", "60", "-y", "12")
        terminal.until("volume 35 %")
        terminal.keys("q").until("ended 0")

    # MARK: Keys

    def test_keys(self):
        """Keys reach the hub: pause, volume, next, moving, removing, jumping, undoing, searching."""
        terminal = Tmux(self).top()
        terminal.until("volume 35 %")
        terminal.keys("Space")
        self.home.reaches("is paused", lambda now: now["tl"]["st"] == "paused")
        terminal.keys("Space", "+", "+", "-")
        self.home.reaches("plays at 40", lambda now: now["tl"]["st"] == "playing" and now["vol"]["level"] == 40)
        terminal.keys("n")
        self.home.reaches("plays the second", lambda now: now["now"]["title"] == "Kid A")
        terminal.until(r"▶ .*\n(.*\n)*.*Kid A")
        terminal.keys("2").until(">2 Kid A")
        # Down to the third, which goes behind the fourth; the fifth is taken out, and comes back.
        terminal.keys("g", "j", "j", "J").until(r"4 The National Anthem")
        self.order(["Everything", "Kid A", "久石譲", "The National", "x"])
        terminal.keys("G", "d")
        self.order(["Everything", "Kid A", "久石譲", "The National"])
        terminal.keys("u")
        self.order(["Everything", "Kid A", "久石譲", "The National", "x"])
        terminal.keys("g", "Enter")
        self.home.reaches("plays the first", lambda now: now["now"]["title"].startswith("Everything"))
        terminal.keys("/")
        terminal.text("anthem")
        # While a search is under way, which its right end says by dots, no key acts on the rows of the one before.
        terminal.until(r"/anthem *\nThe National Anthem +Radiohead")
        terminal.keys("Enter", "a").until("Added 1 entry")
        self.home.reaches("has six", lambda now: now["queue"]["len"] == 6)
        terminal.keys("q").until("ended 0")

    def order(self, titles):
        def holds():
            rows = self.home.baton("queue", "--format", "{title}").splitlines()
            return len(rows) == len(titles) and all(row.startswith(title) for row, title in zip(rows, titles))
        wait(f"the queue is {titles}", holds)

    def test_rooms_and_mouse(self):
        """A room is chosen and made louder, also by the mouse, and gone to."""
        terminal = Tmux(self).top()
        terminal.until("volume 35 %")
        terminal.keys("4").until("Attic")
        level = next(room["level"] for room in self.home.status()["rooms"]["list"] if room["name"] == "Attic")
        terminal.keys("j", "+")
        self.home.reaches("Attic is louder", lambda now: any(room["name"] == "Attic" and room["level"] == level + 5 for room in now["rooms"]["list"]))
        terminal.keys("Enter").until("Attic on Test hub")
        terminal.until("The queue is empty")
        # A press on "2 Queue" in the head.
        head = terminal.screen().splitlines()[0]
        terminal.text(f"\x1b[<0;{head.index('2 Queue') + 1};1M")
        terminal.until("The queue is empty")
        terminal.keys("4", "Home", "Enter").until("volume 35 %")
        terminal.keys("2").until("2 Kid A")
        row = next(at for at, line in enumerate(terminal.screen().splitlines()) if "3 The National" in line)
        for _ in range(2):
            terminal.text(f"\x1b[<0;9;{row + 1}M")
        self.home.reaches("plays the third", lambda now: now["now"]["title"] == "The National Anthem")
        terminal.keys("q").until("ended 0")

    # MARK: The hub goes

    def test_silent_hub(self):
        """A hub that stands still is named, what was pressed meanwhile is done once, and it goes on."""
        terminal = Tmux(self).top()
        terminal.until("volume 35 %")
        before = self.sockets(self.child_of(terminal))
        self.hub.process.send_signal(signal.SIGSTOP)
        try:
            begun = time.monotonic()
            terminal.until("The hub does not answer")
            took = time.monotonic() - begun
            # Drawn without the hub.
            terminal.keys("n").until("Kid A")
            time.sleep(0.5)
            self.assertEqual(self.sockets(self.child_of(terminal)), before, "the connection, which is not given up for a late answer")
        finally:
            self.hub.process.send_signal(signal.SIGCONT)
        print(f"a silent hub was named after {took:.2f} s")
        self.home.reaches("plays the second", lambda now: now["now"]["title"] == "Kid A")
        terminal.until("volume 35 %")
        terminal.keys("q").until("ended 0")

    def test_killed_hub(self):
        """A hub that is killed is named; when there is one again, the screen goes on with it."""
        terminal = Tmux(self).top()
        terminal.until("volume 35 %")
        self.hub.kill()
        try:
            terminal.until("The hub does not answer: .*Trying again")
            terminal.keys("2").until("2 Kid A")
        finally:
            type(self).hub = Hub(self.home, *self.flags)
            self.addClassCleanup(self.hub.kill)
        terminal.until("volume [0-9]+ %")
        terminal.keys("q").until("ended 0")

    # MARK: The terminal

    def restored(self, terminal, before):
        terminal.until("ended")
        self.assertEqual([terminal.says(what) for what in ("alternate_on", "cursor_flag", "mouse_any_flag", "wrap_flag")], ["0", "1", "0", "1"])
        terminal.keys("C-l", "stty -g > stty-now", "Enter")
        terminal.tmux("send-keys", "echo wrote $?", "Enter")
        terminal.until("wrote 0")
        with open(f"{terminal.folder}/stty-now", encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_restored(self):
        """However it ends, the terminal is as before: by a key, by signals, by a mistake of its own; and it can be put aside."""
        terminal = Tmux(self)
        terminal.folder = self.home.folder
        terminal.keys(f"cd {self.home.folder}; stty -g > stty-before; echo wrote $?", "Enter").until("wrote 0")
        with open(f"{self.home.folder}/stty-before", encoding="utf-8") as file:
            before = file.read()
        for end in ("q", "C-c", signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV):
            terminal.keys("clear", "Enter")
            terminal.top().until("volume 35 %")
            if isinstance(end, str):
                terminal.keys(end)
            else:
                os.kill(self.child_of(terminal), end)
            with self.subTest(str(end)):
                self.restored(terminal, before)
        terminal.keys("clear", "Enter")
        terminal.top().until("volume 35 %")
        terminal.keys("C-z").until("Stopped")
        self.assertEqual(terminal.says("alternate_on"), "0")
        terminal.keys("fg", "Enter").until("volume 35 %")
        self.assertEqual(terminal.says("alternate_on"), "1")
        terminal.keys("q").until("ready>")

    @staticmethod
    def sockets(process):
        links = (os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd"))
        return {link for link in links if link.startswith("socket:")}

    def child_of(self, terminal):
        shell = terminal.says("pane_pid")
        return int(subprocess.run(["pgrep", "-P", shell, "-x", "baton"], capture_output=True, text=True, check=True).stdout)

    def test_no_terminal(self):
        """Where there is no terminal, or one without a cursor, a sentence says so and the code is that of a wrong use."""
        ended = self.home.run(f"{binaries()}/baton", "top")
        self.assertEqual((ended.returncode, ended.stdout), (2, ""))
        self.assertIn("baton watch", ended.stderr)
        terminal = Tmux(self, TERM="xterm").keys("export TERM=dumb", "Enter").top()
        terminal.until("TERM is “dumb”")
        terminal.until("ended 2")

    # MARK: Bytes

    def test_bytes(self):
        """A screen at rest writes nothing, a second of playing a few bytes, and a key what it changes. No text of others is obeyed."""
        self.home.baton("pause")
        wire = Wire(self)
        wire.until(b"volume")
        wire.until("▀".encode())
        first = wire.rest()
        time.sleep(1.5)
        self.assertEqual(len(wire.read()), first, "a screen on which nothing moves")
        wire.write(b"2")
        wire.until(b"Anthem")
        whole = wire.rest()
        wire.write(b"j")
        down = wire.rest() - whole
        self.assertIn(b"]0;owned", wire.bytes)
        self.assertNotIn(b"\x1b]0;", wire.bytes)
        self.home.baton("play")
        wire.until("▶".encode())
        begun = len(wire.bytes)
        time.sleep(3)
        second = (len(wire.read()) - begun) / 3
        print(f"bytes: the first screen {first}, a row down {down}, a second of playing {second:.0f}")
        self.assertTrue(0 < down < 400, down)
        self.assertTrue(0 < second < 120, second)
        self.assertEqual(wire.bytes.count(b"\x1b[2J"), 1)
        wire.write(b"q")

    def test_colours(self):
        """NO_COLOR and --color never leave colours and covers out; 256 colours are taken where there are no more."""
        plain = Wire(self, NO_COLOR="1")
        plain.until(b"volume")
        plain.rest()
        self.assertNotRegex(plain.bytes, rb"\x1b\[[0-9;]*[34][0-9][;m]")
        self.assertNotIn("▀".encode(), plain.bytes)
        few = Wire(self, COLORTERM="")
        few.until("▀".encode())
        self.assertIn(b"38;5;", few.rest() and few.bytes)
        self.assertNotIn(b"38;2;", few.bytes)

    def test_pictures(self):
        """A terminal that says it can is given the cover as a picture: by kitty's protocol, or as sixel."""
        kitty = Wire(self, cell=(10, 20))
        kitty.until(b"\x1b[c")
        kitty.write(b"\x1b_Gi=31;OK\x1b\\\x1b[?62;22c")
        kitty.until(b"\x1b_Ga=T,f=100")
        kitty.rest()
        self.assertEqual(self.codec(kitty.bytes), "png")
        sixel = Wire(self, cell=(10, 20))
        sixel.until(b"\x1b[c")
        sixel.write(b"\x1b[?62;4;22c")
        sixel.until(b"\x1bP0;1q")
        sixel.rest()
        # Another part of the hub: the picture goes.
        sixel.write(b"2")
        sixel.until(b"Anthem")

    def codec(self, data):
        """What the pieces that kitty was sent are together, as ffmpeg sees it."""
        pieces = re.findall(rb"\x1b_G[^;]*;([A-Za-z0-9+/=]*)\x1b\\", data)
        path = f"{self.home.folder}/kitty"
        with open(path, "wb") as out:
            out.write(base64.b64decode(b"".join(piece for piece in pieces if piece != b"AAAA")))
        return subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path], capture_output=True, text=True,
                              check=True).stdout.strip()


if __name__ == "__main__":
    main("tmux", "ffmpeg", "bash", "pgrep")
