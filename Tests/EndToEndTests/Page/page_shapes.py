# deploy/test: tier 2, judges Sources/Web.
"""Every viewport in every theme: where each control is, how large, and that none touches another or leaves the face.

The pictures stay in .build/screenshots, to be looked at.
"""

import re
import sys

from Support.hubs import main

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_shapes.py: skipped, for there is no selenium here")
    sys.exit(77)

WATCHES = [(144, 168, ""), (184, 224, ""), (192, 192, "round"), (208, 248, ""), (225, 225, "round")]
PHONES = [(320, 240), (360, 640), (390, 844), (640, 360), (844, 390), (768, 1024), (1024, 768)]
DESKTOPS = [(1100, 700), (1440, 900), (1920, 1080)]
THEMES = ["night", "aura", "pixel", "cat", "plain"]
ALL = ["room", "prev", "play", "next", "less", "turn", "more", "fav", "shuffle", "repeat", "sleep", "nowmenu", "queue", "lyrics", "people"]
TABS = ["tab-home", "tab-search", "tab-library"]

BOXES = """
  const seen = element => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const box = element => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] };
  const words = element => { const range = document.createRange(); range.selectNodeContents(element);
    const t = range.getBoundingClientRect(), b = element.getBoundingClientRect();
    return [Math.max(t.left, b.left), Math.max(t.top, b.top), Math.min(t.right, b.right), Math.min(t.bottom, b.bottom)] };
  const name = element => element.id || element.getAttribute('aria-label') || element.textContent;
  return {
    controls: Object.fromEntries([...document.querySelectorAll('main > * button, main [role=slider]')]
      .filter(e => seen(e) && !e.closest('#panel, #side, #face, [inert]') && !['open', 'say'].includes(e.id)).map(e => [name(e), box(e)])),
    inside: Object.fromEntries([...document.querySelectorAll('#panel button, #side button, #face button')]
      .filter(e => seen(e) && !e.closest('[inert]')).map(e => [name(e), box(e)])),
    side: Object.fromEntries([...document.querySelectorAll('#side button')].filter(seen).map(e => [name(e), box(e)])),
    texts: Object.fromEntries(['title', 'artist', 'where', 'roomname', 'level'].map(id => document.getElementById(id))
      .filter(e => seen(e) && e.textContent).map(e => [e.id, words(e)])),
    overflow: [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight],
  };
"""


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


class Shapes(PageCase):
    shape = None

    def look(self, width, height, theme, query="", panel="playing"):
        if self.shape != (width, height, query, panel):
            self.shape = (width, height, query, panel)
            self.page.keep(theme=theme, panel=panel)
            self.page.size(width, height)
            self.visit(f"?shape={query}" if query else "")
        self.page.choose_theme(theme)
        name = f"{theme}-{width}x{height}{'-' + query if query else ''}{'' if panel == 'playing' else '-' + panel}"
        self.page.picture(name)
        seen = self.page.run(BOXES)
        self.assertLessEqual(max(seen["overflow"]), 0, f"{name} scrolls")
        controls = seen["controls"]
        for one, box in controls.items():
            self.assertTrue(
                box[0] >= -0.5 and box[1] >= -0.5 and box[2] <= width + 0.5 and box[3] <= height + 0.5, f"{name}: {one} leaves at {box}")
            for other, there in controls.items():
                self.assertFalse(one < other and overlap(box, there), f"{name}: {one} {box} overlaps {other} {there}")
        return name, seen

    def large(self, name, boxes, least, but=()):
        for one, (left, top, right, bottom) in boxes.items():
            if one not in but:
                self.assertGreaterEqual(round(right - left, 1), least, f"{name}: {one} is narrow")
                self.assertGreaterEqual(round(bottom - top, 1), least, f"{name}: {one} is low")

    def gaps(self, name, controls):
        self.assertGreaterEqual(round(controls["turn"][0] - controls["less"][2], 1), 8, name)
        self.assertGreaterEqual(round(controls["more"][0] - controls["turn"][2], 1), 8, name)

    def test_watches(self):
        """One screen, three targets of 48, the volume row with its number, title, artist and room; all inside a round face."""
        for width, height, query in WATCHES:
            for theme in THEMES:
                # What a larger screen had open does not matter on a watch.
                name, seen = self.look(width, height, theme, query, panel="playing" if query else "queue")
                self.assertEqual(set(seen["controls"]), {"prev", "play", "next", "less", "turn", "more"}, name)
                self.large(name, seen["controls"], 48, but=("turn",))
                self.gaps(name, seen["controls"])
                self.assertEqual(set(seen["texts"]), {"title", "artist", "where", "level"}, name)
                ring = self.page.find("#ring").rect["width"]
                self.assertEqual(ring, 48 if width < 184 else 64 if width < 225 else 80, name)
                if query:
                    middle = width / 2
                    for one, box in {**seen["controls"], **seen["texts"]}.items():
                        far = max(((x - middle) ** 2 + (y - middle) ** 2) ** 0.5 for x in box[0::2] for y in box[1::2])
                        self.assertLessEqual(far, middle + 0.5, f"{name}: {one} {box} leaves the circle")

    def test_phones(self):
        """All controls of what plays on one screen that does not scroll, and the cover."""
        for width, height in PHONES:
            for theme in THEMES:
                name, seen = self.look(width, height, theme)
                self.assertEqual({*ALL, "fold", "seek"}, set(seen["controls"]) - {"1 star", *(f"{n} stars" for n in range(2, 6))}, name)
                self.large(name, seen["controls"], 44, but=("seek",))
                self.gaps(name, seen["controls"])
                self.assertIn("title", seen["texts"], name)
                if height >= 500:
                    box = self.page.run("document.documentElement.classList.add('covered'); const b = document.getElementById('cover').getBoundingClientRect(); return [b.width, b.height, b.left, b.right]")
                    self.assertGreaterEqual(round(box[1], 1), (0.38 if height >= 800 else 0.2) * height, f"{name}: the cover is small")
                    self.assertTrue(abs(box[0] - box[1]) < 1 and box[2] >= 0 and box[3] <= width, f"{name}: {box}")

    def test_places(self):
        """Each place leaves the mini player and the tabs where they are, each face its own buttons, and what is in them can be hit."""
        for width, height in PHONES:
            first = {}
            for panels, there in ((("home", "library", "search", "rooms", "lists", "presets", "settings"), ["play", "next", *TABS]),
                                  (("queue", "lyrics", "people"), ["fold", "room", "prev", "play", "next", "queue", "lyrics", "people"])):
                if (width, height) == (320, 240) and "prev" in there:
                    # The smallest screen has the rows alone.
                    there = [control for control in there if control not in ("prev", "play", "next")]
                for panel in panels:
                    name, seen = self.look(width, height, "night", panel=panel)
                    for control in there:
                        self.assertEqual(seen["controls"][control], first.setdefault((panels, control), seen["controls"][control]), f"{name}: {control} moved")
                    self.large(name, seen["controls"], 44, but=("seek",))
                    self.large(name, seen["inside"], 44)
                if width < 700:
                    chrome = self.page.run("return innerHeight - document.getElementById('panel').getBoundingClientRect().bottom")
                    self.assertLessEqual(chrome, 120, f"{name}: the chrome is high")

    def test_desktops(self):
        """The places at the left, the queue at the right, and what plays below both."""
        for width, height in DESKTOPS:
            for theme in THEMES:
                name, seen = self.look(width, height, theme, panel="home")
                self.page.wait("the queue", lambda: len(self.page.driver.find_elements("css selector", "#side .row")) == 3)
                seen = self.page.run(BOXES)
                self.assertLessEqual({*ALL, *TABS} - (set() if width >= 1400 else {"less", "more"}), set(seen["controls"]), name)
                self.assertGreaterEqual(seen["controls"]["turn"][2] - seen["controls"]["turn"][0], 110, f"{name}: the volume is narrow")
                self.large(name, seen["controls"], 44, but=("seek",))
                rows = [box for row, box in seen["side"].items() if row.startswith("Play ")]
                self.assertEqual(len(rows), 3, name)
                self.assertGreater(min(row[0] for row in rows), width * 0.6, name)
                self.assertLess(max(seen["controls"][tab][2] for tab in TABS), width * 0.25, name)
                self.assertGreater(min(seen["controls"][control][1] for control in ALL if control in seen["controls"]), max(row[3] for row in rows), name)

    def test_zoom(self):
        """At 200 % a phone and a desktop still fit, with everything in reach."""
        for width, height, least in ((180, 320, {"play", "more"}), (512, 384, set(ALL))):
            name, seen = self.look(width, height, "night")
            self.assertLessEqual(least, set(seen["controls"]), name)

    def test_contrast(self):
        """What the page says reads at 7 to 1 in every theme, and so does its own text."""
        for theme in THEMES:
            self.look(360, 640, theme)
            colour = lambda name: self.page.run(
                "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0])", name)
            for ink, grounds, least in (("--noteink", "--note", 7), ("--ink", "--ground", 7), ("--ink", "--fill", 7), ("--soft", "--ground", 4.5)):
                for ground in re.findall(r"#[0-9a-f]{3,6}", colour(grounds)):
                    self.assertGreaterEqual(contrast(colour(ink).strip(), ground), least, f"{theme}: {ink} on {ground}")

    def test_watch_menu(self):
        """Behind the title of a watch: seeking, mode, rooms and theme, in rows that can be hit."""
        page = self.page
        page.size(184, 224)
        self.visit()
        page.press("open")
        page.wait("the rooms", lambda: "volume 30%" in page.find("#sheet").text)
        # Wishes for the next piece are in it while music goes on without end.
        boxes = page.run("""return [...document.querySelectorAll('#sheet button')].filter(b => !b.closest('[hidden]'))
          .map(b => [b.textContent, b.offsetWidth, b.offsetHeight])""")
        self.assertGreaterEqual(len(boxes), 6)
        for text, width, height in boxes:
            self.assertTrue(width >= 44 and height >= 44, f"{text} is {width}x{height}")
        page.picture("night-184x224-more")
        page.click("#sheet button")
        page.wait("it is closed", lambda: not page.run("return document.getElementById('sheet').open"))


def contrast(one, other):
    def light(colour):
        digits = colour.lstrip("#")
        digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
        parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
        red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    lights = sorted((light(one), light(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


if __name__ == "__main__":
    main("chromium", "chromedriver")
