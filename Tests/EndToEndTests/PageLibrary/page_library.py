# deploy/test: tier 2, judges Sources/Web.
"""The library and the lists on the page: found while typing, played and added, loved and rated, ordered by hand, with pictures
that move nothing; on every shape and in every theme, with titles that mean harm and pictures that never come.

The library here is a stand-in that does what a test wants; what is queued and heard is the real hub's.
"""

import glob
import json
import sys
import threading

from Support.hubs import ROOT, main, wait
from Support.standin import Refusal, Shelf, StandIn, share

try:
    from selenium.webdriver.common.keys import Keys

    from Support.pagecase import PageCase
except ImportError:
    print("page_library.py: skipped, for there is no selenium here")
    sys.exit(77)

MARKUP = "<img src=x onerror=\"document.title='taken'\"><b>bold</b>&amp;"
KID_A = ["Everything in Its Right Place", "Kid A", "The National Anthem", "How to Disappear Completely"]
SHAPES = [(320, 240), (360, 640), (640, 360), (768, 1024), (1024, 768), (1920, 1080)]
THEMES = ["night", "aura", "pixel", "cat", "plain"]
BOXES = """return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility({ visibilityProperty: true }))
  .map(e => { const b = e.getBoundingClientRect(); return [e.getAttribute('aria-label') ?? e.id ?? '', b.x, b.y, b.width, b.height] })"""
SCROLL = "const s = document.querySelector('.shelves .scroller'); if (s) s.scrollTop += s.clientHeight / 2"
HANDS = "#transport button, #extras button, #volume button, #turn, #tabs button"


class Shelves(PageCase):
    # Set when the page may be opened: what it is to remember comes first.
    begins = False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        share(cls)

    def setUp(self):
        # Before the page is opened: what it says first is what it was told first.
        self.shelf = Shelf()
        self.shelf.album("Morning Pieces", "The House Band", 1999, [row["title"] for row in self.album], [row["uri"] for row in self.album])
        self.shelf.album("Kid A", "Radiohead", 2000, KID_A)
        self.stand.shelf, self.stand.art = self.shelf, {}
        self.addCleanup(self.page.leave)
        super().setUp()
        self.begins = True
        self.page.open(f"{self.stand.page}/still")
        self.page.run("localStorage.clear(); sessionStorage.clear()")
        self.page.keep(panel="playing", theme="aura")
        self.visit()

    def visit(self, query="", page=None):
        if self.begins:
            super().visit(query, page or self.stand.page)

    def open(self, tab="library", *path):
        self.show(tab)
        self.page.wait("its rows", self.rows_there)
        for title in path:
            self.press(f"Open {title}")
            self.page.wait(title, lambda title=title: self.place() == title and self.rows_there())

    def place(self):
        return self.page.run("return document.querySelector('#panel .name')?.textContent")

    def rows_there(self):
        return self.page.titles()

    def button(self, label):
        return self.page.find(f"#panel [aria-label^=\"{label}\"]")

    def press(self, label):
        def there():
            # Rows are drawn only where they are seen, so one scrolls to it.
            found = self.page.driver.find_elements("css selector", f"#panel [aria-label^=\"{label}\"]")
            return found or self.page.run(SCROLL)
        self.page.wait(label, there)
        self.page.click(f"#panel [aria-label^=\"{label}\"]")

    def sheet(self, text):
        """A line of the open sheet."""
        self.page.click("#sheet button", text)

    def begin_search(self):
        self.show("search")
        self.page.wait("the field", lambda: self.page.find("#panel #find").is_displayed())

    def type(self, text):
        self.page.find("#find").send_keys(text)

    def queued(self):
        return [row["title"] for row in self.rows()]


class Libraries(Shelves):
    def test_without(self):
        """Without a library there is no tab, and Home says so in words; where the hub only cannot, its own sentence is shown."""
        bare = Shelf()
        bare.is_there = False
        stand = StandIn(self.hub.port, bare)
        self.addCleanup(stand.close)
        self.visit(page=stand.page)
        self.assertFalse(self.page.find("#tab-library").is_displayed())
        self.page.wait("the words", lambda: "This hub has no library yet." in self.page.find("#panel").text)
        self.shelf.do_lib_browse = lambda p: (_ for _ in ()).throw(Refusal("unavailable", "The library cannot be read."))
        self.visit()
        self.show("library")
        self.page.wait("its sentence", lambda: "The library cannot be read." in self.page.find("#panel").text)

    def test_core_alone(self):
        """On a hub without any profile places open, or Home in their stead, and nothing is asked for that a profile brings."""
        core = set()
        for path in glob.glob(f"{ROOT}/Protocol/commands/*.json"):
            with open(path, encoding="utf-8") as file:
                command = json.load(file)
            if command["level"] == "core":
                core.add(command["name"])
        bare = Shelf()
        bare.is_there = False
        stand = StandIn(self.hub.port, bare)
        stand.is_bare = True
        self.addCleanup(stand.close)
        self.visit(page=stand.page)
        for place, shown in [*((place, place) for place in ("rooms", "presets", "settings", "setup", "kept")),
                             *((place, "home") for place in ("search", "library", "people", "lists", "radio", "imagine", "heard"))]:
            self.show(place)
            self.page.wait(place, lambda shown=shown: self.page.run("return document.documentElement.dataset.panel") == shown)
        for page in ("account", "device", "library", "look", "about"):
            self.show(f"settings?page={page}")
        self.show("queue")
        self.page.wait("the queue", lambda: self.page.titles() == [row["title"] for row in self.album])
        self.assertEqual([one["m"] for one in stand.heard if one["m"] not in core], [])

    def test_search(self):
        """Each keystroke asks at once, at most one question is on the way, and the newest answer is the one that is shown."""
        self.begin_search()
        self.type("k")
        self.page.wait("all with a k", lambda: "Kid A" in self.page.titles())
        self.shelf.asked.clear()
        self.shelf.may_answer.clear()
        self.addCleanup(self.shelf.may_answer.set)
        self.type("id a")
        self.page.wait("the first question", lambda: self.shelf.asked)
        self.shelf.may_answer.set()
        self.page.wait("the newest answer", lambda: self.page.titles() == ["Kid A", "Kid A"] and len(self.shelf.asked) > 1)
        self.assertEqual([p["q"] for _, p in self.shelf.asked], ["ki", "kid a"], "One question at a time, and then the newest.")
        self.page.run("window.first = document.querySelector('#panel .rows [data-do=more]'); first.focus()")
        # Each is asked when the one before was answered, and all find the same rows.
        for number, q in enumerate(("kid", "kid a", "kid"), 1):
            self.page.run("const f = document.getElementById('find'); f.value = arguments[0]; f.dispatchEvent(new InputEvent('input'))", q)
            self.page.wait("the question", lambda number=number: len(self.shelf.asked) == 2 + number)
        self.assertEqual(self.page.run("return [first.isConnected, first === document.activeElement]"), [True, True], "A row that an answer names again stays.")
        self.page.run("document.getElementById('find').focus()")
        self.type("zzz")
        self.page.wait("words", lambda: "No results for “kidzzz”" in self.page.find("#panel").text)
        self.type(Keys.ESCAPE)
        self.page.wait("where it begins", lambda: not self.page.titles() and self.page.run("return location.hash") == "#/search")

    def test_recent(self):
        """Words that found something and stayed for a moment are offered where the search begins, until a person forgets them."""
        self.begin_search()
        self.type("kid")
        self.page.wait("all of it", lambda: "Kid A" in self.page.titles())
        self.page.wait("it is kept", lambda: self.page.run("return localStorage.getItem('baton.searches')") == '["kid"]')
        self.type(Keys.ESCAPE)
        self.page.click("[data-recent=kid]")
        self.page.wait("it is asked again", lambda: "Kid A" in self.page.titles() and self.page.attribute("find", "value") == "kid")
        self.page.wait("a step of the history", lambda: "q=kid" in self.page.run("return location.hash"))
        self.page.driver.back()
        self.page.click("#panel [data-do=forget]")
        self.page.wait("nothing is offered", lambda: not self.page.driver.find_elements("css selector", "[data-recent]"))

    def test_many(self):
        """80 rows at first, more by the cursor as one scrolls, and of a thousand only those in sight exist."""
        self.shelf.album("All of it", "Various", 2001, [f"Piece {n}" for n in range(1000)])
        self.begin_search()
        self.type("piece")
        self.page.wait("the first", lambda: "Piece 0" in self.page.titles())
        self.assertEqual([p.get("limit") for _, p in self.shelf.asked if "q" in p][-1], 80)

        def is_at_the_end():
            self.page.run("const s = document.querySelector('.shelves .scroller'); s.scrollTop = s.scrollHeight")
            return "Piece 999" in self.page.titles()
        self.page.wait("the last", is_at_the_end)
        self.assertLess(self.page.run("return document.querySelectorAll('.rows li').length"), 40)
        self.assertTrue(all(int(p.get("cursor") or 0) % 80 == 0 for _, p in self.shelf.asked))

    def test_walk(self):
        """Shelves, an album, and back to where one was, by hand and by key."""
        self.open("library", "Albums", "Kid A")
        self.assertEqual(self.page.titles(), KID_A)
        self.assertIn("1", self.page.find(".rows .place").text)
        self.press("Back")
        self.page.wait("the albums", lambda: self.page.titles() == ["Morning Pieces", "Kid A"])
        self.button("Open Kid A").send_keys(Keys.ENTER)
        self.page.wait("the album again", lambda: self.page.titles() == KID_A)
        # The row that had the focus is gone, and the keyboard still leads back.
        self.page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.page.wait("the albums again", lambda: self.page.titles() == ["Morning Pieces", "Kid A"])
        self.button("Open Kid A").send_keys(Keys.ESCAPE)
        self.page.wait("the shelves", lambda: "Albums" in self.page.titles())
        self.button("Open Albums").send_keys(Keys.ARROW_DOWN)
        self.assertTrue(self.page.run("return document.activeElement.getAttribute('aria-label')").startswith("Open Artists"))

    def test_play(self):
        """Play only this keeps the queue; play next, add, play all; the sentence says what happened."""
        self.open("library", "Albums", "Morning Pieces")
        before = self.queued()
        self.press("Menu for Lamps On")
        self.sheet("Play only this")
        self.reaches("it plays", lambda status: status["title"] == "Lamps On" and status["state"] == "playing")
        self.assertEqual(sorted(self.queued()), sorted([*before, "Lamps On"]), "An entry of the queue was lost.")
        self.page.wait("the sentence", lambda: "“Lamps On” plays now" in self.page.sentence())
        self.command("pause")
        self.press("Menu for Stairs")
        self.sheet("Add to the end")
        self.reaches("it is the last", lambda _: self.queued()[-1] == "Stairs" and len(self.queued()) == len(before) + 2)
        self.press("Menu for Stairs")
        self.sheet("Play next")
        self.reaches("it is next", lambda status: (status["sections"]["queue"].get("nextText") or "").endswith("Stairs"))

    def test_dead_link(self):
        """A link that leads nowhere replaces nothing: the queue stays, and the page says what failed."""
        dead = [f"http://127.0.0.1:9/{name}.mp3" for name in ("gone", "lost")]
        self.shelf.album("Old Links", "The House Band", 2001, ["Gone", "Lost"], dead)
        self.open("library", "Albums", "Old Links")
        before = self.queued()
        self.assertGreater(len(before), 1)
        self.press("Menu for Lost")
        self.sheet("Play only this")
        self.page.wait("what failed", lambda: "“lost.mp3” cannot be played" in self.page.sentence())
        self.assertEqual([title for title in self.queued() if title != "lost"], before)

    def test_away(self):
        """What cannot be reached is grey, says why, and plays nothing."""
        self.shelf.rows[self.shelf.inside["lib:album/2"][2]]["away"] = 1
        self.open("library", "Albums", "Kid A")
        row = self.button("Play The National Anthem")
        self.assertIn("Away: its file or its source cannot be reached", row.get_attribute("aria-label"))
        self.page.click("#panel [aria-label^='Play The National Anthem']")
        self.page.wait("the words", lambda: "is away" in self.page.sentence())
        self.assertNotEqual(self.status()["state"], "playing")

    def test_marks(self):
        """A heart and stars are shown at once, and taken back with a sentence when they are refused."""
        self.open("library", "Albums", "Kid A")
        track = self.shelf.inside["lib:album/2"][1]
        self.page.click("#panel [aria-label^='Favourite: Kid A']")
        self.assertEqual(self.button("Favourite: Kid A").get_attribute("aria-pressed"), "true")
        wait("the hub knows", lambda: self.shelf.rows[track].get("fav"))
        self.press("Menu for Kid A")
        self.page.wait("the sheet", lambda: self.page.run("return document.getElementById('sheet').open"))
        self.page.click("#sheet [aria-label='4 stars']")
        wait("four stars", lambda: self.shelf.rows[track].get("stars") == 4)
        self.sheet("Done")
        self.page.wait("its stars", lambda: "★★★★" in self.button("Play Kid A").get_attribute("aria-label"))

        def refuse(_):
            raise Refusal("forbidden", "Marks are for others.")
        self.shelf.do_fav_set = refuse
        self.page.click("#panel [aria-label^='Favourite: Kid A']")
        self.page.wait("it is taken back", lambda: self.button("Favourite: Kid A").get_attribute("aria-pressed") == "true")
        self.page.wait("a reason", lambda: self.page.sentence() != "")

    def test_marks_of_places(self):
        """A heart among the first tracks of an artist shows what the hub has, and so does that of an album that is come back to."""
        artist, item = self.shelf.artist("Radiohead", ["lib:album/2"]), self.shelf.do_lib_item
        self.shelf.rows["lib:folder/top"] = {"uri": "lib:folder/top", "kind": "folder", "title": "Top tracks"}
        self.shelf.inside["lib:folder/top"] = self.shelf.inside["lib:album/2"][:2]
        self.shelf.do_lib_item = lambda p: {**item(p), **({"top": "lib:folder/top"} if p["uri"] == artist else {})}
        self.open("library", "Albums", "Kid A")
        self.page.click("#panel [data-does=fav]")
        wait("the hub has the album", lambda: self.shelf.rows["lib:album/2"].get("fav"))
        self.page.click(".placehead a")
        heart = ".still [aria-label^='Favourite: Everything']"
        self.page.wait("the first tracks", lambda: self.page.driver.find_elements("css selector", heart))
        self.page.click(heart)
        self.page.wait("it is lit", lambda: self.page.find(heart).get_attribute("aria-pressed") == "true")
        wait("the hub has the track", lambda: self.shelf.rows[self.shelf.inside["lib:album/2"][0]].get("fav"))
        # High enough for all rows below the cover.
        self.page.size(360, 1000)
        self.press("Back")
        self.page.wait("the album", lambda: self.page.titles() == KID_A)
        self.assertEqual(self.page.find("#panel [data-does=fav]").get_attribute("aria-pressed"), "true")

    def test_servers_alone(self):
        """A hub whose music is all at servers begins with theirs, and does not say that it has none."""
        albums, sections = self.shelf.inside["lib:shelf/albums"], self.shelf.sections
        for shelf in ("albums", "tracks", "artists"):
            self.shelf.inside[f"lib:shelf/{shelf}"] = []
        self.shelf.rows["attic:shelf/albums"] = {"uri": "attic:shelf/albums", "kind": "shelf", "title": "Albums"}
        self.shelf.inside["attic:shelf/albums"] = albums
        source = {"name": "attic", "kind": "subsonic", "title": "The attic", "state": "ok"}
        self.shelf.sections = lambda: {**sections(), "src": {"list": [source]}}
        self.shelf.rev += 1
        self.stand.tell()
        self.show("home")
        self.page.wait("its albums", lambda: "Kid A" in self.page.find("#panel .home").text)
        self.assertNotIn("no music", self.page.find("#panel").text)

    def test_scan(self):
        """How far a scan is stands in a bar with words; an empty library leads to where an admin adds a folder: found by the hub, looked for, or
        typed."""
        for shelf in ("albums", "tracks", "artists"):
            self.shelf.inside[f"lib:shelf/{shelf}"] = []
        self.stand.tell()
        self.show("home")
        self.page.wait("where to begin", lambda: "Set up this hub" in self.page.find("#panel").text)
        self.shelf.scan = {"done": 1200, "total": 10000, "failed": 2}
        self.stand.tell()
        self.page.wait("the words", lambda: "Reading your music: 1,200 of 10,000 files, 2 could not be read" in self.page.find("#panel").text)
        self.assertAlmostEqual(self.page.run("return document.querySelector('.scan i').getBoundingClientRect().width / document.querySelector('.scan').clientWidth"), 0.12, 1)
        self.page.picture("aura-360x640-library-scan")
        self.shelf.scan = None
        self.stand.tell()
        self.page.wait("the bar is gone", lambda: self.page.find(".scan").get_attribute("hidden") is not None)
        ticket = self.home.baton("web").split("#ticket=")[1].strip()
        self.addCleanup(self.page.run, "sessionStorage.clear()")
        self.page.open("about:blank")
        self.page.open(f"{self.stand.page}/#ticket={ticket}")
        self.page.wait("it is live", self.page.is_live)
        self.show("home")
        self.shelf.found = [{"path": "/srv/music/in", "n": 3}, {"path": "/media/disk/Music", "n": 1200}]
        self.page.click("#panel [data-do=setup]")
        self.page.click(".found [data-do=addfound]", "Add")
        wait("two presses add a folder", lambda: [folder["path"] for folder in self.shelf.folders] == ["/srv/music", "/media/disk/Music"])
        self.page.wait("it is found no more", lambda: not self.page.find(".found").is_displayed())
        self.choose_folder()
        field = self.page.wait("the folders", lambda: self.page.driver.find_elements("css selector", "#panel [data-at=folder]"))[0]
        field.send_keys("/srv/more", Keys.ENTER)
        wait("the hub has it", lambda: "/srv/more" in [folder["path"] for folder in self.shelf.folders])
        self.page.wait("so has the page", lambda: "/srv/more" in self.page.find("#panel").text)
        self.page.picture("aura-360x640-library-folders")
        self.show("settings?page=library")
        self.page.wait("the settings", lambda: self.page.driver.find_elements("css selector", ".settings"))
        self.page.wait("in the settings too", lambda: "/srv/more" in self.page.find(".settings").text and "bad.flac is no music" in self.page.find(".settings").text)
        self.page.run("[...document.querySelectorAll('.settings button')].find(b => b.textContent === 'Look for changes now').click()")
        wait("a scan", lambda: self.shelf.scan)
        self.show("settings?page=about")
        self.page.wait("its counts", lambda: "Library" in self.page.find(".facts").text)

    def choose_folder(self):
        """Looks into folders by keys and by presses, on a disk that is silent at first, and adds one."""
        at = lambda name: self.page.driver.switch_to.active_element.get_attribute(f"data-{name}")
        enter = lambda: self.page.driver.switch_to.active_element.send_keys(Keys.ENTER)
        sheet = lambda: self.page.find("#sheet").text
        self.shelf.tree["/media"] = Refusal("unavailable", "The hub's disk takes too long to answer.")
        self.page.click("#panel [data-do=choose]")
        self.page.wait("the keys begin at the first folder", lambda: at("id") == "/srv")
        enter()
        self.page.wait("the keys go on from the way back", lambda: at("do") == "back")
        self.page.wait("what is inside", lambda: "1,200 files" in sheet())
        self.page.picture("aura-360x640-library-chooser")
        enter()
        self.page.wait("the keys go on from the folder that was left", lambda: at("id") == "/srv")
        self.page.click("#sheet [data-id='/media']")
        self.page.wait("the disk is silent", lambda: "takes too long" in sheet())
        self.shelf.tree["/media"] = []
        self.page.click("#sheet [data-do=again]")
        self.page.wait("it answers", lambda: "No folders in here" in sheet())
        self.page.click("#sheet [data-do=back]")
        self.page.click("#sheet [data-id='/srv']")
        self.page.click("#sheet [data-id='/srv/music']")
        self.page.wait("one of the library", lambda: "in the library already" in sheet())
        self.assertFalse(self.page.find("#sheet [data-do=addthis]").is_displayed())
        self.page.click("#sheet [data-do=back]")
        self.page.click("#sheet [data-id='/srv/albums']")
        self.page.click("#sheet [data-do=addthis]")
        wait("the hub has it", lambda: "/srv/albums" in [folder["path"] for folder in self.shelf.folders])
        self.page.wait("the sheet is closed", lambda: not self.page.run("return document.getElementById('sheet').open"))

    def test_bad_titles(self):
        """Markup, 4,000 characters and letters from right to left are text, and stay in their boxes."""
        titles = [MARKUP, "Long " * 800, "שלום עולם, an evening"]
        self.shelf.album(MARKUP, MARKUP, 1900, titles)
        self.shelf.missing_art.add("art3")
        self.begin_search()
        self.type("evening")
        self.page.wait("one", lambda: self.page.titles() == [titles[2]])
        self.assertEqual(self.page.run("return getComputedStyle(document.querySelector('.rows b')).direction"), "rtl")
        self.open()
        self.press("Open Albums")
        self.page.wait("the album", lambda: MARKUP in self.page.titles())
        # Its picture may be letters, which come before the title.
        self.page.run("[...document.querySelectorAll('#panel .rows .row')].find(row => row.querySelector('b').textContent === arguments[0]).click()", MARKUP)
        self.page.wait("its rows", lambda: len(self.page.titles()) == 3)
        for width, height in SHAPES:
            self.page.size(width, height)
            self.page.wait("it is live in this shape", self.page.is_live)
            out = self.page.run("const r = document.documentElement, p = document.querySelector('.shelves .scroller'); return Math.max(r.scrollWidth - innerWidth, r.scrollHeight - innerHeight, p.scrollWidth - p.clientWidth)")
            self.assertLessEqual(out, 0, f"{width}x{height}")
            self.assertEqual(self.page.run("return document.querySelectorAll('.rows b > *, .name img').length"), 0)
        self.page.size(360, 640)
        self.page.click("[data-do=more]")
        self.page.picture("library-bad-title")
        self.assertLessEqual(self.page.run("const s = document.getElementById('sheet'); return s.scrollWidth - s.clientWidth"), 0)
        self.sheet("Done")
        self.assertNotEqual(self.page.driver.title, "taken")
        self.assertTrue(self.stand.art.get("art3"), "It was asked for, and did not come.")
        self.page.complaints()

    def test_outage(self):
        """While the hub is away the rows stay; what was pressed is said not to have been done."""
        self.open("library", "Albums")
        self.shelf.do_lib_browse = lambda p: (_ for _ in ()).throw(Refusal("internal", "The library could not be read."))
        self.press("Open Kid A")
        self.page.wait("the hub's words", lambda: "The library could not be read." in self.page.find("#panel").text)
        del self.shelf.do_lib_browse
        self.page.click(".says button")
        self.page.wait("and again", lambda: self.page.titles() == KID_A)


class Pictures(Shelves):
    def test_rows(self):
        """Small pictures are asked for at the pixels of the screen, and nothing moves when they come or stay away."""
        self.shelf.missing_art.add("art2")
        self.page.size(360, 640, 2)
        self.page.keep(look="list")
        self.visit("#/library")
        self.page.wait("its rows", self.rows_there)
        self.page.run("globalThis.shifts = 0; new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifts += entry.value }).observe({ type: 'layout-shift' })")
        self.open("library", "Albums")
        # The rows are there; what moves from now on was moved by a picture.
        self.page.run("shifts = 0")
        self.page.wait("the first picture", lambda: self.page.run("return document.querySelector('.rows img')?.naturalWidth === 88"))
        before = self.page.run(BOXES, ".rows li, .rows .art, .rows button")
        self.page.wait("the other never came", lambda: self.page.run("return document.querySelectorAll('.rows img:not([hidden])').length === 1"))
        self.assertEqual(self.page.run(BOXES, ".rows li, .rows .art, .rows button"), before)
        self.page.complaints()
        self.assertIn((88, 88), self.stand.art["art1"])
        self.assertEqual(set(self.stand.art["art2"]), {(88, 88)}, "Those of rows alone.")
        self.assertLess(self.page.run("return shifts"), 0.01)

    def test_deck(self):
        """What plays shows its picture where the orb was; no control moves for it, nor when it is missing."""
        page, hands = self.page, {}
        for width, height in SHAPES:
            page.size(width, height)
            for picture in (False, True):
                self.shelf.rows[self.album[0]["uri"]].pop("art", None)
                if picture:
                    self.shelf.rows[self.album[0]["uri"]]["art"] = "art1"
                self.command("play", entry=self.rows()[1]["entry"])
                self.command("play", entry=self.rows()[0]["entry"])
                self.command("pause")
                page.wait("its picture", lambda: page.run("return document.documentElement.classList.contains('covered')") == picture)
                hands[picture] = [box for _, *box in page.run(BOXES, HANDS)]
            self.assertEqual(hands[False], hands[True], f"{width}x{height}")
            if page.run("return document.getElementById('cover').checkVisibility()"):
                page.wait("it is painted", lambda: page.run("return document.querySelector('#art img')?.naturalWidth === Math.round(document.getElementById('art').clientWidth)"))
                page.picture(f"aura-{width}x{height}-cover")
                hero, cover = page.run("return ['hero', 'cover'].map(id => { const b = document.getElementById(id).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] })")
                self.assertTrue(cover[0] >= hero[0] and cover[1] >= hero[1] - 1 and cover[2] <= hero[2] and cover[3] <= hero[3] + 1, f"{cover} leaves {hero}")
        self.assertIn("hsl(", page.run("return document.documentElement.style.getPropertyValue('--wash')"))
        # The wash is as light as the page's own, whatever the picture: text on it reads as before.
        self.assertIn("90%", page.run("return document.documentElement.style.getPropertyValue('--wash')"))
        page.size(144, 168)
        page.wait("the watch", page.is_live)
        self.assertTrue(page.run("return document.getElementById('cover').checkVisibility()"))
        self.assertEqual(page.run("return getComputedStyle(document.getElementById('hero')).zIndex"), "-1", "It lies behind the title.")

    def test_card(self):
        """The card has a box for the picture, and the picture in it."""
        self.command("play", entry=self.rows()[0]["entry"])
        self.page.size(400, 140)
        self.page.open(self.stand.page + "/now")
        self.page.wait("the picture", lambda: self.page.run("return !!document.querySelector('#art img')?.naturalWidth"))
        self.page.picture("aura-400x140-card-cover")
        self.assertEqual(self.page.run("return document.querySelectorAll('button, input').length"), 0)


class ListCases(Shelves):
    def setUp(self):
        super().setUp()
        self.shelf.do_pl_create({"name": "Sunday", "uris": ["lib:album/2"]})
        self.stand.tell()

    def order(self):
        return [self.shelf.rows[uri]["title"] for _, uri in self.shelf.lists["l1"]["rows"]]

    def test_edit(self):
        """A list is ordered by its grips and by keys, rows go, and undo brings them back."""
        # High enough that no row is near an edge, where the list would scroll.
        self.page.size(360, 1200)
        self.open("lists", "Sunday")
        self.page.wait("its rows", lambda: self.page.titles() == KID_A)
        high = self.page.find(".rows li").rect["height"]
        self.page.drag(self.button("Move Everything"), 0, high * 1.6)
        self.assertEqual(self.page.titles()[:3], [KID_A[1], KID_A[2], KID_A[0]], "It is shown at once.")
        wait("the hub has it", lambda: self.order()[:3] == [KID_A[1], KID_A[2], KID_A[0]])
        self.button("Move Everything").send_keys(Keys.ARROW_UP)
        wait("by key", lambda: self.order()[:3] == [KID_A[1], KID_A[0], KID_A[2]])
        self.press("Menu for Kid A")
        self.sheet("Remove from this playlist")
        wait("it is out", lambda: self.order() == [KID_A[0], KID_A[2], KID_A[3]])
        self.page.wait("the page too", lambda: self.page.titles() == [KID_A[0], KID_A[2], KID_A[3]])
        undo = self.page.find("#panel [data-do=undo]")
        self.page.wait("undo", undo.is_displayed)
        self.assertEqual(undo.text, "Undo removing")
        self.page.click("#panel [data-do=undo]")
        self.page.wait("it is back", lambda: KID_A[1] in self.page.titles())

    def test_added(self):
        """A list of the hub's own has all of its rows, down to its end."""
        self.shelf.inside["lib:shelf/added"] = self.shelf.inside[self.shelf.album("All of it", "Various", 2001, [f"Piece {n}" for n in range(300)])]
        self.open("lists", "Recently added")

        def is_at_the_end():
            self.page.run("const s = document.querySelector('.shelves .scroller'); s.scrollTop = s.scrollHeight")
            return "Piece 299" in self.page.titles()
        self.page.wait("the last", is_at_the_end)

    def test_others(self):
        """What others do to an open list appears without a touch."""
        self.open("lists", "Sunday")
        self.shelf.do_pl_edit({"id": "l1", "ops": [{"add": ["lib:album/1"]}]})
        self.stand.tell()
        self.page.wait("the new rows", lambda: "7 tracks" in self.page.find("#panel").text)

    def test_new(self):
        """A list is made of the queue, renamed, filled from the library, and deleted with two taps."""
        self.open("lists")
        self.assertEqual(self.page.run("return document.querySelectorAll('.lifted').length"), 0, "What is not carried looks as if it were.")
        self.page.press("newlist")
        self.page.find("#listname").send_keys("Of tonight")
        self.page.click("#sheet [data-do=queue]")
        wait("the hub has it", lambda: len(self.shelf.lists) == 2 and len(self.shelf.lists["l2"]["rows"]) == len(self.album))
        self.press("Open Of tonight")
        self.page.wait("its rows", lambda: self.page.titles() == [row["title"] for row in self.album])
        self.press("Menu for Of tonight")
        self.sheet("Rename")
        name = self.page.find("#sheet input")
        name.clear()
        name.send_keys("Of last night", Keys.ENTER)
        self.page.wait("its name", lambda: self.place() == "Of last night")
        self.open("library", "Albums", "Kid A")
        self.press("Menu for How to")
        self.sheet("Add to a playlist")
        self.sheet("Of last night")
        wait("it is in", lambda: len(self.shelf.lists["l2"]["rows"]) == len(self.album) + 1)
        self.show("lists")
        self.press("Open Of last night")
        self.page.wait("its menu", lambda: self.button("Menu for Of last night").is_displayed())
        self.press("Menu for Of last night")
        self.sheet("Delete")
        self.page.wait("it asks once more", lambda: "Tap again" in self.page.find("#sheet").text)
        self.sheet("Tap again")
        wait("it is gone", lambda: list(self.shelf.lists) == ["l1"])
        self.page.wait("from the page too", lambda: "Sunday" in self.page.titles() and "Of last night" not in self.page.titles())
        self.page.click("#undo button")
        wait("the hub brings it back", lambda: self.shelf.lists["l2"]["rows"])
        self.page.wait("the page shows it", lambda: "Of last night" in self.page.titles())

    def test_long(self):
        """Of a list of 3,000 only what is in sight is asked for."""
        self.shelf.album("Long", "Various", 2001, [f"Piece {n}" for n in range(3000)])
        self.shelf.do_pl_create({"name": "Endless", "uris": ["lib:album/3"]})
        self.stand.tell()
        self.open("lists", "Endless")
        self.page.run("const s = document.querySelector('.shelves .scroller'); s.scrollTop = s.scrollHeight")
        self.page.wait("the last", lambda: "Piece 2999" in self.page.titles())
        self.assertLess(len([1 for method, _ in self.shelf.asked if method == "pl.get"]), 8)


class Faces(Shelves):
    def test_shapes(self):
        """Every shape in every theme: all targets 44 wide and high, inside, over nothing else; pictures are kept to be looked at."""
        self.shelf.rows[self.shelf.inside["lib:album/2"][1]].update(fav=1, stars=4)
        self.shelf.do_pl_create({"name": "Sunday", "uris": ["lib:album/2"]})
        for width, height in SHAPES:
            self.page.size(width, height)
            self.page.keep(theme=THEMES[0], panel="library")
            self.visit()
            hands = {theme: self.page.run(BOXES, HANDS) for theme in self.themes()}
            for tab, path in (("library", ("Albums", "Kid A")), ("lists", ("Sunday",))):
                self.open(tab, *path)
                for theme in self.themes():
                    name = f"{theme}-{width}x{height}-{tab}"
                    self.page.picture(name)
                    self.assertEqual(self.page.run(BOXES, HANDS), hands[theme], f"{name}: a control moved")
                    for label, x, _, wide, high in self.page.run(BOXES, "#panel button, #panel input, #panel select"):
                        self.assertTrue(round(wide, 1) >= 44 and round(high, 1) >= 44, f"{name}: {label} is {wide}x{high}")
                        self.assertTrue(x >= 0 and x + wide <= width + 0.5, f"{name}: {label} leaves at {x} to {x + wide}")
                    out = self.page.run("const r = document.documentElement; return Math.max(r.scrollWidth - innerWidth, r.scrollHeight - innerHeight)")
                    self.assertLessEqual(out, 0, name)
            for theme, boxes in hands.items():
                for label, _, _, wide, high in boxes:
                    self.assertTrue(round(wide, 1) >= 44 and round(high, 1) >= 44, f"{theme}-{width}x{height}: {label} is {wide}x{high}")

    def themes(self):
        """Each theme while it is shown, one after the other, as a person goes through them; at the end the first one again."""
        for theme in THEMES:
            self.page.choose_theme(theme)
            yield theme
        self.page.choose_theme(THEMES[0])

    def test_many_rooms(self):
        """Of 500 rooms each has its card, none lies on another, and nothing leaves the panel."""
        rooms = [{"id": f"r{n}", "name": f"Room {n} " + "of the long corridor " * (n % 4), "st": "stopped", "vol": 30, "level": 30} for n in range(500)]
        told = self.status()["sections"]["rooms"]["list"]
        sections = self.shelf.sections
        self.shelf.sections = lambda: {**sections(), "rooms": {"list": [{**told[0], **room} for room in [{}, *rooms]]}}
        self.stand.tell()
        self.show("rooms")
        self.page.wait("all cards", lambda: self.page.run("return document.querySelectorAll('#panel .card').length") == 501)
        self.page.picture("aura-360x640-many-rooms")
        over, out = self.page.run("""const boxes = [...document.querySelectorAll('#panel .card')].map(card => card.getBoundingClientRect());
          const panel = document.querySelector('#panel > *');
          return [boxes.slice(1).filter((box, at) => box.top < boxes[at].bottom - .5).length, panel.scrollWidth - panel.clientWidth]""")
        self.assertEqual((over, max(out, 0)), (0, 0))

    def test_slow_theme(self):
        """A theme is shown when its style sheet is there, also one that was chosen again meanwhile."""
        may_come = threading.Event()
        self.addCleanup(may_come.set)
        self.stand.sources = lambda path: path.endswith("/pixel.css") and not may_come.wait(30)
        self.addCleanup(setattr, self.stand, "sources", None)
        self.page.forget(self.stand.page)
        self.visit()
        self.page.ask_for_theme("pixel")
        self.page.choose_theme("plain")
        self.page.ask_for_theme("pixel")
        self.assertEqual(self.page.theme(), "plain")
        may_come.set()
        self.page.wait("the theme with its style sheet", lambda: self.page.theme() == "pixel" and self.page.run(
            "return !!document.querySelector('[data-sheet=\"pixel.css\"]').sheet"))

    def test_labels(self):
        """A screen reader finds a name for every button and field in the panel."""
        self.open("library", "Albums", "Kid A")
        nameless = self.page.run("""return [...document.querySelectorAll('#panel button, #panel input, #panel select')]
          .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).map(e => e.outerHTML)""")
        self.assertEqual(nameless, [])
        self.assertEqual(self.page.run("return document.querySelector('.rows li').ariaSetSize"), "4")


if __name__ == "__main__":
    main("chromium", "chromedriver")
