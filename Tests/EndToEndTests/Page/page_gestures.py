# deploy/test: tier 2, judges Sources/Web.
# deploy/test: waits, mostly for the patience of the page to end.
"""A hub that goes away while a hand is on the page: the gesture ends as any other, what it meant is shown and taken back, the page
says so, and nothing of it happens when the hub is there again."""

import sys

from Support.hubs import main

try:
    from Support.pagecase import SpoiledCase
except ImportError:
    print("page_gestures.py: skipped, for there is no selenium here")
    sys.exit(77)

TITLES = ["First Light", "Stairs", "Lamps On"]
NO_ANSWER = "The hub did not answer. Please try again."


class Gestures(SpoiledCase):
    def setUp(self):
        super().setUp()
        # What stands still can be compared.
        self.command("play", entry=self.rows()[0]["entry"], posMs=5000)
        self.command("pause")
        self.page.wait("the first track", lambda: self.page.text("title") == "First Light" and self.page.position_s() == 5)

    def lose(self):
        self.network.is_out = True
        self.network.cut()
        self.page.wait("it is away", lambda: self.page.run("return document.documentElement.classList.contains('away')"))

    def regain(self):
        """The page gives up what the gesture meant, and only then the hub is there again."""
        self.page.wait("it says that nothing came of it", lambda: self.page.sentence() == NO_ANSWER)
        self.network.is_out = False
        self.page.wait("the page is live", self.page.is_live)

    def hold(self, element, across, down=0):
        """A drag that has not ended yet."""
        self.page.drag(element, across, down, hold=True)

    def show_queue(self):
        self.show("queue")
        self.addCleanup(self.show, "playing")
        self.page.wait("the rows", lambda: self.page.titles() == TITLES)

    def test_volume(self):
        """What was heard while the hub was there stays, and the number is the hub's again."""
        x, y = self.page.run("const b = document.getElementById('turn').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
        self.page.touch("touchStart", (x, y))
        self.page.touch("touchMove", (x + 20, y))
        self.page.wait("the hub hears it", lambda: self.status()["level"] > 30)
        self.page.wait("all is said", lambda: self.status()["level"] == self.page.level())
        said = self.page.level()
        self.lose()
        self.page.touch("touchMove", (x + 60, y))
        self.page.wait("the number follows the finger", lambda: self.page.level() > said)
        self.page.touch("touchEnd")
        self.regain()
        self.page.wait("the number of the hub", lambda: self.page.level() == said)
        self.assertEqual(self.status()["level"], said)

    def test_seek(self):
        """The line goes back to where the music is."""
        before = self.status()["positionMs"]
        self.hold(self.page.find("#seek"), 60)
        self.lose()
        meant = self.page.position_s()
        self.assertGreater(meant, 8, "The line is under the finger.")
        self.page.release()
        self.assertEqual(self.page.position_s(), meant)
        self.regain()
        self.page.wait("its own place", lambda: self.page.position_s() == 5)
        self.assertEqual(self.status()["positionMs"], before)

    def test_row(self):
        """A carried row lands where it was let go, and goes back."""
        self.show_queue()
        height = self.page.find(".rows li:not(.heading)").rect["height"]
        self.hold(self.page.find("[aria-label^='Move Lamps On']"), 0, -height)
        self.lose()
        self.page.release()
        self.assertEqual(self.page.titles(), ["First Light", "Lamps On", "Stairs"])
        self.regain()
        self.page.wait("the order of the hub", lambda: self.page.titles() == TITLES)
        self.assertEqual([row["title"] for row in self.rows()], TITLES)

    def test_swipe(self):
        """What plays, below a place: the next title is shown, and goes again."""
        self.show("library")
        self.addCleanup(self.show, "playing")
        self.page.wait("the line", lambda: self.page.find("#open").is_displayed())
        self.hold(self.page.find("#open"), -90)
        self.lose()
        self.page.release()
        self.page.wait("the next title", lambda: self.page.text("title") == "Baton – Stairs")
        self.assertEqual(self.page.run("return document.getElementById('what').style.translate"), "")
        self.regain()
        self.page.wait("its own title", lambda: self.page.text("title") == "First Light")
        self.assertEqual(self.status()["title"], "First Light")

    def test_long_press(self):
        """The menu of a row opens without the hub, and its lines say that it did not answer."""
        self.page.wait("the worker is in charge", lambda: self.page.run("return !!navigator.serviceWorker.controller"))
        self.show_queue()
        x, y = self.page.run("const b = document.querySelector('.rows li .row').getBoundingClientRect(); return [b.x + 90, b.y + 20]")
        self.page.touch("touchStart", (x, y))
        self.lose()
        self.page.wait("the menu", lambda: self.page.run("return document.getElementById('sheet').open"))
        self.page.touch("touchEnd")
        self.assertIn("First Light", self.page.find("#sheet").text)
        self.page.run("[...document.querySelectorAll('#sheet .act')].at(-1).click()")
        self.page.wait("it is out of the list", lambda: self.page.titles() == TITLES[1:])
        self.regain()
        self.page.wait("it is there again", lambda: self.page.titles() == TITLES)
        self.assertEqual([row["title"] for row in self.rows()], TITLES)


if __name__ == "__main__":
    main("chromium", "chromedriver")
