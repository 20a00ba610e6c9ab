# deploy/test: tier 1, judges Sources/Web.
"""One journey through the page, of more than 40 steps, on a phone: music is found, played, queued, rated, put into a playlist and moved to
another room; a device is paired; the hub goes away and comes back; and Back leads home. By keyboard alone, by touch, and by mouse.

The keyboard's journey runs always, the others with BATON_SLOW=1.
"""

import json
import sys

from Support.fixtures import lavfi, metadata
from Support.hubs import main, wait
from Support.suite import slow

try:
    from Support.hands import Keyboard, Mouse, Touch
    from Support.pagecase import SpoiledCase
except ImportError:
    print("page_journey.py: skipped, for there is no selenium here")
    sys.exit(77)

TITLES = ["Clouds", "Showers", "Rainbow"]
# How loud the kitchen is before, in the lower half of its slider.
KITCHEN = 20


class Journey(SpoiledCase):
    size = (390, 844)
    begins = "#/home"

    @classmethod
    def prepare(cls):
        cls.shelf = f"{cls.home.folder}/shelf"
        for number, title in enumerate(TITLES, 1):
            tags = metadata(title=title, artist="The Weather", album="April", track=f"{number}/3")
            lavfi(f"{cls.shelf}/April/{number}.flac", f"sine=f={300 + 50 * number}:d=60", *tags)

    def setUp(self):
        self.home.baton("library", "add", self.shelf)
        wait("the library is read", lambda: self.track("Rainbow"))
        if len(self.rooms()) < 2:
            self.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "room.create", "k": "kitchen", "p": {"name": "Kitchen"}}))
        self.page.open(f"{self.network.page}/now")
        self.page.run("localStorage.clear(); sessionStorage.setItem('baton.ticket', arguments[0])", self.home.baton("web").split("#ticket=")[1].strip())
        super().setUp()

    # MARK: What the hub and the page say

    def track(self, title):
        found = self.command("lib.search", q=title, kinds=["track"]).get("d", {}).get("rows", [])
        return found[0] if found else None

    def rooms(self):
        return {room["name"]: room for room in self.status()["sections"]["rooms"]["list"]}

    def queued(self):
        return [row["title"] for row in self.rows()]

    def lists(self):
        return [row["name"] for row in self.command("pl.list")["d"]["rows"]]

    def sees(self, sentence, script):
        self.page.wait(sentence, lambda: self.page.run(f"return {script}"))

    def line(self, text):
        """A selector of a line of the open sheet, which has no name of its own."""
        return self.page.wait(text, lambda: self.page.run("""
          const line = [...document.querySelectorAll('#sheet button, #sheet a')].find(e => e.textContent.startsWith(arguments[0]));
          if (line) line.dataset.step = arguments[0];
          return line && `#sheet [data-step="${arguments[0]}"]`""", text))

    def go(self, hand):
        """Each line is a step, with what it leads to."""
        press, tab, reaches, sees = hand.press, hand.tab, self.reaches, self.sees
        panel = lambda name: sees(f"the panel {name}", f"document.documentElement.dataset.panel === '{name}'")
        room = lambda name: sees(f"the room {name}", f"document.getElementById('roomname').textContent === '{name}'")
        is_open = "document.getElementById('sheet').open"
        row = lambda place: f"#face .rows li[aria-posinset='{place}']"
        # Find and play.
        tab("library"), panel("library")
        press("[aria-label='Open Albums']"), sees("the albums", "location.hash.includes('shelf/albums')")
        press("#panel [aria-label^='Open April']"), sees("the album", "document.querySelector('.placehead h2')?.textContent === 'April'")
        press(".does button"), reaches("it plays", lambda status: status["title"] == "Clouds" and status["state"] == "playing")
        press("#play"), reaches("it pauses", lambda status: status["state"] == "paused")
        hand.search("rainb"), sees("the result", "[...document.querySelectorAll('#panel .rows b')].some(b => b.textContent === 'Rainbow')")
        # Queue, rate, and a playlist.
        press("#panel [aria-label^='Menu for Rainbow']"), sees("its menu", is_open)
        press(self.line("Add to the end")), reaches("it is queued", lambda _: self.queued() == [*TITLES, "Rainbow"])
        press("#panel [aria-label^='Menu for Rainbow']"), sees("its menu", is_open)
        press("#sheet .stars button:nth-child(4)"), wait("four stars", lambda: self.track("Rainbow").get("stars") == 4)
        press("#sheet [data-do=fav]"), wait("a favourite", lambda: self.track("Rainbow").get("fav"))
        press(self.line("Add to a playlist")), sees("the question for a playlist", "!!document.querySelector('#sheet input')")
        hand.write("#sheet input", self.list_name), press("#sheet form button"), wait("a playlist", lambda: self.list_name in self.lists())
        tab("library"), sees("the album as it was left", "document.querySelector('.placehead h2')?.textContent === 'April'")
        tab("library"), sees("where the library begins", "location.hash === '#/library'")
        press("#panel [aria-label='Open Playlists']"), panel("lists")
        press(f"#panel [aria-label^='Open {self.list_name}']"), sees("the playlist", "location.hash.includes('list=')")
        press(".does button"), reaches("the playlist plays", lambda _: self.queued() == ["Rainbow"])
        # What plays, and the queue behind it: undo.
        press("#open"), panel("playing")
        press("#queue"), panel("queue")
        press("#face .head .small"), reaches("the queue is back", lambda _: set(self.queued()) == set(TITLES))
        whole = self.queued()
        press(f"{row(2)} [data-do=remove]"), reaches("one less", lambda _: self.queued() == whole[:1] + whole[2:])
        press("#face .head .small"), reaches("it is back", lambda _: self.queued() == whole)
        hand.move_down(row(1)), reaches("it is moved", lambda _: self.queued() == [whole[1], whole[0], *whole[2:]])
        # Rooms.
        press("#fold"), panel("lists")
        tab("rooms"), panel("rooms")
        hand.step("[data-room=kitchen] .slider"), reaches("the kitchen is louder", lambda _: self.rooms()["Kitchen"]["level"] > KITCHEN)
        press("[data-room=kitchen] [data-do=more]"), sees("its menu", is_open)
        press(self.line("Play here what plays in Test hub")), reaches("the music moved", lambda _: self.rooms()["Kitchen"].get("title"))
        press("[data-room=kitchen] .main"), room("Kitchen"), panel("playing")
        press("#fold"), panel("rooms")
        press("[data-room=main] .main"), room("Test hub"), panel("playing")
        press("#room"), sees("where it may be heard", is_open)
        press(self.line("Go to Kitchen")), room("Kitchen")
        press("#room"), sees("where it may be heard", is_open)
        press(self.line("Move the music to Test hub")), room("Test hub"), reaches("the music is back", lambda _: len(self.queued()) == len(whole))
        # What plays.
        press("#more"), reaches("louder", lambda status: status["level"] == 33)
        press("#less"), reaches("quieter", lambda status: status["level"] == 30)
        before = self.page.text("title")
        press("#next"), sees("another title", f"document.getElementById('title').textContent !== {json.dumps(before)}")
        hand.step("#seek"), reaches("15 s on, or half of it", lambda status: status["positionMs"] >= 15_000)
        press("#shuffle"), reaches("shuffled", lambda status: status["shuffle"])
        press("#shuffle"), reaches("in order", lambda status: not status["shuffle"])
        press("#repeat"), reaches("repeated", lambda status: status["repeat"])
        press("#nowmenu"), sees("the menu of what plays", is_open)
        press(self.line("Keep as a preset")), sees("the tiles to choose from", "document.querySelectorAll('#sheet .act').length === 6")
        press("#sheet .act"), sees("it is kept", "!!localStorage.getItem('baton.presets')")
        press("#nowmenu"), sees("the menu of what plays", is_open)
        press(self.line("Presets")), panel("presets")
        press(".preset"), reaches("the preset plays", lambda status: status["state"] == "playing")
        # Pair a device.
        tab("home"), panel("home")
        press("#panel .me"), panel("settings")
        press("#panel [data-page=devices]"), sees("the devices", "!!document.getElementById('letin')")
        press("#letin"), sees("a code", "/\\d{3}.?\\d{3}/.test(document.getElementById('code')?.textContent)")
        press("#letnone"), sees("no code", "!document.getElementById('code')")
        # The hub goes away, and comes back.
        title, self.network.is_out = self.page.text("title"), True
        self.network.cut()
        sees("it is away", "document.getElementById('link').textContent !== ''")
        self.assertEqual(self.page.text("title"), title)
        self.network.is_out = False
        self.page.wait("the page is live", self.page.is_live)
        # Back, step by step.
        self.page.driver.back(), sees("all settings", "location.hash === '#/settings'")
        self.page.driver.back(), panel("home")
        self.page.driver.back(), panel("presets")
        self.page.driver.back(), panel("playing")

    def travel(self, kind):
        self.list_name = f"{kind.__name__} walks"
        self.home.baton("--room", "Kitchen", "volume", f"{KITCHEN}")
        hand = kind(self.page)
        hand.begin()
        self.addCleanup(hand.end)
        self.command("mode.set", repeat=False, shuffle=False, single="off")
        uri = self.track("Rainbow")["uri"]
        self.command("rate.set", uri=uri, stars=0)
        self.command("fav.set", uri=uri, on=False)
        self.go(hand)

    # MARK: How far things are away

    def counts(self, hand, size, of_music, target):
        """What is wanted of the music is reached from its own sheet or, on a desktop, from anywhere; all else from Home."""
        self.page.size(*size)
        self.page.keep(beside="none")
        self.visit("#/home")
        panel = lambda name: lambda: self.page.run("return document.documentElement.dataset.panel") == name
        beside = lambda name: lambda: self.page.run(f"return !!document.querySelector('#side .{name}')")
        is_phone = size[0] < 1100

        def reaches(most, name, start, *presses, until):
            self.show(start)
            hand.taps = 0
            for press in presses:
                hand.press(press) if isinstance(press, str) else press()
            self.page.wait(name, until)
            self.assertLessEqual(hand.taps, most, name)
            self.page.run("document.getElementById('sheet').close()")
            self.page.wait("the sheet is closed", lambda: not self.page.run("return document.getElementById('sheet').open || history.state?.isSheet"))

        def room():
            name = "Kitchen" if target == "kitchen" else "Test hub"
            reaches(2, "another room", of_music, "#room", f"#playon-{target}", until=lambda: self.page.text("roomname") == name)
        if target == "main":
            room()
        plays = lambda title: lambda: (self.status()["title"], self.status()["state"]) == (title, "playing")
        reaches(2, "an album plays", "home", "#panel .strip [aria-label^='Open April']", ".does button", until=plays("Clouds"))
        reaches(2, "what was looked for plays", "home", "#tab-search", lambda: hand.type("#find", "rainb"), "#panel [aria-label^='Play Rainbow']",
                until=plays("Rainbow"))
        reaches(2, "the music ends by itself", of_music, "#sleep", "#sheet .choices button", until=lambda: "sleep" in self.status()["sections"])
        self.command("sleep.clear")
        reaches(1, "the queue", of_music, "#queue", until=panel("queue") if is_phone else beside("rows"))
        reaches(1, "the lyrics", of_music, "#lyrics", until=panel("lyrics") if is_phone else beside("lyrics"))
        reaches(3, "a phone is paired", "home", "#panel .me", "#panel [data-page=devices]", "#letin",
                until=lambda: self.page.run("return /\\d{3}.?\\d{3}/.test(document.getElementById('code')?.textContent)"))
        self.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "pair.close"}))
        if target == "kitchen":
            room()

    def test_taps(self):
        """How many taps what people come for is away: on a phone by touch, and on a desktop with a mouse."""
        phone = Touch(self.page)
        phone.begin()
        self.addCleanup(phone.end)
        self.addCleanup(self.page.size, *self.size)
        self.counts(phone, self.size, "playing", "kitchen")
        phone.end()
        self.counts(Mouse(self.page), (1440, 900), "home", "main")

    def test_keyboard(self):
        """By keyboard alone."""
        self.travel(Keyboard)

    @slow
    def test_touch(self):
        """By touch events."""
        self.travel(Touch)

    @slow
    def test_mouse(self):
        """By mouse."""
        self.travel(Mouse)


if __name__ == "__main__":
    main("chromium", "chromedriver", "ffmpeg")
