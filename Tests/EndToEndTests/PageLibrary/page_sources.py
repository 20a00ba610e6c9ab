# deploy/test: tier 2, judges Sources/Web.
"""Accounts at servers on the page: added, tested, changed and removed by an admin, seen by others; rows that say whose they are, come late,
fold and part; queues that servers keep.

The servers here are a stand-in's, which are down, slow and full when a test wants it; what is queued and heard is the real hub's.
"""

import os
import sys

from Support.accounts import CODE, SECRET, Servers, SourceHands
from Support.hubs import main, wait
from Support.standin import share

try:
    from selenium.webdriver.common.keys import Keys

    from Support.pagecase import PageCase
except ImportError:
    print("page_sources.py: skipped, for there is no selenium here")
    sys.exit(77)


class SourceCase(SourceHands, PageCase):
    # Whether a test begins on the page; those of admins come by a link.
    begins = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        share(cls)

    def setUp(self):
        self.shelf = Servers()
        self.shelf.album("Morning Pieces", "The House Band", 1999, [row["title"] for row in self.album], [row["uri"] for row in self.album])
        self.shelf.album("Kid A", "Radiohead", 2000, ["Kid A", "Idioteque"])
        self.stand.shelf = self.shelf
        self.addCleanup(self.page.leave)
        super().setUp()

    def tearDown(self):
        super().tearDown()
        self.page.run("sessionStorage.clear(); localStorage.clear()")

    def visit(self, query="", page=None):
        if self.begins or query or page:
            super().visit(query, page or self.stand.page)

    @property
    def address(self):
        return self.stand.page


class Accounts(SourceCase):
    begins = False

    def test_add(self):
        """What is missing or refused is said at its field; a test asks the server before anything is kept; a password stays nowhere."""
        self.become_admin()
        page = self.page
        self.press("#sourceadd")
        page.picture("aura-360x640-source-form")
        self.sheet("Test")
        self.assertIn("Enter the address", self.wrong("url"))
        self.assertEqual(page.run("return document.activeElement.dataset.at"), "url")
        self.type("url", "attic.example.org/sub")
        self.type("title", "The attic")
        self.type("user", "anna")
        self.sheet("Test")
        self.assertIn("Enter the password", self.wrong("password"))
        self.type("password", "wrong")
        self.sheet("Test")
        page.wait("it is refused", lambda: "does not know this user" in self.wrong("password"))
        page.picture("aura-360x640-source-refused")
        self.type("password", SECRET)
        self.sheet("Test")
        page.wait("it answers", lambda: "It answers, within 41 ms." in page.find("#sheet [data-at=told]").text)
        self.sheet("Save")
        page.wait("it is shown", lambda: not self.is_open() and "The attic" in self.sources())
        self.assertEqual(self.shelf.accounts["the-attic"]["url"], "https://attic.example.org/sub")
        self.assertEqual(self.shelf.secrets["the-attic"], {"user": "anna", "password": SECRET})
        kept = page.run("return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(i => i.value)])")
        self.assertNotIn(SECRET, kept)

    def test_cancel(self):
        """A test keeps nothing, whatever comes of it; Save keeps an account although its server is away."""
        self.become_admin()
        page, self.shelf.reachable = self.page, False
        for leave in ("Cancel", "Save"):
            self.press("#sourceadd")
            self.type("url", "https://attic.example.org")
            self.type("user", "anna")
            self.type("password", SECRET)
            self.sheet("Test")
            page.wait("it is away", lambda: "cannot be reached" in self.wrong("url"))
            self.assertNotIn("attic", self.shelf.accounts)
            self.sheet(leave)
            page.wait("the form is closed", lambda: not self.is_open())
            wait("it is as it was left", lambda leave=leave: ("attic" in self.shelf.accounts) == (leave == "Save"))
        page.wait("it says why", lambda: "Cannot be reached" in self.sources() and "The server cannot be reached." in self.sources())

    def test_name(self):
        """A name that is taken is said at its field, in the part of the form that was closed."""
        self.become_admin()
        self.press("#sourceadd")
        self.type("url", "https://attic.example.org")
        self.page.click("#sheet summary")
        self.type("name", "lib")
        self.page.click("#sheet summary")
        self.page.run("const s = document.querySelector('[data-at=kind]'); s.value = 'chadmusic'; s.dispatchEvent(new Event('change'))")
        self.assertFalse(self.page.find("[data-at=password]").is_displayed())
        self.type("apiKey", SECRET)
        self.sheet("Save")
        self.page.wait("it is taken", lambda: "of the hub's own" in self.wrong("name") and self.page.find("#source-name-wrong").is_displayed())

    def test_code(self):
        """BT-SRC-011. A field for a code is there once the server asks for one; the code goes along with the password, and later alone."""
        self.become_admin()
        page = self.page
        self.press("#sourceadd")
        self.assertFalse(page.find("[data-at=code]").is_displayed())
        for name, words in [("url", "https://books.example.org"), ("user", "carl"), ("password", SECRET)]:
            self.type(name, words)
        self.sheet("Test")
        page.wait("it asks", lambda: page.find("[data-at=code]").is_displayed() and "asks for a code" in self.wrong("code"))
        self.type("code", CODE)
        self.sheet("Save")
        page.wait("it is kept", lambda: not self.is_open() and "books" in self.shelf.secrets)
        self.assertEqual(self.shelf.secrets["books"], {"user": "carl", "password": SECRET, "code": CODE})
        del self.shelf.secrets["books"]["code"]
        self.menu("books")
        self.sheet("Change…")
        self.sheet("Save")
        page.wait("it asks again", lambda: page.find("[data-at=code]").is_displayed())
        self.type("code", CODE)
        self.sheet("Save")
        page.wait("it is let in", lambda: not self.is_open())

    def test_change(self):
        """A server is renamed, switched off and on, copied, and removed with a second tap."""
        self.shelf.account("attic", "The attic")
        self.become_admin()
        page = self.page
        self.assertIn("41 ms away", self.sources())
        self.assertIn("30,412 rows copied", self.sources())
        self.menu("attic")
        page.picture("aura-360x640-source-menu")
        self.sheet("Change…")
        self.type("title", "Attic")
        self.shelf.secrets["attic"] = {"password": SECRET}
        self.sheet("Save")
        page.wait("its new title", lambda: not self.is_open() and "Attic" in self.sources() and "The attic" not in self.sources())
        self.assertEqual(self.shelf.secrets["attic"], {"password": SECRET}, "What was not typed was sent.")
        self.menu("attic")
        self.sheet("Copy its rows now")
        page.run("window.dots = document.querySelector('#sources [data-source=attic]')")
        page.wait("how far it is", lambda: "Copying its rows: 1,200 of 30,412" in self.sources())
        self.menu("attic")
        self.sheet("Switch off")
        page.wait("it is off", lambda: "Switched off" in self.sources())
        self.assertTrue(page.run("return dots.isConnected"), "A press on the button of a card whose facts change would be lost.")
        self.menu("attic")
        self.sheet("Switch on")
        page.wait("it is on", lambda: "Connected" in self.sources())
        self.menu("attic")
        self.sheet("Remove")
        self.sheet("Tap again")
        page.wait("it is gone", lambda: not self.shelf.accounts and "Attic" not in self.sources())

    def test_failing(self):
        """An account that fails speaks only in the settings, where a dot leads and a sentence stands; what plays is left alone."""
        page = self.page
        self.shelf.account("loft", "The loft")
        # What the hub says of itself may come before what it says of the account.
        self.shelf.problems = [{"msg": "The source “The loft” has been away since 12:03: it does not answer."}]
        self.become_admin()
        self.show("home")
        label = lambda: page.attribute_of(".me", "aria-label")
        page.wait("all is well", lambda: label() == "Settings" and not page.find(".me").get_attribute("class").count("dotted"))
        self.assertEqual((page.sentence(), page.text("where")), ("", page.text("roomname")))
        self.shelf.states["loft"].update(state="down", msg="The source “The loft” has been away since 12:03: it does not answer.")
        self.stand.tell()
        page.wait("a dot on the picture", lambda: label() == "Settings. Not working now: The loft." and page.find(".me.dotted"))
        self.assertEqual((page.sentence(), page.text("where")), ("", page.text("roomname")))
        page.click(".me")
        page.wait("the dot leads on", lambda: "Not working now: The loft." in page.find(".dotted[data-page=library]").text)
        page.picture("aura-360x640-failing")
        page.click("[data-page=library]")
        page.wait("why", lambda: "The loft" in self.sources() and "it does not answer" in self.sources())
        self.shelf.states["loft"].update(state="ok", msg=None)
        self.stand.tell()
        self.show("home")
        page.wait("all is well again", lambda: label() == "Settings")

    def test_pending(self):
        """What a server does not know yet is listed with its reason, and can be forgotten."""
        self.shelf.account("attic", "The attic", state="down", msg="The server attic.example.org cannot be reached.", pending=2, refused=1)
        self.shelf.rows["attic:track/8a1f"] = {"uri": "attic:track/8a1f", "kind": "track", "title": "Kid A live"}
        self.shelf.notes = [
            {"what": "played", "uri": "attic:track/8a1f", "atMs": 1700000000123, "tries": 3, "msg": "The server cannot be reached."},
            {"what": "favourite", "uri": "attic:album/2f", "atMs": 1700000060123, "refused": 1, "msg": "There is no such album."},
        ]
        self.become_admin()
        page = self.page
        self.assertIn("2 not yet sent · 1 refused there", self.sources())
        self.menu("attic")
        self.sheet("Not yet sent…")
        page.wait("both", lambda: "Played: Kid A live" in page.find("#sheet").text and "Refused: There is no such album." in page.find("#sheet").text)
        page.picture("aura-360x640-source-pending")
        self.sheet("Forget all of it")
        self.sheet("Tap again")
        page.wait("nothing is kept", lambda: not self.shelf.notes and "not yet sent" not in self.sources())

    def test_others(self):
        """Other roles see how the servers are and have no control; without servers nothing is shown."""
        self.begins = True
        self.visit()
        self.show("settings?page=library")
        self.page.wait("the settings", lambda: self.page.driver.find_elements("css selector", ".settings"))
        self.assertFalse(self.page.find("#sources").is_displayed())
        self.shelf.account("attic", "The attic", state="down", msg="The server attic.example.org cannot be reached.")
        self.stand.tell()
        self.page.wait("its state", lambda: "The server attic.example.org cannot be reached." in self.sources())
        self.assertEqual(self.page.run("return document.querySelectorAll('#sources button:not([hidden]), #sources input').length"), 0)
        self.assertNotIn("source.list", [method for method, _ in self.shelf.asked])

    def test_unencrypted(self):
        """A page that others in the network could read takes no password, and says why."""
        self.become_admin()
        self.page.run("Object.defineProperty(window, 'isSecureContext', { value: false })")
        self.press("#sourceadd")
        self.page.wait("why", lambda: "Passwords cannot be typed here" in self.page.find("#sheet").text)
        self.assertEqual(self.page.run("return document.querySelectorAll('#sheet input').length"), 0)

    def test_shapes(self):
        """Nothing leaves its box on any screen and in any theme, whatever the server calls itself."""
        self.shelf.account("attic", "The attic", state="down", msg="The server cannot be reached. " * 5, pending=12345, refused=99)
        self.shelf.account("long", "W" * 64, mirror={"rows": 9, "done": 3, "total": 9})
        self.become_admin()
        page = self.page
        for width, height in [(320, 240), (360, 640), (640, 360), (1024, 768), (1920, 1080)]:
            page.size(width, height)
            page.wait("it is live in this shape", page.is_live)
            out = page.run("const r = document.documentElement, p = document.querySelector('#panel > *'); return Math.max(r.scrollWidth - innerWidth, p.scrollWidth - p.clientWidth)")
            self.assertLessEqual(out, 0, f"{width}x{height}")
            self.scrolled("#sources [data-source=attic]")
            page.picture(f"aura-{width}x{height}-sources")
        page.size(360, 640)
        for theme in ("pixel", "cat", "plain"):
            page.choose_theme(theme)
            self.press("#sourceadd")
            page.picture(f"{theme}-360x640-source-form")
            self.sheet("Cancel")
            page.wait("closed", lambda: not self.is_open())
            page.picture(f"{theme}-360x640-sources")


class Rows(SourceCase):
    def setUp(self):
        super().setUp()
        self.shelf.account("attic", "The attic")
        self.shelf.account("den", "Den")
        row = {"uri": "attic:track/1", "kind": "track", "title": "Kid A live", "artists": ["Radiohead"], "durMs": 61000}
        self.shelf.rows[row["uri"]] = row
        self.stand.tell()

    def find(self, words):
        self.show("search")
        self.page.wait("the field", lambda: self.page.find("#panel #find").is_displayed())
        self.page.find("#find").send_keys(words)

    def more(self, title):
        self.page.click(f"#panel [aria-label=\"Menu for {title}\"]")

    def test_search(self):
        """Rows at home come first; those of servers come behind them without moving any, and each says whose it is."""
        self.shelf.rows.pop("attic:track/1")
        late = {"uri": "attic:track/9", "kind": "track", "title": "Kid A demo", "artists": ["Radiohead"]}
        home = next(row["uri"] for row in self.shelf.rows.values() if row["title"] == "Idioteque")
        self.shelf.rows[home]["artists"] = ["Kid A players"]
        self.shelf.late = {"asks": ["attic", "den"], "rows": [late], "missed": ["den"], "joined": [{"uri": home, "places": [home, "attic:track/3"]}]}
        self.find("kid a")
        page = self.page
        page.wait("who is asked", lambda: "Asking The attic and Den…" in page.find("#panel").text)
        first = page.titles()
        self.assertEqual(sorted(first), ["Idioteque", "Kid A", "Kid A"])
        page.picture("aura-360x640-search-asking")
        # The next keystrokes do not wait for the servers.
        page.find("#find").send_keys(" p")
        page.wait("fewer", lambda: page.titles() == ["Idioteque"])
        page.find("#find").send_keys(Keys.BACKSPACE, Keys.BACKSPACE)
        page.wait("as before", lambda: page.titles() == first)
        self.shelf.others_answer.set()
        page.wait("the late one", lambda: page.titles() == [*first, "Kid A demo"])
        self.assertIn("The attic", self.small("Kid A demo"))
        self.assertIn("this hub and 1 more place", self.small("Idioteque"))
        self.assertIn("Without Den, which did not answer in time.", page.find("#panel").text)
        page.picture("aura-360x640-search-late")

    def test_places(self):
        """A row of two places plays from either, and is parted where they are not the same."""
        uri = self.album[1]["uri"]
        self.shelf.rows[uri]["places"] = [uri, "attic:track/1"]
        self.find(self.album[1]["title"].lower())
        self.more(self.album[1]["title"])
        self.page.picture("aura-360x640-places")
        self.sheet("Play from this hub")
        self.reaches("it plays", lambda status: status["title"] == self.album[1]["title"] and status["state"] == "playing")
        self.command("pause")
        self.more(self.album[1]["title"])
        self.sheet("These are not the same")
        wait("the hub knows", lambda: self.shelf.rows[uri]["places"] == [uri])
        self.page.wait("the row too", lambda: "place" not in self.small(self.album[1]["title"]))

    def test_away(self):
        """Rows of a server that is away are grey and say why; a mark on one waits, and says so until its server has it."""
        self.find("live")
        page = self.page
        page.wait("its row", lambda: "The attic" in (self.small("Kid A live") or ""))
        self.shelf.states["attic"].update(state="down", msg="The server attic.example.org cannot be reached.")
        self.shelf.rows["attic:track/1"]["away"] = 1
        self.stand.tell()
        page.wait("why", lambda: "Away: The server attic.example.org cannot be reached" in self.small("Kid A live"))
        self.assertTrue(page.find("#panel .rows li.away"))
        page.click("#panel [aria-label^='Play Kid A live']")
        page.wait("said when it is pressed", lambda: "It stays in its places until it is back." in page.sentence())
        page.click("#panel [aria-label='Favourite: Kid A live']")
        page.wait("it waits", lambda: "Not yet sent to The attic" in self.small("Kid A live"))
        page.picture("aura-360x640-away")
        self.shelf.states["attic"].update(pending=1)
        self.stand.tell()
        self.shelf.states["attic"].update(state="ok", msg="")
        self.shelf.states["attic"].pop("pending")
        self.shelf.rows["attic:track/1"].pop("away")
        self.stand.tell()
        page.wait("it is there", lambda: "Not yet sent" not in self.small("Kid A live") and "Away" not in self.small("Kid A live"))

    def test_available(self):
        """Where a search begins, only what can be played now is chosen for what is looked for next; shelves are not asked for."""
        self.shelf.states["attic"].update(state="down", msg="The server attic.example.org cannot be reached.")
        self.stand.tell()
        self.show("search")
        self.page.click("#panel [data-do=available]:not([hidden])")
        self.find("live")
        asked = lambda method: [p for name, p in self.shelf.asked if name == method and p.get("available")]
        self.page.wait("it is looked for", lambda: any(p["q"] == "live" for p in asked("lib.search")))
        self.assertEqual(asked("lib.browse"), [])

    def test_queue(self):
        """A queue that a server keeps is offered where the queue is, goes on with a tap, and is saved from the menu."""
        page = self.page
        self.show("queue")
        page.wait("its menu", lambda: page.find("#queuemenu").is_displayed())
        page.wait("its rows", lambda: "this hub" in (self.small(self.album[0]["title"]) or ""))
        page.click("#queuemenu")
        self.sheet("Save the queue to The attic")
        page.wait("it is saved", lambda: "The queue is saved at The attic." in page.sentence())
        page.wait("the offer", lambda: "Continue: Idioteque 2:13" in page.find("#face .resume").text)
        page.picture("aura-360x640-continue")
        page.click("#face .resume button")
        wait("the hub has it", lambda: "continue" not in self.shelf.states["attic"])
        page.wait("the offer is gone", lambda: not page.find("#face .resume").is_displayed())

    def test_buffering(self):
        """While a server keeps the room waiting, the player says so, and no longer than that."""
        page, line = self.page, self.status()["sections"]["tl"]
        self.shelf.line = {**line, "st": "buffering", "rate": 0}
        self.stand.tell()
        page.wait("it waits", lambda: page.find("#link").is_displayed() and page.text("link") == "Waiting for data…")
        page.picture("aura-360x640-buffering")
        self.shelf.line = {**line, "st": "playing"}
        self.stand.tell()
        page.wait("it plays", lambda: page.text("link") == "")

    def test_empty(self):
        """Where nothing plays, what a server keeps is the first thing that is offered."""
        self.command("queue.clear", key=os.urandom(4).hex(), base=self.status()["sections"]["queue"]["rev"])
        self.shelf.do_queue_save({"source": "attic"})
        self.stand.tell()
        page = self.page
        self.show("home")
        page.wait("the first row of Home", lambda: "Continue: Idioteque 2:13" in page.find(".home .stripbox:not([hidden])").text)
        self.show("playing")
        page.wait("the offer", lambda: page.find("#resume").is_displayed() and "Continue: Idioteque 2:13" in page.find("#resume").text)
        for width, height in [(360, 640), (144, 168), (640, 360), (1280, 800)]:
            page.size(width, height)
            page.wait("it is live in this shape", page.is_live)
            page.picture(f"aura-{width}x{height}-continue-empty")
            offers = page.run("return [...document.querySelectorAll('#resume button, .resume button')].filter(b => b.checkVisibility()).length")
            self.assertEqual(offers, 1 if width >= 300 else 0, f"{width}x{height}")


if __name__ == "__main__":
    main("chromium", "chromedriver")
