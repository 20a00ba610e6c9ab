# deploy/test: tier 2, judges Sources/Web.
"""The page's places: each has an address that Back, a reload and a shared link lead to; links lead from what plays to its album
and artist; a tap plays what holds the row; Enter plays the first result.

The library here is a stand-in that does what a test wants; what is queued and heard is the real hub's.
"""

import re
import sys

from Support.hubs import main, wait
from Support.standin import Shelf, StandIn

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    from Support.pagecase import PageCase
except ImportError:
    print("page_places.py: skipped, for there is no selenium here")
    sys.exit(77)

KID_A = ["Everything in Its Right Place", "Kid A", "The National Anthem", "How to Disappear Completely"]


class PlaceCase(PageCase):
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

    def visit(self, query="#/playing", page=None):
        self.page.open("about:blank")
        super().visit(query, page or self.stand.page)

    def find(self, selector):
        return self.page.wait(selector, lambda: self.page.driver.find_elements("css selector", selector))[0]

    def press(self, label):
        self.page.click(f"#panel [aria-label^=\"{label}\"]")

    def place(self):
        return self.page.run("return document.querySelector('#panel .name')?.textContent")

    def address(self):
        return self.page.run("return location.hash")

    def is_open(self):
        return self.page.run("return document.getElementById('sheet').open")

    def is_step(self):
        """The sheet is open and in the history of the browser, so that Back closes it."""
        return self.is_open() and self.page.run("return !!history.state?.isSheet")

    def arrives(self, address, *titles):
        self.page.wait(address, lambda: self.address() == address)
        if titles:
            self.page.wait(f"{titles}", lambda: self.page.titles() == list(titles))

    def panel(self):
        return self.page.run("return document.documentElement.dataset.panel")


class Places(PlaceCase):
    def test_back(self):
        """Back closes the sheet, then goes back place by place, and Forward goes on again."""
        page, driver = self.page, self.page.driver
        self.show("library")
        self.press("Open Albums")
        self.press("Open Kid A")
        self.arrives("#/library?at=lib:album/2", *KID_A)
        self.press("Menu for Kid A")
        page.wait("the sheet, as a step of its own", self.is_step)
        driver.back()
        page.wait("it is closed", lambda: not self.is_open())
        self.arrives("#/library?at=lib:album/2", *KID_A)
        driver.back()
        page.wait("the albums", lambda: self.place() == "Albums")
        self.arrives("#/library?at=lib:shelf/albums")
        driver.forward()
        self.arrives("#/library?at=lib:album/2", *KID_A)
        # A sheet that was left by its own button leaves no entry behind.
        self.press("Menu for Kid A")
        page.click("#sheet .acts > .small:last-child")
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
            ("#/library?at=lib:album/2", KID_A), ("#/search?q=anthem", ["The National Anthem"]), ("#/library?q=anthem", ["The National Anthem"]),
            ("#/lists?list=l1", [row["title"] for row in self.album]), ("#/library?album=Kid+A&artist=Radiohead", KID_A),
        ):
            self.visit(address)
            self.page.wait(f"{address}: {titles}", lambda titles=titles: self.page.titles() == titles)
            self.page.driver.refresh()
            self.page.wait(f"{address} after a reload", lambda titles=titles: self.page.titles() == titles)
        wait("a name was looked up, and its place has the address", lambda: self.address() == "#/library?at=lib:album/2")
        self.page.driver.back()
        self.arrives("#/library")
        self.visit("#/more?page=look")
        self.page.wait("the settings, as they were called before", lambda: self.panel() == "settings" and self.address() == "#/settings?page=look")
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
        page.click("#title a")
        self.arrives("#/library?at=lib:album/1", *[row["title"] for row in self.album])
        self.assertEqual(page.find("[aria-current=true] b").text, "First Light", "What plays is not marked.")
        page.driver.back()
        page.wait("what plays", lambda: self.panel() == "playing")
        page.click("#artist a")
        page.wait("the artist", lambda: self.place() == "Baton")
        self.press("Open " + self.album[0]["album"])
        self.press("Menu for Stairs")
        self.page.click("#sheet a[href*='?artist=']")
        page.wait("the artist again", lambda: self.place() == "Baton" and not self.is_open())

    def test_tap(self):
        """A tap on a row plays what holds it from there: an album, a list, and results in the order that is shown."""
        self.visit("#/library?at=lib:album/1")
        self.press("Play Stairs")
        self.reaches("the album from its second", lambda status: (status["title"], status["state"], status["length"]) == ("Stairs", "playing", 3))
        self.page.wait("a sentence", lambda: "Undo in the queue brings back" in self.page.sentence())
        self.visit("#/search?q=baton")
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
        page.wait("the sheet, as a step of its own", self.is_step)
        self.assertIn("Play only this", page.find("#sheet").text)
        page.driver.back()
        page.wait("it is closed", lambda: not self.is_open())
        box = page.run("const b = arguments[0].getBoundingClientRect(); return [b.x + 90, b.y + 20]", row)
        touch = lambda kind: page.driver.execute_cdp_cmd(
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
        self.visit("#/home")
        page.press("tab-search")
        page.wait("the field, which has the focus", lambda: page.run("return document.activeElement.id") == "find")
        page.find("#find").send_keys("a")
        page.wait("headings", lambda: page.run("return [...document.querySelectorAll('.heading')].map(h => h.textContent)")[:3] == ["Best result", "Artists", "Albums"])
        page.picture("aura-360x640-search")
        page.find("#find").send_keys(Keys.CONTROL, "a", Keys.NULL)
        self.shelf.may_answer.clear()
        self.addCleanup(self.shelf.may_answer.set)
        page.find("#find").send_keys("lamps", Keys.ENTER)
        self.assertNotEqual(self.status()["state"], "playing")
        self.shelf.may_answer.set()
        self.reaches("the first result", lambda status: (status["title"], status["state"]) == ("Lamps On", "playing"))
        wait("the address of all letters", lambda: self.address() == "#/search?q=lamps")
        wait("one entry for all letters", lambda: page.run("return history.state.before") == ["#/home", "#/search"])
        self.command("pause")


class Covers(PlaceCase):
    def open(self, address):
        self.visit(address)
        self.page.wait("rows", self.page.titles)

    def texts(self, selector):
        return self.page.run("return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.textContent)", selector)

    def test_home(self):
        """The page begins with rows of covers below one line of places; a tile of a track plays its row, one of an album opens it, and a heading leads to all."""
        for uri in self.shelf.inside["lib:album/1"]:
            self.shelf.inside["lib:shelf/favourites"].append(uri)
        self.shelf.inside["lib:shelf/recent"] += self.shelf.inside["lib:album/2"][:2]
        self.shelf.rows["lib:shelf/similar"] = {"uri": "lib:shelf/similar", "kind": "shelf", "title": "Similar"}
        self.shelf.inside["lib:shelf/similar"] = ["lib:album/2"]
        self.visit("#/home")
        page = self.page
        page.wait("the places", lambda: self.texts("#panel .chips b")[:2] == ["Albums", "Artists"])
        chips = page.run("return [...document.querySelectorAll('#panel .chips li')].map(chip => chip.getBoundingClientRect().top)")
        self.assertEqual(len(set(chips)), 1, "They stand in one line.")
        page.click("#panel .chips button", "Albums")
        self.arrives("#/home?at=lib:shelf/albums")
        page.driver.back()
        page.wait("the rows", lambda: self.texts(".home .strip .tile b")[:1] == ["Kid A"])
        page.run("const s = document.querySelector('.shelves .scroller'); s.scrollTop = s.scrollHeight")
        page.wait("no empty row", lambda: self.texts(".home h2") == ["Recently played", "Recently added", "Playlists", "Favourites", "More like what you heard"])
        self.assertEqual(page.run("return [...document.querySelectorAll('.home .stripbox')].filter(row => row.checkVisibility() && !row.querySelector('.tile')).length"), 0)
        page.picture("aura-360x640-home")
        self.page.click(".home [aria-label^='Play Stairs']")
        self.reaches("the favourites", lambda status: (status["title"], status["length"], status["state"]) == ("Stairs", 3, "playing"))
        self.command("pause")
        self.page.click(".home a[href*='sort=added']")
        self.arrives("#/library?at=lib:shelf/albums&sort=added")
        page.driver.back()
        # The row says no more of its album than the name.
        self.page.click(".home [aria-label^='Open Kid A']")
        self.arrives("#/home?at=lib:album/2", *KID_A)
        page.driver.back()
        self.arrives("#/home")

    def test_kinds(self):
        """The library begins with what people look for first; all other places are behind the last line, and Back leads there again."""
        page = self.page
        self.open("#/library")
        self.assertEqual(page.titles()[:3] + page.titles()[-1:], ["Albums", "Artists", "Playlists", "All"])
        self.press("Open All")
        self.arrives("#/library?at=page:shelf/all")
        page.wait("the others", lambda: "Tracks" in page.titles() and "Albums" not in page.titles())
        self.press("Open Tracks")
        self.arrives("#/library?at=lib:shelf/tracks")
        page.driver.back()
        self.arrives("#/library?at=page:shelf/all")
        page.driver.refresh()
        page.wait("the others after a reload", lambda: "Tracks" in page.titles() and "Albums" not in page.titles())

    def test_artist(self):
        """Above the albums of an artist are its tracks heard most, which play from the tapped one on, and below them similar artists, which
        open."""
        first = self.shelf.inside["lib:album/1"]
        self.shelf.inside["lib:top/1"] = first[::-1]
        self.shelf.inside["lib:related/1"] = [self.shelf.artist("Radiohead", ["lib:album/2"])]
        for uri, title in (("lib:top/1", "Top tracks"), ("lib:related/1", "Similar artists")):
            self.shelf.rows[uri] = {"uri": uri, "kind": "shelf", "title": title}
        item = self.shelf.do_lib_item
        self.shelf.do_lib_item = lambda p: {**item(p), **({"top": "lib:top/1", "related": "lib:related/1"} if p["uri"] == "lib:artist/1" else {})}
        page = self.page
        self.open("#/library?at=lib:artist/1")
        page.wait("both", lambda: self.texts(".artistpage h2") == ["Top tracks", "Albums", "Similar artists"])
        titles = [self.shelf.rows[uri]["title"] for uri in first[::-1]]
        self.assertEqual(self.texts(".artistpage .still b"), titles)
        page.picture("aura-360x640-artist")
        self.page.click(f".artistpage [aria-label^='Play {titles[1]}']")
        self.reaches("from the second on", lambda status: (status["title"], status["length"]) == (titles[1], len(titles)))
        self.command("pause")
        self.page.click(".artistpage [aria-label^='Open Radiohead']")
        page.wait("the other artist", lambda: self.place() == "Radiohead" and self.texts(".artistpage h2") == [])
        # The step is written when the program for it has come.
        page.wait("its address", lambda: "artist/1" not in self.address())
        page.driver.back()
        page.wait("the first again", lambda: self.place() == "Baton" and self.texts(".artistpage h2") == ["Top tracks", "Albums", "Similar artists"])

    def test_mixes(self):
        """A press plays a mix, which is the hub's to find; its menu shows what is in it, and keeps it as a playlist. One in which there is nothing is not offered."""
        page, mix = self.page, "lib:mix/never"
        self.shelf.inside[mix] = self.shelf.inside["lib:album/2"]
        self.shelf.rows[mix] = {"uri": mix, "kind": "playlist", "title": "Never heard"}
        self.visit("#/home")
        page.wait("the mix", lambda: self.texts(".mixes .tile b") == ["Never heard"])
        page.click(".mixes .tile .row")
        page.wait("the hub is asked to", lambda: any(heard["m"] == "play" and heard["p"]["uri"] == mix for heard in self.stand.heard))
        page.click(".mixes [data-do=more]")
        page.click("#sheet .act[data-needs=remote]")
        page.wait("it says so", lambda: "is a playlist now" in page.sentence())
        self.assertEqual([made["rule"]["all"] for made in self.shelf.lists.values() if "rule" in made], [[{"f": "plays", "is": "is", "v": "0"}]])
        page.click(".mixes [data-do=more]")
        page.click("#sheet a.act")
        page.wait("what is in it", lambda: page.titles()[:1] == [self.shelf.rows[self.shelf.inside[mix][0]]["title"]])

    def test_watch(self):
        """A watch to which the hub did not tell the queue asks again when anything changes, and for the rows that did not fit into an answer."""
        self.page.size(184, 224)
        self.stand.most_rows = 1
        self.stand.refuses.append(lambda message: message.get("t") == "sub" and message.get("queue"))
        self.visit()
        self.page.wait("the menu", lambda: self.page.press("open") or self.page.find(".watchmenu"))
        wait("it is refused", lambda: not self.stand.refuses)
        self.command("vol.set", level=31)
        self.page.wait("what comes next", lambda: re.search(r"Stairs[^\n]*\nLamps On", self.page.find("#sheet").text))

    def test_grid(self):
        """Albums stand in a grid that begins anywhere at once, keeps few elements, knows letters, and can be a list."""
        for number in range(900):
            self.shelf.album(f"{chr(65 + number // 36)}lbum {number:03}", "Various", 2001, ["One"], art=number % 2 == 0)
        self.shelf.inside["lib:shelf/albums"].sort(key=lambda uri: self.shelf.rows[uri]["title"])
        self.open("#/library?at=lib:shelf/albums")
        page = self.page
        first = page.run("return [...document.querySelectorAll('.grid .tile')].slice(0, 2).map(t => { const b = t.getBoundingClientRect(); return [b.left, b.top, b.width] })")
        self.assertTrue(first[0][1] == first[1][1] and first[1][0] >= first[0][0] + first[0][2] - 1, f"{first}: two columns")
        page.run("const s = document.querySelector('.shelves .scroller'); s.scrollTop = s.scrollHeight / 2")
        page.wait("the middle", lambda: any("lbum 4" in title for title in page.titles()))
        self.assertLess(page.run("return document.querySelectorAll('.rows li').length"), 40)
        self.assertLess(len([1 for method, _ in self.shelf.asked if method == "lib.browse"]), 12, "What was passed over was asked for.")
        letters = self.find(".letters")
        letters.send_keys(Keys.END)
        page.wait("the letter Z", lambda: page.attribute_of(".letters", "aria-valuetext") == "Z" and "Ylbum 899" in page.titles())
        page.drag(letters, 0, 0, steps=1)
        page.wait("the middle of the alphabet", lambda: page.attribute_of(".letters", "aria-valuetext") in "LMN" and any(title[0] in "LMN" for title in page.titles()))
        self.page.click("[data-do=look]")
        page.wait("a list", lambda: not page.driver.find_elements("css selector", ".grid"))
        page.driver.refresh()
        page.wait("still a list", lambda: page.titles() and not page.driver.find_elements("css selector", ".grid"))
        page.keep(look="grid")

    def test_pages(self):
        """An album shows its facts and discs, can be a favourite, and does not repeat its artist; an artist the albums by year and those of others; a list four covers."""
        for place, uri in enumerate(self.shelf.inside["lib:album/2"]):
            self.shelf.rows[uri]["disc"] = 1 + place // 2
        self.shelf.artist("Radiohead", ["lib:album/1", "lib:album/2"])
        page = self.page
        # High enough for all rows below the cover.
        page.size(360, 1000)
        self.open("#/library?at=lib:album/2")
        page.wait("its facts", lambda: "2000 · 4 tracks · 4 min" in page.find(".placehead").text)
        self.assertEqual(self.texts(".heading"), ["Disc 1", "Disc 2"])
        self.assertEqual(self.texts(".rows .texts small"), [""] * 4)
        page.picture("aura-360x640-album")
        heart = page.find("[data-does=fav]")
        self.assertEqual(heart.get_attribute("aria-pressed"), "false")
        page.click("[data-does=fav]")
        wait("a favourite", lambda: self.shelf.rows["lib:album/2"].get("fav"))
        self.open("#/library?at=lib:album/2")
        page.wait("it stays", lambda: page.find("[data-does=fav]").get_attribute("aria-pressed") == "true")
        page.click(".placehead a")
        page.wait("the artist", lambda: self.place() == "Radiohead")
        page.wait("both parts", lambda: self.texts(".heading") == ["Albums", "Appears on"])
        self.assertEqual(page.titles(), ["Kid A", self.album[0]["album"]])
        page.picture("aura-360x640-artist")
        for number in range(4):
            self.shelf.album(f"Part {number}", "Various", 2001, [f"Song {number}"])
        self.shelf.do_pl_create({"name": "Four", "uris": [f"lib:album/{number}" for number in (3, 4, 5, 6)]})
        self.open("#/lists?list=l2")
        page.wait("four covers", lambda: page.run("return document.querySelectorAll('.placehead .four img').length") == 4)

    def test_shape(self):
        """A wide or tall cover is shown whole over its own colours, in a box that has its size before."""
        self.shelf.shapes.update(art1=(16, 9), art2=(1, 2))
        self.open("#/library?at=lib:shelf/albums")
        self.page.wait("both", lambda: self.page.run("return document.querySelectorAll('.grid .haze').length") == 2)
        boxes = self.page.run("""return [...document.querySelectorAll('.grid .art')].map(a => { const i = a.querySelector('img:not(.haze)');
          return [a.clientWidth, a.clientHeight, i.naturalWidth / i.naturalHeight, getComputedStyle(i).objectFit] })""")
        for wide, high, _, fit in boxes:
            self.assertTrue(abs(wide - high) <= 1 and fit == "contain", boxes)
        self.assertEqual(sorted(round(shape, 1) for _, _, shape, _ in boxes), [0.5, 1.8])

    def test_presets(self):
        """What is kept on one of six tiles plays with one tap, on every visit."""
        page = self.page
        self.visit("#/library?at=lib:album/1")
        self.press("Menu for Stairs")
        self.line("Keep as a preset")
        self.line("2: free")
        self.show("presets")
        page.wait("its tile", lambda: self.texts(".preset b") == ["Free", "Stairs", *["Free"] * 4])
        page.picture("aura-360x640-presets")
        page.driver.refresh()
        self.page.click(".preset[aria-label='Play Stairs']")
        self.reaches("it plays", lambda status: (status["title"], status["state"]) == ("Stairs", "playing"))
        self.command("pause")

    def line(self, text):
        """A line of the open sheet."""
        self.page.click("#sheet button", text)


if __name__ == "__main__":
    main("chromium", "chromedriver")
