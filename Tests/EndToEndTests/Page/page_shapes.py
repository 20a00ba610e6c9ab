#!/usr/bin/python3
# deploy/test: tier 2, judges Sources/Web.
"""Every viewport in every theme: where each control is, how large, and that none touches another or leaves the face.

The pictures stay in .build/screenshots, to be looked at.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from hubs import main  # noqa: E402

try:
    from pagecase import PageCase
except ImportError:
    print("page_shapes.py: skipped, for there is no selenium here")
    sys.exit(77)

WATCHES = [(144, 168, ""), (184, 224, ""), (192, 192, "round"), (208, 248, ""), (225, 225, "round")]
PHONES = [(320, 240), (360, 640), (390, 844), (640, 360), (768, 1024)]
DESKTOPS = [(1024, 768), (1920, 1080)]
THEMES = ["night", "aura", "pixel", "cat", "plain"]
ALL = ["prev", "back", "play", "fwd", "next", "fav", "shuffle", "repeat", "lyrics", "presets", "nowmenu"]

BOXES = """
  const seen = element => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const box = element => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] };
  const words = element => { const range = document.createRange(); range.selectNodeContents(element);
    const t = range.getBoundingClientRect(), b = element.getBoundingClientRect();
    return [Math.max(t.left, b.left), Math.max(t.top, b.top), Math.min(t.right, b.right), Math.min(t.bottom, b.bottom)] };
  const name = element => element.id || element.getAttribute('aria-label') || element.textContent;
  return {
    controls: Object.fromEntries([...document.querySelectorAll('main > * button, main [role=slider]')]
      .filter(e => seen(e) && !e.closest('#panel, #side') && !['open', 'say'].includes(e.id)).map(e => [name(e), box(e)])),
    inside: Object.fromEntries([...document.querySelectorAll('#panel button, #side button')].filter(seen).map(e => [name(e), box(e)])),
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
        """All eleven controls, the volume row and the tabs on one screen that does not scroll."""
        for width, height in PHONES:
            for theme in THEMES:
                name, seen = self.look(width, height, theme)
                self.assertLessEqual(set(ALL) | {"less", "turn", "more"}, set(seen["controls"]), name)
                self.large(name, seen["controls"], 44, but=("seek",))
                self.gaps(name, seen["controls"])
                self.assertIn("title", seen["texts"], name)
                if height >= 500:
                    box = self.page.run("document.documentElement.classList.add('covered'); const b = document.getElementById('cover').getBoundingClientRect(); return [b.width, b.height, b.left, b.right]")
                    self.assertGreaterEqual(round(box[1], 1), 0.4 * height, f"{name}: the cover is small")
                    self.assertTrue(abs(box[0] - box[1]) < 1 and box[2] >= 0 and box[3] <= width, f"{name}: {box}")

    def test_panels(self):
        """A panel leaves the volume row and the tabs where they are, and its rows can be hit."""
        for width, height in PHONES[:3]:
            _, closed = self.look(width, height, "night")
            for panel in ("rooms", "queue", "more", "presets"):
                name, seen = self.look(width, height, "night", panel=panel)
                for control in ("less", "more", "tab-queue"):
                    self.assertEqual(seen["controls"][control], closed["controls"][control], f"{name}: {control} moved")
                self.large(name, seen["inside"], 44)

    def test_desktops(self):
        """Deck and panel side by side."""
        for width, height in DESKTOPS:
            for theme in THEMES:
                name, seen = self.look(width, height, theme, panel="queue")
                self.assertLessEqual(set(ALL), set(seen["controls"]), name)
                self.large(name, seen["controls"], 44, but=("seek",))
                rows = [box for row, box in seen["inside"].items() if row.startswith("Play ") and row != "Play the demo"]
                self.assertEqual(len(rows), 3, name)
                self.assertGreater(min(row[0] for row in rows), seen["controls"]["next"][2], name)

    def test_zoom(self):
        """At 200 % a phone and a desktop still fit, with everything in reach."""
        for width, height, least in ((180, 320, {"play", "more"}), (512, 384, set(ALL))):
            name, seen = self.look(width, height, "night")
            self.assertLessEqual(least, set(seen["controls"]), name)

    def test_contrast(self):
        """The dark row reads at 7 to 1 in every theme, and so does the page's own text."""
        for theme in THEMES:
            self.look(360, 640, theme)
            colour = lambda name: self.page.run(  # noqa: E731
                "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0])", name)
            for ink, grounds, least in (("--barink", "--barfill", 7), ("--ink", "--ground", 7), ("--ink", "--fill", 7), ("--soft", "--ground", 4.5)):
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
