#!/usr/bin/python3
"""The page over TLS behind a certificate that was clicked through, where no service worker may help: what it shows first
when it is opened again, while the hub is away, and what a guest and a device that was sent away are told."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support"))
from hubs import Hub, main  # noqa: E402

try:
    from browser import EXPECTED_WHILE_AWAY
    from pagecase import PageCase
except ImportError:
    print("page_clicked.py: skipped, for there is no selenium here")
    sys.exit(77)


class ClickedThrough(PageCase):
    flags = (*PageCase.flags, "--guest-volume", "0-33")

    def setUp(self):
        self.address = re.search(r"network (https://\S+)/", Hub.text(self.hub.said))[1]
        self.page.size(*self.size)
        self.page.past_warning(self.address + "/")
        if self.page.driver.find_elements("css selector", "[name=pin]"):
            self.page.find("[name=pin]").send_keys(json.loads(self.home.baton("pair", "--open", "--role", "guest", "--json"))["pin"])
            self.page.find("[name=name]").send_keys("Hall tablet")
            self.page.find("button").click()
        self.page.wait("the page is live", self.page.is_live)
        self.page.wait("the title", lambda: self.page.text("title") == "First Light")

    def tearDown(self):
        # That no worker may be registered here is what this suite is about.
        expected = re.compile(EXPECTED_WHILE_AWAY.pattern + "|certificate error occurred when fetching the script")
        odd = [line for line in self.page.complaints() if not expected.search(line)]
        self.assertEqual(odd, [], "The browser's console is not clean.")

    def raw(self, method, **parameters):
        return json.loads(self.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": method, "p": parameters})))

    def test_again(self):
        """Opened again it paints the last state first, without a service worker, and then is live."""
        look = self.page.first_look(self.address + "/")
        self.assertEqual((look["title"], look["level"], look["stale"]), ("First Light", "30%", False))
        self.page.open(self.address + "/")
        self.page.wait("the page is live", self.page.is_live)
        self.assertIsNone(self.page.run("return navigator.serviceWorker?.controller ?? null"))
        fetched = self.page.run(
            "return performance.getEntriesByType('resource').filter(e => e.name.includes('/page/') && e.transferSize).map(e => e.name)")
        print(f"fetched anew behind a certificate that was clicked through: {len(fetched)} files")

    def test_guest(self):
        """What a guest may not do is said in words that say what to do, and nothing stays changed on the screen."""
        self.page.press("next")
        self.page.wait("a reason", lambda: "This device is a guest" in self.page.sentence())
        self.assertEqual(self.page.text("title"), "First Light")
        self.page.press("more")
        self.reaches("a guest turns the volume", lambda status: status["level"] == 33)
        self.page.press("more")
        self.page.wait("how far", lambda: "from 0 to 33%" in self.page.sentence())
        self.page.wait("it stays there", lambda: self.page.text("level") == "33%")
        self.assertEqual(self.status()["level"], 33)
        self.page.press("less")
        self.reaches("and back", lambda status: status["level"] == 30)

    def test_sent_away(self):
        """A browser that is sent away says so, keeps what it showed, and does not come back by itself."""
        device = next(one for one in self.raw("dev.list")["d"]["list"] if one["name"] == "Hall tablet")
        self.raw("dev.revoke", dev=device["dev"])
        self.page.wait("a reason", lambda: "does not let this device in" in self.page.sentence())
        self.assertEqual(self.page.text("title"), "First Light")
        self.page.open(self.address + "/")
        self.page.wait("the form for a code", lambda: self.page.driver.find_elements("css selector", "[name=pin]"))


if __name__ == "__main__":
    main("chromium", "chromedriver")
