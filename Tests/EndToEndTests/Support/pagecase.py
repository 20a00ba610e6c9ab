"""What the tests of the page share: a hub with its own album, and a browser on its page."""

import json
import os
import re
import ssl
import urllib.parse
import urllib.request

from Support.browser import EXPECTED_WHILE_AWAY, Browser, SpoiledNetwork
from Support.hubs import Hub, HubCase, wait


class PageCase(HubCase):
    """Every test begins on a phone, paused, at volume 30, and ends with a clean console."""

    # Tests prepare the hub over HTTP, where the limits of rate and size apply as to any client.
    roomy = ("--limit-command-rate", "1000", "--limit-command-burst", "1000", "--limit-client-frame", "65536")
    flags = ("--audio", "null", "--demo", *roomy)
    size = (360, 640)
    # The place that a test begins with.
    begins = "#/playing"
    browser_flags = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = Browser.shared(**cls.browser_flags)
        cls.addClassCleanup(cls.page.leave)
        cls.reaches("the album", lambda status: status["length"] > 0)
        cls.album = cls.rows()

    def setUp(self):
        self.command("pause")
        if [row["uri"] for row in self.rows()] != [row["uri"] for row in self.album]:
            base = self.status()["sections"]["queue"]["rev"]
            self.command("queue.replace", key=os.urandom(4).hex(), base=base, uris=[row["uri"] for row in self.album])
            self.command("pause")
        self.command("vol.set", level=30)
        self.page.size(*self.size)
        self.visit()

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [], "The browser's console is not clean.")

    def visit(self, query=None, page=None):
        address = (page or self.hub.page) + "/" + (self.begins if query is None else query)
        # One that differs in its fragment alone would load nothing anew.
        if "#" in address:
            self.page.open("about:blank")
        self.page.open(address)
        self.page.wait("the page is live", self.page.is_live)

    def show(self, place):
        """By its address, such as `rooms` or `settings?page=look`; where tabs lead is shown by page_journey.py."""
        self.page.run("location.hash = '#/' + arguments[0]", place)

    def menu(self, line):
        """A line of the menu of what plays."""
        self.page.press("nowmenu")
        self.page.click(f"#{line}")

    # MARK: The hub, past the page

    def join(self, pin, name):
        """A browser on another machine enters the code of a pairing."""
        address = re.search(r"network (https://\S+)/", Hub.text(self.hub.said))[1]
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        form = urllib.parse.urlencode({"pin": pin, "name": name}).encode()
        request = urllib.request.Request(address + "/session", form, {"Origin": address})
        opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=trusting), urllib.request.HTTPCookieProcessor())
        with opener.open(request, timeout=60) as answer:
            self.assertEqual(answer.status, 200)

    @classmethod
    def command(cls, method, key=None, **parameters):
        """Over HTTP, as anyone may."""
        body = {"t": "cmd", "id": 1, "m": method, "p": parameters, **({"k": key} if key else {})}
        request = urllib.request.Request(cls.hub.page + "/baton/cmd", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    @classmethod
    def raw(cls, method, **parameters):
        """The answer to an admin's command, over the hub's socket. States that the hub sends meanwhile come before it."""
        return cls.answer_to({"t": "cmd", "id": 1, "m": method, "k": os.urandom(6).hex(), "p": parameters})

    @classmethod
    def answer_to(cls, frame):
        said = cls.home.baton("raw", json.dumps(frame))
        return next(message for message in map(json.loads, said.splitlines()) if message["t"] == "res")

    @classmethod
    def rows(cls):
        return cls.command("queue.get")["d"]["rows"]

    @classmethod
    def status(cls):
        with urllib.request.urlopen(cls.hub.page + "/baton/state", timeout=60) as answer:
            s = json.load(answer)["s"]
        return {
            "state": s["tl"]["st"], "positionMs": s["tl"]["posMs"], "title": (s.get("now") or {}).get("title"), "level": s["vol"]["level"],
            "length": s["queue"]["len"], "repeat": s["modes"]["repeat"], "shuffle": s["modes"]["shuffle"], "sections": s,
        }

    @classmethod
    def reaches(cls, sentence, condition, limit=60):
        last = {}

        def holds():
            last["status"] = cls.status()
            return condition(last["status"]) and last["status"]
        try:
            return wait(sentence, holds, limit)
        except AssertionError as late:
            raise AssertionError(f"{late} The hub said: {last}") from None

    def play(self, place=0):
        """The room plays the entry at this place from its beginning, and the page shows it."""
        row = self.rows()[place]
        self.command("play", entry=row["entry"], posMs=0)
        self.page.wait("the room plays", lambda: self.page.is_playing() and self.page.text("title") == row["title"])


class SpoiledCase(PageCase):
    """The page reaches its hub through a network that tests spoil, so what a browser says of that is expected."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.network = SpoiledNetwork(cls.hub.port)
        cls.addClassCleanup(cls.network.close)

    def setUp(self):
        self.network.is_out = False
        super().setUp()

    def tearDown(self):
        odd = [line for line in self.page.complaints() if not EXPECTED_WHILE_AWAY.search(line)]
        self.assertEqual(odd, [], "The browser's console is not clean.")

    def visit(self, query=None, page=None):
        super().visit(query, page or self.network.page)
