# deploy/test: tier 2, judges Sources/Web Sources/Platform/SocketServer/WebServer.
"""The page over TLS behind a certificate that was clicked through, where no service worker may help: what it shows first
when it is opened again, while the hub is away, and what a guest and a device that was sent away are told."""

import glob
import json
import os
import re
import sys

from Support.hubs import ROOT, Hub, main

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    from Support.browser import EXPECTED_WHILE_AWAY
    from Support.pagecase import PageCase
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
            self.page.click("button")
        self.page.wait("the page is live", self.page.is_live)
        self.page.run("location.hash = '#/playing'")
        self.page.wait("the title", lambda: self.page.text("title") == "First Light")

    def tearDown(self):
        # That no worker may be registered here is what this suite is about.
        expected = re.compile(EXPECTED_WHILE_AWAY.pattern + "|certificate error occurred when fetching the script")
        odd = [line for line in self.page.complaints() if not expected.search(line)]
        self.assertEqual(odd, [], "The browser's console is not clean.")

    def test_guest_asks(self):
        """What a guest asks for waits until another person allows it, which the guest's own page does not."""
        self.page.run("location.hash = '#/imagine'")
        find = lambda selector: self.page.driver.find_elements("css selector", f"#panel {selector}")
        self.page.wait("the line", lambda: find("#prompt"))[0].send_keys("rain /duration 10", Keys.ENTER)
        card = self.page.wait("its card", lambda: find(".job[data-st=approval]"))[0]
        self.assertIn("Waits for someone to allow it", card.text)
        self.page.click(".job[data-st=approval] [data-act=approve]")
        self.page.wait("a reason", lambda: "This device is a guest" in self.page.sentence())
        self.assertEqual(card.get_attribute("data-st"), "approval")
        self.raw("job.approve", job=card.get_attribute("data-job"))
        self.page.wait("it is made", lambda: card.get_attribute("data-st") == "ready")

    def test_guest_clips(self):
        """To begin a session of clips is dimmed for a guest, and says why."""
        page = self.page
        page.run("location.hash = '#/imagine'")
        begin = page.wait("the button", lambda: page.driver.find_elements("css selector", "#panel [data-do=clipstart]"))[0]
        page.wait("it is dimmed", lambda: begin.get_attribute("aria-disabled") == "true")
        page.run("arguments[0].scrollIntoView({ block: 'center' })", begin)
        page.picture("night-360x640-guest-clips")
        page.click("#panel [data-do=clipstart]")
        page.wait("a reason", lambda: "This device is a guest" in page.sentence())

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

    def test_needs(self):
        """The page knows the least role of each command as the registry of the protocol has it."""
        registry = {}
        for path in glob.glob(os.path.join(ROOT, "Protocol/commands/*.json")):
            with open(path, encoding="utf-8") as file:
                command = json.load(file)
            registry[command["name"]] = command["role"]
        known = self.page.run_async("""
          const { needOf } = await import(document.querySelector('[data-sheet="remote.css"]').href.replace('remote.css', 'roles.js'));
          return Object.fromEntries(words[0].map(name => [name, needOf(name)]))""", list(registry))
        self.assertEqual({name: (known[name], role) for name, role in registry.items() if known[name] != role}, {})

    def test_guest(self):
        """What a guest may not do is dimmed, says why when it is pressed, by hand or by key, and is not sent to the hub."""
        page = self.page
        dimmed = "return [...document.querySelectorAll('[data-needs]')].filter(e => e.ariaDisabled === 'true' && getComputedStyle(e).opacity < .5).map(e => e.id)"
        page.wait("they are dimmed", lambda: page.run(dimmed))
        self.assertEqual(set(page.run(dimmed)) - {""}, {"prev", "back", "play", "fwd", "next", "fav", "shuffle", "repeat", "sleep", "seek"})
        page.picture("aura-360x640-guest")
        page.driver.get_log("performance")
        page.press("next")
        page.wait("a reason", lambda: "This device is a guest" in page.sentence())
        page.run("arguments[0].focus()", page.find("#seek"))
        ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
        ActionChains(page.driver).send_keys(" ").perform()
        page.run("document.activeElement.blur()")
        ActionChains(page.driver).send_keys("s").perform()
        page.press("nowmenu")
        states = page.wait("the menu", self.lines)
        self.assertEqual((states["Play this again next"], states["Add to a playlist…"]), (None, "true"))
        page.click("#sheet .act", "Add to a playlist…")
        self.assertTrue(page.run("return document.getElementById('sheet').open"))
        page.run("document.getElementById('sheet').close()")
        events = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
        sent = [event["params"]["response"]["payloadData"] for event in events if event["method"] == "Network.webSocketFrameSent"]
        self.assertEqual([text for text in sent if json.loads(text).get("m") in ("next", "seek", "seekBy", "toggle", "play", "mode.set", "pl.list")], [])
        self.assertEqual(page.text("title"), "First Light")
        self.is_dimmed_in_lists()
        self.page.press("more")
        self.reaches("a guest turns the volume", lambda status: status["level"] == 33)
        self.page.press("more")
        self.page.wait("how far", lambda: "from 0 to 33%" in self.page.sentence())
        self.page.wait("it stays there", lambda: self.page.text("level") == "33%")
        self.assertEqual(self.status()["level"], 33)
        self.page.press("less")
        self.reaches("and back", lambda status: status["level"] == 30)

    def lines(self):
        """Texts of the lines of the open sheet, and whether each is dimmed. A driver reads no text while the sheet, which rises, is not seen."""
        # A sheet that is closed still has the lines that it had last.
        return dict(self.page.run("return [...document.querySelectorAll('#sheet[open] .act')].map(line => [line.textContent, line.ariaDisabled])"))

    def is_dimmed_in_lists(self):
        """Rows that would play, and what edits a list, are dimmed and say why; the menu of a row stays, for a guest may add it to the queue."""
        page = self.page
        page.run("document.getElementById('sentence').textContent = ''")
        page.press("queue")
        page.wait("the rows", lambda: len(page.titles()) == 3)
        states = page.run("return [...document.querySelectorAll('#face li button')].map(b => [b.dataset.do ?? 'row', b.ariaDisabled])")
        self.assertEqual({tuple(state) for state in states}, {("row", "true"), ("remove", "true"), ("move", "true")})
        page.click("[aria-label^='Play Stairs']")
        page.wait("a reason", lambda: "This device is a guest" in page.sentence())
        ActionChains(page.driver).context_click(page.find("[aria-label^='Play Stairs']")).perform()
        states = page.wait("the menu", self.lines)
        self.assertEqual((states["Play from here on"], states["Play this again next"]), ("true", None))
        page.run("document.getElementById('sheet').close()")
        page.run("location.hash = '#/rooms'")
        page.wait("the rooms", lambda: page.driver.find_elements("css selector", "#panel .roomlevel"))
        self.assertFalse(page.driver.find_elements("css selector", "#panel .roomlevel [aria-disabled]"))
        page.run("location.hash = '#/playing'")

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
