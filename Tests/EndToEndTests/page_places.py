#!/usr/bin/python3
"""The page's places: each has an address that Back, a reload and a shared link lead to; links lead from what plays to its album
and artist; a tap plays what holds the row; Enter plays the first result.

The library here is a stand-in that does what a test wants; what is queued and heard is the real hub's.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support"))
from hubs import main, wait  # noqa: E402
from standin import Shelf, StandIn  # noqa: E402

try:
    from pagecase import PageCase
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("page_places.py: skipped, for there is no selenium here")
    sys.exit(77)

KID_A = ["Everything in Its Right Place", "Kid A", "The National Anthem", "How to Disappear Completely"]


class Places(PageCase):
    def setUp(self):
        self.shelf = Shelf()
        tracks = [row["title"] for row in self.album]
        self.shelf.album(self.album[0]["album"], self.album[0]["artists"][0], 1999, tracks, [row["uri"] for row in self.album])
        self.shelf.album("Kid A", "Radiohead", 2000, KID_A)
        self.shelf.artist("Baton", ["lib:album/1"])
        self.shelf.do_pl_create({"name": "Sunday", "uris": ["lib:album/1"]})
        self.stand = StandIn(self.hub.port, self.shelf)
        self.addCleanup(self.stand.close)
        self.addCleanup(self.page.leave)
        super().setUp()

    def visit(self, query="", page=None):
        self.page.open("about:blank")
        super().visit(query, page or self.stand.page)

    def find(self, selector):
        return self.page.wait(selector, lambda: self.page.driver.find_elements("css selector", selector))[0]

    def press(self, label):
        self.find(f"#panel [aria-label^=\"{label}\"]").click()

    def place(self):
        return self.page.run("return document.querySelector('.crumbs b')?.textContent")

    def address(self):
        return self.page.run("return location.hash")

    def is_open(self):
        return self.page.run("return document.getElementById('sheet').open")

    def arrives(self, address, *titles):
        self.page.wait(address, lambda: self.address() == address)
        if titles:
            self.page.wait(f"{titles}", lambda: self.page.titles() == list(titles))

    def panel(self):
        return self.page.run("return document.documentElement.dataset.panel")

    def test_back(self):
        """Back closes the sheet, then goes back place by place, and Forward goes on again."""
        page, driver = self.page, self.page.driver
        self.show("library")
        self.press("Open Albums")
        self.press("Open Kid A")
        self.arrives("#/library?at=lib:album/2", *KID_A)
        self.press("More for Kid A")
        page.wait("the sheet", self.is_open)
        driver.back()
        page.wait("it is closed", lambda: not self.is_open())
        self.arrives("#/library?at=lib:album/2", *KID_A)
        driver.back()
        page.wait("the albums", lambda: self.place() == "Albums")
        self.arrives("#/library?at=lib:shelf/albums")
        driver.forward()
        self.arrives("#/library?at=lib:album/2", *KID_A)
        # A sheet that was left by its own button leaves no entry behind.
        self.press("More for Kid A")
        page.find("#sheet .acts > .small:last-child").click()
        page.wait("it is closed", lambda: not self.is_open())
        self.press("Back")
        self.arrives("#/library?at=lib:shelf/albums")
        self.show("queue")
        self.arrives("#/queue")
        driver.back()
        self.arrives("#/library?at=lib:shelf/albums")
        page.wait("its panel", lambda: self.panel() == "library")
        driver.back()
        self.arrives("#/library")
        page.wait("the shelves", lambda: "Albums" in page.titles())
        driver.back()
        page.wait("what plays", lambda: self.panel() == "playing")

    def test_links(self):
        """A link opens its place, also after a reload and with a menu behind it, and neither plays nor changes anything."""
        before = self.status()["sections"]
        for address, titles in (
            ("#/library?at=lib:album/2", KID_A), ("#/library?q=anthem", ["The National Anthem"]),
            ("#/lists?list=l1", [row["title"] for row in self.album]), ("#/library?album=Kid+A&artist=Radiohead", KID_A),
        ):
            self.visit(address)
            self.page.wait(f"{address}: {titles}", lambda titles=titles: self.page.titles() == titles)
            self.page.driver.refresh()
            self.page.wait(f"{address} after a reload", lambda titles=titles: self.page.titles() == titles)
        self.assertEqual(self.address(), "#/library?at=lib:album/2", "A name was looked up, and its place has the address.")
        self.page.driver.back()
        self.arrives("#/library")
        for address in ("#/nowhere", "#/library?at=lib:album/999", "#/library?album=Nothing", "#/queue?at=%E0%A4%A"):
            self.visit(address)
        after = self.status()["sections"]
        for section in ("now", "tl", "queue", "modes"):
            self.assertEqual(after[section], before[section])
        self.assertEqual({method for method, _ in self.shelf.asked} - {"lib.browse", "lib.search", "lib.item", "pl.list", "pl.get"}, set())

    def test_lead(self):
        """Title, artist, album and cover of what plays lead to their places; without a library they are texts."""
        page = self.page
        # A file that was never played may have no tags yet.
        self.play()
        self.command("pause")
        page.wait("a link", lambda: page.find("#title a").get_attribute("href"))
        self.assertEqual(page.text("from"), f"from {self.album[0]['album']}")
        page.find("#title a").click()
        self.arrives("#/library?at=lib:album/1", *[row["title"] for row in self.album])
        self.assertEqual(page.find("[aria-current=true] b").text, "First Light", "What plays is not marked.")
        page.driver.back()
        page.wait("what plays", lambda: self.panel() == "playing")
        page.find("#artist a").click()
        page.wait("the artist", lambda: self.place() == "Baton")
        self.press("Open " + self.album[0]["album"])
        self.press("More for Stairs")
        self.find("#sheet a[href*='?artist=']").click()
        page.wait("the artist again", lambda: self.place() == "Baton" and not self.is_open())

    def test_tap(self):
        """A tap on a row plays what holds it from there: an album, a list, and results in the order that is shown."""
        self.visit("#/library?at=lib:album/1")
        self.press("Play Stairs")
        self.reaches("the album from its second", lambda status: (status["title"], status["state"], status["length"]) == ("Stairs", "playing", 3))
        self.page.wait("a sentence", lambda: "Undo in the queue brings back" in self.page.sentence())
        self.visit("#/library?q=baton")
        self.press("Play Lamps On")
        found = [row["title"] for row in self.album]
        self.reaches("the results", lambda status: status["title"] == "Lamps On" and [row["title"] for row in self.rows()] == found)
        self.command("pause")

    def test_menu(self):
        """A right click and a long press open the menu of a row; elsewhere the browser's own menu comes."""
        page = self.page
        self.visit("#/library?at=lib:album/2")
        row = self.find("#panel [aria-label^='Play Kid A']")
        ActionChains(page.driver).context_click(row).perform()
        page.wait("the sheet", self.is_open)
        self.assertIn("Play only this", page.find("#sheet").text)
        page.driver.back()
        page.wait("it is closed", lambda: not self.is_open())
        box = page.run("const b = arguments[0].getBoundingClientRect(); return [b.x + 90, b.y + 20]", row)
        touch = lambda kind: page.driver.execute_cdp_cmd(  # noqa: E731
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": box[0], "y": box[1]}] if kind == "touchStart" else []})
        touch("touchStart")
        page.wait("the sheet", self.is_open)
        touch("touchEnd")
        self.assertTrue(self.is_open(), "Letting go closed it.")
        self.assertNotEqual(self.status()["state"], "playing")
        prevented = "const e = new MouseEvent('contextmenu', { bubbles: true, cancelable: true }); document.getElementById(arguments[0]).dispatchEvent(e); return e.defaultPrevented"
        self.assertFalse(page.run(prevented, "volume"))

    def test_enter(self):
        """Results stand by their kinds with the best on top, and Enter plays it, also before it was answered."""
        page = self.page
        self.show("library")
        self.find("#find").send_keys("a")
        page.wait("headings", lambda: page.run("return [...document.querySelectorAll('.heading')].map(h => h.textContent)")[:3] == ["Best result", "Artists", "Albums"])
        page.picture("aura-360x640-search")
        page.find("#find").send_keys(Keys.CONTROL, "a", Keys.NULL)
        self.shelf.may_answer.clear()
        self.addCleanup(self.shelf.may_answer.set)
        page.find("#find").send_keys("lamps", Keys.ENTER)
        self.assertNotEqual(self.status()["state"], "playing")
        self.shelf.may_answer.set()
        self.reaches("the first result", lambda status: (status["title"], status["state"]) == ("Lamps On", "playing"))
        self.assertEqual(self.address(), "#/library?q=lamps")
        wait("one entry for all letters", lambda: page.run("return history.state.before") == ["#/playing", "#/library"])
        self.command("pause")


if __name__ == "__main__":
    main("chromium", "chromedriver")
