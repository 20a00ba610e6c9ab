# deploy/test: tier 2, judges Sources/Web.
"""Lyrics on the page: timed lines follow what plays, a tap goes on from a line, timing and size are corrected and remembered;
lyrics without times, without words, with markup, and a source that refuses.

The library here is a stand-in that answers the lyrics a test wants; what is heard is the real hub's.
"""

import os
import sys

from Support.hubs import main
from Support.standin import Refusal, Shelf, share

try:
    from selenium.webdriver.common.keys import Keys

    from Support.pagecase import PageCase
except ImportError:
    print("page_lyrics.py: skipped, for there is no selenium here")
    sys.exit(77)

MARKUP = "<img src=x onerror=\"document.title='taken'\">"
LINES = [[second * 1000, f"Second {second} is sung"] for second in range(1, 21)]


class Words(PageCase):
    begins = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        share(cls)

    def setUp(self):
        self.shelf = Shelf()
        uris = [row["uri"] for row in self.album]
        self.shelf.album("Morning Pieces", "The House Band", 1999, [row["title"] for row in self.album], uris)
        self.shelf.words = {uris[0]: {"timed": 1, "lines": LINES}, uris[1]: {"lines": [["No moment"], [MARKUP], ["مرحبا"]], "more": 7}, uris[2]: None}
        self.uris, self.stand.shelf, self.stand.art = uris, self.shelf, {}
        self.addCleanup(self.page.leave)
        super().setUp()
        self.begins = True
        self.page.open(f"{self.stand.page}/still")
        self.page.run("localStorage.clear(); sessionStorage.clear()")
        self.current(0)

    def visit(self, query="", page=None):
        if self.begins:
            super().visit(query, page or self.stand.page)

    def current(self, place, query="#/lyrics"):
        """Opens the lyrics of the entry at this place, which is paused at its beginning."""
        self.command("play", entry=self.rows()[place]["entry"], posMs=0)
        self.command("pause")
        self.seek(0, place)
        # An address that differs in its fragment alone would load nothing anew.
        self.page.open("about:blank")
        self.visit(query)

    def seek(self, ms, place=0):
        self.command("seek", key=os.urandom(4).hex(), entry=self.rows()[place]["entry"], posMs=ms)

    def lines(self):
        return self.page.run("return [...document.querySelectorAll('.words li')].map(line => line.textContent)")

    def sung(self):
        return self.page.run("return document.querySelector('.words [aria-current]')?.textContent ?? null")

    def tap(self, second):
        self.page.run("[...document.querySelectorAll('.words button')].find(line => line.textContent === arguments[0]).click()", f"Second {second} is sung")

    def shift(self):
        return self.page.run("return document.querySelector('.lyricshift').textContent")

    def wait_for_lines(self):
        self.page.wait("the lines", lambda: self.lines() == [text for _, text in LINES])

    def test_following(self):
        """The line that is sung is marked and in sight while the room plays, and no line is while none has begun."""
        self.wait_for_lines()
        self.assertIsNone(self.sung())
        self.command("play", entry=self.rows()[0]["entry"], posMs=11_500)
        for second in (12, 13):
            self.page.wait(f"second {second}", lambda: self.sung() == f"Second {second} is sung")
        seen = "const l = document.querySelector('.words [aria-current]').getBoundingClientRect(), s = document.querySelector('.lyrics .scroller').getBoundingClientRect(); return l.top >= s.top && l.bottom <= s.bottom"
        self.page.wait("it is in sight", lambda: self.page.run(seen))
        self.page.picture("night-360x640-lyrics")

    def test_hidden(self):
        """A hidden page waits for no line; when it is shown again it knows the current one."""
        self.wait_for_lines()
        hide = "Object.defineProperty(document, 'hidden', { configurable: true, value: arguments[0] }); document.dispatchEvent(new Event('visibilitychange'))"
        self.seek(2_500)
        self.page.wait("the second", lambda: self.sung() == "Second 2 is sung")
        self.page.run(hide, True)
        self.seek(4_500)
        self.reaches("two lines later", lambda status: status["positionMs"] == 4_500)
        self.page.wait("the page has heard of it", lambda: self.page.text("elapsed") == "0:04")
        self.assertEqual(self.sung(), "Second 2 is sung")
        self.page.run(hide, False)
        self.page.wait("the line of now", lambda: self.sung() == "Second 4 is sung")

    def test_tap(self):
        """A tap on a line goes on from its moment, moved by the correction, which is remembered for each track."""
        self.wait_for_lines()
        self.tap(12)
        self.reaches("its moment", lambda status: status["positionMs"] == 12_000)
        self.page.wait("it is sung", lambda: self.sung() == "Second 12 is sung")
        self.page.press("lyricmenu")
        for _ in range(3):
            self.page.click('[aria-label="Later by 0.1 seconds"]')
        self.assertEqual(self.shift(), "+0.3 s")
        self.assertEqual(self.sung(), "Second 11 is sung")
        self.tap(5)
        self.reaches("its moment and the correction", lambda status: status["positionMs"] == 5_300)
        self.current(0)
        self.wait_for_lines()
        self.assertEqual(self.shift(), "+0.3 s")
        self.shelf.words[self.uris[1]] = {"timed": 1, "lines": LINES}
        self.current(1)
        self.wait_for_lines()
        self.assertEqual(self.shift(), "+0.0 s")

    def test_size(self):
        """The slider sets the size of the text, by keys too, and it is remembered."""
        size = lambda: self.page.run("return getComputedStyle(document.querySelector('.words button')).fontSize")
        self.wait_for_lines()
        self.assertEqual(size(), "20px")
        self.page.press("lyricmenu")
        self.page.find("#lyricsize").send_keys(Keys.END)
        self.assertEqual(size(), "48px")
        wide = self.page.run("const s = document.querySelector('.lyrics .scroller'); return s.scrollWidth - s.clientWidth")
        self.assertLessEqual(wide, 0)
        self.page.picture("night-360x640-lyrics-large")
        self.current(0)
        self.wait_for_lines()
        self.assertEqual(size(), "48px")

    def test_untimed(self):
        """Lyrics without times are text and nothing else, and what a page does not hold is said; without any, the page says so."""
        self.current(1)
        self.page.wait("the text", lambda: self.lines() == ["No moment", MARKUP, "مرحبا"])
        self.assertEqual(self.page.run("return document.querySelectorAll('.words button, .words img').length"), 0)
        self.assertIn("7 more lines", self.page.find(".lyrics").text)
        self.page.press("lyricmenu")
        self.assertTrue(self.page.find("#lyricsize").is_displayed())
        self.assertFalse(self.page.find(".timing").is_displayed())
        self.command("play", entry=self.rows()[2]["entry"])
        self.page.wait("it has none", lambda: "No lyrics are known" in self.page.find(".lyrics").text)
        self.assertEqual(self.lines(), [])

    def test_refused(self):
        """A source that does not answer is named, and asked again with a tap."""
        self.shelf.words[self.uris[0]] = Refusal("unavailable", "The attic does not answer.")
        self.current(0)
        self.page.wait("why", lambda: "The attic does not answer." in self.page.find(".lyrics .note").text)
        self.shelf.words[self.uris[0]] = {"timed": 1, "lines": LINES}
        self.page.click(".lyrics .scroller > .small")
        self.wait_for_lines()

    def test_menu(self):
        """A button of what plays and its menu lead there, in every shape and theme, and every target can be hit."""
        self.show("playing")
        self.page.press("lyrics")
        self.wait_for_lines()
        self.show("playing")
        self.page.press("nowmenu")
        self.page.click('#sheet a[href="#/lyrics"]')
        self.wait_for_lines()
        for width, height in ((320, 240), (360, 640), (640, 360), (1280, 800)):
            self.page.size(width, height)
            for theme in ("night", "aura", "pixel", "cat", "plain"):
                self.page.choose_theme(theme)
                self.page.picture(f"{theme}-{width}x{height}-lyrics")
                for high, left, right in self.page.run("""return [...document.querySelectorAll('.lyrics button, .lyrics input')].filter(e => e.checkVisibility()).map(e => {
                        const b = e.getBoundingClientRect(); return [b.height, b.left, b.right] })"""):
                    self.assertTrue(round(high) >= 44 and left >= 0 and right <= width + 0.5, f"{theme} {width}x{height}: {high}, {left} to {right}")
        self.page.size(*PageCase.size)

    def test_wall(self):
        """A wall shows the line that is sung and the next one."""
        page = self.page
        script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "const later = setTimeout; globalThis.setTimeout = (act, ms, ...more) => later(act, ms === 60000 ? 1500 : ms, ...more)"})
        self.addCleanup(page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
        page.size(1280, 800)
        self.current(0, "")
        self.seek(7_500)
        wall = page.wait("the wall", lambda: page.driver.find_elements("id", "wall"))[0]
        page.wait("the lines", lambda: "Second 7 is sung\nSecond 8 is sung" in wall.text)
        page.picture("night-1280x800-wall-lyrics")
        page.size(*PageCase.size)


if __name__ == "__main__":
    main("chromium", "chromedriver")
