# deploy/test: tier 2, judges Sources/Web.
"""What is kept on the hub's disk, on the page: marked on rows, listed with its progress, chosen by rules, limited, and given up. The music
is that of a real Subsonic server (supysonic)."""

import json
import os
import sys

from Support.accounts import SourceHands
from Support.fixtures import make, metadata
from Support.hubs import main, wait
from supysonic import PASSWORD, USER, Supysonic

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_kept.py: skipped, for there is no selenium here")
    sys.exit(77)

TRACKS = ["Pane", "Shard", "Splinter"]


class Kept(SourceHands, PageCase):
    """One hub with an account at one server, in the order of the tests' names."""

    size = (390, 844)

    @classmethod
    def prepare(cls):
        def music(folder):
            for number, title in enumerate(TRACKS, 1):
                make(f"{folder}/glass/{title}.flac", "-f", "lavfi", "-i", f"sine=frequency={400 + number}:duration=2",
                     *metadata(title=title, artist="Merle Ash", album="Glass", track=str(number)))
        cls.subsonic = Supysonic(f"{cls.home.folder}/supysonic", version="debian", make=music)
        cls.enterClassContext(cls.subsonic)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        password = cls.home.secret("password", PASSWORD)
        cls.home.baton("source", "add", "attic", "subsonic", cls.subsonic.url, "--user", USER, "--password-file", password)
        wait("the rows of the server", lambda: (cls.hub.section("src") or {"list": [{}]})["list"][0].get("mirror", {}).get("atMs"))
        cls.tracks = {title: cls.track(title) for title in TRACKS}

    @classmethod
    def track(cls, title):
        rows = json.loads(cls.home.baton("search", title, "--json"))["rows"]
        return next(row["uri"] for row in rows if row["kind"] == "track" and row["title"] == title)

    def tearDown(self):
        super().tearDown()
        self.page.run("sessionStorage.clear()")

    def go(self, place):
        self.page.run("location.hash = arguments[0]", place)

    def cards(self):
        """Each line of the list, its words, and how much of it is there."""
        return {card.get_attribute("data-key"): card.text for card in self.page.driver.find_elements("css selector", ".keptrow")}

    def setUp(self):
        super().setUp()
        for row in self.command("keep.list")["d"]["rows"]:
            self.command("keep.set", on=False, **{name: row[name] for name in ("uri", "rule") if name in row})

    def test_a_album(self):
        """The menu of an album keeps it; its row, its page and the list say so, and the list gives it up."""
        page = self.page
        self.go("#/search?q=glass")
        page.click("[aria-label='Menu for Glass']")
        page.click("#sheet [data-do=keep]")
        page.wait("all of it is kept", lambda: (self.small("Glass") or "").startswith("Kept ·"))
        page.picture("night-390x844-kept-row")
        self.go("#/kept")
        page.wait("it is listed", lambda: any("3 of 3 tracks" in text for text in self.cards().values()))
        (uri, text), = self.cards().items()
        self.assertTrue(text.startswith("Glass\n"), text)
        self.assertIn("3 of 3 tracks", page.find(".keptsum").text)
        page.picture("night-390x844-kept")
        page.click(".keptrow a")
        page.wait("its page says so", lambda: page.find(".placehead p").text.startswith("Kept ·") and "#/kept" not in page.driver.current_url)
        page.driver.back()
        for _ in range(2):
            page.click(".keptrow button")
        page.wait("nothing is kept", lambda: not self.cards() and "Nothing is kept yet" in page.find(".keeping").text)
        self.assertEqual(self.command("keep.list")["d"]["rows"], [])
        self.assertTrue(uri.startswith("attic:"))

    def test_b_rules(self):
        """Rules keep the favourites, and as many of what is played most as is said; a playlist has its mark too."""
        page = self.page
        self.command("fav.set", uri=self.tracks["Shard"], on=True)
        self.go("#/kept")
        page.click("[data-rule=favourites]")
        page.wait("the favourite is kept", lambda: "1 of 1 track" in self.cards().get("favourites", ""))
        self.assertEqual(page.attribute_of("[data-rule=favourites]", "aria-checked"), "true")
        page.run("const e = document.getElementById('keepplayed'); e.value = 7; e.dispatchEvent(new Event('change'))")
        page.click("[data-rule=played]")
        page.wait("the rule", lambda: "played" in self.cards())
        self.assertEqual([row.get("n") for row in self.command("keep.list")["d"]["rows"]], [None, 7])
        page.picture("night-390x844-kept-rules")
        for rule in ("favourites", "played"):
            page.click(f"[data-rule={rule}]")
        page.wait("no rule is left", lambda: not self.cards())
        made = self.command("pl.create", key=os.urandom(4).hex(), name="Evening", uris=[self.tracks["Pane"]])
        self.command("keep.set", uri=f"pl:list/{made['d']['id']}", on=True)
        self.go("#/lists")
        page.wait("the list is marked", lambda: "Kept" in page.find("[aria-label^='Open Evening']").get_attribute("aria-label"))
        self.command("keep.set", uri=f"pl:list/{made['d']['id']}", on=False)
        page.wait("the mark is gone", lambda: "Kept" not in page.find("[aria-label^='Open Evening']").get_attribute("aria-label"))

    def test_c_limit(self):
        """Only an admin sets the limit; for others it is dimmed and says why."""
        page = self.page
        self.go("#/kept")
        page.wait("the limit", lambda: page.attribute_of("#keeplimit", "value") == "20")
        self.assertEqual(page.attribute_of("#keeplimit", "aria-disabled"), "true")
        page.click("#keeplimit")
        page.wait("the reason", lambda: "Only an admin" in page.sentence())
        self.become_admin()
        self.go("#/kept")
        page.wait("the limit of an admin", lambda: page.find("#keeplimit").get_attribute("aria-disabled") is None and page.attribute_of("#keeplimit", "value") == "20")
        page.run("const e = document.getElementById('keeplimit'); e.value = 5; e.dispatchEvent(new Event('change'))")
        page.wait("it is set", lambda: self.command("keep.list")["d"]["limit"] == 5 << 30)

    def test_d_station(self):
        """A station is added at the server, and in the menu of its row there renamed and recorded."""
        page = self.page
        shelf = next(row["uri"] for row in self.command("lib.browse")["d"]["rows"] if row["uri"].startswith("attic:") and "tation" in row["title"])
        self.go("#/radio")
        page.wait("the menu", lambda: page.find("[data-do=stations]").is_displayed())
        page.click("[data-do=stations]")
        self.sheet("Add a station")
        self.type("title", "Harbour FM")
        self.type("url", "https://radio.example/harbour")
        page.run("document.querySelector('#sheet [data-at=where]').value = 'attic'")
        page.click("#sheet form button.small")
        page.wait("it is added", lambda: not self.is_open())
        self.go(f"#/library?at={shelf}")
        page.click("[aria-label='Menu for Harbour FM']")
        page.click("#sheet [data-do=editstation]")
        self.type("title", "Quay FM")
        page.click("#sheet form button.small")
        wait("its new name at the server", lambda: [row["title"] for row in self.command("lib.browse", node=shelf)["d"]["rows"]] == ["Quay FM"])
        for turned in ("recordnow", "stoprecord"):
            page.click("[aria-label='Menu for Quay FM']")
            page.click(f"#sheet [data-do={turned}]")
            recorded = ["Quay FM"] if turned == "recordnow" else []
            wait("the recording", lambda recorded=recorded: [rec["title"] for rec in (self.hub.section("radio") or {}).get("rec", [])] == recorded)


if __name__ == "__main__":
    main("chromium", "chromedriver", "/usr/bin/ffmpeg")
