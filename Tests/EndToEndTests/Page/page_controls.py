# deploy/test: tier 2, judges Sources/Web.
"""The page in a real browser, its every control pressed as a person would, against a hub that plays its own album."""

import json
import os
import re
import sys
import urllib.error
import urllib.request

from Support.hubs import main, wait

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    from Support.browser import BOXES
    from Support.pagecase import PageCase
except ImportError:
    print("page_controls.py: skipped, for there is no selenium here")
    sys.exit(77)


class Controls(PageCase):
    """The ten controls, the volume row and the tabs."""

    def test_play(self):
        """Play and pause reach the room, and the line moves only while it plays."""
        page = self.page
        page.press("play")
        self.reaches("playing", lambda status: status["state"] == "playing")
        start = page.position_s()
        page.wait("the position moves", lambda: page.position_s() > start)
        page.press("play")
        self.assertEqual(page.label("play"), "Play")
        self.reaches("paused", lambda status: status["state"] == "paused")

    def test_skip(self):
        """Next and previous change the entry; what comes next is shown before."""
        self.play()
        page = self.page
        self.assertEqual(page.text("coming"), "Next: Baton – Stairs")
        page.press("next")
        self.reaches("the second", lambda status: status["title"] == "Stairs")
        page.wait("its title", lambda: page.text("title") == "Stairs" and page.text("artist") == "Baton")
        page.press("prev")
        self.reaches("the first", lambda status: status["title"] == "First Light")

    def test_seek(self):
        """Fifteen seconds on and back by the keys of the line, for music has no buttons for them; and a drag that is asked for once."""
        self.play()
        page = self.page
        # Paused, so that a place stays where it is however long the next step takes.
        page.press("play")
        paused = self.reaches("paused", lambda status: status["state"] == "paused")["positionMs"]
        self.assertFalse(page.find("#back").is_displayed() or page.find("#fwd").is_displayed(), "Steps of seconds are for speech and stations.")
        page.find("#seek").send_keys(Keys.ARROW_RIGHT)
        self.reaches("further on", lambda status: abs(status["positionMs"] - paused - 15000) < 50)
        page.wait("the page shows it", lambda: page.position_s() == (paused + 15000) // 1000)
        page.find("#seek").send_keys(Keys.ARROW_LEFT)
        self.reaches("back", lambda status: abs(status["positionMs"] - paused) < 50)
        box = page.find("#seek").rect
        page.drag(page.find("#seek"), box["width"] * 0.25, 0)
        length = self.status()["sections"]["now"]["durMs"]
        self.reaches("where the hand let go", lambda status: abs(status["positionMs"] / length - 0.75) < 0.02)

    def test_seek_keys(self):
        """On the line, Home is the beginning, End is five seconds before the end, Page Down is a minute before."""
        self.play()
        page = self.page
        page.press("play")
        self.reaches("paused", lambda status: status["state"] == "paused")
        length = self.status()["sections"]["now"]["durMs"]
        line = page.find("#seek")
        for key, place in ((Keys.END, length - 5000), (Keys.PAGE_DOWN, max(0, length - 65_000)), (Keys.END, length - 5000), (Keys.HOME, 0)):
            line.send_keys(key)
            self.reaches(f"at {place}", lambda status, place=place: status["title"] == "First Light" and abs(status["positionMs"] - place) < 60)

    def test_volume_keys(self):
        """On the volume, Home and End are the least and the greatest level, Page Up and Page Down ten points."""
        page = self.page
        page.wait("the level", lambda: page.text("level") != "–")
        levels = []
        for key in (Keys.HOME, Keys.PAGE_UP, Keys.PAGE_UP, Keys.PAGE_DOWN):
            before = page.text("level")
            page.find("#turn").send_keys(key)
            page.wait("it changes", lambda before=before: page.text("level") != before)
            levels.append(page.text("level"))
        self.assertEqual(levels, ["0%", "10%", "20%", "10%"])

    def test_modes(self):
        """Shuffle and repeat are two controls, and each shows what it is at once."""
        page, seen = self.page, []
        page.press("repeat")
        page.wait("the first press has loaded what it does", lambda: page.label("repeat") != "Repeat: off")
        seen.append(page.label("repeat"))
        for _ in range(2):
            page.press("repeat")
            seen.append(page.label("repeat"))
        self.assertEqual(seen, ["Repeat: all of the queue", "Repeat: this one", "Repeat: off"])
        page.press("shuffle")
        self.assertEqual(page.attribute("shuffle", "aria-pressed"), "true")
        self.reaches("shuffled", lambda status: (status["shuffle"], status["repeat"]) == (True, False))
        page.press("repeat")
        self.reaches("both", lambda status: (status["shuffle"], status["repeat"]) == (True, True))
        page.press("shuffle")
        self.command("mode.set", repeat=False)
        self.reaches("as it was", lambda status: (status["shuffle"], status["repeat"]) == (False, False))
        page.wait("so says the page", lambda: page.label("repeat") == "Repeat: off" and page.attribute("shuffle", "aria-pressed") == "false")

    def test_stopping_and_removing(self):
        """The menu of what plays says after what the music stops and what leaves the queue, and to repeat is not to stop."""
        page, modes = self.page, lambda status: status["sections"]["modes"]
        self.command("mode.set", repeat=True)
        for line, choice, reached in (
                ("stopAfter", "once", lambda now: (now["repeat"], now.get("single")) == (False, "once")),
                ("stopAfter", "off", lambda now: "single" not in now), ("consume", "on", lambda now: now.get("consume") == "on"),
                ("consume", "off", lambda now: "consume" not in now)):
            page.press("nowmenu")
            page.wait("the menu", lambda line=line: page.find(f"#{line}").is_displayed())
            page.run("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", line, choice)
            self.reaches(f"{line} {choice}", lambda status, reached=reached: reached(modes(status)))
            page.run("document.getElementById('sheet').close()")

    def test_favourite(self):
        """The heart beside what plays is shown at once, is the hub's, and comes back with the track."""
        self.play()
        page = self.page
        page.wait("it is known", lambda: page.find("#fav").is_enabled())
        page.press("fav")
        self.assertEqual(page.attribute("fav", "aria-pressed"), "true")
        uri = self.status()["sections"]["now"]["uri"]
        wait("the hub knows", lambda: self.command("lib.item", uri=uri)["d"]["item"].get("fav"))
        page.press("next")
        page.wait("another track", lambda: page.text("title") == "Stairs" and page.find("#fav").is_enabled())
        self.assertEqual(page.attribute("fav", "aria-pressed"), "false")
        page.press("prev")
        page.wait("its heart", lambda: page.attribute("fav", "aria-pressed") == "true")
        page.press("fav")
        wait("it is none", lambda: not self.command("lib.item", uri=uri)["d"]["item"].get("fav"))

    def test_mini_player(self):
        """Below a place what plays is one line: a tap or a swipe up opens it, a swipe sideways skips once. From what plays a swipe up leads
        to the queue, and one down folds it."""
        self.play()
        page = self.page
        self.show("rooms")
        page.wait("the line", lambda: page.find("#open").is_displayed() and not page.find("#extras").is_displayed())
        self.assertEqual(page.text("title"), "First Light")
        page.drag(page.find("#open"), -90, 0)
        self.reaches("the next", lambda status: status["title"] == "Stairs")
        self.assertEqual(page.run("return document.documentElement.dataset.panel"), "rooms")
        # On a busy machine the first move that the page hears of is outside of the line.
        page.drag(page.find("#open"), 0, -90, steps=1)
        self.has_grown()
        page.drag(page.find("#what"), 0, 90, steps=1)
        page.wait("the rooms again", lambda: page.run("return document.documentElement.dataset.panel") == "rooms")
        self.show("library")
        page.press("open")
        self.has_grown()
        page.drag(page.find("#hero"), 0, -90, steps=1)
        page.wait("the queue", lambda: page.run("return document.documentElement.dataset.panel") == "queue")

    def has_grown(self):
        grown = "return document.documentElement.dataset.panel === 'playing' && !document.getElementById('player').getAnimations().length"
        self.page.wait("what plays, in its place", lambda: self.page.run(grown))

    def test_mini_volume(self):
        """A long press on the mini player opens the volume above it, and a press elsewhere closes it."""
        page = self.page
        self.show("library")
        page.wait("the line", lambda: page.find("#open").is_displayed() and not page.find("#turn").is_displayed())
        x, y = page.run("const b = document.getElementById('open').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
        page.touch("touchStart", (x, y))
        page.wait("the volume", lambda: page.find("#turn").is_displayed())
        page.touch("touchEnd")
        self.assertEqual(page.run("return document.documentElement.dataset.panel"), "library", "Letting go is no tap.")
        page.press("more")
        self.reaches("a step", lambda status: status["level"] == 33)
        page.drag(page.find("#panel"), 0, 0, steps=1)
        page.wait("it is closed", lambda: not page.find("#turn").is_displayed())

    def test_speed(self):
        """The menu sets how fast the room plays, and a speed other than the usual stands beside the length."""
        self.play()
        self.page.press("nowmenu")
        select = self.page.wait("the choice", lambda: self.page.driver.find_elements("id", "speed"))[0]
        self.page.run("arguments[0].value = 1500; arguments[0].dispatchEvent(new Event('change'))", select)
        self.reaches("it is faster", lambda status: status["sections"]["modes"].get("speed") == 1500)
        self.page.wait("it is shown", lambda: self.page.text("whole") == "0:22 · 1.5×")
        self.command("mode.set", speed=1000)
        self.page.wait("as usual", lambda: self.page.text("whole") == "0:22")
        self.page.run("document.getElementById('sheet').close()")

    def test_mono(self):
        """A switch of the menu mixes both channels to one, and shows what is so."""
        self.play()
        for is_on in (True, False):
            self.page.press("nowmenu")
            switch = self.page.wait("the switch", lambda: self.page.find("#sheet #mono"))
            self.assertEqual(switch.is_selected(), not is_on)
            self.page.run("arguments[0].click()", switch)
            self.reaches("the room knows", lambda status, is_on=is_on: status["sections"]["modes"].get("mono", False) == is_on)
            self.page.run("document.getElementById('sheet').close()")
            self.page.wait("it is closed", lambda: not self.page.run(
                "return document.getElementById('sheet').open || history.state?.isSheet"))

    def test_adding(self):
        """What plays is added to the end, and again as the next."""
        self.play()
        self.menu("enqueue")
        self.reaches("four", lambda status: status["length"] == 4)
        self.page.wait("a sentence", lambda: "end of the queue" in self.page.sentence())
        self.menu("playnext")
        self.reaches("five", lambda status: status["length"] == 5)
        self.page.wait("it comes next", lambda: self.page.text("coming").endswith("First Light"))
        self.show("queue")
        self.page.wait("its row", lambda: self.page.titles() == ["First Light", "First Light", "Stairs", "Lamps On", "First Light"])
        self.show("playing")

    def sleep_chips(self):
        """The sheet of the sleep timer: what stands above its chips, and the chips."""
        self.page.press("sleep")
        # A sheet that is being closed is still in the document, without anything to see.
        self.page.wait("the chips", lambda: all(chip.is_displayed() for chip in self.page.driver.find_elements("css selector", "#sheet .choices button"))
                       and self.page.driver.find_elements("css selector", "#sheet .sleeping") and self.page.find("#sheet .sleeping").text)
        return self.page.find("#sheet .sleeping").text, self.page.driver.find_elements("css selector", "#sheet .choices button")

    def test_sleep(self):
        """A sleep timer is set with two taps, says what is left, and is taken away again."""
        self.play()
        title, chips = self.sleep_chips()
        self.assertEqual((title, [chip.text for chip in chips]),
                         ("Sleep timer", ["15 min", "30 min", "60 min", "Track"]))
        self.page.click("#sheet .choices button", "30 min")
        timer = self.reaches("a timer", lambda status: "sleep" in status["sections"])["sections"]["sleep"]
        self.assertTrue(timer["end"] == "time" and 1_790_000 < timer["leftMs"] <= 1_800_000 and timer["fadeMs"] == 20_000, timer)
        self.page.wait("a sentence", lambda: "timer is set" in self.page.sentence())
        self.page.wait("its minutes", lambda: self.page.text("sleep") == "30")
        title, chips = self.sleep_chips()
        self.assertEqual(title, "Sleep timer: 30 minutes")
        self.page.click("#sheet .choices button", chips[4].text)
        self.reaches("no timer", lambda status: "sleep" not in status["sections"])
        self.page.wait("nor on its button", lambda: self.page.attribute("sleep", "aria-pressed") == "false" and not self.page.text("sleep"))

    def test_bookmarks(self):
        """A place is marked with a note, gone to, deleted, and brought back."""
        self.play()
        page = self.page
        page.press("play")
        self.reaches("paused", lambda status: status["state"] == "paused")
        self.open_bookmarks()
        page.find("#sheet [data-at=note]").send_keys("the lamp")
        page.click("#sheet form button")
        page.wait("a sentence", lambda: "is marked" in page.sentence())
        mark, = json.loads(self.home.baton("bookmark", "list", "--json"))["bookmarks"]
        self.assertEqual((mark["title"], mark["note"]), ("First Light", "the lamp"))
        self.home.baton("seek", "0:15")
        self.open_bookmarks()
        page.click("#sheet [data-mark] .act")
        self.reaches("the place", lambda status: status["state"] == "playing" and status["positionMs"] < 10000)
        self.open_bookmarks()
        page.click("#sheet [data-mark] .tool")
        page.wait("the form", lambda: page.driver.find_elements("css selector", "#sheet [type=button]"))
        page.click("#sheet [type=button]")
        page.wait("an offer", lambda: page.driver.find_elements("css selector", "#undo button"))
        self.assertEqual(json.loads(self.home.baton("bookmark", "list", "--json"))["bookmarks"], [])
        page.click("#undo button")
        page.wait("it is back", lambda: json.loads(self.home.baton("bookmark", "list", "--json"))["bookmarks"] == [mark])

    def open_bookmarks(self):
        self.page.press("nowmenu")
        self.page.click("#sheet .act", "Bookmarks")
        self.page.wait("the sheet", lambda: self.page.driver.find_elements("css selector", "#sheet [data-at=note]"))

    def test_theme(self):
        """The themes follow each other and stay over a reload."""
        self.page.press("nowmenu")
        self.page.wait("the menu", lambda: self.page.driver.find_elements("id", "theme"))
        for name in ("aura", "pixel", "cat", "plain", "night", "aura", "pixel"):
            self.page.click("#theme")
            self.page.wait(name, lambda: self.page.theme() == name)
        self.visit()
        self.assertEqual(self.page.theme(), "pixel")
        self.page.keep(theme="night")

    def test_stop(self):
        """Stop ends the music, and the page stays with the hub."""
        self.play()
        self.menu("stop")
        self.reaches("stopped", lambda status: status["state"] == "stopped")
        self.page.wait("it is said", lambda: self.page.sentence() == "Stopped.")
        self.assertTrue(self.page.is_live() and not self.page.run("return document.getElementById('sheet').open"))

    def test_empty(self):
        """While nothing plays, the menu leads to presets and to the full screen, and has nothing to stop."""
        page = self.page
        self.command("queue.clear", key=os.urandom(4).hex(), base=self.status()["sections"]["queue"]["rev"])
        page.wait("nothing", lambda: page.text("title") == "No music")
        page.press("nowmenu")
        page.wait("the menu", lambda: page.find("#sheet a[href='#/presets']").is_displayed() and page.find("#sheet a[href='#/wall']"))
        self.assertEqual(page.driver.find_elements("css selector", "#sheet #stop"), [])
        page.run("document.getElementById('sheet').close()")

    def test_volume(self):
        """A tap is a step, a hold goes on, a drag follows the finger; the room ends where the page says."""
        page = self.page
        page.press("more")
        page.wait("one step, though what a hand needs is loaded by this touch", lambda: page.level() == 33)
        self.reaches("33", lambda status: status["level"] == 33)
        page.drag(page.find("#more"), 0, 0, steps=1, hold=True)
        page.wait("three more steps", lambda: page.level() >= 42)
        page.release()
        held = page.level()
        self.reaches("where the hand let go", lambda status: status["level"] == held == page.level())
        # Each of its steps is whole pixels.
        page.drag(page.find("#turn"), -8 * round(self.track() / 40), 0)
        self.assertTrue(held - 22 <= page.level() <= held - 18, (held, page.level()))
        self.reaches("the same", lambda status: status["level"] == page.level())
        self.assertRegex(page.label("volume"), r"Volume, .*, \d+ percent")

    def track(self):
        """How long the line of the volume is. Its number stands at the end."""
        return self.page.find("#turn").rect["width"] - 44

    def tap(self, part):
        """At this part of the line."""
        across = self.track() * part - self.page.find("#turn").rect["width"] / 2
        ActionChains(self.page.driver).move_to_element_with_offset(self.page.find("#turn"), across, 0).click().perform()

    def test_tap(self):
        """A tap on the line sets the volume; it makes it louder by at most ten points, for a finger may slip."""
        self.page.press("more")
        self.reaches("33", lambda status: status["level"] == 33)
        self.tap(0.2)
        low = self.reaches("where the tap was", lambda status: abs(status["level"] - 20) <= 1)["level"]
        self.page.wait("so says the page", lambda: self.page.level() == low)
        self.tap(0.9)
        self.reaches("ten points more", lambda status: status["level"] == low + 10)
        self.page.wait("so says the page", lambda: self.page.level() == low + 10)

    def test_first_hand(self):
        """A drag goes on, also where it is the first touch, which loads what a hand needs."""
        page = self.page
        # Away from the row, so that nothing is loaded before.
        ActionChains(page.driver).move_to_element(page.find("#title")).perform()
        self.visit()
        x, y = page.run("const b = document.getElementById('turn').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
        page.touch("touchStart", (x, y))
        page.touch("touchMove", (x + 20, y))
        page.wait("the hand has come", lambda: page.level() > 30)
        page.touch("touchMove", (x + 40, y))
        page.touch("touchMove", (x + 80, y))
        page.wait("it goes on", lambda: page.level() >= 45)
        page.touch("touchEnd")
        self.reaches("where the hand let go", lambda status: status["level"] == page.level())

    def test_first_tap_on_a_watch(self):
        """A tap that comes before the menu of a watch is loaded opens it all the same."""
        tap = """addEventListener('DOMContentLoaded', () => {
            const button = document.getElementById('open'), waiting = setInterval(() => {
              if (button?.onclick) { clearInterval(waiting); button.click() } }) })"""
        self.page.size(184, 224)
        script = self.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": tap})
        try:
            self.visit()
        finally:
            self.page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        self.page.wait("the menu", lambda: self.page.driver.find_elements("css selector", "#sheet[open] .watchmenu"))

    def test_keyboard(self):
        """Space, arrows and a wheel do what buttons do, and focus can be seen."""
        from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
        from selenium.webdriver.common.keys import Keys
        page = self.page
        self.play()
        ActionChains(page.driver).send_keys(" ").perform()
        self.reaches("paused", lambda status: status["state"] == "paused")
        ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
        self.reaches("the second", lambda status: status["title"] == "Stairs")
        ActionChains(page.driver).send_keys(Keys.ARROW_UP).perform()
        self.reaches("louder", lambda status: status["level"] == 33)
        wheel = lambda name: ActionChains(page.driver).scroll_from_origin(ScrollOrigin.from_element(page.find(name)), 0, 100).perform()
        # Only over the volume row; what was over the rest would have come before.
        wheel("#transport")
        wheel("#turn")
        self.reaches("a notch less", lambda status: status["level"] == 31)
        for key, reached in (("s", lambda status: status["shuffle"]), ("s", lambda status: not status["shuffle"]), ("r", lambda status: status["repeat"]),
                             ("m", lambda status: status["sections"]["vol"]["mute"]), ("m", lambda status: not status["sections"]["vol"]["mute"])):
            ActionChains(page.driver).send_keys(key).perform()
            self.reaches(f"the key {key}", reached)
        before = self.status()["state"]
        for key, reached in (("AudioVolumeUp", lambda status: status["level"] == 34), ("AudioVolumeDown", lambda status: status["level"] == 31),
                             ("MediaPlayPause", lambda status: status["state"] != before)):
            page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))", key)
            self.reaches(f"the key {key}", reached)
        self.command("mode.set", repeat=False)
        ActionChains(page.driver).send_keys("?").perform()
        page.wait("the card", lambda: "Alt ↑ ↓ on a row" in page.find("#sheet").text)
        ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
        page.wait("it is closed", lambda: not page.run("return document.getElementById('sheet').open"))
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
        outline = page.run("return getComputedStyle(document.activeElement).outlineStyle + document.activeElement.tagName")
        self.assertEqual(outline, "solidBUTTON")
        ActionChains(page.driver).send_keys("/").perform()
        page.wait("the search", lambda: page.run("return document.activeElement.id") == "find")
        self.show("playing")

    def test_missing_part(self):
        """A part whose file cannot be had is said, whatever asked for it."""
        page = self.page
        page.wait("what says so is there", lambda: page.run("return performance.getEntriesByType('resource').some(e => e.name.endsWith('/app.js'))"))
        page.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
        page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/keycard.js"]})
        try:
            ActionChains(page.driver).send_keys("?").perform()
            page.wait("it is said", lambda: "could not be loaded" in page.sentence())
        finally:
            page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
            page.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": False})
            # That something was missing was the purpose.
            page.complaints()

    def test_full_screen(self):
        """A wall that was pressed leads back to where it was pressed, and does not come again by itself on a phone."""
        page = self.page
        page.run("Element.prototype.requestFullscreen = () => Promise.reject(new Error('not here'))")
        page.press("nowmenu")
        page.click("#sheet a[href='#/wall']")
        page.wait("the wall", lambda: page.driver.find_elements("id", "wall"))
        ActionChains(page.driver).send_keys("x").perform()
        page.wait("what plays", lambda: not page.driver.find_elements("id", "wall") and page.run("return location.hash") == "#/playing")

    def test_wall(self):
        """A large screen shows cover, clock and what comes after a minute without a touch; a key wakes it and does nothing else."""
        page = self.page
        script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "const later = setTimeout; globalThis.setTimeout = (act, ms, ...more) => later(act, ms === 60000 ? 1500 : ms, ...more)"})
        self.addCleanup(page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
        page.size(1280, 800)
        self.visit()
        self.play()
        wall = page.wait("the wall", lambda: page.driver.find_elements("id", "wall"))[0]
        page.wait("what it says", lambda: "First Light" in wall.text and "Next: Baton – Stairs" in wall.text)
        page.picture("night-1280x800-wall")
        ActionChains(page.driver).send_keys(" ").perform()
        self.assertTrue(page.is_playing(), "The key that woke it did something else.")
        self.assertTrue(page.find("#play").is_displayed())
        page.size(360, 640)

    def test_path(self):
        """The tab key leads through everything in the order of the screen, and each stop can be seen."""
        from selenium.webdriver.common.keys import Keys
        self.page.keep(panel="playing")
        self.visit()
        self.page.wait("the heart is known", lambda: self.page.find("#fav").is_enabled())
        stops = []
        for _ in range(24):
            ActionChains(self.page.driver).send_keys(Keys.TAB).perform()
            name, outline, width = self.page.run(
                "const e = document.activeElement, s = getComputedStyle(e); return [e.id || e.parentElement.id, s.outlineStyle, parseFloat(s.outlineWidth)]")
            self.assertTrue(outline == "solid" and width >= 2, f"The focus on {name} cannot be seen.")
            stops.append(name)
        self.assertEqual(stops, ["fold", "room", "titlelink", "artistlink", *["stars"] * 5, "seek", "prev", "play", "next", "less", "turn", "more",
                                 "fav", "shuffle", "repeat", "sleep", "nowmenu", "queue", "lyrics", "people"])

    def test_awake(self):
        """The screen is kept on while it is switched on, again when the page becomes visible again, and released when switched off."""
        script = self.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
          const ask = navigator.wakeLock?.request.bind(navigator.wakeLock);
          window.locks = [];
          if (ask) navigator.wakeLock.request = async kind => { const lock = await ask(kind); locks.push(lock); return lock }"""})
        try:
            self.visit()
            self.show("settings?page=device")
            self.page.wait("the switch", lambda: self.page.driver.find_elements("id", "awake"))
            self.page.press("awake")
            self.page.wait("it is held", lambda: self.page.run("return locks.some(lock => !lock.released)"))
            self.visit()
            self.page.wait("it is held again after a reload", lambda: self.page.run("return locks.some(lock => !lock.released)"))
            self.show("settings?page=device")
            self.page.wait("the switch", lambda: self.page.attribute("awake", "aria-checked") == "true")
            self.page.press("awake")
            self.page.wait("it is let go", lambda: self.page.run("return locks.every(lock => lock.released)"))
        finally:
            self.page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
            self.page.keep(awake=False, panel="playing")

    def test_names(self):
        """A screen reader finds a name for each control, and a value where there is one."""
        for width, height in ((184, 224), (360, 640), (1440, 900)):
            self.page.size(width, height)
            self.visit()
            nodes = self.page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            roles = {}
            for node in nodes:
                role = node.get("role", {}).get("value")
                if not node.get("ignored") and role in ("button", "slider", "tab", "switch", "progressbar"):
                    self.assertTrue(node["name"]["value"].strip(), f"a {role} has no name at {width}x{height}")
                    roles.setdefault(role, []).append(node)
            self.assertGreaterEqual(len(roles["button"]), 6)
            volume = [node for node in roles["slider"] if node["name"]["value"].startswith("Volume, ")]
            self.assertEqual([node["value"]["value"] for node in volume], [30])
            louder = [node["name"]["value"] for node in roles["button"] if node["name"]["value"].startswith("Louder")]
            self.assertRegex(louder[0], r"Louder\. Volume, .+, 30 percent")

    def test_storage(self):
        """Where the browser's storage is full or forbidden, the page plays, turns the volume and opens its panels all the same."""
        page = self.page
        full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
        forbidden = "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } })"
        for how in (full, forbidden):
            with self.subTest(how):
                script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": how})
                try:
                    page.open("about:blank")
                    self.visit()
                    page.press("play")
                    self.reaches("it plays", lambda status: status["state"] in ("playing", "buffering"))
                    level = page.level()
                    page.press("more")
                    self.reaches("it is louder", lambda status, level=level: status["level"] > level)
                    self.show("library")
                    self.show("settings?page=look")
                    page.wait("the settings", lambda: page.driver.find_elements("css selector", "#panel .swatch"))
                    self.show("playing")
                    page.press("play")
                    self.reaches("it is paused", lambda status: status["state"] == "paused")
                finally:
                    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})

    def test_calm(self):
        """Where motion is not wanted nothing moves but the line; elsewhere the note turns while the room plays."""
        media = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        turned = lambda: self.page.run("return document.getElementById('note').style.transform")
        self.page.keep(theme="cat")
        self.play()
        start = turned()
        self.page.wait("the note turns", lambda: turned() != start)
        self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        try:
            self.visit()
            still = turned(), self.page.run("return document.getElementById('cat').toDataURL()")
            start = self.page.position_s()
            self.page.wait("the line moves", lambda: self.page.position_s() >= start + 2)
            self.assertEqual((turned(), self.page.run("return document.getElementById('cat').toDataURL()")), still)
            self.assertEqual(self.page.run("return document.getAnimations().length"), 0)
        finally:
            self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
            self.page.keep(theme="night")

    def test_rooms(self):
        """The rooms tab shows what each room does, and choosing one leads back to what plays."""
        self.show("rooms")
        card = self.page.wait("its card", lambda: self.page.find("#panel .card"))
        self.page.wait("the room", lambda: "30%" in card.text and self.status()["title"] in card.text)
        self.page.click("#panel .card .main")
        self.page.wait("what plays", lambda: self.page.run("return document.documentElement.dataset.panel") == "playing")

    def test_diagnostics(self):
        """What the page knows of itself can be read and copied by admins; others see which hub it is, and what they may do."""
        self.show("settings?page=about")
        shown = self.page.wait("what others see", lambda: self.page.run("return document.querySelector('.facts')?.textContent"))
        self.assertIn("may play, skip and queue", shown)
        self.assertNotIn("Revision", shown)
        self.assertFalse(self.page.find("#copy").is_displayed())
        ticket = self.home.baton("web").split("#ticket=")[1].strip()
        self.addCleanup(self.page.run, "sessionStorage.clear()")
        self.page.open("about:blank")
        self.visit(f"#ticket={ticket}")
        self.show("settings?page=about")
        facts = self.page.wait("the facts", lambda: self.page.run("const facts = document.querySelector('.facts')?.textContent; return /Revision/.test(facts) && facts"))
        for name in ("Server", "This page", "User", "Connection", "Revision", "Clock", "Line", "Round trip", "Room", "Queue", "This session"):
            self.assertIn(name, facts)
        self.page.press("copy")
        self.page.wait("it was copied", lambda: self.page.sentence() == "Copied.")
        self.show("playing")


class Serving(PageCase):
    """What comes over HTTP: types, policy, caches and sizes."""

    def get(self, path, **headers):
        try:
            answer = urllib.request.urlopen(urllib.request.Request(self.hub.page + path, headers=headers), timeout=60)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            return answer.status, answer.headers, answer.read()

    def test_policy(self):
        """Nothing inline, nothing from other hosts, and other sites may frame only the card."""
        status, headers, document = self.get("/")
        self.assertEqual((status, headers["content-type"]), (200, "text/html; charset=utf-8"))
        self.assertNotIn("unsafe", headers["content-security-policy"])
        self.assertIn("frame-ancestors 'self'", headers["content-security-policy"])
        self.assertNotRegex(document.decode(), r'<script>|<style|\sstyle=|\son\w+=|https?://(?!www\.w3\.org)')
        self.assertIn("frame-ancestors *", self.get("/now")[1]["content-security-policy"])

    def test_caching(self):
        """Documents are asked for again and cost nothing; what they name is kept for ever."""
        _, headers, document = self.get("/")
        self.assertEqual(headers["cache-control"], "no-cache")
        self.assertEqual(self.get("/", **{"If-None-Match": headers["etag"]})[0], 304)
        asked = "return performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)"
        names = {*re.findall(r'"(/page/[^"]+)"', document.decode()), *(name for name in self.page.run(asked) if name.startswith("/page/"))}
        self.assertGreater(len(names), 12)
        for name in names:
            status, headers, _ = self.get(name)
            self.assertEqual(status, 200, name)
            self.assertIn("immutable", headers["cache-control"])
            kind = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png", "json": "application/json"}[name.rsplit(".", 1)[1]]
            self.assertTrue(headers["content-type"].startswith(kind), name)
        self.assertEqual(self.get("/page/older/icon.svg")[1]["cache-control"], "no-cache")
        self.assertEqual(self.get("/page/older/remote.js")[0], 404, "Files of two versions never mix.")

    def test_first_load(self):
        """Everything that comes over the network until the page is live and idle at its beginning is at most 120 KB, and no other
        host is asked. What the worker reads afterwards, for times without the hub, is not waited for."""
        self.page.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.page.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Network.setBypassServiceWorker", {"bypass": False})
        self.page.requests()
        self.visit("#/home")
        asked = [url for url in self.page.requests() if url.startswith("http")]
        self.assertTrue(all(url.startswith(self.hub.page + "/") for url in asked), asked)
        names = sorted({url[len(self.hub.page):] for url in asked if not url.endswith("/favicon.ico")})
        answers = [self.get(name, **{"Accept-Encoding": "gzip"}) for name in names]
        total = sum(len(body) + 400 for _, _, body in answers)
        print(f"first load: {total} bytes in {len(names)} answers")
        self.assertLessEqual(total, 120_000)
        plain = [name for name, (_, headers, _) in zip(names, answers) if name.endswith(".js") and headers.get("content-encoding") != "gzip"]
        self.assertEqual(plain, [])

    def test_card(self):
        """The card shows what plays and has no button."""
        title = self.status()["title"]
        self.page.open(self.hub.page + "/now")
        self.page.wait("the title", lambda: self.page.text("title") == title)
        self.assertEqual(self.page.run("return document.querySelectorAll('button, input').length"), 0)

    def test_first_paint(self):
        """The last known state is the first thing on the screen, whole: nothing moves when the rest is there."""
        self.command("play", entry=self.rows()[1]["entry"])
        self.command("pause")
        self.visit()
        self.page.wait("the title", lambda: self.page.text("title") == "Stairs")
        look = self.page.first_look(self.hub.page + "/")
        self.assertEqual((look["title"], look["level"], look["stale"]), ("Stairs", "30%", False))
        self.visit()
        self.assertEqual(self.page.run(BOXES), look["boxes"], "Something moved after the first paint.")
        # What was stored long ago is grey until the hub vouches for it.
        self.assertTrue(self.page.first_look(self.hub.page + "/", later_s=60)["stale"])
        self.visit()


if __name__ == "__main__":
    main("chromium", "chromedriver")
