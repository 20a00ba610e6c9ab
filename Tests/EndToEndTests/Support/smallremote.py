"""The small remote (`examples/c`) on another machine than the hub: what is built for its tests, and a hub on host A of two."""

import json
import os
import subprocess
import unittest

from runner.hub import put
from Support.exampleremotes import CHECKED, FOLDER, Client, build
from Support.hubs import ROOT, Home, Hub
from Support.twohosts import TwoHosts

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS, KEYLESS = f"{FOLDER.name}/parts", f"{FOLDER.name}/keyless"
# The stack of the remote has a page that nothing may read, so leaks cannot be looked for.
CHECKS = {"ASAN_OPTIONS": "detect_leaks=0"}


def build_all():
    """The remote as it is used and with checks, its parts as a program, and the server without a key."""
    small, options = f"{ROOT}/examples/c", CHECKED.split()
    parts = [f"{HERE}/smallparts.c", f"{small}/pair.c", f"{small}/field.c", f"{small}/json.c"]
    with subprocess.Popen(["gcc", "-std=c17", "-D_GNU_SOURCE", *options, f"-I{small}", "-o", PARTS, *parts, "-lwolfssl"]) as compiling:
        build("checked", CFLAGS=CHECKED)
        build("usual")
        subprocess.run(["gcc", "-o", KEYLESS, f"{HERE}/keyless.c", "-lwolfssl"], check=True)
    if compiling.returncode:
        raise AssertionError("The parts of examples/c do not build.")


class FromAnotherHost(unittest.TestCase):
    """A hub on host A; the tests and the remote are on host B."""

    @classmethod
    def setUpClass(cls):
        cls.hosts = TwoHosts()
        cls.addClassCleanup(cls.hosts.close)
        cls.home = Home()
        cls.addClassCleanup(cls.home.close)
        for number in range(8):
            put(f"{cls.home.music}/{number}.wav", 600)
        cls.address = cls.hosts.address["A"], 9443
        cls.start()
        cls.addClassCleanup(cls.end)
        cls.home.baton("play", cls.home.music)

    @classmethod
    def start(cls):
        with cls.hosts.on_the_hubs_machine():
            cls.hub = Hub(cls.home, "--audio", "null", "--tls", "{}:{}".format(*cls.address))

    @classmethod
    def end(cls):
        """Whichever hub is the last."""
        cls.hub.kill()

    def setUp(self):
        self.folder = f"{self.home.folder}/{self.id()}"
        os.mkdir(self.folder)
        self.path = f"{self.folder}/baton-small-remote.json"
        # A hub that was killed comes back paused.
        self.home.baton("play")

    def remote(self, *flags, url="", program="checked"):
        """A remote with the folder of this test, at the hub's address unless another one is given."""
        url = [] if url is None else ["--url", url or "wss://{}:{}".format(*self.address)]
        client = Client([f"{FOLDER.name}/{program}", *url, *flags], {"XDG_STATE_HOME": self.folder, **CHECKS})
        self.addCleanup(client.close)
        return client

    def code(self):
        return json.loads(self.home.baton("--json", "pair", "--open"))["pin"]

    def close_window(self):
        body = '{"t":"cmd","id":1,"m":"pair.close"}'
        ended = self.home.run("curl", "-sS", "--unix-socket", self.home.socket, "-d", body, "http://hub/baton/cmd")
        self.assertEqual(json.loads(ended.stdout)["ok"], 1, ended.stdout)

    def devices(self):
        return [row["dev"] for row in json.loads(self.home.baton("--json", "devices"))["list"]]

    def error(self, client, line):
        """The code by which a press was refused."""
        answer = client.press(line)
        self.assertEqual(answer["ok"], 0, answer)
        return answer["err"]["code"]

    def paired(self, client):
        """Pairs it, and gives back its name at the hub."""
        answer = client.press(f"pair {self.code()}")
        self.assertEqual((answer["ok"], answer.get("role")), (1, "remote"), answer)
        client.shows(lambda shown: shown["connected"])
        return answer["dev"]

    def kept(self):
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)
