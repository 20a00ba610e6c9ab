# deploy/test: tier 2, judges Sources/Web.
# deploy/test: waits, mostly for what a station sends.
"""Radio on the page, from a real icecast2: stations with a star, found and played, added and imported, and recorded with a red dot."""

import glob
import os
import sys

from Music.radio import Icecast
from Support.hubs import main, wait

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    from Support.boxes import faults
    from Support.pagecase import PageCase
except ImportError:
    print("page_radio.py: skipped, for there is no selenium here")
    sys.exit(77)

LIST = """#EXTM3U
#EXTINF:-1,Faro di Notte
https://radio.example/faro
#EXTINF:-1,<b>Loud & Clear</b>
https://radio.example/loud
#EXTINF:-1,Of this disk
file:///etc/passwd
"""

OPML = '<opml version="2.0"><body><outline text="Group"><outline text="Of OPML" URL="https://radio.example/opml"/></outline></body></opml>'
FORMS = [
    ("list.pls", b"[playlist]\nFile1=https://radio.example/pls\nTitle1=Of PLS\nNumberOfEntries=1", "Of PLS"),
    ("list.txt", OPML.encode(), "Of OPML"),
    ("list.xspf", b"<playlist xmlns='http://xspf.org/ns/0/'><trackList><track><location>https://radio.example/xspf</location><title>Of XSPF</title></track></trackList></playlist>", "Of XSPF"),
    ("list.json", b'[{"name": "Of JSON", "url_resolved": "https://radio.example/json", "tags": "a,b"}]', "Of JSON"),
    ("latin.m3u", "#EXTM3U\n#EXTINF:-1,Of Köln\nhttps://radio.example/latin".encode("latin-1"), "Of Köln"),
]
SPOILED = [
    ("page.m3u", b"<!doctype html><html></html>", "It is a web page"),
    ("deep.opml", b"<opml>" + b"<outline>" * 10_000, "It names no http or https address"),
    ("bomb.opml", b'<!DOCTYPE a [<!ENTITY b "b">]><opml/>', "It defines entities"),
    ("pieces.m3u8", b"#EXTM3U\n#EXT-X-TARGETDURATION:6\n", "Add its address instead"),
    ("sound.mp3", b"ID3\x00\xff\xfb\x00\x01" * 100, "It names no http or https address"),
    ("cut.json", b'[{"name": ', "It is no valid JSON"),
]


class Radio(PageCase):
    """One hub and one icecast2 for all tests."""

    size = (390, 844)

    @classmethod
    def prepare(cls):
        cls.icecast = Icecast.with_stations(cls)

    def setUp(self):
        super().setUp()
        for row in self.command("radio.list")["d"]["stations"]:
            self.command("radio.edit", key=os.urandom(4).hex(), remove=row["uri"])
        self.add("Harbour FM", "harbour.mp3")
        self.add("Nordlicht", "nord.ogg")

    def add(self, title, mount):
        self.command("radio.edit", key=os.urandom(4).hex(), add=[{"title": title, "url": self.icecast.url(mount), "country": "Norway" if mount.endswith("ogg") else "France", "tags": ["jazz", "news"]}])

    def open_radio(self):
        self.page.run("location.hash = '#/radio'")
        self.page.wait("the stations", lambda: self.stations() == ["Harbour FM", "Nordlicht"])

    def stations(self):
        return self.page.run("""return [...document.querySelectorAll('#panel .rows li')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)
          .map(row => row.querySelector('b').textContent)""")

    def press(self, selector):
        self.page.click(selector)

    def fill(self, selector, words):
        self.page.wait(selector, lambda: self.page.driver.find_elements("css selector", selector) and self.page.is_still())
        field = self.page.find(selector)
        field.clear()
        field.send_keys(words)

    def test_a_shelf(self):
        """A star makes a station a preset, presets stand on tiles here and where the page begins, and a tap plays one."""
        page = self.page
        self.open_radio()
        self.press("[aria-label='Preset: Nordlicht']")
        page.wait("the tile", lambda: page.find(".above .strip .tile b").text == "Nordlicht")
        self.assertEqual([preset["title"] for preset in self.hub.section("radio")["list"]], ["Nordlicht"])
        page.picture("night-390x844-radio")
        self.show("home")
        page.wait("the row of covers", lambda: page.find(".home .strip[aria-label=Radio] .tile button").is_displayed())
        page.picture("night-390x844-radio-library")
        page.click(".home .strip[aria-label=Radio] .tile button")
        self.reaches("it plays", lambda status: status["title"] == "Nordlicht" and status["state"] == "playing")
        self.assertEqual(self.status()["length"], 1)

    def test_b_found(self):
        """Stations are looked for by name, country, kind and language, the address keeps that, and what has no result says so."""
        page = self.page
        self.open_radio()
        self.fill("[data-at=find]", "harb")
        page.wait("one by name", lambda: self.stations() == ["Harbour FM"])
        page.wait("the address", lambda: "#/radio?find=harb" in page.driver.current_url)
        page.run("location.hash = '#/radio?country=norw'")
        page.wait("one by country", lambda: self.stations() == ["Nordlicht"])
        self.assertTrue(page.find("[data-at=country]").is_displayed())
        self.fill("[data-at=tag]", "polka")
        page.wait("none", lambda: "No station is found" in page.find("#panel").text)
        page.picture("night-390x844-radio-filters")
        self.press("[data-do=filter]")
        page.wait("all", lambda: self.stations() == ["Harbour FM", "Nordlicht"])

    def test_c_edited(self):
        """A station is added by its address, removed in its menu, and what is no address is not sent."""
        page = self.page
        self.open_radio()
        self.press("[data-do=stations]")
        self.press("#sheet [data-do=addstation]")
        self.fill("#sheet [data-at=url]", "file:///etc/passwd")
        self.fill("#sheet [data-at=title]", "Faro")
        self.press("#sheet form button.small")
        self.assertFalse(page.run("return document.querySelector('#sheet [data-at=url]').checkValidity()"))
        self.fill("#sheet [data-at=url]", "https://radio.example/faro")
        self.press("#sheet form button.small")
        page.wait("it is there", lambda: self.stations() == ["Faro", "Harbour FM", "Nordlicht"])
        self.press("[aria-label='Menu for Faro']")
        self.press("#sheet [data-do=editstation]")
        self.fill("#sheet [data-at=title]", "Faro di Notte")
        self.press("#sheet form button.small")
        page.wait("its new name", lambda: self.stations() == ["Faro di Notte", "Harbour FM", "Nordlicht"])
        self.press("[aria-label='Menu for Faro di Notte']")
        page.wait("its menu", lambda: page.find("#sheet [data-do=recordat]").is_displayed())
        page.picture("night-390x844-radio-menu")
        self.press("#sheet [data-do=removestation]")
        page.wait("it asks once more", lambda: "Tap again" in page.find("#sheet").text)
        self.press("#sheet [data-do=removestation]")
        page.wait("it is gone", lambda: self.stations() == ["Harbour FM", "Nordlicht"])

    def read_file(self, name, content):
        path = f"{self.home.folder}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        # Chromium opens a window for files otherwise, which nothing here could close.
        self.page.run("HTMLInputElement.prototype.click = () => { }")
        self.press("[data-do=stations]")
        self.page.run("[...document.querySelectorAll('#sheet button')].find(b => b.textContent.startsWith('Import')).click()")
        self.page.find("[data-at=stationfile]").send_keys(path)

    def test_d_files(self):
        """Lists in each form are read, entries without an http address passed over, and what is no list is named in a sentence."""
        page = self.page
        self.open_radio()
        self.read_file("list.m3u", LIST.encode())
        page.wait("both", lambda: self.stations() == ["<b>Loud & Clear</b>", "Faro di Notte", "Harbour FM", "Nordlicht"])
        self.assertIn("1 entry without an http address was passed over", page.sentence())
        for name, content, title in FORMS:
            self.read_file(name, content)
            page.wait(title, lambda title=title: title in self.stations())
        for name, content, sentence in SPOILED:
            self.read_file(name, content)
            page.wait(sentence, lambda sentence=sentence: sentence in page.sentence())
        self.assertEqual(len(self.stations()), 4 + len(FORMS))

    def test_e_export(self):
        """What is kept is saved as a file that is read again as the same stations."""
        page = self.page
        self.command("radio.edit", key=os.urandom(4).hex(), add=[{"title": '<"&>', "url": "https://radio.example/a?b=1&c=2", "tags": ["one", "two"]}])
        page.run("location.hash = '#/radio'")
        page.wait("the stations", lambda: len(self.stations()) == 3)
        for kind in ("m3u8", "opml"):
            texts = page.run_async("""const files = await import(words[0]), made = [], make = URL.createObjectURL;
              URL.createObjectURL = blob => { made.push(blob); return make(blob) };
              HTMLAnchorElement.prototype.click = () => { };
              const answers = await (await fetch('/baton/cmd', { method: 'POST', body: JSON.stringify({ t: 'cmd', id: 1, m: 'radio.list', p: { limit: 100 } }) })).json();
              await files.exportStations({ ask: async () => answers.d }, words[1]);
              URL.createObjectURL = make;
              return files.readStations(await made[0].text()).stations.map(({ title, url }) => [title, url])""",
                self.module("stationfiles.js"), kind)
            self.assertEqual(sorted(title for title, _ in texts), ['<"&>', "Harbour FM", "Nordlicht"])
            self.assertIn(['<"&>', "https://radio.example/a?b=1&c=2"], texts)

    def test_f_recorded(self):
        """The button beside what plays records it, a red dot says so with the song, and the list stops and cancels recordings."""
        page = self.page
        self.icecast.title("harbour.mp3", "Anna - Eins")
        self.open_radio()
        self.assertFalse(page.driver.find_elements("id", "record") and page.find("#record").is_displayed())
        page.click("[aria-label^='Play Harbour FM']")
        self.reaches("it plays", lambda status: status["title"] == "Harbour FM" and status["state"] == "playing")
        self.show("playing")
        page.wait("the button", lambda: page.find("#record").is_displayed())
        self.assertFalse(page.find("#shuffle").is_displayed())
        self.press("#record")
        page.wait("the red dot with the song", lambda: "Anna - Eins" in page.attribute("recs", "aria-label") and page.find("#recs").is_displayed())
        self.assertEqual(page.attribute("record", "aria-pressed"), "true")
        page.picture("night-390x844-recording")
        self.press("#recs")
        page.wait("the recording", lambda: "“Anna - Eins” · since" in page.find(".recs").text)
        self.press("[aria-label='Menu for Nordlicht']")
        self.press("#sheet [data-do=recordat]")
        page.wait("the form", lambda: page.find("#sheet [data-at=minutes]").is_displayed())
        page.run("const s = document.querySelector('#sheet [data-at=every]'); s.value = 'day'")
        page.picture("night-390x844-record-at")
        self.press("#sheet form button.small")
        page.wait("it is due", lambda: "every day" in page.find(".rec[data-st=due]").text)
        page.picture("night-390x844-recordings")
        due = self.hub.section("radio")["rec"][1]
        self.assertEqual((due["title"], due["every"], due["end"] - due["at"]), ("Nordlicht", "day", 3_600_000))
        self.press(".rec[data-st=due] button")
        self.assertEqual(page.find(".rec[data-st=due] button").text, "For good?")
        self.press(".rec[data-st=due] button")
        page.wait("it is cancelled", lambda: not page.driver.find_elements("css selector", ".rec[data-st=due]"))
        page.size(1280, 800)
        page.wait("the dot in the bar of a desktop", lambda: page.is_on_top("#recs"))
        page.size(*self.size)
        self.press(".rec button")
        page.wait("none is recorded", lambda: not self.hub.section("radio").get("rec") and not page.find("#recs").is_displayed())

    def line(self):
        return self.status()["sections"]["tl"]

    def behind(self):
        return self.line().get("behindMs", 0)

    def heard(self):
        return [row.text for row in self.page.driver.find_elements("css selector", ".heardrow")]

    def received(self, *titles):
        """The station sends these titles one after the other."""
        for title in titles:
            self.icecast.title("harbour.mp3", title)
            wait(title, lambda title=title: [row["title"] for row in self.command("radio.titles")["d"]["titles"][-1:]] == [title])

    def test_h_back(self):
        """The bar of a station shows its titles as marks: a tap, a key, the button and a title go back, and another button returns."""
        page = self.page
        self.open_radio()
        page.click("[aria-label^='Play Harbour FM']")
        self.reaches("it plays", lambda status: status["title"] == "Harbour FM" and status["state"] == "playing")
        self.received("Anna - Eins", "Bert - Zwei", "Carl - Drei")
        self.visit("#/playing")
        page.wait("the bar with marks", lambda: page.find("#past").is_displayed() and len(page.driver.find_elements("css selector", ".pastmark")) >= 3)
        self.assertFalse(page.find("#seek").is_displayed())
        self.assertEqual(page.text("pastline"), "Live")
        page.wait("eight seconds are kept", lambda: int(page.attribute("past", "aria-valuemax")) >= 8)
        page.press("back")
        page.wait("it is behind", lambda: "seconds behind live" in page.text("pastline") and self.behind() > 4000)
        page.picture("night-390x844-behind")
        page.press("golive")
        page.wait("it is live", lambda: page.text("pastline") == "Live" and not self.behind())
        page.find("#past").send_keys(Keys.HOME)
        page.wait("the oldest sound", lambda: self.behind() > 4000)
        page.find("#past").send_keys(Keys.END)
        page.wait("it is live again", lambda: not self.behind())
        ActionChains(page.driver).move_to_element_with_offset(page.find("#past"), -page.find("#past").rect["width"] // 4, 0).click().perform()
        page.wait("a quarter of the bar", lambda: self.behind() > 3000)
        for width, height in [(320, 240), (640, 360), (360, 640), (1280, 800)]:
            page.size(width, height)
            page.wait("the bar there", lambda: page.find("#past").is_displayed())
            page.picture(f"night-{width}x{height}-behind")
            self.assertEqual(faults(page), [], f"{width}x{height}")
        self.titles_heard()

    def test_i_gaps(self):
        """An hour of a station, as the bar draws it: titles where they began, missing sound as wide as it was long, and how far behind."""
        seen = self.page.run_async("""const { Past } = await import(words[0]), { PastBar } = await import(words[1]);
          const minutes = n => n * 60000, d = { now: minutes(1000), from: minutes(940), to: minutes(1000),
            titles: [{ n: 7, at: minutes(955), end: minutes(985), title: 'Anna - Eins' }, { n: 8, at: minutes(985), title: 'Bert - Zwei' }],
            gaps: [{ at: minutes(958), end: minutes(970) }] };
          const tl = { entry: 'q1', posMs: 0, atUs: 5e9, rate: 1000, st: 'playing', live: true, behindMs: minutes(12), pastMs: minutes(60) };
          const pressed = [], asked = [], hub = { live: true, room: 'main', stats: { connections: 1 }, clock: { hubMs: 5e6 }, said: { tl, now: { uri: 'radio:station/1', kind: 'station' } },
            view: () => ({ entry: 'q1' }), ask: async m => { asked.push(m); return d }, press: (m, p) => pressed.push([m, p]) };
          const bar = { draw() { } }, past = Past.of(hub, () => bar.draw()), other = Past.of(hub, () => { }), made = new PastBar(past);
          bar.draw = () => made.draw();
          past.draw();
          other.draw();
          bar.draw();
          await new Promise(go => setTimeout(go));
          const slider = made.element.querySelector('#past'), parts = name => [...made.element.querySelectorAll(name)].map(e => [parseFloat(e.style.left), parseFloat(e.style.width)]);
          const found = { words: made.element.querySelector('#pastline').textContent, spoken: slider.ariaValueText, at: slider.ariaValueNow,
            marks: parts('.pastmark').map(([left]) => left), gaps: parts('.pastgap') };
          for (const key of ['PageUp', 'PageDown', 'ArrowLeft', 'Home', 'End']) slider.onkeydown(new KeyboardEvent('keydown', { key, cancelable: true }));
          made.element.remove();
          for (const id of ['seek', 'time']) document.getElementById(id).hidden = false;
          return { ...found, pressed, asked }""", *(self.module(name) for name in ("past.js", "pastbar.js")))
        self.assertEqual((seen["words"], seen["spoken"], seen["at"]), ("12 min behind live", "12 min behind live, Bert - Zwei", "2880"))
        self.assertEqual([round(left) for left in seen["marks"]], [25, 75])
        self.assertEqual([[round(part) for part in gap] for gap in seen["gaps"]], [[30, 20]])
        # The bar and the list of titles share one past, which asks once.
        self.assertEqual(seen["asked"], ["radio.titles"])
        # Three minutes into the second title: behind it is what comes now, before it its own beginning.
        self.assertEqual([m for m, _ in seen["pressed"]], ["radio.live", "radio.back", "radio.back", "radio.back", "radio.live"])
        self.assertEqual([p for _, p in seen["pressed"][1:4]], [{"entry": "q1", "n": 8}, {"entry": "q1", "ms": 15_000}, {"entry": "q1", "ms": 48 * 60_000}])

    def module(self, name):
        return self.page.run("return document.querySelector('script[src$=\"/first.js\"]').src.replace('first.js', arguments[0])", name)

    def titles_heard(self):
        """Those that were heard are listed; a tap goes back to one, and a button keeps it whole as a file of the library."""
        page = self.page
        page.size(*self.size)
        self.visit("#/playing")
        page.wait("its button", lambda: page.find("#heard").is_displayed())
        self.press("#heard")
        page.wait("all three", lambda: [row.split("\n")[0] for row in self.heard()][:3] == ["Carl - Drei", "Bert - Zwei", "Anna - Eins"])
        self.assertIn("on air", self.heard()[0])
        self.press("[aria-label='Save Bert - Zwei']")
        page.wait("it is saved", lambda: "saved" in self.heard()[1])
        files = wait("its file", lambda: glob.glob(f"{self.home.music}/Recordings/**/Bert - Zwei.mp3", recursive=True))
        self.assertEqual(len(files), 1)
        page.picture("night-390x844-heard")
        page.click("[aria-label='Titles heard'] li:nth-child(3) .main")
        page.wait("it is the current one", lambda: page.find("[aria-label='Titles heard'] [aria-current]").text.startswith("Anna - Eins"))
        self.assertGreater(self.behind(), 0)
        self.press("[aria-label='Look for Bert - Zwei in the library']")
        page.wait("the song that was saved", lambda: page.driver.find_elements("css selector", "#panel .rows [aria-label^='Play Zwei']"))
        page.size(184, 224)
        self.visit()
        page.press("open")
        page.click("#sheet button", "Live")
        wait("it is live", lambda: not self.behind())

    def tiles(self):
        """Each tile with its text and its box."""
        return self.page.run("""return [...document.querySelectorAll('.watchtiles button')].map(tile => {
          const box = tile.getBoundingClientRect(); return [tile.textContent, box.left, box.top, box.right, box.bottom] })""")

    def test_g_watch(self):
        """A swipe up on a watch shows six tiles that can be hit, all on its face; a press plays, a long press keeps what plays."""
        page = self.page
        for title in ("Harbour FM", "Nordlicht"):
            uri = next(row["uri"] for row in self.command("radio.list")["d"]["stations"] if row["title"] == title)
            self.command("radio.edit", key=os.urandom(4).hex(), star=uri)
        for width, height, query in [(144, 168, ""), (184, 224, ""), (208, 248, ""), (192, 192, "round"), (225, 225, "round")]:
            name = f"night-{width}x{height}-{query or 'square'}-presets"
            page.size(width, height)
            self.visit(f"?shape={query}" if query else "")
            page.wait("its menu has come", lambda: page.run("return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/watchpresets.js'))"))
            page.wait("the tiles", lambda: self.swipe() and [tile[0] for tile in self.tiles()] == ["Harbour FM", "Nordlicht", "+", "+", "+", "+"])
            page.wait("they have risen", page.is_still)
            page.picture(name)
            boxes = [tile[1:] for tile in self.tiles()]
            for left, top, right, bottom in boxes:
                self.assertTrue(right - left >= 44 and bottom - top >= 44, f"{name}: {right - left}x{bottom - top}")
                self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= height, name)
                far = max(((x - width / 2) ** 2 + (y - height / 2) ** 2) ** 0.5 for x in (left, right) for y in (top, bottom))
                self.assertTrue(not query or far <= width / 2 + 0.5, f"{name}: {far}")
        page.click(".watchtiles [data-index='1']")
        self.reaches("it plays", lambda status: status["title"] == "Nordlicht" and status["state"] == "playing")
        page.wait("the tiles are closed", lambda: not page.run("return document.getElementById('sheet').open"))
        self.swipe()
        page.run("document.querySelector(\".watchtiles [data-index='5']\").dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))")
        page.wait("the station is on its tile, and only there", lambda: [tile[0] for tile in self.tiles()] == ["Harbour FM", "+", "+", "+", "+", "Nordlicht"])
        page.run("localStorage.removeItem('baton.presets')")

    def swipe(self):
        """By hand, up from the button in the middle, which does not count as pressed."""
        if not self.page.run("return document.getElementById('sheet').open"):
            self.page.drag(self.page.find("#play"), 0, -60)
        return True


if __name__ == "__main__":
    main("chromium", "chromedriver", "/usr/bin/icecast2", "/usr/bin/ffmpeg")
