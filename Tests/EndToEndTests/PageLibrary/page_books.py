# deploy/test: tier 2, judges Sources/Web.
"""Books on the page: rows say who reads them and where they stand in their series, and what plays goes chapter by chapter, says what is
left at its speed, and falls asleep after two taps."""

import os
import sys

from Support.fixtures import make
from Support.hubs import main, wait

try:
    from Page.page_axe import RUN, SCRIPT
    from Support.pagecase import PageCase
except ImportError:
    print("page_books.py: skipped, for there is no selenium here")
    sys.exit(77)

CHAPTER_S, CHAPTERS = 300, 3


class Books(PageCase):
    @classmethod
    def prepare(cls):
        os.mkdir(f"{cls.home.folder}/books")
        marks = f"{cls.home.folder}/marks"
        with open(marks, "w", encoding="utf-8") as file:
            file.write(";FFMETADATA1\nalbum=The Tombs\nartist=Ursula\ncomposer=Rob\n" + "".join(
                f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n * CHAPTER_S}\nEND={(n + 1) * CHAPTER_S}\ntitle=Mark {n + 1}\n" for n in range(CHAPTERS)))
        sound = make(f"{cls.home.folder}/sound.m4a", "-f", "lavfi", "-i", f"sine=f=300:r=8000:d={CHAPTER_S * CHAPTERS}", "-b:a", "8k")
        cls.home.run("ffmpeg", "-nostdin", "-loglevel", "error", "-i", sound, "-i", marks, "-map_metadata", "1", "-c", "copy", "-f", "mp4",
                     f"{cls.home.folder}/books/tombs.m4b")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("library", "add", "--books", f"{cls.home.folder}/books")

    def setUp(self):
        super().setUp()
        self.book = wait("the book", lambda: self.command("lib.browse", node="lib:shelf/books")["d"]["rows"])[0]

    def begin(self):
        self.command("play", key=os.urandom(4).hex(), uri=self.book["uri"])
        self.page.wait("the book", lambda: self.page.text("title") == "The Tombs")
        self.page.wait("its chapters", lambda: self.page.find("#bookleft:not([hidden])"))

    def section(self, name):
        return self.hub.section(name)

    def accessible(self):
        """No rule of axe-core is broken by what is shown."""
        with open(SCRIPT[0], encoding="utf-8") as file:
            self.page.run(file.read())
        self.page.wait("nothing is on its way", self.page.is_still)
        self.assertEqual(self.page.run_async(RUN), [])

    def test_elsewhere(self):
        """When the book is begun in another room, the page asks whether it is to pause here; it asks no more when that was answered."""
        self.begin()
        self.home.baton("rooms", "create", "Attic")
        self.addCleanup(self.home.baton, "rooms", "delete", "--yes", "Attic")

        def begin_there():
            self.home.baton("--room", "Attic", "play", self.book["uri"])
            self.page.wait("the question", lambda: "Attic plays this too" in self.page.text("sheet"))

        def is_closed():
            return not self.page.run("return document.getElementById('sheet').open")

        def answer(text):
            self.page.run("[...document.querySelectorAll('#sheet button')].find(button => button.textContent.includes(arguments[0])).click()", text)

        begin_there()
        answer("Go on here")
        wait("it goes on", lambda: "elsewhere" not in self.section("now"))
        self.assertEqual(self.section("tl")["st"], "playing")
        self.page.wait("it is closed", is_closed)
        begin_there()
        answer("Pause here")
        wait("it is paused", lambda: self.section("tl")["st"] == "paused" and "elsewhere" not in self.section("now"))
        self.page.wait("it is closed", is_closed)

    def test_chapters(self):
        """The line says the chapter and what is left, at double speed half as much; the buttons go to the next and back."""
        self.begin()
        self.assertEqual(self.page.text("bookleft"), "Chapter 1 of 3: Mark 1 · 5 min left in the chapter, 15 min in all")
        self.command("mode.set", speed=2000)
        self.page.wait("half as long", lambda: self.page.text("bookleft").endswith("3 min left in the chapter, 8 min in all"))
        self.command("mode.set", speed=1000)
        self.page.press("chapterfwd")
        self.page.wait("the second chapter", lambda: self.page.text("bookleft").startswith("Chapter 2 of 3: Mark 2 · "))
        self.page.press("chapterback")
        self.page.wait("the first chapter", lambda: self.page.text("bookleft").startswith("Chapter 1 of 3"))
        self.assertFalse(self.page.find("#next").is_displayed())
        self.page.size(1280, 800)
        line = "const b = document.getElementById('bookleft').getBoundingClientRect(); return b.width > 150 && b.bottom <= innerHeight + 1"
        self.page.wait("the line in the bar of a desktop", lambda: self.page.run(line))
        self.page.size(*self.size)

    def test_speech(self):
        """Quiet speech is raised and silences are left out by two switches, which show what is so."""
        self.begin()
        self.show("playing")
        for name in ("voice", "trim"):
            for is_on in (True, False):
                self.page.wait("the menu's button", lambda: self.page.find("#nowmenu").is_displayed())
                self.page.press("nowmenu")
                switch = self.page.wait("the switch", lambda name=name: self.page.find(f"#sheet #{name}"))
                self.assertEqual(switch.is_selected(), not is_on)
                self.page.run("arguments[0].click()", switch)
                wait("the room knows", lambda name=name, is_on=is_on: bool(self.section("modes").get(name)) == is_on)
                self.page.run("document.getElementById('sheet').close()")
                self.page.wait("it is closed", lambda: not self.page.run(
                    "return document.getElementById('sheet').open || history.state?.isSheet"))

    def test_asleep_in_two_taps(self):
        """One tap opens the timer, the second sets it; the button shows that it runs."""
        self.begin()
        self.page.press("sleep")
        self.page.click("#sheet .choices button")
        wait("the timer", lambda: self.section("sleep"))
        self.page.wait("its mark", lambda: self.page.attribute("sleep", "aria-pressed") == "true")
        self.command("sleep.clear")
        self.page.wait("no mark", lambda: self.page.attribute("sleep", "aria-pressed") == "false")

    def test_places(self):
        """The sheet of a book tells its place and what another device reported beside it, goes on there, finishes it and begins it anew."""
        uri = self.book["uri"]
        place = lambda: self.command("progress.list", uri=uri)["d"]["rows"][0]["place"]
        self.command("progress.reset", key=os.urandom(4).hex(), uri=uri)
        run = os.urandom(3).hex()
        now = place() if self.command("progress.list", uri=uri)["d"]["rows"] else {}
        self.command("progress.report", uri=uri, posMs=200_000, session=f"k{run}", **({"parent": now["session"]} if now else {}))
        self.command("progress.report", uri=uri, posMs=500_000, session=f"t{run}")
        self.visit("#/library?at=lib:shelf/books")

        def opened():
            self.page.click("#panel [data-do=more]")
            self.page.click("#sheet [data-do=progress]")
            return self.page.wait("the place", lambda: self.page.is_still() and self.page.find("#sheet [data-at=place]"))
        self.assertTrue(opened().text.startswith("3:20 of 15:00"))
        self.page.picture("night-360x640-places")
        self.accessible()
        self.page.click(f"#sheet [data-session=t{run}]")
        wait("the other place", lambda: place()["posMs"] == 500_000)
        self.page.wait("it is closed", lambda: not self.page.run("return document.getElementById('sheet').open"))
        self.assertTrue(opened().text.startswith("8:20 of 15:00"))
        self.page.click("#sheet [data-do=finish]")
        wait("finished", lambda: place().get("fin"))
        self.page.wait("it is closed", lambda: not self.page.run("return document.getElementById('sheet').open"))
        self.assertTrue(opened().text.startswith("Finished"))
        self.page.click("#sheet [data-do=reset]")
        wait("anew", lambda: not place().get("fin") and place()["posMs"] == 0)

    def test_taken_along(self):
        """A book that was taken along goes on at its place, and how far this device comes in it is the place."""
        page, uri, run = self.page, self.book["uri"], os.urandom(3).hex()
        found = lambda: self.command("progress.list", uri=uri)["d"]["rows"]
        reset = lambda: self.command("progress.reset", key=os.urandom(4).hex(), uri=uri)
        reset()
        self.addCleanup(reset)
        before = {"parent": rows[0]["place"]["session"]} if (rows := found()) else {}
        self.command("progress.report", uri=uri, posMs=400_000, session=f"c{run}", **before)
        self.visit("#/library?at=lib:shelf/books")
        page.click("#panel [data-do=more]")
        page.click("#sheet [data-do=carry]")
        page.wait("it is here", lambda: "is on this device" in page.sentence())
        self.show("settings?page=device")
        page.click("#carriedhere")
        page.click("#carried .main")
        page.wait("it goes on", lambda: page.label("aloneplay") == "Pause" and "6:4" in page.text("sheet"))
        page.click("#aloneplay")
        place = wait("it was told", lambda: (now := found()[0]["place"])["session"] != f"c{run}" and now)
        self.assertTrue(400_000 <= place["posMs"] < 500_000, place)
        page.run("document.getElementById('sheet').close()")
        self.show("playing")

    def fall_asleep(self):
        """A timer is set at 1:40, for the end of the chapter; a seek to 4:57 is the last press before it."""
        self.begin()
        self.command("seek", key=os.urandom(4).hex(), posMs=100_000)
        self.command("sleep.set", end="chapter")
        self.command("seek", key=os.urandom(4).hex(), posMs=297_000)
        wait("the end of the timer", lambda: (self.section("sleep") or {}).get("over"))

    def test_places_after_sleep(self):
        """Three places stand over the cover once the timer is over, also after a reload and when play is pressed; one tap goes there."""
        self.fall_asleep()
        self.visit("#/playing")
        offered = lambda: [button.get_attribute("data-at") for button in self.page.driver.find_elements("css selector", "#asleep button.small") if button.is_displayed()]
        self.page.wait("the places", lambda: offered() == ["end", "begin", "press"])
        self.assertTrue(self.page.is_on_top("#room"), "They lie on the head.")
        self.page.picture("night-360x640-asleep")
        self.accessible()
        self.command("play", key=os.urandom(4).hex())
        self.visit()
        self.page.wait("the places again", lambda: offered() == ["end", "begin", "press"])
        self.page.click("#asleep [data-at=begin]")
        self.page.wait("none any more", lambda: not offered())
        at = self.status()["positionMs"]
        self.assertTrue(100_000 <= at < 190_000, at)

    def test_no_place_after_sleep(self):
        """They are sent away, and stand in the menu too, where a low screen has no room for them."""
        self.fall_asleep()
        self.page.size(640, 360)
        self.page.press("nowmenu")
        self.page.wait("its line", lambda: "Where did you fall asleep?" in self.page.find("#sheet").text)
        self.page.click("#sheet button", "Where did you fall asleep?")
        self.page.wait("the places", lambda: self.page.driver.find_elements("css selector", "#sheet [data-at=press]"))
        self.page.size(*self.size)
        self.visit("#/playing")
        self.page.click("#asleep .tool")
        wait("no offer", lambda: not self.section("sleep"))
        self.page.wait("no places", lambda: not self.page.find("#asleep").is_displayed())

    def test_watch_after_sleep(self):
        """The menu of a watch begins with the places, and the face says where they are when the room plays."""
        self.fall_asleep()
        self.page.size(184, 224)
        self.visit("#/playing")
        self.command("play", key=os.urandom(4).hex())
        self.page.wait("the hint", lambda: "Tap the title" in self.page.text("sentence"))
        self.page.wait("the menu", lambda: self.page.press("open") or self.page.find(".watchmenu"))
        self.page.wait("the places", lambda: self.page.driver.find_elements("css selector", ".watchmenu [data-at=end]"))
        self.page.picture("night-184x224-asleep")
        boxes = [button.rect for button in self.page.driver.find_elements("css selector", ".watchmenu [data-at]")]
        self.assertEqual([box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 184 for box in boxes], [True] * 3, boxes)
        self.page.click(".watchmenu [data-at=press]")
        self.page.wait("it goes there", lambda: 297_000 <= self.status()["positionMs"] < 420_000)
        wait("no offer", lambda: not self.section("sleep"))

    def test_music_again(self):
        """Music that follows has its own buttons back."""
        self.begin()
        self.command("queue.replace", key=os.urandom(4).hex(), base=self.section("queue")["rev"], uris=[self.album[0]["uri"]])
        self.play()
        self.page.wait("the buttons of music", lambda: self.page.find("#next").is_displayed())
        self.assertFalse(self.page.find("#bookleft").is_displayed())

    def test_rows(self):
        """A narrator is a container that counts books, and a book says who reads it."""
        self.visit("#/library?at=lib:shelf/narrators")
        small = lambda: self.page.run("return document.querySelector('.rows')?.innerText ?? ''")
        self.page.wait("the narrator", lambda: "Rob" in small() and "1 book" in small())
        self.visit("#/library?at=lib:shelf/books")
        self.page.wait("the book", lambda: "The Tombs" in small() and "read by Rob" in small())


if __name__ == "__main__":
    if not SCRIPT:
        print("page_books.py: skipped, for deploy/packages test has not installed axe-core here")
        sys.exit(77)
    main("ffmpeg")
