"""Hubs for tests in Python: the shipped batond in a home of its own, and the shipped baton to steer it.

Nothing on this machine is read from or written to outside of the home, and no bus, sound server or
hub outside can be reached. Everything that is started here is ended here, by its own number.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

# Suites take these from here.
from Support.suite import IS_SLOW, NOT_POSSIBLE, SKIPPED, main  # noqa: F401

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../.."))


def binaries():
    """BATON_BIN, else whichever build is newer."""
    named = os.environ.get("BATON_BIN")
    if named:
        return os.path.join(ROOT, named)
    builds = [os.path.join(ROOT, ".build", kind) for kind in ("release", "debug")]
    return max(builds, key=lambda folder: os.path.getmtime(folder + "/batond") if os.path.exists(folder + "/batond") else 0)


def wait(sentence, condition, limit=60, every=0.01):
    """Waits for `condition`, which is tried `every` so many seconds, with a limit, and gives back what it gave."""
    deadline = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"Not within {limit} s: {sentence}")
        time.sleep(every)


class Home:
    """A folder with everything that programs look for in a person's home."""

    def __init__(self):
        # Short, because the path of a socket is.
        self.folder = tempfile.mkdtemp(prefix="baton-", dir="/tmp")
        for name in ("run", "state", "config", "music"):
            os.mkdir(f"{self.folder}/{name}", 0o700)
        self.music = f"{self.folder}/music"
        self.socket = f"{self.folder}/run/baton/hub.sock"
        self.environment = {
            "HOME": self.folder, "XDG_RUNTIME_DIR": f"{self.folder}/run", "XDG_STATE_HOME": f"{self.folder}/state",
            "XDG_CONFIG_HOME": f"{self.folder}/config", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.folder}/no-bus", "PULSE_SERVER": f"unix:{self.folder}/pulse",
            "PULSE_COOKIE": f"{self.folder}/cookie", "ALSA_CONFIG_PATH": "/dev/null",
            # A hub on a busy machine may take long to answer.
            "BATON_TIMEOUT": "30",
        }

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *words, **options):
        return subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, **options)

    def run(self, *words, limit=60):
        return subprocess.run(
            words, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit, check=False)

    def baton(self, *words):
        """The satellite; anything but success is a failure."""
        ended = self.run(f"{binaries()}/baton", *words)
        if ended.returncode != 0:
            raise AssertionError(f"baton {' '.join(words)} ended with {ended.returncode}: {ended.stderr}")
        return ended.stdout

    def secret(self, name, text):
        """A file that only its owner may read, for what is never typed into a command."""
        path = f"{self.folder}/{name}"
        with open(path, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(text + "\n")
        return path

    def status(self):
        return json.loads(self.baton("status", "--json"))

    def reaches(self, sentence, condition, limit=60):
        """Asks until the hub is as it should be."""
        last = {}

        def holds():
            last.update(now=self.status())
            return condition(last["now"]) and last["now"]
        try:
            return wait(sentence, holds, limit)
        except AssertionError as late:
            raise AssertionError(f"{late} The hub said: {last.get('now')}") from None


class Hub:
    """A hub that answers, in a home."""

    def __init__(self, home, *flags):
        self.home = home
        self.log = tempfile.TemporaryFile(dir=home.folder)
        self.said = tempfile.TemporaryFile(dir=home.folder)
        words = ["--no-discovery", "--no-demo", "--name", "Test hub", "--listen", "127.0.0.1:0", "--music", home.music, *flags]
        self.process = home.start(f"{binaries()}/batond", *words, stdout=self.said, stderr=self.log)
        try:
            wait("the hub's addresses", self.has_started)
        except AssertionError:
            said = self.text(self.log)
            self.kill()
            raise AssertionError(f"The hub did not start: {said}") from None
        self.port = int(re.search(r"remotes ws://[^\n]*:(\d+)/", self.text(self.said)).group(1))
        self.url = f"ws://127.0.0.1:{self.port}/baton"
        self.page = f"http://127.0.0.1:{self.port}"

    @staticmethod
    def text(file):
        size = os.fstat(file.fileno()).st_size
        return os.pread(file.fileno(), size, 0).decode(errors="replace")

    def has_started(self):
        if self.process.poll() is not None:
            raise AssertionError("it has ended")
        said = self.text(self.said)
        return "  remotes ws://" in said and said.endswith("\n")

    def section(self, name):
        """A section of the state as a remote is told it; `None` while the hub has none."""
        with urllib.request.urlopen(f"{self.page}/baton/state?view=remote", timeout=60) as answer:
            return json.load(answer)["s"].get(name)

    def ask_to_stop(self):
        self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """Ends it as a service manager does, and gives back its exit code."""
        if self.process.poll() is None:
            self.ask_to_stop()
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("The hub did not end within 10 s of being asked.") from None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.said.close()
        self.log.close()


class HubCase(unittest.TestCase):
    """One hub for the tests of a class. Each test's first line says what it shows."""

    flags = ("--audio", "null")

    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.addClassCleanup(cls.home.close)
        cls.prepare()
        cls.hub = Hub(cls.home, *cls.flags)
        cls.addClassCleanup(cls.hub.kill)

    @classmethod
    def prepare(cls):
        """What must be there before the hub starts."""

    @classmethod
    def tearDownClass(cls):
        code = cls.hub.stop()
        if code != 0:
            raise AssertionError(f"The hub ended with {code}: {Hub.text(cls.hub.log)}")
