# deploy/test: tier 2, judges Sources/Web.
"""Accounts at real servers on the page: added with what each asks for, found in one search, and grey while they are away."""

import os
import sys

from chadmusic import Library, Running
from Support.accounts import SECRET, SourceHands
from Support.fixtures import make, metadata
from Support.hubs import Hub, main
from supysonic import PASSWORD, USER, Supysonic

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_servers.py: skipped, for there is no selenium here")
    sys.exit(77)


class RealServers(SourceHands, PageCase):
    """The hub's own accounts, at a Chad Music server (ours, Tests/Contract) and at a Subsonic server (supysonic)."""

    @classmethod
    def prepare(cls):
        cls.chad = Running(Library([{"id": "tide", "title": "Low Tide", "artist": "Kestrel", "year": 1994, "genre": "Folk", "tracks": [{"id": "t-1", "title": "Harbour", "duration": 200}]}]))
        cls.chad.state.behaviour.key = SECRET
        cls.chad.start()
        cls.addClassCleanup(cls.chad.stop)
        cls.subsonic = Supysonic(f"{cls.home.folder}/supysonic", version="debian", make=lambda folder: make(
            f"{folder}/glass/pane.flac", "-f", "lavfi", "-i", "sine=frequency=480:duration=2", *metadata(title="Pane", artist="Merle Ash", album="Glass")))
        cls.enterClassContext(cls.subsonic)

    def setUp(self):
        super().setUp()
        self.become_admin()

    def tearDown(self):
        super().tearDown()
        self.page.run("sessionStorage.clear()")

    def choose(self, kind):
        self.page.run("const s = document.querySelector('[data-at=kind]'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", kind)

    def give_files(self):
        """Files go to the server one after the other; of each it is said what became of it."""
        page, paths = self.page, []
        for name in ("wave.flac", "note.txt", "shore.mp3"):
            paths.append(f"{self.home.folder}/{name}")
            with open(paths[-1], "wb") as file:
                file.write(os.urandom(300_000))
        self.menu("the-loft")
        self.sheet("Give it files")
        page.wait("the field", lambda: page.driver.find_elements("css selector", "#sheet [data-at=files]"))[0].send_keys("\n".join(paths))
        said = lambda: page.find("#sheet ul").text
        page.wait("all are said", lambda: "has taken “shore.mp3”" in said())
        self.assertIn("The loft” has taken “wave.flac”", said())
        self.assertIn("“note.txt” was not uploaded", said())
        page.picture("aura-360x640-source-upload")
        self.assertEqual({name: row["bytes"] for name, row in self.chad.state.uploads.items()}, {"wave.flac": 300_000, "shore.mp3": 300_000})
        self.sheet("Cancel")
        page.wait("the sheet is closed", lambda: not self.is_open())

    def test_accounts(self):
        """Both are added with what they ask for, refused with their own sentence before, found in one search, and grey while they are away."""
        page = self.page
        self.press("#sourceadd")
        self.choose("chadmusic")
        self.type("url", self.chad.url)
        self.type("title", "The loft")
        self.type("apiKey", "wrong")
        self.sheet("Test")
        page.wait("it is refused", lambda: "does not accept the API key" in self.wrong("apiKey"))
        self.type("apiKey", SECRET)
        self.sheet("Test")
        page.wait("it answers", lambda: "It answers" in page.find("#sheet [data-at=told]").text)
        self.sheet("Save")
        page.wait("it is connected", lambda: not self.is_open() and "The loft\nConnected" in self.sources())
        self.press("#sourceadd")
        self.choose("subsonic")
        self.type("url", self.subsonic.url)
        self.type("title", "The attic")
        self.type("user", USER)
        self.type("password", PASSWORD)
        self.sheet("Save")
        page.wait("both", lambda: "The attic\nConnected" in self.sources())
        page.picture("aura-360x640-sources-real")
        self.show("search")
        page.wait("the field", lambda: page.find("#panel #find").is_displayed())
        page.find("#find").send_keys("pane")
        page.wait("the song there", lambda: "The attic" in (self.small("Pane") or ""))
        page.click("[aria-label='Menu for Pane']")
        page.click("#sheet [data-do=keep]")
        page.wait("all of it is kept", lambda: (self.small("Pane") or "").startswith("Kept ·"))
        self.assertEqual(page.run("return getComputedStyle(document.querySelector('li.kept')).getPropertyValue('--kept')"), "100%")
        page.picture("aura-360x640-kept")
        page.find("#find").clear()
        page.find("#find").send_keys("low tide")
        page.wait("the album of the other", lambda: "The loft" in (self.small("Low Tide") or ""))
        self.show("settings?page=library")
        self.give_files()
        self.chad.stop()
        self.show("settings?page=library")
        self.menu("the-loft")
        self.sheet("Test")
        page.wait("it is away", lambda: page.find("#sheet [data-at=told]").text not in ("", "Asking…"))
        self.sheet("Done")
        page.wait("the page knows", lambda: "Cannot be reached" in self.sources())
        page.wait("no sentence over what plays", lambda: page.run("return !document.getElementById('sentence').textContent"))
        page.picture("aura-360x640-sources-away")
        self.show("search?q=low+tide")
        page.wait("the search", lambda: page.run("return document.querySelector('#panel #find')?.value") == "low tide")
        page.click("#panel [data-do=available]:not([hidden])")
        page.wait("the album is not there", lambda: self.small("Low Tide") is None)
        page.find("#find").clear()
        page.find("#find").send_keys("pane")
        page.wait("the song is", lambda: self.small("Pane"))
        # The server of the album has no picture for it, and one file was refused.
        self.assertTrue(all("/art/" in complaint or "/upload/" in complaint for complaint in page.complaints()))
        for text in (Hub.text(self.hub.log), page.run("return JSON.stringify([{ ...localStorage }, document.documentElement.outerHTML])")):
            self.assertNotIn(SECRET, text)
            self.assertNotIn(PASSWORD, text)


if __name__ == "__main__":
    main("chromium", "chromedriver", "supysonic-server")
