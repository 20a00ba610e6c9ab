# deploy/test: tier 2, judges Sources/Web.
"""The page on a real library: an album of files is found, played, loved and put into a playlist, and its cover comes
without moving anything."""

import sys

from Support.fixtures import lavfi, metadata
from Support.hubs import main, wait

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_music.py: skipped, for there is no selenium here")
    sys.exit(77)

TITLES = ["Clouds", "Showers", "Rainbow"]
SHIFTS = """globalThis.shifts = 0; new PerformanceObserver(list => { for (const entry of list.getEntries())
  if (!entry.hadRecentInput) shifts += entry.value }).observe({ type: 'layout-shift' })"""
COVER = "return document.querySelector('#art img')?.naturalWidth === Math.round(document.getElementById('art').clientWidth)"


class RealMusic(PageCase):
    @classmethod
    def prepare(cls):
        # Added later: a hub that finds no music offers its own album, with which every test of the page begins.
        cls.shelf = f"{cls.home.folder}/shelf"
        folder = f"{cls.shelf}/April"
        for number, title in enumerate(TITLES, 1):
            tags = metadata(title=title, artist="The Weather", album="April", track=f"{number}/3")
            lavfi(f"{folder}/{number}.flac", f"sine=f={300 + 50 * number}:d=60", *tags)
        lavfi(f"{folder}/cover.png", "testsrc2=s=600x600", "-frames:v", "1")

    def setUp(self):
        self.home.baton("library", "add", self.shelf)
        wait("the library is read", lambda: self.found("rainbow"))
        super().setUp()
        self.page.keep(panel="playing", theme="aura")
        self.visit()

    def found(self, text):
        return self.command("lib.search", q=text, kinds=["track"]).get("d", {}).get("rows", [])

    def button(self, label):
        return self.page.wait(label, lambda: self.page.driver.find_elements("css selector", f"#panel [aria-label^=\"{label}\"]"))[0]

    def test_from_typing_to_a_cover(self):
        """What is typed is found, plays when it is pressed, stays loved, and shows its cover where nothing moves for it."""
        self.page.size(768, 1024)
        self.page.run(SHIFTS)
        self.show("library")
        self.page.wait("the shelves", lambda: "Albums" in self.page.titles())
        self.show("search")
        self.page.wait("the field", lambda: self.page.find("#panel #find").is_displayed())
        self.page.find("#find").send_keys("rain")
        self.page.wait("the hit", lambda: "Rainbow" in self.page.titles())
        self.page.click("#panel [aria-label^='Play Rainbow']")
        self.reaches("it plays", lambda status: status["title"] == "Rainbow" and status["state"] == "playing")
        self.page.click("#panel [aria-label^='Favourite: Rainbow']")
        wait("the hub knows", lambda: self.found("rainbow")[0].get("fav"))
        uri = self.found("rainbow")[0]["uri"]
        made = self.command("pl.create", key="april1", name="April walks", uris=[uri])
        self.assertTrue(made["ok"], made)
        self.show("lists")
        self.page.wait("the list", lambda: "April walks" in self.page.titles())
        self.show("playing")
        self.page.wait("the title", lambda: self.page.text("title") == "Rainbow")
        # What plays is where it stays; the cover comes into its place.
        self.page.run("shifts = 0")
        self.page.wait("the cover in the size of its place", lambda: self.page.run(COVER))
        self.assertLess(self.page.run("return shifts"), 0.01)
        print(f"kept: {self.page.picture('aura-768x1024-real-library')}")


if __name__ == "__main__":
    main("chromium", "chromedriver", "ffmpeg")
